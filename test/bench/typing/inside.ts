// Whether the end of a text lies in a comment or a string; as roughly as an editor's typing help needs it.
export type Inside = 'code' | 'comment' | 'string'

interface Marks {
  readonly lineComments: readonly string[]
  readonly blockComments: readonly (readonly [open: string, close: string])[]
  /** Longer ones first. */
  readonly strings: readonly string[]
}

const slashes: Marks = { lineComments: ['//'], blockComments: [['/*', '*/']], strings: ['"', "'", '`'] }

const marksOf: Readonly<Record<string, Marks>> = {
  css: { lineComments: [], blockComments: [['/*', '*/']], strings: ['"', "'"] },
  go: slashes,
  java: { ...slashes, strings: ['"', "'"] },
  json: { lineComments: [], blockComments: [], strings: ['"'] },
  python: { lineComments: ['#'], blockComments: [], strings: ['"""', "'''", '"', "'"] },
  shellscript: { lineComments: ['#'], blockComments: [], strings: ['"', "'"] },
  sql: { lineComments: ['--'], blockComments: [['/*', '*/']], strings: ["'"] },
  typescript: slashes,
}

/** `text` is what comes before the place that is asked about. */
export function insideAt(text: string, language: string): Inside {
  const marks = marksOf[language] ?? slashes
  let at = 0
  while (at < text.length) {
    const found = openedAt(text, at, marks)
    if (!found) at++
    else {
      const end = endOf(text, at + found.open.length, found)
      if (end === undefined) return found.inside
      at = end
    }
  }
  return 'code'
}

interface Opened {
  readonly inside: 'comment' | 'string'
  readonly open: string
  readonly close: string
}

function openedAt(text: string, at: number, { lineComments, blockComments, strings }: Marks): Opened | undefined {
  const comment = lineComments.find(mark => text.startsWith(mark, at))
  // `$#` and `${#` of the shell begin no comment.
  if (comment === '#' && !/(?:^|\s)$/.test(text.slice(0, at))) return undefined
  if (comment !== undefined) return { inside: 'comment', open: comment, close: '\n' }
  const block = blockComments.find(([open]) => text.startsWith(open, at))
  if (block) return { inside: 'comment', open: block[0], close: block[1] }
  const quote = strings.find(mark => text.startsWith(mark, at))
  return quote === undefined ? undefined : { inside: 'string', open: quote, close: quote }
}

/** A string in simple quotes ends with its line at the latest. */
function endOf(text: string, from: number, { inside, close }: Opened): number | undefined {
  for (let at = from; at < text.length; at++) {
    if (inside === 'string' && text[at] === '\\') at++
    else if (text.startsWith(close, at)) return at + close.length
    else if (inside === 'string' && close.length === 1 && close !== '`' && text[at] === '\n') return at
  }
  return undefined
}
