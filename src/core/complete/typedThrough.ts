// `TypedThrough`: which characters before the cursor were visible as a suggestion when they were typed.
import type { DocumentSnapshot } from '../workspace/documentSnapshot.ts'
import type { Change } from './trigger.ts'

export class TypedThrough {
  #documentId = ''
  #from = 0

  /** Offset of the first of these characters in the latest text; the cursor's where there are none. */
  get from(): number {
    return this.#from
  }

  /** `isVisibleText`: what was typed last is part of the suggestion that was visible. */
  record({ id, offset, log }: DocumentSnapshot, change: Change, isVisibleText: boolean): void {
    const isSame = id === this.#documentId
    const isTyped = change === 'typed' && log.edits.at(-1)?.origin === 'typed'
    this.#documentId = id
    if (isSame && change === 'deleted') this.#from = Math.min(this.#from, offset)
    else if (!isSame || (change !== 'none' && !(isTyped && isVisibleText))) this.#from = offset
  }

  charsBefore(offset: number): number {
    return Math.max(0, offset - this.#from)
  }
}
