// How long the service asked us to wait.
import { readHttpDate } from './httpDate.ts'

/** Longer waits than this are shown to the user, never slept through. */
export const LONGEST_PATIENCE_MS = 60_000

/**
 * `Retry-After` in milliseconds (RFC 9110 10.2.3): whole seconds or a date, rounded up to whole seconds, never below 0.
 * Junk counts as missing: NaN in a timer would fire at once and hammer the service.
 */
export function readRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  const value = header?.trim()
  if (!value) return undefined
  if (/^\d{1,15}$/.test(value)) return Number(value) * 1000
  const at = readHttpDate(value)
  return at === undefined ? undefined : Math.max(0, Math.ceil((at - nowMs) / 1000) * 1000)
}
