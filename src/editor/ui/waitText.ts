// What a request waits for and who holds the slots, as text: for the page, the status bar and the menu.
import { l10n } from 'vscode'
import type { Wait } from '../../core/model/queuedClient.ts'
import type { Lane } from '../../core/schedule/lane.ts'
import type { QueueState } from '../../core/schedule/scheduler.ts'
import type { PanelWait } from '../../protocol/panel.ts'
import { TIME } from '../../protocol/timePlaceholder.ts'
import { listed } from './listed.ts'
import { localDuration } from './localDuration.ts'
import { sanitize } from './sanitize.ts'

type InLine = Extract<Wait, { is: 'in line' }>

/** The placeholder of the page's protocol, which the page replaces by the current time. */
const time = { time: TIME }

/** A wait as the page draws it; `now` is `Clock.elapsed`. */
export function panelWait(wait: Wait, now: number): PanelWait {
  switch (wait.is) {
    case 'in line':
      return {
        text: l10n.t('Waiting for a free slot ({used} of {limit} in use)', usage(wait)),
        details: details(wait),
      }
    case 'slow':
      return { text: l10n.t('Waiting for the model ({time})', time), time: { since: now - wait.since } }
    case 'trying again':
      return {
        text: againText(wait),
        time: { left: Math.max(0, wait.at - now) },
        ...(!wait.isAutomatic && { over: l10n.t('The wait that the service asked for is over') }),
      }
  }
}

/** The plan's limit ended an answer that had begun; only the user can retry it. */
export function heldWait(): PanelWait {
  return { text: l10n.t("The plan's limit is reached; what arrived is kept") }
}

/** The same before any text of the answer. */
export function heldQuestion(): PanelWait {
  return { text: l10n.t("The plan's limit is reached; the question is kept") }
}

/** A wait in one line, with its time now. */
export function waitText(wait: Wait, now: number): string {
  if (wait.is === 'in line') return queueText(wait)
  const { text, time, over } = panelWait(wait, now)
  if (!time) return text
  if ('since' in time) return text.replace(TIME, localDuration(time.since))
  return over && time.left === 0 ? over : text.replace(TIME, localDuration(time.left))
}

/** How many slots are in use, and how many there are; the values of a sentence. */
export function usage({ holders, limit }: QueueState): { used: number; limit: number } {
  return { used: holders.length, limit }
}

/** Who holds the slots: by window and purpose, such as `this window: chat, completion`. */
export function holderTexts(queue: QueueState): string[] {
  return workByWindow(queue).map(({ window, work }) => {
    if (window === undefined) return l10n.t('this window: {work}', { work })
    return window ? l10n.t('{window}: {work}', { window, work }) : l10n.t('another window: {work}', { work })
  })
}

/** The same as whole sentences. */
export function inUseTexts(queue: QueueState): string[] {
  return workByWindow(queue).map(({ window, work }) => {
    if (window === undefined) return l10n.t('In use by this window: {work}.', { work })
    return window
      ? l10n.t('In use by {window}: {work}.', { window, work })
      : l10n.t('In use by another window: {work}.', { work })
  })
}

interface WindowWork {
  /** Its name, escaped; undefined for this window, empty for another one without a name. */
  readonly window: string | undefined
  readonly work: string
}

function workByWindow({ holders }: QueueState): WindowWork[] {
  const names = laneNames()
  const byWindow = Map.groupBy(holders, ({ window, isOwn }) => (isOwn ? undefined : sanitize(window)))
  return [...byWindow].map(([window, held]) => ({
    window,
    work: listed(
      held.map(({ lane }) => names[lane]),
      'unit',
    ),
  }))
}

function laneNames(): Readonly<Record<Lane, string>> {
  return {
    chat: l10n.t('chat'),
    edit: l10n.t('inline edit'),
    agent: l10n.t('agent turn'),
    completion: l10n.t('completion'),
    background: l10n.t('background work'),
  }
}

function details(wait: InLine): string[] {
  return [placeText(wait), ...inUseTexts(wait)]
}

function placeText({ place }: InLine): string {
  if (place === 1) return l10n.t('You are next.')
  return place === 2 ? l10n.t('1 request before you.') : l10n.t('{count} requests before you.', { count: place - 1 })
}

function queueText(wait: InLine): string {
  const values = { ...usage(wait), count: wait.place - 1 }
  switch (wait.place) {
    case 1:
      return l10n.t('Waiting for a free slot ({used} of {limit} in use). You are next', values)
    case 2:
      return l10n.t('Waiting for a free slot ({used} of {limit} in use). 1 request before you', values)
    default:
      return l10n.t('Waiting for a free slot ({used} of {limit} in use). {count} requests before you', values)
  }
}

function againText({ why, isAutomatic }: Extract<Wait, { is: 'trying again' }>): string {
  switch (why) {
    case 'trouble':
      return l10n.t('The service failed; trying again in {time}', time)
    case 'overload':
      return l10n.t('The service is overloaded; trying again in {time}', time)
    case 'limit':
      return isAutomatic
        ? l10n.t("The plan's limit is reached; trying again in {time}", time)
        : l10n.t("The plan's limit is reached; the service asks to wait {time}", time)
  }
}
