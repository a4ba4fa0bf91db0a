// `readEvents`: the data of an event stream, in one batch for each read of the body.
import { createParser, ParseError } from 'eventsource-parser'
import { TooLargeError } from './errors.ts'
import type { HttpAnswer } from './http.ts'

/** A line, or the lines of one event. */
const EVENT_LIMIT_CHARS = 8 * 1024 * 1024
/** The longest answer of a model takes some 100 MB of frames; a longer stream has no end. */
const STREAM_LIMIT_BYTES = 256 * 1024 * 1024

export interface EventOptions {
  readonly limit?: number
  /** Called with a line that is not in the format. */
  readonly onUnknownLine?: (line: string) => void
}

/**
 * The data of the events, in order, in batches as they were read, because one promise for each event would cost more than
 * the events themselves. UTF-8 is decoded across reads, all line ends count, comments are ignored. An event that the end
 * of the body leaves without its blank line, which WHATWG HTML 9.2.6 would drop, counts as well: it may end the answer.
 */
export async function* readEvents(
  answer: HttpAnswer,
  { limit = STREAM_LIMIT_BYTES, onUnknownLine }: EventOptions = {},
): AsyncIterable<readonly string[]> {
  let ready: string[] = []
  let isTooLarge = false
  let size = 0
  const parser = createParser({
    maxBufferSize: EVENT_LIMIT_CHARS,
    onEvent: event => ready.push(event.data),
    onError: fault => {
      if (!(fault instanceof ParseError)) return
      isTooLarge ||= fault.type === 'max-buffer-size-exceeded'
      if (fault.type !== 'unknown-field' || !fault.line?.trim()) return
      onUnknownLine?.(fault.line)
      const error = errorLine(fault.line)
      if (error !== undefined) ready.push(error)
    },
  })
  const lines = new LineBuffer()
  const decoder = new TextDecoder('utf-8')
  const feed = (text: string) => {
    parser.feed(text)
    if (isTooLarge || lines.heldChars > EVENT_LIMIT_CHARS) throw new TooLargeError(answer.host, EVENT_LIMIT_CHARS)
  }
  for await (const chunk of answer.body) {
    size += chunk.byteLength
    if (size > limit) throw new TooLargeError(answer.host, limit)
    feed(lines.take(decoder.decode(chunk, { stream: true })))
    if (ready.length === 0) continue
    const batch = ready
    ready = []
    yield batch
  }
  feed(`${lines.take(`${decoder.decode()}\n`)}\n`)
  if (ready.length > 0) yield ready
}

/** Buffers a line until it is complete, because the parser drops an incomplete line whose field it does not know. */
class LineBuffer {
  #chunks: string[] = []
  #heldChars = 0

  /** Characters of a line that has no end yet. */
  get heldChars(): number {
    return this.#heldChars
  }

  take(text: string): string {
    const end = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1
    if (end === 0) {
      this.#hold(text)
      return ''
    }
    const whole = this.#heldChars === 0 ? text.slice(0, end) : this.#chunks.join('') + text.slice(0, end)
    this.#chunks = []
    this.#heldChars = 0
    this.#hold(text.slice(end))
    return whole
  }

  #hold(text: string): void {
    if (!text) return
    this.#chunks.push(text)
    this.#heldChars += text.length
  }
}

/**
 * The data of an error that is written outside the format: a field called `error`, or a line of bare JSON that reports
 * one. Undefined for any other line.
 */
function errorLine(line: string): string | undefined {
  const field = /^error:\s*(\S.*)$/.exec(line)?.[1]
  if (field !== undefined) return JSON.stringify({ error: jsonOrText(field) })
  if (!line.startsWith('{')) return undefined
  const whole = jsonOrText(line)
  if (typeof whole !== 'object' || whole === null) return undefined
  const isFault = ('error' in whole && whole.error) || ('code' in whole && 'message' in whole)
  return isFault ? line : undefined
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
