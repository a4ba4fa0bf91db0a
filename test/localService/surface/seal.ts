// Marks reasoning so that the service knows its own when it is sent back.
import { createHmac } from 'node:crypto'
import { isObject, isString } from '../json.ts'

/** No secret: what is sealed is the caller's own, and nothing hangs on it but an error that reports an edit. */
const sealKey = 'reasoning of the local service'

export const sealOf = (text: string): string => createHmac('sha256', sealKey).update(text).digest('base64')

/** The text with its seal in one opaque word. */
export const sealed = (text: string): string =>
  Buffer.from(JSON.stringify({ text, seal: sealOf(text) })).toString('base64url')

export function isSealed(word: string): boolean {
  try {
    const json: unknown = JSON.parse(Buffer.from(word, 'base64url').toString())
    return isObject(json) && isString(json['text']) && json['seal'] === sealOf(json['text'])
  } catch {
    return false
  }
}
