// An event stream made wrong: its events in another order, others among them, or written in another way.
import type { Bytes } from './bytes.ts'
import { errorEvent } from './errorEvents.ts'
import type { Trouble } from './faults.ts'

/** Events as text, each with the blank line that ends it. A body that is no event stream is one event. */
export type Events = AsyncIterable<string>

/** The body with the trouble in it; undefined where the trouble is none of events. */
export function otherEvents(body: Bytes, trouble: Trouble): Bytes | undefined {
  const events = changed(eventsOf(body), trouble)
  return events && encoded(events)
}

function changed(events: Events, trouble: Trouble): Events | undefined {
  switch (trouble.kind) {
    case 'events':
      return reordered(events, trouble.order)
    case 'drop':
      return each(events, (event, place) => (isAmong(trouble.events, event, place) ? [] : [event]))
    case 'repeat':
      return each(events, (event, place) => (isAmong(trouble.events, event, place) ? [event, event] : [event]))
    case 'insert':
      return inserted(events, trouble.before, trouble.text)
    case 'error-event':
      return followed(events, trouble.after ?? 0, [errorEvent(trouble.shape, trouble.message)])
    case 'flood':
      return followed(events, trouble.after ?? 0, over(trouble.chunk, trouble.count ?? Number.POSITIVE_INFINITY))
    case 'framing':
      return rewritten(events, trouble)
    default:
      return undefined
  }
}

export async function* eventsOf(body: Bytes): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of body) {
    const texts = (rest + decoder.decode(chunk, { stream: true })).split('\n\n')
    rest = texts.pop() ?? ''
    for (const text of texts) yield `${text}\n\n`
  }
  rest += decoder.decode()
  if (rest !== '') yield rest
}

export async function* encoded(events: Events): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  for await (const event of events) yield encoder.encode(event)
}

async function* reordered(events: Events, order: readonly (number | string)[]): AsyncGenerator<string> {
  const all: string[] = []
  for await (const event of events) all.push(event)
  for (const one of order) yield typeof one === 'string' ? one : (all.at(one) ?? '')
}

async function* each(events: Events, change: (event: string, place: number) => string[]): AsyncGenerator<string> {
  let place = 0
  for await (const event of events) yield* change(event, place++)
}

const isAmong = (wanted: readonly (number | string)[], event: string, place: number) =>
  wanted.some(one => (typeof one === 'string' ? event.includes(one) : one === place))

async function* inserted(events: Events, before: number, text: string): AsyncGenerator<string> {
  let place = 0
  for await (const event of events) {
    if (place++ === before) yield text
    yield event
  }
  if (place <= before) yield text
}

async function* followed(events: Events, after: number, then: Iterable<string>): AsyncGenerator<string> {
  let place = 0
  if (after > 0) {
    for await (const event of events) {
      yield event
      if (++place === after) break
    }
  }
  yield* then
}

function* over(chunk: string, count: number): Generator<string> {
  for (let done = 0; done < count; done += 1) yield chunk
}

async function* rewritten(events: Events, how: Trouble & { kind: 'framing' }): AsyncGenerator<string> {
  const spelled = (event: string) =>
    (how.tight ? event.replace(/^(\w+): /gm, '$1:') : event).replaceAll('\n', how.lineEnd ?? '\n')
  if (how.byteOrderMark) yield '\uFEFF'
  let last: string | undefined
  for await (const event of events) {
    if (last !== undefined) yield spelled(last)
    last = event
  }
  if (last !== undefined) yield spelled(how.unterminated ? last.trimEnd() : last)
}
