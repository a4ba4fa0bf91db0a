// The code of a sign-in as text: the code itself, its time, and what is wrong with it.
import { l10n } from 'vscode'
import type { Clock } from '../../base/clock.ts'
import { type CodeStep, isExpired } from '../../core/account/codeStep.ts'

/** Digits in groups that are easy to remember: `1234 5678`, `123 456`. */
export function grouped(code: string): string {
  const size = code.length % 3 === 0 && code.length % 4 !== 0 ? 3 : 4
  return code.match(new RegExp(`.{1,${size}}`, 'g'))?.join(' ') ?? code
}

/** Milliseconds until the code expires; 0 when it has. */
export function remainingMs(step: CodeStep, clock: Clock): number {
  return isExpired(step) ? 0 : Math.max(step.endsAt - clock.elapsed(), 0)
}

/** A sentence on what is wrong with the code while the sign-in goes on; undefined where nothing is. */
export function troubleText(step: CodeStep, clock: Clock): string | undefined {
  if (step.is === 'renewing') return undefined
  const isLive = remainingMs(step, clock) > 0
  switch (step.status) {
    case 'live':
    case 'expired':
      return undefined
    case 'unreachable':
      return isLive ? l10n.t('The service does not answer at the moment; still trying.') : undefined
    case 'used':
      return isLive
        ? l10n.t(
            'The code has been used. If its page asks for more, such as a plan, answer it there; the key comes then.',
          )
        : undefined
    case 'not replaced':
    case 'expired, not replaced':
      return isLive
        ? l10n.t('The service did not give another code at the moment; this one still works.')
        : l10n.t('The service did not give another code; try again.')
  }
}
