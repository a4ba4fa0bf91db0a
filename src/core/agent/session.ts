// `Session`: one conversation in this window, its state, and the turns that the user starts in it.
import { type LinkedAbort, linkedAbort } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'
import { type Disposable, DisposableStore } from '../../base/disposable.ts'
import { Emitter, type Event } from '../../base/event.ts'
import type { ConversationEvent, EventBody, PromptPart } from '../../protocol/conversation.ts'
import { hasAnswer, promptText, runningTurns, unansweredTurn } from '../../protocol/conversationPath.ts'
import { type ConversationState, type Turn, turnOf } from '../../protocol/conversationState.ts'
import type { ConversationLog } from '../conversation/conversationLog.ts'
import { meaningOf } from '../http/fault.ts'
import type { ModelClient } from '../model/modelClient.ts'
import type { Wait } from '../model/queuedClient.ts'
import { RefusedError } from './refusedError.ts'
import type { TurnOutcome, TurnTools } from './turnLoop.ts'

export type SessionState =
  | { readonly is: 'idle' }
  /** In the queue, or waiting for the next try. */
  | { readonly is: 'waiting'; readonly wait: Wait }
  | { readonly is: 'answering' }
  /** Another window runs the turn. */
  | { readonly is: 'following' }
  /**
   * The service refused the request at the plan's limit, in the middle of an answer or at the list of models. The
   * question and the received part of the answer are kept; only the user can ask again.
   */
  | { readonly is: 'held' }
  /** `model`: the one of the request; the user may have selected another one since. */
  | { readonly is: 'failed'; readonly fault: unknown; readonly model?: string }

export interface SessionOptions {
  readonly models: ModelClient
  /**
   * The id of the model for the next request; `refused`: a model that the service has refused. Throws `NoModelError` if
   * the user has to select one.
   */
  readonly model: (signal: AbortSignal, refused?: string) => Promise<string>
  /** Those of every turn; undefined if the model has nothing to call. */
  readonly tools: TurnTools | undefined
  readonly newId: () => string
  readonly clock: Clock
  /** The workspace that a new conversation belongs to, as a URI. */
  readonly workspace?: string | undefined
}

type TurnStarted = Extract<EventBody, { kind: 'turn-started' }>

/** A question is on disk before its request is sent, and it stays there when the answer fails. */
export class Session implements Disposable {
  readonly #log: ConversationLog
  readonly #options: SessionOptions
  readonly #stateChanged = new Emitter<void>()
  readonly #disposables = new DisposableStore()
  #state: SessionState = { is: 'idle' }
  #turn: LinkedAbort | undefined
  #skipWait: (() => void) | undefined
  /** Resolves at the end of the running turn. */
  #running: Promise<unknown> = Promise.resolve()
  #isFollowing = false

  constructor(log: ConversationLog, options: SessionOptions) {
    this.#log = log
    this.#options = options
    this.#disposables.add(log.onDidAppend(() => this.#follow()))
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

  /** `state` has changed. */
  readonly onDidChangeState: Event<void> = this.#stateChanged.event

  /** The events from number `from` on. */
  events(from: number, signal: AbortSignal): AsyncIterable<readonly ConversationEvent[]> {
    return this.#log.events(from, signal)
  }

  /** Resolves when all events so far are on disk, or cannot be written. */
  flush(): Promise<void> {
    return this.#log.flush()
  }

  get state(): SessionState {
    return this.#isFollowing && !this.#turn ? { is: 'following' } : this.#state
  }

  /** A turn is running in this window. */
  get isBusy(): boolean {
    return this.#turn !== undefined
  }

  /** The last question, if its answer has no text yet or has failed without one. */
  get unanswered(): string | undefined {
    const turn = this.#state.is === 'idle' ? undefined : unansweredTurn(this.#log.state)
    return turn && promptText(turn.prompt)
  }

  /**
   * Resolves when the answer has ended; `state` is its outcome. Resolves with false at once if nothing was asked,
   * because the text is empty or a turn is running in this or another window.
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

  /** Asks the last question again. The answer so far is kept, whatever the outcome of the new one. */
  retry(): Promise<boolean> {
    return this.#run(state => {
      const last = turnOf(state, state.tip)
      if (!last) return undefined
      const { id: of, parent } = last
      const origin = { is: 'retry', of } as const
      return { kind: 'turn-started', turn: this.#options.newId(), ...(parent && { parent }), origin }
    })
  }

  /** Ends the wait for the next try. */
  retryNow(): void {
    this.#skipWait?.()
  }

  stop(): void {
    this.#turn?.stop()
    if (this.#state.is === 'held') this.#setState({ is: 'idle' })
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

  /** Only one window at a time writes a conversation: this one, from `claim` to `release`. */
  async #runClaimed(
    begin: (state: ConversationState) => TurnStarted | undefined,
    signal: AbortSignal,
  ): Promise<boolean> {
    let next: SessionState = { is: 'idle' }
    try {
      if (!(await this.#log.claim())) return false
      const started = begin(this.#log.state)
      if (!started) return false
      this.#setState({ is: 'answering' })
      await this.#begin(started)
      next = await this.#answer(started, signal)
      return true
    } catch (fault) {
      next = { is: 'failed', fault }
      return true
    } finally {
      this.#turn = undefined
      this.#skipWait = undefined
      this.#setState(next)
      await this.#log.release()
    }
  }

  async #begin(started: TurnStarted): Promise<void> {
    const { workspace } = this.#options
    if (this.#log.state.n === 0) await this.#log.append({ kind: 'created', ...(workspace && { workspace }) })
    await this.#log.append(started)
  }

  async #answer(started: TurnStarted, signal: AbortSignal): Promise<SessionState> {
    const [{ TurnLoop }, { chatPrompt }] = await Promise.all([
      import('./turnLoop.ts'),
      import('../conversation/prompt.ts'),
    ])
    const loop = new TurnLoop(
      {
        ...this.#options,
        log: this.#log,
        prompt: chatPrompt,
        onWait: wait => this.#setState(wait ? { is: 'waiting', wait } : { is: 'answering' }),
        retryNow: () => new Promise<void>(resolve => (this.#skipWait = resolve)),
      },
      started.turn,
    )
    const outcome = await loop.run(signal)
    const turn = turnOf(this.#log.state, started.turn)
    await this.#keepAnswerBefore(started, turn)
    return stateAfter(outcome, turn)
  }

  /** After a retry without an answer, the previous answer is chosen again. */
  async #keepAnswerBefore({ origin }: TurnStarted, turn: Turn | undefined): Promise<void> {
    const before = origin.is === 'retry' ? turnOf(this.#log.state, origin.of) : undefined
    if (!turn || !before || hasAnswer(turn) || !hasAnswer(before)) return
    await this.#log.append({ kind: 'branch-chosen', turn: before.id })
  }

  /** Another window may have started or ended a turn. */
  #follow(): void {
    const isFollowing = !this.#turn && runningTurns(this.#log.state).length > 0
    if (isFollowing === this.#isFollowing) return
    this.#isFollowing = isFollowing
    this.#stateChanged.fire()
  }

  #setState(state: SessionState): void {
    this.#state = state
    this.#isFollowing = false
    this.#stateChanged.fire()
  }

  /** Writes all events so far. What is appended after this call is not kept. */
  close(): Promise<void> {
    return this.#log.close()
  }

  /** Stops the running turn; the log then has its end as `stopped`. */
  dispose(): void {
    this.stop()
    this.#disposables.dispose()
    this.#stateChanged.dispose()
    void this.#running.then(() => this.#log.dispose())
  }
}

/**
 * `QueuedClient` waits after a refusal at the plan's limit; one in the middle of an answer is `held` and not `failed`.
 */
function stateAfter({ state, fault, model }: TurnOutcome, turn: Turn | undefined): SessionState {
  if (state === 'refused') return failed(new RefusedError(turn !== undefined && hasAnswer(turn)), model)
  if (fault === undefined) return { is: 'idle' }
  return meaningOf(fault).kind === 'problem: limit' ? { is: 'held' } : failed(fault, model)
}

function failed(fault: unknown, model: string | undefined): SessionState {
  return { is: 'failed', fault, ...(model !== undefined && { model }) }
}
