// `workStatus`: the status bar item while the user is signed in and no request waits.
import { l10n } from 'vscode'
import type { SessionState } from '../../core/agent/session.ts'
import type { Silence } from '../../core/complete/silence.ts'
import { TransportError } from '../../core/http/errors.ts'
import type { QueueState } from '../../core/schedule/scheduler.ts'
import { localTime } from '../ui/localTime.ts'
import { sanitized } from '../ui/sanitize.ts'
import { sentences } from '../ui/sentences.ts'
import { holderTexts, usage } from '../ui/waitText.ts'
import { silenceText } from './silenceText.ts'

export interface StatusContent {
  readonly text: string
  readonly tooltip: string
  readonly isWarning?: boolean
}

export function workStatus(
  session: SessionState,
  queue: QueueState,
  silence: Silence | undefined,
  who: string,
): StatusContent {
  if (session.is === 'failed' && isUnreachable(session.fault))
    return { text: `$(debug-disconnect) ${l10n.t('Kourier: offline')}`, tooltip: unreachableText(session.fault) }
  // Not for completions, because the item would change with almost every key.
  if (queue.holders.some(({ isOwn, lane }) => isOwn && lane !== 'completion')) {
    const working = l10n.t('Working ({used} of {limit} in use)', usage(queue))
    return { text: '$(loading~spin) Kourier', tooltip: withHolders(working, queue) }
  }
  const why = silence && silenceText(silence).text
  return { text: readyText(silence), tooltip: sentences(who, why, l10n.t('Select for the menu.')) }
}

function readyText(silence: Silence | undefined): string {
  switch (silence?.why) {
    case 'no model':
      return `$(sparkle) ${l10n.t('Kourier: select a model')}`
    case 'snoozed':
      return `$(bell-slash) ${l10n.t('Kourier: snoozed until {time}', { time: localTime(silence.until) })}`
    case 'model thinks':
    case 'restricted':
    case 'off':
    case 'language off':
    case 'excluded':
    case 'looks secret':
    case 'holds a secret':
    case 'binary':
    case 'file too large':
      return '$(circle-slash) Kourier'
    case 'unreachable':
      return `$(debug-disconnect) ${l10n.t('Kourier: offline')}`
    default:
      return '$(sparkle) Kourier'
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
