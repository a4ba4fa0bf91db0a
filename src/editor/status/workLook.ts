// How the status bar item looks while somebody is signed in and nothing is waited for.
import { l10n } from 'vscode'
import type { SessionState } from '../../core/agent/session.ts'
import { TransportError } from '../../core/http/errors.ts'
import type { QueueState } from '../../core/schedule/scheduler.ts'
import { sanitize, sanitized } from '../ui/sanitize.ts'
import { holderTexts, usage } from '../ui/waitText.ts'

export interface Look {
  readonly text: string
  readonly tooltip: string
  readonly isWarning?: boolean
}

export function workLook(session: SessionState, line: QueueState, isCompleting: boolean, who: string): Look {
  if (session.is === 'failed' && isUnreached(session.fault))
    return { text: '$(debug-disconnect) Kourier: offline', tooltip: unreachedText(session.fault) }
  if (line.holders.some(({ isOwn }) => isOwn))
    return { text: '$(loading~spin) Kourier', tooltip: lines(`Working (${usage(line)})`, line) }
  const quiet = isCompleting ? '' : ' Completions are off.'
  return {
    text: isCompleting ? '$(sparkle) Kourier' : '$(circle-slash) Kourier',
    tooltip: `${who}${quiet} Select for the menu.`,
  }
}

/** A service that was reached and broke off, or stopped responding, is not out of reach. */
function isUnreached(fault: unknown): fault is TransportError {
  return fault instanceof TransportError && fault.where === 'before sending' && fault.mayRepeat
}

function unreachedText({ host, proxy = '', isProxyFault }: TransportError): string {
  return isProxyFault
    ? l10n.t('The proxy {proxy} could not be reached. Retry in the chat.', sanitized({ proxy }))
    : l10n.t('{host} could not be reached. Retry in the chat.', sanitized({ host }))
}

/** A sentence, and below it who holds the slots. */
export function lines(first: string, line: QueueState): string {
  return [first, ...holderTexts(line).map(sanitize)].join('\n')
}
