// `casesOf`: edits of real files as models write them: exact, with other white space, with numbers, ambiguous, drifted.
import type { Edit } from '../../../../src/core/tools/matchEdits.ts'
import type { RealFile } from './realFiles.ts'

/**
 * `text`: the file as it is. `expected`: after the edit; undefined where it must be refused, because the text is nowhere or
 * at several places. `first` and `count`: the lines that the edit means; `changed`: which of them it changes.
 */
export interface EditCase {
  readonly kind: string
  readonly language: string
  readonly text: string
  readonly edit: Edit
  readonly expected: string | undefined
  readonly first: number
  readonly count: number
  /** The new lines, by which one that sees the file repairs its call. */
  readonly fresh: readonly string[]
}

type Random = () => number
const pick = <T>(random: Random, list: readonly T[]) => list[Math.floor(random() * list.length)]
const upTo = (random: Random, limit: number) => Math.floor(random() * limit)

interface Block {
  readonly lines: readonly string[]
  readonly first: number
  readonly old: readonly string[]
  readonly fresh: readonly string[]
}

/** One case of each kind that the block allows. */
export function casesOf(file: RealFile, random: Random): EditCase[] {
  const block = blockOf(file.text, random)
  if (!block) return []
  return kinds.flatMap(([kind, make]) => {
    const made = make(block, random)
    if (!made || made.old === made.new || isElsewhere(made, block)) return []
    const { first, old, fresh } = block
    const about = {
      kind,
      language: file.language,
      first: made.first ?? first,
      count: old.length,
      fresh: made.fresh ?? fresh,
    }
    return [{ ...about, text: made.text, edit: { old: made.old, new: made.new, all: false }, expected: made.expected }]
  })
}

/** The text is exactly at one place, which is another: then it means that one. White space that no one sees aside. */
function isElsewhere({ text, old, expected }: Made, { lines, first }: Block): boolean {
  const place = text.indexOf(old)
  if (expected === undefined || place < 0 || text.indexOf(old, place + 1) >= 0) return false
  const isIndented = old.split('\n')[0] !== lines[first]
  return isIndented && text.slice(0, place).split('\n').length - 1 !== first
}

interface Made {
  readonly text: string
  readonly old: string
  readonly new: string
  readonly expected: string | undefined
  readonly first?: number
  readonly fresh?: readonly string[]
}

function blockOf(text: string, random: Random): Block | undefined {
  const lines = text.split('\n')
  const count = 1 + upTo(random, 8)
  const first = upTo(random, lines.length - count)
  const old = lines.slice(first, first + count)
  const target = upTo(random, count)
  if (old.every(line => line.trim().length < 4) || (old[target] ?? '').trim() === '') return undefined
  const fresh = changedLines(old, target, random)
  return { lines, first, old, fresh }
}

/** As an edit changes lines: a word, a new line, one line less. */
function changedLines(old: readonly string[], target: number, random: Random): readonly string[] {
  const line = old[target] ?? ''
  const how = random()
  if (how < 0.2) return old.toSpliced(target + 1, 0, `${/^\s*/.exec(line)?.[0] ?? ''}added(${upTo(random, 1_000)})`)
  if (how < 0.3 && old.length > 1) return old.toSpliced(target, 1)
  const words = [...line.matchAll(/\w+/g)]
  const word = pick(random, words)
  const changed = word
    ? `${line.slice(0, word.index)}${word[0]}_${upTo(random, 100)}${line.slice(word.index + word[0].length)}`
    : `${line}1`
  return old.with(target, changed)
}

const joined = (lines: readonly string[]) => lines.join('\n')
const placed = ({ lines, first, old }: Block, fresh: readonly string[]) =>
  joined(lines.toSpliced(first, old.length, ...fresh))
const indentOf = (line: string) => /^[ \t]*/.exec(line)?.[0] ?? ''
const isCode = (line: string) => line.trim() !== ''

const typography = (line: string) =>
  line
    .replaceAll(/"([^"]*)"/g, '“$1”')
    .replaceAll(/'([^']*)'/g, '‘$1’')
    .replaceAll(' - ', ' – ')
const withTail = (line: string, random: Random) => (random() < 0.5 ? `${line}${pick(random, [' ', '  ', '\t'])}` : line)

/** `own`: how the file has the lines that the call writes as `old`. */
function against(block: Block, own: (line: string) => string): Made {
  const { lines, first, old, fresh } = block
  const mine = old.map(own)
  const text = joined(lines.toSpliced(first, old.length, ...mine))
  const kept = fresh.map(line => {
    const at = old.indexOf(line)
    return at >= 0 ? (mine[at] ?? line) : line
  })
  return { text, old: joined(old), new: joined(fresh), expected: joined(lines.toSpliced(first, old.length, ...kept)) }
}

const kinds: readonly (readonly [kind: string, make: (block: Block, random: Random) => Made | undefined])[] = [
  ['exact', block => against(block, line => line)],
  [
    'exact, CRLF in the call',
    block => {
      const made = against(block, line => line)
      return { ...made, old: made.old.replaceAll('\n', '\r\n'), new: made.new.replaceAll('\n', '\r\n') }
    },
  ],
  [
    'exact, with the last line end',
    block => {
      const made = against(block, line => line)
      return { ...made, old: `${made.old}\n`, new: `${made.new}\n` }
    },
  ],
  ['white space at ends in the file', (block, random) => against(block, line => withTail(line, random))],
  [
    'white space at ends in the call',
    (block, random) => {
      const made = against(block, line => line)
      const tails = block.old.map(line => (isCode(line) ? withTail(line, random) : line))
      return {
        ...made,
        old: joined(tails),
        new: joined(block.fresh.map(line => tails[block.old.indexOf(line)] ?? line)),
      }
    },
  ],
  [
    'indentation left out',
    block => {
      const shared = block.old
        .filter(isCode)
        .map(indentOf)
        .reduce((a, b) => (a.length < b.length ? a : b))
      if (shared === '' || ![...block.old, ...block.fresh].every(line => !isCode(line) || line.startsWith(shared)))
        return undefined
      const less = (line: string) => (line.startsWith(shared) ? line.slice(shared.length) : line)
      return {
        text: joined(block.lines),
        old: joined(block.old.map(less)),
        new: joined(block.fresh.map(less)),
        expected: placed(block, block.fresh),
      }
    },
  ],
  [
    'more indentation',
    block => {
      const more = (line: string) => (isCode(line) ? `    ${line}` : line)
      if (block.old.some(line => line.startsWith('\t'))) return undefined
      return {
        text: joined(block.lines),
        old: joined(block.old.map(more)),
        new: joined(block.fresh.map(more)),
        expected: placed(block, block.fresh),
      }
    },
  ],
  [
    'tabs in the file, spaces in the call',
    block => {
      const width = block.old.some(line => /^( {4})+\S/.test(line)) ? 4 : 2
      const isEven = [...block.old, ...block.fresh].every(
        line => /^ *(?:\S|$)/.test(line) && indentOf(line).length % width === 0,
      )
      if (!isEven || !block.old.some(line => line.startsWith(' ') && isCode(line))) return undefined
      const tabs = (line: string) =>
        line.replace(/^ +/, spaces => '\t'.repeat(spaces.length / width) + ' '.repeat(spaces.length % width))
      const { lines, first, old, fresh } = block
      return {
        text: joined(lines.map(tabs)),
        old: joined(old),
        new: joined(fresh),
        expected: joined(lines.map(tabs).toSpliced(first, old.length, ...fresh.map(tabs))),
      }
    },
  ],
  [
    'typographic quotes in the file',
    block => (block.old.some(line => typography(line) !== line) ? against(block, typography) : undefined),
  ],
  [
    'typographic quotes and white space at ends',
    (block, random) =>
      block.old.some(line => typography(line) !== line)
        ? against(block, line => withTail(typography(line), random))
        : undefined,
  ],
  [
    'line numbers',
    block => {
      const numbered = (lines: readonly string[]) => joined(lines.map((line, at) => `${block.first + at + 1}\t${line}`))
      const made = against(block, line => line)
      return { ...made, old: numbered(block.old), new: numbered(block.fresh) }
    },
  ],
  [
    'escapes written out',
    block => {
      if (block.old.length < 2 || [...block.old, ...block.fresh].some(line => line.includes('\\'))) return undefined
      const escaped = (lines: readonly string[]) =>
        joined(lines).replaceAll('\t', '\\t').replaceAll('"', '\\"').replaceAll('\n', '\\n')
      return { ...against(block, line => line), old: escaped(block.old), new: escaped(block.fresh) }
    },
  ],
  [
    'refuse: the block twice',
    ({ lines, old, fresh, first }) => ({
      text: joined([...lines, ...old]),
      old: joined(old),
      new: joined(fresh),
      expected: undefined,
      first,
    }),
  ],
  [
    'refuse: a line in it is another',
    (block, random) => {
      if (block.old.length < 3) return undefined
      const at = 1 + upTo(random, block.old.length - 2)
      const drifted = block.old.with(at, `${block.old[at] ?? ''} drifted${upTo(random, 100)}`)
      const fresh = block.fresh.length === block.old.length ? block.fresh : block.old.with(0, `${block.old[0] ?? ''} x`)
      return {
        text: joined(block.lines),
        old: joined(drifted),
        new: joined(fresh.with(at, drifted[at] ?? '')),
        expected: undefined,
        fresh,
      }
    },
  ],
  [
    'refuse: one letter is another',
    (block, random) => {
      const words = [...joined(block.old).matchAll(/[a-z]{3,}/gi)]
      const word = pick(random, words)
      if (!word) return undefined
      const text = joined(block.old)
      const old = `${text.slice(0, word.index)}${word[0] === word[0].toUpperCase() ? word[0].toLowerCase() : `${word[0]}s`}${text.slice(word.index + word[0].length)}`
      const fresh = block.fresh.length === block.old.length ? block.fresh : block.old.with(0, `${block.old[0] ?? ''} x`)
      return { text: joined(block.lines), old, new: joined(fresh), expected: undefined, fresh }
    },
  ],
  [
    'refuse: first and last line are right',
    (block, random) => {
      if (block.old.length < 4) return undefined
      const inside = block.old.slice(1, -1).map(() => `  other(${upTo(random, 1_000)})`)
      const old = [block.old[0] ?? '', ...inside, block.old.at(-1) ?? '']
      const fresh = block.old.with(1, `${block.old[1] ?? ''} // new`)
      return {
        text: joined(block.lines),
        old: joined(old),
        new: joined([old[0] ?? '', 'changed()', old.at(-1) ?? '']),
        expected: undefined,
        fresh,
      }
    },
  ],
]
