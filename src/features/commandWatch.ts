// `createCommandWatch`: what records the changes that commands make to the files of the workspace.
import { type ExtensionContext, Uri, workspace } from 'vscode'
import type { Changes } from '../core/tools/changes.ts'
import { CommandRecorder } from '../core/tools/commandRecorder.ts'
import { editorTreeRoots } from '../editor/context/editorTreeRoots.ts'
import { ThreadWatch } from '../node/search/threadWatch.ts'
import { TreeThreads } from '../node/search/treeThreads.ts'
import type { Services } from './services.ts'

/** What it knows of the files is lost with its thread, and must be read again. */
const IDLE_MS = 15 * 60_000

/** No thread runs before the first command. */
export function createCommandWatch(
  { extensionUri, globalStorageUri, storageUri }: ExtensionContext,
  { clock, life, lasting }: Services,
  changes: Changes,
): CommandRecorder {
  const script = Uri.joinPath(extensionUri, 'dist', 'searchWorker.cjs').fsPath
  const threads = new TreeThreads({ script, clock, size: 1, idleMs: IDLE_MS })
  const folder = Uri.joinPath(storageUri ?? globalStorageUri, 'kept').fsPath
  // What the last commands have changed is looked for while the editor waits for the end of the window.
  const watch = lasting.add(new ThreadWatch({ threads, folder, uriOf: path => Uri.file(path).toString() }))
  const roots = () => editorTreeRoots(() => []).filter(({ path }) => path !== undefined)
  const recorder = new CommandRecorder({ watch, changes, clock, roots })
  life.add(changes.onDidWrite(uri => recorder.exclude(uri)))
  life.add(workspace.onDidSaveTextDocument(({ uri }) => recorder.exclude(uri.toString())))
  return recorder
}
