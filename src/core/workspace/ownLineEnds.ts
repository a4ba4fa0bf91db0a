// `withOwnLineEnds`: a changed text with the line ends of the file: each line keeps its own, new ones get the most common.
import { textWithLineFeeds } from './lineEnds.ts'
import { lineBlocks, linesOf } from './lineHunks.ts'

type LineEnd = '\n' | '\r\n' | '\r'

/** `raw`: the file as it is; `text`: what it should be, with `\n` line ends. */
export function withOwnLineEnds(raw: string, text: string): string {
  if (!raw.includes('\r')) return text
  const ends = (raw.match(/\r\n?|\n/g) ?? []) as LineEnd[]
  const common = mostCommon(ends)
  if (ends.every(end => end === common)) return text.replaceAll('\n', common)
  const [before, after] = [linesOf(textWithLineFeeds(raw)), linesOf(text)]
  const parts: string[] = []
  let at = 0
  for (const { fromBefore, toBefore, fromAfter, toAfter } of lineBlocks(before, after)) {
    for (; at < fromBefore; at++) parts.push(withEnd(before[at], ends[at] ?? common))
    for (let index = fromAfter; index < toAfter; index++) {
      const same = fromBefore + index - fromAfter
      parts.push(withEnd(after[index], (same < toBefore ? ends[same] : undefined) ?? common))
    }
    at = toBefore
  }
  for (; at < before.length; at++) parts.push(withEnd(before[at], ends[at] ?? common))
  return parts.join('')
}

function withEnd(line = '', end: LineEnd): string {
  return line.endsWith('\n') ? line.slice(0, -1) + end : line
}

/** The one that comes first, of equally common ones. */
function mostCommon(ends: readonly LineEnd[]): LineEnd {
  const counts = new Map<LineEnd, number>()
  for (const end of ends) counts.set(end, (counts.get(end) ?? 0) + 1)
  return [...counts].reduce<readonly [LineEnd, number]>((best, one) => (one[1] > best[1] ? one : best), ['\n', 0])[0]
}
