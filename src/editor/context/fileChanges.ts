// `onDidChangeFiles`: reports that files of the workspace have changed, on the disk or in an editor.
import { workspace } from 'vscode'
import { type Disposable, DisposableStore } from '../../base/disposable.ts'

/** Once for each file, and while somebody types, with each key. */
export function onDidChangeFiles(listener: () => void): Disposable {
  const life = new DisposableStore()
  const files = life.add(workspace.createFileSystemWatcher('**/*'))
  for (const onDid of [files.onDidCreate, files.onDidChange, files.onDidDelete]) life.add(onDid(listener))
  // What is not saved is sent as well.
  life.add(
    workspace.onDidChangeTextDocument(({ document: { uri }, contentChanges }) => {
      if (contentChanges.length > 0 && workspace.getWorkspaceFolder(uri)) listener()
    }),
  )
  return life
}
