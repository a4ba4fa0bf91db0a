// `watchFolders`: reports folders with certain names that come into being in the workspace, as soon as the editor knows of them.
import { RelativePattern, workspace } from 'vscode'
import { type Disposable, DisposableStore } from '../../base/disposable.ts'

export function watchFolders(names: readonly string[], onMade: (path: string) => void): Disposable {
  const disposables = new DisposableStore()
  for (const folder of workspace.workspaceFolders ?? []) {
    if (folder.uri.scheme !== 'file') continue
    const pattern = new RelativePattern(folder, `**/{${names.join(',')}}`)
    const watcher = disposables.add(workspace.createFileSystemWatcher(pattern, false, true, true))
    disposables.add(watcher.onDidCreate(({ fsPath }) => onMade(fsPath)))
  }
  return disposables
}
