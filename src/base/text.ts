// Functions on text: clipping, lines, common prefixes and overlaps, escaping of untrusted text, percent-encoding, durations and countdowns.

/** At most `limit` characters; an ellipsis marks a cut. Never splits a surrogate pair. */
export function clip(text: string, limit: number): string {
  if (text.length <= limit) return text
  if (limit < 1) return ''
  const end = isHighSurrogate(text, limit - 2) ? limit - 2 : limit - 1
  return `${text.slice(0, end)}…`
}

function isHighSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  return unit >= 0xd800 && unit <= 0xdbff
}

/** Length of the longest end of `a` that is also the beginning of `b`. */
export function overlapLength(a: string, b: string): number {
  for (let length = Math.min(a.length, b.length); length > 0; length--) {
    if (a.endsWith(b.slice(0, length))) return length
  }
  return 0
}

/** As it is where it is not percent-encoded. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The name of a file as the editor writes it in a URI. */
export function percentEncoded(name: string): string {
  return encodeURIComponent(name).replace(/[!'()*]/g, sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** Untrusted text as one line: no control characters, no direction marks, white space folded. */
export function sanitizeLine(text: string, limit = 300): string {
  const visible = text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: taking them out is the purpose
    .replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')
    .replace(/[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|\udb40[\udc00-\udc7f]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  return clip(visible, limit)
}

export interface Duration {
  /** At least 1 second, and at least 2 of the other units. */
  readonly count: number
  readonly unit: 'second' | 'minute' | 'hour' | 'day'
}

/** A duration in one unit, rounded up. */
export function durationOf(ms: number): Duration {
  const seconds = Math.max(1, Math.ceil(ms / 1_000))
  if (seconds < 120) return { count: seconds, unit: 'second' }
  const minutes = Math.ceil(seconds / 60)
  if (minutes < 120) return { count: minutes, unit: 'minute' }
  const hours = Math.ceil(minutes / 60)
  return hours < 48 ? { count: hours, unit: 'hour' } : { count: Math.ceil(hours / 24), unit: 'day' }
}

/** `9:58`. */
export function countdown(leftMs: number): string {
  const seconds = Math.ceil(leftMs / 1_000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** What follows the line at the beginning of a text; undefined where the text does not begin with exactly this line. */
export function textBehind(text: string, line: string): string | undefined {
  if (text === line) return ''
  return text.startsWith(`${line}\n`) ? text.slice(line.length + 1) : undefined
}
