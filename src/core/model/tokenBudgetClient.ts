// `ModelClient` that keeps within the model's limits, by counting before it sends.
import { TooLongError } from '../http/errors.ts'
import type { ModelClient, ModelEvent, ModelRequest } from './modelClient.ts'
import type { TokenCounter } from './tokenCounter.ts'
import { messageTokens, requestTokens } from './tokenEstimate.ts'

/** Tokens. */
export interface Limits {
  /** That a request may hold. */
  readonly input: number
  /** That a request and its answer may hold together. */
  readonly total: number
  /** That an answer may hold, where the service says so. */
  readonly output?: number
}

/** More than a chat's answer ever takes; some services keep this much free from the beginning. */
const USUAL_OUTPUT = 32_768
/** The part of the whole that is room enough for an answer. */
const ENOUGH_SHARE = 16
/** With less room than this the service is left to judge whether there is any. */
const SMALLEST_ROOM = 256

export class TokenBudgetClient implements ModelClient {
  readonly #next: ModelClient
  readonly #counter: TokenCounter
  readonly #limitsOf: (model: string) => Limits
  readonly #onCount: (estimated: number, counted: number) => void

  /** `onCount` is told what the service counted in a request, beside what had been estimated. */
  constructor(
    next: ModelClient,
    counter: TokenCounter,
    limitsOf: (model: string) => Limits,
    onCount: (estimated: number, counted: number) => void = () => {},
  ) {
    this.#next = next
    this.#counter = counter
    this.#limitsOf = limitsOf
    this.#onCount = onCount
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
    const limits = this.#limitsOf(request.model)
    const { tokens, least, most } = this.#counter.count(request)
    if (least > limits.input) throw this.#tooLong(request, tokens, limits.input)
    // A longer request the service would refuse anyway.
    const sure = limits.total - Math.min(most, limits.input)
    // What the estimate is in doubt about may not cost nearly the whole answer.
    const left = Math.max(sure, Math.min(limits.total / ENOUGH_SHARE, limits.total - tokens))
    const room = Math.floor(Math.min(request.maxTokens ?? USUAL_OUTPUT, limits.output ?? left, left))
    const held = left < SMALLEST_ROOM ? request : { ...request, maxTokens: room }
    for await (const event of this.#next.stream(held, signal)) {
      if (event.kind === 'finish' && event.usage) {
        this.#counter.learn(request, event.usage.input)
        this.#onCount(tokens, event.usage.input)
      }
      yield event
    }
  }

  /** Says how many of the oldest messages are too many, in whole turns; none where the rest alone is too long. */
  #tooLong(request: ModelRequest, tokens: number, limit: number): TooLongError {
    const { model, messages } = request
    let rest = requestTokens(request)
    for (const [index, message] of messages.entries()) {
      const isTurn = message.role === 'user' && !message.continuesTurn
      if (index > 0 && isTurn && this.#counter.correct(model, rest).tokens <= limit)
        return new TooLongError(tokens, limit, index)
      rest -= messageTokens(message)
    }
    return new TooLongError(tokens, limit, undefined)
  }
}
