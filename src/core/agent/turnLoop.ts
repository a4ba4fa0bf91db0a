// `TurnLoop`: one turn, from the user's message until the model makes no more calls.
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
import type { AllowedActions, Approvals } from '../tools/approvals.ts'
import { jsonSchema } from '../tools/flatSchema.ts'
import type { Mode } from '../tools/modes.ts'
import type { Tool } from '../tools/tool.ts'
import { AnswerWriter, type BegunCall } from './answerWriter.ts'
import { ToolRounds, textResult } from './toolRounds.ts'
import type { PauseReason, Pauses, Prompt, TurnLog } from './turnPorts.ts'
import { unlessMessage } from './unlessMessage.ts'
import { UnofferedCallError } from './unofferedCallError.ts'

export interface TurnOptions {
  readonly log: TurnLog
  readonly models: ModelClient
  /**
   * The model to ask; `refused`: the service would not have this one. It may throw where the user has to choose, which
   * ends the turn as failed.
   */
  readonly model: (signal: AbortSignal, refused?: string) => Promise<string>
  readonly prompt: (state: ConversationState) => Prompt
  /** Undefined where the model gets none. */
  readonly tools?: TurnTools
  readonly newId: () => string
  readonly clock: Clock
  /** Why nothing is to be seen; undefined when that is over. */
  readonly onWait?: (wait: Wait | undefined) => void
  /** Resolves when the user does not want to wait for the next try. */
  readonly retryNow?: () => Promise<void>
  /** What is kept of a fault; its name where this is left out. */
  readonly keptFault?: (fault: unknown) => NonNullable<EventOf<'turn-ended'>['fault']>
}

export interface TurnTools {
  /** The same in every turn of a conversation, so that a service finds the beginning of a request again. */
  readonly tools: readonly Tool[]
  readonly mode: () => Mode
  readonly approvals: Approvals
  readonly allowed: AllowedActions
  readonly pauses: Pauses
  /** Sent without a question. */
  readonly maxRequests: number
}

/** `withdrawn`: messages that the stop kept from being sent, for the text box. `model`: the one that was asked last. */
export interface TurnOutcome {
  readonly state: TurnEnd
  readonly fault?: unknown
  readonly model?: string
  readonly withdrawn: readonly QueuedMessage[]
}

/** So many answers in a row whose calls do not fit, or are cut, end the turn. */
const MOST_UNUSABLE = 3
/** How often a turn with tools asks again by itself after an answer that broke off. */
const MOST_REPEATS = 2
/** Of the arguments of a call that was cut, the model is shown the beginning. */
const CUT_INPUT_CHARS = 200

type Ending = Pick<TurnOutcome, 'state' | 'fault'>
/** What one request came to; `again`: nothing of its answer counts, and another takes its place. */
type Answer =
  | { readonly is: 'again' }
  | { readonly is: 'ended'; readonly why: StepEnd; readonly calls: readonly BegunCall[] }

/**
 * The turn has been started in the log, with its prompt; the loop appends all that follows, up to its end. A call stands
 * in the log before it is carried out, and its result after it. While a tool runs or the user is asked, no request is
 * open. Messages that are queued meanwhile go in before the next request; those that are left start the next turn.
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
  #repeats = 0
  #unusable = 0

  constructor(options: TurnOptions, turn: string) {
    const { log, tools } = options
    this.#options = options
    this.#turn = turn
    this.#declared = declarations(tools?.tools ?? [])
    this.#rounds = tools && tools.tools.length > 0 ? new ToolRounds({ ...tools, log, turn }) : undefined
    this.#limit = tools?.maxRequests ?? Infinity
  }

  /** Called once. Rejects only where the log cannot be written; everything else that happens is the outcome. */
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

  /** Steps until there are no more calls. */
  async #answered(signal: AbortSignal): Promise<Ending> {
    for (;;) {
      if (!(await this.#mayAsk(signal))) return { state: 'stopped' }
      const answer = await this.#step(signal)
      if (answer.is === 'again') continue
      const ending = await this.#afterAnswer(answer.why, answer.calls, signal)
      if (ending) return ending
    }
  }

  async #mayAsk(signal: AbortSignal): Promise<boolean> {
    const { pauses } = this.#options.tools ?? {}
    if (this.#requests >= this.#limit && pauses) {
      if (!(await this.#goesOn(pauses, { is: 'requests', requests: this.#requests }, signal))) return false
      this.#limit = Math.ceil(this.#limit * 1.5)
    }
    this.#requests++
    return true
  }

  /** A message that is sent in place of an answer starts the next turn. */
  async #goesOn(pauses: Pauses, reason: PauseReason, signal: AbortSignal): Promise<boolean> {
    const asked = await unlessMessage(this.#options.log, question => pauses.goOn(reason, question), signal)
    return asked.is === 'answered' && asked.answer
  }

  /** One request and its answer. */
  async #step(signal: AbortSignal): Promise<Answer> {
    const { log, newId } = this.#options
    this.#model ??= await this.#modelToAsk(signal)
    const queued = log.state.queued.map(({ id }) => id)
    const started = { kind: 'step-started', turn: this.#turn, model: this.#model } as const
    await log.append({ ...started, ...(queued.length > 0 && { queued }) })
    const writer = new AnswerWriter(log, this.#turn, newId)
    const isOfPerson = this.#requests === 1 || queued.length > 0
    try {
      const why = await this.#stream(this.#request(this.#model, isOfPerson), writer, signal)
      return { is: 'ended', why, calls: writer.calls }
    } catch (fault) {
      await writer.close()
      const isStopped = signal.aborted || isAbort(fault)
      await this.#endStep(isStopped ? 'stopped' : 'broken')
      if (isStopped || !(await this.#mayRepeat(fault, writer.hasBegun, signal))) throw fault
      return { is: 'again' }
    }
  }

  #request(model: string, isOfPerson: boolean): QueuedRequest {
    const { log, prompt, onWait, retryNow } = this.#options
    const { system, messages } = prompt(log.state)
    return {
      model,
      system,
      messages,
      ...(this.#rounds && { tools: this.#declared, endsReleased: true }),
      lane: isOfPerson || !this.#rounds ? 'chat' : 'agent',
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
   * Where the service does not have a model that it chose itself, the other is asked. After an answer that broke off a
   * turn with tools goes on by itself: none of its calls has been carried out, so nothing happens twice. A chat without
   * tools leaves that to the person.
   */
  async #mayRepeat(fault: unknown, hasBegun: boolean, signal: AbortSignal): Promise<boolean> {
    const { remedy, mayRepeat } = meaningOf(fault)
    if (!hasBegun) return remedy === 'select-model' && this.#hasAnotherModel(signal)
    if (!this.#rounds || !mayRepeat || this.#repeats === MOST_REPEATS) return false
    this.#repeats++
    return true
  }

  async #hasAnotherModel(signal: AbortSignal): Promise<boolean> {
    if (this.#hasChangedModel) return false
    this.#hasChangedModel = true
    const before = this.#model
    this.#model = await this.#modelToAsk(signal, before)
    return this.#model !== before
  }

  /** A list of models that is long in coming is waited for as an answer is. */
  async #modelToAsk(signal: AbortSignal, refused?: string): Promise<string> {
    const { model, clock, onWait } = this.#options
    const since = clock.elapsed()
    let isSlow = false
    const callOff = clock.later(SLOW_MS, () => {
      isSlow = true
      onWait?.({ is: 'slow', since })
    })
    try {
      return await raceAbort(model(signal, refused), signal)
    } finally {
      callOff()
      if (isSlow) onWait?.(undefined)
    }
  }

  /** The end of the turn, or undefined where the model has to be asked again. */
  async #afterAnswer(why: StepEnd, calls: readonly BegunCall[], signal: AbortSignal): Promise<Ending | undefined> {
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

  async #carryOut(rounds: ToolRounds, calls: readonly BegunCall[], signal: AbortSignal): Promise<Ending | undefined> {
    const { pauses } = this.#options.tools ?? {}
    const written = calls.flatMap(({ part, name, written: end }) => (end ? [{ part, name, input: end.input }] : []))
    const { hasFit, repetition } = await rounds.run(written, signal)
    this.#unusable = hasFit ? 0 : this.#unusable + 1
    if (repetition.is === 'pause' && pauses) {
      if (!(await this.#goesOn(pauses, { ...repetition, is: 'repetition' }, signal))) return { state: 'stopped' }
      rounds.forgive()
    }
    return this.#unlessUnusable()
  }

  /** None of them is carried out: each may be half of what the model meant, or lack the one that follows it. */
  async #afterCut(calls: readonly BegunCall[]): Promise<Ending | undefined> {
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
    if (this.#unusable < MOST_UNUSABLE) return undefined
    return { state: 'failed', fault: new UnofferedCallError('Answers in a row had calls that cannot be carried out') }
  }

  async #withoutTools(calls: readonly BegunCall[]): Promise<Ending> {
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
    // Withdraws the questions that are still open.
    stop()
    await this.#endUnfinishedCalls(isStopped)
    const turn = turnOf(this.#options.log.state, this.#turn)
    if (!isStopped) return this.#end({ state: stateAfter(fault, turn !== undefined && hasAnswer(turn)), fault })
    const withdrawn = this.#options.log.state.queued
    for (const { id: message } of withdrawn) await this.#options.log.append({ kind: 'message-withdrawn', message })
    return { ...(await this.#end({ state: 'stopped' })), withdrawn }
  }

  /** Every call has a result, so that the conversation can go on. */
  async #endUnfinishedCalls(isStopped: boolean): Promise<void> {
    const { log } = this.#options
    const turn = turnOf(log.state, this.#turn)
    const result = isStopped ? textResult('stopped', STOPPED) : textResult('interrupted', INTERRUPTED)
    for (const part of turn ? answerParts(turn) : []) {
      if (part.kind !== 'tool-call' || !part.isWritten || part.result) continue
      await log.append({ kind: 'tool-result', turn: this.#turn, part: part.id, result })
    }
  }
}

const STOPPED = 'Stopped by the user. It may have been carried out in part.'
const INTERRUPTED = 'The turn failed before this call had ended. It may have been carried out in part.'
const CUT =
  'Your answer was cut before its end, so none of its calls was carried out. Write less at once: fewer calls in one answer, and long texts in several calls.'

/** In one order, so that the beginning of each request is the same. */
function declarations(tools: readonly Tool[]): ToolDeclaration[] {
  return tools
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, description, parameters }) => ({ name, description, parameters: jsonSchema(parameters) }))
}

/** An answer that the connection cut in the middle is there in part; everything else is a failure. */
function stateAfter(fault: unknown, hasBegun: boolean): TurnEnd {
  const isCut = hasBegun && fault instanceof TransportError && fault.where === 'during the answer'
  return isCut ? 'interrupted' : 'failed'
}

function nameOf(fault: unknown): { readonly name: string } {
  return { name: fault instanceof Error ? fault.name : 'Error' }
}
