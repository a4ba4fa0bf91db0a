// `Completer`: completes a document snapshot from the visible suggestion, the streaming answer, the cache or the model.
import { isAbort, linkedAbort, raceAbort, sleep, throwIfAborted, until } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { Emitter, type Event } from '../../base/event.ts'
import { faultText } from '../../base/fault.ts'
import type { FinishReason, ModelClient, ModelRequest } from '../model/modelClient.ts'
import type { AccessPolicy } from '../workspace/accessPolicy.ts'
import { type DocumentSnapshot, factsOf } from '../workspace/documentSnapshot.ts'
import type { Documents } from '../workspace/documents.ts'
import type { Replacement } from '../workspace/replacement.ts'
import { Answer } from './answer.ts'
import { AnswerCache } from './cache.ts'
import { type Candidate, type CompletionContext, candidateOf, linesBeyond, wantedLines } from './candidate.ts'
import type { CompletionSettings } from './completionSettings.ts'
import { cursorContextOf } from './cursorContext.ts'
import { Pace } from './pace.ts'
import { completionRequest } from './prompt.ts'
import { SnippetSelector } from './snippetSelector.ts'
import { type Change, type Decision, decide, shapeOf, unavailableReason, waitLimitMs } from './trigger.ts'
import { isWorthShowing } from './trim.ts'
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
  /** Receives each suggestion, so that accepting it is logged as an edit of this extension. */
  readonly documents: Pick<Documents, 'announce'>
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
/** A request without text for so long is cancelled, because the cursor has moved on by then. */
const IDLE_TIMEOUT_MS = 10_000
/** Minimum time between two events `onDidArriveLate`. */
const LATE_INTERVAL_MS = 300

interface ActiveRequest {
  readonly answer: Answer
  readonly signal: AbortSignal
  readonly cancel: () => void
  /** Resolves when the request is over, however it ended. */
  readonly closed: Promise<void>
}

/**
 * At most one request is open at a time. The editor cancels its call with each key, but the request outlives the call:
 * it stays open as long as the typed text agrees with its answer.
 */
export class Completer implements Disposable {
  readonly #options: CompleterOptions
  readonly #pace: Pace
  readonly #cache = new AnswerCache()
  readonly #visible: VisibleSuggestion
  readonly #snippets = new SnippetSelector()
  readonly #progress = new Emitter<void>()
  readonly #lateAnswer = new Emitter<DocumentSnapshot>()
  #active: ActiveRequest | undefined
  /** The editor's latest call. */
  #latest: CompletionContext | undefined
  /** The latest call, if it returned nothing while its answer was still streaming. */
  #unanswered: CompletionContext | undefined
  #lastLateAt = Number.NEGATIVE_INFINITY
  #requestedPlace = ''
  #unavailableReason: string | undefined
  #counts: CompletionCounts = { requests: 0, shown: 0, accepted: 0 }

  constructor(options: CompleterOptions) {
    this.#options = options
    this.#pace = new Pace(options.clock)
    this.#visible = new VisibleSuggestion(options.documents, () => this.#count('accepted'))
  }

  /** An answer arrived after the call for this snapshot had returned nothing; a new call will return it. */
  readonly onDidArriveLate: Event<DocumentSnapshot> = this.#lateAnswer.event

  get counts(): CompletionCounts {
    return this.#counts
  }

  /** Never rejects. The signal ends the waiting, not the request. */
  async complete(
    snapshot: DocumentSnapshot,
    request: CompletionRequest,
    signal: AbortSignal,
  ): Promise<Suggestion | undefined> {
    try {
      return await this.#complete(snapshot, request, signal)
    } catch (fault) {
      if (!isAbort(fault)) this.#note(`Completion failed: ${faultText(fault)}`)
      return undefined
    }
  }

  /** The document was closed. */
  forget(documentId: string): void {
    this.#cache.forget(documentId)
    this.#visible.forget(documentId)
    if (this.#active?.answer.documentId === documentId) this.#active.cancel()
  }

  dispose(): void {
    this.#active?.cancel()
    this.#unanswered = undefined
    this.#lateAnswer.dispose()
    this.#visible.dispose()
  }

  async #complete(
    snapshot: DocumentSnapshot,
    request: CompletionRequest,
    signal: AbortSignal,
  ): Promise<Suggestion | undefined> {
    this.#unanswered = undefined
    const settings = this.#options.settings(snapshot)
    const modelOrPromise = this.#isUnavailable(snapshot, settings) ? undefined : this.#options.model()
    const model = typeof modelOrPromise === 'object' ? await raceAbort(modelOrPromise, signal) : modelOrPromise
    if (model === undefined) {
      this.#active?.cancel()
      return undefined
    }
    const change = this.#pace.recordSnapshot(snapshot)
    const context = this.#begin(snapshot, settings, request)
    const candidate =
      this.#availableCandidate(context) ?? (await this.#requestedCandidate(context, model, change, signal))
    return candidate && this.#show(context, candidate)
  }

  #isUnavailable(snapshot: DocumentSnapshot, settings: CompletionSettings): boolean {
    const reason = unavailableReason(snapshot, settings, this.#options.access)
    // Logged once, not with each key.
    if (reason !== undefined && reason !== this.#unavailableReason) this.#note(`No completion: ${reason}`)
    this.#unavailableReason = reason
    return reason !== undefined
  }

  /** Makes this the latest call, and cancels a request whose answer differs from the snapshot. */
  #begin(
    snapshot: DocumentSnapshot,
    settings: CompletionSettings,
    { isExplicit, selected }: CompletionRequest,
  ): CompletionContext {
    const cursor = cursorContextOf(snapshot)
    const context = { snapshot, cursor, settings, shape: shapeOf(cursor, isExplicit), isExplicit, selected }
    this.#latest = context
    if (isExplicit) this.#requestedPlace = ''
    if (this.#active?.answer.agreement(snapshot).kind === 'differs') this.#active.cancel()
    return context
  }

  /** Prefers the visible suggestion, because replacing it would flicker; then the streaming answer; then the cache. */
  #availableCandidate(context: CompletionContext): Candidate | undefined {
    const { snapshot, cursor } = context
    const visible = this.#visible.at(snapshot)
    const continued = visible && candidateOf(visible.answer, context, visible.end)
    if (continued || isOnlyOnRequest(context)) return continued
    const streaming = this.#active ? [this.#active.answer] : []
    return [...streaming, ...this.#cache.find(snapshot, cursor)]
      .map(answer => candidateOf(answer, context))
      .find(candidate => candidate !== undefined && isWorthShowing(candidate.fit, cursor))
  }

  /** Waits for the open request's answer, or starts a request and waits. */
  async #requestedCandidate(
    context: CompletionContext,
    model: string,
    change: Change,
    signal: AbortSignal,
  ): Promise<Candidate | undefined> {
    if (isOnlyOnRequest(context)) return undefined
    const { isRateLimited, keyMs } = this.#pace
    const decision = decide(context.snapshot, context.cursor, { ...context, change, isRateLimited, keyMs })
    while (this.#isRequestOpenFor(context) || (await this.#ensureRequest(context, model, decision, signal))) {
      const isInTime = await this.#waitUntilReady(context, signal)
      const candidate = this.#availableCandidate(context)
      if (candidate) return candidate
      if (isInTime) continue
      this.#unanswered = context.selected ? undefined : context
      return undefined
    }
    return undefined
  }

  #isRequestOpenFor({ snapshot }: CompletionContext): boolean {
    return !!this.#active && !this.#active.signal.aborted && this.#active.answer.agreement(snapshot).kind !== 'differs'
  }

  /** Starts a request after the open one has ended; false if no request is to be made. */
  async #ensureRequest(
    context: CompletionContext,
    model: string,
    decision: Decision,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { id, version, offset } = context.snapshot
    const place = `${id} ${version} ${offset}`
    if (!decision.ask || this.#requestedPlace === place || this.#pace.isBackingOff(context.isExplicit)) return false
    if (decision.waitMs > 0) await sleep(this.#options.clock, decision.waitMs, signal)
    while (this.#active && this.#latest === context) {
      if (this.#isRequestOpenFor(context)) return true
      this.#active.cancel()
      await raceAbort(this.#active.closed, signal)
    }
    throwIfAborted(signal)
    if (this.#latest !== context) return false
    this.#requestedPlace = place
    this.#startRequest(context, model)
    return true
  }

  #startRequest(context: CompletionContext, model: string): void {
    const { snapshot, cursor, shape } = context
    const answer = new Answer(snapshot, cursor)
    const { signal, stop: cancel } = linkedAbort()
    const snippets = this.#snippets.select(snapshot, this.#readableNeighbours(snapshot))
    const closed = this.#run(answer, completionRequest(model, snapshot, snippets, shape), signal, cancel)
    this.#active = { answer, signal, cancel, closed }
    this.#count('requests')
  }

  #readableNeighbours(snapshot: DocumentSnapshot): DocumentSnapshot[] {
    const { neighbours, access } = this.#options
    const mayRead = (other: DocumentSnapshot) => access.refusalOf(factsOf(other), 'context') === undefined
    return neighbours(snapshot).filter(other => other.id !== snapshot.id && mayRead(other))
  }

  async #run(answer: Answer, request: ModelRequest, signal: AbortSignal, cancel: () => void): Promise<void> {
    const startIdleTimer = () => this.#options.clock.later(IDLE_TIMEOUT_MS, cancel)
    let clearIdleTimer = startIdleTimer()
    const onText = () => {
      clearIdleTimer()
      clearIdleTimer = startIdleTimer()
    }
    let end: FinishReason | 'stopped' = 'stopped'
    try {
      end = await this.#read(answer, request, signal, onText)
    } catch (fault) {
      if (!isAbort(fault)) this.#note(`Quiet for ${this.#pace.recordFault(fault)} ms: ${faultText(fault)}`)
    } finally {
      clearIdleTimer()
      // The signal closes the connection of a request that was stopped. One that finished is not aborted, so that its
      // connection is reused for the next request.
      if (end === 'stopped') cancel()
      answer.end(end)
      this.#cache.add(answer)
      this.#active = undefined
      this.#reportProgress()
    }
  }

  async #read(
    answer: Answer,
    request: ModelRequest,
    signal: AbortSignal,
    onText: () => void,
  ): Promise<FinishReason | 'stopped'> {
    const beganAt = this.#options.clock.elapsed()
    let isFirst = true
    for await (const event of this.#options.models.stream(request, signal)) {
      if (event.kind === 'finish') return event.why
      if (event.kind !== 'text-delta' || event.text === '') continue
      if (isFirst) this.#pace.recordFirstText(this.#options.clock.elapsed() - beganAt)
      isFirst = false
      onText()
      if (answer.append(event.text) || this.#isEnough(answer)) return 'stopped'
      this.#reportProgress()
    }
    return 'stopped'
  }

  /** Measured from the cursor of the latest call, so that typing on keeps the stream open. */
  #isEnough(answer: Answer): boolean {
    if (!this.#latest) return false
    if (answer.agreement(this.#latest.snapshot).kind === 'differs') return true
    return (linesBeyond(answer, this.#latest) ?? 0) >= wantedLines(this.#latest)
  }

  /** `full`: more text would change nothing, or the request is over. */
  #readiness(context: CompletionContext): 'none' | 'some' | 'full' {
    if (!this.#isRequestOpenFor(context)) return 'full'
    const candidate = this.#availableCandidate(context)
    if (!candidate) return 'none'
    const isWhole = context.shape !== 'block' || (linesBeyond(candidate.answer, context) ?? 0) >= wantedLines(context)
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
      const subscription = this.#progress.event(check)
      check()
      if (limitMs === 0) done(false)
      return () => {
        clearTimer()
        clearBlockTimer?.()
        subscription.dispose()
      }
    })
  }

  #reportProgress(): void {
    this.#progress.fire()
    const { elapsed } = this.#options.clock
    const unanswered = this.#unanswered
    if (!unanswered || this.#readiness(unanswered) !== 'full') return
    this.#unanswered = undefined
    if (!this.#availableCandidate(unanswered) || elapsed() - this.#lastLateAt < LATE_INTERVAL_MS) return
    this.#lastLateAt = elapsed()
    this.#lateAnswer.fire(unanswered.snapshot)
  }

  #show(context: CompletionContext, candidate: Candidate): Suggestion {
    if (this.#visible.at(context.snapshot)?.answer !== candidate.answer) this.#count('shown')
    this.#visible.show(context.snapshot, candidate)
    return { ...candidate.replacement, id: candidate.answer.id }
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
