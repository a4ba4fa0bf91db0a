// `showFile`: shows a file in an editor tab, with a range selected.
import { Range, Selection, Uri, window } from 'vscode'
import type { LineRange } from '../../protocol/conversation.ts'

/** Rejects if the editor cannot open it. */
export async function showFile(uri: string, range?: LineRange): Promise<void> {
  const editor = await window.showTextDocument(Uri.parse(uri, true), { preview: true })
  if (!range) return
  const { startLine, startCharacter, endLine, endCharacter } = range
  editor.selection = new Selection(startLine, startCharacter, endLine, endCharacter)
  editor.revealRange(new Range(startLine, 0, endLine, 0))
}
