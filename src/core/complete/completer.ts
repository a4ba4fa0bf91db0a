// `Completer`: completes a document snapshot from the visible suggestion, the streaming answer, the cache or the model.
import { isAbort, raceAbort, until } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { Emitter, type Event } from '../../base/event.ts'
import { faultText } from '../../base/fault.ts'
import { Lru } from '../../base/lru.ts'
import type { ModelClient, ModelRequest } from '../model/modelClient.ts'
import type { AccessPolicy } from '../workspace/accessPolicy.ts'
import { type DocumentSnapshot, factsOf } from '../workspace/documentSnapshot.ts'
import type { Documents } from '../workspace/documents.ts'
import type { Replacement } from '../workspace/replacement.ts'
import { Acceptance } from './acceptance.ts'
import { Alternatives } from './alternatives.ts'
import { Answer } from './answer.ts'
import { answerLine, type Fate } from './answerLine.ts'
import { AnswerCache } from './cache.ts'
import {
  asIfAccepted,
  type Candidate,
  type CompletionContext,
  candidateOf,
  linesBeyond,
  shapeFor,
  wantedLines,
} from './candidate.ts'
import type { CompletionFigures } from './completionFigures.ts'
import type { CompletionSettings } from './completionSettings.ts'
import { ContextCost } from './contextCost.ts'
import { cursorContextOf } from './cursorContext.ts'
import { DeletedText } from './deletedText.ts'
import { Doubt } from './doubt.ts'
import { holdControlTokens } from './fillInPrompt.ts'
import { Lane } from './lane.ts'
import { type Outcome, outcomeOf } from './lastOutcome.ts'
import { Pace } from './pace.ts'
import { completionRequest, contextCharsOf, type PromptMode, promptParts, textsOf, withHalfContext } from './prompt.ts'
import { MarksOfDocuments } from './promptMarks.ts'
import type { PromptModes } from './promptModes.ts'
import type { PromptSources } from './promptSources.ts'
import { Refusals } from './refusals.ts'
import { SnippetSelector } from './snippetSelector.ts'
import type { Reception, ThinkingSwitch } from './thinkingSwitch.ts'
import { type Change, decide, shapeOf, unavailableReason, waitLimitMs } from './trigger.ts'
import { isWorthShowing } from './trim.ts'
import { TypedThrough } from './typedThrough.ts'
import { VisibleSuggestion } from './visibleSuggestion.ts'

export interface CompleterOptions {
  readonly models: ModelClient
  /** Undefined while nobody is signed in; a promise while the service is asked for its list of models. */
  readonly model: () => string | undefined | Promise<string | undefined>
  readonly clock: Clock
  /** Other open documents, the visible ones first. */
  readonly neighbours: (snapshot: DocumentSnapshot) => readonly DocumentSnapshot[]
  readonly settings: (snapshot: DocumentSnapshot) => CompletionSettings
  /** Decides which documents may be read. */
  readonly access: Pick<AccessPolicy, 'refusalOf'>
  readonly thinking: ThinkingSwitch
  /** What else is known of the place. */
  readonly sources: Pick<PromptSources, 'follow' | 'for' | 'forget'>
  readonly modes: Pick<PromptModes, 'for' | 'record' | 'recordFault'>
  /** Receives each suggestion, so that accepting it is logged as an edit of this extension. */
  readonly documents: Pick<Documents, 'announce'>
  readonly onOutcome?: (outcome: Outcome) => void
  readonly figures?: Omit<CompletionFigures, 'dispose'>
  readonly log: { debug(text: string): void }
}

export interface CompletionRequest {
  /** The user asked for it. */
  readonly isExplicit: boolean
  /** Set while the suggestion list is open: only text that starts with its selected item can be seen. */
  readonly selected?: Replacement | undefined
}

export interface Suggestion extends Replacement {
  readonly id: string
}

export interface CompletionCounts {
  readonly requests: number
  readonly shown: number
  readonly accepted: number
}

/** How long to wait for the other lines of a block after its first. */
const BLOCK_WAIT_MS = 400
/** Minimum time between two events `onDidArriveLate`. */
const LATE_INTERVAL_MS = 300
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
 * At most one request is open at a time. It is started by a change of the document, about 50 ms before the editor calls;
 * the editor cancels its call with each key, but the request stays open as long as the typed text agrees with its answer.
 */
export class Completer implements Disposable {
  readonly #options: CompleterOptions
  readonly #pace: Pace
  readonly #lane: Lane
  readonly #cache = new AnswerCache()
  readonly #visible: VisibleSuggestion
  readonly #alternatives: Alternatives
  readonly #deleted: DeletedText
  readonly #refusals: Refusals
  readonly #doubt: Doubt
  readonly #typedThrough = new TypedThrough()
  readonly #snippets = new SnippetSelector()
  readonly #marks = new MarksOfDocuments()
  readonly #contextCost = new ContextCost()
  readonly #lateAnswer = new Emitter<DocumentSnapshot>()
  readonly #others = new Emitter<DocumentSnapshot>()
  readonly #planned = new Emitter<void>()
  /** The latest change or call. */
  #latest: CompletionContext | undefined
  /** The latest call, if it returned nothing while its answer was still streaming. */
  #unanswered: CompletionContext | undefined
  /** A request that waits for its time or for the end of the one before. */
  #plan: { readonly cancel: () => void } | undefined
  /** The request for what follows a suggestion if it is accepted. */
  #next: { readonly answer: Answer; readonly after: Answer } | undefined
  #cancelNext = () => {}
  #cancelDisagreeing = () => {}
  /** Where and for what the open request was made, and when its first text came. */
  #requested: CompletionContext | undefined
  #mode: PromptMode = 'hole'
  #firstTextMs = 0
  readonly #acceptance = new Acceptance()
  #changedAt = 0
  #lastLateAt = Number.NEGATIVE_INFINITY
  /** Places for which an answer has come, though perhaps an empty one. */
  readonly #asked = new Lru<string, true>(MOST_PLACES)
  #unavailableReason: string | undefined
  #counts: CompletionCounts = { requests: 0, shown: 0, accepted: 0 }

  constructor(options: CompleterOptions) {
    const { clock, models, documents } = options
    this.#options = options
    this.#pace = new Pace(clock)
    this.#deleted = new DeletedText(clock)
    this.#refusals = new Refusals(clock, () => options.figures?.refused())
    this.#doubt = new Doubt(clock)
    const onAccepted = (documentId: string, replacement: Replacement) => this.#onAccepted(documentId, replacement)
    this.#visible = new VisibleSuggestion(documents, onAccepted)
    const request = (context: CompletionContext, temperature: number) => this.#requestOther(context, temperature)
    this.#alternatives = new Alternatives({ documents, onAccepted, request })
    this.#lane = new Lane({
      models,
      clock,
      isEnough: answer => this.#isEnough(answer),
      onFirstText: afterMs => {
        this.#firstTextMs = afterMs
        this.#pace.recordFirstText(afterMs)
        this.#contextCost.received(afterMs)
      },
      onFault: (fault, request) => this.#onFault(fault, request),
      onEnd: (answer, reception, request) => this.#onEnd(answer, reception, request),
    })
    this.#lane.onProgress(() => this.#reportProgress())
  }

  /** An answer arrived after the call for this snapshot had returned nothing; a new call will return it. */
  readonly onDidArriveLate: Event<DocumentSnapshot> = this.#lateAnswer.event

  /** There are several suggestions now where one is visible, for which the user has asked; a new call will return them. */
  readonly onDidFindOthers: Event<DocumentSnapshot> = this.#others.event

  get counts(): CompletionCounts {
    return this.#counts
  }

  /** The document has changed, and the cursor is where the change leaves it. A request for it leaves now if none is due later. */
  changed(snapshot: DocumentSnapshot): void {
    const settings = this.#options.settings(snapshot)
    if (this.#isUnavailable(snapshot, settings)) return this.#stop()
    this.#options.sources.follow(snapshot)
    const model = this.#options.model()
    // Where the model is not known yet, the editor's call waits for it.
    if (typeof model === 'string') this.#follow(snapshot, settings, { isExplicit: false }, model)
  }

  /** Never rejects. The signal ends the waiting, not the request. */
  async complete(
    snapshot: DocumentSnapshot,
    request: CompletionRequest,
    signal: AbortSignal,
  ): Promise<readonly Suggestion[]> {
    try {
      return await this.#complete(snapshot, request, signal)
    } catch (fault) {
      if (!isAbort(fault)) this.#note(`Completion failed: ${faultText(fault)}`)
      return []
    }
  }

  /** There is a suggestion, or a request for one. */
  isActiveAt(snapshot: DocumentSnapshot): boolean {
    return this.#plan !== undefined || this.#lane.isReading || this.#visible.at(snapshot) !== undefined
  }

  /** The user has hidden the suggestion that is visible. */
  dismiss(): void {
    if (this.#latest) this.#refusals.dismiss(this.#latest.snapshot)
    this.#visible.hide()
    this.#cancelNext()
  }

  /** The document was closed. */
  forget(documentId: string): void {
    this.#cache.forget(documentId)
    this.#visible.forget(documentId)
    this.#deleted.forget(documentId)
    this.#marks.forget(documentId)
    this.#refusals.forget(documentId)
    this.#options.sources.forget(documentId)
    if (this.#latest?.snapshot.id === documentId) this.#stop()
  }

  dispose(): void {
    this.#stop()
    this.#lane.dispose()
    this.#lateAnswer.dispose()
    this.#others.dispose()
    this.#alternatives.dispose()
    this.#planned.dispose()
    this.#visible.dispose()
  }

  #stop(): void {
    this.#cancelPlan()
    this.#cancelNext()
    this.#cancelDisagreeing()
    this.#lane.cancel()
    this.#latest = undefined
    this.#unanswered = undefined
  }

  async #complete(
    snapshot: DocumentSnapshot,
    request: CompletionRequest,
    signal: AbortSignal,
  ): Promise<readonly Suggestion[]> {
    this.#unanswered = undefined
    const isVisible = this.#visible.isShownFor(snapshot)
    const settings = this.#options.settings(snapshot)
    const modelOrPromise = this.#isUnavailable(snapshot, settings) ? undefined : this.#options.model()
    const model = typeof modelOrPromise === 'object' ? await raceAbort(modelOrPromise, signal) : modelOrPromise
    if (model === undefined) {
      this.#stop()
      return []
    }
    const context = this.#followed(snapshot, request) ?? this.#follow(snapshot, settings, request, model)
    this.#latest = context
    const candidate = this.#availableCandidate(context) ?? (await this.#requestedCandidate(context, signal))
    if (!candidate) return []
    const first = this.#show(context, candidate)
    const others = request.isExplicit
      ? await this.#othersOf(context, candidate, isVisible, signal)
      : this.#alternatives.at(snapshot, candidate)
    return [first, ...others.map(({ replacement, answer }) => ({ ...replacement, id: answer.id }))]
  }

  /** The user asks for more than what is visible, and waits; or for the first one, which is shown before there are others. */
  async #othersOf(
    context: CompletionContext,
    first: Candidate,
    isVisible: boolean,
    signal: AbortSignal,
  ): Promise<readonly Candidate[]> {
    if (context.selected) return []
    const gathered = this.#alternatives.gather(context, first)
    if (isVisible) return raceAbort(gathered, signal)
    void gathered.then(others => {
      const isHere = this.#visible.at(context.snapshot) && this.#isLatest(context.snapshot)
      if (others.length > 0 && isHere) this.#others.fire(context.snapshot)
    })
    return []
  }

  async #requestOther(context: CompletionContext, temperature: number): Promise<Candidate | undefined> {
    while (this.#lane.free) await this.#lane.free
    const isThinking = this.#options.thinking.isUnstoppable(context.model)
    if (!this.#isLatest(context.snapshot) || this.#isSilent(context) || isThinking) return undefined
    const answer = this.#start(context, { temperature })
    await this.#lane.free
    const candidate = this.#isLatest(context.snapshot) ? candidateOf(answer, context) : undefined
    return candidate && this.#mayShow(candidate, context) ? candidate : undefined
  }

  #isLatest(snapshot: DocumentSnapshot): boolean {
    return this.#latest !== undefined && isSamePlace(this.#latest.snapshot, snapshot)
  }

  #isUnavailable(snapshot: DocumentSnapshot, settings: CompletionSettings): boolean {
    const reason = unavailableReason(snapshot, settings, this.#options.access)
    // Logged once, not with each key.
    if (reason !== undefined && reason !== this.#unavailableReason) this.#note(`No completion: ${reason}`)
    this.#unavailableReason = reason
    return reason !== undefined
  }

  /** The context that the change before this call has made already. */
  #followed(snapshot: DocumentSnapshot, { isExplicit, selected }: CompletionRequest): CompletionContext | undefined {
    const latest = this.#latest
    return latest && !isExplicit && isSamePlace(latest.snapshot, snapshot) ? { ...latest, selected } : undefined
  }

  /** Makes this the latest change or call, and decides about a request for it. */
  #follow(
    snapshot: DocumentSnapshot,
    settings: CompletionSettings,
    { isExplicit, selected }: CompletionRequest,
    model: string,
  ): CompletionContext {
    const before = this.#latest?.snapshot
    const change = this.#pace.recordSnapshot(snapshot)
    this.#recordChange(before, snapshot, change)
    const cursor = cursorContextOf(snapshot)
    const shape = shapeOf(cursor, isExplicit)
    const context = { snapshot, cursor, settings, shape, isExplicit, selected, change, model }
    this.#latest = context
    this.#unanswered = undefined
    if (isExplicit) this.#asked.delete(placeOf(context))
    this.#doubt.follow(snapshot, cursor, change, this.#availableCandidate(context)?.answer)
    this.#planRequest(context)
    return context
  }

  #recordChange(before: DocumentSnapshot | undefined, after: DocumentSnapshot, change: Change): void {
    const isVisibleText = this.#visible.answer?.covers(after) === true
    const from = this.#typedThrough.from
    this.#typedThrough.record(after, change, isVisibleText)
    this.#refusals.follow(after, change)
    if (change !== 'none') this.#changedAt = this.#options.clock.elapsed()
    if (before?.id === after.id && isVisibleText) this.#recordPart(before, after)
    if (change !== 'deleted' || before?.id !== after.id) return
    const edit = after.log.editBetween(before.version, after.version)
    if (edit?.lengthBefore === before.text.length) this.#deleted.record(after, before.text, edit, from)
  }

  /** The editor takes a word or a line of what is visible as an insertion of several characters before the cursor. */
  #recordPart(before: DocumentSnapshot, { id, log, version, offset }: DocumentSnapshot): void {
    const [insertion, ...others] = log.editBetween(before.version, version)?.replacements ?? []
    const isOwn = log.edits.at(-1)?.origin === 'own'
    if (!insertion || others.length > 0 || isOwn || insertion.text.length < 2) return
    const { start, text } = insertion
    if (start + text.length === offset)
      this.#options.figures?.tookPart(/\S\s+\S/.test(text), id, { start, end: offset })
  }

  /** Starts a request, now or when it is due; or leaves it, because there is a suggestion or a request for one. */
  #planRequest(context: CompletionContext): void {
    const { clock } = this.#options
    this.#cancelPlan()
    this.#cancelNext()
    if (isOnlyOnRequest(context) || this.#isRequestOpenFor(context)) {
      if (!this.#isRequestOpenFor(context)) this.#lane.cancel()
      return
    }
    this.#endDisagreeing()
    if (this.#isKnown(context)) return
    const { isRateLimited, keyMs } = this.#pace
    const decision = decide(context.snapshot, context.cursor, { ...context, isRateLimited, keyMs })
    if (!decision.ask || this.#isSilent(context) || this.#asked.get(placeOf(context))) return
    const waitMs = context.isExplicit ? 0 : Math.max(decision.waitMs, this.#doubt.waitMs)
    if (waitMs <= 0) return void this.#request(context)
    this.#plan = { cancel: clock.later(waitMs, () => void this.#request(context)) }
  }

  /** The service has asked for a pause, or the model would think first. */
  #isSilent({ isExplicit, model, snapshot, cursor }: CompletionContext): boolean {
    if (this.#pace.isBackingOff(isExplicit)) return true
    return !isExplicit && (this.#options.thinking.isUnstoppable(model) || this.#refusals.isQuiet(snapshot, cursor))
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
      if (this.#latest && !this.#isRequestOpenFor(this.#latest)) this.#lane.cancel()
    })
  }

  /** Starts the request once the one before is over, unless it is no longer wanted by then. */
  async #request(context: CompletionContext): Promise<void> {
    let isCancelled = false
    this.#plan = { cancel: () => (isCancelled = true) }
    while (this.#lane.free) {
      if (this.#isRequestOpenFor(context)) break
      this.#lane.cancel()
      await this.#lane.free
    }
    if (isCancelled) return
    this.#plan = undefined
    if (!this.#lane.free && !this.#availableCandidate(context)) this.#startRequest(context)
    this.#planned.fire()
  }

  #startRequest(context: CompletionContext): void {
    this.#cancelDisagreeing()
    this.#start(context, { typedThrough: this.#typedThrough.charsBefore(context.snapshot.offset) })
  }

  #start(context: CompletionContext, { typedThrough = 0, temperature = 0 } = {}): Answer {
    const { snapshot, cursor, shape, model } = context
    this.#requested = context
    this.#firstTextMs = 0
    const snippets = this.#snippets.select(snapshot, this.#readableNeighbours(snapshot))
    const whole = promptParts(snapshot, snippets, this.#options.sources.for(snapshot))
    const parts = this.#contextCost.isTooHigh(contextCharsOf(whole)) ? withHalfContext(whole) : whole
    const texts = textsOf(parts)
    const marks = this.#marks.marksFor(snapshot.id, texts)
    this.#mode = holdControlTokens(texts) ? 'hole' : this.#options.modes.for(model)
    this.#count('requests')
    this.#options.figures?.requested()
    const answer = new Answer(snapshot, cursor, { id: String(this.#counts.requests), typedThrough, marks })
    const thinkingOff = this.#options.thinking.for(model)
    const request = completionRequest(model, parts, shape, { marks, mode: this.#mode })
    this.#contextCost.sent(texts.join('\0'))
    this.#lane.start(answer, { ...request, temperature, ...(thinkingOff && { thinkingOff }) })
    return answer
  }

  #readableNeighbours(snapshot: DocumentSnapshot): DocumentSnapshot[] {
    const { neighbours, access } = this.#options
    const mayRead = (other: DocumentSnapshot) => access.refusalOf(factsOf(other), 'context') === undefined
    return neighbours(snapshot).filter(other => other.id !== snapshot.id && mayRead(other))
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
    const isBusy = this.#lane.free !== undefined || this.#plan !== undefined
    if (isBusy || !this.#acceptance.isWorthMore || this.#isSilent(context) || this.#pace.isRateLimited) return
    const snapshot = asIfAccepted(context.snapshot, candidate)
    const cursor = cursorContextOf(snapshot)
    const next = { ...context, snapshot, cursor, shape: shapeOf(cursor, false) }
    if (this.#isCached(next) || this.#asked.get(placeOf(next))) return
    this.#next = { answer: this.#start(next), after: candidate.answer }
  }

  #onFault(fault: unknown, request: ModelRequest): void {
    if (this.#options.thinking.recordFault(request, fault))
      return this.#note(`The service refuses to switch thinking off by ${request.thinkingOff}: ${faultText(fault)}`)
    if (this.#options.modes.recordFault(request, fault))
      return this.#note(`The service refuses the beginning of an answer: ${faultText(fault)}`)
    const quietMs = this.#pace.recordFault(fault)
    this.#note(`Quiet for ${quietMs} ms: ${faultText(fault)}`)
    this.#options.onOutcome?.(outcomeOf(fault, this.#options.clock.now() + quietMs))
  }

  #onEnd(answer: Answer, reception: Reception, request: ModelRequest): void {
    const { end } = reception
    this.#options.figures?.ended(answer)
    this.#options.thinking.record(request, reception)
    if (answer.hasText && !reception.hasThought) this.#options.modes.record(request.model, answer.roughness.length > 0)
    this.#cache.add(answer)
    if (this.#requested && (end !== 'stopped' || answer.isEnded)) this.#asked.set(placeOf(this.#requested), true)
    const isNext = this.#next?.answer === answer
    if (isNext) this.#next = undefined
    const latest = this.#latest
    if (answer.hasText) this.#noteAnswer(answer, isNext)
    if (latest && !isNext && this.#isWithoutResult(answer, latest)) this.#options.onOutcome?.({ is: 'nothing fitted' })
    // Only what came to disagree with the typing is requested anew; not what was cancelled or never began.
    if (latest && answer.hasText && !this.#agrees(answer, latest.snapshot))
      queueMicrotask(() => this.#planAgain(latest))
  }

  #noteAnswer(answer: Answer, isNext: boolean): void {
    if (!this.#requested) return
    const { snapshot, shape } = this.#requested
    const firstTextMs = this.#firstTextMs
    const fate = this.#fateOf(answer, isNext)
    this.#note(answerLine({ answer, snapshot, shape, mode: this.#mode, firstTextMs, fate }))
  }

  #fateOf(answer: Answer, isNext: boolean): Fate {
    const latest = this.#latest
    if (this.#visible.answer === answer) return 'shown'
    if (isNext) return 'kept for what follows'
    if (answer.text.trim() === '') return 'nothing fitted'
    if (!latest || !this.#agrees(answer, latest.snapshot)) return 'too late'
    const candidate = this.#availableCandidate(latest)
    if (!candidate) return 'nothing fitted'
    return candidate.answer === answer ? 'shown' : 'not needed'
  }

  /** The answer has come for this place, and nothing of it can be shown there. */
  #isWithoutResult(answer: Answer, latest: CompletionContext): boolean {
    const isHere = answer.cursor.lineBefore === latest.cursor.lineBefore && answer.documentId === latest.snapshot.id
    return isHere && this.#asked.get(placeOf(latest)) === true && !this.#availableCandidate(latest)
  }

  #planAgain(context: CompletionContext): void {
    if (this.#latest && this.#isLatest(context.snapshot) && !this.#lane.free && !this.#plan)
      this.#planRequest(this.#latest)
    this.#planned.fire()
  }

  /** Prefers the visible suggestion, because replacing it would flicker; then the streaming answer; then the cache. */
  #availableCandidate(context: CompletionContext): Candidate | undefined {
    const { snapshot, cursor } = context
    const visible = this.#visible.at(snapshot)
    const continued = visible && candidateOf(visible.answer, context, visible.end)
    if (continued && !this.#isUnwanted(continued, context)) return continued
    if (isOnlyOnRequest(context)) return undefined
    const streaming = this.#lane.answer ? [this.#lane.answer] : []
    return [...streaming, ...this.#cache.find(snapshot, cursor)]
      .map(answer => candidateOf(answer, context))
      .find(candidate => candidate !== undefined && this.#mayShow(candidate, context))
  }

  /** An answer goes on from the cursor, though perhaps with nothing that is worth showing. */
  #isKnown(context: CompletionContext): boolean {
    return this.#isCached(context) || this.#availableCandidate(context) !== undefined
  }

  #isCached(context: CompletionContext): boolean {
    return this.#cache.find(context.snapshot, context.cursor).some(answer => candidateOf(answer, context) !== undefined)
  }

  #mayShow(candidate: Candidate, context: CompletionContext): boolean {
    return (
      isWorthShowing(candidate.fit, context.cursor) && (context.isExplicit || !this.#isUnwanted(candidate, context))
    )
  }

  /** The user has deleted or refused it here. */
  #isUnwanted({ fit: { insert } }: Candidate, { snapshot, cursor }: CompletionContext): boolean {
    return this.#deleted.isDeleted(snapshot, insert) || this.#refusals.isRefused(snapshot, cursor, insert)
  }

  /** Waits for the answer of the open request, or of the one that is planned. */
  async #requestedCandidate(context: CompletionContext, signal: AbortSignal): Promise<Candidate | undefined> {
    if (isOnlyOnRequest(context)) return undefined
    while (this.#isPendingFor(context)) {
      const isInTime = await this.#waitUntilReady(context, signal)
      const candidate = this.#availableCandidate(context)
      if (candidate) return candidate
      if (isInTime) continue
      this.#unanswered = context.selected ? undefined : context
      return undefined
    }
    return undefined
  }

  #isPendingFor(context: CompletionContext): boolean {
    return this.#isLatest(context.snapshot) && (this.#plan !== undefined || this.#isRequestOpenFor(context))
  }

  #isRequestOpenFor({ snapshot }: CompletionContext): boolean {
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
    if (beyond !== undefined) return beyond >= this.#wantedLines(answer, latest)
    if (this.#next?.answer === answer) return answer.lines >= this.#wantedLines(answer, latest)
    return !this.#doubt.isOpen && !this.#agrees(answer, latest.snapshot)
  }

  #wantedLines(answer: Answer, context: CompletionContext): number {
    const lines = wantedLines({ ...context, shape: shapeFor(answer, context) })
    return lines > 1 && this.#acceptance.isUsual ? lines + MORE_LINES : lines
  }

  /** `full`: more text would change nothing, or the request is over. */
  #readiness(context: CompletionContext): 'none' | 'some' | 'full' {
    if (!this.#isPendingFor(context)) return 'full'
    const candidate = this.#availableCandidate(context)
    if (!candidate) return 'none'
    const { answer } = candidate
    const isBlock = shapeFor(answer, context) === 'block'
    const isWhole = !isBlock || (linesBeyond(answer, context) ?? 0) >= this.#wantedLines(answer, context)
    return isWhole ? 'full' : 'some'
  }

  /** False if the time that the editor may be kept waiting has passed. */
  #waitUntilReady(context: CompletionContext, signal: AbortSignal): Promise<boolean> {
    const { clock } = this.#options
    const limitMs = waitLimitMs(context.cursor, context.isExplicit, this.#pace.firstTextMs)
    return until<boolean>(signal, done => {
      let clearBlockTimer: (() => void) | undefined
      const check = () => {
        const readiness = this.#readiness(context)
        if (readiness === 'full') done(true)
        if (readiness === 'some') clearBlockTimer ??= clock.later(BLOCK_WAIT_MS, () => done(true))
      }
      const clearTimer = limitMs > 0 ? clock.later(limitMs, () => done(false)) : () => {}
      const subscriptions = [this.#lane.onProgress(check), this.#planned.event(check)]
      check()
      if (limitMs === 0) done(false)
      return () => {
        clearTimer()
        clearBlockTimer?.()
        for (const subscription of subscriptions) subscription.dispose()
      }
    })
  }

  #reportProgress(): void {
    const { elapsed } = this.#options.clock
    const unanswered = this.#unanswered
    if (!unanswered || this.#readiness(unanswered) !== 'full') return
    this.#unanswered = undefined
    if (!this.#availableCandidate(unanswered) || elapsed() - this.#lastLateAt < LATE_INTERVAL_MS) return
    this.#lastLateAt = elapsed()
    this.#lateAnswer.fire(unanswered.snapshot)
  }

  #show(context: CompletionContext, candidate: Candidate): Suggestion {
    const { figures, clock } = this.#options
    if (this.#visible.at(context.snapshot)?.answer !== candidate.answer) this.#count('shown')
    figures?.shown(candidate.answer, context.isExplicit ? undefined : clock.elapsed() - this.#changedAt)
    this.#visible.show(context.snapshot, candidate)
    this.#options.onOutcome?.({ is: 'shown' })
    this.#acceptance.shown(candidate.answer)
    this.#refusals.show(candidate.answer, context.snapshot, context.cursor, candidate.fit.insert)
    this.#doubt.expect(candidate.answer)
    this.#planNext(context, candidate)
    return { ...candidate.replacement, id: candidate.answer.id }
  }

  #onAccepted(documentId: string, { start, text }: Replacement): void {
    this.#count('accepted')
    this.#options.figures?.tookWhole(documentId, { start, end: start + text.length })
    this.#acceptance.accepted()
  }

  #count(what: keyof CompletionCounts): void {
    this.#counts = { ...this.#counts, [what]: this.#counts[what] + 1 }
  }

  #note(text: string): void {
    this.#options.log.debug(text)
  }
}

/** In mode `subtle` a requested suggestion stays while its text is typed, but an automatic call shows nothing new. */
function isOnlyOnRequest({ settings, isExplicit }: CompletionContext): boolean {
  return settings.mode === 'subtle' && !isExplicit
}

function isSamePlace(a: DocumentSnapshot, b: DocumentSnapshot): boolean {
  return a.id === b.id && a.version === b.version && a.offset === b.offset
}

/** The same for the same text around the cursor, whatever happened in between. */
function placeOf({ snapshot: { id, text, offset }, cursor: { lineAfter, below } }: CompletionContext): string {
  return [id, text.slice(Math.max(0, offset - PLACE_CHARS), offset), lineAfter, below].join('\0')
}
