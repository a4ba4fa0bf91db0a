// `Completer`: completes a document snapshot from the visible suggestion, the streaming answer, the cache or the model.
import { isAbort, raceAbort, until } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { Emitter, type Event } from '../../base/event.ts'
import { faultText } from '../../base/fault.ts'
import type { WarmConnection } from '../http/warmConnection.ts'
import type { ModelClient } from '../model/modelClient.ts'
import type { AccessPolicy } from '../workspace/accessPolicy.ts'
import type { DocumentSnapshot } from '../workspace/documentSnapshot.ts'
import type { Documents } from '../workspace/documents.ts'
import type { Replacement, TextRange } from '../workspace/replacement.ts'
import { Acceptance } from './acceptance.ts'
import { Alternatives } from './alternatives.ts'
import { type Candidate, type CompletionContext, isSamePlace, linesBeyond, shapeFor } from './candidate.ts'
import type { CompletionFigures } from './completionFigures.ts'
import type { CompletionSettings } from './completionSettings.ts'
import { cursorContextOf } from './cursorContext.ts'
import type { KindCounts } from './kindCounts.ts'
import type { Outcome } from './lastOutcome.ts'
import { LexMemory } from './lexMemory.ts'
import type { ModelPace } from './modelPace.ts'
import { Pace } from './pace.ts'
import type { PromptModes } from './promptModes.ts'
import type { PromptSources } from './promptSources.ts'
import { PromptWriter } from './promptWriter.ts'
import { Requests } from './requests.ts'
import { isOnlyOnRequest, Suggestions } from './suggestions.ts'
import type { ThinkingSwitch } from './thinkingSwitch.ts'
import { shapeOf, unavailableReason, waitLimitMs } from './trigger.ts'

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
  readonly kinds: KindCounts
  readonly modelPace: Pick<ModelPace, 'firstTextMs' | 'agreement' | 'recordFirstText' | 'recordTyped'>
  /** The plan has room for one request more than those that are open. */
  readonly hasFreeSlot: () => boolean
  /** The plan has room for a request that may be for nothing, and no chat is answered. */
  readonly hasExtraSlot: () => boolean
  readonly connection: Pick<WarmConnection, 'keep' | 'renew'>
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

/**
 * A request is started by a change of the document, about 50 ms before the editor calls; the editor cancels its call with
 * each key, but the request stays open as long as the typed text agrees with its answer.
 */
export class Completer implements Disposable {
  readonly #options: CompleterOptions
  readonly #pace: Pace
  readonly #prompts: PromptWriter
  readonly #suggestions: Suggestions
  readonly #requests: Requests
  readonly #alternatives: Alternatives
  readonly #acceptance: Acceptance
  readonly #lexed = new LexMemory()
  readonly #lateAnswer = new Emitter<DocumentSnapshot>()
  readonly #others = new Emitter<DocumentSnapshot>()
  /** The latest call, if it returned nothing while its answer was still streaming. */
  #unanswered: CompletionContext | undefined
  #changedAt = 0
  #lastLateAt = Number.NEGATIVE_INFINITY
  #unavailableReason: string | undefined
  #shown = 0
  #accepted = 0

  constructor(options: CompleterOptions) {
    const { clock, documents, figures } = options
    const onAccepted = (documentId: string, inserted: TextRange) => this.#onAccepted(documentId, inserted)
    this.#options = options
    this.#pace = new Pace(clock)
    this.#acceptance = new Acceptance(clock, options.kinds)
    this.#prompts = new PromptWriter(options)
    this.#suggestions = new Suggestions({
      clock,
      documents,
      acceptance: this.#acceptance,
      streaming: () => this.#requests.answer,
      onAccepted,
      onPart: (isLine, documentId, range) => {
        figures?.tookPart(isLine, documentId, range)
        this.#acceptance.acceptedPart()
      },
      onRefused: () => figures?.refused(),
    })
    this.#requests = new Requests({
      ...options,
      pace: this.#pace,
      acceptance: this.#acceptance,
      lexed: this.#lexed,
      prompts: this.#prompts,
      suggestions: this.#suggestions,
      figures,
      onOutcome: outcome => options.onOutcome?.(outcome),
      note: text => this.#note(text),
    })
    this.#requests.onProgress(() => this.#reportProgress())
    const request = (context: CompletionContext, temperature: number) =>
      this.#requests.requestOther(context, temperature)
    this.#alternatives = new Alternatives({ documents, onAccepted, request })
  }

  /** An answer arrived after the call for this snapshot had returned nothing; a new call will return it. */
  readonly onDidArriveLate: Event<DocumentSnapshot> = this.#lateAnswer.event

  /** There are several suggestions now where one is visible, for which the user has asked; a new call will return them. */
  readonly onDidFindOthers: Event<DocumentSnapshot> = this.#others.event

  get counts(): CompletionCounts {
    return { requests: this.#requests.count, shown: this.#shown, accepted: this.#accepted }
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
    return this.#requests.isActive || this.#suggestions.isVisibleAt(snapshot)
  }

  /** The user has hidden the suggestion that is visible. */
  dismiss(): void {
    this.#suggestions.dismiss(this.#requests.latest?.snapshot)
    this.#requests.cancelNext()
  }

  /** Another document is in front. */
  enter(snapshot: DocumentSnapshot): void {
    this.#pace.enter(snapshot)
  }

  /** The cursor is no longer where the latest change has left it. */
  leave(): void {
    this.#requests.leave()
  }

  /** The document was closed. */
  forget(documentId: string): void {
    this.#suggestions.forget(documentId)
    this.#prompts.forget(documentId)
    this.#options.sources.forget(documentId)
    if (this.#unanswered?.snapshot.id === documentId) this.#unanswered = undefined
    this.#requests.forget(documentId)
  }

  dispose(): void {
    this.#stop()
    this.#requests.dispose()
    this.#lateAnswer.dispose()
    this.#others.dispose()
    this.#alternatives.dispose()
    this.#suggestions.dispose()
  }

  #stop(): void {
    this.#requests.stop()
    this.#unanswered = undefined
  }

  async #complete(
    snapshot: DocumentSnapshot,
    request: CompletionRequest,
    signal: AbortSignal,
  ): Promise<readonly Suggestion[]> {
    this.#unanswered = undefined
    const isVisible = this.#suggestions.isShownFor(snapshot)
    const settings = this.#options.settings(snapshot)
    const modelOrPromise = this.#isUnavailable(snapshot, settings) ? undefined : this.#options.model()
    const model = typeof modelOrPromise === 'object' ? await raceAbort(modelOrPromise, signal) : modelOrPromise
    if (model === undefined) {
      this.#stop()
      return []
    }
    const context = this.#followed(snapshot, request) ?? this.#follow(snapshot, settings, request, model)
    this.#requests.call(context)
    const candidate = this.#suggestions.available(context) ?? (await this.#requestedCandidate(context, signal))
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
      const isHere = this.#suggestions.isVisibleAt(context.snapshot) && this.#requests.isLatest(context.snapshot)
      if (others.length > 0 && isHere) this.#others.fire(context.snapshot)
    })
    return []
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
    const { latest } = this.#requests
    return latest && !isExplicit && isSamePlace(latest.snapshot, snapshot) ? { ...latest, selected } : undefined
  }

  #follow(
    snapshot: DocumentSnapshot,
    settings: CompletionSettings,
    { isExplicit, selected }: CompletionRequest,
    model: string,
  ): CompletionContext {
    const before = this.#pace.last
    const change = this.#pace.recordSnapshot(snapshot)
    this.#suggestions.follow(before, snapshot, change)
    if (change !== 'none') this.#changedAt = this.#options.clock.elapsed()
    const cursor = cursorContextOf(snapshot, this.#lexed)
    const shape = shapeOf(cursor, isExplicit)
    const context = { snapshot, cursor, settings, shape, isExplicit, selected, change, model }
    this.#unanswered = undefined
    this.#requests.follow(context)
    return context
  }

  /** Waits for the answer of the open request, or of the one that is planned. */
  async #requestedCandidate(context: CompletionContext, signal: AbortSignal): Promise<Candidate | undefined> {
    if (isOnlyOnRequest(context)) return undefined
    while (this.#requests.isPendingFor(context)) {
      const isInTime = await this.#waitUntilReady(context, signal)
      const candidate = this.#suggestions.available(context)
      if (candidate) return candidate
      if (isInTime) continue
      this.#unanswered = context.selected ? undefined : context
      return undefined
    }
    return undefined
  }

  /** `full`: more text would change nothing, or the request is over. */
  #readiness(context: CompletionContext): 'none' | 'some' | 'full' {
    if (!this.#requests.isPendingFor(context)) return 'full'
    const candidate = this.#suggestions.available(context)
    if (!candidate) return 'none'
    const { answer } = candidate
    const isBlock = shapeFor(answer, context) === 'block'
    const isWhole = !isBlock || (linesBeyond(answer, context) ?? 0) >= this.#requests.wantedLines(answer, context)
    return isWhole ? 'full' : 'some'
  }

  /** False if the time that the editor may be kept waiting has passed. */
  #waitUntilReady(context: CompletionContext, signal: AbortSignal): Promise<boolean> {
    const { clock } = this.#options
    const limitMs = waitLimitMs(context.cursor, context.isExplicit, this.#requests.expectedMs(context))
    return until<boolean>(signal, done => {
      let clearBlockTimer: (() => void) | undefined
      const check = () => {
        const readiness = this.#readiness(context)
        if (readiness === 'full') done(true)
        if (readiness === 'some') clearBlockTimer ??= clock.later(BLOCK_WAIT_MS, () => done(true))
      }
      const clearTimer = limitMs > 0 ? clock.later(limitMs, () => done(false)) : () => {}
      const subscriptions = [this.#requests.onProgress(check), this.#requests.onDidPlan(check)]
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
    if (!this.#suggestions.available(unanswered) || elapsed() - this.#lastLateAt < LATE_INTERVAL_MS) return
    this.#lastLateAt = elapsed()
    this.#lateAnswer.fire(unanswered.snapshot)
  }

  #show(context: CompletionContext, candidate: Candidate): Suggestion {
    const { figures, clock, onOutcome } = this.#options
    const { answer, replacement } = candidate
    if (this.#suggestions.show(context, candidate)) this.#shown++
    figures?.shown(answer, context.isExplicit ? undefined : clock.elapsed() - this.#changedAt)
    onOutcome?.({ is: 'shown' })
    this.#requests.show(context, candidate)
    return { ...replacement, id: answer.id }
  }

  #onAccepted(documentId: string, inserted: TextRange): void {
    this.#accepted++
    this.#options.figures?.tookWhole(documentId, inserted)
    this.#acceptance.accepted()
  }

  #note(text: string): void {
    this.#options.log.debug(text)
  }
}
