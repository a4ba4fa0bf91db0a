// Notifies the user of account changes that the user did not make in this window, and makes the chat page's notices of them.
import { l10n, window } from 'vscode'
import { type Disposable, DisposableStore } from '../../base/disposable.ts'
import type { Account, AccountState, Replaced, SignedIn } from '../../core/account/account.ts'
import { ENVIRONMENT_NAME } from '../../core/account/environmentKey.ts'
import type { Sessions } from '../../core/agent/sessions.ts'
import type { Credential } from '../../core/http/credential.ts'
import type { Notice } from '../../protocol/panel.ts'
import { runCommand } from '../ui/commands.ts'
import { inform } from '../ui/inform.ts'
import { notice, runRemedy } from '../ui/notices.ts'
import { sanitize, sanitized } from '../ui/sanitize.ts'
import { sentences } from '../ui/sentences.ts'
import { serviceAtHost } from '../ui/serviceAtHost.ts'
import { type OpenDashboard, warnUnrevoked } from './unrevoked.ts'

export interface AccountNotificationOptions {
  readonly account: Account
  readonly sessions: Sessions
  readonly serviceName: () => string
  /** The chat page shows the same notice, so no notification is shown while it is visible. */
  readonly isChatVisible: () => boolean
  /** A user who signs in knows that the address has changed, so that is not notified. */
  readonly isSigningIn: () => boolean
  readonly openDashboard: OpenDashboard
}

/** Why nobody is signed in although somebody was, for the chat page; undefined where no reason is known. */
export function absenceNotice({ why, from }: OutState, service: string): Notice | undefined {
  if (!why) return undefined
  switch (why) {
    case 'moved':
      return from && movedNotice(from, service)
    case 'left':
      return notice(l10n.t('You signed out in another window.'))
    case 'elsewhere':
      return notice(
        l10n.t('You signed in to {service} in another window. Reload this window to use it here.', { service }),
        'reload-window',
      )
    case 'lost':
      return notice(lostText(service))
    case 'unreadable':
      return notice(
        l10n.t(
          "This machine's keyring cannot be read, so Kourier does not know whether you are signed in. Unlock it, then reload this window.",
        ),
        'reload-window',
      )
  }
}

/** Names no cause, because a remote window shares the secret storage but not the records of sign-outs. */
function lostText(service: string): string {
  return l10n.t(
    'This editor was signed in to {service} before, but its secret storage holds no key now. Sign in again.',
    { service },
  )
}

/** A key is sent only to the service that issued it, whatever address the settings contain. */
function movedNotice(from: SignedIn, service: string): Notice {
  const owner = serviceAtHost(sanitize(from.service), new URL(from.resource).host)
  const text = l10n.t(
    'The address in the settings leads to {service} now, which does not get the key for {owner}. Sign in there as well? Or change the address back.',
    { service, owner },
  )
  return notice(text, 'sign-in')
}

/** That the service no longer accepts the key, and what to do about it, which depends on the key's origin. */
export function refusedNotice({ origin }: SignedIn, service: string): Notice {
  const text =
    origin === 'environment'
      ? l10n.t(
          '{service} no longer accepts the key of the environment variable {variable}. Change it and start the editor again, or sign in.',
          { service, variable: ENVIRONMENT_NAME },
        )
      : l10n.t('{service} no longer accepts the key. Sign in again.', { service })
  return notice(text, 'sign-in')
}

export function notifyAccountChanges(options: AccountNotificationOptions): Disposable {
  const { account, serviceName, isChatVisible } = options
  const life = new DisposableStore()
  let left = ''
  life.add(
    account.onDidChange(state => {
      const isStopped = state.is === 'out' && abortAnswers(options.sessions)
      const isMoved = state.is === 'out' && state.why === 'moved'
      const isKnown = isMoved && options.isSigningIn()
      if (state.is === 'out' && !isKnown)
        notifySignedOut(state, (isMoved ? '' : left) || serviceName(), left !== '', isStopped, isChatVisible())
      left = state.is === 'in' || state.is === 'refused' ? serviceName() : ''
    }),
  )
  life.add(
    account.onDidRefuse(refused => {
      if (!isChatVisible()) void showWithAction(refusedNotice(refused, serviceName()), window.showWarningMessage)
    }),
  )
  life.add(account.onDidReplace(replaced => void notifyReplaced(replaced, options)))
  return life
}

/** Only one key is stored, so the user is notified of the replaced one, which may still be valid. */
async function notifyReplaced({ credential, by }: Replaced, options: AccountNotificationOptions): Promise<void> {
  const service = sanitize(credential.service)
  if (by === 'this window, after a refusal') return revokeRefused(credential, options)
  if (by === 'this window') {
    const { host } = new URL(credential.resource)
    const text = l10n.t(
      'This sign-in took the place of the one to {service} at {host}, whose key still works.',
      sanitized({ service, host }),
    )
    if (await window.showWarningMessage(text, l10n.t('Revoke That Key'))) await revokeReplaced(credential, options)
    return
  }
  // A pasted key is the user's own, so it is not revoked.
  if (credential.origin === 'pasted')
    void window.showInformationMessage(
      l10n.t(
        'Another window has signed in to {service}, and this one uses that key now. The pasted key, which was in memory only, is not kept here any more.',
        { service },
      ),
    )
  else await revokeHeld(credential, options)
}

/** Shows a notification only if the key may still work, because a refused key is probably invalid. */
async function revokeRefused(credential: Credential, options: AccountNotificationOptions): Promise<void> {
  if ((await options.account.revoke(credential, new AbortController().signal)) !== 'not confirmed') return
  const text = l10n.t(
    '{service} did not confirm that the key before this sign-in, which it had refused, was revoked. It may still work: try again, or revoke the older key on the dashboard under API Keys.',
    sanitized({ service: credential.service }),
  )
  await warnUnrevoked(text, { ...options, issuer: credential.issuer })
}

async function revokeReplaced(credential: Credential, options: AccountNotificationOptions): Promise<void> {
  const values = sanitized({ service: credential.service })
  if (await isRevoked(credential, options))
    void window.showInformationMessage(l10n.t('{service} has revoked the key.', values))
  else
    await warnUnrevoked(
      l10n.t(
        '{service} did not confirm that the key was revoked. It may still work: try again, or revoke it on the dashboard under API Keys.',
        values,
      ),
      { ...options, issuer: credential.issuer },
    )
}

/** For the key that this window held in memory, after another window has stored one. */
async function revokeHeld(credential: Credential, options: AccountNotificationOptions): Promise<void> {
  const values = sanitized({ service: credential.service })
  if (await isRevoked(credential, options))
    void window.showInformationMessage(
      l10n.t(
        'Another window has signed in to {service}, and this one uses that key now. Its own, which was in memory only, was revoked.',
        values,
      ),
    )
  else
    await warnUnrevoked(
      l10n.t(
        'Another window has signed in to {service}, and this one uses that key now. {service} did not confirm that the key in memory was revoked. It may still work: try again, or revoke it on the dashboard under API Keys.',
        values,
      ),
      { ...options, issuer: credential.issuer },
    )
}

async function isRevoked(credential: Credential, { account }: AccountNotificationOptions): Promise<boolean> {
  return (await account.revoke(credential, new AbortController().signal)) === 'revoked'
}

/** Without a key no answer can go on. Returns whether there was one. */
function abortAnswers({ all }: Sessions): boolean {
  const busy = all.filter(({ state: { is } }) => is === 'answering' || is === 'waiting')
  for (const session of all) session.stop()
  return busy.length > 0
}

/** Shows no notification of a reason that the visible chat page shows. */
function notifySignedOut(
  state: OutState,
  service: string,
  wasIn: boolean,
  isStopped: boolean,
  isInPage: boolean,
): void {
  const stopped = isStopped ? l10n.t('The answer under way was stopped; what arrived is kept.') : undefined
  const { why } = state
  // The page shows the notice of the account, but not that the answer was stopped.
  if (why !== undefined && isInPage) return showStopped(stopped)
  const absence = why === 'elsewhere' || why === 'moved' ? absenceNotice(state, service) : undefined
  if (absence) {
    void showWithAction({ ...absence, text: sentences(absence.text, stopped) })
  } else if ((why === 'left' || why === 'lost') && wasIn) {
    const text =
      why === 'left' ? l10n.t('You signed out of {service} in another window.', { service }) : lostText(service)
    void inform(sentences(text, stopped), l10n.t('Sign In'), () => runCommand('kourier.signIn'))
  } else showStopped(stopped)
}

function showStopped(stopped: string | undefined): void {
  if (stopped) void window.showInformationMessage(stopped)
}

type OutState = Extract<AccountState, { is: 'out' }>

type Show = (text: string, button: string) => Thenable<string | undefined>

async function showWithAction({ text, action }: Notice, show: Show = window.showInformationMessage): Promise<void> {
  if (action && (await show(text, action.label))) runRemedy(action.id)
}
