// `EditLog`: the edits that led to a document's text, as far back as they are known exactly.
import type { TextRange } from './replacement.ts'
import { type MappedRange, type Side, TextEdit } from './textEdit.ts'

/**
 * Who made an edit: `own` is an announced insertion of this extension, `typed` looks like one key in one place, `other`
 * is everything else (paste, another extension, a formatter, a reload from disk).
 */
export type EditOrigin = 'typed' | 'own' | 'undo' | 'redo' | 'reload' | 'other'

/**
 * Why the log starts at its version: the document was opened then, versions were missing, an edit did not lead to the
 * editor's text, or older edits were dropped because of their number or size.
 */
export type LogStartReason = 'opened' | 'version gap' | 'text mismatch' | 'limit'

export interface LoggedEdit {
  /** Version of the document after the edit. */
  readonly version: number
  readonly edit: TextEdit
  readonly origin: EditOrigin
}

const MOST_EDITS = 500
const MOST_INSERTED_CHARS = 200_000

export interface LogStart {
  readonly version: number
  /** Length of the text at that version, in UTF-16 code units. */
  readonly length: number
  readonly reason: LogStartReason
}

/** Immutable; its versions are consecutive. */
export class EditLog {
  /** The oldest version from which all edits are known, and the reason why there is no older one. */
  readonly start: LogStart
  /** The oldest first. */
  readonly edits: readonly LoggedEdit[]
  readonly #insertedChars: number

  private constructor(start: LogStart, edits: readonly LoggedEdit[], insertedChars: number) {
    this.start = start
    this.edits = edits
    this.#insertedChars = insertedChars
  }

  static startingAt(start: LogStart): EditLog {
    return new EditLog(start, [], 0)
  }

  /** The version that all edits lead to. */
  get version(): number {
    return this.start.version + this.edits.length
  }

  /** The log with one more edit, for the next version; the oldest edits are dropped where it becomes too long. */
  with(edit: TextEdit, origin: EditOrigin): EditLog {
    const edits = [...this.edits, { version: this.version + 1, edit, origin }]
    let chars = this.#insertedChars + insertedCharsOf(edit)
    let dropped = 0
    for (const old of edits) {
      if (edits.length - dropped <= MOST_EDITS && chars <= MOST_INSERTED_CHARS) break
      chars -= insertedCharsOf(old.edit)
      dropped++
    }
    const lastDropped = edits[dropped - 1]
    if (!lastDropped) return new EditLog(this.start, edits, chars)
    const start = { version: lastDropped.version, length: lastDropped.edit.lengthAfter, reason: 'limit' as const }
    return new EditLog(start, edits.slice(dropped), chars)
  }

  /** The same log, where the last edit was made by a change of the file on the disk. */
  withReload(): EditLog {
    const last = this.edits.at(-1)
    if (!last) return this
    const edits = [...this.edits.slice(0, -1), { ...last, origin: 'reload' as const }]
    return new EditLog(this.start, edits, this.#insertedChars)
  }

  /** The edits after version `from` up to version `to`; undefined where the log does not have them all. */
  editsBetween(from: number, to = this.version): readonly LoggedEdit[] | undefined {
    if (from < this.start.version || to > this.version || from > to) return undefined
    return this.edits.slice(from - this.start.version, to - this.start.version)
  }

  /** All edits between two versions as one; undefined where the log does not have them all. */
  editBetween(from: number, to = this.version): TextEdit | undefined {
    const edits = this.editsBetween(from, to)
    return edits && (composeAll(edits) ?? TextEdit.none(this.#lengthAt(from)))
  }

  /** Maps an offset of version `from` to version `to`; undefined where the log does not have all edits between them. */
  mapOffset(offset: number, side: Side, from: number, to = this.version): number | undefined {
    return this.editsBetween(from, to)?.reduce((at, { edit }) => edit.mapOffset(at, side), offset)
  }

  /** Maps a range of version `from` to version `to`, with whether its text changed. */
  mapRange(range: TextRange, from: number, to = this.version): MappedRange | undefined {
    const map = (at: MappedRange, { edit }: LoggedEdit): MappedRange => {
      const mapped = edit.mapRange(at)
      return at.isChanged ? { ...mapped, isChanged: true } : mapped
    }
    return this.editsBetween(from, to)?.reduce(map, { ...range, isChanged: false })
  }

  #lengthAt(version: number): number {
    return this.edits[version - this.start.version - 1]?.edit.lengthAfter ?? this.start.length
  }
}

/** Composes by halves, because one edit after the other would take quadratic time. */
function composeAll(edits: readonly LoggedEdit[]): TextEdit | undefined {
  if (edits.length <= 1) return edits[0]?.edit
  const middle = edits.length >> 1
  const [first, second] = [composeAll(edits.slice(0, middle)), composeAll(edits.slice(middle))]
  return first && second && first.compose(second)
}

const insertedCharsOf = ({ replacements }: TextEdit) => replacements.reduce((sum, { text }) => sum + text.length, 0)
