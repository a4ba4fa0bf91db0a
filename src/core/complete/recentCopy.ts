// `RecentCopy`: code that the user has copied from a document in the last minute.
import type { Clock } from '../../base/clock.ts'
import type { DocumentSnapshot } from '../workspace/documentSnapshot.ts'

const REMEMBERED_MS = 60_000
const LEAST_CHARS = 12
const MOST_CHARS = 800
const MOST_SELECTIONS = 10
const prose = ['plaintext', 'markdown', 'log', 'scminput']

export interface Selected {
  readonly from: DocumentSnapshot
  readonly text: string
}

interface Selection extends Selected {
  readonly at: number
}

/** The editor does not report a copy, so what was selected lately is compared with the clipboard. */
export class RecentCopy {
  readonly #clock: Clock
  #selections: readonly Selection[] = []
  #copied: Selection | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get current(): Selected | undefined {
    return this.#copied && this.#isRecent(this.#copied) ? this.#copied : undefined
  }

  select(selected: Selected): void {
    const { from, text } = selected
    const isCode = !prose.includes(from.language) && text.trim().length >= LEAST_CHARS && text.length <= MOST_CHARS
    if (!isCode) return
    const others = this.#selections.filter(one => this.#isRecent(one) && one.text !== text)
    this.#selections = [...others, { ...selected, at: this.#clock.elapsed() }].slice(-MOST_SELECTIONS)
  }

  /** `read`: the clipboard, which is read only where something was selected lately. */
  async gather(read: () => PromiseLike<string>): Promise<void> {
    if (!this.#selections.some(one => this.#isRecent(one))) return
    const text = (await read()).replaceAll('\r\n', '\n')
    const found = this.#selections.find(one => this.#isRecent(one) && one.text === text)
    if (found) this.#copied = found
  }

  #isRecent({ at }: Selection): boolean {
    return this.#clock.elapsed() - at < REMEMBERED_MS
  }
}
