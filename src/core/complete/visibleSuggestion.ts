// `VisibleSuggestion`: the suggestion that the editor is assumed to show, and whether the document still agrees with it.
import type { Disposable } from '../../base/disposable.ts'
import type { DocumentSnapshot } from '../workspace/documentSnapshot.ts'
import type { Documents } from '../workspace/documents.ts'
import type { TextRange } from '../workspace/replacement.ts'
import type { Answer } from './answer.ts'
import type { Candidate } from './candidate.ts'

const LEAST_ACCEPTED_CHARS = 2

/**
 * VS Code does not report what it shows inline, so this assumes the last suggestion returned, while the typed text
 * agrees with it. A visible suggestion may only grow, because a shorter one would flicker.
 */
export class VisibleSuggestion implements Disposable {
  readonly #documents: Pick<Documents, 'announce'>
  readonly #onAccepted: (documentId: string, inserted: TextRange) => void
  #current:
    | { readonly snapshot: DocumentSnapshot; readonly candidate: Candidate; readonly isOnRequest: boolean }
    | undefined
  #announcement: Disposable | undefined

  constructor(documents: Pick<Documents, 'announce'>, onAccepted: (documentId: string, inserted: TextRange) => void) {
    this.#documents = documents
    this.#onAccepted = onAccepted
  }

  /** What the user has asked for stays so while it is typed through. */
  show(snapshot: DocumentSnapshot, candidate: Candidate, isExplicit = false): void {
    const { start, end, text } = candidate.replacement
    const isOnRequest = isExplicit || (this.isOnRequest && candidate.answer === this.answer)
    this.#current = { snapshot, candidate, isOnRequest }
    this.#announcement?.dispose()
    // Typing a single character cannot be distinguished from accepting it.
    if (text.length - (end - start) < LEAST_ACCEPTED_CHARS) return
    this.#announcement = this.#documents.announce(snapshot.id, snapshot.version, candidate.replacement, inserted =>
      this.#onAccepted(snapshot.id, inserted),
    )
  }

  /** The user has asked for what was shown last. */
  get isOnRequest(): boolean {
    return this.#current?.isOnRequest === true
  }

  /** The answer of what was shown last. */
  get answer(): Answer | undefined {
    return this.#current?.candidate.answer
  }

  /** What is visible in this version of the document; undefined once all of it is typed or the text differs. */
  at(snapshot: DocumentSnapshot): Candidate | undefined {
    const candidate = this.#current?.candidate
    const agreement = candidate?.answer.agreement(snapshot)
    return candidate && agreement?.kind === 'agrees' && agreement.from < candidate.end ? candidate : undefined
  }

  /** It was shown for exactly this version and cursor. */
  isShownFor({ id, version, offset }: DocumentSnapshot): boolean {
    const shown = this.#current?.snapshot
    return shown?.id === id && shown.version === version && shown.offset === offset
  }

  /** The user has hidden it. */
  hide(): void {
    this.#current = undefined
    this.dispose()
  }

  forget(documentId: string): void {
    if (this.#current?.snapshot.id === documentId) this.hide()
  }

  dispose(): void {
    this.#announcement?.dispose()
  }
}
