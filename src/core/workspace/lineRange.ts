// `textInRange`: the part of a text between two positions.
import type { LineRange } from '../../protocol/conversation.ts'

/** Positions beyond the end of a line or of the text count as that end. `text` has `\n` line ends. */
export function textInRange(text: string, { startLine, startCharacter, endLine, endCharacter }: LineRange): string {
  const start = offsetAt(text, startLine, startCharacter)
  return text.slice(start, Math.max(start, offsetAt(text, endLine, endCharacter)))
}

function offsetAt(text: string, line: number, character: number): number {
  let lineStart = 0
  for (let at = 0; at < line; at++) {
    const end = text.indexOf('\n', lineStart)
    if (end < 0) return text.length
    lineStart = end + 1
  }
  const end = text.indexOf('\n', lineStart)
  return Math.min(lineStart + character, end < 0 ? text.length : end)
}
