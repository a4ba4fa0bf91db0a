// `Suggestions`: what can be shown at the cursor: what is visible, what is streaming, what came before; and what is unwanted.
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import type { DocumentSnapshot } from '../workspace/documentSnapshot.ts'
import type { Documents } from '../workspace/documents.ts'
import type { TextRange } from '../workspace/replacement.ts'
import type { Acceptance } from './acceptance.ts'
import type { Answer } from './answer.ts'
import { AnswerCache } from './cache.ts'
import { type Candidate, type CompletionContext, candidateOf } from './candidate.ts'
import type { CursorContext } from './cursorContext.ts'
import { DeletedText } from './deletedText.ts'
import { Refusals } from './refusals.ts'
import type { Change } from './trigger.ts'
import { isWorthShowing } from './trim.ts'
import { TypedThrough } from './typedThrough.ts'
import { VisibleSuggestion } from './visibleSuggestion.ts'

export interface SuggestionsOptions {
  readonly clock: Clock
  readonly documents: Pick<Documents, 'announce'>
  readonly acceptance: Acceptance
  /** The answer of the open request. */
  readonly streaming: () => Answer | undefined
  readonly onAccepted: (documentId: string, inserted: TextRange) => void
  /** A part of what is visible was accepted, to the end of a line or less. */
  readonly onPart: (isLine: boolean, documentId: string, range: TextRange) => void
  readonly onRefused: () => void
}

export class Suggestions implements Disposable {
  readonly #options: SuggestionsOptions
  readonly #cache = new AnswerCache()
  readonly #visible: VisibleSuggestion
  readonly #deleted: DeletedText
  readonly #refusals: Refusals
  readonly #typedThrough = new TypedThrough()

  constructor(options: SuggestionsOptions) {
    const { clock, documents, onAccepted, onRefused } = options
    this.#options = options
    this.#deleted = new DeletedText(clock)
    this.#refusals = new Refusals(clock, onRefused)
    this.#visible = new VisibleSuggestion(documents, onAccepted)
  }

  /** The answer of what was shown last. */
  get visibleAnswer(): Answer | undefined {
    return this.#visible.answer
  }

  isVisibleAt(snapshot: DocumentSnapshot): boolean {
    return this.#visible.at(snapshot) !== undefined
  }

  /** A suggestion was shown for exactly this version and cursor. */
  isShownFor(snapshot: DocumentSnapshot): boolean {
    return this.#visible.isShownFor(snapshot)
  }

  /** How much of the text before the cursor was visible as a suggestion when it was typed. */
  charsTypedThrough({ offset }: DocumentSnapshot): number {
    return this.#typedThrough.charsBefore(offset)
  }

  /** The user has just hidden a suggestion in this line. */
  isQuiet(snapshot: DocumentSnapshot, cursor: CursorContext): boolean {
    return this.#refusals.isQuiet(snapshot, cursor)
  }

  add(answer: Answer): void {
    this.#cache.add(answer)
  }

  /** The document has changed. */
  follow(before: DocumentSnapshot | undefined, after: DocumentSnapshot, change: Change): void {
    const isVisibleText = this.#visible.answer?.covers(after) === true
    const typedThrough = this.#typedThrough.rangeIn(after.id)
    this.#typedThrough.record(after, change, isVisibleText)
    this.#refusals.follow(after, change)
    if (change !== 'none') this.#options.acceptance.follow(after)
    if (before?.id === after.id && isVisibleText) this.#reportPart(before, after)
    if (before?.id !== after.id || !isByHand(before, after)) return
    const edit = after.log.editBetween(before.version, after.version)
    if (edit?.lengthBefore === before.text.length) this.#deleted.record(after, before.text, edit, typedThrough)
  }

  /** The editor takes a word or a line of what is visible as an insertion of several characters before the cursor. */
  #reportPart(before: DocumentSnapshot, { id, log, version, offset }: DocumentSnapshot): void {
    const [insertion, ...others] = log.editBetween(before.version, version)?.replacements ?? []
    const isOwn = log.edits.at(-1)?.origin === 'own'
    if (!insertion || others.length > 0 || isOwn || insertion.text.length < 2) return
    const { start, text } = insertion
    if (start + text.length === offset) this.#options.onPart(/\S\s+\S/.test(text), id, { start, end: offset })
  }

  /** Prefers what is visible, because replacing it would flicker; then the streaming answer; then earlier ones. */
  available(context: CompletionContext): Candidate | undefined {
    const isContinued = !isOnlyOnRequest(context) || this.#visible.isOnRequest
    const visible = isContinued ? this.#visible.at(context.snapshot) : undefined
    const continued = visible && candidateOf(visible.answer, context, visible.end)
    if (continued && !this.#isUnwanted(continued, context)) return continued
    if (isOnlyOnRequest(context)) return undefined
    return this.#candidates(context).find(candidate => this.mayShow(candidate, context))
  }

  /** There is text for the cursor that would be shown if such text were taken more often. */
  holdsBack(context: CompletionContext): boolean {
    if (context.isExplicit || this.available(context)) return false
    return this.#candidates(context).some(candidate => this.#isFitting(candidate, context))
  }

  #candidates(context: CompletionContext): Candidate[] {
    const streaming = this.#options.streaming()
    return [...(streaming ? [streaming] : []), ...this.#cache.find(context.snapshot, context.cursor)].flatMap(
      answer => candidateOf(answer, context) ?? [],
    )
  }

  /** An answer goes on from the cursor, though perhaps with nothing that is worth showing. */
  isKnown(context: CompletionContext): boolean {
    return this.isCached(context) || this.available(context) !== undefined
  }

  isCached(context: CompletionContext): boolean {
    return this.#cache.find(context.snapshot, context.cursor).some(answer => candidateOf(answer, context) !== undefined)
  }

  mayShow(candidate: Candidate, context: CompletionContext): boolean {
    if (!this.#isFitting(candidate, context)) return false
    return context.isExplicit || !this.#options.acceptance.isHeldBack(candidate, context)
  }

  #isFitting(candidate: Candidate, context: CompletionContext): boolean {
    return (
      isWorthShowing(candidate.fit, context.cursor) && (context.isExplicit || !this.#isUnwanted(candidate, context))
    )
  }

  /** The user has deleted or refused it here. */
  #isUnwanted({ fit: { insert } }: Candidate, { snapshot, cursor }: CompletionContext): boolean {
    return this.#deleted.isDeleted(snapshot, insert) || this.#refusals.isRefused(snapshot, cursor, insert)
  }

  /** False if it is visible already. */
  show(context: CompletionContext, candidate: Candidate): boolean {
    const { snapshot, cursor } = context
    const { answer, fit } = candidate
    const isNew = this.#visible.at(snapshot)?.answer !== answer
    this.#visible.show(snapshot, candidate, context.isExplicit)
    this.#refusals.show(answer, snapshot, cursor, fit.insert)
    this.#options.acceptance.shown(candidate, context)
    return isNew
  }

  /** The user has hidden what is visible. */
  dismiss(snapshot: DocumentSnapshot | undefined): void {
    if (snapshot) this.#refusals.dismiss(snapshot)
    this.#options.acceptance.dismissed()
    this.#visible.hide()
  }

  forget(documentId: string): void {
    this.#cache.forget(documentId)
    this.#visible.forget(documentId)
    this.#deleted.forget(documentId)
    this.#refusals.forget(documentId)
  }

  dispose(): void {
    this.#visible.dispose()
  }
}

/** None of the edits has put back what was there before, or what is suggested. */
function isByHand(before: DocumentSnapshot, { log, version }: DocumentSnapshot): boolean {
  const edits = log.editsBetween(before.version, version) ?? []
  return edits.length > 0 && edits.every(({ origin }) => origin === 'typed' || origin === 'other')
}

/** In mode `subtle` a requested suggestion stays while its text is typed, but an automatic call shows nothing new. */
export function isOnlyOnRequest({ settings, isExplicit }: CompletionContext): boolean {
  return settings.mode === 'subtle' && !isExplicit
}
