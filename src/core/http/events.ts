// An event-stream body as chunks of data.
import { createParser, ParseError } from 'eventsource-parser'
import { TooLargeError } from './errors.ts'
import type { HttpAnswer } from './http.ts'

const LINE_LIMIT_CHARS = 8 * 1024 * 1024

/**
 * The data of each event, in order. UTF-8 is decoded across reads, all line ends count, comments pass. An event that the
 * end of the body left unfinished is given as well: some servers omit the last blank line.
 */
export async function* readEvents(answer: HttpAnswer): AsyncIterable<string> {
  const ready: string[] = []
  let isTooLarge = false
  const parser = createParser({
    maxBufferSize: LINE_LIMIT_CHARS,
    onEvent: event => ready.push(event.data),
    onError: fault => {
      isTooLarge ||= fault instanceof ParseError && fault.type === 'max-buffer-size-exceeded'
    },
  })
  const decoder = new TextDecoder('utf-8')
  const feed = (text: string) => {
    parser.feed(text)
    if (isTooLarge) throw new TooLargeError(answer.host, LINE_LIMIT_CHARS)
  }
  for await (const chunk of answer.body) {
    feed(decoder.decode(chunk, { stream: true }))
    yield* ready.splice(0)
  }
  feed(`${decoder.decode()}\n\n`)
  yield* ready.splice(0)
}
