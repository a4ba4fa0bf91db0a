// `Documents`: the text, version and edit log of each tracked document, updated by the editor's change events.
import { type Disposable, onEnd } from '../../base/disposable.ts'
import { Lru } from '../../base/lru.ts'
import { EditLog, type EditOrigin, type LogStartReason } from './editLog.ts'
import type { Replacement, TextRange } from './replacement.ts'
import { TextEdit } from './textEdit.ts'

export type LineEnd = '\n' | '\r\n'

/** One version of a document. Immutable. */
export interface TrackedDocument {
  readonly uri: string
  readonly language: string
  readonly version: number
  /** The whole text with `\n` line ends; all offsets refer to it. */
  readonly text: string
  /** What the editor writes for `\n`. */
  readonly lineEnd: LineEnd
  readonly log: EditLog
}

export type OpenedDocument = Omit<TrackedDocument, 'log'>

export interface TextChange {
  /** In the text after the changes before this one. */
  readonly offset: number
  /** Length of what is replaced. */
  readonly length: number
  readonly text: string
}

/** One change event, with `\n` line ends throughout. */
export interface DocumentChange {
  /** Version after the event. */
  readonly version: number
  readonly lineEnd: LineEnd
  readonly changes: readonly TextChange[]
  readonly reason?: 'undo' | 'redo' | undefined
  /** Length of the text after the event, against which the changes are checked. */
  readonly lengthAfter: number
  /** Reads the whole text after the event; called only where the changes do not lead to it. */
  readonly readText: () => string
}

/** A replacement of this extension that the editor may apply. */
interface Announcement {
  readonly document: TrackedDocument
  readonly edit: TextEdit
  readonly onApplied: (inserted: TextRange) => void
}

/** Beyond this the least recently used document is dropped; its log starts anew when it is opened again. */
const MOST_DOCUMENTS = 64

export class Documents {
  readonly #documents = new Lru<string, TrackedDocument>(MOST_DOCUMENTS)
  readonly #announcements = new Set<Announcement>()

  get(uri: string): TrackedDocument | undefined {
    return this.#documents.get(uri)
  }

  /** Tracks a document from this version on. If another version of it was tracked, changes were missed. */
  open(opened: OpenedDocument): TrackedDocument {
    const known = this.#documents.get(opened.uri)
    if (known?.version === opened.version && known.text === opened.text) return known
    return this.#store(restart(opened, known ? 'version gap' : 'opened'))
  }

  /**
   * Applies a change event. An event for a known version changes nothing; one after a gap, or whose changes do not lead
   * to a text of the given length, makes the log start anew from the whole text. Undefined where the document is not
   * tracked.
   */
  change(uri: string, change: DocumentChange): TrackedDocument | undefined {
    const before = this.#documents.get(uri)
    if (!before || change.version <= before.version) return before
    const { version, lineEnd } = change
    const reopen = (reason: LogStartReason) =>
      this.#store(restart({ ...before, version, lineEnd, text: change.readText() }, reason))
    if (version !== before.version + 1) return reopen('version gap')
    const edit = editOf(before.text, change.changes)
    if (edit?.lengthAfter !== change.lengthAfter) return reopen('text mismatch')
    const applied = change.reason ? undefined : this.#announced(before, edit)
    const log = before.log.with(edit, change.reason ?? (applied ? 'own' : originOf(edit)))
    const after = this.#store({ ...before, version, lineEnd, text: edit.apply(before.text), log })
    if (applied && this.#announcements.delete(applied)) applied.onApplied(insertedBy(edit))
    return after
  }

  /** The latest change was one of the file on the disk. */
  recordReload(uri: string): void {
    const document = this.#documents.get(uri)
    if (document) this.#store({ ...document, log: document.log.withReload() })
  }

  close(uri: string): void {
    this.#documents.delete(uri)
  }

  /**
   * Announces that the editor may apply this replacement, now or after the user has typed a part of it: the change that
   * completes it is then logged with the origin `own`, and `onApplied` is called once. Valid until disposed. Has no effect
   * if the document is not at this version.
   */
  announce(
    uri: string,
    version: number,
    replacement: Replacement,
    onApplied: (inserted: TextRange) => void,
  ): Disposable {
    const document = this.#documents.get(uri)
    if (document?.version !== version) return onEnd(() => {})
    const announcement = { document, edit: TextEdit.of(document.text, [replacement]), onApplied }
    this.#announcements.add(announcement)
    return onEnd(() => this.#announcements.delete(announcement))
  }

  /** The announcement that this edit completes. A single key that completes it counts as typed, not as applied. */
  #announced(before: TrackedDocument, last: TextEdit): Announcement | undefined {
    return [...this.#announcements].find(({ document, edit }) => {
      if (document.uri !== before.uri || edit.lengthAfter !== last.lengthAfter) return false
      if (document === before) return edit.hasSameEffect(last, document.text)
      const since = before.log.editBetween(document.version)
      if (since?.lengthBefore !== document.text.length || originOf(last) === 'typed') return false
      return edit.hasSameEffect(since.compose(last), document.text)
    })
  }

  #store(document: TrackedDocument): TrackedDocument {
    this.#documents.set(document.uri, document)
    return document
  }
}

/** Where characters before or behind an insertion are like its own, it is one of several ranges that mean the same. */
function insertedBy({ replacements, lengthBefore, lengthAfter }: TextEdit): TextRange {
  const start = replacements[0]?.start ?? 0
  return { start, end: start + Math.max(0, lengthAfter - lengthBefore) }
}

function restart({ uri, language, version, text, lineEnd }: OpenedDocument, reason: LogStartReason): TrackedDocument {
  const log = EditLog.startingAt({ version, length: text.length, reason })
  return { uri, language, version, text, lineEnd, log }
}

/** Undefined where a change is outside the text. */
function editOf(text: string, changes: readonly TextChange[]): TextEdit | undefined {
  const replacements = changes.map(({ offset, length, text: inserted }) => ({
    start: offset,
    end: offset + length,
    text: inserted,
  }))
  // Changes that are ordered from the end of the text to its beginning do not shift each other, so all their offsets are
  // offsets in the text before the event.
  const isFromEnd = replacements.every((one, at) => one.end <= (replacements[at - 1]?.start ?? text.length))
  if (!replacements.every(({ start, end }) => start >= 0 && end >= start)) return undefined
  return isFromEnd ? TextEdit.of(text, replacements.reverse()) : editInSteps(text, replacements)
}

function editInSteps(text: string, replacements: readonly Replacement[]): TextEdit | undefined {
  let edit = TextEdit.none(text.length)
  let now = text
  for (const one of replacements) {
    if (one.end > now.length) return undefined
    const step = TextEdit.of(now, [one])
    now = step.apply(now)
    edit = edit.compose(step)
  }
  return edit
}

/**
 * `typed`: one character, a bracket or quote with its auto-closed partner, or a line end with its indentation, in place of
 * at most two characters; or the deletion of at most two.
 */
function originOf({ replacements }: TextEdit): EditOrigin {
  const [one, another] = replacements
  if (!one || another) return 'other'
  const isKey = /^(?:.?|[([{"'`<].|(?:\n[ \t]*){1,2})$/su.test(one.text)
  return isKey && one.end - one.start <= 2 ? 'typed' : 'other'
}
