// `startAccount`: the commands for signing in and out, the editor's Accounts menu, and notifications about the account.
import { workspace } from 'vscode'
import { coalesced } from '../base/coalesced.ts'
import { type Disposable, DisposableStore } from '../base/disposable.ts'
import { isSigningIn } from '../core/account/signInState.ts'
import { notifyAccountChanges } from '../editor/account/accountNotifications.ts'
import { KourierAuthentication } from '../editor/account/authenticationProvider.ts'
import { askForEnvironmentKey } from '../editor/account/environmentKey.ts'
import { registerCommands } from '../editor/ui/commands.ts'
import { accountKey, setContextKey } from '../editor/ui/contextKeys.ts'
import { serviceNameOf } from '../editor/ui/signInText.ts'
import type { Services } from './services.ts'

export function startAccount(services: Services): Disposable {
  const { account, signIn, openDashboard } = services
  const disposables = new DisposableStore()
  disposables.add(
    new KourierAuthentication({
      account,
      signIn: () => signIn.signIn(),
      signOut: async () => {
        const { signOutAndRevoke } = await import('../editor/account/signOut.ts')
        return signOutAndRevoke(account, openDashboard)
      },
    }),
  )
  disposables.add(
    notifyAccountChanges({
      account,
      sessions: services.sessions,
      serviceName: () => serviceNameOf(signIn),
      isChatVisible: () => services.chatPresence.isVisible,
      isSigningIn: () => isSigningIn(signIn.state),
      openDashboard,
    }),
  )
  disposables.add(registerAccountCommands(services))
  disposables.add(followWithContextKeys(services))
  disposables.add(restoreAccount(services))
  return disposables
}

function registerAccountCommands({ account, signIn, openDashboard, report }: Services): Disposable {
  return registerCommands(
    {
      'kourier.signIn': () => signIn.signIn(),
      'kourier.signInWithBrowser': () => signIn.signInWithBrowser(),
      'kourier.useApiKey': () => signIn.useApiKey(),
      'kourier.signOut': async () => {
        const { signOut } = await import('../editor/account/signOut.ts')
        await signOut(account, openDashboard)
      },
      'kourier.openDashboard': () => openDashboard(),
      'kourier.signIn.openBrowser': () => signIn.openBrowser(),
      'kourier.signIn.copyCode': () => signIn.copyCode(),
      'kourier.signIn.renew': () => signIn.renew(),
      'kourier.signIn.resume': () => signIn.resume(),
      'kourier.signIn.changeAddress': () => signIn.signIn({ asksAddress: true }),
    },
    report,
  )
}

function followWithContextKeys({ account, signIn, catalog }: Services): Disposable {
  const disposables = new DisposableStore()
  const set = coalesced(() => {
    setContextKey('kourier.account', accountKey(account.state, isSigningIn(signIn.state)))
    setContextKey('kourier.browserSignIn', signIn.canUseBrowser)
  })
  for (const onDidChange of [account.onDidChange, signIn.onDidChange, catalog.onDidChange])
    disposables.add(onDidChange(set))
  disposables.add(workspace.onDidGrantWorkspaceTrust(set))
  set()
  return disposables
}

/** Reads who is signed in, at the start and whenever the settings change. */
function restoreAccount({ account, settings, signIn, environmentKey, signInRecords }: Services): Disposable {
  const offerEnvironmentKey = async () => {
    // Not offered during a sign-in, because the sign-in makes it unnecessary.
    const isWanted = account.state.is === 'out' && !isSigningIn(signIn.state)
    if (isWanted && (await environmentKey.offer(settings.service, askForEnvironmentKey))) await account.restore()
  }
  void account.restore().then(() => Promise.all([signIn.offerToResume(), offerEnvironmentKey()]))
  void signInRecords.watch()
  return settings.onDidChange(() => account.restore().then(offerEnvironmentKey))
}
