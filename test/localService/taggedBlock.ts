// Finds `<tag …>…</tag>` in a text, without trusting that what was opened is closed.
export interface TaggedBlock {
  readonly start: number
  readonly end: number
  readonly text: string
  attribute(name: string): string
}

export function taggedBlocks(text: string, tag: string): TaggedBlock[] {
  const blocks: TaggedBlock[] = []
  const close = `</${tag}>`
  let start = text.indexOf(`<${tag} `)
  while (start >= 0) {
    const inside = text.indexOf('>', start) + 1
    const stop = text.indexOf(close, inside)
    if (inside === 0 || stop < 0) break
    const head = text.slice(start, inside)
    const end = stop + close.length
    blocks.push({
      start,
      end,
      text: withoutFrame(text.slice(inside, stop)),
      attribute: name => attributeOf(head, name),
    })
    start = text.indexOf(`<${tag} `, end)
  }
  return blocks
}

/** The line ends right inside the tags belong to the form, not to the text. */
const withoutFrame = (text: string) => text.replace(/^\n/, '').replace(/\n$/, '')

const attributeOf = (head: string, name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(head)?.[1] ?? ''
