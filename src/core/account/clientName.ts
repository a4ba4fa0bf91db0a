// The client name that the service's page shows, with the random tag by which the user recognizes this attempt.
import { sanitizeLine } from '../../base/text.ts'

/** No letters that look or sound alike. */
const LETTERS = 'abcdefhkmnprstwxyz'
const TAG_LENGTH = 4

/**
 * A short random word for each attempt. The editor and the service's page both show it, so that the user recognizes a
 * code of another attempt (RFC 8628 5.4).
 */
export function newTag(): string {
  return Array.from({ length: TAG_LENGTH }, randomLetter).join('')
}

/** `machine`: the name of the machine that the key would be used on. */
export function clientName(machine: string, tag: string): string {
  return `Kourier on ${sanitizeLine(machine, 60)} (${tag})`
}

/** Every letter as likely as any other: numbers beyond the last whole round are drawn again. */
function randomLetter(): string {
  const [number = 0] = crypto.getRandomValues(new Uint8Array(1))
  return number < 256 - (256 % LETTERS.length) ? LETTERS.charAt(number % LETTERS.length) : randomLetter()
}
