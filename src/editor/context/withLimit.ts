// `withLimit`: waits for an answer of the editor, but not longer than a limit.
import { raceAbort, sleep } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'

/** Undefined for a fault and after the limit, because others have answers as well. */
export async function withLimit<T>(
  asked: Thenable<T>,
  limitMs: number,
  clock: Clock,
  signal: AbortSignal,
): Promise<T | undefined> {
  const over = new AbortController()
  const answered = Promise.resolve(asked).catch(() => undefined)
  const late = sleep(clock, limitMs, over.signal).then(
    () => undefined,
    () => undefined,
  )
  try {
    return await raceAbort(Promise.race([answered, late]), signal)
  } finally {
    over.abort()
  }
}
