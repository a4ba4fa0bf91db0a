// A sign-in with a code or the browser as text: the code, its time, what is wrong with it, and the notification.
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

/** Changes only once a minute, because a notification that is redrawn each second distracts. */
export function leftText(leftMs: number): string {
  const minutes = Math.round(leftMs / 60_000)
  if (leftMs >= 60_000) return minutes === 1 ? l10n.t('1 minute left') : l10n.t('{minutes} minutes left', { minutes })
  return leftMs > 0 ? l10n.t('less than a minute left') : l10n.t('expired')
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

/** The text after the service's name in the notification, with its actions as links. */
export function codeTitle(step: CodeStep, tag: string, clock: Clock): string {
  const leftMs = remainingMs(step, clock)
  if (step.is === 'renewing') return l10n.t('getting a new code…')
  const trouble = troubleText(step, clock)
  if (leftMs === 0) {
    const renew = `[${l10n.t('Get a New Code')}](command:kourier.signIn.renew)`
    return sentences(l10n.t('the code has expired.'), trouble, renew)
  }
  const values = { code: grouped(step.code.text), host: step.code.host, left: leftText(leftMs), tag }
  const enter = l10n.t('enter code {code} at {host} ({left}; the page must show the tag {tag}).', values)
  const open = `[${l10n.t('Open Browser')}](command:kourier.signIn.openBrowser)`
  const copy = `[${l10n.t('Copy Code')}](command:kourier.signIn.copyCode)`
  return sentences(enter, trouble, `${open} | ${copy}`)
}

/** The text there while there is no code yet. */
export function registeringTitle(): string {
  return l10n.t('registering…')
}

/** The text there during a sign-in with the browser. The link reopens the page, because the user may have closed it. */
export function browserTitle(text: string, isOpen: boolean): string {
  const again = isOpen ? `[${l10n.t('Open the Page Again')}](command:kourier.signIn.openBrowser)` : undefined
  return sentences(l10n.t('{text}. The key can use your plan until you revoke it.', { text }), again)
}

const sentences = (...parts: readonly (string | undefined)[]): string => parts.filter(Boolean).join(' ')
