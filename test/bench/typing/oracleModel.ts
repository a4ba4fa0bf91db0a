// A model that knows the file: it finds the place that is asked about and streams what follows, wrong from surprises on.
import { sleep } from '../../../src/base/abort.ts'
import type { Clock } from '../../../src/base/clock.ts'
import { ProblemError } from '../../../src/core/http/errors.ts'
import type { FinishReason, ModelClient, ModelEvent, ModelRequest } from '../../../src/core/model/modelClient.ts'
import { hashedRandom } from './hashed.ts'
import type { Request } from './observation.ts'
import type { PlanSlots } from './planSlots.ts'
import { PromptCache } from './promptCache.ts'
import { normal } from './schedule.ts'
import type { Source } from './source.ts'
import { surprisesIn, wrongTextAt } from './surprises.ts'
import { TOKEN_CHARS } from './tokens.ts'

export interface OracleOptions {
  readonly source: Source
  readonly seed: number
  readonly clock: Clock
  /** Median time from request to first token. */
  readonly firstTokenMs: number
  /** Spread of its logarithm. */
  readonly firstTokenSigma: number
  readonly tokensPerSecond: number
  /** Chance that a word cannot be guessed. */
  readonly surprise: number
  readonly slots: PlanSlots
  /** So long after an abort the server still holds the slot. */
  readonly releaseMs: number
  /** What the prompt contains of the document: the text before the cursor. */
  readonly beforeCursor: (request: ModelRequest) => string
  /** A name under which the text that is shown can be traced back to the request. */
  readonly keyOf: (request: ModelRequest) => string
}

/** Text of one token, and where its characters stand in the file if they do. */
interface Token {
  readonly text: string
  readonly offsets: readonly number[]
  readonly isTag: boolean
}

interface Answer {
  readonly tokens: readonly Token[]
  readonly why: FinishReason
}

type OpenRequest = { -readonly [K in keyof Request]: Request[K] } & { tokens: (readonly number[])[] }

const TAG = '<insert>'
/** More than a client may ask for. */
const LONGEST_ANSWER_TOKENS = 200
const RETRY_AFTER_MS = 1_000

export class OracleModel implements ModelClient {
  readonly #options: OracleOptions
  readonly #surprises: readonly number[]
  readonly #requests: OpenRequest[] = []
  readonly #asked = new Map<number, number>()
  readonly #prompts = new PromptCache()

  constructor(options: OracleOptions) {
    this.#options = options
    this.#surprises = surprisesIn(options.source, options.surprise)
  }

  /** All requests so far, in the order in which they came. */
  get requests(): readonly Request[] {
    return this.#requests
  }

  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
    const offset = placeInFile(this.#options.source.text, this.#options.beforeCursor(request))
    const log: OpenRequest = {
      key: this.#options.keyOf(request),
      startedAt: this.#options.clock.elapsed(),
      endedAt: Number.POSITIVE_INFINITY,
      releasedAt: Number.POSITIVE_INFINITY,
      offset,
      firstTokenMs: this.#firstTokenMs(offset),
      isRefused: false,
      tokens: [],
      tagTokens: 0,
      text: '',
      isStopped: false,
      lateTokens: 0,
      promptTokens: 0,
      uncachedTokens: 0,
    }
    this.#requests.push(log)
    log.isRefused = !this.#options.slots.take(log)
    if (!log.isRefused) Object.assign(log, this.#prompts.read(request))
    return log.isRefused ? this.#refuse(log) : this.#answer(log, this.#answerTo(request, offset), signal)
  }

  /** The same for the n-th request at a place, whatever was asked elsewhere. */
  #firstTokenMs(offset = -1): number {
    const { source, seed, firstTokenMs, firstTokenSigma } = this.#options
    const times = this.#asked.get(offset) ?? 0
    this.#asked.set(offset, times + 1)
    return firstTokenMs * Math.exp(firstTokenSigma * normal(hashedRandom(source.path, seed, 'first', offset, times)))
  }

  // biome-ignore lint/correctness/useYield: the refusal comes before the first event
  async *#refuse(log: OpenRequest): AsyncGenerator<ModelEvent> {
    log.endedAt = log.releasedAt = log.startedAt
    throw new ProblemError('oracle', 429, {}, { retryAfterMs: RETRY_AFTER_MS })
  }

  async *#answer(log: OpenRequest, { tokens, why }: Answer, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const { clock, tokensPerSecond, releaseMs } = this.#options
    const tokenMs = 1_000 / tokensPerSecond
    let isComplete = false
    try {
      let waitMs = log.firstTokenMs
      for (const token of tokens) {
        await sleep(clock, waitMs, signal)
        if (token.isTag) log.tagTokens++
        else {
          log.tokens.push(token.offsets)
          log.text += token.text
        }
        waitMs = tokenMs
        isComplete = token === tokens.at(-1)
        yield { kind: 'text-delta', text: token.text }
      }
      isComplete = true
      yield { kind: 'finish', why }
    } finally {
      log.endedAt = clock.elapsed()
      log.isStopped = !isComplete
      log.releasedAt = log.endedAt + (isComplete ? 0 : releaseMs)
      const read = log.tokens.length + log.tagTokens
      const sentAt = (token: number) => log.startedAt + log.firstTokenMs + token * tokenMs
      log.lateTokens = tokens.filter((_, at) => at >= read && sentAt(at) <= log.releasedAt).length
      if (isComplete) log.lateTokens = 0
    }
  }

  #answerTo(request: ModelRequest, offset: number | undefined): Answer {
    const limit = Math.min(request.maxTokens ?? LONGEST_ANSWER_TOKENS, LONGEST_ANSWER_TOKENS)
    const { text, trueEnd } = this.#textFrom(offset, limit * TOKEN_CHARS)
    const stopAt = Math.min(...(request.stop ?? []).map(stop => text.indexOf(stop)).filter(at => at >= 0))
    const from = offset ?? 0
    const all = [...tokensOf(TAG, 0, 0), ...tokensOf(text.slice(0, stopAt), from, trueEnd)]
    const tokens = all.slice(0, limit).map((token, index) => ({ ...token, isTag: index < TAG.length / TOKEN_CHARS }))
    return { tokens, why: all.length > limit ? 'length' : 'done' }
  }

  /** The file from here on, or up to the next surprise and then wrong. */
  #textFrom(offset: number | undefined, length: number): { text: string; trueEnd: number } {
    const { source } = this.#options
    if (offset === undefined) return { text: '', trueEnd: 0 }
    const surprise = this.#surprises.find(at => at >= offset)
    if (surprise === undefined) return { text: source.text.slice(offset, offset + length), trueEnd: source.text.length }
    const known = source.text.slice(offset, surprise)
    const wrong = wrongTextAt(source, surprise, Math.max(0, length - known.length))
    return { text: (known + wrong).slice(0, length), trueEnd: surprise }
  }
}

/** Tokens of text that goes on from `offset` of the file and is the file's up to `trueEnd`. */
function tokensOf(text: string, offset: number, trueEnd: number): Omit<Token, 'isTag'>[] {
  return Array.from({ length: Math.ceil(text.length / TOKEN_CHARS) }, (_, index) => {
    const part = text.slice(index * TOKEN_CHARS, (index + 1) * TOKEN_CHARS)
    const from = offset + index * TOKEN_CHARS
    const count = Math.max(0, Math.min(part.length, trueEnd - from))
    return { text: part, offsets: Array.from({ length: count }, (_, at) => from + at) }
  })
}

const CONTEXT_CHARS = 24
/** So far before the cursor the place is looked for: a mistake may stand between. */
const LONGEST_MISTAKE_CHARS = 64

/**
 * The offset of the file that `before` leads to: the last 24 characters before it occur in `before`, at or shortly
 * before its end. Where they occur in the file more than once, what comes further before decides.
 */
export function placeInFile(text: string, before: string): number | undefined {
  const length = Math.min(CONTEXT_CHARS, before.length)
  for (let end = before.length; end >= Math.max(length, before.length - LONGEST_MISTAKE_CHARS); end--) {
    const context = before.slice(end - length, end)
    const places = occurrences(text, context).map(at => at + context.length)
    if (places.length > 0) return places.reduce((best, at) => (shared(at) > shared(best) ? at : best))

    function shared(at: number): number {
      let length = 0
      while (length < Math.min(at, end) && text[at - length - 1] === before[end - length - 1]) length++
      return length
    }
  }
  return undefined
}

function occurrences(text: string, part: string): number[] {
  const found: number[] = []
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) found.push(at)
  return found
}
