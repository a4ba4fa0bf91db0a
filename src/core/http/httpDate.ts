// Reads the dates of HTTP headers, and the service's time from a response.

/** The three date forms of RFC 9110 5.6.7; other texts that `Date.parse` accepts are no date here. */
const httpDate =
  /^(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4})$/

/** In milliseconds since 1970; undefined where the text is no date. */
export function readHttpDate(text: string): number | undefined {
  if (!httpDate.test(text)) return undefined
  // The old asctime form names no zone, but means GMT.
  const at = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
  return Number.isNaN(at) ? undefined : at
}

/** The service's time from the `Date` header, else ours, because the service's other dates are of its own clock. */
export function serviceTime(headers: Readonly<Record<string, string>>, nowMs: number): number {
  return readHttpDate(headers['date']?.trim() ?? '') ?? nowMs
}
