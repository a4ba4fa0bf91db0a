// A live code as text: for the notification, the status bar and the page.
import type { Clock } from '../../base/clock.ts'
import { type CodeStep, isExpired } from '../../core/account/deviceFlow.ts'

/** Digits in groups that a person can keep in mind: `1234 5678`, `123 456`. */
export function grouped(code: string): string {
  const size = code.length % 3 === 0 && code.length % 4 !== 0 ? 3 : 4
  return code.match(new RegExp(`.{1,${size}}`, 'g'))?.join(' ') ?? code
}

/** Milliseconds until the code ends; 0 when it has. */
export function remainingMs(step: CodeStep, clock: Clock): number {
  return isExpired(step) ? 0 : Math.max(step.endsAt - clock.elapsed(), 0)
}

/** `9:58`. */
export function countdown(leftMs: number): string {
  const seconds = Math.ceil(leftMs / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** In words, which change once a minute: a notification that moves each second is a nuisance. */
export function leftText(leftMs: number): string {
  const minutes = Math.round(leftMs / 60_000)
  if (leftMs >= 60_000) return minutes === 1 ? '1 minute left' : `${minutes} minutes left`
  return leftMs > 0 ? 'less than a minute left' : 'expired'
}

/** What a person should know of a code that is there beside its time, in one sentence; the sign-in goes on. */
export function troubleText(step: CodeStep, clock: Clock): string | undefined {
  if (step.is === 'renewing') return undefined
  const isLive = remainingMs(step, clock) > 0
  switch (step.status) {
    case 'live':
    case 'expired':
      return undefined
    case 'unreachable':
      return isLive ? 'The service does not answer at the moment; still trying.' : undefined
    case 'used':
      return isLive
        ? 'The code has been used. If its page asks for more, such as a plan, answer it there; the key comes then.'
        : undefined
    case 'not replaced':
    case 'expired, not replaced':
      return isLive
        ? 'The service did not give another code at the moment; this one still works.'
        : 'The service did not give another code; try again.'
  }
}

/** What stands behind the service's name in the notification, with its two actions as links. */
export function codeTitle(step: CodeStep, tag: string, clock: Clock): string {
  const leftMs = remainingMs(step, clock)
  if (step.is === 'renewing') return 'getting a new code…'
  const actions = '[Open Browser](command:kourier.signIn.openBrowser) | [Copy Code](command:kourier.signIn.copyCode)'
  const said = troubleText(step, clock)
  const trouble = said ? ` ${said}` : ''
  if (leftMs === 0) return `the code has expired.${trouble} [Get a New Code](command:kourier.signIn.renew)`
  const left = leftText(leftMs)
  return `enter code ${grouped(step.code.text)} at ${step.code.host} (${left}; the page must show the tag ${tag}).${trouble} ${actions}`
}

/** What stands there while there is no code yet, or none any more: `registering…`. */
export function workingTitle(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}…`
}

/** What stands there while the browser is waited for. Its page may have been closed, or never opened. */
export function browserTitle(text: string, isOpen: boolean): string {
  const again = isOpen ? ' [Open the Page Again](command:kourier.signIn.openBrowser)' : ''
  return `${text}. The key can use your plan until you revoke it.${again}`
}
