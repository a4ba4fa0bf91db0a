// The right answer with a fault in its headers or its body; where and how it ends is decided elsewhere.
import { type Bytes, inChunks, upTo } from './bytes.ts'
import type { Clock } from './clock.ts'
import { type Events, encoded, eventsOf, otherEvents } from './eventFaults.ts'
import type { Trouble } from './faults.ts'
import { packed } from './packing.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: Bytes
}

export interface Pace {
  readonly clock: Clock
  /** Aborted when nobody reads any more. */
  readonly ended: AbortSignal
}

export function spoil(answer: Answer, trouble: Trouble, pace: Pace): Answer {
  const { headers, body } = answer
  switch (trouble.kind) {
    case 'content-type':
      if (trouble.type === null) headers.delete('content-type')
      else headers.set('content-type', trouble.type)
      return answer
    case 'packed': {
      const { encoding = 'gzip', layers = 1, announced = layers } = trouble
      headers.set('content-encoding', Array.from({ length: announced }, () => encoding).join(', '))
      return { ...answer, body: packed(body, encoding, layers) }
    }
    case 'truncate':
      return { ...answer, body: upTo(body, trouble.afterBytes) }
    case 'drip': {
      const chunks = inChunks(body, trouble.bytes ?? 1)
      return { ...answer, body: trouble.everyMs === undefined ? chunks : drip(chunks, trouble.everyMs, pace) }
    }
    case 'comments': {
      const { text = bifrostComment, everyMs } = trouble
      const events = eventsOf(body)
      const commented = everyMs ? ticking(events, text, everyMs, pace) : between(events, text)
      return { ...answer, body: encoded(commented) }
    }
    default:
      return { ...answer, body: otherEvents(body, trouble) ?? body }
  }
}

/** A line, and no blank line after it. */
const bifrostComment = ': keep-alive\n'

async function* between(events: Events, text: string): AsyncGenerator<string> {
  for await (const event of events) yield text + event
}

async function* drip(chunks: Bytes, everyMs: number, { clock, ended }: Pace): AsyncGenerator<Uint8Array> {
  let due = clock.now()
  for await (const chunk of chunks) {
    due += everyMs
    if (!(await clock.until(due, ended))) return
    yield chunk
  }
}

/** At an interval that does not depend on what else is written, as a gateway's own timer. */
async function* ticking(events: Events, text: string, everyMs: number, { clock, ended }: Pace) {
  const coming = events[Symbol.asyncIterator]()
  const stop = new AbortController()
  const signal = AbortSignal.any([ended, stop.signal])
  let due = clock.now() + everyMs
  let tick = clock.until(due, signal)
  try {
    for (let next = coming.next(); !ended.aborted; ) {
      const arrived = await Promise.race([next, tick])
      if (typeof arrived === 'boolean') {
        if (!arrived) return
        yield text
        due += everyMs
        tick = clock.until(due, signal)
      } else {
        if (arrived.done) return
        yield arrived.value
        next = coming.next()
      }
    }
  } finally {
    stop.abort()
  }
}
