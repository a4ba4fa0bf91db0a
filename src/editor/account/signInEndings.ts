// The notice about the end of a sign-in: its sentence and its button.
import { l10n } from 'vscode'
import type { Account } from '../../core/account/account.ts'
import type { SignIn } from '../../core/account/signIn.ts'
import type { CutOff } from '../../core/account/signInMemory.ts'
import type { EndedState, SignInEnding, SignInMethod } from '../../core/account/signInState.ts'
import type { Notice } from '../../protocol/panel.ts'
import type { Remedy } from '../../protocol/remedy.ts'
import { faultNotice } from '../ui/faultNotice.ts'
import { notice } from '../ui/notices.ts'
import { sanitize, sanitized } from '../ui/sanitize.ts'
import { serviceNameOf } from '../ui/signInText.ts'

export interface EndingOptions {
  readonly signIn: SignIn
  readonly account: Account
  readonly redact: (text: string) => string
}

/** The same for the notification and the chat page; undefined where the user has nothing to do. */
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
      // A cancel is no fault, but it has a notice, so that a user who cancelled by mistake can begin again.
      return notice(l10n.t('The sign-in was cancelled; no key was kept.'), actions[method])
    case 'overtaken':
      return overtakenNotice(options.account)
    case 'failed':
      return failedNotice(ending, method, resumable !== undefined, options)
    case 'cut off':
      return cutOffNotice(ending.cutOff)
  }
}

/** The remedy that starts each method. */
const actions = {
  code: 'sign-in',
  browser: 'sign-in-with-browser',
  'pasted key': 'use-key',
} as const satisfies Record<SignInMethod, Remedy>

/** Retry and signing in again use the method that failed, in the notification and in the chat page. */
function failedNotice(
  { fault, place, address }: Extract<SignInEnding, { why: 'failed' }>,
  method: SignInMethod,
  isResumable: boolean,
  { signIn, redact }: EndingOptions,
): Notice {
  const service = place === undefined ? serviceNameOf(signIn) : sanitize(place)
  const way = actions[method]
  const { text, action } = faultNotice(fault, {
    service,
    redact,
    signInMethod: way,
    otherSignInMethod: actions[signIn.otherMethod(method)],
  })
  if (action?.id === 'resume-sign-in' && !isResumable) return notice(text, way)
  const isRepeatable = action?.id === 'retry' || action?.id === 'show-log'
  if (!isRepeatable) return { text, ...(action && { action }) }
  // The settings may name another service, because an address that the user typed is not stored after a failure.
  return { text, action: { id: address === 'named' ? 'change-address' : way, label: l10n.t('Retry') } }
}

/** Another window has signed in meanwhile. Offers to reload this one if it cannot read the key before that. */
function overtakenNotice({ state, unread }: Account): Notice | undefined {
  const [place] = unread
  if (place === undefined || isNotifiedAlready(state)) return undefined
  const text = l10n.t(
    'Another window has signed in at {host} meanwhile, so this sign-in has ended. Reload this window to see that one.',
    sanitized({ host: new URL(place).host }),
  )
  return notice(text, 'reload-window')
}

/** For the same end where this window uses the other key already. */
export function overtakenText({ state }: Account): string | undefined {
  if (state.is !== 'in') return undefined
  const values = sanitized({ service: state.account.service })
  return l10n.t('You are signed in to {service} already, so this sign-in has ended.', values)
}

/** Whether `accountNotifications.ts` notifies the user of the other sign-in. */
function isNotifiedAlready(state: Account['state']): boolean {
  return state.is === 'out' && state.why === 'elsewhere'
}

/** The window closed while the sign-in was under way, and nobody is signed in. */
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

/** For the same end, while the user is signed in or signing in. */
export function cutOffElsewhere(): string {
  return l10n.t(
    'A sign-in that was under way ended with its window. If you had approved it already, revoke the unused key on the dashboard under API Keys.',
  )
}
