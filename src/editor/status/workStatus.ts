// `workStatus`: the status bar item while the user is signed in and no request waits.
import { l10n } from 'vscode'
import type { SessionState } from '../../core/agent/session.ts'
import { TransportError } from '../../core/http/errors.ts'
import type { QueueState } from '../../core/schedule/scheduler.ts'
import { sanitized } from '../ui/sanitize.ts'
import { sentences } from '../ui/sentences.ts'
import { holderTexts, usage } from '../ui/waitText.ts'

export interface StatusContent {
  readonly text: string
  readonly tooltip: string
  readonly isWarning?: boolean
}

export function workStatus(
  session: SessionState,
  queue: QueueState,
  isCompleting: boolean,
  who: string,
): StatusContent {
  if (session.is === 'failed' && isUnreachable(session.fault))
    return { text: `$(debug-disconnect) ${l10n.t('Kourier: offline')}`, tooltip: unreachableText(session.fault) }
  if (queue.holders.some(({ isOwn }) => isOwn)) {
    const working = l10n.t('Working ({used} of {limit} in use)', usage(queue))
    return { text: '$(loading~spin) Kourier', tooltip: withHolders(working, queue) }
  }
  const completionsOff = isCompleting ? undefined : l10n.t('Completions are off.')
  return {
    text: isCompleting ? '$(sparkle) Kourier' : '$(circle-slash) Kourier',
    tooltip: sentences(who, completionsOff, l10n.t('Select for the menu.')),
  }
}

/** Not true of a service that was reached but closed the connection or stopped responding. */
function isUnreachable(fault: unknown): fault is TransportError {
  return fault instanceof TransportError && fault.where === 'before sending' && fault.mayRepeat
}

function unreachableText({ host, proxy = '', isProxyFault }: TransportError): string {
  return isProxyFault
    ? l10n.t('The proxy {proxy} could not be reached. Retry in the chat.', sanitized({ proxy }))
    : l10n.t('{host} could not be reached. Retry in the chat.', sanitized({ host }))
}

/** A sentence, and below it the holders of the slots. */
export function withHolders(first: string, queue: QueueState): string {
  return [first, ...holderTexts(queue)].join('\n')
}
