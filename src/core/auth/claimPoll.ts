// The waiting: pace, slow down, two ends of time, stop.
import { orStop, sleep } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'
import type { Problem } from '../../protocol/problem.ts'
import type { Code } from './registration.ts'
import type { PollAnswer } from './token.ts'

/** How the waiting for one code ended. */
export type PollEnd =
  | { readonly is: 'granted'; readonly key: string }
  | { readonly is: 'code expired' }
  | { readonly is: 'denied'; readonly problem: Problem }
  | { readonly is: 'refused'; readonly problem: Problem }
  | { readonly is: 'lost' }

export interface PollOptions {
  readonly clock: Clock
  /** One poll. It is not stopped half way: its answer may be the only one that carries the key. */
  readonly ask: () => Promise<PollAnswer>
  /** The user stopped while a poll was on its way, and it came back with this key. */
  readonly onStray: (key: string) => void
  /** The service could not be asked (a fault), or could be asked again (undefined). */
  readonly onTrouble: (fault: unknown) => void
}

/** RFC 8628 3.5: for this and all later polls. */
export const SLOW_DOWN_MS = 5_000
const LONGEST_PAUSE_MS = 30_000

/**
 * Polls while `code` is valid, never faster than its interval, and once more after its end: an approval that came in
 * the last moment is still collected. Rejects only with the signal's reason.
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
    const answer = await askWhole(options, signal)
    if (answer.is === 'slow down') intervalMs += SLOW_DOWN_MS
    troubles = answer.is === 'unclear' ? troubles + 1 : 0
    options.onTrouble(answer.is === 'unclear' ? answer.fault : undefined)
    const end = endOf(answer, isLast)
    if (end) return end
    const asked = 'waitMs' in answer ? (answer.waitMs ?? 0) : 0
    pauseMs = Math.max(intervalMs, asked, troubles > 0 ? Math.min(intervalMs * 2 ** troubles, LONGEST_PAUSE_MS) : 0)
  }
}

function endOf(answer: PollAnswer, isLast: boolean): PollEnd | undefined {
  switch (answer.is) {
    case 'granted':
    case 'denied':
    case 'refused':
    case 'lost':
      return answer
    case 'expired':
      return { is: 'code expired' }
    case 'pending':
    case 'slow down':
    case 'unclear':
      return isLast ? { is: 'code expired' } : undefined
  }
}

/** A stop is obeyed at once, but a poll on its way is heard to its end. */
export async function askWhole(
  { ask, onStray }: Pick<PollOptions, 'ask' | 'onStray'>,
  signal: AbortSignal,
): Promise<PollAnswer> {
  const asked = ask()
  try {
    return await orStop(asked, signal)
  } catch (stopped) {
    asked.then(
      answer => answer.is === 'granted' && onStray(answer.key),
      () => {},
    )
    throw stopped
  }
}
