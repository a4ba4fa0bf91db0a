// `followFileNames`: what was seen of files that the user renames or deletes in the editor goes with them.
import { workspace } from 'vscode'
import { type Disposable, DisposableStore } from '../../base/disposable.ts'
import type { SeenFiles } from '../../core/tools/seenFiles.ts'

/** What other programs rename or delete is noticed when the model names it: its text decides then. */
export function followFileNames(seen: Pick<SeenFiles, 'renamed' | 'removed'>): Disposable {
  const disposables = new DisposableStore()
  disposables.add(
    workspace.onDidRenameFiles(({ files }) => {
      for (const { oldUri, newUri } of files) void seen.renamed(oldUri.toString(), newUri.toString())
    }),
  )
  disposables.add(
    workspace.onDidDeleteFiles(({ files }) => {
      for (const uri of files) void seen.removed(uri.toString())
    }),
  )
  return disposables
}
