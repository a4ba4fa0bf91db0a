// `startNextEdit`: hints for the next edit, and the keys that take or refuse one.
import { commands, type ExtensionContext, window, workspace } from 'vscode'
import { type Disposable, DisposableStore } from '../base/disposable.ts'
import { lazy } from '../base/lazy.ts'
import { registerCommands } from '../editor/ui/commands.ts'
import type { NextEditHints } from './loadNextEdit.ts'
import type { Services } from './services.ts'

/** Everything else is loaded when the user first works in a document that may have hints. */
export function startNextEdit(services: Services, context: ExtensionContext): Disposable {
  const { report, settings } = services
  const disposables = new DisposableStore()
  let hints: NextEditHints | undefined
  const load = lazy(async () => {
    const { loadNextEdit } = await import('./loadNextEdit.ts')
    hints = disposables.add(loadNextEdit(services, context))
  })
  const follow = async () => {
    if (!hints && !settings.get('completions.nextEdit')) return
    await load()
    hints?.follow()
  }
  disposables.add(
    workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      const isInFront = document === window.activeTextEditor?.document
      if (contentChanges.length > 0 && isInFront && document.uri.scheme !== 'output') follow().catch(report)
    }),
  )
  disposables.add(
    window.onDidChangeTextEditorSelection(({ textEditor, kind }) => {
      // Without a kind nobody has moved it.
      if (textEditor === window.activeTextEditor && (hints || kind !== undefined)) follow().catch(report)
    }),
  )
  disposables.add(window.onDidChangeActiveTextEditor(() => hints?.follow()))
  disposables.add(
    registerCommands(
      {
        // The hint may have gone a moment before the editor knows it: then the key has its usual meaning.
        'kourier.takeNextEdit': async () => {
          if (!(await hints?.take())) await commands.executeCommand('tab')
        },
        'kourier.refuseNextEdit': () => hints?.refuse(),
      },
      report,
    ),
  )
  return disposables
}
