// `RecentEdits`: the last edits of the user as small diffs, without the one that is going on.
import type { Clock } from '../../base/clock.ts'
import type { DocumentSnapshot } from './documentSnapshot.ts'
import { lineBlocks, linesOf } from './lineHunks.ts'

/** Changes so near to each other, in lines and in time, are one edit. */
const NEAR_LINES = 4
const NEAR_CHARS = 1_000
const PAUSE_MS = 60_000
const MOST_EDITS = 6
const MOST_LINES = 10
const MOST_CHARS = 500
const MOST_LINE_CHARS = 160

/** Where an edit was made is that of its document afterwards, for the access policy. */
export interface RecentEdit {
  readonly after: DocumentSnapshot
  readonly diff: string
}

interface Going {
  readonly before: DocumentSnapshot
  readonly after: DocumentSnapshot
  /** What it has touched, in the text of `after`. */
  readonly start: number
  readonly end: number
  readonly at: number
}

export class RecentEdits {
  readonly #clock: Clock
  #edits: readonly RecentEdit[] = []
  #going: Going | undefined
  /** Each document as it was last. */
  #seen: DocumentSnapshot | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The oldest first. */
  get current(): readonly RecentEdit[] {
    return this.#edits
  }

  /** The edit that is going on, and the text before it. */
  get going(): (RecentEdit & { readonly before: string }) | undefined {
    const diff = this.#going && smallDiff(this.#going)
    return this.#going && diff ? { after: this.#going.after, before: this.#going.before.text, diff } : undefined
  }

  follow(after: DocumentSnapshot): void {
    const before = this.#seen?.id === after.id ? this.#seen : undefined
    this.#seen = after
    if (!before || before.version === after.version) return
    const edit = after.log.editBetween(before.version, after.version)
    const [one] = edit?.replacements ?? []
    if (!edit || !one) return
    const at = this.#clock.elapsed()
    const [start, end] = [one.start, edit.mapOffset(edit.replacements.at(-1)?.end ?? one.end, 'after')]
    const going = this.#going
    if (going?.after.id === after.id && at - going.at < PAUSE_MS) {
      const from = edit.mapOffset(going.start, 'before')
      const to = edit.mapOffset(going.end, 'after')
      if (isNear(after.text, end, from) && isNear(after.text, to, start)) {
        this.#going = { ...going, after, start: Math.min(start, from), end: Math.max(end, to), at }
        return
      }
    }
    this.#end()
    this.#going = { before, after, start, end, at }
  }

  forget(documentId: string): void {
    this.#edits = this.#edits.filter(({ after }) => after.id !== documentId)
    if (this.#going?.after.id === documentId) this.#going = undefined
    if (this.#seen?.id === documentId) this.#seen = undefined
  }

  #end(): void {
    const diff = this.#going && smallDiff(this.#going)
    if (this.#going && diff) this.#edits = [...this.#edits, { after: this.#going.after, diff }].slice(-MOST_EDITS)
    this.#going = undefined
  }
}

/** Empty where nothing is left of the edit. */
function smallDiff({ before, after }: Going): string {
  const [left, right] = [linesOf(before.text), linesOf(after.text)]
  const marked = (mark: string, line: string) => mark + line.replace(/\n$/, '').slice(0, MOST_LINE_CHARS)
  const parts = lineBlocks(left, right).map(({ fromBefore, toBefore, fromAfter, toAfter }) => [
    `${after.path}:${fromAfter + 1}`,
    ...left.slice(fromBefore, toBefore).map(line => marked('-', line)),
    ...right.slice(fromAfter, toAfter).map(line => marked('+', line)),
  ])
  const lines = parts.flat().slice(0, MOST_LINES)
  const kept = lines.filter((_, at) => lines.slice(0, at + 1).join('\n').length <= MOST_CHARS)
  return kept.some(line => /^[-+]\s*\S/.test(line)) ? kept.join('\n') : ''
}

/** Only a few lines are between the two, or they overlap. */
function isNear(text: string, end: number, start: number): boolean {
  if (start <= end) return true
  return start - end <= NEAR_CHARS && text.slice(end, start).split('\n').length - 1 <= NEAR_LINES
}
