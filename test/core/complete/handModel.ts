// A model whose answers a test gives by hand, piece by piece.
import type { FinishReason, ModelClient, ModelEvent, ModelRequest } from '../../../src/core/model/modelClient.ts'
import { settled } from '../../support/fakeClock.ts'
import { wordsOf } from '../../support/messages.ts'

/** One request as the model sees it. */
export class Call {
  readonly request: ModelRequest
  readonly signal: AbortSignal
  isOpen = true
  #queue: (ModelEvent | { kind: 'fault'; fault: unknown })[] = []
  #wake = () => {}

  constructor(request: ModelRequest, signal: AbortSignal) {
    this.request = request
    this.signal = signal
    signal.addEventListener('abort', () => this.#wake())
  }

  get lastMessage(): string {
    const last = this.request.messages.at(-1)
    return last ? wordsOf(last) : ''
  }

  emit(text: string): Promise<void> {
    return this.#put({ kind: 'text-delta', text })
  }

  finish(why: FinishReason = 'done'): Promise<void> {
    return this.#put({ kind: 'finish', why })
  }

  /** The whole answer at once, in its tags, as a server with stop strings sends it. */
  async answer(text: string): Promise<void> {
    await this.emit(`<insert>${text}`)
    await this.finish()
  }

  fail(fault: unknown): Promise<void> {
    return this.#put({ kind: 'fault', fault })
  }

  #put(event: ModelEvent | { kind: 'fault'; fault: unknown }): Promise<void> {
    this.#queue.push(event)
    this.#wake()
    return settled()
  }

  async *events(): AsyncIterable<ModelEvent> {
    try {
      for (;;) {
        if (this.signal.aborted) throw this.signal.reason
        const event = this.#queue.shift()
        if (!event) await new Promise<void>(resolve => (this.#wake = resolve))
        else if (event.kind === 'fault') throw event.fault
        else yield event
        if (event?.kind === 'finish') return
      }
    } finally {
      this.isOpen = false
    }
  }
}

export class HandModel implements ModelClient {
  readonly calls: Call[] = []
  peak = 0

  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
    const call = new Call(request, signal)
    this.calls.push(call)
    this.peak = Math.max(this.peak, this.calls.filter(({ isOpen }) => isOpen).length)
    return call.events()
  }

  get last(): Call {
    const call = this.calls.at(-1)
    if (!call) throw new Error('the model was not asked')
    return call
  }
}
