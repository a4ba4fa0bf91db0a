// The name under which the service's page shows this editor, and the tag that proves it.
import { randomInt } from 'node:crypto'
import { hostname } from 'node:os'
import { plainLine } from '../../base/text.ts'

/** No letters that look or sound alike. */
const LETTERS = 'abcdefhkmnprstwxyz'
const TAG_LENGTH = 4

/**
 * A short random word, fresh for each attempt. The editor shows it and so does the service's page: a code that somebody
 * else sent comes with another tag.
 */
export function newTag(): string {
  return Array.from({ length: TAG_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')
}

export function clientName(tag: string): string {
  return `Kourier on ${plainLine(hostname(), 60)} (${tag})`
}
