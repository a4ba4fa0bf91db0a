// What shall go wrong, and at which call: the words for it, and the faults that wait for their call.
import { z } from 'zod'
import { errorShapes } from './errorEvents.ts'
import { isObject } from './json.ts'

/** Each field's schema carries the words that end the sentence "`field` must be …". */
const must = (words: string) => ({ error: words })
const whole = (what: string) => z.int(must(what)).min(0, what)
const text = (what: string) => z.string(must(what))
const bytes = whole('a number of bytes')
const milliseconds = whole('a number of milliseconds')
const yes = z.literal(true, must('true, or left out'))
/** Events by their place in the right answer, or by a text that they contain. */
const somePlaces = must('a list of places from 0 and of texts that an event has')
const someEvents = z.array(z.union([z.int().min(0), z.string()], somePlaces), somePlaces)
const anyOrder = must('a list of places and of texts to send')

const troubles = z.discriminatedUnion('kind', [
  // In place of the right answer.

  /** Any answer that a proxy or the service might give. A body that is no text is sent as JSON. */
  z.strictObject({
    kind: z.literal('status'),
    status: z
      .int(must('a status from 200 to 599'))
      .min(200, 'a status from 200 to 599')
      .max(599, 'a status from 200 to 599'),
    headers: z.record(z.string(), z.string(), must('an object of texts')).optional(),
    body: z.unknown().optional(),
    /** The body's bytes, for what is no text. */
    base64: z.base64(must('bytes in base64')).optional(),
  }),
  /** To another place, which must not receive the caller's secrets. */
  z.strictObject({
    kind: z.literal('redirect'),
    status: z.literal([301, 302, 303, 307, 308], must('one of 301, 302, 303, 307, 308')),
    to: text('an address'),
  }),
  /** A page: with 200 that of a captive portal, with 502 that of a gateway. */
  z.strictObject({ kind: z.literal('html'), status: z.int(must('a status')).min(200).max(599).optional() }),
  /** These bytes in place of a whole HTTP answer; then the connection ends. */
  z.strictObject({ kind: z.literal('raw'), base64: z.base64(must('bytes in base64')) }),
  /** A small answer that unpacks to so many bytes of blank space. */
  z.strictObject({ kind: z.literal('gzip-bomb'), bytes, type: text('a content type').optional() }),

  // No answer, or a late one.

  /** The connection is reset (RST): when it is accepted, before a header, or after so many bytes of the body. */
  z.strictObject({
    kind: z.literal('reset'),
    when: z.literal('accepted', must('"accepted", or left out')).optional(),
    afterBytes: bytes.optional(),
  }),
  /** Not a word: from when the connection is accepted, which holds up TLS as well, or after the request. */
  z.strictObject({
    kind: z.literal('silence'),
    when: z.literal('accepted', must('"accepted", or left out')).optional(),
  }),
  /** The right headers and so many bytes, then nothing more; the connection stays. */
  z.strictObject({ kind: z.literal('stall'), afterBytes: bytes.optional() }),
  /** As silence, or with bytes as a stall; and when the caller hangs up, that too gets no answer. */
  z.strictObject({ kind: z.literal('half-open'), afterBytes: bytes.optional() }),
  /** The right answer, late by the service's clock. */
  z.strictObject({ kind: z.literal('delay'), ms: milliseconds }),
  /** Header bytes one by one, each so much later than the last by the service's clock. */
  z.strictObject({ kind: z.literal('slow-headers'), everyMs: milliseconds.optional() }),
  /** The right answer; the next request on the same connection finds it closed. */
  z.strictObject({ kind: z.literal('stale'), by: z.enum(['reset', 'close'], must('"reset" or "close"')).optional() }),

  // The right answer, cut.

  /** The connection ends (FIN) in the middle of the body. */
  z.strictObject({ kind: z.literal('cut'), afterBytes: bytes }),
  /** As HTTP all is well, only that the body ends too early. */
  z.strictObject({ kind: z.literal('truncate'), afterBytes: bytes }),

  // The right answer, otherwise written.

  /** So many bytes at a time (one), each with a turn of its own, or so much later by the service's clock. */
  z.strictObject({
    kind: z.literal('drip'),
    bytes: z.int(must('a number of bytes from 1')).min(1, 'a number of bytes from 1').optional(),
    everyMs: milliseconds.optional(),
  }),
  /** Under a wrong content type, or with null under none. */
  z.strictObject({ kind: z.literal('content-type'), type: z.union([z.string(), z.null()], must('a text or null')) }),
  /** A whole answer where a stream was asked for. */
  z.strictObject({ kind: z.literal('whole') }),
  /** A stream where a whole answer was asked for. */
  z.strictObject({ kind: z.literal('stream') }),
  /** Packed: `layers` times (once), and so many times by its header (as it is). */
  z.strictObject({
    kind: z.literal('packed'),
    encoding: z.enum(['gzip', 'deflate', 'br'], must('gzip, deflate or br')).optional(),
    layers: whole('a number').optional(),
    announced: whole('a number').optional(),
  }),
  /** A comment before every event, or each so many milliseconds of the service's clock. */
  z.strictObject({
    kind: z.literal('comments'),
    /** Word for word. Without it Bifrost's: `: keep-alive` with one line end and no blank line. */
    text: text('a text').optional(),
    everyMs: z.int(must('milliseconds from 1')).min(1, 'milliseconds from 1').optional(),
  }),
  /** The same events in another spelling of the event stream format. */
  z.strictObject({
    kind: z.literal('framing'),
    lineEnd: z.enum(['\r\n', '\r', '\n'], must('"\\n", "\\r" or "\\r\\n"')).optional(),
    byteOrderMark: yes.optional(),
    /** Without the space after the colon. */
    tight: yes.optional(),
    /** Without the blank line after the last event. */
    unterminated: yes.optional(),
  }),

  // Other events.

  /** These events in this order, by their places in the right answer (from the end below 0); a text is sent as it is. */
  z.strictObject({
    kind: z.literal('events'),
    order: z.array(z.union([z.int(), z.string()], anyOrder), anyOrder),
  }),
  z.strictObject({ kind: z.literal('drop'), events: someEvents }),
  z.strictObject({ kind: z.literal('repeat'), events: someEvents }),
  /** A text before an event, by its place; or at the end, where there are fewer. */
  z.strictObject({ kind: z.literal('insert'), before: whole('the place of an event'), text: text('a text') }),
  /** So many right events, then a failure as the services of this field report it, and the end. */
  z.strictObject({
    kind: z.literal('error-event'),
    shape: z.enum(errorShapes, must(`one of ${errorShapes.join(', ')}`)),
    after: whole('a number of events').optional(),
    message: text('a text').optional(),
  }),
  /** So many right events, then the same piece over and over: without a count until the caller has enough. */
  z.strictObject({
    kind: z.literal('flood'),
    chunk: text('a text'),
    after: whole('a number of events').optional(),
    count: whole('a number').optional(),
  }),
])

const aims = z.strictObject({
  /** Method and path prefix (`POST /v1/chat`), or only a path prefix; without it every call. A `$` ends the path. */
  on: text('a text').optional(),
  /** The number of the call that it is meant for, counted from now; without it the next that no other fault takes. */
  at: z.int(must('a number from 1')).min(1, 'a number from 1').optional(),
  /** How many calls; without it one. */
  times: z.union([z.int().min(1), z.literal('always')], must('a number from 1, or "always"')).optional(),
})

export type Trouble = z.infer<typeof troubles>

export type Fault = Trouble &
  z.infer<typeof aims> & {
    /** What goes wrong with the same call besides, in this order: a gzip that is cut, comments in a drip. */
    readonly also?: readonly Trouble[]
  }

interface Waiting {
  readonly fault: Fault
  /** Calls to let pass first. */
  skip: number
  left: number
}

export class Faults {
  #waiting: Waiting[] = []

  add(...faults: readonly Fault[]): void {
    for (const fault of faults) {
      const left = fault.times === 'always' ? Number.POSITIVE_INFINITY : (fault.times ?? 1)
      this.#waiting.push({ fault, skip: (fault.at ?? 1) - 1, left })
    }
  }

  clear(): void {
    this.#waiting = []
  }

  /** The first fault meant for this call, used up by one. */
  take(method: string, path: string): Fault | undefined {
    return this.#take(fault => !isOnAccept(fault) && isMeant(fault.on ?? '/', method, path))
  }

  /** The first fault meant for a connection that was just accepted. */
  takeOnAccept(): Fault | undefined {
    return this.#take(isOnAccept)
  }

  #take(isMeantForIt: (fault: Fault) => boolean): Fault | undefined {
    const meant = this.#waiting.filter(({ fault }) => isMeantForIt(fault))
    const due = meant.find(({ skip }) => skip === 0)
    for (const waiting of meant) if (waiting.skip > 0) waiting.skip -= 1
    if (!due) return undefined
    due.left -= 1
    if (due.left <= 0) this.#waiting = this.#waiting.filter(other => other !== due)
    return due.fault
  }
}

const isOnAccept = (fault: Trouble) => 'when' in fault && fault.when === 'accepted'

function isMeant(on: string, method: string, path: string): boolean {
  const [first = '', second] = on.split(' ', 2)
  if (second !== undefined && first !== method) return false
  const wanted = second ?? first
  return wanted.endsWith('$') ? path === wanted.slice(0, -1) : path.startsWith(wanted)
}

/** A fault that came as JSON, or one sentence on what is wrong with it. */
export function readFault(value: unknown): Fault | string {
  if (!isObject(value)) return 'A fault is an object.'
  const { on, at, times, also = [], ...rest } = value
  if (!Array.isArray(also)) return '`also` must be a list of faults.'
  const aim = aims.safeParse(withoutMissing({ on, at, times }))
  if (!aim.success) return sentenceOf(aim.error, 'fault')
  const main = readTrouble(rest)
  if (typeof main === 'string') return main
  const others = also.map(readTrouble)
  const problem = others.find(other => typeof other === 'string')
  if (problem !== undefined) return problem
  if (isOnAccept(main) && (aim.data.on !== undefined || others.length > 0))
    return 'When a connection is accepted nobody knows its route yet, so this fault takes neither `on` nor `also`.'
  return { ...main, ...aim.data, also: others.filter(other => typeof other !== 'string') }
}

function readTrouble(value: unknown): Trouble | string {
  const read = troubles.safeParse(value)
  if (read.success) return read.data
  const kind = isObject(value) && typeof value['kind'] === 'string' ? value['kind'] : ''
  return sentenceOf(read.error, kind)
}

const withoutMissing = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

const kinds = troubles.options.map(option => option.shape.kind.value)

function sentenceOf({ issues: [issue] }: z.ZodError, kind: string): string {
  if (issue?.code === 'invalid_union' && issue.path[0] === 'kind')
    return `A fault's kind is one of ${kinds.join(', ')}.`
  if (issue?.code === 'unrecognized_keys') return `A fault of the kind '${kind}' has no field '${issue.keys[0]}'.`
  const field = issue?.path[0]
  return field === undefined ? 'A fault is an object.' : `\`${String(field)}\` must be ${issue?.message}.`
}
