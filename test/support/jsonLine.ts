// `jsonLine`: a value as one line of JSON for a reader that uses `readline`.

/** `readline` also ends a line at the line separators of Unicode, which JSON does not escape. */
export function jsonLine(value: unknown): string {
  const escaped = JSON.stringify(value).replace(
    /[\u2028\u2029]/g,
    separator => `\\u${separator.charCodeAt(0).toString(16)}`,
  )
  return `${escaped}\n`
}
