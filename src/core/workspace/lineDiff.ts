// `lineDiff`: the difference between two texts as hunks of lines, in the form of a unified diff.

/** How many lines around a change are repeated. */
const CONTEXT_LINES = 3
/** Beyond this number of changed lines all lines between the first and the last change are replaced. */
const MOST_EDITS = 2_000

interface Hunk {
  /** Half open, counted from 0. */
  readonly oldStart: number
  readonly oldEnd: number
  readonly newStart: number
  readonly newEnd: number
}

/** Hunks with their headers; empty where the texts are the same. */
export function lineDiff(before: string, after: string): string {
  const [left, right] = [linesOf(before), linesOf(after)]
  return grouped(changesOf(left, right))
    .map(group => hunkText(group, left, right))
    .join('')
}

const NO_NEWLINE = '\n\\ No newline at end of file'

/** The last line has a mark where it has no line end, so that it differs from one that has. */
function linesOf(text: string): string[] {
  if (text === '') return []
  const lines = text.split('\n')
  if (lines.at(-1) === '') return lines.slice(0, -1)
  return lines.with(-1, `${lines.at(-1)}${NO_NEWLINE}`)
}

function changesOf(left: readonly string[], right: readonly string[]): Hunk[] {
  let head = 0
  while (head < left.length && head < right.length && left[head] === right[head]) head++
  let tail = 0
  const most = Math.min(left.length, right.length) - head
  while (tail < most && left[left.length - 1 - tail] === right[right.length - 1 - tail]) tail++
  const inner = shortestEdit(left.slice(head, left.length - tail), right.slice(head, right.length - tail))
  return inner.map(({ oldStart, oldEnd, newStart, newEnd }) => ({
    oldStart: oldStart + head,
    oldEnd: oldEnd + head,
    newStart: newStart + head,
    newEnd: newEnd + head,
  }))
}

/** E. Myers, An O(ND) Difference Algorithm (1986). */
function shortestEdit(left: readonly string[], right: readonly string[]): Hunk[] {
  if (left.length === 0 && right.length === 0) return []
  const whole = { oldStart: 0, oldEnd: left.length, newStart: 0, newEnd: right.length }
  if (left.length === 0 || right.length === 0) return [whole]
  const most = Math.min(left.length + right.length, MOST_EDITS)
  const reach = new Map<number, number>([[1, 0]])
  const history: ReadonlyMap<number, number>[] = []
  for (let edits = 0; edits <= most; edits++) {
    history.push(new Map(reach))
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = isDown(reach, diagonal, edits) ? (reach.get(diagonal + 1) ?? 0) : (reach.get(diagonal - 1) ?? 0) + 1
      while (x < left.length && x - diagonal < right.length && left[x] === right[x - diagonal]) x++
      reach.set(diagonal, x)
      if (x >= left.length && x - diagonal >= right.length) return tracedBack(history, left.length, right.length)
    }
  }
  return [whole]
}

function isDown(reach: ReadonlyMap<number, number>, diagonal: number, edits: number): boolean {
  if (diagonal === -edits) return true
  return diagonal !== edits && (reach.get(diagonal - 1) ?? 0) < (reach.get(diagonal + 1) ?? 0)
}

function tracedBack(history: readonly ReadonlyMap<number, number>[], oldLength: number, newLength: number): Hunk[] {
  const hunks: Hunk[] = []
  let [x, y] = [oldLength, newLength]
  for (let edits = history.length - 1; edits > 0; edits--) {
    const reach = history[edits] ?? new Map<number, number>()
    const diagonal = x - y
    const from = isDown(reach, diagonal, edits) ? diagonal + 1 : diagonal - 1
    const fromX = reach.get(from) ?? 0
    const fromY = fromX - from
    const isInsertion = from === diagonal + 1
    hunks.push(
      isInsertion
        ? { oldStart: fromX, oldEnd: fromX, newStart: fromY, newEnd: fromY + 1 }
        : { oldStart: fromX, oldEnd: fromX + 1, newStart: fromY, newEnd: fromY },
    )
    ;[x, y] = [fromX, fromY]
  }
  return joined(hunks.reverse())
}

function joined(hunks: readonly Hunk[]): Hunk[] {
  const result: Hunk[] = []
  for (const hunk of hunks) {
    const last = result.at(-1)
    if (last?.oldEnd === hunk.oldStart && last.newEnd === hunk.newStart)
      result[result.length - 1] = { ...last, oldEnd: hunk.oldEnd, newEnd: hunk.newEnd }
    else result.push(hunk)
  }
  return result
}

/** Changes whose contexts touch are one hunk. */
function grouped(changes: readonly Hunk[]): Hunk[][] {
  const groups: Hunk[][] = []
  for (const change of changes) {
    const group = groups.at(-1)
    const last = group?.at(-1)
    if (group && last && change.oldStart - last.oldEnd <= 2 * CONTEXT_LINES) group.push(change)
    else groups.push([change])
  }
  return groups
}

function hunkText(group: readonly Hunk[], left: readonly string[], right: readonly string[]): string {
  const [first, last] = [group[0], group.at(-1)]
  if (!first || !last) return ''
  const before = Math.min(CONTEXT_LINES, first.oldStart)
  const after = Math.min(CONTEXT_LINES, left.length - last.oldEnd)
  const lines: string[] = left.slice(first.oldStart - before, first.oldStart).map(line => ` ${line}`)
  for (const [at, change] of group.entries()) {
    lines.push(...left.slice(change.oldStart, change.oldEnd).map(line => `-${line}`))
    lines.push(...right.slice(change.newStart, change.newEnd).map(line => `+${line}`))
    const end = group[at + 1]?.oldStart ?? change.oldEnd + after
    lines.push(...left.slice(change.oldEnd, end).map(line => ` ${line}`))
  }
  const oldSize = last.oldEnd + after - first.oldStart + before
  const newSize = last.newEnd + after - first.newStart + before
  const header = `@@ -${place(first.oldStart - before, oldSize)} +${place(first.newStart - before, newSize)} @@`
  return `${[header, ...lines].join('\n')}\n`
}

/** An empty range is named by the line before it. */
const place = (start: number, size: number) => `${size === 0 ? start : start + 1},${size}`
