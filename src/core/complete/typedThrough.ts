// `TypedThrough`: which characters before the cursor were visible as a suggestion when they were typed.
import type { DocumentSnapshot } from '../workspace/documentSnapshot.ts'
import type { TextRange } from '../workspace/replacement.ts'
import type { Change } from './trigger.ts'

export class TypedThrough {
  #documentId = ''
  #from = 0
  /** Where the cursor was last. */
  #to = 0

  /** Where these characters are in the latest text; empty where there are none. */
  rangeIn(documentId: string): TextRange {
    return documentId === this.#documentId ? { start: this.#from, end: this.#to } : { start: 0, end: 0 }
  }

  /** `isVisibleText`: what was typed last is part of the suggestion that was visible. */
  record({ id, offset, log }: DocumentSnapshot, change: Change, isVisibleText: boolean): void {
    const isSame = id === this.#documentId
    const isTyped = change === 'typed' && log.edits.at(-1)?.origin === 'typed'
    this.#documentId = id
    this.#to = offset
    if (isSame && change === 'deleted') this.#from = Math.min(this.#from, offset)
    else if (!isSame || (change !== 'none' && !(isTyped && isVisibleText))) this.#from = offset
  }

  charsBefore(offset: number): number {
    return Math.max(0, offset - this.#from)
  }
}
