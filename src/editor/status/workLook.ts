// How the status bar item looks while somebody is signed in and nothing is waited for.
import type { SessionState } from '../../core/agent/session.ts'
import { TransportError } from '../../core/http/errors.ts'
import type { QueueState } from '../../core/schedule/scheduler.ts'
import { sanitize } from '../ui/sanitize.ts'
import { holderTexts, usage } from '../ui/waitText.ts'

export interface Look {
  readonly text: string
  readonly tooltip: string
  readonly isWarning?: boolean
}

/** A service that was reached and broke off, or fell silent, is not out of reach. */
const unreached: readonly TransportError['why'][] = ['name not found', 'refused', 'unreachable', 'connect timeout']

export function workLook(session: SessionState, line: QueueState, isCompleting: boolean, who: string): Look {
  if (session.is === 'failed' && session.fault instanceof TransportError && unreached.includes(session.fault.why)) {
    const { host, proxy, isProxyFault } = session.fault
    return {
      text: '$(debug-disconnect) Kourier: offline',
      tooltip: `${isProxyFault ? `The proxy ${proxy}` : host} could not be reached. Retry in the chat.`,
    }
  }
  if (line.holders.some(({ isOwn }) => isOwn))
    return { text: '$(loading~spin) Kourier', tooltip: lines(`Working (${usage(line)})`, line) }
  const quiet = isCompleting ? '' : ' Completions are off.'
  return {
    text: isCompleting ? '$(sparkle) Kourier' : '$(circle-slash) Kourier',
    tooltip: `${who}${quiet} Select for the menu.`,
  }
}

/** A sentence, and below it who holds the slots. */
export function lines(first: string, line: QueueState): string {
  return [first, ...holderTexts(line).map(sanitize)].join('\n')
}
