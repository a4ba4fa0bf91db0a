// `signInTitle`: the text of the notification of a sign-in that is under way, with its actions as links.
import { l10n } from 'vscode'
import type { Clock } from '../../base/clock.ts'
import type { SignInState } from '../../core/account/signInState.ts'
import { grouped, remainingMs, troubleText } from '../ui/codeText.ts'
import { sanitize } from '../ui/sanitize.ts'
import { sentences } from '../ui/sentences.ts'

type CodeState = Extract<SignInState, { is: 'code' }>
type BrowserState = Extract<SignInState, { is: 'browser' }>

/** Empty for a step without such a notification. */
export function signInTitle(state: SignInState, clock: Clock): string {
  switch (state.is) {
    case 'registering':
      return l10n.t('{service}: registering…', { service: sanitize(state.service.name) })
    case 'code':
      return codeTitle(state, clock)
    case 'browser':
      return browserTitle(state)
    case 'fetching the key':
      return l10n.t('Sign in to {service}: Fetching the key. The key can use your plan until you revoke it.', {
        service: sanitize(state.service.name),
      })
    default:
      return ''
  }
}

function codeTitle(state: CodeState, clock: Clock): string {
  const { step } = state
  const service = sanitize(state.service.name)
  if (step.is === 'renewing') return l10n.t('{service}: getting a new code…', { service })
  const leftMs = remainingMs(step, clock)
  const trouble = troubleText(step, clock)
  if (leftMs === 0) {
    const renew = `[${l10n.t('Get a New Code')}](command:kourier.signIn.renew)`
    return sentences(l10n.t('{service}: the code has expired.', { service }), trouble, renew)
  }
  const links = l10n.t('[Open Browser]({open}) | [Copy Code]({copy})', {
    open: 'command:kourier.signIn.openBrowser',
    copy: 'command:kourier.signIn.copyCode',
  })
  return sentences(enterText(state, leftMs), trouble, links)
}

/** Changes only once a minute, because a notification that is redrawn each second distracts. */
function enterText({ service, tag, step: { code } }: CodeState, leftMs: number): string {
  const minutes = Math.round(leftMs / 60_000)
  const values = { service: sanitize(service.name), code: grouped(code.text), host: code.host, tag, minutes }
  if (leftMs < 60_000)
    return l10n.t(
      '{service}: enter code {code} at {host} (less than a minute left; the page must show the tag {tag}).',
      values,
    )
  return minutes === 1
    ? l10n.t('{service}: enter code {code} at {host} (1 minute left; the page must show the tag {tag}).', values)
    : l10n.t(
        '{service}: enter code {code} at {host} ({minutes} minutes left; the page must show the tag {tag}).',
        values,
      )
}

/** The link reopens the page, because the user may have closed it. */
function browserTitle({ service: { name, issuer }, page }: BrowserState): string {
  const waiting = l10n.t(
    'Sign in to {service}: Waiting for your approval in the browser, at {host}. The key can use your plan until you revoke it.',
    { service: sanitize(name), host: new URL(issuer).host },
  )
  const again = `[${l10n.t('Open the Page Again')}](command:kourier.signIn.openBrowser)`
  return sentences(waiting, page === undefined ? undefined : again)
}
