// An event-stream body as batches of data, one batch for each read.
import { createParser, ParseError } from 'eventsource-parser'
import { TooLargeError } from './errors.ts'
import type { HttpAnswer } from './http.ts'

/** A line, or the lines of one event. */
const EVENT_LIMIT_CHARS = 8 * 1024 * 1024
/** The longest answer a model can give takes some 100 MB of frames; more is a stream that has no end. */
const STREAM_LIMIT_BYTES = 256 * 1024 * 1024

export interface EventOptions {
  readonly limit?: number
  /** A line that stands outside the format. */
  readonly onStray?: (line: string) => void
}

/**
 * The data of the events, in order, in batches as they were read: one promise for each event would cost more than the
 * events themselves. UTF-8 is decoded across reads, all line ends count, comments pass. An event that the end of the
 * body left unfinished is given as well: some servers omit the last blank line.
 */
export async function* readEvents(
  answer: HttpAnswer,
  { limit = STREAM_LIMIT_BYTES, onStray }: EventOptions = {},
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
      onStray?.(fault.line)
      const failure = strayFault(fault.line)
      if (failure !== undefined) ready.push(failure)
    },
  })
  const lines = new WholeLines()
  const decoder = new TextDecoder('utf-8')
  const feed = (text: string) => {
    parser.feed(text)
    if (isTooLarge || lines.held > EVENT_LIMIT_CHARS) throw new TooLargeError(answer.host, EVENT_LIMIT_CHARS)
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

/** Gives lines on only when they are whole: the parser throws away the pieces of a line that it does not know. */
class WholeLines {
  #pieces: string[] = []
  #held = 0

  /** Characters of a line that has no end yet. */
  get held(): number {
    return this.#held
  }

  take(text: string): string {
    const end = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1
    if (end === 0) {
      this.#hold(text)
      return ''
    }
    const whole = this.#held === 0 ? text.slice(0, end) : this.#pieces.join('') + text.slice(0, end)
    this.#pieces = []
    this.#held = 0
    this.#hold(text.slice(end))
    return whole
  }

  #hold(text: string): void {
    if (!text) return
    this.#pieces.push(text)
    this.#held += text.length
  }
}

/**
 * A failure that a gateway wrote past the format: a field called `error`, or a line of bare JSON that reports one. It
 * is given as data of its own; any other stray line is nothing.
 */
function strayFault(line: string): string | undefined {
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
