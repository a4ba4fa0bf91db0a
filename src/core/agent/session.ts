// `Session`: one conversation in this window, and what it is doing now.
import { type LinkedAbort, linkedAbort } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'
import { type Disposable, DisposableStore } from '../../base/disposable.ts'
import { Emitter, type Event } from '../../base/event.ts'
import type { ConversationEvent, EventBody, PromptPart } from '../../protocol/conversation.ts'
import { hasAnswer, promptText, runningTurns, unansweredTurn } from '../../protocol/conversationPath.ts'
import { type ConversationState, type Turn, turnOf } from '../../protocol/conversationState.ts'
import type { ConversationLog } from '../conversation/conversationLog.ts'
import { chatPrompt } from '../conversation/prompt.ts'
import { meaningOf } from '../http/fault.ts'
import type { ModelClient } from '../model/modelClient.ts'
import type { Wait } from '../model/queuedClient.ts'
import { RefusedError } from './refusedError.ts'
import { TurnLoop, type TurnOutcome } from './turnLoop.ts'

export type SessionState =
  | { readonly is: 'idle' }
  /** In the queue, or holding back because the service asked for it. */
  | { readonly is: 'waiting'; readonly wait: Wait }
  | { readonly is: 'answering' }
  /** Another window answers. */
  | { readonly is: 'following' }
  /**
   * Refused at the plan's limit in the middle of an answer, or when the models were listed. The question and what
   * arrived are kept; only the user asks again.
   */
  | { readonly is: 'held' }
  /** `model`: the one that was asked; the user may have selected another since. */
  | { readonly is: 'failed'; readonly fault: unknown; readonly model?: string }

export interface SessionOptions {
  readonly models: ModelClient
  /**
   * The model to ask now; `refused`: the service would not have this one. Throws `NoModelError` when the user has to
   * select one.
   */
  readonly model: (signal: AbortSignal, refused?: string) => Promise<string>
  readonly newId: () => string
  readonly clock: Clock
  /** The workspace that a new conversation belongs to, as a URI. */
  readonly workspace?: string | undefined
}

type TurnStarted = Extract<EventBody, { kind: 'turn-started' }>

/** A question is never lost: it is on disk before anything is sent, and stays there whatever comes. */
export class Session implements Disposable {
  readonly #log: ConversationLog
  readonly #options: SessionOptions
  readonly #moved = new Emitter<void>()
  readonly #life = new DisposableStore()
  #state: SessionState = { is: 'idle' }
  #turn: LinkedAbort | undefined
  #hurry: (() => void) | undefined
  /** The turn under way, to its end. */
  #running: Promise<unknown> = Promise.resolve()
  #isFollowing = false

  constructor(log: ConversationLog, options: SessionOptions) {
    this.#log = log
    this.#options = options
    this.#life.add(log.onDidAppend(() => this.#follow()))
    this.#follow()
  }

  get id(): string {
    return this.#log.state.conversation
  }

  get conversation(): ConversationState {
    return this.#log.state
  }

  /** The number of the last event. */
  get length(): number {
    return this.#log.state.n
  }

  get onDidAppend(): Event<ConversationEvent> {
    return this.#log.onDidAppend
  }

  /** It is doing something else now. */
  readonly onDidMove: Event<void> = this.#moved.event

  /** The events from number `from` on. */
  events(from: number, signal: AbortSignal): AsyncIterable<readonly ConversationEvent[]> {
    return this.#log.events(from, signal)
  }

  get state(): SessionState {
    return this.#isFollowing && !this.#turn ? { is: 'following' } : this.#state
  }

  /** A turn is under way in this window. */
  get isBusy(): boolean {
    return this.#turn !== undefined
  }

  /** The last question, if it waits for the first word of its answer or failed without one. */
  get unanswered(): string | undefined {
    const turn = this.#state.is === 'idle' ? undefined : unansweredTurn(this.#log.state)
    return turn && promptText(turn.prompt)
  }

  /**
   * Resolves when the answer has ended, one way or another; what happened stands in the state. False at once where
   * nothing was asked: an answer is under way, here or in another window.
   */
  ask(text: string): Promise<boolean> {
    if (!text.trim()) return Promise.resolve(false)
    const { newId } = this.#options
    const prompt: PromptPart[] = [{ kind: 'text', id: newId(), text }]
    return this.#run(({ tip }) => ({
      kind: 'turn-started',
      turn: newId(),
      ...(tip && { parent: tip }),
      origin: { is: 'new' },
      prompt,
    }))
  }

  /** Asks the last question again. What came of its first answer is kept, whatever comes of the next. */
  retry(): Promise<boolean> {
    return this.#run(state => {
      const last = turnOf(state, state.tip)
      if (!last) return undefined
      const { id: of, parent } = last
      const origin = { is: 'retry', of } as const
      return { kind: 'turn-started', turn: this.#options.newId(), ...(parent && { parent }), origin }
    })
  }

  /** Does not wait any longer for the next try. */
  retryNow(): void {
    this.#hurry?.()
  }

  stop(): void {
    this.#turn?.stop()
    if (this.#state.is === 'held') this.#move({ is: 'idle' })
  }

  async #run(begin: (state: ConversationState) => TurnStarted | undefined): Promise<boolean> {
    if (this.#turn || this.state.is === 'following') return false
    const turn = linkedAbort()
    this.#turn = turn
    const running = this.#runClaimed(begin, turn.signal)
    this.#running = running.catch(() => {})
    try {
      return await running
    } finally {
      turn.unlink()
    }
  }

  /** One window at a time writes a conversation: from here to the end of the turn it is this one. */
  async #runClaimed(
    begin: (state: ConversationState) => TurnStarted | undefined,
    signal: AbortSignal,
  ): Promise<boolean> {
    let next: SessionState = { is: 'idle' }
    try {
      if (!(await this.#log.claim())) return false
      const started = begin(this.#log.state)
      if (!started) return false
      this.#move({ is: 'answering' })
      await this.#begin(started)
      next = await this.#answer(started, signal)
      return true
    } catch (fault) {
      next = { is: 'failed', fault }
      return true
    } finally {
      this.#turn = undefined
      this.#hurry = undefined
      this.#move(next)
      await this.#log.release()
    }
  }

  async #begin(started: TurnStarted): Promise<void> {
    const { workspace } = this.#options
    if (this.#log.state.n === 0) await this.#log.append({ kind: 'created', ...(workspace && { workspace }) })
    await this.#log.append(started)
  }

  async #answer(started: TurnStarted, signal: AbortSignal): Promise<SessionState> {
    const loop = new TurnLoop(
      {
        ...this.#options,
        log: this.#log,
        prompt: chatPrompt,
        onWait: wait => this.#move(wait ? { is: 'waiting', wait } : { is: 'answering' }),
        retryNow: () => new Promise<void>(resolve => (this.#hurry = resolve)),
      },
      started.turn,
    )
    const outcome = await loop.run(signal)
    const turn = turnOf(this.#log.state, started.turn)
    await this.#keepAnswerBefore(started, turn)
    return stateAfter(outcome, turn)
  }

  /** A retry that came to nothing leaves the path on the answer before it. */
  async #keepAnswerBefore({ origin }: TurnStarted, turn: Turn | undefined): Promise<void> {
    const before = origin.is === 'retry' ? turnOf(this.#log.state, origin.of) : undefined
    if (!turn || !before || hasAnswer(turn) || !hasAnswer(before)) return
    await this.#log.append({ kind: 'branch-chosen', turn: before.id })
  }

  /** Another window may have begun or ended a turn. */
  #follow(): void {
    const isFollowing = !this.#turn && runningTurns(this.#log.state).length > 0
    if (isFollowing === this.#isFollowing) return
    this.#isFollowing = isFollowing
    this.#moved.fire()
  }

  #move(state: SessionState): void {
    this.#state = state
    this.#isFollowing = false
    this.#moved.fire()
  }

  /** Keeps what has been said, and nothing that the end of the window stops from now on. */
  close(): Promise<void> {
    return this.#log.close()
  }

  /** The turn under way is stopped, which is kept. */
  dispose(): void {
    this.stop()
    this.#life.dispose()
    this.#moved.dispose()
    void this.#running.then(() => this.#log.dispose())
  }
}

/** A refusal at the plan's limit before the first piece is waited out; one that comes later is no fault either. */
function stateAfter({ state, fault, model }: TurnOutcome, turn: Turn | undefined): SessionState {
  if (state === 'refused') return failed(new RefusedError(turn !== undefined && hasAnswer(turn)), model)
  if (fault === undefined) return { is: 'idle' }
  return meaningOf(fault).kind === 'problem: limit' ? { is: 'held' } : failed(fault, model)
}

function failed(fault: unknown, model: string | undefined): SessionState {
  return { is: 'failed', fault, ...(model !== undefined && { model }) }
}
