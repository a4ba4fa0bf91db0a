// A text document as a snapshot.
import { EndOfLine, type Position, Range, type TextDocument, window, workspace } from 'vscode'
import { FILE_LIMIT_CHARS, LINE_LIMIT_CHARS } from '../../core/complete/trigger.ts'
import type { DocumentSnapshot } from '../../core/workspace/documentSnapshot.ts'

/** Files and cells. Not the output panel, not one side of a diff, not the box for a commit message. */
const schemes = ['file', 'untitled', 'vscode-remote', 'vscode-notebook-cell']

/** Undefined for what is never completed: another kind of document, a large one, a long line. */
export function snapshotOf(document: TextDocument, position: Position): DocumentSnapshot | undefined {
  if (!schemes.includes(document.uri.scheme)) return undefined
  // Measured before the text is put together: that alone would be felt in a very large file.
  const end = document.lineAt(document.lineCount - 1).range.end
  if (document.offsetAt(end) > FILE_LIMIT_CHARS) return undefined
  if (document.lineAt(position.line).text.length > LINE_LIMIT_CHARS) return undefined
  const isCrlf = document.eol === EndOfLine.CRLF
  const text = document.getText()
  return {
    id: document.uri.toString(),
    path: pathOf(document),
    fullPath: document.uri.path,
    language: document.languageId,
    version: document.version,
    text: isCrlf ? text.replaceAll('\r\n', '\n') : text,
    offset: document.offsetAt(position) - (isCrlf ? position.line : 0),
    indent: indentOf(document, text),
  }
}

/** A range of the snapshot's text that lies within the cursor's line. */
export function rangeOf(
  { offset }: DocumentSnapshot,
  position: Position,
  { start, end }: { start: number; end: number },
): Range {
  const lineStart = offset - position.character
  return new Range(position.line, start - lineStart, position.line, end - lineStart)
}

export function offsetIn({ offset }: DocumentSnapshot, position: Position, character: number): number {
  return offset - position.character + character
}

/** Outside a workspace only the name: the folders above it tell the user's name and more. */
function pathOf(document: TextDocument): string {
  const isInside = workspace.getWorkspaceFolder(document.uri) !== undefined
  const path = isInside ? workspace.asRelativePath(document.uri, false) : document.uri.path
  const plain = path.replaceAll('\\', '/')
  return isInside ? plain : plain.slice(plain.lastIndexOf('/') + 1)
}

function indentOf(document: TextDocument, text: string): string {
  const options = window.visibleTextEditors.find(editor => editor.document === document)?.options
  if (!options) return /^(\t| {2,8})\S/m.exec(text)?.[1] ?? '  '
  return options.insertSpaces === false ? '\t' : ' '.repeat(Number(options.indentSize ?? options.tabSize) || 4)
}
