// The events of a stream from the server behind us, read tolerantly.
import { createParser, ParseError } from 'eventsource-parser'
import type { Answer } from './send.ts'

export type StreamEvent =
  | { readonly kind: 'data'; readonly data: string; readonly name: string | undefined }
  | { readonly kind: 'comment'; readonly text: string }

const lineLimitChars = 8 * 1024 * 1024

/** All line ends count, whatever the cut between two reads; a last event without its blank line counts too. */
export async function* readEvents({ body }: Answer): AsyncGenerator<StreamEvent> {
  const ready: StreamEvent[] = []
  let fault: Error | undefined
  const parser = createParser({
    maxBufferSize: lineLimitChars,
    onEvent: ({ data, event: name }) => ready.push({ kind: 'data', data, name }),
    onComment: text => ready.push({ kind: 'comment', text }),
    onError: error => {
      const isOdd = error instanceof ParseError && error.type !== 'max-buffer-size-exceeded'
      const stray = isOdd ? strayError(error.line ?? '') : undefined
      if (stray !== undefined) ready.push({ kind: 'data', data: stray, name: undefined })
      if (!isOdd) fault ??= error
    },
  })
  const decoder = new TextDecoder()
  for await (const chunk of body) {
    parser.feed(decoder.decode(chunk, { stream: true }))
    if (fault) throw fault
    yield* ready.splice(0)
  }
  parser.feed(`${decoder.decode()}\n\n`)
  yield* ready.splice(0)
}

/** A gateway that fails may write its error past the format: as a line of bare JSON, or as a field of that name. */
function strayError(line: string): string | undefined {
  if (line.startsWith('{') && line.includes('"error"')) return line
  const field = /^error:\s*(\S.*)$/.exec(line)?.[1]
  return field === undefined ? undefined : JSON.stringify({ error: jsonIn(field) ?? field })
}

/** The JSON of an event, or undefined where it is none. */
export function jsonIn(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    return undefined
  }
}
