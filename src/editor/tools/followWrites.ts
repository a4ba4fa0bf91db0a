// `followWrites`: reports the paths of files that the user saves, makes or renames in the editor.
import { type Uri, workspace } from 'vscode'
import { type Disposable, DisposableStore } from '../../base/disposable.ts'

export function followWrites(onWritten: (path: string) => void): Disposable {
  const written = ({ scheme, fsPath }: Uri) => {
    if (scheme === 'file') onWritten(fsPath)
  }
  const all = (uris: readonly Uri[]) => {
    for (const uri of uris) written(uri)
  }
  const disposables = new DisposableStore()
  disposables.add(workspace.onDidSaveTextDocument(({ uri }) => written(uri)))
  disposables.add(workspace.onDidCreateFiles(({ files }) => all(files)))
  disposables.add(workspace.onDidRenameFiles(({ files }) => all(files.map(({ newUri }) => newUri))))
  return disposables
}
