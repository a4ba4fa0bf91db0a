// `waitingText`: the text of the notification about waiting requests: why they wait, for how long, and who is before them.
import { l10n } from 'vscode'
import type { Wait } from '../../core/model/queuedClient.ts'
import { localDuration } from '../ui/localDuration.ts'
import { sentences } from '../ui/sentences.ts'
import { inUseTexts, usage } from '../ui/waitText.ts'

/** `count`: how many requests wait. `now`: `Clock.elapsed`. The link runs a command of this extension. */
export function waitingText(wait: Wait, count: number, now: number): string {
  return sentences(
    reasonText(wait, now),
    ...(wait.is === 'in line' ? inUseTexts(wait) : []),
    count > 1 ? l10n.t('{count} requests wait.', { count }) : undefined,
    wait.is === 'trying again' ? `[${l10n.t('Retry now')}](command:kourier.retryNow)` : undefined,
  )
}

function reasonText(wait: Wait, now: number): string {
  switch (wait.is) {
    case 'in line':
      return queueText(wait)
    case 'slow':
      return l10n.t('Waiting for the model ({time}).', { time: localDuration(now - wait.since) })
    case 'trying again':
      return againText(wait, Math.max(0, wait.at - now))
  }
}

function queueText(wait: Extract<Wait, { is: 'in line' }>): string {
  const values = { ...usage(wait), count: wait.place - 1 }
  switch (wait.place) {
    case 1:
      return l10n.t('Waiting for a free slot ({used} of {limit} in use). You are next.', values)
    case 2:
      return l10n.t('Waiting for a free slot ({used} of {limit} in use). 1 request before you.', values)
    default:
      return l10n.t('Waiting for a free slot ({used} of {limit} in use). {count} requests before you.', values)
  }
}

function againText({ why, isAutomatic }: Extract<Wait, { is: 'trying again' }>, leftMs: number): string {
  if (leftMs === 0 && !isAutomatic) return l10n.t('The wait that the service asked for is over.')
  const time = { time: localDuration(leftMs) }
  switch (why) {
    case 'trouble':
      return l10n.t('The service failed; trying again in {time}.', time)
    case 'overload':
      return l10n.t('The service is overloaded; trying again in {time}.', time)
    case 'limit':
      return isAutomatic
        ? l10n.t("The plan's limit is reached; trying again in {time}.", time)
        : l10n.t("The plan's limit is reached; the service asks to wait {time}.", time)
  }
}
