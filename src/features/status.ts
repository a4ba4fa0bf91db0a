// `startStatus`: the status bar item, its menu, and the commands Show Log and Copy Diagnostics.
import { type Extension, type ExtensionContext, window, workspace } from 'vscode'
import { type Disposable, DisposableStore } from '../base/disposable.ts'
import { areCompletionsOn } from '../editor/complete/toggleCompletions.ts'
import type { DiagnosticsFacts } from '../editor/status/copyDiagnostics.ts'
import { StatusBar, type StatusFacts } from '../editor/status/statusBar.ts'
import { registerCommands } from '../editor/ui/commands.ts'
import { editorProxy } from '../editor/ui/editorSettings.ts'
import { serviceNameOf } from '../editor/ui/signInText.ts'
import { completionSilence, cursorKey } from './completionSilence.ts'
import type { Services } from './services.ts'

export function startStatus(services: Services, { extension }: ExtensionContext): Disposable {
  const { account, signIn, catalog, scheduler, sessions, settings, snooze, completionOutcome, waits } = services
  const disposables = new DisposableStore()
  const facts = () => statusFacts(services)
  const status = disposables.add(new StatusBar(facts, services.clock))
  const draw = () => status.draw()
  const changes = [account.onDidChange, signIn.onDidChange, catalog.onDidChange, settings.onDidChange]
  const stateChanges = [
    scheduler.onDidChange,
    sessions.onDidChangeState,
    sessions.onDidChangeQuestions,
    sessions.onDidOpen,
    waits.onDidChange,
  ]
  const completionChanges = [snooze.onDidChange, completionOutcome.onDidChange]
  for (const onDidChange of [...changes, ...stateChanges, ...completionChanges]) disposables.add(onDidChange(draw))
  disposables.add(workspace.onDidGrantWorkspaceTrust(draw))
  disposables.add(
    workspace.onDidChangeConfiguration(change => {
      if (change.affectsConfiguration('editor.inlineSuggest')) draw()
    }),
  )
  let drawnCursors = ''
  disposables.add(
    window.onDidChangeTextEditorSelection(({ textEditor }) => {
      const cursors = textEditor === window.activeTextEditor ? cursorKey(services) : drawnCursors
      if (cursors !== drawnCursors) draw()
      drawnCursors = cursors
    }),
  )
  disposables.add(
    registerCommands(
      {
        'kourier.showMenu': () => showAccountMenu(services),
        'kourier.showLog': () => services.output.show(),
        'kourier.copyDiagnostics': async () => {
          const { copyDiagnostics } = await import('../editor/status/copyDiagnostics.ts')
          await copyDiagnostics(diagnosticsFacts(services, extension))
        },
      },
      services.report,
    ),
  )
  return disposables
}

function statusFacts(services: Services): StatusFacts {
  const { account, signIn, sessions, waits, scheduler, settings } = services
  const { state } = sessions.all.find(session => session.isBusy && !sessions.current.isBusy) ?? sessions.current
  return {
    account: account.state,
    signIn: signIn.state,
    session: state,
    wait: state.is === 'waiting' ? state.wait : waits.current,
    questions: sessions.questionCount,
    queue: scheduler.state,
    isCompleting: areCompletionsOn(settings),
    isTlsUnverified: !editorProxy().strictTls,
    silence: completionSilence(services),
  }
}

function diagnosticsFacts(services: Services, { packageJSON }: Extension<unknown>): DiagnosticsFacts {
  const { account, selection, settings, recentFaults, log } = services
  return {
    extensionVersion: packageJSON.version,
    system: `${process.platform} ${process.arch}, Node ${process.versions.node}`,
    account: account.state.is,
    model: selection.current,
    settings,
    faults: recentFaults.lines,
    redact: text => log.redactor.redact(text),
  }
}

async function showAccountMenu(services: Services): Promise<void> {
  const { account, signIn, selection, clock, openDashboard } = services
  const [{ showMenu }, { revokeAgain, unrevokedAt }] = await Promise.all([
    import('../editor/status/accountMenu.ts'),
    import('../editor/account/unrevoked.ts'),
  ])
  await showMenu({
    ...statusFacts(services),
    clock,
    service: serviceNameOf(signIn),
    canUseBrowser: signIn.canUseBrowser,
    model: selection.current,
    cancelSignIn: () => signIn.cancel(),
    unrevokedAt: unrevokedAt(account),
    revokeAgain: () => void revokeAgain({ account, openDashboard }),
  })
}
