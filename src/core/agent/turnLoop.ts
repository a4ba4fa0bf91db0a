// `TurnLoop`: runs one turn, from the user's message until the model makes no more tool calls.
import { isAbort, type LinkedAbort, linkedAbort, raceAbort } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'
import { never } from '../../base/fault.ts'
import type { EventOf, StepEnd, TurnEnd } from '../../protocol/conversation.ts'
import { answerParts, hasAnswer } from '../../protocol/conversationPath.ts'
import { type ConversationState, type QueuedMessage, turnOf } from '../../protocol/conversationState.ts'
import { TransportError } from '../http/errors.ts'
import { meaningOf } from '../http/fault.ts'
import type { ModelClient, ToolDeclaration, Usage } from '../model/modelClient.ts'
import { type QueuedRequest, SLOW_MS, type Wait } from '../model/queuedClient.ts'
import { refusesTools } from '../model/refusesTools.ts'
import type { AllowedActions, Approvals } from '../tools/approvals.ts'
import type { Mode } from '../tools/modes.ts'
import type { Tool } from '../tools/tool.ts'
import { AnswerWriter, type StreamedCall } from './answerWriter.ts'
import { askUnlessMessage } from './askUnlessMessage.ts'
import type { RunningCalls } from './runningCalls.ts'
import { ToolRounds, textResult } from './toolRounds.ts'
import type { Growth, PauseReason, Pauses, Prompt, TurnLog } from './turnPorts.ts'
import { declarations, turnRequest } from './turnRequest.ts'
import { UnofferedCallError } from './unofferedCallError.ts'

export interface TurnOptions {
  readonly log: TurnLog
  readonly models: ModelClient
  /**
   * The id of the model for the next request; `refused`: a model that the service has refused. It may throw if the user
   * has to select one, which ends the turn as failed.
   */
  readonly model: (signal: AbortSignal, refused?: string) => Promise<string>
  /** `hasTools`: the request declares tools. */
  readonly prompt: (state: ConversationState, hasTools: boolean) => Prompt
  /** Undefined if the model has nothing to call. */
  readonly tools: TurnTools | undefined
  /** Undefined where the requests are not kept within the model's window. */
  readonly growth?: Growth | undefined
  readonly newId: () => string
  readonly clock: Clock
  /** What the request is waiting for; undefined when the wait has ended. */
  readonly onWait?: (wait: Wait | undefined) => void
  /** Resolves when the user asks for the next try at once. */
  readonly retryNow?: () => Promise<void>
  /** What the log keeps of a fault; by default its name. */
  readonly keptFault?: (fault: unknown) => NonNullable<EventOf<'turn-ended'>['fault']>
}

export interface TurnTools {
  /** The same in every turn of a conversation, because services cache requests by their beginning. */
  readonly tools: readonly Tool[]
  readonly mode: () => Mode
  readonly approvals: Approvals
  readonly allowed: AllowedActions
  readonly pauses: Pauses
  /** How many requests a turn sends before the user is asked whether to continue. */
  readonly maxRequests: number
  /** The models that cannot call tools, as their service has answered; more are added. */
  readonly refusedBy?: Set<string>
  /** The calls that the user can stop alone. */
  readonly running?: RunningCalls
  /** Shows how far a call is. `part`: the call. */
  readonly progress?: (part: string, text: string) => void
}

/**
 * `withdrawn`: queued messages that were not sent because of the stop, for the text box. `model`: the one of the last
 * request.
 */
export interface TurnOutcome {
  readonly state: TurnEnd
  readonly fault?: unknown
  readonly model?: string
  readonly withdrawn: readonly QueuedMessage[]
}

/** After this many consecutive answers whose calls do not fit or are cut, the turn ends. */
const MAX_UNUSABLE_ANSWERS = 3
/** How often a turn with tools automatically repeats a request whose answer was interrupted. */
const MAX_RETRIES = 2
/** How many characters of the arguments of a cut call are kept as its input. */
const CUT_INPUT_CHARS = 200

type Ending = Pick<TurnOutcome, 'state' | 'fault'>
/** The outcome of one request; `again`: its answer is not used, and the request is repeated. */
type Answer =
  | { readonly is: 'again' }
  | { readonly is: 'ended'; readonly why: StepEnd; readonly calls: readonly StreamedCall[] }

/**
 * The log already has the start of the turn with its prompt; the loop appends everything after it, including the end. A
 * call is in the log before it is carried out, and its result after it. While a tool runs or the user is asked, no
 * request is open. Messages that are queued meanwhile are part of the next request of the turn; those that are left start
 * the next turn.
 */
export class TurnLoop {
  readonly #options: TurnOptions
  readonly #turn: string
  readonly #declared: readonly ToolDeclaration[]
  readonly #rounds: ToolRounds | undefined
  #model: string | undefined
  #hasChangedModel = false
  #requests = 0
  #limit: number
  #retries = 0
  /** Calls have been carried out, so the next requests are the model's own. */
  #hasResults = false
  #unusable = 0

  constructor(options: TurnOptions, turn: string) {
    const { log, tools } = options
    this.#options = options
    this.#turn = turn
    this.#declared = declarations(tools?.tools ?? [])
    this.#rounds = tools && tools.tools.length > 0 ? new ToolRounds({ ...tools, log, turn }) : undefined
    this.#limit = tools?.maxRequests ?? Infinity
  }

  /** Called once. Rejects only if the log cannot be written; every other failure is part of the outcome. */
  async run(outer: AbortSignal): Promise<TurnOutcome> {
    const stop = linkedAbort(outer)
    try {
      return await this.#end(await this.#answered(stop.signal))
    } catch (fault) {
      return await this.#endEarly(fault, stop)
    } finally {
      stop.unlink()
    }
  }

  /** Runs steps until the answer has no more calls. */
  async #answered(signal: AbortSignal): Promise<Ending> {
    for (;;) {
      if (!(await this.#maySendRequest(signal)) || !(await this.#hasRoom(signal))) return { state: 'stopped' }
      const answer = await this.#step(signal)
      if (answer.is === 'again') continue
      const ending = await this.#afterAnswer(answer.why, answer.calls, signal)
      if (ending) return ending
    }
  }

  async #maySendRequest(signal: AbortSignal): Promise<boolean> {
    const { pauses } = this.#options.tools ?? {}
    if (this.#requests >= this.#limit && pauses) {
      if (!(await this.#confirmContinue(pauses, { is: 'requests', requests: this.#requests }, signal))) return false
      this.#limit = Math.ceil(this.#limit * 1.5)
    }
    this.#requests++
    return true
  }

  /** False if the user ends the turn because the model's window stays full. */
  async #hasRoom(signal: AbortSignal): Promise<boolean> {
    const { growth, tools } = this.#options
    if (!growth || !tools) return true
    this.#model ??= await this.#modelToAsk(signal)
    const { messages: _, ...request } = this.#request(this.#model)
    const percent = await growth.makeRoom(request, signal)
    return percent === undefined || this.#confirmContinue(tools.pauses, { is: 'room', percent }, signal)
  }

  /** False as well if the user sends a message in place of an answer: the message then starts the next turn. */
  async #confirmContinue(pauses: Pauses, reason: PauseReason, signal: AbortSignal): Promise<boolean> {
    const asked = await askUnlessMessage(
      this.#options.log,
      question => pauses.confirmContinue(reason, question),
      signal,
    )
    return asked.is === 'answered' && asked.answer
  }

  /** Sends one request and writes its answer to the log. */
  async #step(signal: AbortSignal): Promise<Answer> {
    const { log, newId } = this.#options
    this.#model ??= await this.#modelToAsk(signal)
    const queued = this.#queued
    const request = this.#request(this.#model)
    const started = { kind: 'step-started', turn: this.#turn, model: this.#model } as const
    await log.append({ ...started, ...(queued.length > 0 && { queued }) })
    const writer = new AnswerWriter(log, this.#turn, newId)
    try {
      const why = await this.#stream({ ...request, messages: this.#prompt.messages }, writer, signal)
      return { is: 'ended', why, calls: writer.calls }
    } catch (fault) {
      await writer.close()
      const isStopped = signal.aborted || isAbort(fault)
      await this.#endStep(isStopped ? 'stopped' : 'broken')
      if (isStopped || !(await this.#mayRepeat(fault, writer.hasBegun, signal))) throw fault
      return { is: 'again' }
    }
  }

  /** The messages that go into the next request. The first request answers the prompt alone. */
  get #queued(): readonly string[] {
    return this.#requests === 1 ? [] : this.#options.log.state.queued.map(({ id }) => id)
  }

  get #prompt(): Prompt {
    const { log, prompt } = this.#options
    return prompt(log.state, this.#mayCall)
  }

  /** Tools are declared, unless the model is known to be unable to call them. */
  get #mayCall(): boolean {
    return this.#rounds !== undefined && !this.#options.tools?.refusedBy?.has(this.#model ?? '')
  }

  /** The next request as it would be now. */
  #request(model: string): QueuedRequest {
    const { onWait, retryNow } = this.#options
    const isUserInitiated = this.#requests === 1 || this.#queued.length > 0
    return {
      ...turnRequest(model, this.#prompt, this.#mayCall ? this.#declared : []),
      ...(this.#rounds && { endsAfterRelease: true }),
      lane: isUserInitiated || !this.#rounds ? 'chat' : 'agent',
      ...(onWait && { onWait }),
      ...(retryNow && { retryNow }),
    }
  }

  async #stream(request: QueuedRequest, writer: AnswerWriter, signal: AbortSignal): Promise<StepEnd> {
    let why: StepEnd | undefined
    for await (const event of this.#options.models.stream(request, signal)) {
      if (event.kind !== 'finish') {
        await writer.write(event)
        continue
      }
      why = event.why
      await writer.close()
      await this.#endStep(why, event.usage)
    }
    if (why !== undefined) return why
    await writer.close()
    await this.#endStep('cut-off')
    return 'cut-off'
  }

  #endStep(why: StepEnd, usage?: Usage): Promise<void> {
    return this.#options.log.append({ kind: 'step-ended', turn: this.#turn, why, ...(usage && { usage }) })
  }

  /**
   * If the service refuses the model before any answer, the request is repeated once with another model; if it refuses
   * the tools, without them, because a model without tools can still be chatted with. After an
   * interrupted answer to results of tools, the request is repeated automatically: none of the calls of that answer has
   * been carried out, so nothing happens twice. After an interrupted answer to a question the user decides.
   */
  async #mayRepeat(fault: unknown, hasBegun: boolean, signal: AbortSignal): Promise<boolean> {
    const { remedy, mayRepeat } = meaningOf(fault)
    if (!hasBegun && this.#mayCall && refusesTools(fault)) {
      this.#options.tools?.refusedBy?.add(this.#model ?? '')
      return !this.#mayCall
    }
    if (!hasBegun) return remedy === 'select-model' && this.#hasAnotherModel(signal)
    if (!this.#hasResults || !mayRepeat || this.#retries === MAX_RETRIES) return false
    this.#retries++
    return true
  }

  async #hasAnotherModel(signal: AbortSignal): Promise<boolean> {
    if (this.#hasChangedModel) return false
    this.#hasChangedModel = true
    const before = this.#model
    this.#model = await this.#modelToAsk(signal, before)
    return this.#model !== before
  }

  /** Reports a slow list of models as a wait, like a slow answer. */
  async #modelToAsk(signal: AbortSignal, refused?: string): Promise<string> {
    const { model, clock, onWait } = this.#options
    const since = clock.elapsed()
    let isSlow = false
    const cancelTimer = clock.later(SLOW_MS, () => {
      isSlow = true
      onWait?.({ is: 'slow', since })
    })
    try {
      return await raceAbort(model(signal, refused), signal)
    } finally {
      cancelTimer()
      if (isSlow) onWait?.(undefined)
    }
  }

  /** The end of the turn, or undefined if another request has to be sent. */
  async #afterAnswer(why: StepEnd, calls: readonly StreamedCall[], signal: AbortSignal): Promise<Ending | undefined> {
    switch (why) {
      case 'tools':
        return this.#rounds ? this.#carryOut(this.#rounds, calls, signal) : this.#withoutTools(calls)
      case 'length':
      case 'cut-off':
        if (this.#rounds && calls.length > 0) return this.#afterCut(calls)
        return { state: why === 'length' ? 'length' : 'interrupted' }
      case 'filtered':
      case 'refused':
      case 'done':
      case 'stopped':
        return { state: why }
      case 'broken':
        return { state: 'interrupted' }
      default:
        return never(why)
    }
  }

  async #carryOut(
    rounds: ToolRounds,
    calls: readonly StreamedCall[],
    signal: AbortSignal,
  ): Promise<Ending | undefined> {
    const { pauses } = this.#options.tools ?? {}
    this.#hasResults = true
    const written = calls.flatMap(({ part, name, written: end }) => (end ? [{ part, name, input: end.input }] : []))
    const { hasFit, repetition } = await rounds.run(written, signal)
    this.#unusable = hasFit ? 0 : this.#unusable + 1
    if (repetition.is === 'pause' && pauses) {
      if (!(await this.#confirmContinue(pauses, { ...repetition, is: 'repetition' }, signal)))
        return { state: 'stopped' }
      rounds.allowRepetition()
    }
    return this.#unlessUnusable()
  }

  /** No call of a cut answer is carried out: its arguments may be incomplete, or the call after it may be missing. */
  async #afterCut(calls: readonly StreamedCall[]): Promise<Ending | undefined> {
    const { log } = this.#options
    const turn = this.#turn
    for (const { part, inputText } of calls) {
      await log.append({ kind: 'tool-call', turn, part, input: inputText.slice(0, CUT_INPUT_CHARS) })
      await log.append({ kind: 'tool-result', turn, part, result: textResult('refused', CUT) })
    }
    this.#unusable++
    return this.#unlessUnusable()
  }

  #unlessUnusable(): Ending | undefined {
    if (this.#unusable < MAX_UNUSABLE_ANSWERS) return undefined
    const fault = new UnofferedCallError('Answers in a row had calls that cannot be carried out', { hasTools: true })
    return { state: 'failed', fault }
  }

  async #withoutTools(calls: readonly StreamedCall[]): Promise<Ending> {
    const { log } = this.#options
    const turn = this.#turn
    for (const { part } of calls)
      await log.append({ kind: 'tool-result', turn, part, result: textResult('refused', 'There are no tools here.') })
    const parts = turnOf(log.state, turn)?.steps.at(-1)?.parts ?? []
    const hasText = parts.some(part => part.kind === 'text' && part.text.trim() !== '')
    return hasText ? { state: 'done' } : { state: 'failed', fault: new UnofferedCallError('There are no tools') }
  }

  async #end({ state, fault }: Ending): Promise<TurnOutcome> {
    const { log, keptFault = nameOf } = this.#options
    const kept = fault === undefined ? {} : { fault: keptFault(fault) }
    await log.append({ kind: 'turn-ended', turn: this.#turn, state, ...kept })
    const model = this.#model
    return { state, ...(fault !== undefined && { fault }), ...(model !== undefined && { model }), withdrawn: [] }
  }

  async #endEarly(fault: unknown, { signal, stop }: LinkedAbort): Promise<TurnOutcome> {
    const isStopped = signal.aborted || isAbort(fault)
    // Withdraws open approvals and questions.
    stop()
    await this.#endUnfinishedCalls(isStopped)
    const turn = turnOf(this.#options.log.state, this.#turn)
    if (!isStopped) return this.#end({ state: stateAfter(fault, turn !== undefined && hasAnswer(turn)), fault })
    const withdrawn = this.#options.log.state.queued
    for (const { id: message } of withdrawn) await this.#options.log.append({ kind: 'message-withdrawn', message })
    return { ...(await this.#end({ state: 'stopped' })), withdrawn }
  }

  /** Adds the missing results, because the next request needs a result for every call. */
  async #endUnfinishedCalls(isStopped: boolean): Promise<void> {
    const { log } = this.#options
    const turn = turnOf(log.state, this.#turn)
    for (const part of turn ? answerParts(turn) : []) {
      if (part.kind !== 'tool-call' || !part.isWritten || part.result) continue
      const isAsked = part.approval?.state === 'asked'
      const result = isStopped
        ? textResult('stopped', isAsked ? STOPPED_QUESTION : STOPPED)
        : textResult('interrupted', INTERRUPTED)
      await log.append({ kind: 'tool-result', turn: this.#turn, part: part.id, result })
    }
  }
}

const STOPPED_QUESTION = 'Stopped by the user, who had not allowed it.'
const STOPPED = 'Stopped by the user. It may have been carried out in part.'
const INTERRUPTED = 'The turn failed before this call had ended. It may have been carried out in part.'
const CUT =
  'Your answer was cut before its end, so none of its calls was carried out. Write less at once: fewer calls in one answer, and long texts in several calls.'

/** `interrupted` if the connection broke after the answer had started; any other fault is `failed`. */
function stateAfter(fault: unknown, hasBegun: boolean): TurnEnd {
  const isCut = hasBegun && fault instanceof TransportError && fault.where === 'during the answer'
  return isCut ? 'interrupted' : 'failed'
}

function nameOf(fault: unknown): { readonly name: string } {
  return { name: fault instanceof Error ? fault.name : 'Error' }
}
