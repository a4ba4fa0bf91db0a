// The sentences that a sign-in ends with, and the button of each.
import { l10n } from 'vscode'
import type { Account } from '../../core/account/account.ts'
import type { SignIn } from '../../core/account/signIn.ts'
import type { CutOff } from '../../core/account/signInMemory.ts'
import type { EndedState, SignInEnding, SignInMethod } from '../../core/account/signInState.ts'
import type { Notice } from '../../protocol/panel.ts'
import type { Remedy } from '../../protocol/remedy.ts'
import { notice, noticeOf } from '../ui/notices.ts'
import { sanitize, sanitized } from '../ui/sanitize.ts'
import { serviceNameOf } from '../ui/signInText.ts'

export interface EndingOptions {
  readonly signIn: SignIn
  readonly account: Account
  readonly redact: (text: string) => string
}

/** The same in the notification and in the chat page; undefined where there is nothing to do. */
export function endingNotice({ method, ending, resumable }: EndedState, options: EndingOptions): Notice | undefined {
  switch (ending.why) {
    case 'signed in':
    case 'signed in before':
    case 'closed':
    case 'window closed':
      return undefined
    case 'not agreed':
      return notice(l10n.t('No sign-in was begun; your email was not sent.'), 'sign-in')
    case 'key refused':
      return notice(
        l10n.t(
          '{service} does not accept this key. Check it on the dashboard under API Keys.',
          sanitized({ service: ending.service }),
        ),
        'use-key',
      )
    case 'cancelled':
      // The user's own doing is no fault, but it is said: somebody who closed the wrong thing finds the way back.
      return notice(l10n.t('The sign-in was cancelled; no key was kept.'), actions[method])
    case 'overtaken':
      return overtakenNotice(options.account)
    case 'failed':
      return failedNotice(ending, method, resumable !== undefined, options)
    case 'cut off':
      return cutOffNotice(ending.cutOff)
  }
}

/** The methods, as a button names them. */
const actions = {
  code: 'sign-in',
  browser: 'sign-in-with-browser',
  'pasted key': 'use-key',
} as const satisfies Record<SignInMethod, Remedy>

/** Trying again, and signing in again, mean the same method, wherever the button is drawn. */
function failedNotice(
  { fault, place, address }: Extract<SignInEnding, { why: 'failed' }>,
  method: SignInMethod,
  isResumable: boolean,
  { signIn, redact }: EndingOptions,
): Notice {
  const service = place === undefined ? serviceNameOf(signIn) : sanitize(place)
  const way = actions[method]
  const said = noticeOf(fault, { service, redact, way, otherWay: actions[signIn.otherMethod(method)] })
  if (said.action?.id === 'resume-sign-in' && !isResumable) return notice(said.text, way)
  const isRepeatable = said.action?.id === 'retry' || said.action?.id === 'show-log'
  if (!isRepeatable) return said
  // The settings do not hold the address that the user had named: they may lead to another service.
  return { text: said.text, action: { id: address === 'named' ? 'change-address' : way, label: l10n.t('Retry') } }
}

/** Another window has signed in meanwhile. Where this one cannot see the key yet, reloading it is offered. */
function overtakenNotice({ state, unread }: Account): Notice | undefined {
  const [place] = unread
  if (place === undefined || isSaidElsewhere(state)) return undefined
  const text = l10n.t(
    'Another window has signed in at {host} meanwhile, so this sign-in has ended. Reload this window to see that one.',
    sanitized({ host: new URL(place).host }),
  )
  return notice(text, 'reload-window')
}

/** The same where there is nothing to do. */
export function overtakenText({ state }: Account): string | undefined {
  if (state.is !== 'in') return undefined
  const values = sanitized({ service: state.account.service })
  return l10n.t('You are signed in to {service} already, so this sign-in has ended.', values)
}

/** By `accountNews.ts`. */
function isSaidElsewhere(state: Account['state']): boolean {
  return state.is === 'out' && state.why === 'elsewhere'
}

/** The window of a sign-in went away in its middle, and nobody is signed in. */
function cutOffNotice({ last, way }: CutOff): Notice {
  if (!last) {
    const text = l10n.t(
      'The sign-in ended with the window; you can sign in again. If you had approved it already, revoke the unused key on the dashboard under API Keys.',
    )
    return notice(text, way === 'browser' ? 'sign-in-with-browser' : 'sign-in')
  }
  const { service, email, issuer } = last
  const text = l10n.t(
    'The sign-in to {service} as {email} ended with the window. Signing in again sends the email to {host} once more. If you had approved it already, revoke the unused key on the dashboard under API Keys.',
    sanitized({ service, email, host: new URL(issuer).host }),
  )
  return notice(text, 'resume-sign-in')
}

/** The same, while somebody is signed in or signing in. */
export function cutOffElsewhere(): string {
  return l10n.t(
    'A sign-in that was under way ended with its window. If you had approved it already, revoke the unused key on the dashboard under API Keys.',
  )
}
