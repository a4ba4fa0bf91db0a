// An event-stream body as chunks of data.
import { createParser, ParseError } from 'eventsource-parser'
import { TooLargeError } from './errors.ts'
import type { HttpAnswer } from './http.ts'

const LINE_LIMIT_CHARS = 8 * 1024 * 1024
/** The longest answer a model can give takes some 100 MB of frames; more is a stream that has no end. */
const STREAM_LIMIT_BYTES = 256 * 1024 * 1024

/**
 * The data of each event, in order. UTF-8 is decoded across reads, all line ends count, comments pass. An event that the
 * end of the body left unfinished is given as well: some servers omit the last blank line.
 */
export async function* readEvents(answer: HttpAnswer, limit = STREAM_LIMIT_BYTES): AsyncIterable<string> {
  const ready: string[] = []
  let isTooLarge = false
  let size = 0
  const parser = createParser({
    maxBufferSize: LINE_LIMIT_CHARS,
    onEvent: event => ready.push(event.data),
    onError: fault => {
      if (!(fault instanceof ParseError)) return
      isTooLarge ||= fault.type === 'max-buffer-size-exceeded'
      const stray = fault.type === 'unknown-field' ? strayFault(fault.line ?? '') : undefined
      if (stray !== undefined) ready.push(stray)
    },
  })
  const decoder = new TextDecoder('utf-8')
  const feed = (text: string) => {
    parser.feed(text)
    if (isTooLarge) throw new TooLargeError(answer.host, LINE_LIMIT_CHARS)
  }
  for await (const chunk of answer.body) {
    size += chunk.byteLength
    if (size > limit) throw new TooLargeError(answer.host, limit)
    feed(decoder.decode(chunk, { stream: true }))
    yield* ready.splice(0)
  }
  feed(`${decoder.decode()}\n\n`)
  yield* ready.splice(0)
}

/**
 * A failure that a gateway wrote past the format: a field called `error`, or a line of bare JSON with such a member. It
 * is given as data of its own; any other stray line is nothing.
 */
function strayFault(line: string): string | undefined {
  const field = /^error:\s*(\S.*)$/.exec(line)?.[1]
  if (field !== undefined) return JSON.stringify({ error: jsonOrText(field) })
  if (!line.startsWith('{') || !line.includes('"error"')) return undefined
  const whole = jsonOrText(line)
  return typeof whole === 'object' && whole !== null && 'error' in whole && whole.error ? line : undefined
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
