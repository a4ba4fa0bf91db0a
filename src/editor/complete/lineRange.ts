// `rangeOf` and `offsetIn`: offsets of a snapshot as positions in the cursor's line of the editor's document, and back.
import { type Position, Range } from 'vscode'
import type { DocumentSnapshot } from '../../core/workspace/documentSnapshot.ts'
import type { TextRange } from '../../core/workspace/replacement.ts'

/** `start` and `end` are within the cursor's line. */
export function rangeOf({ offset }: DocumentSnapshot, position: Position, { start, end }: TextRange): Range {
  const lineStart = offset - position.character
  return new Range(position.line, start - lineStart, position.line, end - lineStart)
}

export function offsetIn({ offset }: DocumentSnapshot, position: Position, character: number): number {
  return offset - position.character + character
}
