// Whether the end of a text lies in a comment or a string; as roughly as an editor's typing help needs it.
export type Inside = 'code' | 'comment' | 'string'

interface Marks {
  readonly lineComments?: readonly string[]
  readonly blockComments?: readonly (readonly [open: string, close: string])[]
  /** Longer ones first. */
  readonly strings: readonly string[]
  /** What opens a hole with code in a string; it ends with `}`. */
  readonly holeIn?: (text: string, at: number, quote: string) => string | undefined
}

const blockComments = [['/*', '*/']] as const
const slashes: Marks = { lineComments: ['//'], blockComments, strings: ['"', "'"] }
const ecma: Marks = {
  ...slashes,
  strings: ['"', "'", '`'],
  holeIn: (_, __, quote) => (quote === '`' ? '${' : undefined),
}

const marksOf: Readonly<Record<string, Marks>> = {
  c: slashes,
  csharp: slashes,
  css: { blockComments, strings: ['"', "'"] },
  go: { ...slashes, strings: ['"', "'", '`'] },
  html: { blockComments: [['<!--', '-->']], strings: ['"'] },
  java: { ...slashes, strings: ['"""', '"', "'"] },
  json: { strings: ['"'] },
  markdown: { strings: [] },
  python: {
    lineComments: ['#'],
    strings: ['"""', "'''", '"', "'"],
    holeIn: (text, at) => (/[fF]$/.test(text.slice(0, at)) ? '{' : undefined),
  },
  // A simple quote may be a lifetime's.
  rust: { ...slashes, strings: ['"'] },
  shellscript: { lineComments: ['#'], strings: ['"', "'"] },
  sql: { lineComments: ['--'], blockComments, strings: ["'"] },
  typescript: ecma,
  typescriptreact: ecma,
  yaml: { lineComments: ['#'], strings: ['"', "'"] },
}

/** `text` is what comes before the place that is asked about. */
export function insideAt(text: string, language: string): Inside {
  const end = endOfCode(text, 0, marksOf[language] ?? ecma)
  return typeof end === 'number' ? 'code' : end
}

/** Where something is over; or in what the text ends before that. */
type End = number | Inside

/** Reads code from `from` on; that of a hole up to behind its closing brace. */
function endOfCode(text: string, from: number, marks: Marks, isHole = false): End {
  let depth = 0
  let at = from
  while (at < text.length) {
    if (isHole && text[at] === '{') depth++
    if (isHole && text[at] === '}' && depth-- === 0) return at + 1
    const found = openedAt(text, at, marks)
    const end = found ? endOf(text, at, found, marks) : at + 1
    if (typeof end !== 'number') return end
    at = end
  }
  return 'code'
}

interface Opened {
  readonly inside: 'comment' | 'string'
  readonly open: string
  readonly close: string
}

function openedAt(text: string, at: number, marks: Marks): Opened | undefined {
  const { lineComments = [], blockComments = [], strings } = marks
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
function endOf(text: string, from: number, { inside, open, close }: Opened, marks: Marks): End {
  const hole = inside === 'string' ? marks.holeIn?.(text, from, open) : undefined
  const endsWithLine = inside === 'string' && close.length === 1 && close !== '`'
  let at = from + open.length
  while (at < text.length) {
    if (text.startsWith(close, at)) return at + close.length
    if (endsWithLine && text[at] === '\n') return at
    const isHole = hole !== undefined && text.startsWith(hole, at) && !text.startsWith(hole + hole, at)
    if (isHole) {
      const end = endOfCode(text, at + hole.length, marks, true)
      if (typeof end !== 'number') return end
      at = end
    } else at += inside === 'string' && (text[at] === '\\' || text.startsWith('{{', at)) ? 2 : 1
  }
  return inside
}
