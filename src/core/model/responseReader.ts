// `readResponse`: reads the response to a model request, a stream or one JSON body, as events of the answer.
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

/** The limit of an answer that is one JSON body. */
const WHOLE_ANSWER_LIMIT_BYTES = 8 * 1024 * 1024
const END = '[DONE]'
/** A shorter line may be the cut name of a field. */
const SHORTEST_STRAY = 'event:'.length
/** How long the usage is awaited after the finish reason: short, because an open request holds a slot. */
const AFTER_END_MS = 2_000
/** How long the service has to close a finished response, so that the connection can be reused. */
const CLOSING_MS = 250

export interface ResponseOptions {
  readonly clock: Clock
  readonly log: Log
  readonly mayBeEmpty: boolean
}

/**
 * The caller closes `answer`. The events before a fault are yielded before it is thrown. An iteration that continues
 * after `finish` waits for the end of the body; if that takes longer than `CLOSING_MS`, `AbortedError` is thrown.
 */
export function readResponse(
  answer: HttpAnswer,
  decoder: (response: ResponseAccumulator) => StreamDecoder,
  options: ResponseOptions,
): AsyncIterable<ModelEvent> {
  return new ResponseReader(answer, decoder, options).events()
}

class ResponseReader {
  readonly #answer: HttpAnswer
  readonly #options: ResponseOptions
  readonly #response: ResponseAccumulator
  readonly #decoder: StreamDecoder
  #isOver = false
  #hasFrames = false
  /** The first line that is not valid in the event stream format. */
  #stray = ''

  constructor(answer: HttpAnswer, decoder: (response: ResponseAccumulator) => StreamDecoder, options: ResponseOptions) {
    this.#answer = answer
    this.#options = options
    this.#response = new ResponseAccumulator(answer.host)
    this.#decoder = decoder(this.#response)
  }

  async *events(): AsyncIterable<ModelEvent> {
    const batches = this.#batches()[Symbol.asyncIterator]()
    let fault: Thrown | undefined
    while (!this.#isOver && !fault) {
      const batch = await caught(() => this.#next(batches))
      if ('thrown' in batch) fault = batch
      else if (batch.done) break
      else fault = this.#take(batch.value)
      for (const event of this.#response.take()) yield event
    }
    // If the finish reason arrived before the connection broke, the answer is complete.
    const isWhole = fault?.thrown instanceof TransportError && this.#decoder.reason !== undefined
    const atEnd = this.#end(isWhole ? undefined : fault)
    for (const event of this.#response.take()) yield event
    if (atEnd) throw atEnd.thrown
    await this.#closed(batches)
  }

  /** Reads and ignores the rest of the body until the service closes it. */
  #closed(batches: AsyncIterator<readonly string[]>): Promise<void> {
    return new Promise((resolve, reject) => {
      const late = () => reject(new AbortedError('The service kept an answer open that had ended'))
      const cancelTimer = this.#options.clock.later(CLOSING_MS, late)
      const readOn = async () => {
        while (!(await batches.next()).done);
      }
      readOn()
        // A broken connection is closed for the service as well.
        .catch(fault => (isAbort(fault) ? reject(fault) : undefined))
        .then(resolve)
        .finally(cancelTimer)
    })
  }

  /** Decodes the frames of one read. A fault is returned and not thrown, because the events before it come first. */
  #take(batch: readonly string[]): Thrown | undefined {
    try {
      for (const data of batch) {
        this.#isOver = isEnd(data)
        if (this.#isOver) return undefined
        this.#hasFrames = true
        const frame = objectOf(parsedJson(data))
        if (frame) this.#decoder.take(frame)
        // Without a frame, text would be joined wrongly and a tool called with incomplete arguments.
        else if (isHalfFrame(data)) throw new TransportError(this.#answer.host, 'during', 'reset')
        this.#isOver = this.#decoder.stage === 'over'
        if (this.#isOver) return undefined
      }
      return undefined
    } catch (thrown) {
      return { thrown }
    }
  }

  #end(fault: Thrown | undefined): Thrown | undefined {
    try {
      this.#decoder.flush()
      this.#response.flush(this.#decoder.reason !== undefined)
      if (fault) return fault
      const { failure, reason, unknownReason } = this.#decoder
      if (unknownReason)
        this.#options.log.info('An answer ended for an unknown reason', { reason: sanitizeLine(unknownReason, 60) })
      if (failure) throw failure
      if (reason === undefined && !this.#isOver) throw this.#unfinished()
      this.#response.end(reason, this.#options.mayBeEmpty)
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

  /** The next read; after the finish reason only one within `AFTER_END_MS`. */
  async #next(batches: AsyncIterator<readonly string[]>): Promise<IteratorResult<readonly string[]>> {
    if (this.#decoder.stage === 'open') return batches.next()
    let cancelTimer = () => {}
    const late = new Promise<IteratorResult<readonly string[]>>(resolve => {
      cancelTimer = this.#options.clock.later(AFTER_END_MS, () => resolve({ done: true, value: undefined }))
    })
    const next = batches.next()
    // A fault after the timeout is ignored.
    next.catch(() => {})
    return Promise.race([next, late]).finally(cancelTimer)
  }

  /** The data of the stream's events, or the one JSON body that was sent in place of a stream. */
  async *#batches(): AsyncIterable<readonly string[]> {
    const answer = this.#answer
    const onUnknownLine = (line: string) => this.#noteStray(line)
    if (isHtml(answer)) throw new ContractError(answer.host, 'html', 'stream')
    if (!isJson(answer)) {
      const kept = new KeptObject()
      yield* readEvents({ ...answer, body: kept.keep(answer.body) }, { onUnknownLine })
      // A JSON body whose content type is another one or missing.
      if (!this.#hasFrames && parsedJson(kept.text) !== undefined) yield [kept.text]
      return
    }
    const text = await readText(answer, WHOLE_ANSWER_LIMIT_BYTES)
    if (parsedJson(text) !== undefined) yield [text]
    else if (looksLikeEvents(text)) yield* readEvents({ ...answer, body: once(text) }, { onUnknownLine })
    else if (text.trim()) throw new ContractError(answer.host, 'not json', 'body')
  }

  #noteStray(line: string): void {
    if (line.length < SHORTEST_STRAY) return
    if (!this.#stray) this.#options.log.warn('A line of a stream stands outside its format', { length: line.length })
    this.#stray ||= line
  }
}

/** Keeps the bytes of a body that starts like a JSON object, which a stream of events does not. */
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

  /** The body, or an empty text if it is no object or too long. */
  get text(): string {
    return this.#isObject ? textOf(this.#bytes) : ''
  }
}

function textOf(chunks: readonly Uint8Array[]): string {
  const decoder = new TextDecoder()
  const parts = chunks.map(chunk => decoder.decode(chunk, { stream: true }))
  return parts.join('') + decoder.decode()
}

/** Undefined if the chunk has only white space or a byte order mark. */
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

/** The first comparison is a shortcut, because almost every frame starts with a brace. */
const isEnd = (data: string) => data.charCodeAt(0) !== 0x7b && data.trim() === END

/** A cut JSON object. Other data that is no JSON is ignored, such as a `ping`. */
const isHalfFrame = (data: string) => /^\s*\{/.test(data) && parsedJson(data) === undefined

const isJson = (answer: HttpAnswer) => /^\s*application\/([\w.-]+\+)?json/i.test(answer.headers['content-type'] ?? '')

/** A stream of events whose content type is JSON. */
const looksLikeEvents = (text: string) => /^\s*(data|event|id|retry)?:/.test(text)

async function* once(text: string): AsyncIterable<Uint8Array> {
  yield new TextEncoder().encode(text)
}
