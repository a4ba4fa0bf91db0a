// `Session`: one conversation in this window, its state, and the turns that the user starts in it.
import { isAbort, type LinkedAbort, linkedAbort, raceAbort } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'
import { type Disposable, DisposableStore } from '../../base/disposable.ts'
import { Emitter, type Event } from '../../base/event.ts'
import type { ConversationEvent, EventBody, PromptPart, SummaryExtras } from '../../protocol/conversation.ts'
import { hasAnswer, promptText, runningTurns, unansweredTurn } from '../../protocol/conversationPath.ts'
import {
  type ConversationState,
  emptyConversation,
  isDelta,
  type QueuedMessage,
  reduce,
  type Summary,
  type Turn,
  turnOf,
} from '../../protocol/conversationState.ts'
import type { ConversationLog } from '../conversation/conversationLog.ts'
import type { JournalTrouble } from '../conversation/journal.ts'
import { summaryEvent } from '../conversation/pathEvents.ts'
import { meaningOf } from '../http/fault.ts'
import type { ModelClient } from '../model/modelClient.ts'
import type { Wait } from '../model/queuedClient.ts'
import type { AllowedActions } from '../tools/approvals.ts'
import { type Mode, modeOf } from '../tools/modes.ts'
import type { Tool } from '../tools/tool.ts'
import type { ContextGrowth, GrowthSources } from './contextGrowth.ts'
import { inSentOrder } from './inSentOrder.ts'
import { Questions } from './questions.ts'
import { RefusedError } from './refusedError.ts'
import { RunningCalls } from './runningCalls.ts'
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
  /** Undefined if the model has nothing to call. */
  readonly agent?: AgentOptions | undefined
  readonly newId: () => string
  readonly clock: Clock
  /** The workspace that a new conversation belongs to, as a URI. */
  readonly workspace?: string | undefined
}

/** The end of what a call has returned so far. `part`: the call. */
export interface CallProgress {
  readonly part: string
  readonly text: string
}

/** What the turns of every conversation of the window share. */
export interface AgentOptions {
  /** None where there is nothing that they could read, such as in a workspace that is not trusted. */
  readonly tools: () => Promise<readonly Tool[]>
  readonly allowed: AllowedActions
  /** The models that cannot call tools. */
  readonly refusedBy?: Set<string>
  /** The mode of a new conversation. */
  readonly defaultMode: () => string
  /** How many requests a turn sends before the user is asked whether to continue. */
  readonly maxRequests: () => number
  /** What goes along with a question by itself. */
  readonly surroundings?: (state: ConversationState, mode: Mode, signal: AbortSignal) => Promise<readonly PromptPart[]>
  /** What keeps the requests within the model's window. */
  readonly growth?: () => Promise<GrowthSources>
}

type TurnStarted = Extract<EventBody, { kind: 'turn-started' }>
type Begin = (state: ConversationState) => TurnStarted | undefined

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
  readonly #runningCalls = new RunningCalls()
  readonly #progress = new Emitter<CallProgress>()
  readonly #withdrawn = new Emitter<readonly QueuedMessage[]>()
  /** The queued message that is asked as soon as the running turn has been stopped. */
  #steering: string | undefined
  /** That of a conversation without events, in which nothing is written before the first question. */
  #firstMode: string | undefined
  /** What `withQuestion` found to go along; a question to the same conversation takes it, because it is slow to find. */
  #found: { readonly of: ConversationState; readonly mode: Mode; readonly parts: readonly PromptPart[] } | undefined
  /** What the running turn asks the user. */
  readonly questions: Questions

  constructor(log: ConversationLog, options: SessionOptions) {
    this.#log = log
    this.#options = options
    this.questions = this.#disposables.add(new Questions(options.newId))
    this.#disposables.add(log.onDidAppend(event => isDelta(event) || this.#follow()))
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

  /** How many lines of the journal could not be read. */
  get damagedLines(): number {
    return this.#log.damagedLines
  }

  /** Why what happens is only in memory, because it cannot be written. */
  get trouble(): JournalTrouble | undefined {
    return this.#log.trouble
  }

  get onDidChangeTrouble(): Event<void> {
    return this.#log.onDidChangeTrouble
  }

  get onDidAppend(): Event<ConversationEvent> {
    return this.#log.onDidAppend
  }

  /** `state` has changed. */
  readonly onDidChangeState: Event<void> = this.#stateChanged.event

  /** How far a running call is. */
  readonly onDidProgress: Event<CallProgress> = this.#progress.event

  /** Queued messages that were not sent because the user stopped the turn; they belong into the composer again. */
  readonly onDidWithdraw: Event<readonly QueuedMessage[]> = this.#withdrawn.event

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
   * because there is nothing in the prompt, a turn is running in this or another window, or the user has stopped it
   * before. `onAsked`: the question is in the conversation.
   */
  ask(text: string, attached: readonly PromptPart[] = [], onAsked?: () => void): Promise<boolean> {
    const prompt = this.#prompt(text, attached)
    if (prompt.length === 0) return Promise.resolve(false)
    return this.#run(({ tip }) => this.#started({ parent: tip, origin: { is: 'new' }, prompt }), onAsked)
  }

  /**
   * Sends a message while a turn runs: it is part of the next request, or starts the next turn. False if no turn runs in
   * this window, or there is nothing in the message.
   */
  queue(text: string, attached: readonly PromptPart[] = []): Promise<boolean> {
    const parts = this.#prompt(text, attached)
    if (!this.#turn || parts.length === 0) return Promise.resolve(false)
    return this.record({ kind: 'message-queued', message: this.#options.newId(), parts })
  }

  withdraw(message: string): Promise<boolean> {
    return this.record({ kind: 'message-withdrawn', message })
  }

  /** Stops the running turn, and asks the queued message in its place. The messages queued before it stay queued. */
  async steer(message: string): Promise<void> {
    if (!this.#log.state.queued.some(({ id }) => id === message)) return
    if (this.#turn) {
      this.#steering = message
      this.#turn.stop()
    } else await this.#run(state => this.#startedFromQueue(state, message))
  }

  /** Asks a question again, the last one if none is given. The answer so far is kept, whatever the new one is. */
  retry(turn?: string): Promise<boolean> {
    return this.#run(state => this.#startedAgain(state, turn))
  }

  /** Asks a changed question, with what is attached to it, in the place of an earlier one. */
  edit(turn: string, text: string, attached: readonly PromptPart[]): Promise<boolean> {
    return this.#run(state => {
      const started = this.#startedChanged(state, turn, text, attached)
      return started?.prompt?.length === 0 ? undefined : started
    })
  }

  /** Shows another attempt at a question. */
  chooseBranch(turn: string): Promise<boolean> {
    return this.#turn ? Promise.resolve(false) : this.record({ kind: 'branch-chosen', turn })
  }

  /** Hides a question with its answers, and shows it again. A running turn cannot be deleted. */
  setTurnDeleted(turn: string, value: boolean): Promise<boolean> {
    if (turnOf(this.#log.state, turn)?.state === 'running') return Promise.resolve(false)
    return this.record({ kind: 'turn-deleted', turn, value })
  }

  /** An empty title removes the one that the user or the model has set. */
  rename(text: string, by: 'user' | 'model' = 'user'): Promise<boolean> {
    return this.record({ kind: 'title', text, by })
  }

  setFlag(kind: 'pinned' | 'archived' | 'deleted', value: boolean): Promise<boolean> {
    return this.record({ kind, value })
  }

  #prompt(text: string, attached: readonly PromptPart[]): readonly PromptPart[] {
    const { newId } = this.#options
    const own: PromptPart[] = text.trim() ? [{ kind: 'text', id: newId(), text }] : []
    return inSentOrder([...attached.map(part => ({ ...part, id: newId() })), ...own])
  }

  #started({ parent, ...rest }: Omit<TurnStarted, 'kind' | 'turn'>): TurnStarted {
    return { kind: 'turn-started', turn: this.#options.newId(), ...(parent && { parent }), ...rest }
  }

  #startedAgain(state: ConversationState, turn = state.tip): TurnStarted | undefined {
    const before = turnOf(state, turn)
    return before && this.#started({ parent: before.parent, origin: { is: 'retry', of: before.id } })
  }

  #startedChanged(
    state: ConversationState,
    turn: string,
    text: string,
    attached: readonly PromptPart[],
  ): TurnStarted | undefined {
    const before = turnOf(state, turn)
    if (!before) return undefined
    const prompt = this.#prompt(text, attached)
    return this.#started({ parent: before.parent, origin: { is: 'edit', of: turn }, prompt })
  }

  #startedFromQueue({ queued, tip }: ConversationState, message = queued[0]?.id): TurnStarted | undefined {
    if (!queued.some(({ id }) => id === message)) return undefined
    return this.#started({ parent: tip, origin: { is: 'new' }, queued: message })
  }

  /**
   * The conversation as it would be once the message is asked, for what is computed before it is sent. Without a message
   * it is the conversation of now.
   */
  async withQuestion(text: string, attached: readonly PromptPart[], signal: AbortSignal): Promise<ConversationState> {
    const { state } = this.#log
    const prompt = this.#prompt(text, attached)
    if (prompt.length === 0) return state
    const started = this.#started({ parent: state.tip, origin: { is: 'new' }, prompt })
    // Nothing goes along with a queued message, and the question that is being asked still takes what was found for it.
    if (this.#turn) return this.#with(started)
    this.#found = undefined
    const parts = await this.surroundings(signal)
    this.#found = { of: state, mode: this.mode, parts }
    return this.#with({ ...started, prompt: inSentOrder([...parts, ...prompt]) })
  }

  /** The same once a question is asked again. */
  withRetry(turn?: string): ConversationState {
    return this.#with(this.#startedAgain(this.#log.state, turn))
  }

  /** The same once a changed question is asked. */
  withEdit(turn: string, text: string, attached: readonly PromptPart[]): ConversationState {
    return this.#with(this.#startedChanged(this.#log.state, turn, text, attached))
  }

  #with(started: TurnStarted | undefined): ConversationState {
    const { state } = this.#log
    if (!started) return state
    const { conversation, n } = state
    return reduce(state, { ...started, conversation, n: n + 1, time: this.#options.clock.now() })
  }

  /** Those of every turn. */
  async tools(): Promise<readonly Tool[]> {
    return (await this.#options.agent?.tools()) ?? []
  }

  /** What the model may do without asking the user. */
  get mode(): Mode {
    return modeOf(this.#log.state.mode ?? this.#firstMode ?? this.#options.agent?.defaultMode())
  }

  /** Also while a turn runs, whose next calls it decides about. False if another window writes the conversation. */
  async setMode({ id }: Mode): Promise<boolean> {
    if (id === this.mode.id) return true
    if (this.length > 0) return this.record({ kind: 'mode', mode: id })
    this.#firstMode = id
    this.#stateChanged.fire()
    return true
  }

  /** What goes with a summary that is written now; undefined where the model has nothing to call. */
  async summaryExtras(signal: AbortSignal): Promise<SummaryExtras | undefined> {
    return (await this.#growth(await this.tools()))?.extras(undefined, signal)
  }

  /** Puts another text into a summary; without a text it is removed. */
  async changeSummary(summary: string, text: string | undefined): Promise<boolean> {
    const known = this.#log.state.summaries.find(({ id }) => id === summary)
    if (!known || this.isBusy) return false
    const { turn, steps } = known
    const changed = { ...(steps !== undefined && { steps }), ...(text !== undefined && { text }) }
    return this.record({ kind: 'summary', turn, summary, ...changed })
  }

  /** Puts a summary back that was removed. */
  async restoreSummary(summary: Summary): Promise<boolean> {
    if (!turnOf(this.#log.state, summary.turn) || this.isBusy) return false
    return this.record(summaryEvent(summary))
  }

  /** Appends events that belong to no running turn; `time` is when one happened, if not now. False if another window writes the conversation. */
  async record(...bodies: readonly (EventBody & { readonly time?: number })[]): Promise<boolean> {
    if (this.state.is === 'following' || !(await this.#log.claim())) return false
    try {
      await Promise.all(bodies.map(body => this.#log.append(body)))
      return true
    } finally {
      if (!this.#turn) await this.#log.release()
    }
  }

  /** Ends the wait for the next try. */
  retryNow(): void {
    this.#skipWait?.()
  }

  stop(): void {
    this.#steering = undefined
    this.#turn?.stop()
    if (this.#state.is === 'held') this.#setState({ is: 'idle' })
  }

  async #run(begin: Begin, onAsked?: () => void): Promise<boolean> {
    if (this.#turn || this.state.is === 'following') return false
    const turn = linkedAbort()
    this.#turn = turn
    const running = this.#runClaimed(begin, turn, onAsked)
    this.#running = running.catch(() => {})
    return await running
  }

  /** Only one window at a time writes a conversation: this one, from `claim` to `release`. */
  async #runClaimed(begin: Begin, turn: LinkedAbort, onAsked?: () => void): Promise<boolean> {
    let next: SessionState = { is: 'idle' }
    let isAsked = false
    try {
      if (!(await this.#log.claim())) return false
      const started = begin(this.#log.state)
      if (!started) return false
      const asked = await this.#withSurroundings(started, turn.signal)
      isAsked = true
      next = await this.#runTurn(asked, turn, onAsked)
      for (let queued = this.#nextQueued(next); queued; queued = this.#nextQueued(next))
        next = await this.#runTurn(queued, linkedAbort())
      return true
    } catch (fault) {
      const isStopped = !isAsked && isAbort(fault)
      if (!isStopped) next = { is: 'failed', fault }
      return isAsked
    } finally {
      turn.unlink()
      this.#turn = undefined
      this.#skipWait = undefined
      this.#setState(next)
      await this.#log.release()
    }
  }

  /** The turn that asks the first queued message; none after a turn that failed, because the next would fail as well. */
  #nextQueued(state: SessionState): TurnStarted | undefined {
    return state.is === 'idle' ? this.#startedFromQueue(this.#log.state) : undefined
  }

  async #runTurn(started: TurnStarted, turn: LinkedAbort, onAsked?: () => void): Promise<SessionState> {
    this.#turn = turn
    this.#setState({ is: 'answering' })
    await this.#begin(started)
    onAsked?.()
    try {
      return await this.#answer(started, turn.signal)
    } finally {
      turn.unlink()
    }
  }

  /** Adds what goes along with a new question by itself. An edited or repeated one keeps what went along with it. */
  async #withSurroundings(started: TurnStarted, signal: AbortSignal): Promise<TurnStarted> {
    if (started.origin.is !== 'new' || !started.prompt) return started
    const found = this.#found
    this.#found = undefined
    const isOfNow = found?.of === this.#log.state && found.mode === this.mode
    const parts = isOfNow ? found.parts : await this.surroundings(signal)
    return { ...started, prompt: inSentOrder([...parts, ...started.prompt]) }
  }

  /** What would go along with a new question by itself now. */
  async surroundings(signal: AbortSignal): Promise<readonly PromptPart[]> {
    const { agent } = this.#options
    if (!agent?.surroundings || (await raceAbort(agent.tools(), signal)).length === 0) return []
    return await raceAbort(agent.surroundings(this.#log.state, this.mode, signal), signal)
  }

  async #begin(started: TurnStarted): Promise<void> {
    const { workspace } = this.#options
    if (this.#log.state.n === 0) {
      await this.#log.append({ kind: 'created', ...(workspace && { workspace }) })
      // Written down because the default may change.
      if (this.#options.agent) await this.#log.append({ kind: 'mode', mode: this.mode.id })
    }
    // A deleted conversation that another window has gone on with is not removed.
    if (this.#log.state.isDeleted) await this.#log.append({ kind: 'deleted', value: false })
    await this.#log.append(started)
  }

  async #answer(started: TurnStarted, signal: AbortSignal): Promise<SessionState> {
    const [{ TurnLoop }, { chatPrompt }, tools] = await Promise.all([
      import('./turnLoop.ts'),
      import('../conversation/prompt.ts'),
      this.tools(),
    ])
    const loop = new TurnLoop(
      {
        ...this.#options,
        tools: this.#turnTools(tools),
        log: this.#log,
        prompt: (state, hasTools) => chatPrompt(state, hasTools ? tools : []),
        growth: await this.#growth(tools),
        onWait: wait => this.#setState(wait ? { is: 'waiting', wait } : { is: 'answering' }),
        retryNow: () => new Promise<void>(resolve => (this.#skipWait = resolve)),
      },
      started.turn,
    )
    const outcome = await loop.run(signal)
    const turn = turnOf(this.#log.state, started.turn)
    await this.#keepAnswerBefore(started, turn)
    await this.#returnWithdrawn(outcome.withdrawn)
    return stateAfter(outcome, turn)
  }

  async #growth(tools: readonly Tool[]): Promise<ContextGrowth | undefined> {
    const { agent, models, newId, clock } = this.#options
    if (!agent?.growth || tools.length === 0) return undefined
    const [sources, { ContextGrowth }] = await Promise.all([agent.growth(), import('./contextGrowth.ts')])
    // As for the first question.
    const surroundings = async (signal: AbortSignal) =>
      (await agent.surroundings?.(emptyConversation(this.id), this.mode, signal)) ?? []
    return new ContextGrowth({ log: this.#log, sources, models, surroundings, newId, clock })
  }

  #turnTools(tools: readonly Tool[]): TurnTools | undefined {
    const { agent } = this.#options
    if (!agent || tools.length === 0) return undefined
    return {
      tools,
      mode: () => this.mode,
      approvals: this.questions,
      pauses: this.questions,
      allowed: agent.allowed,
      ...(agent.refusedBy && { refusedBy: agent.refusedBy }),
      maxRequests: agent.maxRequests(),
      running: this.#runningCalls,
      progress: (part, text) => this.#progress.fire({ part, text }),
    }
  }

  /** Stops one call; the turn goes on. `part`: the call. */
  stopCall(part: string): void {
    this.#runningCalls.stop(part)
  }

  /** When the user steers, the message is queued again as the first; other withdrawn ones belong to the user. */
  async #returnWithdrawn(withdrawn: readonly QueuedMessage[]): Promise<void> {
    const steering = withdrawn.find(({ id }) => id === this.#steering)
    this.#steering = undefined
    const queued = steering ? [steering, ...withdrawn.filter(message => message !== steering)] : []
    for (const { parts } of queued)
      await this.#log.append({ kind: 'message-queued', message: this.#options.newId(), parts })
    if (!steering && withdrawn.length > 0) this.#withdrawn.fire(withdrawn)
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
    this.#withdrawn.dispose()
    this.#progress.dispose()
    void this.#running.then(() => this.#log.dispose())
  }
}

/**
 * `QueuedClient` waits after a refusal at the plan's limit; one in the middle of an answer is `held` and not `failed`.
 */
function stateAfter({ state, fault, model }: TurnOutcome, turn: Turn | undefined): SessionState {
  const hasBegun = turn !== undefined && hasAnswer(turn)
  // At the end of a filtered answer that has something to see, the message itself names the filter.
  if (state === 'refused' || (state === 'filtered' && !hasBegun)) return failed(new RefusedError(hasBegun), model)
  if (fault === undefined) return { is: 'idle' }
  return meaningOf(fault).kind === 'problem: limit' ? { is: 'held' } : failed(fault, model)
}

function failed(fault: unknown, model: string | undefined): SessionState {
  return { is: 'failed', fault, ...(model !== undefined && { model }) }
}
