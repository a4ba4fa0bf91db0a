// Tells once, in one sentence and without taking the focus, what became of the account behind the user's back.
import { l10n, window } from 'vscode'
import { type Disposable, DisposableStore } from '../../base/disposable.ts'
import type { Account, AccountState, Replaced, SignedIn } from '../../core/account/account.ts'
import { ENVIRONMENT_NAME } from '../../core/account/environmentKey.ts'
import type { Sessions } from '../../core/agent/sessions.ts'
import type { Credential } from '../../core/http/credential.ts'
import type { Notice } from '../../protocol/panel.ts'
import { runCommand } from '../ui/commands.ts'
import { placed } from '../ui/faultSentence.ts'
import { inform } from '../ui/inform.ts'
import { notice, runRemedy } from '../ui/notices.ts'
import { sanitize, sanitized } from '../ui/sanitize.ts'
import { type OpenDashboard, sayUnrevoked } from './unrevoked.ts'

export interface AccountNewsOptions {
  readonly account: Account
  readonly sessions: Sessions
  readonly serviceName: () => string
  /** Whoever looks at the chat reads it there. */
  readonly isChatVisible: () => boolean
  /** Whoever signs in knows at which address. */
  readonly isSigningIn: () => boolean
  readonly openDashboard: OpenDashboard
}

/** Why nobody is signed in although somebody was, for the chat page; undefined where there is nothing to say. */
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
          'This machine’s keyring cannot be read, so Kourier does not know whether you are signed in. Unlock it, then reload this window.',
        ),
        'reload-window',
      )
  }
}

/** Names no cause: a local and a remote window share the storage, but cannot tell each other who has signed out. */
function lostText(service: string): string {
  return l10n.t(
    'This editor was signed in to {service} before, but its secret storage holds no key now. Sign in again.',
    { service },
  )
}

/** A key goes to nobody but the service that it is for, whatever the settings say. */
function movedNotice(from: SignedIn, service: string): Notice {
  const owner = placed(sanitize(from.service), new URL(from.resource).host)
  const text = l10n.t(
    'The address in the settings leads to {service} now, which does not get the key for {owner}. Sign in there as well? Or change the address back.',
    { service, owner },
  )
  return notice(text, 'sign-in')
}

/** That the service no longer takes the key, and what to do about it, which depends on where the key is from. */
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

export function notifyAccountNews(options: AccountNewsOptions): Disposable {
  const { account, serviceName, isChatVisible } = options
  const life = new DisposableStore()
  let left = ''
  life.add(
    account.onDidChange(state => {
      const isStopped = state.is === 'out' && stopAnswer(options.sessions)
      const isMoved = state.is === 'out' && state.why === 'moved'
      const isKnown = isMoved && options.isSigningIn()
      if (state.is === 'out' && !isKnown)
        tellOut(state, (isMoved ? '' : left) || serviceName(), left !== '', isStopped, isChatVisible())
      left = state.is === 'in' || state.is === 'refused' ? serviceName() : ''
    }),
  )
  life.add(
    account.onDidRefuse(refused => {
      if (!isChatVisible()) void offer(refusedNotice(refused, serviceName()), window.showWarningMessage)
    }),
  )
  life.add(account.onDidReplace(replaced => void tellReplaced(replaced, options)))
  return life
}

/** There is room for one key: the one before would otherwise stay valid, unowned and unmentioned. */
async function tellReplaced({ credential, by, wasRefused }: Replaced, options: AccountNewsOptions): Promise<void> {
  const service = sanitize(credential.service)
  if (wasRefused) return giveUpRefused(credential, options)
  if (by === 'this window') {
    const { host } = new URL(credential.resource)
    const text = l10n.t(
      'This sign-in took the place of the one to {service} at {host}, whose key still works.',
      sanitized({ service, host }),
    )
    if (await window.showWarningMessage(text, l10n.t('Revoke That Key'))) await revoke(credential, options)
    return
  }
  // One that the user has made is the user's to keep.
  if (credential.origin === 'pasted')
    void window.showInformationMessage(
      l10n.t(
        'Another window has signed in to {service}, and this one uses that key now. The pasted key, which was in memory only, is not kept here any more.',
        { service },
      ),
    )
  else await revokeHeld(credential, options)
}

/** It is dead most likely, and then there is nothing to say: without a word unless it may still work. */
async function giveUpRefused(credential: Credential, options: AccountNewsOptions): Promise<void> {
  if ((await options.account.giveUp(credential, new AbortController().signal)) !== 'not confirmed') return
  const text = l10n.t(
    '{service} did not confirm that the key before this sign-in, which it had refused, was revoked. It may still work: try again, or revoke the older key on the dashboard under API Keys.',
    sanitized({ service: credential.service }),
  )
  await sayUnrevoked(text, { ...options, issuer: credential.issuer })
}

async function revoke(credential: Credential, options: AccountNewsOptions): Promise<void> {
  const values = sanitized({ service: credential.service })
  if (await isRevoked(credential, options))
    void window.showInformationMessage(l10n.t('{service} has revoked the key.', values))
  else
    await sayUnrevoked(
      l10n.t(
        '{service} did not confirm that the key was revoked. It may still work: try again, or revoke it on the dashboard under API Keys.',
        values,
      ),
      { ...options, issuer: credential.issuer },
    )
}

/** The key that this window held in memory, in favour of the one that another window has stored. */
async function revokeHeld(credential: Credential, options: AccountNewsOptions): Promise<void> {
  const values = sanitized({ service: credential.service })
  if (await isRevoked(credential, options))
    void window.showInformationMessage(
      l10n.t(
        'Another window has signed in to {service}, and this one uses that key now. Its own, which was in memory only, was revoked.',
        values,
      ),
    )
  else
    await sayUnrevoked(
      l10n.t(
        'Another window has signed in to {service}, and this one uses that key now. {service} did not confirm that the key in memory was revoked. It may still work: try again, or revoke it on the dashboard under API Keys.',
        values,
      ),
      { ...options, issuer: credential.issuer },
    )
}

async function isRevoked(credential: Credential, { account }: AccountNewsOptions): Promise<boolean> {
  return (await account.giveUp(credential, new AbortController().signal)) === 'revoked'
}

/** Without a key no answer goes on. */
function stopAnswer({ current }: Sessions): boolean {
  const isBusy = current.state.is === 'answering' || current.state.is === 'waiting'
  current.stop()
  return isBusy
}

/** Why nobody is signed in stands in the page as well: a user who looks at it needs no notification. */
function tellOut(state: OutState, service: string, wasIn: boolean, isStopped: boolean, isInPage: boolean): void {
  const stopped = isStopped ? [l10n.t('The answer under way was stopped; what arrived is kept.')] : []
  const { why } = state
  if (why !== undefined && isInPage) return
  const said = why === 'elsewhere' || why === 'moved' ? absenceNotice(state, service) : undefined
  if (said) {
    void offer({ ...said, text: [said.text, ...stopped].join(' ') })
  } else if ((why === 'left' || why === 'lost') && wasIn) {
    const text =
      why === 'left' ? l10n.t('You signed out of {service} in another window.', { service }) : lostText(service)
    void inform([text, ...stopped].join(' '), l10n.t('Sign In'), () => runCommand('kourier.signIn'))
  } else if (isStopped) void window.showInformationMessage(stopped.join(' '))
}

type OutState = Extract<AccountState, { is: 'out' }>

type Show = (text: string, button: string) => Thenable<string | undefined>

async function offer({ text, action }: Notice, show: Show = window.showInformationMessage): Promise<void> {
  if (action && (await show(text, action.label))) runRemedy(action.id)
}
