// `RecentTexts`: the texts that documents had in the last half minute, so that nothing is offered that undoes what the user did.
import type { Clock } from '../../base/clock.ts'
import { diffLines } from '../workspace/lineHunks.ts'
import { TextEdit } from '../workspace/textEdit.ts'

const REMEMBERED_MS = 30_000
/** One text in so long is enough. */
const STEP_MS = 1_000

interface Past {
  readonly documentId: string
  readonly text: string
  /** When it was no longer the text of the document. */
  readonly until: number
}

export class RecentTexts {
  readonly #clock: Clock
  #past: readonly Past[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The document has another text now. */
  record(documentId: string, textBefore: string): void {
    const now = this.#clock.elapsed()
    const recent = this.#past.filter(({ until }) => now - until < REMEMBERED_MS)
    const last = recent.findLast(one => one.documentId === documentId)
    const isNew = !last || now - last.until >= STEP_MS
    this.#past = isNew ? [...recent, { documentId, text: textBefore, until: now }] : recent
  }

  /** The change leads nearer to a text that the user has left. */
  isUndone(documentId: string, before: string, after: string): boolean {
    const now = this.#clock.elapsed()
    return this.#past.some(
      ({ documentId: id, text, until }) =>
        id === documentId && now - until < REMEMBERED_MS && distance(text, after) < distance(text, before),
    )
  }
}

/** How much of the texts differs, in characters. */
function distance(a: string, b: string): number {
  const replacements = diffLines(a, b).map(({ before, after }) => ({
    ...before,
    text: b.slice(after.start, after.end),
  }))
  const edit = TextEdit.of(a, replacements)
  return edit.replacements.reduce((sum, { start, end, text }) => sum + end - start + text.length, 0)
}
