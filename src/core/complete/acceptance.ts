// `Acceptance`: the chance that a suggestion is accepted, by the last ones, and which kinds are held back.
import type { Clock } from '../../base/clock.ts'
import type { DocumentSnapshot } from '../workspace/documentSnapshot.ts'
import type { Answer } from './answer.ts'
import type { Candidate, CompletionContext } from './candidate.ts'
import type { KindCounts } from './kindCounts.ts'
import { textKindOf } from './textKind.ts'

const RATE = 0.1
/** Below this chance the text after a suggestion is not requested. */
const LEAST_FOR_NEXT = 0.3
/** Who takes most of what is shown soon needs more. */
const USUAL = 0.6

/** What is visible for a shorter time was perhaps not noticed. */
const VISIBLE_MS = 400
/** Nothing of a kind is held back before so many of it were shown. */
const LEAST_SHOWN = 50
/** A kind is held back below this chance; the second one counts after so many suggestions in a row that were not taken. */
const LEAST_CHANCE = 0.12
const LEAST_AFTER_REFUSALS = 0.25
const REFUSALS = 3
/** One in so many of a kind that is held back is shown, so that its chance can rise again. */
const SHOWN_ANYWAY = 10

/** A suggestion, as long as it is not known whether its first line comes to be in the document. */
interface Open {
  readonly answer: Answer
  readonly model: string
  readonly kind: string
  readonly isExplicit: boolean
  readonly since: number
  /** Where in the answer's `whole` its first line ends. */
  readonly end: number
  /** When the user began to type something else. */
  readonly leftAt: number | undefined
}

export class Acceptance {
  readonly #clock: Clock
  readonly #kinds: KindCounts
  #chance = 0.4
  /** The last suggestion, as long as it is not known whether it is accepted. */
  #unjudged: Answer | undefined
  #open: Open | undefined
  /** Whether the last ones were taken. */
  #last: readonly boolean[] = []
  /** Whether an answer is held back, by kind: what is shown of it becomes shorter while it is typed. */
  readonly #decided = new WeakMap<Answer, Map<string, boolean>>()
  readonly #heldBack = new Map<string, number>()

  constructor(clock: Clock, kinds: KindCounts) {
    this.#clock = clock
    this.#kinds = kinds
  }

  get isWorthMore(): boolean {
    return this.#chance >= LEAST_FOR_NEXT
  }

  get isUsual(): boolean {
    return this.#chance >= USUAL
  }

  /** Texts of its kind are hardly ever taken. Decided once for each answer and kind. */
  isHeldBack(candidate: Candidate, context: CompletionContext): boolean {
    const kind = textKindOf(candidate, context)
    const decided = this.#decided.get(candidate.answer) ?? new Map<string, boolean>()
    this.#decided.set(candidate.answer, decided)
    const known = decided.get(kind)
    if (known !== undefined) return known
    const isHeldBack = this.#isUnlikely(context.model, kind) && !this.#isShownAnyway(kind)
    decided.set(kind, isHeldBack)
    return isHeldBack
  }

  /** What was replaced by another suggestion was not accepted. */
  shown(candidate: Candidate, context: CompletionContext): void {
    const { answer } = candidate
    if (this.#unjudged && this.#unjudged !== answer) this.#chance -= RATE * this.#chance
    this.#unjudged = answer
    if (this.#open?.answer === answer) return
    this.#judge(this.#open)
    this.#open = this.#openedBy(candidate, context)
  }

  /** The document has changed: what is typed through has come true as well, and its kind is not held back for that. */
  follow(snapshot: DocumentSnapshot): void {
    const open = this.#open
    if (!open || snapshot.id !== open.answer.documentId) return
    const agreement = open.answer.agreement(snapshot)
    const isBefore = agreement.kind === 'agrees' && agreement.from < open.end
    if (!isBefore && open.answer.covers(snapshot)) return this.#end(true)
    this.#open = { ...open, leftAt: isBefore ? undefined : (open.leftAt ?? this.#clock.elapsed()) }
  }

  accepted(): void {
    this.#chance += RATE * (1 - this.#chance)
    this.#unjudged = undefined
    this.#end(true)
  }

  /** A word or a line of it. */
  acceptedPart(): void {
    this.#end(true)
  }

  /** The user has hidden it. */
  dismissed(): void {
    this.#end(false)
  }

  #openedBy(candidate: Candidate, context: CompletionContext): Open | undefined {
    const { answer, fit } = candidate
    const { snapshot, isExplicit, model } = context
    const agreement = answer.agreement(snapshot)
    if (agreement.kind !== 'agrees') return undefined
    const firstLine = /^(?:[ \t]*\n)*[^\n]*/.exec(fit.insert)?.[0].trimEnd() ?? ''
    const kind = textKindOf(candidate, context)
    const end = agreement.from + firstLine.length
    return { answer, model, kind, isExplicit, since: this.#clock.elapsed(), end, leftAt: undefined }
  }

  /** It was there to be taken, and something else has come in its place. */
  #judge(open: Open | undefined): void {
    if (open && (open.leftAt ?? this.#clock.elapsed()) - open.since >= VISIBLE_MS) this.#end(false)
    this.#open = undefined
  }

  /** What the user asks for is no sign that such texts come too often; taking it is one that they are wanted. */
  #end(isTaken: boolean): void {
    const open = this.#open
    this.#open = undefined
    if (!open || (open.isExplicit && !isTaken)) return
    this.#last = [...this.#last, isTaken].slice(-REFUSALS)
    this.#kinds.record(open.model, open.kind, isTaken)
  }

  #isUnlikely(model: string, kind: string): boolean {
    const { shown, taken } = this.#kinds.of(model, kind)
    const isRefusing = this.#last.length === REFUSALS && !this.#last.includes(true)
    return shown >= LEAST_SHOWN && taken / shown < (isRefusing ? LEAST_AFTER_REFUSALS : LEAST_CHANCE)
  }

  #isShownAnyway(kind: string): boolean {
    const count = (this.#heldBack.get(kind) ?? 0) + 1
    this.#heldBack.set(kind, count)
    return count % SHOWN_ANYWAY === 0
  }
}
