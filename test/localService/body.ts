// Reads what a caller sent, once and bounded, and determines what it is.
import type { IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'

export const bodyLimitBytes = 8 * 1024 * 1024
/** Images come inside the request. */
export const inferenceLimitBytes = 32 * 1024 * 1024

export type Body =
  | { readonly kind: 'none' | 'other' | 'broken json' | 'too large' }
  /** `bytes`: how many it came as. */
  | { readonly kind: 'json'; readonly value: unknown; readonly bytes: number }
  | { readonly kind: 'form'; readonly fields: URLSearchParams }

export async function readBody(incoming: IncomingMessage, limitBytes = bodyLimitBytes): Promise<Body> {
  if (incoming.method === 'GET' || incoming.method === 'HEAD') return { kind: 'none' }
  const bytes = await readBytes(incoming, limitBytes)
  if (bytes === undefined) return { kind: 'too large' }
  const type = incoming.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (type === 'application/json') return parseJson(bytes)
  if (type === 'application/x-www-form-urlencoded') {
    return { kind: 'form', fields: new URLSearchParams(bytes.toString('utf8')) }
  }
  return { kind: bytes.length > 0 ? 'other' : 'none' }
}

async function readBytes(incoming: IncomingMessage, limitBytes: number): Promise<Buffer | undefined> {
  if (Number(incoming.headers['content-length'] ?? 0) > limitBytes) return undefined
  let size = 0
  const bounded = async function* () {
    // Left to itself, leaving the loop would destroy the socket, and with it the answer.
    for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
      if (!(chunk instanceof Uint8Array)) continue
      size += chunk.byteLength
      if (size > limitBytes) return
      yield chunk
    }
  }
  const bytes = await buffer(bounded())
  return size > limitBytes ? undefined : bytes
}

function parseJson(bytes: Buffer): Body {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    if (isDeep(text)) return { kind: 'broken json' }
    const value: unknown = JSON.parse(text)
    return { kind: 'json', value, bytes: bytes.length }
  } catch {
    return { kind: 'broken json' }
  }
}

/** Deeper than any honest schema of a tool; what is read and written level by level would run out of stack. */
const deepest = 500

function isDeep(text: string): boolean {
  let depth = 0
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    if (isQuoted) {
      if (sign === '\\') at++
      else if (sign === '"') isQuoted = false
    } else if (sign === '"') isQuoted = true
    else if (sign === '[' || sign === '{') depth++
    else if (sign === ']' || sign === '}') depth--
    if (depth > deepest) return true
  }
  return false
}

/** The fields as one object; a field that came twice is a list. */
export const fieldsOf = (form: URLSearchParams): Record<string, string | string[]> =>
  Object.fromEntries([...new Set(form.keys())].map(name => [name, oneOrAll(form.getAll(name))]))

const oneOrAll = (values: string[]) => (values.length === 1 ? (values[0] ?? '') : values)
