// Converts changes, offsets and text of a document with CRLF line ends to `\n` line ends.
import type { LineEnd, TextChange } from './documents.ts'

/** A change as the editor reports it, in the text with the document's own line ends. */
export interface EditorChange extends TextChange {
  readonly startLine: number
  readonly endLine: number
}

/** `lineEnd` is the document's before the change; in CRLF each line end before an offset is one code unit longer. */
export function withLineFeeds(
  { offset, length, text, startLine, endLine }: EditorChange,
  lineEnd: LineEnd,
): TextChange {
  return {
    offset: offsetWithLineFeeds(offset, startLine, lineEnd),
    length: lineEnd === '\n' ? length : length - (endLine - startLine),
    text: textWithLineFeeds(text),
  }
}

/** `line`: the number of line ends before the offset. */
export function offsetWithLineFeeds(offset: number, line: number, lineEnd: LineEnd): number {
  return lineEnd === '\n' ? offset : offset - line
}

export function textWithLineFeeds(text: string): string {
  return text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text
}

/** The editor gives all lines of a text the same line end, of two kinds, so it would change others. */
export function hasForeignLineEnds(text: string): boolean {
  if (!text.includes('\r')) return false
  return /\r(?!\n)/.test(text) || (text.includes('\r\n') && /(?:^|[^\r])\n/.test(text))
}
