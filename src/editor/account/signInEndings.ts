// The sentences that a sign-in ends with, and the button of each.
import type { Account } from '../../core/account/account.ts'
import type { SignIn } from '../../core/account/signIn.ts'
import type { CutOff } from '../../core/account/signInMemory.ts'
import type { EndedState, SignInEnding, SignInMethod } from '../../core/account/signInState.ts'
import type { Notice, PanelAction } from '../../protocol/panel.ts'
import { notice, noticeOf } from '../ui/notices.ts'
import { sanitize } from '../ui/sanitize.ts'
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
      return notice('No sign-in was begun; your email was not sent.', 'sign-in')
    case 'key refused':
      return notice(
        `${sanitize(ending.service)} does not accept this key. Check it on the dashboard under API Keys.`,
        'use-key',
      )
    case 'cancelled':
      // The user's own doing is no fault, but it is said: somebody who closed the wrong thing finds the way back.
      return notice('The sign-in was cancelled; no key was kept.', actions[method])
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
} as const satisfies Record<SignInMethod, PanelAction>

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
  return { text: said.text, action: { id: address === 'named' ? 'change-address' : way, label: 'Retry' } }
}

/** Another window has signed in meanwhile. Where this one cannot see the key yet, reloading it is offered. */
function overtakenNotice({ state, unread }: Account): Notice | undefined {
  const [place] = unread
  if (place === undefined || isSaidElsewhere(state)) return undefined
  const text = `Another window has signed in at ${new URL(place).host} meanwhile, so this sign-in has ended. Reload this window to see that one.`
  return notice(text, 'reload-window')
}

/** The same where there is nothing to do. */
export function overtakenText({ state }: Account): string | undefined {
  if (state.is !== 'in') return undefined
  return `You are signed in to ${sanitize(state.account.service)} already, so this sign-in has ended.`
}

/** By `accountNews.ts`. */
function isSaidElsewhere(state: Account['state']): boolean {
  return state.is === 'out' && state.why === 'elsewhere'
}

const UNUSED = 'If you had approved it already, revoke the unused key on the dashboard under API Keys.'

/** The window of a sign-in went away in its middle, and nobody is signed in. */
function cutOffNotice({ last, way }: CutOff): Notice {
  if (!last) {
    const again = way === 'browser' ? 'sign-in-with-browser' : 'sign-in'
    return notice(`The sign-in ended with the window; you can sign in again. ${UNUSED}`, again)
  }
  const [service, email, host] = [last.service, last.email, new URL(last.issuer).host].map(text => sanitize(text))
  const text = `The sign-in to ${service} as ${email} ended with the window. Signing in again sends the email to ${host} once more. ${UNUSED}`
  return notice(text, 'resume-sign-in')
}

/** The same, while somebody is signed in or signing in. */
export const cutOffElsewhere = `A sign-in that was under way ended with its window. ${UNUSED}`
