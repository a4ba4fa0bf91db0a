// The steps in order, from a snapshot to suggestions.
import { isAbort, linkedAbort, raceAbort, sleep, throwIfAborted, until } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { Emitter, type Event } from '../../base/event.ts'
import { faultText } from '../../base/fault.ts'
import type { FinishReason, ModelClient, ModelRequest } from '../model/modelClient.ts'
import type { AccessPolicy } from '../workspace/accessPolicy.ts'
import { type DocumentSnapshot, factsOf } from '../workspace/documentSnapshot.ts'
import type { Documents } from '../workspace/documents.ts'
import { Answer } from './answer.ts'
import { AnswerCache } from './cache.ts'
import {
  type Candidate,
  type CompletionContext,
  candidateOf,
  linesBeyond,
  type Replacement,
  type Selected,
  wantedLines,
} from './candidate.ts'
import type { CompletionSettings } from './completionSettings.ts'
import { Context } from './context.ts'
import { cursorContextOf } from './cursorContext.ts'
import { Pace } from './pace.ts'
import { completionRequest } from './prompt.ts'
import { type Change, type Decision, decide, holdMs, shapeOf, whyClosed } from './trigger.ts'
import { isWorthShowing } from './trim.ts'
import { VisibleSuggestion } from './visibleSuggestion.ts'

export interface CompleterOptions {
  readonly models: ModelClient
  /** Which model to ask; undefined while nobody is signed in. A promise while the service is asked which there are. */
  readonly model: () => string | undefined | Promise<string | undefined>
  readonly clock: Clock
  /** Other documents the user has open, the nearest first. */
  readonly neighbours: (snapshot: DocumentSnapshot) => readonly DocumentSnapshot[]
  readonly settings: (snapshot: DocumentSnapshot) => CompletionSettings
  /** Says which documents may be read. */
  readonly access: Pick<AccessPolicy, 'refusalOf'>
  /** Where a suggestion is announced, so that accepting it is logged as our own edit. */
  readonly documents: Pick<Documents, 'announce'>
  readonly log: { debug(text: string): void }
}

export interface CompletionRequest {
  /** The user asked for it. */
  readonly isExplicit: boolean
  /** Set while the suggestion list is open: only text that goes on from its item can be seen. */
  readonly selected?: Selected | undefined
}

export interface Suggestion extends Replacement {
  readonly id: string
}

export interface Tally {
  readonly requests: number
  readonly shown: number
  readonly accepted: number
}

/** A block waits so long for its other lines once it has the first. */
const BLOCK_PATIENCE_MS = 400
/** A model that says nothing for so long is given up: the place it was asked for is long gone. */
const SILENCE_LIMIT_MS = 10_000
/** Least time between two answers brought late. */
const LATE_GAP_MS = 300

interface Live {
  readonly answer: Answer
  readonly signal: AbortSignal
  readonly stop: () => void
  /** Resolves when the request is over, however it ended. */
  readonly closed: Promise<void>
}

/**
 * At most one request is open at a time. It is not the editor's call that owns it: the editor gives up its call with
 * each key, while the request goes on as long as the typing agrees with its answer.
 */
export class Completer implements Disposable {
  readonly #options: CompleterOptions
  readonly #pace: Pace
  readonly #cache = new AnswerCache()
  readonly #shown: VisibleSuggestion
  readonly #context = new Context()
  readonly #grew = new Emitter<void>()
  readonly #late = new Emitter<DocumentSnapshot>()
  #live: Live | undefined
  /** The editor's latest call; and the same once it had to go without an answer that is still coming. */
  #now: CompletionContext | undefined
  #owed: CompletionContext | undefined
  #lateAt = Number.NEGATIVE_INFINITY
  #askedAt = ''
  #closedWhy: string | undefined
  #tally: Tally = { requests: 0, shown: 0, accepted: 0 }

  constructor(options: CompleterOptions) {
    this.#options = options
    this.#pace = new Pace(options.clock)
    this.#shown = new VisibleSuggestion(options.documents, () => this.#count('accepted'))
  }

  /** An answer came for a snapshot whose call had gone without: asking again will find it. */
  readonly onDidArriveLate: Event<DocumentSnapshot> = this.#late.event

  get tally(): Tally {
    return this.#tally
  }

  /** What to suggest here. Never throws; a stop ends the waiting, not the request. */
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
    this.#shown.forget(documentId)
    if (this.#live?.answer.documentId === documentId) this.#live.stop()
  }

  dispose(): void {
    this.#live?.stop()
    this.#owed = undefined
    this.#late.dispose()
    this.#shown.dispose()
  }

  async #complete(
    snapshot: DocumentSnapshot,
    request: CompletionRequest,
    signal: AbortSignal,
  ): Promise<Suggestion | undefined> {
    this.#owed = undefined
    const settings = this.#options.settings(snapshot)
    const named = this.#isClosed(snapshot, settings) ? undefined : this.#options.model()
    const model = typeof named === 'object' ? await raceAbort(named, signal) : named
    if (model === undefined) {
      this.#live?.stop()
      return undefined
    }
    const change = this.#pace.sawSnapshot(snapshot)
    const moment = this.#enter(snapshot, settings, request)
    const offer = this.#known(moment) ?? (await this.#arrival(moment, model, change, signal))
    return offer && this.#show(moment, offer)
  }

  #isClosed(snapshot: DocumentSnapshot, settings: CompletionSettings): boolean {
    const why = whyClosed(snapshot, settings, this.#options.access)
    // Once, not with each key.
    if (why !== undefined && why !== this.#closedWhy) this.#note(`No completion: ${why}`)
    this.#closedWhy = why
    return why !== undefined
  }

  #enter(
    snapshot: DocumentSnapshot,
    settings: CompletionSettings,
    { isExplicit, selected }: CompletionRequest,
  ): CompletionContext {
    const spot = cursorContextOf(snapshot)
    const moment = { snapshot, spot, settings, shape: shapeOf(spot, isExplicit), isExplicit, selected }
    this.#now = moment
    if (isExplicit) this.#askedAt = ''
    if (this.#live?.answer.agreement(snapshot).kind === 'differs') this.#live.stop()
    return moment
  }

  /** What is on screen comes first, or it would flicker; then what is coming; then what was paid for. */
  #known(moment: CompletionContext): Candidate | undefined {
    const { snapshot, spot } = moment
    const shown = this.#shown.at(snapshot)
    const stays = shown && candidateOf(shown.answer, moment, shown.end)
    if (stays || isOnlyOnRequest(moment)) return stays
    const live = this.#live ? [this.#live.answer] : []
    return [...live, ...this.#cache.find(snapshot, spot)]
      .map(answer => candidateOf(answer, moment))
      .find(offer => offer !== undefined && isWorthShowing(offer.fit, spot))
  }

  /** Waits for what is under way, or asks and waits. */
  async #arrival(
    moment: CompletionContext,
    model: string,
    change: Change,
    signal: AbortSignal,
  ): Promise<Candidate | undefined> {
    if (isOnlyOnRequest(moment)) return undefined
    const { isStrained, keyMs } = this.#pace
    const decision = decide(moment.snapshot, moment.spot, { ...moment, change, isStrained, keyMs })
    while (this.#isUnderWay(moment) || (await this.#ask(moment, model, decision, signal))) {
      const isInTime = await this.#untilReady(moment, signal)
      const offer = this.#known(moment)
      if (offer) return offer
      if (isInTime) continue
      this.#owed = moment.selected ? undefined : moment
      return undefined
    }
    return undefined
  }

  #isUnderWay({ snapshot }: CompletionContext): boolean {
    return !!this.#live && !this.#live.signal.aborted && this.#live.answer.agreement(snapshot).kind !== 'differs'
  }

  /** Starts a request once nothing else is open; false if there shall be none. */
  async #ask(moment: CompletionContext, model: string, decision: Decision, signal: AbortSignal): Promise<boolean> {
    const { id, version, offset } = moment.snapshot
    const place = `${id} ${version} ${offset}`
    if (!decision.ask || this.#askedAt === place || this.#pace.isQuiet(moment.isExplicit)) return false
    if (decision.waitMs > 0) await sleep(this.#options.clock, decision.waitMs, signal)
    while (this.#live && this.#now === moment) {
      if (this.#isUnderWay(moment)) return true
      this.#live.stop()
      await raceAbort(this.#live.closed, signal)
    }
    throwIfAborted(signal)
    if (this.#now !== moment) return false
    this.#askedAt = place
    this.#start(moment, model)
    return true
  }

  #start(moment: CompletionContext, model: string): void {
    const { snapshot, spot, shape } = moment
    const answer = new Answer(snapshot, spot)
    const { signal, stop } = linkedAbort()
    const pieces = this.#context.piecesFor(snapshot, this.#openNeighbours(snapshot))
    const closed = this.#run(answer, completionRequest(model, snapshot, pieces, shape), signal, stop)
    this.#live = { answer, signal, stop, closed }
    this.#count('requests')
  }

  #openNeighbours(snapshot: DocumentSnapshot): DocumentSnapshot[] {
    const { neighbours, access } = this.#options
    const mayRead = (other: DocumentSnapshot) => access.refusalOf(factsOf(other), 'context') === undefined
    return neighbours(snapshot).filter(other => other.id !== snapshot.id && mayRead(other))
  }

  async #run(answer: Answer, request: ModelRequest, signal: AbortSignal, stop: () => void): Promise<void> {
    const listen = () => this.#options.clock.later(SILENCE_LIMIT_MS, stop)
    let callOff = listen()
    const sawText = () => {
      callOff()
      callOff = listen()
    }
    let end: FinishReason | 'stopped' = 'stopped'
    try {
      end = await this.#read(answer, request, signal, sawText)
    } catch (fault) {
      if (!isAbort(fault)) this.#note(`Quiet for ${this.#pace.sawFault(fault)} ms: ${faultText(fault)}`)
    } finally {
      callOff()
      // Leaving the stream lets go of it; the signal makes sure that the service hears of it. What finished by itself
      // is left to close by itself: it was no cancel, and its connection serves the next request.
      if (end === 'stopped') stop()
      answer.end(end)
      this.#cache.keep(answer)
      this.#live = undefined
      this.#tellGrowth()
    }
  }

  async #read(
    answer: Answer,
    request: ModelRequest,
    signal: AbortSignal,
    sawText: () => void,
  ): Promise<FinishReason | 'stopped'> {
    const beganAt = this.#options.clock.elapsed()
    let isFirst = true
    for await (const event of this.#options.models.stream(request, signal)) {
      if (event.kind === 'finish') return event.why
      if (event.kind !== 'text-delta' || event.text === '') continue
      if (isFirst) this.#pace.sawFirstText(this.#options.clock.elapsed() - beganAt)
      isFirst = false
      sawText()
      if (answer.take(event.text) || this.#isEnough(answer)) return 'stopped'
      this.#tellGrowth()
    }
    return 'stopped'
  }

  /** Measured from the cursor as it is now: typing on keeps the stream alive. */
  #isEnough(answer: Answer): boolean {
    if (!this.#now) return false
    if (answer.agreement(this.#now.snapshot).kind === 'differs') return true
    return (linesBeyond(answer, this.#now) ?? 0) >= wantedLines(this.#now)
  }

  /** `full`: more would change nothing, or no more will come. */
  #readiness(moment: CompletionContext): 'none' | 'some' | 'full' {
    if (!this.#isUnderWay(moment)) return 'full'
    const offer = this.#known(moment)
    if (!offer) return 'none'
    const isWhole = moment.shape !== 'block' || (linesBeyond(offer.answer, moment) ?? 0) >= wantedLines(moment)
    return isWhole ? 'full' : 'some'
  }

  /** False if the editor could not be kept waiting any longer. */
  #untilReady(moment: CompletionContext, signal: AbortSignal): Promise<boolean> {
    const { clock } = this.#options
    const wait = holdMs(moment.spot, moment.isExplicit, this.#pace.firstTextMs)
    return until<boolean>(signal, done => {
      let callOffPatience: (() => void) | undefined
      const look = () => {
        const readiness = this.#readiness(moment)
        if (readiness === 'full') done(true)
        if (readiness === 'some') callOffPatience ??= clock.later(BLOCK_PATIENCE_MS, () => done(true))
      }
      const callOff = wait > 0 ? clock.later(wait, () => done(false)) : () => {}
      const listening = this.#grew.event(look)
      look()
      if (wait === 0) done(false)
      return () => {
        callOff()
        callOffPatience?.()
        listening.dispose()
      }
    })
  }

  #tellGrowth(): void {
    this.#grew.fire()
    const { elapsed } = this.#options.clock
    const owed = this.#owed
    if (!owed || this.#readiness(owed) !== 'full') return
    this.#owed = undefined
    if (!this.#known(owed) || elapsed() - this.#lateAt < LATE_GAP_MS) return
    this.#lateAt = elapsed()
    this.#late.fire(owed.snapshot)
  }

  #show(moment: CompletionContext, offer: Candidate): Suggestion {
    if (this.#shown.at(moment.snapshot)?.answer !== offer.answer) this.#count('shown')
    this.#shown.show(moment.snapshot, offer)
    return { ...offer.replacement, id: offer.answer.id }
  }

  #count(what: keyof Tally): void {
    this.#tally = { ...this.#tally, [what]: this.#tally[what] + 1 }
  }

  #note(text: string): void {
    this.#options.log.debug(text)
  }
}

/** What the user once asked for stays while it is typed through; nothing new is shown unasked. */
function isOnlyOnRequest({ settings, isExplicit }: CompletionContext): boolean {
  return settings.mode === 'subtle' && !isExplicit
}
