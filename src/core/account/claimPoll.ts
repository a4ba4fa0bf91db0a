// Polls for the key of one code: interval, slow down, expiry and abort (RFC 8628 3.5).
import { raceAbort, sleep } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'
import { type Answer, type AnswerName, deviceFlowTable } from './deviceFlowTable.ts'
import type { Code } from './registration.ts'

type Polling = typeof deviceFlowTable.polling
type EndName = { [Name in AnswerName]: Polling[Name] extends 'keep' | 'end' ? Name : never }[AnswerName]

/** How the polling for one code ended. */
export type PollEnd = Extract<Answer, { is: EndName }> | { readonly is: 'code expired' }

export interface PollOptions {
  readonly clock: Clock
  /** One poll. It is not aborted, because its answer may be the only one that carries the key. */
  readonly ask: () => Promise<Answer>
  /** Receives the answer of a poll that was under way when the signal was aborted. */
  readonly onLate: (answer: Answer) => void
  /** Receives the fault of a poll that could not be answered, or undefined after one that was. */
  readonly onTrouble: (fault: unknown) => void
}

/** RFC 8628 3.5: for this and all later polls. */
export const SLOW_DOWN_MS = 5_000
const LONGEST_PAUSE_MS = 30_000

/**
 * Polls while `code` is valid, never faster than its interval, and once more after its end, because the user may have
 * approved just before. Rejects only with the signal's reason.
 */
export async function pollClaim(code: Code, options: PollOptions, signal: AbortSignal): Promise<PollEnd> {
  const { clock } = options
  const endsAt = clock.elapsed() + code.validMs
  let intervalMs = code.intervalMs
  let troubles = 0
  let pauseMs = intervalMs
  for (;;) {
    const leftMs = endsAt - clock.elapsed()
    await sleep(clock, leftMs > 0 ? Math.max(intervalMs, Math.min(pauseMs, leftMs)) : intervalMs, signal)
    const isLast = clock.elapsed() >= endsAt
    const answer = await askOrReportLate(options, signal)
    if (deviceFlowTable.polling[answer.is] === 'poll slower') intervalMs += SLOW_DOWN_MS
    troubles = answer.is === 'unclear' ? troubles + 1 : 0
    options.onTrouble(answer.is === 'unclear' ? answer.fault : undefined)
    const end = endOf(answer, isLast)
    if (end) return end
    const asked = 'waitMs' in answer ? (answer.waitMs ?? 0) : 0
    pauseMs = Math.max(intervalMs, asked, troubles > 0 ? Math.min(intervalMs * 2 ** troubles, LONGEST_PAUSE_MS) : 0)
  }
}

function endOf(answer: Answer, isLast: boolean): PollEnd | undefined {
  if (isEnd(answer)) return answer
  return isLast || deviceFlowTable.polling[answer.is] === 'expire' ? { is: 'code expired' } : undefined
}

function isEnd(answer: Answer): answer is Extract<Answer, { is: EndName }> {
  const move = deviceFlowTable.polling[answer.is]
  return move === 'keep' || move === 'end'
}

/** Rejects at once when the signal is aborted; the answer of the poll under way goes to `onLate` then. */
export async function askOrReportLate(
  { ask, onLate }: Pick<PollOptions, 'ask' | 'onLate'>,
  signal: AbortSignal,
): Promise<Answer> {
  const asked = ask()
  try {
    return await raceAbort(asked, signal)
  } catch (reason) {
    asked.then(onLate, () => {})
    throw reason
  }
}
