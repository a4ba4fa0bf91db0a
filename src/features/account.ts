// Signing in and out, the account in the editor's own menu, and what becomes of it behind the user's back.
import { workspace } from 'vscode'
import { type Disposable, DisposableStore } from '../base/disposable.ts'
import { isSigningIn } from '../core/account/signInState.ts'
import { notifyAccountNews } from '../editor/account/accountNews.ts'
import { KourierAuthentication } from '../editor/account/authenticationProvider.ts'
import { signOut, signOutAndRevoke } from '../editor/account/signOut.ts'
import { askForEnvironmentKey } from '../editor/account/spareKey.ts'
import { registerCommands } from '../editor/ui/commands.ts'
import { accountKey, setContextKey } from '../editor/ui/contextKeys.ts'
import { serviceNameOf } from '../editor/ui/signInText.ts'
import type { Services } from './services.ts'

export function startAccount(services: Services): Disposable {
  const { account, signIn, openDashboard } = services
  const life = new DisposableStore()
  life.add(
    new KourierAuthentication({
      account,
      signIn: () => signIn.signIn(),
      signOut: () => signOutAndRevoke(account, openDashboard),
    }),
  )
  life.add(
    notifyAccountNews({
      account,
      sessions: services.sessions,
      serviceName: () => serviceNameOf(signIn),
      isChatVisible: () => services.chatPresence.isVisible,
      isSigningIn: () => isSigningIn(signIn.state),
      openDashboard,
    }),
  )
  life.add(registerAccountCommands(services))
  life.add(followWithContextKeys(services))
  life.add(restoreAccount(services))
  return life
}

function registerAccountCommands({ account, signIn, openDashboard, report }: Services): Disposable {
  return registerCommands(
    {
      'kourier.signIn': () => signIn.signIn(),
      'kourier.signInWithBrowser': () => signIn.signInWithBrowser(),
      'kourier.useApiKey': () => signIn.useApiKey(),
      'kourier.signOut': () => signOut(account, openDashboard),
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
  const life = new DisposableStore()
  const set = () => {
    setContextKey('kourier.account', accountKey(account.state, isSigningIn(signIn.state)))
    setContextKey('kourier.browserSignIn', signIn.canUseBrowser)
  }
  for (const onDidChange of [account.onDidChange, signIn.onDidChange, catalog.onDidChange]) life.add(onDidChange(set))
  life.add(workspace.onDidGrantWorkspaceTrust(set))
  set()
  return life
}

/** Reads who is signed in, now and whenever the address changes. */
function restoreAccount({ account, settings, signIn, environmentKey, signInRecords }: Services): Disposable {
  const offerEnvironmentKey = async () => {
    // Nobody who signs in needs it.
    const isWanted = account.state.is === 'out' && !isSigningIn(signIn.state)
    if (isWanted && (await environmentKey.offer(settings.service, askForEnvironmentKey))) await account.restore()
  }
  void account.restore().then(() => Promise.all([signIn.offerToResume(), offerEnvironmentKey()]))
  void signInRecords.watch()
  return settings.onDidChange(() => account.restore().then(offerEnvironmentKey))
}
