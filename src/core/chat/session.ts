// One conversation and what it is doing now.
import { isStop, linkStop } from '../../base/abort.ts'
import type { Disposable } from '../../base/disposable.ts'
import { Emitter, type Event } from '../../base/event.ts'
import type { ModelClient } from '../model/modelClient.ts'
import type { RoutedRequest, Wait } from '../model/routedClient.ts'
import type { ChatMessage, HistoryStore } from './history.ts'
import { chatRequest } from './prompt.ts'

export type SessionState =
  | { readonly is: 'idle' }
  /** In line, or holding back because the service asked for it. */
  | { readonly is: 'waiting'; readonly wait: Wait }
  | { readonly is: 'answering' }
  | { readonly is: 'failed'; readonly fault: unknown }

export type SessionChange =
  | { readonly is: 'transcript' }
  /** `text` was added to `message` at character `at`. */
  | { readonly is: 'delta'; readonly message: string; readonly at: number; readonly text: string }
  | { readonly is: 'state' }

/** There is no model to ask: the user has to name one. */
export class NoModelError extends Error {
  override readonly name = 'NoModelError'
}

export interface SessionOptions {
  readonly id: string
  readonly models: ModelClient
  /** The model to ask now. Throws `NoModelError` when the user has to choose. */
  readonly model: (signal: AbortSignal) => Promise<string>
  readonly history: HistoryStore
  readonly newId: () => string
}

/** A question is never lost: it stands in the transcript before anything is sent, and stays there whatever comes. */
export class Session implements Disposable {
  readonly id: string
  readonly #options: SessionOptions
  readonly #changed = new Emitter<SessionChange>()
  #messages: ChatMessage[] = []
  #state: SessionState = { is: 'idle' }
  #turn: ReturnType<typeof linkStop> | undefined
  #hurry: (() => void) | undefined

  constructor(options: SessionOptions, messages: readonly ChatMessage[] = []) {
    this.id = options.id
    this.#options = options
    this.#messages = [...messages]
  }

  readonly onDidChange: Event<SessionChange> = this.#changed.event

  get messages(): readonly ChatMessage[] {
    return this.#messages
  }

  get state(): SessionState {
    return this.#state
  }

  /** Resolves when the answer has ended, one way or another; what happened stands in the state. */
  ask(text: string): Promise<void> {
    if (this.#turn || !text.trim()) return Promise.resolve()
    this.#messages.push({ id: this.#options.newId(), role: 'user', text, state: 'whole' })
    return this.#answer()
  }

  /** Asks the last question again; what came of its first answer goes. */
  retry(): Promise<void> {
    if (this.#turn) return Promise.resolve()
    const last = this.#messages.at(-1)
    if (last?.role === 'assistant') this.#messages.pop()
    return this.#messages.length > 0 ? this.#answer() : Promise.resolve()
  }

  /** Does not wait any longer for the next try. */
  retryNow(): void {
    this.#hurry?.()
  }

  stop(): void {
    this.#turn?.stop()
  }

  async #answer(): Promise<void> {
    const turn = linkStop()
    this.#turn = turn
    this.#move({ is: 'answering' })
    this.#changed.fire({ is: 'transcript' })
    try {
      const model = await this.#options.model(turn.signal)
      await this.#stream(chatRequest(model, this.#messages), turn.signal)
      this.#turn = undefined
      this.#move({ is: 'idle' })
    } catch (fault) {
      this.#turn = undefined
      const isStopped = turn.signal.aborted || isStop(fault)
      this.#endAnswer(isStopped ? 'stopped' : 'cut-off')
      this.#move(isStopped ? { is: 'idle' } : { is: 'failed', fault })
    } finally {
      turn.unlink()
      await this.#options.history.save({ id: this.id, messages: [...this.#messages] })
    }
  }

  async #stream(request: RoutedRequest, signal: AbortSignal): Promise<void> {
    const routed: RoutedRequest = {
      ...request,
      onWait: wait => this.#move(wait ? { is: 'waiting', wait } : { is: 'answering' }),
      retryNow: () => new Promise<void>(resolve => (this.#hurry = resolve)),
    }
    for await (const event of this.#options.models.stream(routed, signal)) {
      if (event.kind === 'text-delta') this.#append(event.text)
      else if (event.kind === 'finish') {
        const isWhole = event.why === 'done' || event.why === 'tools' || event.why === 'refused'
        // An answer that ended before its first word stands there as one that was cut.
        if (!isWhole) this.#append('')
        this.#endAnswer(isWhole ? 'whole' : 'cut-off')
      }
    }
  }

  #append(text: string): void {
    const last = this.#messages.at(-1)
    if (last?.role !== 'assistant') {
      this.#messages.push({ id: this.#options.newId(), role: 'assistant', text, state: 'streaming' })
      this.#changed.fire({ is: 'transcript' })
      return
    }
    this.#messages[this.#messages.length - 1] = { ...last, text: last.text + text }
    this.#changed.fire({ is: 'delta', message: last.id, at: last.text.length, text })
  }

  #endAnswer(state: ChatMessage['state']): void {
    const last = this.#messages.at(-1)
    if (last?.state !== 'streaming') return
    this.#messages[this.#messages.length - 1] = { ...last, state }
    this.#changed.fire({ is: 'transcript' })
  }

  #move(state: SessionState): void {
    this.#state = state
    this.#changed.fire({ is: 'state' })
  }

  dispose(): void {
    this.stop()
    this.#changed.dispose()
  }
}
