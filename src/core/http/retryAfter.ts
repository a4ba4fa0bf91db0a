// How long the service asked us to wait.

/** Longer waits than this are shown to the user, never slept through. */
export const LONGEST_PATIENCE_MS = 60_000

/** The three date forms of RFC 9110 5.6.7; anything looser that `Date.parse` would take is junk here. */
const httpDate =
  /^(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4})$/

/**
 * `Retry-After` in milliseconds (RFC 9110 10.2.3): whole seconds or a date, rounded up to whole seconds, never below 0.
 * Junk counts as missing: NaN in a timer would fire at once and hammer the service.
 */
export function readRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  const value = header?.trim()
  if (!value) return undefined
  if (/^\d{1,15}$/.test(value)) return Number(value) * 1000
  if (!httpDate.test(value)) return undefined
  // The old asctime form names no zone, but means GMT.
  const at = Date.parse(value.endsWith('GMT') ? value : `${value} GMT`)
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - nowMs) / 1000) * 1000)
}
