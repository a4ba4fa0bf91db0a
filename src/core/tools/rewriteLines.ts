// `rewriteLines`: the new text for a place that is not exactly as it was written: what was not to be changed keeps its bytes.
import { type LineBlock, lineBlocks } from '../workspace/lineHunks.ts'
import { plain } from './findPlaces.ts'
import { type IndentShift, indentOf } from './indentShift.ts'

const asWritten: IndentShift = indent => indent

/**
 * `own`: the text of the place; `before` and `after`: the edit as it was written. Lines that both have are those of the
 * place; of a line that differs, what is the same at its beginning and end is.
 */
export function rewriteLines(own: string, before: string, after: string, shift: IndentShift = asWritten): string {
  const isEnded = before.endsWith('\n') && !own.endsWith('\n')
  const [mine, old, fresh] = [own.split('\n'), (isEnded ? before.slice(0, -1) : before).split('\n'), after.split('\n')]
  if (isEnded && fresh.at(-1) === '') fresh.pop()
  const lines: string[] = []
  let at = 0
  for (const block of lineBlocks(old, fresh)) {
    lines.push(...mine.slice(at, block.fromBefore), ...replaced(block, mine, old, fresh, shift))
    at = block.toBefore
  }
  return [...lines, ...mine.slice(at)].join('\n')
}

function replaced(
  { fromBefore, toBefore, fromAfter, toAfter }: LineBlock,
  mine: readonly string[],
  old: readonly string[],
  fresh: readonly string[],
  shift: IndentShift,
): string[] {
  const isPaired = toBefore - fromBefore === toAfter - fromAfter
  return fresh.slice(fromAfter, toAfter).map((line, index) => {
    const [own, before] = [mine[fromBefore + index], old[fromBefore + index]]
    const kept = isPaired && own !== undefined && before !== undefined ? merged(own, before, line, shift) : undefined
    return kept ?? shifted(line, shift)
  })
}

function shifted(line: string, shift: IndentShift): string {
  if (line.trim() === '') return line.trim() === line ? line : (shift(line) ?? line)
  const indent = indentOf(line)
  return (shift(indent) ?? indent) + line.slice(indent.length)
}

interface Parts {
  readonly indent: string
  readonly body: string
  readonly tail: string
}

function partsOf(line: string): Parts {
  const indent = indentOf(line)
  const body = line.slice(indent.length).trimEnd()
  return { indent, body, tail: line.slice(indent.length + body.length) }
}

/** Undefined where the line and the one that it was written as cannot be compared letter by letter. */
function merged(own: string, before: string, after: string, shift: IndentShift): string | undefined {
  const [mine, old, fresh] = [partsOf(own), partsOf(before), partsOf(after)]
  if (mine.body.length !== old.body.length || plain(mine.body) !== plain(old.body)) return undefined
  const indent = fresh.indent === old.indent ? mine.indent : (shift(fresh.indent) ?? fresh.indent)
  const tail = fresh.tail === old.tail ? mine.tail : fresh.tail
  const most = Math.min(old.body.length, fresh.body.length)
  let head = 0
  while (head < most && old.body[head] === fresh.body[head]) head++
  let end = 0
  while (end < most - head && old.body.at(-1 - end) === fresh.body.at(-1 - end)) end++
  const middle = fresh.body.slice(head, fresh.body.length - end)
  return indent + mine.body.slice(0, head) + middle + mine.body.slice(mine.body.length - end) + tail
}
