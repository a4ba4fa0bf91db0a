// Waits in words: for the page, the status bar and the menu.
import { durationText, plural } from '../../base/text.ts'
import type { Wait } from '../../core/model/queuedClient.ts'
import type { Lane } from '../../core/schedule/lane.ts'
import type { QueueState } from '../../core/schedule/scheduler.ts'
import type { PanelWait } from '../../protocol/panel.ts'
import { sanitize } from './sanitize.ts'

const laneNames: Readonly<Record<Lane, string>> = {
  chat: 'chat',
  edit: 'inline edit',
  agent: 'agent turn',
  completion: 'completion',
  background: 'background work',
}

/** A wait as the page draws it; `now` is `Clock.elapsed`. */
export function panelWait(wait: Wait, now: number): PanelWait {
  switch (wait.is) {
    case 'in line':
      return { text: `Waiting for a free slot (${usage(wait)})`, details: lineDetails(wait) }
    case 'slow':
      return { text: 'Waiting for the model', time: { since: now - wait.since } }
    case 'trying again':
      return {
        text: againText(wait),
        time: { left: Math.max(0, wait.at - now) },
        ...(!wait.isAutomatic && { over: 'The wait that the service asked for is over' }),
      }
  }
}

/** A refusal in the middle of an answer, which nobody but the user asks for again. */
export const heldWait: PanelWait = { text: "The plan's limit is reached; what arrived is kept" }
/** The same before the first word. */
export const heldQuestion: PanelWait = { text: "The plan's limit is reached; the question is kept" }

/** A wait in one line, as it is now. */
export function waitText(wait: Wait, now: number): string {
  const { text, time, over } = panelWait(wait, now)
  if (wait.is === 'in line') return `${text}. ${placeText(wait)}`
  if (!time) return text
  if (!('left' in time)) return `${text} (${durationText(time.since)})`
  return over && time.left === 0 ? over : `${text} ${durationText(time.left)}`
}

/** What a notification says of `count` requests that wait; the links are commands of ours. */
export function waitingText(wait: Wait, count: number, now: number): string {
  const held = wait.is === 'in line' ? holderTexts(wait).map(text => ` In use by ${sanitize(text)}.`) : []
  const others = count > 1 ? ` ${plural(count, 'request')} wait.` : ''
  const retry = wait.is === 'trying again' ? ' [Retry now](command:kourier.retryNow)' : ''
  return `${waitText(wait, now)}.${held.join('')}${others}${retry}`
}

/** `2 of 3 in use`. */
export function usage({ holders, limit }: QueueState): string {
  return `${holders.length} of ${limit} in use`
}

/** Who holds the slots: by window and purpose, such as `this window: chat, completion`. */
export function holderTexts({ holders }: QueueState): string[] {
  const byWindow = Map.groupBy(holders, ({ window, isOwn }) => (isOwn ? 'this window' : window || 'another window'))
  return [...byWindow].map(([window, held]) => `${window}: ${held.map(({ lane }) => laneNames[lane]).join(', ')}`)
}

function lineDetails(wait: Extract<Wait, { is: 'in line' }>): string[] {
  return [`${placeText(wait)}.`, ...holderTexts(wait).map(text => `In use by ${text}.`)]
}

function placeText({ place }: Extract<Wait, { is: 'in line' }>): string {
  return place === 1 ? 'You are next' : `${plural(place - 1, 'request')} before you`
}

function againText({ why, isAutomatic }: Extract<Wait, { is: 'trying again' }>): string {
  if (why === 'trouble') return 'The service stumbled; trying again in'
  return isAutomatic
    ? "The plan's limit is reached; trying again in"
    : "The plan's limit is reached; the service asks to wait"
}
