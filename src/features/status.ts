// The status bar item, the menu behind it, and the log.
import { workspace } from 'vscode'
import { type Disposable, DisposableStore } from '../base/disposable.ts'
import { revokeAgain, unrevokedAt } from '../editor/account/unrevoked.ts'
import { areCompletionsOn } from '../editor/complete/toggleCompletions.ts'
import { type MenuFacts, showMenu } from '../editor/status/accountMenu.ts'
import { StatusBar, type StatusFacts } from '../editor/status/statusBar.ts'
import { registerCommands } from '../editor/ui/commands.ts'
import { editorProxy } from '../editor/ui/editorSettings.ts'
import { serviceNameOf } from '../editor/ui/signInText.ts'
import type { Services } from './services.ts'

export function startStatus(services: Services): Disposable {
  const { account, signIn, catalog, scheduler, sessions, settings, waits } = services
  const life = new DisposableStore()
  const facts = () => statusFacts(services)
  const status = life.add(new StatusBar(facts, services.clock))
  const draw = () => status.draw()
  const changes = [account.onDidChange, signIn.onDidChange, catalog.onDidChange, settings.onDidChange]
  const moves = [scheduler.onDidChange, sessions.onDidMove, sessions.onDidOpen, waits.onDidChange]
  for (const onDidChange of [...changes, ...moves]) life.add(onDidChange(draw))
  life.add(workspace.onDidGrantWorkspaceTrust(draw))
  life.add(
    registerCommands(
      {
        'kourier.showMenu': () => showMenu({ ...facts(), ...menuFacts(services) }),
        'kourier.showLog': () => services.output.show(),
      },
      services.report,
    ),
  )
  return life
}

function statusFacts({ account, signIn, sessions, waits, scheduler, settings, choice }: Services): StatusFacts {
  const { state } = sessions.current
  return {
    account: account.state,
    signIn: signIn.state,
    session: state,
    wait: state.is === 'waiting' ? state.wait : waits.current,
    line: scheduler.state,
    isCompleting: areCompletionsOn(settings),
    isUnchecked: !editorProxy().strictTls,
    isModelMissing: choice.isMissing,
  }
}

function menuFacts({ account, signIn, choice, clock, openDashboard }: Services): Omit<MenuFacts, keyof StatusFacts> {
  return {
    clock,
    service: serviceNameOf(signIn),
    canUseBrowser: signIn.canUseBrowser,
    model: choice.current,
    cancelSignIn: () => signIn.cancel(),
    unrevokedAt: unrevokedAt(account),
    revokeAgain: () => void revokeAgain({ account, openDashboard }),
  }
}
