// A live code as text: for the notification, the status bar and the page.
import type { Clock } from '../../base/clock.ts'
import type { CeremonyStep } from '../../core/auth/ceremony.ts'

type Showing = Extract<CeremonyStep, { is: 'showing' }>

/** Digits in groups that a person can keep in mind: `1234 5678`, `123 456`. */
export function grouped(code: string): string {
  const size = code.length % 3 === 0 && code.length % 4 !== 0 ? 3 : 4
  return code.match(new RegExp(`.{1,${size}}`, 'g'))?.join(' ') ?? code
}

/** Milliseconds until the code ends; 0 when it has. */
export function remainingMs(step: Showing, clock: Clock): number {
  return step.isExpired ? 0 : Math.max(step.endsAt - clock.elapsed(), 0)
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

/** What stands behind the service's name in the notification, with its two actions as links. */
export function codeTitle(step: Showing, clock: Clock): string {
  const leftMs = remainingMs(step, clock)
  if (step.isRenewing) return 'getting a new code…'
  const actions = '[Open Browser](command:kourier.signIn.openBrowser) | [Copy Code](command:kourier.signIn.copyCode)'
  if (leftMs === 0) return 'the code has expired. [Get a New Code](command:kourier.signIn.renew)'
  const trouble = step.isTroubled ? ' The service does not answer at the moment; still trying.' : ''
  return `enter code ${grouped(step.code.text)} at ${step.code.host} (${leftText(leftMs)}).${trouble} ${actions}`
}
