// A long answer of headings, paragraphs, lists, tables and code.

const block = (n: number) => `## Step ${n}

The parcel desk reads each delivery once, groups it by its route, and keeps the *median* of the delays, since a single
late van should not spoil a good week. See \`delays.py\`, line ${n * 7}.

1. Read the file that the carrier sends.
2. Drop what has **no route**.
3. Sort the rest by its delay.

\`\`\`python
def step_${n}(deliveries: list[Delivery], patience_minutes: float = ${n}.5) -> dict[str, float]:
    by_route: dict[str, list[Delivery]] = defaultdict(list)
    for delivery in deliveries:
        by_route[delivery.route].append(delivery)
    return {route: median(delay.minutes for delay in found) for route, found in by_route.items()}
\`\`\`

| Route | Parcels | Late by |
|---|---:|---:|
| North ${n} | ${n * 12} | ${n % 9} min |
| South ${n} | ${n * 17} | ${n % 7} min |

`

const sentence = (n: number) =>
  `The *median* of **all** delays of route ${n} is in \`delays.py\`, see [the page](https://example.com/${n}). `

const chunks = {
  list: (n: number) => `- ${sentence(n)}\n`,
  table: (n: number) =>
    `${n === 0 ? '| Route | Delay | Late |\n|---|---|---:|\n' : ''}| ${n} | ${sentence(n)} | ${n} |\n`,
  paragraph: sentence,
} as const

export type OneBlock = keyof typeof chunks

/** A single block, which grows to its end. */
export function oneBlock(kind: OneBlock, chars: number): string {
  let text = ''
  for (let n = 0; text.length < chars; n++) text += chunks[kind](n)
  return text
}

/** Exactly so many characters. */
export function longMarkdown(chars: number): string {
  let text = ''
  for (let n = 1; text.length < chars; n++) text += block(n)
  return text.slice(0, chars)
}
