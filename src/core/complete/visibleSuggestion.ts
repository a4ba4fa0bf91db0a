// What is on screen, and whether the typing agrees with it.
import type { Disposable } from '../../base/disposable.ts'
import type { DocumentSnapshot } from '../workspace/documentSnapshot.ts'
import type { Documents } from '../workspace/documents.ts'
import type { Candidate } from './candidate.ts'

const LEAST_ACCEPTED_CHARS = 2

/**
 * The editor tells nobody what it shows; it is what we answered last, as long as the typing agrees with it. What is
 * shown may only grow, or it would flicker.
 */
export class VisibleSuggestion implements Disposable {
  readonly #documents: Pick<Documents, 'announce'>
  readonly #onAccepted: () => void
  #shown: { readonly snapshot: DocumentSnapshot; readonly offer: Candidate } | undefined
  #announcement: Disposable | undefined

  constructor(documents: Pick<Documents, 'announce'>, onAccepted: () => void) {
    this.#documents = documents
    this.#onAccepted = onAccepted
  }

  show(snapshot: DocumentSnapshot, offer: Candidate): void {
    const { range, text } = offer.replacement
    this.#shown = { snapshot, offer }
    this.#announcement?.dispose()
    // A single character is typed as often as it is accepted.
    if (text.length - (range.end - range.start) < LEAST_ACCEPTED_CHARS) return
    this.#announcement = this.#documents.announce(snapshot.id, snapshot.version, { ...range, text }, this.#onAccepted)
  }

  /** What is on screen if the document is as `snapshot` says; undefined once the typing is through or differs. */
  at(snapshot: DocumentSnapshot): Candidate | undefined {
    const offer = this.#shown?.offer
    const agreement = offer?.answer.agreement(snapshot)
    return offer && agreement?.kind === 'agrees' && agreement.from < offer.end ? offer : undefined
  }

  forget(documentId: string): void {
    if (this.#shown?.snapshot.id !== documentId) return
    this.#shown = undefined
    this.dispose()
  }

  dispose(): void {
    this.#announcement?.dispose()
  }
}
