// `Requests`: when a request for a completion is made, how long it stays open, and what came of it.
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { Emitter, type Event } from '../../base/event.ts'
import { faultText } from '../../base/fault.ts'
import { Lru } from '../../base/lru.ts'
import type { WarmConnection } from '../http/warmConnection.ts'
import type { ModelClient, ModelRequest } from '../model/modelClient.ts'
import type { DocumentSnapshot } from '../workspace/documentSnapshot.ts'
import type { Acceptance } from './acceptance.ts'
import { Answer } from './answer.ts'
import { answerLine, type Fate } from './answerLine.ts'
import {
  asIfAccepted,
  type Candidate,
  type CompletionContext,
  candidateOf,
  isSamePlace,
  linesBeyond,
  shapeFor,
  wantedLines,
} from './candidate.ts'
import type { CompletionFigures } from './completionFigures.ts'
import { cursorContextOf } from './cursorContext.ts'
import { Doubt } from './doubt.ts'
import { Lane } from './lane.ts'
import { type Outcome, outcomeOf } from './lastOutcome.ts'
import type { LexMemory } from './lexMemory.ts'
import type { ModelPace } from './modelPace.ts'
import type { Pace } from './pace.ts'
import type { PromptMode } from './prompt.ts'
import type { PromptModes } from './promptModes.ts'
import type { PromptWriter } from './promptWriter.ts'
import { isOnlyOnRequest, type Suggestions } from './suggestions.ts'
import type { Reception, ThinkingSwitch } from './thinkingSwitch.ts'
import { decide, shapeOf } from './trigger.ts'

export interface RequestsOptions {
  readonly models: ModelClient
  readonly clock: Clock
  readonly pace: Pace
  readonly modelPace: Pick<ModelPace, 'firstTextMs' | 'agreement' | 'recordFirstText' | 'recordTyped'>
  /** The plan has room for one request more than those that are open. */
  readonly hasFreeSlot: () => boolean
  /** The plan has room for a request that may be for nothing, and no chat is answered. */
  readonly hasExtraSlot: () => boolean
  readonly connection: Pick<WarmConnection, 'keep' | 'renew'>
  readonly acceptance: Acceptance
  readonly lexed: LexMemory
  readonly prompts: PromptWriter
  readonly suggestions: Suggestions
  readonly thinking: ThinkingSwitch
  readonly modes: Pick<PromptModes, 'record' | 'recordFault'>
  readonly onOutcome: (outcome: Outcome) => void
  readonly figures: Pick<CompletionFigures, 'requested' | 'ended'> | undefined
  readonly note: (text: string) => void
}

/** How many places are remembered for which an answer has come, and how much of the text before the cursor makes one. */
const MOST_PLACES = 64
const PLACE_CHARS = 300
/** A suggestion is visible for so long before the text that would follow it is requested. */
const BEFORE_NEXT_MS = 300
/** For who takes most of what is shown. */
const MORE_LINES = 5
/** What follows is requested while so many lines are left of what is known. */
const LINES_BEFORE_NEXT = 2
/**
 * A request is replaced where that makes the text come sooner by more than this part of the time to the first text: what
 * is thrown away costs the service work, and its slot is free only some time later.
 */
const LEAST_GAIN = 0.1

/** At most one request is open at a time. It stays open as long as the typed text agrees with its answer. */
export class Requests implements Disposable {
  readonly #options: RequestsOptions
  readonly #lane: Lane
  readonly #doubt: Doubt
  readonly #planned = new Emitter<void>()
  #latest: CompletionContext | undefined
  /** A request that waits for its time or for the end of the one before. */
  #plan: { readonly dueAt: number; readonly cancel: () => void } | undefined
  /** The request for what follows a suggestion if it is accepted. */
  #next: { readonly answer: Answer; readonly after: Answer } | undefined
  #cancelNext = () => {}
  #cancelDisagreeing = () => {}
  /** Where and for what the open request was made, and when its first text came. */
  #requested: CompletionContext | undefined
  #mode: PromptMode = 'hole'
  #firstTextMs = 0
  #requestedAt = 0
  /** Keys since then. */
  #typedSince = 0
  /** When a request was replaced last whose answer might have agreed. */
  #replacedAt = Number.NEGATIVE_INFINITY
  /** Places for which an answer has come, though perhaps an empty one. */
  readonly #asked = new Lru<string, { readonly place: string; readonly documentId: string }>(MOST_PLACES)
  #count = 0

  constructor(options: RequestsOptions) {
    const { models, clock, pace, modelPace, prompts } = options
    this.#options = options
    this.#doubt = new Doubt(clock, () => modelPace.firstTextMs(this.#latest?.model ?? ''))
    this.#lane = new Lane({
      models,
      clock,
      isEnough: answer => this.#isEnough(answer),
      onSent: () => {
        this.#requestedAt = clock.elapsed()
      },
      onFirstText: afterMs => {
        this.#firstTextMs = afterMs
        pace.recordText()
        if (this.#requested) modelPace.recordFirstText(this.#requested.model, afterMs)
        prompts.received(afterMs)
      },
      onFault: (fault, request) => this.#onFault(fault, request),
      onEnd: (answer, reception, request) => this.#onEnd(answer, reception, request),
    })
    this.onProgress = this.#lane.onProgress
    this.onProgress(() => this.#expectArriving())
  }

  /** Text has arrived, or a request is over. */
  readonly onProgress: Event<void>

  /** A request that was planned was made, or is no longer wanted. */
  readonly onDidPlan: Event<void> = this.#planned.event

  /** How many were made. */
  get count(): number {
    return this.#count
  }

  /** The latest change or call. */
  get latest(): CompletionContext | undefined {
    return this.#latest
  }

  /** The answer of the open request. */
  get answer(): Answer | undefined {
    return this.#lane.answer
  }

  /** One is open or planned. */
  get isActive(): boolean {
    return this.#plan !== undefined || this.#lane.isReading
  }

  isLatest(snapshot: DocumentSnapshot): boolean {
    return this.#latest !== undefined && isSamePlace(this.#latest.snapshot, snapshot)
  }

  /** Makes this the latest change or call, and decides about a request for it. */
  follow(context: CompletionContext): void {
    const { snapshot, cursor, change, isExplicit } = context
    this.#latest = context
    if (isExplicit) this.#asked.delete(placeOf(context))
    if (change === 'typed') this.#typedSince++
    this.#recordTyped(context)
    this.#doubt.follow(
      snapshot,
      cursor,
      change,
      this.#options.suggestions.available(context)?.answer ?? this.#arriving(snapshot),
    )
    this.#planRequest(context)
    // A request that is open makes or has a connection of its own.
    if (!this.#lane.free && !isOnlyOnRequest(context) && !this.#isSilent(context)) this.#options.connection.keep()
  }

  #expectArriving(): void {
    const { snapshot } = this.#latest ?? {}
    if (!snapshot || this.#doubt.isOpen || this.#doubt.expected === this.#lane.answer) return
    const arriving = this.#arriving(snapshot)
    if (arriving) this.#doubt.expect(arriving)
  }

  /** The open request's answer, where it goes on from here with a line that is not complete. */
  #arriving(snapshot: DocumentSnapshot): Answer | undefined {
    const { answer, isReading } = this.#lane
    return isReading && answer?.isAhead(snapshot) ? answer : undefined
  }

  /** What was accepted shows nothing about the agreement of what is typed. */
  #recordTyped({ snapshot, change, model }: CompletionContext): void {
    const { expected } = this.#doubt
    if (!expected || change !== 'typed' || snapshot.log.edits.at(-1)?.origin !== 'typed') return
    this.#options.modelPace.recordTyped(model, expected.isFollowed(snapshot))
  }

  /** The editor calls for what was followed already. */
  call(context: CompletionContext): void {
    this.#latest = context
  }

  /** The suggestion is shown now. */
  show(context: CompletionContext, candidate: Candidate): void {
    this.#doubt.expect(candidate.answer)
    this.#planNext(context, candidate)
  }

  /** Another answer for the place, once the lane is free; undefined where it has nothing, or the user has left the place. */
  async requestOther(context: CompletionContext, temperature: number): Promise<Candidate | undefined> {
    while (this.#lane.free) await this.#lane.free
    const isThinking = this.#options.thinking.isUnstoppable(context.model)
    if (!this.isLatest(context.snapshot) || this.#isSilent(context) || isThinking) return undefined
    const answer = this.#start(context, { temperature })
    await this.#lane.free
    const candidate = this.isLatest(context.snapshot) ? candidateOf(answer, context) : undefined
    return candidate && this.#options.suggestions.mayShow(candidate, context) ? candidate : undefined
  }

  isPendingFor(context: CompletionContext): boolean {
    return this.isLatest(context.snapshot) && (this.#plan !== undefined || this.#isOpenFor(context))
  }

  /** In how many milliseconds the first text of the open or planned request can be expected. */
  expectedMs({ model }: CompletionContext): number {
    const now = this.#options.clock.elapsed()
    const usualMs = this.#options.modelPace.firstTextMs(model)
    if (this.#plan) return Math.max(0, this.#plan.dueAt - now) + usualMs
    if (this.#lane.answer?.hasText) return 0
    // What is late is expected to be late for as long again.
    return Math.abs(usualMs - (now - this.#requestedAt))
  }

  /** How many lines of the answer are worth waiting for. */
  wantedLines(answer: Answer, context: CompletionContext): number {
    const lines = wantedLines({ ...context, shape: shapeFor(answer, context) })
    return lines > 1 && this.#options.acceptance.isUsual ? lines + MORE_LINES : lines
  }

  /** The user has hidden what was visible: what would follow it is not wanted, unless its text is on its way already. */
  cancelNext(): void {
    this.#cancelNext()
    const { answer } = this.#lane
    if (answer && this.#next?.answer === answer && !answer.hasText) this.#lane.cancel()
  }

  /** The document was closed, and its answers are forgotten. */
  forget(documentId: string): void {
    for (const asked of this.#asked.values()) if (asked.documentId === documentId) this.#asked.delete(asked.place)
    if (this.#latest?.snapshot.id === documentId) this.stop()
  }

  /** The user has left the place of the latest change: for what is planned there nothing is requested. */
  leave(): void {
    this.#cancelPlan()
    this.#cancelNext()
    this.#planned.fire()
  }

  stop(): void {
    this.#cancelPlan()
    this.#cancelNext()
    this.#cancelDisagreeing()
    this.#lane.cancel()
    this.#latest = undefined
  }

  dispose(): void {
    this.stop()
    this.#lane.dispose()
    this.#planned.dispose()
  }

  /** Starts a request, now or when it is due; or leaves it, because there is a suggestion or a request for one. */
  #planRequest(context: CompletionContext): void {
    const { clock, suggestions } = this.#options
    this.#cancelPlan()
    this.#cancelNext()
    const isOpen = this.#isOpenFor(context)
    if (isOnlyOnRequest(context)) {
      if (!isOpen) this.#lane.cancel()
      return
    }
    if (!isOpen) this.#endDisagreeing()
    else if (this.#isWorthReplacing(context)) this.#cancelToReplace()
    else return
    if (suggestions.isKnown(context)) return
    const waitMs = this.#waitMs(context)
    if (waitMs === undefined) return
    if (waitMs <= 0) return void this.#request(context)
    this.#plan = { dueAt: clock.elapsed() + waitMs, cancel: clock.later(waitMs, () => void this.#request(context)) }
  }

  /** How long to wait before a request; undefined where none is made. */
  #waitMs(context: CompletionContext): number | undefined {
    const { isRateLimited, keyMs } = this.#options.pace
    const decision = decide(context.snapshot, context.cursor, { ...context, isRateLimited, keyMs })
    if (!decision.ask || this.#isSilent(context) || this.#isAsked(context)) return undefined
    return context.isExplicit ? 0 : Math.max(decision.waitMs, this.#doubt.waitMs)
  }

  /**
   * Whether the answer of the open request is too unlikely to agree with what was typed since. With the chance `p` that
   * it does, waiting for it takes the rest of the time to its first text and with `1 - p` that of a second request.
   */
  #isWorthReplacing(context: CompletionContext): boolean {
    const { clock, modelPace, hasFreeSlot } = this.#options
    const isAnswering = this.#lane.answer?.hasText || this.#next?.answer === this.#lane.answer
    if (isAnswering || context.isExplicit || this.#waitMs(context) !== 0) return false
    const usualMs = modelPace.firstTextMs(context.model)
    const now = clock.elapsed()
    const lostWait = (now - this.#requestedAt) / usualMs
    if (1 - modelPace.agreement(context.model) ** this.#typedSince - lostWait < LEAST_GAIN) return false
    return now - this.#replacedAt >= usualMs && hasFreeSlot()
  }

  #cancelToReplace(): void {
    this.#replacedAt = this.#options.clock.elapsed()
    this.#lane.cancel()
  }

  /** The service has asked for a pause, or the model would think first. */
  #isSilent({ isExplicit, model, snapshot, cursor }: CompletionContext): boolean {
    const { pace, thinking, suggestions } = this.#options
    if (pace.isBackingOff(isExplicit)) return true
    return !isExplicit && (thinking.isUnstoppable(model) || suggestions.isQuiet(snapshot, cursor))
  }

  #cancelPlan(): void {
    this.#plan?.cancel()
    this.#plan = undefined
  }

  /** Ends the reading of an answer that disagrees; while that is in doubt, only after a while. */
  #endDisagreeing(): void {
    this.#cancelDisagreeing()
    if (!this.#lane.isReading) return
    if (!this.#doubt.isOpen) return this.#lane.cancel()
    this.#cancelDisagreeing = this.#options.clock.later(this.#doubt.readingMs, () => {
      if (this.#latest && !this.#isOpenFor(this.#latest)) this.#lane.cancel()
    })
  }

  /** Starts the request once the one before is over, unless it is no longer wanted by then. */
  async #request(context: CompletionContext): Promise<void> {
    let isCancelled = false
    this.#plan = { dueAt: this.#options.clock.elapsed(), cancel: () => (isCancelled = true) }
    while (this.#lane.free) {
      if (this.#isOpenFor(context)) break
      this.#lane.cancel()
      await this.#lane.free
    }
    if (isCancelled) return
    this.#plan = undefined
    if (!this.#lane.free && !this.#options.suggestions.available(context)) this.#startRequest(context)
    this.#planned.fire()
  }

  #startRequest(context: CompletionContext): void {
    this.#cancelDisagreeing()
    this.#start(context, { typedThrough: this.#options.suggestions.charsTypedThrough(context.snapshot) })
  }

  #start(context: CompletionContext, { typedThrough = 0, temperature = 0 } = {}): Answer {
    const { snapshot, cursor } = context
    this.#requested = context
    this.#firstTextMs = 0
    this.#requestedAt = this.#options.clock.elapsed()
    this.#typedSince = 0
    this.#count++
    this.#options.figures?.requested()
    const { request, marks, mode } = this.#options.prompts.write(context, temperature)
    this.#mode = mode
    const answer = new Answer(snapshot, cursor, { id: String(this.#count), typedThrough, marks })
    this.#lane.start(answer, request)
    return answer
  }

  /** Where the suggestion is all that is known, what would follow it is requested after a while. */
  #planNext(context: CompletionContext, candidate: Candidate): void {
    this.#cancelNext()
    const { answer } = candidate
    const linesLeft = (linesBeyond(answer, context) ?? 0) - 1
    if (context.isExplicit || answer.isStreaming || linesLeft > LINES_BEFORE_NEXT) return
    const all = candidateOf(answer, { ...context, shape: 'block' })
    if (all) this.#cancelNext = this.#options.clock.later(BEFORE_NEXT_MS, () => this.#requestNext(context, all))
  }

  #requestNext(context: CompletionContext, candidate: Candidate): void {
    const { acceptance, hasExtraSlot, pace, suggestions } = this.#options
    const isBusy = this.#lane.free !== undefined || this.#plan !== undefined
    if (isBusy || !hasExtraSlot() || !acceptance.isWorthMore || this.#isSilent(context) || pace.isRateLimited) return
    const snapshot = asIfAccepted(context.snapshot, candidate)
    const cursor = cursorContextOf(snapshot, this.#options.lexed)
    const next = { ...context, snapshot, cursor, shape: shapeOf(cursor, false) }
    if (suggestions.isCached(next) || this.#isAsked(next)) return
    this.#next = { answer: this.#start(next), after: candidate.answer }
  }

  #onFault(fault: unknown, request: ModelRequest): void {
    const { thinking, modes, pace, clock, note, onOutcome } = this.#options
    if (thinking.recordFault(request, fault))
      return note(`The service refuses to switch thinking off by ${request.thinkingOff}: ${faultText(fault)}`)
    if (modes.recordFault(request, fault))
      return note(`The service refuses the beginning of an answer: ${faultText(fault)}`)
    const quietMs = pace.recordFault(fault)
    note(`Quiet for ${quietMs} ms: ${faultText(fault)}`)
    onOutcome(outcomeOf(fault, clock.now() + quietMs))
  }

  #onEnd(answer: Answer, reception: Reception, request: ModelRequest): void {
    const { end } = reception
    const { figures, thinking, modes, suggestions, onOutcome, connection, pace } = this.#options
    // What is stopped before its end takes its connection with it.
    if (end === 'stopped' && this.#latest && !pace.isBackingOff(false)) connection.renew()
    figures?.ended(answer)
    thinking.record(request, reception)
    if (answer.hasText && !reception.hasThought) modes.record(request.model, answer.roughness.length > 0)
    suggestions.add(answer)
    if (this.#requested && (end !== 'stopped' || answer.isEnded)) {
      const place = placeOf(this.#requested)
      this.#asked.set(place, { place, documentId: this.#requested.snapshot.id })
    }
    const isNext = this.#next?.answer === answer
    if (isNext) this.#next = undefined
    const latest = this.#latest
    if (answer.hasText) this.#noteAnswer(answer, isNext)
    if (latest && !isNext && this.#isWithoutResult(answer, latest))
      onOutcome({ is: suggestions.holdsBack(latest) ? 'held back' : 'nothing fitted' })
    // Only what came to disagree with the typing is requested anew; not what was cancelled or never began.
    if (latest && answer.hasText && !this.#agrees(answer, latest.snapshot))
      queueMicrotask(() => this.#planAgain(latest))
  }

  #noteAnswer(answer: Answer, isNext: boolean): void {
    if (!this.#requested) return
    const { snapshot, shape } = this.#requested
    const firstTextMs = this.#firstTextMs
    const fate = this.#fateOf(answer, isNext)
    this.#options.note(answerLine({ answer, snapshot, shape, mode: this.#mode, firstTextMs, fate }))
  }

  #fateOf(answer: Answer, isNext: boolean): Fate {
    const latest = this.#latest
    const { suggestions } = this.#options
    if (suggestions.visibleAnswer === answer) return 'shown'
    if (isNext) return 'kept for what follows'
    if (answer.text.trim() === '') return 'nothing fitted'
    if (!latest || !this.#agrees(answer, latest.snapshot)) return 'too late'
    const candidate = suggestions.available(latest)
    if (!candidate) return suggestions.holdsBack(latest) ? 'held back' : 'nothing fitted'
    return candidate.answer === answer ? 'shown' : 'not needed'
  }

  /** The answer has come for this place, and nothing of it can be shown there. */
  #isWithoutResult(answer: Answer, latest: CompletionContext): boolean {
    const isHere = answer.cursor.lineBefore === latest.cursor.lineBefore && answer.documentId === latest.snapshot.id
    return isHere && this.#isAsked(latest) && !this.#options.suggestions.available(latest)
  }

  #isAsked(context: CompletionContext): boolean {
    return this.#asked.get(placeOf(context)) !== undefined
  }

  #planAgain(context: CompletionContext): void {
    if (this.#latest && this.isLatest(context.snapshot) && !this.#lane.free && !this.#plan)
      this.#planRequest(this.#latest)
    this.#planned.fire()
  }

  #isOpenFor({ snapshot }: CompletionContext): boolean {
    const { answer, isReading } = this.#lane
    return answer !== undefined && isReading && this.#agrees(answer, snapshot)
  }

  /** What is requested for the text after a suggestion agrees as long as that suggestion does. */
  #agrees(answer: Answer, snapshot: DocumentSnapshot): boolean {
    if (answer.agreement(snapshot).kind !== 'differs') return true
    return this.#next?.answer === answer && this.#next.after.covers(snapshot)
  }

  /** Measured from the cursor of the latest change, so that typing on keeps the stream open. */
  #isEnough(answer: Answer): boolean {
    const latest = this.#latest
    if (!latest) return false
    const beyond = linesBeyond(answer, latest)
    if (beyond !== undefined) return beyond >= this.wantedLines(answer, latest)
    if (this.#next?.answer === answer) return answer.lines >= this.wantedLines(answer, latest)
    if (this.#agrees(answer, latest.snapshot)) return false
    if (this.#doubt.isOpen) return answer.lines >= this.wantedLines(answer, latest)
    return !this.#mayAgreeAgain(answer, latest)
  }

  /** What was typed while nothing of the answer had come disagrees with it, and may be a mistake. */
  #mayAgreeAgain(answer: Answer, latest: CompletionContext): boolean {
    const chars = answer.charsAgainstArriving(latest.snapshot)
    if (chars === 0 || !this.#doubt.find(chars)) return false
    this.#planRequest(latest)
    return true
  }
}

/** The same for the same text around the cursor, whatever happened in between. */
function placeOf({ snapshot: { id, text, offset }, cursor: { lineAfter, below } }: CompletionContext): string {
  return [id, text.slice(Math.max(0, offset - PLACE_CHARS), offset), lineAfter, below].join('\0')
}
