// `startLeftCommands`: what the commands of a window that crashed have left running ends when the next window starts, and what they have changed is recorded.
import { type ExtensionContext, Uri } from 'vscode'
import type { Disposable } from '../base/disposable.ts'
import type { TakenFile } from '../core/tools/commandPorts.ts'
import { endLeftCommands } from '../node/commands/leftCommands.ts'
import { hasEntries } from '../node/files/hasEntries.ts'
import type { Services } from './services.ts'

/** For all workspaces, because the next window ends what a dead one has left, whatever it shows. */
export const commandFolder = ({ globalStorageUri }: ExtensionContext): string =>
  Uri.joinPath(globalStorageUri, 'commands').fsPath

/** For what is kept of the files of this workspace while commands run. */
export const keptFolder = ({ storageUri, globalStorageUri }: ExtensionContext): string =>
  Uri.joinPath(storageUri ?? globalStorageUri, 'kept').fsPath

const AGAIN_MS = [2_000, 10_000]

/** Not only with the next question, because a server may be running that nobody sees. */
export function startLeftCommands(services: Services, extension: ExtensionContext): Disposable {
  const { clock, report } = services
  const folder = commandFolder(extension)
  const end = async () => {
    const taken = await endLeftCommands(folder, clock)
    if (taken.length > 0) void showTaken(taken, folder).catch(report)
  }
  void end()
    .then(() => recordChanges(services, extension))
    .catch(report)
  // The window that this one follows may be ending still.
  const cancels = AGAIN_MS.map(waitMs => clock.later(waitMs, () => void end().catch(report)))
  return {
    dispose: () => {
      for (const cancel of cancels) cancel()
    },
  }
}

async function showTaken(taken: readonly TakenFile[], folder: string): Promise<void> {
  const [{ showTakenFiles }, { TakenFiles, takenFolder }] = await Promise.all([
    import('../editor/tools/showTakenFiles.ts'),
    import('../node/commands/takenFiles.ts'),
  ])
  const kept = new TakenFiles(takenFolder(folder))
  await showTakenFiles(taken, file => kept.putBack(file))
}

async function recordChanges(services: Services, extension: ExtensionContext): Promise<void> {
  if (!(await hasEntries(keptFolder(extension)))) return
  const { recordLeftChanges } = await import('./recordLeftChanges.ts')
  await recordLeftChanges(services, extension)
}
