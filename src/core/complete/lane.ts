// `Lane`: the one request for a completion that may be open, from its start until its answer is complete or no longer wanted.
import { isAbort, linkedAbort } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { Emitter, type Event } from '../../base/event.ts'
import type { FinishReason, ModelClient, ModelRequest } from '../model/modelClient.ts'
import type { QueuedRequest } from '../model/queuedClient.ts'
import type { Answer } from './answer.ts'
import type { Reception } from './thinkingSwitch.ts'

/** A request without text for so long is cancelled, because the cursor has moved on by then. */
const IDLE_TIMEOUT_MS = 10_000

export interface LaneOptions {
  readonly models: ModelClient
  readonly clock: Clock
  /** Asked after each piece of the answer: whether the client stops reading. */
  readonly isEnough: (answer: Answer) => boolean
  /** The request has a slot, for which it may have waited. */
  readonly onSent: () => void
  readonly onFirstText: (afterMs: number) => void
  readonly onFault: (fault: unknown, request: ModelRequest) => void
  /** The request is over, however it ended; the lane is free. */
  readonly onEnd: (answer: Answer, reception: Reception, request: ModelRequest) => void
}

interface Open {
  readonly answer: Answer
  readonly signal: AbortSignal
  readonly cancel: () => void
  /** Resolves when the request is over, however it ended. */
  readonly closed: Promise<void>
}

export class Lane implements Disposable {
  readonly #options: LaneOptions
  readonly #progress = new Emitter<void>()
  #open: Open | undefined

  constructor(options: LaneOptions) {
    this.#options = options
  }

  /** Text has arrived, or the request is over. */
  readonly onProgress: Event<void> = this.#progress.event

  /** That of the open request; also of one that was cancelled and is not over yet. */
  get answer(): Answer | undefined {
    return this.#open?.answer
  }

  /** A request is open and was not cancelled. */
  get isReading(): boolean {
    return this.#open?.signal.aborted === false
  }

  /** Resolves when the lane is free. */
  get free(): Promise<void> | undefined {
    return this.#open?.closed
  }

  /** The lane must be free. */
  start(answer: Answer, request: ModelRequest): void {
    const { signal, stop: cancel } = linkedAbort()
    // The request is known as open before its first step, which may end it.
    const { promise: closed, resolve } = Promise.withResolvers<void>()
    this.#open = { answer, signal, cancel, closed }
    void this.#run(answer, request, signal, cancel).then(resolve)
  }

  cancel(): void {
    this.#open?.cancel()
  }

  dispose(): void {
    this.cancel()
    this.#progress.dispose()
  }

  async #run(answer: Answer, request: ModelRequest, signal: AbortSignal, cancel: () => void): Promise<void> {
    const { clock, onEnd, onFault } = this.#options
    const startIdleTimer = () => clock.later(IDLE_TIMEOUT_MS, cancel)
    let clearIdleTimer = startIdleTimer()
    let hasThought = false
    const onThought = () => {
      hasThought = true
    }
    const onText = () => {
      clearIdleTimer()
      clearIdleTimer = startIdleTimer()
    }
    let end: FinishReason | 'stopped' = 'stopped'
    try {
      end = await this.#read(answer, request, signal, { onText, onThought })
    } catch (fault) {
      if (!isAbort(fault)) onFault(fault, request)
    } finally {
      clearIdleTimer()
      // The signal closes the connection of a request that was stopped. One that finished is not aborted, so that its
      // connection is reused for the next request.
      if (end === 'stopped') cancel()
      answer.end(end)
      this.#open = undefined
      onEnd(answer, { hasThought, hasText: answer.hasText, end }, request)
      this.#progress.fire()
    }
  }

  async #read(
    answer: Answer,
    request: ModelRequest,
    signal: AbortSignal,
    { onText, onThought }: { readonly onText: () => void; readonly onThought: () => void },
  ): Promise<FinishReason | 'stopped'> {
    const { clock, models, onFirstText, isEnough } = this.#options
    // The wait for a slot is not the time of the model.
    let sentAt = clock.elapsed()
    const onSent = () => {
      sentAt = clock.elapsed()
      this.#options.onSent()
    }
    const queued: QueuedRequest = { ...request, onSent }
    let isFirst = true
    for await (const event of models.stream(queued, signal)) {
      if (event.kind === 'finish') return event.why
      if (event.kind === 'reasoning-delta') onThought()
      if (event.kind !== 'text-delta' || event.text === '') continue
      if (isFirst) onFirstText(clock.elapsed() - sentAt)
      isFirst = false
      onText()
      if (answer.append(event.text) || isEnough(answer)) return 'stopped'
      this.#progress.fire()
    }
    return 'stopped'
  }
}
