// `commandTable`: every command of the manifest; `registerCommands` and `runCommand`.
import { commands, type Uri } from 'vscode'
import { type Disposable, DisposableStore } from '../../base/disposable.ts'

/** Commands of the manifest. `internal` ones are run by buttons and links of this extension and are in no menu. */
export const commandTable = {
  'kourier.signIn': 'public',
  'kourier.signInWithBrowser': 'public',
  'kourier.useApiKey': 'public',
  'kourier.signOut': 'public',
  'kourier.selectModel': 'public',
  'kourier.useInEditorChat': 'public',
  'kourier.selectTools': 'public',
  'kourier.openDashboard': 'public',
  'kourier.openChat': 'public',
  'kourier.openChatInEditor': 'public',
  'kourier.moveToSideBar': 'public',
  'kourier.newChat': 'public',
  'kourier.findInChat': 'public',
  'kourier.previousQuestion': 'public',
  'kourier.nextQuestion': 'public',
  'kourier.showAccessibleView': 'public',
  'kourier.showAccessibilityHelp': 'public',
  'kourier.accessibleView.next': 'public',
  'kourier.accessibleView.previous': 'public',
  'kourier.accessibleView.close': 'public',
  'kourier.previewRequest': 'public',
  'kourier.addSelection': 'public',
  'kourier.addFile': 'public',
  'kourier.addProblem': 'public',
  'kourier.addTerminal': 'public',
  'kourier.addChange': 'public',
  'kourier.explain': 'public',
  'kourier.fix': 'public',
  'kourier.generateTests': 'public',
  'kourier.generateDocs': 'public',
  'kourier.showHistory': 'public',
  'kourier.exportChat': 'public',
  'kourier.importChat': 'public',
  'kourier.toggleCompletions': 'public',
  'kourier.snoozeCompletions': 'public',
  'kourier.takeNextEdit': 'public',
  'kourier.showChanges': 'public',
  'kourier.showMenu': 'public',
  'kourier.showLog': 'public',
  'kourier.copyDiagnostics': 'public',
  'kourier.showUsage': 'public',
  'kourier.restore': 'public',
  'kourier.changes.keepHunk': 'public',
  'kourier.changes.undoHunk': 'public',
  'kourier.changes.keepFile': 'public',
  'kourier.changes.undoFile': 'public',
  'kourier.changes.openDiff': 'public',
  'kourier.changes.keepListed': 'public',
  'kourier.changes.undoListed': 'public',
  'kourier.changes.openAll': 'public',
  'kourier.changes.next': 'public',
  'kourier.changes.previous': 'public',
  'kourier.useChatCompletions': 'internal',
  'kourier.endSnooze': 'internal',
  'kourier.showQuestion': 'internal',
  'kourier.hideCompletion': 'internal',
  'kourier.refuseNextEdit': 'internal',
  'kourier.retryNow': 'internal',
  'kourier.signIn.openBrowser': 'internal',
  'kourier.signIn.copyCode': 'internal',
  'kourier.signIn.renew': 'internal',
  'kourier.signIn.resume': 'internal',
  'kourier.signIn.changeAddress': 'internal',
} as const satisfies Record<string, 'public' | 'internal'>

export type CommandId = keyof typeof commandTable

/**
 * The arguments are those of the menu that runs the command, or of another extension, so they are untrusted. The result
 * is discarded, so that another extension that runs a command gets no data from it.
 */
export type CommandHandlers = Readonly<Partial<Record<CommandId, (...args: readonly unknown[]) => unknown>>>

export function registerCommands(handlers: CommandHandlers, onFault: (fault: unknown) => void): Disposable {
  const disposables = new DisposableStore()
  for (const [id, run] of Object.entries(handlers)) {
    const registered = commands.registerCommand(id, async (...args: readonly unknown[]) => {
      try {
        await run(...args)
      } catch (fault) {
        onFault(fault)
      }
    })
    disposables.add(registered)
  }
  return disposables
}

/** Commands of the editor that this extension runs. */
export type EditorCommandId =
  | 'workbench.action.reloadWindow'
  | 'workbench.trust.manage'
  | 'workbench.action.openSettingsJson'
  | 'vscode.openFolder'
  | 'editor.action.formatDocument'
  | 'editor.action.inlineSuggest.trigger'
  | 'removeSecondaryCursors'

/** A command of the editor that takes the place of a file. */
export function openFile(file: Uri): void {
  void commands.executeCommand('vscode.open', file)
}

export function runCommand(id: CommandId | EditorCommandId): void {
  void commands.executeCommand(id)
}
