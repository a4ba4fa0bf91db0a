// The sentences that a sign-in ends with, and the button of each.
import type { Account } from '../../core/account/account.ts'
import type { Service } from '../../core/account/discovery.ts'
import type { Notice, PanelAction } from '../../protocol/panel.ts'
import { type Names, notice, noticeOf } from '../ui/notices.ts'
import { sanitize } from '../ui/sanitize.ts'
import type { CutOff } from './signInMemory.ts'

/** The ways in, as a button names them. */
export type SignInMethod = Extract<PanelAction, 'sign-in' | 'sign-in-with-browser' | 'use-key'>

export interface EndOptions extends Names {
  /** The way in that was taken. */
  readonly way: SignInMethod
  /** There is an email that was agreed to, to go on with. */
  readonly isResumable: boolean
  /** The user had named an address, and the settings do not hold it yet: they may lead to another service. */
  readonly isAddressOpen: boolean
}

/** Trying again, and signing in again, mean this way in, wherever the button is drawn. */
export function faultEnding(fault: unknown, { way, isResumable, isAddressOpen, ...names }: EndOptions): Notice {
  const said = noticeOf(fault, { ...names, way })
  if (said.action?.id === 'resume-sign-in' && !isResumable) return notice(said.text, way)
  const isRepeatable = said.action?.id === 'retry' || said.action?.id === 'show-log'
  return isRepeatable
    ? { text: said.text, action: { id: isAddressOpen ? 'change-address' : way, label: 'Retry' } }
    : said
}

/** Where this way in does not lead on. */
export function otherWay(way: SignInMethod, service: Service | undefined, canUseBrowser: boolean): SignInMethod {
  if (way === 'sign-in-with-browser') return service?.isRegistrationOffered === false ? 'use-key' : 'sign-in'
  return way === 'sign-in' && service?.browser && canUseBrowser ? 'sign-in-with-browser' : 'use-key'
}

/** The user's own doing is no fault, but it is said: whoever closed the wrong thing finds the way back. */
export function cancelledEnding(way: SignInMethod): Notice {
  return notice('The sign-in was cancelled; no key was kept.', way)
}

/** Another window has signed in meanwhile. Undefined where `accountNews.ts` tells it. */
export function overtakenEnding({ state, unread }: Account): Notice | undefined {
  if (state.is === 'out' && state.why === 'elsewhere') return undefined
  const [place] = unread
  if (place) {
    const host = new URL(place).host
    const text = `Another window has signed in at ${host} meanwhile, so this sign-in has ended. Reload this window to see that one.`
    return notice(text, 'reload-window')
  }
  if (state.is !== 'in') return undefined
  return notice(`You are signed in to ${sanitize(state.account.service)} already, so this sign-in has ended.`)
}

const UNUSED = 'If you had approved it already, revoke the unused key on the dashboard under API Keys.'

/** The window of a sign-in went away in its middle, and nobody is signed in. */
export function cutOffEnding({ last, way }: CutOff): Notice {
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
