// Splits off the reasoning that some servers leave in the text, between think tags at its beginning.
import { overlapLength } from '../../base/text.ts'

const OPEN = '<think>'
const CLOSE = '</think>'
/** No answer that thinks begins with more blank lines. */
const LONGEST_LEAD = 200

export interface Split {
  readonly reasoning: string
  readonly text: string
}

/** Only at the very beginning: further on the tag is what the answer is about. */
export class ThinkTag {
  #at: 'start' | 'inside' | 'behind' | 'outside' = 'start'
  #held = ''

  take(piece: string): Split {
    if (this.#at === 'outside') return { reasoning: '', text: piece }
    this.#held += piece
    if (this.#at === 'start') this.#open()
    if (this.#at === 'inside') return this.#inside()
    if (this.#at === 'behind') return this.#behind()
    return this.#at === 'start' ? { reasoning: '', text: '' } : { reasoning: '', text: this.#release() }
  }

  /** No more will come. What may be half a tag is text only where the answer was whole. */
  flush(isWhole: boolean): Split {
    const held = isWhole || this.#at !== 'start' ? this.#release() : ''
    return this.#at === 'inside' ? { reasoning: held, text: '' } : { reasoning: '', text: held }
  }

  #open(): void {
    const begun = this.#held.trimStart()
    if (OPEN.startsWith(begun) && this.#held.length < LONGEST_LEAD) return
    this.#at = begun.startsWith(OPEN) ? 'inside' : 'outside'
    if (this.#at === 'inside') this.#held = begun.slice(OPEN.length)
  }

  #inside(): Split {
    const end = this.#held.indexOf(CLOSE)
    if (end < 0) {
      const safe = this.#held.length - overlapLength(this.#held.slice(-CLOSE.length), CLOSE)
      const reasoning = this.#held.slice(0, safe)
      this.#held = this.#held.slice(safe)
      return { reasoning, text: '' }
    }
    const reasoning = this.#held.slice(0, end)
    this.#held = this.#held.slice(end + CLOSE.length)
    this.#at = 'behind'
    return { reasoning, text: this.#behind().text }
  }

  /** The blank lines behind the tag belong to it. */
  #behind(): Split {
    this.#held = this.#held.trimStart()
    if (!this.#held) return { reasoning: '', text: '' }
    this.#at = 'outside'
    return { reasoning: '', text: this.#release() }
  }

  #release(): string {
    const held = this.#held
    this.#held = ''
    return held
  }
}
