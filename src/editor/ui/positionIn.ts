// `positionIn` and `rangeIn`: offsets of a text with `\n` line ends as places in the editor's document.
import { Position, Range } from 'vscode'
import type { TextRange } from '../../core/workspace/replacement.ts'

export function positionIn(text: string, offset: number): Position {
  let line = 0
  let start = 0
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) {
    line++
    start = at + 1
  }
  return new Position(line, offset - start)
}

export function rangeIn(text: string, { start, end }: TextRange): Range {
  return new Range(positionIn(text, start), positionIn(text, end))
}
