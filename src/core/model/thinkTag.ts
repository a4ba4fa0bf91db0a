// `ThinkTag`: separates reasoning in `<think>` tags at the beginning of an answer from its text.
import { overlapLength } from '../../base/text.ts'

const OPEN = '<think>'
const CLOSE = '</think>'
/** The most white space before the opening tag. */
const LONGEST_LEAD = 200

export interface Split {
  readonly reasoning: string
  readonly text: string
}

/** Only a tag at the very beginning counts: a later one is part of the text. */
export class ThinkTag {
  #at: 'start' | 'inside' | 'behind' | 'outside' = 'start'
  #held = ''

  take(chunk: string): Split {
    if (this.#at === 'outside') return { reasoning: '', text: chunk }
    this.#held += chunk
    if (this.#at === 'start') this.#open()
    if (this.#at === 'inside') return this.#inside()
    if (this.#at === 'behind') return this.#behind()
    return this.#at === 'start' ? { reasoning: '', text: '' } : { reasoning: '', text: this.#release() }
  }

  /** At the end, or where something else begins. A text that may be a cut tag counts as text only if the answer is complete. */
  flush(isWhole: boolean): Split {
    const held = isWhole || this.#at !== 'start' ? this.#release() : ''
    if (this.#at === 'start' && held) this.#at = 'outside'
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

  /** Drops the white space after the closing tag. */
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
