// The answer of a service as events, on whichever surface.
import { AbortedError, isAbort } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'
import { sanitizeLine } from '../../base/text.ts'
import { objectOf, parsedJson } from '../../protocol/json.ts'
import { isHtml, readText } from '../http/body.ts'
import { ContractError, ProblemError, TransportError } from '../http/errors.ts'
import { readEvents } from '../http/events.ts'
import type { HttpAnswer } from '../http/http.ts'
import type { Log } from '../log/log.ts'
import type { ModelEvent } from './modelClient.ts'
import { ResponseAccumulator } from './responseAccumulator.ts'
import type { StreamDecoder } from './streamDecoder.ts'

/** An answer that came whole holds its text once, escaped. */
const WHOLE_ANSWER_LIMIT_BYTES = 8 * 1024 * 1024
const END = '[DONE]'
/** Longer than the beginning of any field's name. */
const SHORTEST_STRAY = 'event:'.length
/** After the answer's own end only its usage is waited for, and not for long: an open request holds a slot. */
const AFTER_END_MS = 2_000
/** What the service needs to close an answer that is over, so that the connection can be used again. */
const CLOSING_MS = 250

export interface ResponseOptions {
  readonly clock: Clock
  readonly log: Log
  readonly mayBeEmpty: boolean
}

/**
 * Whoever calls closes `answer`. What came before a fault is given before it is thrown. Whoever goes on after `finish`
 * waits for the end of the body; `Stopped` is thrown where that does not come soon.
 */
export function readResponse(
  answer: HttpAnswer,
  reader: (said: ResponseAccumulator) => StreamDecoder,
  options: ResponseOptions,
): AsyncIterable<ModelEvent> {
  return new ResponseReader(answer, reader, options).events()
}

class ResponseReader {
  readonly #answer: HttpAnswer
  readonly #options: ResponseOptions
  readonly #said: ResponseAccumulator
  readonly #reader: StreamDecoder
  #isOver = false
  #hasFrames = false
  /** The first line that stands outside the format. */
  #stray = ''

  constructor(answer: HttpAnswer, reader: (said: ResponseAccumulator) => StreamDecoder, options: ResponseOptions) {
    this.#answer = answer
    this.#options = options
    this.#said = new ResponseAccumulator(answer.host)
    this.#reader = reader(this.#said)
  }

  async *events(): AsyncIterable<ModelEvent> {
    const batches = this.#batches()[Symbol.asyncIterator]()
    let fault: Thrown | undefined
    while (!this.#isOver && !fault) {
      const batch = await caught(() => this.#next(batches))
      if ('thrown' in batch) fault = batch
      else if (batch.done) break
      else fault = this.#take(batch.value)
      for (const event of this.#said.take()) yield event
    }
    // All that matters may have arrived before the connection broke.
    const isWhole = fault?.thrown instanceof TransportError && this.#reader.reason !== undefined
    const atEnd = this.#end(isWhole ? undefined : fault)
    for (const event of this.#said.take()) yield event
    if (atEnd) throw atEnd.thrown
    await this.#closed(batches)
  }

  /** Reads the rest of the body, which says nothing any more. */
  #closed(batches: AsyncIterator<readonly string[]>): Promise<void> {
    return new Promise((resolve, reject) => {
      const late = () => reject(new AbortedError('The service kept an answer open that had ended'))
      const callOff = this.#options.clock.later(CLOSING_MS, late)
      const readOn = async () => {
        while (!(await batches.next()).done);
      }
      readOn()
        // A connection that broke is closed at the service as well.
        .catch(fault => (isAbort(fault) ? reject(fault) : undefined))
        .then(resolve)
        .finally(callOff)
    })
  }

  /** Takes one read's frames in. A fault waits until what came before it was given. */
  #take(batch: readonly string[]): Thrown | undefined {
    try {
      for (const data of batch) {
        this.#isOver = isEnd(data)
        if (this.#isOver) return undefined
        this.#hasFrames = true
        const frame = objectOf(parsedJson(data))
        if (frame) this.#reader.take(frame)
        // A hole in the middle: text would be joined over it, and a tool called with what is left of its arguments.
        else if (isHalfFrame(data)) throw new TransportError(this.#answer.host, 'during', 'reset')
        this.#isOver = this.#reader.stage === 'over'
        if (this.#isOver) return undefined
      }
      return undefined
    } catch (thrown) {
      return { thrown }
    }
  }

  #end(fault: Thrown | undefined): Thrown | undefined {
    try {
      this.#reader.flush()
      if (fault) return fault
      const { failure, reason, oddReason } = this.#reader
      if (oddReason)
        this.#options.log.info('An answer ended for an unknown reason', { reason: sanitizeLine(oddReason, 60) })
      if (failure) throw failure
      if (reason === undefined && !this.#isOver) throw this.#unfinished()
      this.#said.end(reason, this.#options.mayBeEmpty)
      return undefined
    } catch (thrown) {
      return { thrown }
    }
  }

  #unfinished(): Error {
    const { host } = this.#answer
    if (this.#hasFrames) return new TransportError(host, 'during', 'reset')
    if (this.#stray) return new ProblemError(host, 502, { text: sanitizeLine(this.#stray) })
    return new ContractError(host, 'empty', 'stream')
  }

  /** The next read; once the answer has its end, one that comes soon. */
  async #next(batches: AsyncIterator<readonly string[]>): Promise<IteratorResult<readonly string[]>> {
    if (this.#reader.stage === 'open') return batches.next()
    let callOff = () => {}
    const late = new Promise<IteratorResult<readonly string[]>>(resolve => {
      callOff = this.#options.clock.later(AFTER_END_MS, () => resolve({ done: true, value: undefined }))
    })
    const next = batches.next()
    // When it is too late for the frame, it is too late for its fault.
    next.catch(() => {})
    return Promise.race([next, late]).finally(callOff)
  }

  /** The data of a stream, or of the one answer that came in its place. */
  async *#batches(): AsyncIterable<readonly string[]> {
    const answer = this.#answer
    const onStray = (line: string) => this.#noteStray(line)
    if (isHtml(answer)) throw new ContractError(answer.host, 'html', 'stream')
    if (!isJson(answer)) {
      const kept = new KeptObject()
      yield* readEvents({ ...answer, body: kept.keep(answer.body) }, { onStray })
      // Some servers call a whole answer a stream or a text, or nothing at all.
      if (!this.#hasFrames && parsedJson(kept.text) !== undefined) yield [kept.text]
      return
    }
    const text = await readText(answer, WHOLE_ANSWER_LIMIT_BYTES)
    if (parsedJson(text) !== undefined) yield [text]
    else if (looksLikeEvents(text)) yield* readEvents({ ...answer, body: once(text) }, { onStray })
    else if (text.trim()) throw new ContractError(answer.host, 'not json', 'body')
  }

  #noteStray(line: string): void {
    // The end of the body may have cut the name of a field.
    if (line.length < SHORTEST_STRAY) return
    if (!this.#stray) this.#options.log.warn('A line of a stream stands outside its format', { length: line.length })
    this.#stray ||= line
  }
}

/** Keeps the bytes of a body that begins as an object does, which no stream of events does. */
class KeptObject {
  #bytes: Uint8Array[] = []
  #size = 0
  #isObject: boolean | undefined

  async *keep(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    for await (const chunk of body) {
      this.#isObject ??= beginsObject(chunk)
      this.#size += chunk.byteLength
      if (this.#size > WHOLE_ANSWER_LIMIT_BYTES) this.#isObject = false
      if (this.#isObject !== false) this.#bytes.push(chunk)
      yield chunk
    }
  }

  /** All that came, or nothing where it is no object or too long for one. */
  get text(): string {
    return this.#isObject ? textOf(this.#bytes) : ''
  }
}

function textOf(chunks: readonly Uint8Array[]): string {
  const decoder = new TextDecoder()
  const parts = chunks.map(chunk => decoder.decode(chunk, { stream: true }))
  return parts.join('') + decoder.decode()
}

/** Undefined where only blanks came so far, or the mark that says in which order bytes stand. */
function beginsObject(chunk: Uint8Array): boolean | undefined {
  const first = chunk.find(byte => !BLANKS.has(byte))
  return first === undefined ? undefined : first === 0x7b
}
const BLANKS: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf])

interface Thrown {
  readonly thrown: unknown
}

async function caught<T extends object>(work: () => Promise<T>): Promise<T | Thrown> {
  try {
    return await work()
  } catch (thrown) {
    return { thrown }
  }
}

/** Almost every frame begins with a brace, and there are thousands. */
const isEnd = (data: string) => data.charCodeAt(0) !== 0x7b && data.trim() === END

/** What is no JSON and does not begin as a frame is a stranger's, and passes. */
const isHalfFrame = (data: string) => /^\s*\{/.test(data) && parsedJson(data) === undefined

const isJson = (answer: HttpAnswer) => /^\s*application\/([\w.-]+\+)?json/i.test(answer.headers['content-type'] ?? '')

/** Some gateways call every body JSON. */
const looksLikeEvents = (text: string) => /^\s*(data|event|id|retry)?:/.test(text)

async function* once(text: string): AsyncIterable<Uint8Array> {
  yield new TextEncoder().encode(text)
}
