// `lineDiff`: the difference between two texts as hunks of lines, in the form of a unified diff.
import { type LineBlock, lineBlocks, linesOf } from './lineHunks.ts'

/** How many lines around a change are repeated. */
const CONTEXT_LINES = 3

/** Hunks with their headers; empty where the texts are the same. */
export function lineDiff(before: string, after: string): string {
  const [left, right] = [linesOf(before), linesOf(after)]
  return grouped(lineBlocks(left, right))
    .map(group => hunkText(group, left, right))
    .join('')
}

/** Changes whose contexts touch are one hunk. */
function grouped(changes: readonly LineBlock[]): LineBlock[][] {
  const groups: LineBlock[][] = []
  for (const change of changes) {
    const group = groups.at(-1)
    const last = group?.at(-1)
    if (group && last && change.fromBefore - last.toBefore <= 2 * CONTEXT_LINES) group.push(change)
    else groups.push([change])
  }
  return groups
}

function hunkText(group: readonly LineBlock[], left: readonly string[], right: readonly string[]): string {
  const [first, last] = [group[0], group.at(-1)]
  if (!first || !last) return ''
  const before = Math.min(CONTEXT_LINES, first.fromBefore)
  const after = Math.min(CONTEXT_LINES, left.length - last.toBefore)
  const lines = left.slice(first.fromBefore - before, first.fromBefore).map(line => marked(' ', line))
  for (const [at, change] of group.entries()) {
    lines.push(...left.slice(change.fromBefore, change.toBefore).map(line => marked('-', line)))
    lines.push(...right.slice(change.fromAfter, change.toAfter).map(line => marked('+', line)))
    const end = group[at + 1]?.fromBefore ?? change.toBefore + after
    lines.push(...left.slice(change.toBefore, end).map(line => marked(' ', line)))
  }
  const oldSize = last.toBefore + after - first.fromBefore + before
  const newSize = last.toAfter + after - first.fromAfter + before
  const header = `@@ -${place(first.fromBefore - before, oldSize)} +${place(first.fromAfter - before, newSize)} @@\n`
  return header + lines.join('')
}

/** A last line may lack its line end. */
const marked = (mark: string, line: string) =>
  `${mark}${line}${line.endsWith('\n') ? '' : '\n\\ No newline at end of file\n'}`

/** An empty range is named by the line before it. */
const place = (start: number, size: number) => `${size === 0 ? start : start + 1},${size}`
