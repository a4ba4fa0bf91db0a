// `readRetryAfter`: how long the service asks the client to wait.
import { readHttpDate } from './httpDate.ts'

/** After a longer wait a request is not repeated automatically; the user decides. */
export const LONGEST_AUTOMATIC_WAIT_MS = 60_000

/**
 * `Retry-After` in milliseconds (RFC 9110 10.2.3): whole seconds or a date, rounded up to whole seconds, never below 0.
 * An invalid header counts as missing, because a timer of NaN milliseconds would fire at once.
 */
export function readRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  const value = header?.trim()
  if (!value) return undefined
  if (/^\d{1,15}$/.test(value)) return Number(value) * 1000
  const at = readHttpDate(value)
  return at === undefined ? undefined : Math.max(0, Math.ceil((at - nowMs) / 1000) * 1000)
}
