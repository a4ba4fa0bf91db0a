// `startLeftCommands`: what the commands of a window that crashed have left running ends when the next window starts.
import { type ExtensionContext, Uri } from 'vscode'
import type { Disposable } from '../base/disposable.ts'
import { endLeftCommands } from '../node/commands/leftCommands.ts'
import type { Services } from './services.ts'

/** For all workspaces, because the next window ends what a dead one has left, whatever it shows. */
export const commandFolder = ({ globalStorageUri }: ExtensionContext): string =>
  Uri.joinPath(globalStorageUri, 'commands').fsPath

/** Not only with the next question, because a server may be running that nobody sees. */
export function startLeftCommands({ clock, report }: Services, extension: ExtensionContext): Disposable {
  void endLeftCommands(commandFolder(extension), clock).catch(report)
  return { dispose: () => {} }
}
