// Clipping, line splitting, common prefixes.

/** At most `limit` characters; what is cut is said by an ellipsis. Never splits a surrogate pair. */
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

export function splitLines(text: string): string[] {
  return text.split(/\r\n|\r|\n/)
}

export function commonPrefixLength(a: string, b: string): number {
  const limit = Math.min(a.length, b.length)
  for (let at = 0; at < limit; at++) if (a[at] !== b[at]) return at
  return limit
}

/** Length of the longest end of `a` that is also the beginning of `b`. */
export function overlapLength(a: string, b: string): number {
  for (let length = Math.min(a.length, b.length); length > 0; length--) {
    if (a.endsWith(b.slice(0, length))) return length
  }
  return 0
}

/** Text from a stranger, fit to stand in one line: no control characters, no direction marks, white space folded. */
export function sanitizeLine(text: string, limit = 300): string {
  const visible = text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: taking them out is the purpose
    .replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')
    .replace(/[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|\udb40[\udc00-\udc7f]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  return clip(visible, limit)
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

/** How long, in the one unit that says it best: `7 s`, `28 minutes`. Never less than `1 s`. */
export function durationText(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1_000))
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.ceil(seconds / 60)
  if (minutes < 120) return plural(minutes, 'minute')
  const hours = Math.ceil(minutes / 60)
  return hours < 48 ? plural(hours, 'hour') : plural(Math.ceil(hours / 24), 'day')
}
