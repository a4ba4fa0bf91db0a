// `requestText`: the body of a request as a person reads it: indented, and with its images cut.
import type { ModelRequest } from './modelClient.ts'

const SHOWN_CHARS = 48

/** `body`: what a surface made of the request. */
export function requestText(body: object, { messages }: ModelRequest): string {
  const images = messages.flatMap(({ parts }) => parts.flatMap(part => (part.kind === 'image' ? [part.base64] : [])))
  const cut = (_: string, value: unknown) => (typeof value === 'string' ? withoutImage(value, images) : value)
  return `${JSON.stringify(body, cut, 2)}\n`
}

function withoutImage(text: string, images: readonly string[]): string {
  const image = images.find(one => one.length > SHOWN_CHARS && text.length < one.length + 100 && text.endsWith(one))
  if (image === undefined) return text
  const shown = text.slice(0, text.length - image.length + SHOWN_CHARS)
  return `${shown}… (${bytesOf(image)} bytes)`
}

const bytesOf = (base64: string) => Math.floor((base64.replace(/=+$/, '').length * 3) / 4)
