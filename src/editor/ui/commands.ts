// Every command, and how a feature registers its own.
import { commands } from 'vscode'
import { type Disposable, DisposableStore } from '../../base/disposable.ts'

/** Commands of the manifest. `internal` ones are the links inside our own notification and stand in no menu. */
export const commandTable = {
  'kourier.signIn': 'public',
  'kourier.signInWithBrowser': 'public',
  'kourier.useApiKey': 'public',
  'kourier.signOut': 'public',
  'kourier.selectModel': 'public',
  'kourier.useInEditorChat': 'public',
  'kourier.openDashboard': 'public',
  'kourier.openChat': 'public',
  'kourier.newChat': 'public',
  'kourier.toggleCompletions': 'public',
  'kourier.showMenu': 'public',
  'kourier.showLog': 'public',
  'kourier.useChatCompletions': 'internal',
  'kourier.retryNow': 'internal',
  'kourier.signIn.openBrowser': 'internal',
  'kourier.signIn.copyCode': 'internal',
  'kourier.signIn.renew': 'internal',
  'kourier.signIn.resume': 'internal',
  'kourier.signIn.changeAddress': 'internal',
} as const satisfies Record<string, 'public' | 'internal'>

export type CommandId = keyof typeof commandTable

/** Commands return nothing: another extension that calls one learns nothing from it. */
export type CommandHandlers = Readonly<Partial<Record<CommandId, () => unknown>>>

export function registerCommands(handlers: CommandHandlers, onFault: (fault: unknown) => void): Disposable {
  const life = new DisposableStore()
  for (const [id, run] of Object.entries(handlers)) {
    const registered = commands.registerCommand(id, async () => {
      try {
        await run()
      } catch (fault) {
        onFault(fault)
      }
    })
    life.add(registered)
  }
  return life
}

/** The editor's own commands that we run. */
export type EditorCommandId =
  | 'workbench.action.reloadWindow'
  | 'workbench.trust.manage'
  | 'workbench.action.openSettingsJson'

export function runCommand(id: CommandId | EditorCommandId): void {
  void commands.executeCommand(id)
}
