// One conversation and what it is doing now.
import { isAbort, linkedAbort } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { Emitter, type Event } from '../../base/event.ts'
import type { SealedReasoning } from '../../protocol/conversation.ts'
import { Fault, meaningOf } from '../http/fault.ts'
import type { ModelClient } from '../model/modelClient.ts'
import { type QueuedRequest, SLOW_MS, type Wait } from '../model/queuedClient.ts'
import type { ChatMessage, HistoryStore } from './history.ts'
import { chatRequest } from './prompt.ts'

export type SessionState =
  | { readonly is: 'idle' }
  /** In line, or holding back because the service asked for it. */
  | { readonly is: 'waiting'; readonly wait: Wait }
  | { readonly is: 'answering' }
  /**
   * Refused at the plan's limit in the middle of an answer, or when the models were asked for. The question and what
   * arrived are kept; only the user asks again.
   */
  | { readonly is: 'held' }
  /** `model`: the one that was asked; the user may have chosen another since. */
  | { readonly is: 'failed'; readonly fault: unknown; readonly model?: string }

export type SessionChange =
  | { readonly is: 'transcript' }
  /** `text` was added to `message` at character `at`. */
  | { readonly is: 'delta'; readonly message: string; readonly at: number; readonly text: string }
  | { readonly is: 'state' }

/** There is no model to ask: the user has to name one. */
export class NoModelError extends Fault {
  override readonly name = 'NoModelError'

  constructor() {
    super('request: no model', 'There is no model to ask')
  }
}

/** The model declined, or whoever watches over it stopped it. */
export class RefusedError extends Fault {
  override readonly name = 'RefusedError'
  /** Part of an answer stands there. */
  readonly hasBegun: boolean

  constructor(hasBegun: boolean) {
    super('request: declined', 'Refused')
    this.hasBegun = hasBegun
  }
}

/** The model called a tool that nobody had offered, and said nothing that could be shown. */
export class UnofferedCallError extends Fault {
  override readonly name = 'UnofferedCallError'

  constructor() {
    super('request: unoffered call', 'A tool was called in place of an answer')
  }
}

export interface SessionOptions {
  readonly id: string
  readonly models: ModelClient
  /**
   * The model to ask now; `refused`: the service would not have this one. Throws `NoModelError` when the user has to
   * choose.
   */
  readonly model: (signal: AbortSignal, refused?: string) => Promise<string>
  readonly history: HistoryStore
  readonly newId: () => string
  readonly clock: Clock
}

/** A question is never lost: it stands in the transcript before anything is sent, and stays there whatever comes. */
export class Session implements Disposable {
  readonly id: string
  readonly #options: SessionOptions
  readonly #changed = new Emitter<SessionChange>()
  #messages: ChatMessage[] = []
  #state: SessionState = { is: 'idle' }
  #turn: ReturnType<typeof linkedAbort> | undefined
  /** The last answer is asked for again and stands there until the new one has begun. */
  #isReplacing = false
  #hurry: (() => void) | undefined
  /** Reasoning that came before the first word of an answer. */
  #early: readonly SealedReasoning[] = []
  /** The model that was asked last in this turn. */
  #model: string | undefined

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

  get isBusy(): boolean {
    return this.#turn !== undefined
  }

  /** The last question, if it waits for the first word of its answer or failed without one. */
  get unanswered(): string | undefined {
    const last = this.#messages.at(-1)
    return last?.role === 'user' && this.#state.is !== 'idle' ? last.text : undefined
  }

  /** Resolves when the answer has ended, one way or another; what happened stands in the state. */
  ask(text: string): Promise<void> {
    if (this.#turn || !text.trim()) return Promise.resolve()
    this.#messages.push({ id: this.#options.newId(), role: 'user', text, state: 'whole' })
    return this.#answer()
  }

  /** Asks the last question again. What came of its first answer is kept, whatever comes of the next. */
  retry(): Promise<void> {
    if (this.#turn || this.#messages.length === 0) return Promise.resolve()
    this.#isReplacing = this.#messages.at(-1)?.role === 'assistant'
    return this.#answer()
  }

  /** Does not wait any longer for the next try. */
  retryNow(): void {
    this.#hurry?.()
  }

  stop(): void {
    this.#turn?.stop()
    if (this.#state.is === 'held') this.#move({ is: 'idle' })
  }

  async #answer(): Promise<void> {
    const turn = linkedAbort()
    this.#turn = turn
    this.#model = undefined
    this.#move({ is: 'answering' })
    this.#changed.fire({ is: 'transcript' })
    void this.#save()
    try {
      await this.#askModel(turn.signal)
      this.#turn = undefined
      this.#move({ is: 'idle' })
    } catch (fault) {
      this.#turn = undefined
      const isStopped = turn.signal.aborted || isAbort(fault)
      this.#endAnswer(isStopped ? 'stopped' : 'cut-off')
      this.#move(isStopped ? { is: 'idle' } : stateAfter(fault, this.#model))
    } finally {
      turn.unlink()
      this.#isReplacing = false
      await this.#save()
    }
  }

  #save(): Promise<void> {
    return this.#options.history.save({ id: this.id, messages: [...this.#messages] })
  }

  /** Where the user has left the choice to the service, a model that it no longer has is no reason to fail. */
  async #askModel(signal: AbortSignal): Promise<void> {
    const asked = this.#isReplacing ? this.#messages.slice(0, -1) : [...this.#messages]
    const model = await this.#modelToAsk(signal)
    try {
      await this.#stream(chatRequest(model, asked), signal)
    } catch (fault) {
      if (signal.aborted || this.#begun || meaningOf(fault).remedy !== 'select-model') throw fault
      const other = await this.#modelToAsk(signal, model)
      if (other === model) throw fault
      await this.#stream(chatRequest(other, asked), signal)
    }
  }

  /** Whoever waits long for the list of models is told as one who waits long for an answer. */
  async #modelToAsk(signal: AbortSignal, refused?: string): Promise<string> {
    const { model, clock } = this.#options
    const since = clock.elapsed()
    const callOff = clock.later(SLOW_MS, () => this.#move({ is: 'waiting', wait: { is: 'slow', since } }))
    try {
      return await model(signal, refused)
    } finally {
      callOff()
      if (this.#state.is === 'waiting') this.#move({ is: 'answering' })
    }
  }

  async #stream(request: QueuedRequest, signal: AbortSignal): Promise<void> {
    this.#model = request.model
    this.#early = []
    const routed: QueuedRequest = {
      ...request,
      onWait: wait => this.#move(wait ? { is: 'waiting', wait } : { is: 'answering' }),
      retryNow: () => new Promise<void>(resolve => (this.#hurry = resolve)),
    }
    for await (const event of this.#options.models.stream(routed, signal)) {
      if (event.kind === 'text-delta') this.#append(event.text)
      else if (event.kind === 'reasoning-block') this.#keep(event.sealed)
      else if (event.kind === 'finish' && event.why === 'refused') throw new RefusedError(this.#hasSaid)
      else if (event.kind === 'finish' && event.why === 'tools' && !this.#hasSaid) throw new UnofferedCallError()
      else if (event.kind === 'finish') {
        const isWhole = event.why === 'done' || event.why === 'tools'
        // An answer that ended before its first word stands there as one that was cut; it takes the place of none.
        if (!isWhole && !this.#isReplacing) this.#append('')
        this.#endAnswer(isWhole ? 'whole' : 'cut-off')
      }
    }
  }

  /** The answer under way, once it has begun. */
  get #begun(): ChatMessage | undefined {
    const last = this.#messages.at(-1)
    return last?.role === 'assistant' && !this.#isReplacing ? last : undefined
  }

  get #hasSaid(): boolean {
    return this.#begun !== undefined && this.#begun.text.trim() !== ''
  }

  /** Reasoning begins no answer: it is kept for the message that the first word begins. */
  #keep(sealed: SealedReasoning): void {
    const message = this.#begun
    if (!message) {
      this.#early = [...this.#early, sealed]
      return
    }
    this.#messages[this.#messages.length - 1] = { ...message, reasoning: [...(message.reasoning ?? []), sealed] }
  }

  #begin(text: string): ChatMessage {
    const replaced = this.#isReplacing ? this.#messages.pop() : undefined
    this.#isReplacing = false
    const earlier = [...(replaced?.earlier ?? []), ...(replaced?.text.trim() ? [replaced.text] : [])]
    const message: ChatMessage = {
      id: this.#options.newId(),
      role: 'assistant',
      text,
      state: 'streaming',
      ...(earlier.length > 0 && { earlier }),
      ...(this.#early.length > 0 && { reasoning: this.#early }),
    }
    this.#early = []
    this.#messages.push(message)
    this.#changed.fire({ is: 'transcript' })
    return message
  }

  #append(text: string): void {
    const last = this.#begun
    if (!last) {
      this.#begin(text)
      void this.#save()
      return
    }
    this.#messages[this.#messages.length - 1] = { ...last, text: last.text + text }
    this.#changed.fire({ is: 'delta', message: last.id, at: last.text.length, text })
    void this.#save()
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

/** Whoever asks waits out a refusal that came before the first piece; one that comes later is no fault either. */
function stateAfter(fault: unknown, model: string | undefined): SessionState {
  if (meaningOf(fault).kind === 'problem: limit') return { is: 'held' }
  return { is: 'failed', fault, ...(model !== undefined && { model }) }
}
