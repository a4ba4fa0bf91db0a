// `holes`: places in files of this project from which text was taken out, and that text: what a completion should be.
import type { DocumentSnapshot } from '../../../src/core/workspace/documentSnapshot.ts'
import { EditLog } from '../../../src/core/workspace/editLog.ts'
import { randomFrom } from '../../support/random.ts'
import { readSources, type Source } from '../typing/source.ts'

export const holeKinds = [
  'end of line',
  'block',
  'inside a word',
  'behind a word',
  'inside closed pairs',
  'comment or string',
  'next line',
] as const
export type HoleKind = (typeof holeKinds)[number]

/** `truth`: what was at the cursor. */
export interface QualityHole {
  readonly kind: HoleKind
  readonly snapshot: DocumentSnapshot
  readonly truth: string
}

/** What is taken out of a text. */
interface Cut {
  readonly start: number
  readonly end: number
}

const PER_KIND = 4
const LEAST_CHARS = 3
const BLOCK_LINES = 3

/** The same for the same seed; of each file up to `perKind` holes of each kind. */
export function holes(seed = 1, perKind = PER_KIND): QualityHole[] {
  const random = randomFrom(seed)
  return readSources().flatMap(source =>
    holeKinds.flatMap(kind =>
      chosen(cutsOf(source, kind), perKind, random).map(cut => ({
        kind,
        snapshot: snapshotOf(source, cut),
        truth: source.text.slice(cut.start, cut.end),
      })),
    ),
  )
}

/** The other files, as they would be open beside it. */
export function neighboursOf({ path }: DocumentSnapshot): DocumentSnapshot[] {
  return readSources()
    .filter(source => source.path !== path)
    .map(source => snapshotOf(source, { start: source.text.length, end: source.text.length }))
}

function snapshotOf({ path, language, indent, text }: Source, { start, end }: Cut): DocumentSnapshot {
  const rest = text.slice(0, start) + text.slice(end)
  const log = EditLog.startingAt({ version: 1, length: rest.length, reason: 'opened' })
  return {
    id: `file:///work/${path}`,
    path,
    isInWorkspace: true,
    language,
    version: 1,
    log,
    indent,
    text: rest,
    offset: start,
  }
}

function chosen(cuts: readonly Cut[], count: number, random: () => number): Cut[] {
  const left = [...cuts]
  const taken: Cut[] = []
  while (taken.length < count && left.length > 0) taken.push(...left.splice(Math.floor(random() * left.length), 1))
  return taken
}

interface Line {
  readonly text: string
  readonly start: number
  readonly end: number
}

function linesOf(text: string): Line[] {
  let start = 0
  return text.split('\n').map(line => {
    const at = start
    start += line.length + 1
    return { text: line, start: at, end: at + line.length }
  })
}

function cutsOf({ text }: Source, kind: HoleKind): Cut[] {
  const lines = linesOf(text)
  return lines
    .flatMap((line, at) => cutIn(line, at, lines, kind) ?? [])
    .filter(({ start, end }) => end - start >= LEAST_CHARS)
}

const comment = /^\s*(?:\/\/|\/?\*+|#|--|<!--)\s*\w+\s\w+/
const opened = /[(["'{]/
const closers = /[)\]}"'`;,>]+$/

function cutIn(line: Line, at: number, lines: readonly Line[], kind: HoleKind): Cut | undefined {
  const { text, start, end } = line
  const code = text.trim()
  if (code === '') return undefined
  const indent = text.length - text.trimStart().length
  switch (kind) {
    case 'end of line':
      return code.length > 12 && !comment.test(text)
        ? { start: start + indent + Math.floor(code.length / 2), end }
        : undefined
    case 'block':
      return /[{:(]$/.test(lines[at - 1]?.text ?? '')
        ? { start: start + indent, end: blockEnd(lines, at, indent) }
        : undefined
    case 'inside a word':
      return within(line, /[A-Za-z_]{5,}/, match => match.index + 2)
    case 'behind a word':
      return within(line, /[A-Za-z_]{3,}(?= \S)/, match => match.index + match[0].length)
    case 'inside closed pairs':
      return insidePairs(line)
    case 'comment or string':
      return comment.test(text) ? { start: start + indent + Math.floor(code.length / 2), end } : undefined
    case 'next line': {
      const next = lines[at + 1]
      return next && next.text.trim().length > LEAST_CHARS ? { start: end, end: next.end } : undefined
    }
  }
}

function within(
  { text, start, end }: Line,
  pattern: RegExp,
  place: (match: RegExpExecArray) => number,
): Cut | undefined {
  const match = pattern.exec(text)
  return match && !comment.test(text) ? { start: start + place(match), end } : undefined
}

/** What is between the first opener and the closers at the end of the line, which close only what is before it. */
function insidePairs({ text, start }: Line): Cut | undefined {
  const [rest = ''] = closers.exec(text) ?? []
  const [from, to] = [text.search(opened) + 1, text.length - rest.length]
  const isHole = from > 0 && rest !== '' && isBalanced(text.slice(from, to))
  return isHole ? { start: start + from, end: start + to } : undefined
}

/** Each bracket is closed, and no quote is left open. */
function isBalanced(text: string): boolean {
  const quotes = [/"/g, /'/g, /`/g].map(quote => text.match(quote)?.length ?? 0)
  if (quotes.some(count => count % 2 > 0) || /""/.test(text)) return false
  let open = text
  for (let before = ''; before !== open; ) {
    before = open
    open = open.replace(/\([^()[\]{}]*\)|\[[^()[\]{}]*\]|\{[^()[\]{}]*\}/g, '')
  }
  return !/[()[\]{}]/.test(open)
}

function blockEnd(lines: readonly Line[], from: number, indent: number): number {
  let last = from
  for (let at = from; at < Math.min(lines.length, from + BLOCK_LINES); at++) {
    const text = lines[at]?.text ?? ''
    if (text.trim() === '' || text.length - text.trimStart().length < indent) break
    last = at
  }
  return lines[last]?.end ?? 0
}
