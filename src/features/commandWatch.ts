// `createCommandWatch`: what records the changes that commands make to the files of the workspace.
import { type ExtensionContext, Uri, workspace } from 'vscode'
import type { Clock } from '../base/clock.ts'
import type { Changes } from '../core/tools/changes.ts'
import { CommandRecorder } from '../core/tools/commandRecorder.ts'
import { editorTreeRoots } from '../editor/context/editorTreeRoots.ts'
import { ownIdentity } from '../node/commands/processIdentity.ts'
import { ThreadWatch } from '../node/search/threadWatch.ts'
import { TreeThreads } from '../node/search/treeThreads.ts'
import { keptFolder } from './leftCommands.ts'
import type { Services } from './services.ts'

/** What it knows of the files is lost with its thread, and must be read again. */
const IDLE_MS = 15 * 60_000

/** No thread runs before the first command. */
export function createCommandWatch(
  extension: ExtensionContext,
  { clock, life, lasting }: Services,
  changes: Changes,
): CommandRecorder {
  const threads = lookingThreads(extension, clock)
  const folder = keptFolder(extension)
  // What the last commands have changed is looked for while the editor waits for the end of the window.
  const watch = lasting.add(new ThreadWatch({ threads, folder, uriOf, window: ownIdentity }))
  const recorder = new CommandRecorder({ watch, changes, clock, roots: diskRoots })
  life.add(changes.onDidWrite(uri => recorder.exclude(uri)))
  life.add(workspace.onDidSaveTextDocument(({ uri }) => recorder.exclude(uri.toString())))
  return recorder
}

export function lookingThreads({ extensionUri }: ExtensionContext, clock: Clock): TreeThreads {
  const script = Uri.joinPath(extensionUri, 'dist', 'searchWorker.cjs').fsPath
  return new TreeThreads({ script, clock, size: 1, idleMs: IDLE_MS })
}

export const uriOf = (path: string) => Uri.file(path).toString()

export const diskRoots = () => editorTreeRoots(() => []).filter(({ path }) => path !== undefined)
