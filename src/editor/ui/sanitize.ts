// `sanitize` and `sanitized`: escape untrusted text for places that the editor draws.
import { sanitizeLine } from '../../base/text.ts'

/** The editor turns `[label](command:…)` in a notification into a link that runs, and `$(name)` elsewhere into an icon. */
export function sanitize(text: string): string {
  if (isAddress(text)) return text
  return sanitizeLine(text)
    .replace(/[[\]`<>]/g, ' ')
    .replace(/\$\(/g, '$ (')
    .replace(/\s+/g, ' ')
    .trim()
}

/** The host of a URL may be a number in brackets (RFC 3986 3.2.2). */
const isAddress = (text: string) => /^\[[\da-f:.]{2,45}\](:\d{1,5})?$/i.test(text)

/** The values of a sentence's placeholders, escaped. */
export function sanitized<Name extends string>(values: Readonly<Record<Name, string>>): Record<Name, string> {
  const clean = Object.entries<string>(values).map(([name, value]) => [name, sanitize(value)])
  return Object.fromEntries(clean) as Record<Name, string> // as: the same names
}
