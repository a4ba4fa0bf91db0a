// `startLeftCommands`: what the commands of a window that crashed have left running ends when the next window starts, and what they have changed is recorded.
import { type ExtensionContext, Uri } from 'vscode'
import type { Disposable } from '../base/disposable.ts'
import { endLeftCommands } from '../node/commands/leftCommands.ts'
import { hasEntries } from '../node/files/hasEntries.ts'
import type { Services } from './services.ts'

/** For all workspaces, because the next window ends what a dead one has left, whatever it shows. */
export const commandFolder = ({ globalStorageUri }: ExtensionContext): string =>
  Uri.joinPath(globalStorageUri, 'commands').fsPath

/** For what is kept of the files of this workspace while commands run. */
export const keptFolder = ({ storageUri, globalStorageUri }: ExtensionContext): string =>
  Uri.joinPath(storageUri ?? globalStorageUri, 'kept').fsPath

/** Not only with the next question, because a server may be running that nobody sees. */
export function startLeftCommands(services: Services, extension: ExtensionContext): Disposable {
  const { clock, report } = services
  void endLeftCommands(commandFolder(extension), clock)
    .then(() => recordChanges(services, extension))
    .catch(report)
  return { dispose: () => {} }
}

async function recordChanges(services: Services, extension: ExtensionContext): Promise<void> {
  if (!(await hasEntries(keptFolder(extension)))) return
  const { recordLeftChanges } = await import('./recordLeftChanges.ts')
  await recordLeftChanges(services, extension)
}
