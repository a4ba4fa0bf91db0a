// `watchCreations`: reports that something has come into being in the workspace, as soon as the editor knows of it.
import { RelativePattern, workspace } from 'vscode'
import { type Disposable, DisposableStore } from '../../base/disposable.ts'

export function watchCreations(onMade: () => void): Disposable {
  const disposables = new DisposableStore()
  for (const folder of workspace.workspaceFolders ?? []) {
    if (folder.uri.scheme !== 'file') continue
    // A folder that is moved in is reported without what is in it.
    const watcher = disposables.add(
      workspace.createFileSystemWatcher(new RelativePattern(folder, '**'), false, true, true),
    )
    disposables.add(watcher.onDidCreate(onMade))
  }
  return disposables
}
