// `rangeIn`: a range of offsets in a text with `\n` line ends as a range of the editor.
import { Position, Range } from 'vscode'
import type { TextRange } from '../../core/workspace/replacement.ts'

export function rangeIn(text: string, { start, end }: TextRange): Range {
  return new Range(positionIn(text, start), positionIn(text, end))
}

/** The same in a document with other line ends, because lines and characters do not depend on them. */
function positionIn(text: string, offset: number): Position {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1
  let line = 0
  for (let at = text.indexOf('\n'); at >= 0 && at < lineStart; at = text.indexOf('\n', at + 1)) line++
  return new Position(line, offset - lineStart)
}
