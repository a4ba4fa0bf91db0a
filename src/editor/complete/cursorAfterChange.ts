// `cursorAfterChange`: each change of the active editor's document with the cursor that it leaves, long before the provider is called.
import { type Position, type TextDocument, window, workspace } from 'vscode'
import { type Disposable, DisposableStore } from '../../base/disposable.ts'

/** The editor reports the cursor right after the change, and not at all if the change has not moved it. */
const CURSOR_AFTER_MS = 8

/** Called once for the last of several changes that come before their cursor. */
export function cursorAfterChange(onChange: (document: TextDocument, position: Position) => void): Disposable {
  const disposables = new DisposableStore()
  let cancel = () => {}
  disposables.add(
    workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      const editor = window.activeTextEditor
      if (contentChanges.length === 0 || editor?.document !== document) return
      cancel()
      const report = () => {
        cancel()
        if (window.activeTextEditor === editor) onChange(document, editor.selection.active)
      }
      const moved = window.onDidChangeTextEditorSelection(({ textEditor }) => {
        if (textEditor === editor) report()
      })
      const timer = setTimeout(report, CURSOR_AFTER_MS)
      cancel = () => {
        moved.dispose()
        clearTimeout(timer)
      }
    }),
  )
  disposables.add({ dispose: () => cancel() })
  return disposables
}
