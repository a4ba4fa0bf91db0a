// The documents that are followed: their text, version and edit log, fed by the editor's change events.
import { type Disposable, onEnd } from '../../base/disposable.ts'
import { Lru } from '../../base/lru.ts'
import { EditLog, type EditOrigin, type LogStartReason } from './editLog.ts'
import type { Replacement } from './replacement.ts'
import { TextEdit } from './textEdit.ts'

export type LineEnd = '\n' | '\r\n'

/** One version of a document. Immutable. */
export interface TrackedDocument {
  readonly uri: string
  readonly language: string
  readonly version: number
  /** The whole text with `\n` line ends, in which all offsets count. */
  readonly text: string
  /** What the editor writes for `\n`. */
  readonly lineEnd: LineEnd
  readonly log: EditLog
}

export type OpenedDocument = Omit<TrackedDocument, 'log'>

export interface TextChange {
  /** In the text that the changes before this one have made. */
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
  /** Length of the text after the event: it shows whether the changes fit. */
  readonly lengthAfter: number
  /** The whole text after the event; read only where the changes do not lead to it. */
  readonly readText: () => string
}

/** An insertion of ours that the editor is going to make. */
interface Announcement {
  readonly document: TrackedDocument
  readonly edit: TextEdit
  readonly onMade: () => void
}

/** The one used longest ago is no longer followed; it begins with a new log when it is needed again. */
const MOST_DOCUMENTS = 64

export class Documents {
  readonly #documents = new Lru<string, TrackedDocument>(MOST_DOCUMENTS)
  readonly #announcements = new Set<Announcement>()

  get(uri: string): TrackedDocument | undefined {
    return this.#documents.get(uri)
  }

  /** Follows a document from this version on. If another version of it was followed, changes were missed. */
  open(opened: OpenedDocument): TrackedDocument {
    const known = this.#documents.get(opened.uri)
    if (known?.version === opened.version && known.text === opened.text) return known
    return this.#keep(restart(opened, known ? 'version gap' : 'opened'))
  }

  /**
   * Follows a change. An event that is known already changes nothing; one after a gap, or whose changes do not lead to
   * a text of the stated length, makes the log start anew from the whole text. Undefined where the document is not
   * followed.
   */
  change(uri: string, change: DocumentChange): TrackedDocument | undefined {
    const before = this.#documents.get(uri)
    if (!before || change.version <= before.version) return before
    const { version, lineEnd } = change
    const reopen = (reason: LogStartReason) =>
      this.#keep(restart({ ...before, version, lineEnd, text: change.readText() }, reason))
    if (version !== before.version + 1) return reopen('version gap')
    const edit = editOf(before.text, change.changes)
    if (edit?.lengthAfter !== change.lengthAfter) return reopen('text mismatch')
    const made = change.reason ? undefined : this.#announced(before, edit)
    const log = before.log.with(edit, change.reason ?? (made ? 'own' : originOf(edit)))
    const after = this.#keep({ ...before, version, lineEnd, text: edit.apply(before.text), log })
    if (made && this.#announcements.delete(made)) made.onMade()
    return after
  }

  close(uri: string): void {
    this.#documents.delete(uri)
  }

  /**
   * The editor may make this replacement for us, now or after the user has typed a part of it: the change that
   * completes it is then logged as our own, and `onMade` is called once. Holds until it is disposed. Without effect if
   * the document is not at this version.
   */
  announce(uri: string, version: number, replacement: Replacement, onMade: () => void): Disposable {
    const document = this.#documents.get(uri)
    if (document?.version !== version) return onEnd(() => {})
    const announcement = { document, edit: TextEdit.of(document.text, [replacement]), onMade }
    this.#announcements.add(announcement)
    return onEnd(() => this.#announcements.delete(announcement))
  }

  /** A single key that completes what was announced was typed. */
  #announced(before: TrackedDocument, last: TextEdit): Announcement | undefined {
    return [...this.#announcements].find(({ document, edit }) => {
      if (document.uri !== before.uri || edit.lengthAfter !== last.lengthAfter) return false
      if (document === before) return edit.hasSameEffect(last, document.text)
      const sinceThen = before.log.editBetween(document.version)
      if (sinceThen?.lengthBefore !== document.text.length || originOf(last) === 'typed') return false
      return edit.hasSameEffect(sinceThen.compose(last), document.text)
    })
  }

  #keep(document: TrackedDocument): TrackedDocument {
    this.#documents.set(document.uri, document)
    return document
  }
}

function restart({ uri, language, version, text, lineEnd }: OpenedDocument, reason: LogStartReason): TrackedDocument {
  const log = EditLog.startingAt({ version, length: text.length, reason })
  return { uri, language, version, text, lineEnd, log }
}

/** Undefined where a change lies outside the text. */
function editOf(text: string, changes: readonly TextChange[]): TextEdit | undefined {
  const replacements = changes.map(({ offset, length, text: inserted }) => ({
    start: offset,
    end: offset + length,
    text: inserted,
  }))
  // Editors report changes from the end of the text to its beginning, and then each counts in the text before the event.
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

/** One character, a pair of brackets or quotes that the editor closes, or a line end with its indentation; or one gone. */
function originOf({ replacements }: TextEdit): EditOrigin {
  const [one, another] = replacements
  if (!one || another) return 'other'
  const isKey = /^(?:.?|[([{"'`<].|(?:\n[ \t]*){1,2})$/su.test(one.text)
  return isKey && one.end - one.start <= 2 ? 'typed' : 'other'
}
