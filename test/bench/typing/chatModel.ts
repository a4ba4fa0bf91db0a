// `ChatModel`: the model as chats ask it, one long answer each; the same number of chat takes the same time.
import { sleep } from '../../../src/base/abort.ts'
import type { Clock } from '../../../src/base/clock.ts'
import { ProblemError } from '../../../src/core/http/errors.ts'
import type { ModelClient, ModelEvent, ModelRequest } from '../../../src/core/model/modelClient.ts'
import { hashedRandom } from './hashed.ts'
import type { PlanSlots } from './planSlots.ts'
import { normal } from './schedule.ts'

export interface ChatModelOptions {
  readonly seed: number
  readonly clock: Clock
  readonly slots: PlanSlots
  readonly firstTokenMs: number
  readonly firstTokenSigma: number
  readonly tokensPerSecond: number
}

const SHORTEST_ANSWER_TOKENS = 50
const LONGEST_ANSWER_TOKENS = 800
const RETRY_AFTER_MS = 1_000

export class ChatModel implements ModelClient {
  readonly #options: ChatModelOptions
  #refusals = 0

  constructor(options: ChatModelOptions) {
    this.#options = options
  }

  get refusals(): number {
    return this.#refusals
  }

  async *stream({ messages }: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const { seed, clock, slots, firstTokenMs, firstTokenSigma, tokensPerSecond } = this.#options
    const random = hashedRandom(seed, 'chat', JSON.stringify(messages))
    const held = { releasedAt: Number.POSITIVE_INFINITY }
    if (!slots.take(held)) {
      this.#refusals++
      throw new ProblemError('oracle', 429, {}, { retryAfterMs: RETRY_AFTER_MS })
    }
    try {
      await sleep(clock, firstTokenMs * Math.exp(firstTokenSigma * normal(random)), signal)
      yield { kind: 'text-delta', text: 'an answer' }
      const tokens = SHORTEST_ANSWER_TOKENS + random() * (LONGEST_ANSWER_TOKENS - SHORTEST_ANSWER_TOKENS)
      await sleep(clock, (tokens * 1_000) / tokensPerSecond, signal)
      yield { kind: 'finish', why: 'done' }
    } finally {
      held.releasedAt = clock.elapsed()
    }
  }
}
