// What is on screen, and whether the typing agrees with it.

import type { DocumentSnapshot } from '../workspace/documentSnapshot.ts'
import type { Candidate } from './candidate.ts'

/**
 * The editor tells nobody what it shows; it is what we answered last, as long as the typing agrees with it. What is
 * shown may only grow, or it would flicker.
 */
export class VisibleSuggestion {
  #shown: { readonly snapshot: DocumentSnapshot; readonly offer: Candidate } | undefined

  show(snapshot: DocumentSnapshot, offer: Candidate): void {
    this.#shown = { snapshot, offer }
  }

  /** What is on screen if the document is as `snapshot` says; undefined once the typing is through or differs. */
  at(snapshot: DocumentSnapshot): Candidate | undefined {
    const offer = this.#shown?.offer
    const agreement = offer?.answer.agreement(snapshot)
    return offer && agreement?.kind === 'agrees' && agreement.from < offer.end ? offer : undefined
  }

  /** True if the document became what accepting makes of it: nobody types that in one step. */
  isAcceptedBy(snapshot: DocumentSnapshot): boolean {
    if (!this.#shown || this.#shown.snapshot.id !== snapshot.id) return false
    const { text } = this.#shown.snapshot
    const { range, text: inserted } = this.#shown.offer.replacement
    const added = inserted.length - (range.end - range.start)
    if (added < 2 || snapshot.text.length !== text.length + added) return false
    return snapshot.text === text.slice(0, range.start) + inserted + text.slice(range.end)
  }

  forget(documentId: string): void {
    if (this.#shown?.snapshot.id === documentId) this.#shown = undefined
  }
}
