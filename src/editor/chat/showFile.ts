// `showFile`: shows a file in a tab, in the editor that the user has for its kind, with a range selected.
import { commands, Range, Uri, type ViewColumn, window, workspace } from 'vscode'
import type { LineRange } from '../../protocol/conversation.ts'

interface Place {
  readonly range?: LineRange | undefined
  readonly viewColumn?: ViewColumn
}

/** Rejects if it cannot be opened. */
export async function showFile(uri: string, { range, viewColumn }: Place = {}): Promise<void> {
  const target = Uri.parse(uri, true)
  const options = { preview: true, ...(range && { selection: rangeOf(range) }), ...(viewColumn && { viewColumn }) }
  // The command takes pictures and notebooks as well, but would pass an address that is no file's to the browser.
  if (workspace.fs.isWritableFileSystem(target.scheme) === undefined) await window.showTextDocument(target, options)
  else await commands.executeCommand('vscode.open', target, options)
}

const rangeOf = ({ startLine, startCharacter, endLine, endCharacter }: LineRange) =>
  new Range(startLine, startCharacter, endLine, endCharacter)
