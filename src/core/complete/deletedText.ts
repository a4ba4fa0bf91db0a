// `DeletedText`: what the user has deleted lately and where, so that it is not offered there again.
import type { Clock } from '../../base/clock.ts'
import type { DocumentSnapshot } from '../workspace/documentSnapshot.ts'
import type { TextRange } from '../workspace/replacement.ts'
import type { TextEdit } from '../workspace/textEdit.ts'

interface Deletion {
  readonly documentId: string
  readonly text: string
  /** Where it was, in the version given. */
  readonly offset: number
  readonly version: number
  readonly at: number
}

const REMEMBERED_MS = 30_000
const MOST_DELETIONS = 20

export class DeletedText {
  readonly #clock: Clock
  #deletions: readonly Deletion[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * `before` is the text to which the edit was made, `snapshot` the document after it. `typedThrough`: these characters
   * were visible as a suggestion when they were typed, so they may be offered again.
   */
  record(snapshot: DocumentSnapshot, before: string, edit: TextEdit, typedThrough: TextRange): void {
    const now = this.#clock.elapsed()
    const { id: documentId, version, log } = snapshot
    for (const { start, end: wholeEnd } of edit.replacements) {
      // What the editor has closed behind these characters goes with them.
      const isTypedThrough = start < typedThrough.end && wholeEnd > typedThrough.start
      const end = isTypedThrough ? Math.max(start, typedThrough.start) : wholeEnd
      if (end === start) continue
      const deleted = before.slice(start, end)
      const last = this.#deletions.at(-1)
      // Backspaces one after the other delete one text.
      const isContinued =
        last?.documentId === documentId && log.mapOffset(last.offset, 'before', last.version, version) === start
      if (!isContinued && deleted.trim() === '') continue
      const whole = isContinued && end === last.offset ? deleted + last.text : deleted
      const kept = isContinued && end === last.offset ? this.#deletions.slice(0, -1) : this.#deletions
      this.#deletions = [...kept, { documentId, text: whole, offset: start, version, at: now }].slice(-MOST_DELETIONS)
    }
  }

  /** The text begins with what was deleted at the cursor, or is a part of it. White space does not count. */
  isDeleted({ id, version, offset, log, text: document }: DocumentSnapshot, insert: string): boolean {
    const text = insert.trim()
    const since = this.#clock.elapsed() - REMEMBERED_MS
    return this.#deletions.some(deletion => {
      if (deletion.documentId !== id || deletion.at < since) return false
      const place = log.mapOffset(deletion.offset, 'before', deletion.version, version)
      if (place === undefined || !isBeside(document, place, offset)) return false
      const deleted = deletion.text.trim()
      return deleted !== '' && (text.startsWith(deleted) || deleted.startsWith(text))
    })
  }

  forget(documentId: string): void {
    this.#deletions = this.#deletions.filter(deletion => deletion.documentId !== documentId)
  }
}

/** In the place of a line that was deleted the cursor is behind an indentation, and perhaps in a line of its own. */
function isBeside(text: string, place: number, cursor: number): boolean {
  return /^[ \t]*\n?[ \t]*$/.test(text.slice(Math.min(place, cursor), Math.max(place, cursor)))
}
