// `diffLines`: the hunks of whole lines in which two texts differ, and texts with some of them applied.
import type { TextRange } from './replacement.ts'
import { TextEdit } from './textEdit.ts'

/** Whole lines with their line ends; a last line may lack its. Offsets in UTF-16 code units. */
export interface Hunk {
  readonly before: TextRange
  readonly after: TextRange
}

/** Half open, in lines counted from 0. */
export interface LineBlock {
  readonly fromBefore: number
  readonly toBefore: number
  readonly fromAfter: number
  readonly toAfter: number
}

/** More differing lines than this are first divided at lines that both texts have once. */
const MOST_DIFFERENCES = 1_500

/** Ordered, not touching each other. Shortest as a rule; longer where the texts hardly have anything in common. */
export function diffLines(before: string, after: string): readonly Hunk[] {
  if (before === after) return []
  const [a, b] = [linesOf(before), linesOf(after)]
  const [startsA, startsB] = [startsOf(a), startsOf(b)]
  return lineBlocks(a, b).map(({ fromBefore, toBefore, fromAfter, toAfter }) => ({
    before: { start: startsA[fromBefore] ?? 0, end: startsA[toBefore] ?? 0 },
    after: { start: startsB[fromAfter] ?? 0, end: startsB[toAfter] ?? 0 },
  }))
}

/** The same in lines, of texts that `linesOf` has divided. */
export function lineBlocks(before: readonly string[], after: readonly string[]): readonly LineBlock[] {
  const block = trimmed(before, after, wholeOf(before, after))
  // The lines that differ alone, because most edits leave nearly all of a text as it is.
  const [from, to] = [before.slice(block.fromBefore, block.toBefore), after.slice(block.fromAfter, block.toAfter)]
  const [a, b] = numbered(from, to)
  return joined(blocksOf(a, b, wholeOf(from, to))).map(one => ({
    fromBefore: one.fromBefore + block.fromBefore,
    toBefore: one.toBefore + block.fromBefore,
    fromAfter: one.fromAfter + block.fromAfter,
    toAfter: one.toAfter + block.fromAfter,
  }))
}

const wholeOf = ({ length: toBefore }: Lines, { length: toAfter }: Lines): LineBlock => ({
  ...{ fromBefore: 0, toBefore, fromAfter: 0, toAfter },
})

/** `before` with these of its hunks applied, which must be in order. */
export function applyHunks(before: string, after: string, hunks: readonly Hunk[]): string {
  const parts: string[] = []
  let at = 0
  for (const hunk of hunks) {
    parts.push(before.slice(at, hunk.before.start), after.slice(hunk.after.start, hunk.after.end))
    at = hunk.before.end
  }
  return parts.join('') + before.slice(at)
}

/** The edit that leads from one text to the other, found by their lines. */
export function editBetween(before: string, after: string): TextEdit {
  const replacements = diffLines(before, after).map(hunk => ({
    ...hunk.before,
    text: after.slice(hunk.after.start, hunk.after.end),
  }))
  return TextEdit.of(before, replacements)
}

/** The lines with their line ends. */
export function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

export function lineCount(text: string): number {
  return linesOf(text).length
}

function startsOf(lines: readonly string[]): number[] {
  let at = 0
  return [0, ...lines.map(line => (at += line.length))]
}

/** The same number for the same line. */
function numbered(...texts: readonly (readonly string[])[]): Int32Array[] {
  const numbers = new Map<string, number>()
  const numberOf = (line: string) => {
    const known = numbers.get(line)
    if (known !== undefined) return known
    numbers.set(line, numbers.size)
    return numbers.size - 1
  }
  return texts.map(lines => Int32Array.from(lines, numberOf))
}

type Ids = Int32Array | undefined
/** Themselves or their numbers. */
type Lines = ArrayLike<string | number>

function blocksOf(a: Ids, b: Ids, within: LineBlock): LineBlock[] {
  if (!a || !b) return []
  const block = trimmed(a, b, within)
  if (isEmpty(block)) return []
  if (block.fromBefore === block.toBefore || block.fromAfter === block.toAfter) return [block]
  return shortest(a, b, block) ?? divided(a, b, block) ?? [block]
}

const isEmpty = (one: LineBlock) => one.fromBefore === one.toBefore && one.fromAfter === one.toAfter

function trimmed(a: Lines, b: Lines, within: LineBlock): LineBlock {
  let { fromBefore, toBefore, fromAfter, toAfter } = within
  while (fromBefore < toBefore && fromAfter < toAfter && a[fromBefore] === b[fromAfter]) {
    fromBefore++
    fromAfter++
  }
  while (toBefore > fromBefore && toAfter > fromAfter && a[toBefore - 1] === b[toAfter - 1]) {
    toBefore--
    toAfter--
  }
  return { fromBefore, toBefore, fromAfter, toAfter }
}

/**
 * The greedy algorithm of E. W. Myers, An O(ND) Difference Algorithm and Its Variations (1986), figure 2; undefined where
 * the texts differ in too many lines.
 */
function shortest(a: Int32Array, b: Int32Array, block: LineBlock): LineBlock[] | undefined {
  const [n, m] = [block.toBefore - block.fromBefore, block.toAfter - block.fromAfter]
  const most = Math.min(n + m, MOST_DIFFERENCES)
  const reach = new Int32Array(2 * most + 3)
  const origin = most + 1
  const trace: Int32Array[] = []
  for (let d = 0; d <= most; d++) {
    trace.push(reach.slice(origin - d - 1, origin + d + 2))
    for (let k = -d; k <= d; k += 2) {
      let x = isDown(reach, origin, d, k) ? (reach[origin + k + 1] ?? 0) : (reach[origin + k - 1] ?? 0) + 1
      while (x < n && x - k < m && a[block.fromBefore + x] === b[block.fromAfter + x - k]) x++
      reach[origin + k] = x
      if (x >= n && x - k >= m) return backwards(trace, block)
    }
  }
  return undefined
}

/** Whether the path to diagonal `k` comes by an insertion from the diagonal above. */
function isDown(reach: Int32Array, origin: number, d: number, k: number): boolean {
  return k === -d || (k !== d && (reach[origin + k - 1] ?? 0) < (reach[origin + k + 1] ?? 0))
}

/** The steps of the path, each an insertion or deletion of one line. */
function backwards(trace: readonly Int32Array[], block: LineBlock): LineBlock[] {
  const steps: LineBlock[] = []
  let x = block.toBefore - block.fromBefore
  let y = block.toAfter - block.fromAfter
  for (let d = trace.length - 1; d > 0; d--) {
    const reach = trace[d] ?? new Int32Array()
    const origin = d + 1
    const down = isDown(reach, origin, d, x - y)
    const k = down ? x - y + 1 : x - y - 1
    const fromX = reach[origin + k] ?? 0
    const fromY = fromX - k
    steps.push({
      fromBefore: block.fromBefore + fromX,
      toBefore: block.fromBefore + fromX + (down ? 0 : 1),
      fromAfter: block.fromAfter + fromY,
      toAfter: block.fromAfter + fromY + (down ? 1 : 0),
    })
    x = fromX
    y = fromY
  }
  return steps.reverse()
}

/** Divides at the lines that both texts have exactly once, in the longest run that has the same order in both. */
function divided(a: Int32Array, b: Int32Array, block: LineBlock): LineBlock[] | undefined {
  const anchors = increasing(commonOnce(a, b, block))
  if (anchors.length === 0) return undefined
  const found: LineBlock[] = []
  let { fromBefore, fromAfter } = block
  for (const [x, y] of [...anchors, [block.toBefore, block.toAfter] as const]) {
    found.push(...blocksOf(a, b, { fromBefore, toBefore: x, fromAfter, toAfter: y }))
    fromBefore = x + 1
    fromAfter = y + 1
  }
  return found
}

type Pair = readonly [before: number, after: number]

function commonOnce(a: Int32Array, b: Int32Array, block: LineBlock): Pair[] {
  const inBefore = once(a, block.fromBefore, block.toBefore)
  const inAfter = once(b, block.fromAfter, block.toAfter)
  return [...inBefore].flatMap(([id, x]): Pair[] => {
    const y = inAfter.get(id)
    return x === undefined || y === undefined ? [] : [[x, y]]
  })
}

/** Where the lines that occur once are; undefined for the others. */
function once(ids: Int32Array, from: number, to: number): Map<number, number | undefined> {
  const found = new Map<number, number | undefined>()
  for (let at = from; at < to; at++) {
    const id = ids[at] ?? 0
    found.set(id, found.has(id) ? undefined : at)
  }
  return found
}

/** The longest run of pairs whose second members increase; the first ones do already. */
function increasing(pairs: readonly Pair[]): Pair[] {
  const tails: number[] = []
  const before: (number | undefined)[] = []
  pairs.forEach(([, y], at) => {
    let low = 0
    for (let high = tails.length; low < high; ) {
      const middle = (low + high) >> 1
      if ((pairs[tails[middle] ?? 0]?.[1] ?? 0) < y) low = middle + 1
      else high = middle
    }
    before.push(tails[low - 1])
    tails[low] = at
  })
  const run: Pair[] = []
  for (let at = tails.at(-1); at !== undefined; at = before[at]) run.push(pairs[at] ?? [0, 0])
  return run.reverse()
}

function joined(blocks: readonly LineBlock[]): LineBlock[] {
  const found: LineBlock[] = []
  for (const block of blocks) {
    const last = found.at(-1)
    const touches = last?.toBefore === block.fromBefore && last.toAfter === block.fromAfter
    if (last && touches) found[found.length - 1] = { ...last, toBefore: block.toBefore, toAfter: block.toAfter }
    else found.push(block)
  }
  return found
}
