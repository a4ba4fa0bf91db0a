// `TokenBudgetClient`: a `ModelClient` that estimates the tokens of a request and keeps it within the model's limits.
import { TooLongError } from '../http/errors.ts'
import type { ModelClient, ModelEvent, ModelRequest } from './modelClient.ts'
import type { TokenCounter } from './tokenCounter.ts'
import { messageTokens, requestTokens } from './tokenEstimate.ts'

/** The limits of a model in tokens. */
export interface Limits {
  /** Of a request. */
  readonly input: number
  /** Of a request and its answer together. */
  readonly total: number
  /** Of an answer, if the service reports it. */
  readonly output?: number
}

/** The limit of an answer if the request has none: longer than the answers of a chat. */
const USUAL_OUTPUT = 32_768
/** The limit of the answer is at least the total divided by this, however uncertain the estimate is. */
const MIN_OUTPUT_DIVISOR = 16
/** With fewer tokens left the request is sent unchanged, and the service decides whether it fits. */
const MIN_OUTPUT = 256

export class TokenBudgetClient implements ModelClient {
  readonly #next: ModelClient
  readonly #counter: TokenCounter
  readonly #limitsOf: (model: string) => Limits
  readonly #onCount: (estimated: number, counted: number) => void

  /** `onCount` is called with the estimate and the service's count of each request. */
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
    const counted = this.#counter.count(request)
    const { tokens, least } = counted
    if (least > limits.input) throw this.#tooLong(request, tokens, limits.input)
    for await (const event of this.#next.stream(this.budgeted(request, counted), signal)) {
      if (event.kind === 'finish' && event.usage) {
        this.#counter.learn(request, event.usage.input)
        this.#onCount(tokens, event.usage.input)
      }
      yield event
    }
  }

  /** The request with the limit of the answer. */
  budgeted(request: ModelRequest, { tokens, most } = this.#counter.count(request)): ModelRequest {
    const limits = this.#limitsOf(request.model)
    // The service refuses an input above its limit, so that is the upper bound.
    const sure = limits.total - Math.min(most, limits.input)
    // The uncertainty of the estimate must not leave almost no tokens for the answer.
    const left = Math.max(sure, Math.min(limits.total / MIN_OUTPUT_DIVISOR, limits.total - tokens))
    const room = Math.floor(Math.min(request.maxTokens ?? USUAL_OUTPUT, limits.output ?? left, left))
    return left < MIN_OUTPUT ? request : { ...request, maxTokens: room }
  }

  /**
   * The fault with the number of oldest messages, in whole turns, to leave out; undefined if the last turn is too long.
   */
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
