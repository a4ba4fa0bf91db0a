// `onDidChangeSituation`: reports when the user looks at another file or another line of it.
import { type TextEditor, window, workspace } from 'vscode'
import { type Disposable, DisposableStore } from '../../base/disposable.ts'

/** Also when the file gets its first unsaved change, or is saved. */
export function onDidChangeSituation(listener: () => void): Disposable {
  const life = new DisposableStore()
  let known = situationKey()
  const check = () => {
    const now = situationKey()
    if (now === known) return
    known = now
    listener()
  }
  life.add(window.onDidChangeActiveTextEditor(check))
  life.add(window.onDidChangeVisibleTextEditors(check))
  life.add(window.onDidChangeTextEditorSelection(check))
  // Of a file that is saved as well.
  life.add(workspace.onDidChangeTextDocument(check))
  return life
}

function situationKey(): string {
  const active = window.activeTextEditor
  const about = active && [uriOf(active), `${active.selection.active.line}`, `${active.document.isDirty}`]
  return [...(about ?? []), ...window.visibleTextEditors.map(uriOf)].join('\n')
}

const uriOf = ({ document }: TextEditor) => document.uri.toString()
