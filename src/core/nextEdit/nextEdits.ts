// `NextEdits`: the one change that is offered to the user as the next: what the language knows, or else a model.

import { isAbort, linkedAbort } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { Emitter, type Event } from '../../base/event.ts'
import { faultText } from '../../base/fault.ts'
import { type DocumentSnapshot, splitAtCursor } from '../workspace/documentSnapshot.ts'
import type { Documents, TrackedDocument } from '../workspace/documents.ts'
import { RecentEdits } from '../workspace/recentEdits.ts'
import { CarriedRename, nameAt } from './carriedRename.ts'
import type { LanguageServer, Problem } from './languageServer.ts'
import { likelyPlace } from './likelyPlace.ts'
import type { ModelEdits } from './modelEdits.ts'
import { NewProblems } from './newProblems.ts'
import { type PlannedEdit, plannedEdit, rebased, textAfter } from './plannedEdit.ts'
import { RecentTexts } from './recentTexts.ts'

export interface NextEditsOptions {
  readonly documents: Pick<Documents, 'get'>
  readonly server: LanguageServer
  readonly clock: Clock
  /** Hints may come while the user works in this document. */
  readonly isWanted: (snapshot: DocumentSnapshot) => boolean
  /** For what no language knows. */
  readonly model: Pick<ModelEdits, 'suggest'>
  /** Nothing is suggested at the cursor, and no request of a model is open. */
  readonly isIdle: (snapshot: DocumentSnapshot) => boolean
  /** The document may go along as one of the last edits. */
  readonly mayRead: (document: DocumentSnapshot) => boolean
  readonly log: { debug(text: string): void }
}

export interface Hint {
  readonly edit: PlannedEdit
  /** A refused one with the same key is not offered again for a while. */
  readonly key: string
  /** The message of the problem that it would fix, with which it goes. */
  readonly problem?: string
  readonly finish?: () => void
}

/** The names at the cursor are looked up after so long without a key or a move. */
const NAME_MS = 300
/** A changed name is carried on after so long without a key. */
const RENAME_MS = 300
/** Any other hint comes after so long without a key. */
const QUIET_MS = 500
/** So often it is looked again whether nothing else goes on. */
const MOST_WAITS = 6
/** A hint that nobody takes goes. */
const SHOWN_MS = 2 * 60_000
const REMEMBERED_MS = 10 * 60_000
/** A name of so many places is left to the editor's own rename. */
const MOST_PLACES = 100

export class NextEdits implements Disposable {
  readonly #options: NextEditsOptions
  readonly #texts: RecentTexts
  readonly #problems: NewProblems
  readonly #edits: RecentEdits
  readonly #changed = new Emitter<void>()
  readonly #life = linkedAbort()
  /** The document in front, as it was last. */
  #snapshot: DocumentSnapshot | undefined
  /** The name at the cursor before it was changed, or the one whose change is carried on. */
  #rename: CarriedRename | undefined
  #isCarrying = false
  #hint: Hint | undefined
  #cancelLookup = () => {}
  #cancelSearch = () => {}
  #cancelEnd = () => {}
  /** Ends the request of a model with the next key or move. */
  #cancelModel = () => {}
  /** How often something else went on when a model was to be asked. */
  #waits = 0
  /** For which edit a model was asked. */
  #askedDiff = ''
  /** What was refused or made. */
  #past: readonly { readonly key: string; readonly at: number }[] = []

  constructor(options: NextEditsOptions) {
    this.#options = options
    this.#texts = new RecentTexts(options.clock)
    this.#problems = new NewProblems(options.clock)
    this.#edits = new RecentEdits(options.clock)
  }

  readonly onDidChange: Event<void> = this.#changed.event

  /** For the document as it is now. */
  get hint(): Hint | undefined {
    return this.#hint
  }

  /** Not while the cursor is in the indentation of another line than the hint's, where Tab indents. */
  get takesTab(): boolean {
    const snapshot = this.#snapshot
    if (!this.#hint || !snapshot) return false
    const { lineBefore } = splitAtCursor(snapshot)
    return lineBefore.trim() !== '' || this.#isAtRename(snapshot) || isAtLineOf(this.#hint.edit, snapshot)
  }

  /** The text, the cursor or the editor in front has changed; undefined where nothing is offered. */
  follow(snapshot: DocumentSnapshot | undefined, problems: readonly Problem[]): void {
    const before = this.#snapshot
    this.#cancelTimers()
    this.#waits = 0
    if (snapshot) this.#edits.follow(snapshot)
    this.#snapshot = snapshot && this.#options.isWanted(snapshot) ? snapshot : undefined
    if (!this.#snapshot) return this.#end()
    if (before?.id !== this.#snapshot.id) this.#problems.reset(this.#snapshot.id, problems)
    else if (before.version !== this.#snapshot.version) this.#onEdit(before, this.#snapshot)
    this.#rebase()
    this.#planSearch()
    this.#cancelLookup = this.#options.clock.later(NAME_MS, () => this.#run(signal => this.#lookUp(signal)))
  }

  /** The problems of a document are others now. */
  updateProblems(documentId: string, problems: readonly Problem[]): void {
    this.#problems.update(documentId, problems)
    const of = this.#hint?.problem
    const isGone = of !== undefined && !problems.some(({ message }) => message === of)
    if (isGone && documentId === this.#snapshot?.id) this.#setHint(undefined)
    if (this.#problems.current.length > 0 && !this.#hint) this.#planSearch()
  }

  /** The user wants no such change. */
  refuse(): void {
    if (!this.#hint) return
    this.#remember(this.#hint.key)
    this.#end()
  }

  /** The change was made; what it is carried on to follows at once. */
  applied(hint: Hint): void {
    if (!this.#isCarrying) this.#remember(hint.key)
    if (!this.#isCarrying && this.#hint?.key === hint.key) this.#setHint(undefined)
    this.#planSearch()
  }

  /** It is not offered again for a while. */
  #remember(key: string): void {
    const now = this.#options.clock.elapsed()
    this.#past = [...this.#past.filter(({ at }) => now - at < REMEMBERED_MS), { key, at: now }]
  }

  dispose(): void {
    this.#cancelTimers()
    this.#cancelEnd()
    this.#life.stop()
    this.#changed.dispose()
  }

  #onEdit(before: DocumentSnapshot, after: DocumentSnapshot): void {
    this.#texts.record(before.id, before.text)
    this.#problems.edited(after.id, lineAt(after.text, after.offset))
    const document = this.#options.documents.get(after.id)
    if (!this.#isCarrying && document && !this.#rename?.isAlone(document)) this.#rename = undefined
  }

  /** The hint in its document as that is now; what no longer fits goes. */
  #rebase(): void {
    const hint = this.#hint
    if (!hint) return
    const document = this.#options.documents.get(hint.edit.documentId)
    if (!document) return this.#end()
    // While the name goes on changing, what is carried on changes with it.
    if (this.#isCarrying) return this.#setHint(this.#renameIn(document))
    const edit = rebased(hint.edit, document)
    this.#setHint(edit && { ...hint, edit })
  }

  #planSearch(): void {
    this.#cancelSearch()
    const { clock } = this.#options
    const cancelRename = clock.later(RENAME_MS, () => this.#run(() => this.#searchRename()))
    const waitMs = this.#isCarrying ? 0 : QUIET_MS
    const cancelAll = clock.later(waitMs, () => this.#run(signal => this.#search(signal)))
    this.#cancelSearch = () => {
      cancelRename()
      cancelAll()
    }
  }

  /** Remembers where else the name at the cursor is, before it changes. */
  async #lookUp(signal: AbortSignal): Promise<void> {
    const snapshot = this.#snapshot
    const name = snapshot && nameAt(snapshot)
    if (!name || this.#isCarrying || this.#isAtRename(snapshot) || this.#isRenamePending()) return
    const occurrences = await this.#options.server.occurrencesOf(name.documentId, name.start, signal)
    if (occurrences.length < 2 || occurrences.length > MOST_PLACES || this.#isCarrying) return
    // What came in between belongs to the name only if nothing else has changed.
    const document = this.#options.documents.get(name.documentId)
    const rename = new CarriedRename(name, occurrences)
    if (document && rename.isAlone(document)) this.#rename = rename
  }

  #isAtRename({ id, offset }: DocumentSnapshot): boolean {
    const document = this.#options.documents.get(id)
    const range = document && this.#rename?.rangeIn(document)
    return range !== undefined && offset >= range.start && offset <= range.end
  }

  /** The name was changed, and whether that is carried on is not decided yet. */
  #isRenamePending(): boolean {
    const rename = this.#rename
    const document = rename && this.#options.documents.get(rename.name.documentId)
    return document !== undefined && rename?.newName(document) !== undefined
  }

  async #searchRename(): Promise<void> {
    if (!this.#hint && this.#snapshot && this.#isRenamePending()) this.#offer(await this.#nextOfRename())
  }

  async #search(signal: AbortSignal): Promise<void> {
    if (this.#hint || !this.#snapshot) return
    const known = (await this.#nextOfRename()) ?? (await this.#fix(signal))
    if (!known && this.#isCarrying) return this.#end()
    this.#offer(known ?? (await this.#ofModel()))
  }

  #offer(hint: Hint | undefined): void {
    if (!hint || this.#hint || !this.#snapshot) return
    this.#setHint(hint)
    this.#cancelEnd()
    this.#cancelEnd = this.#options.clock.later(SHOWN_MS, () => this.#end())
  }

  async #nextOfRename(): Promise<Hint | undefined> {
    const rename = this.#rename
    const own = rename && this.#options.documents.get(rename.name.documentId)
    const newName = own && rename.newName(own)
    if (!rename || !own || newName === undefined) return undefined
    if (!this.#isCarrying && (rename.isTaken(own, newName) || this.#isPast(keyOf(rename)))) {
      this.#rename = undefined
      return undefined
    }
    this.#isCarrying = true
    for (const id of rename.documentIds) {
      const document = await this.#options.server.open(id)
      const hint = document && this.#renameIn(document)
      if (hint) return hint
    }
    return undefined
  }

  #renameIn(document: TrackedDocument): Hint | undefined {
    const rename = this.#rename
    const own = rename && this.#options.documents.get(rename.name.documentId)
    const newName = own && rename.newName(own)
    const edit = newName === undefined ? undefined : rename?.nextIn(document, newName)
    return rename && edit && { edit, key: keyOf(rename) }
  }

  async #fix(signal: AbortSignal): Promise<Hint | undefined> {
    const { documents, server } = this.#options
    for (const problem of this.#problems.current) {
      const snapshot = this.#snapshot
      const key = `fix ${snapshot?.id} ${problem.message}`
      if (!snapshot || this.#isPast(key)) continue
      const fix = await server.fixOf(snapshot.id, problem, signal)
      const document = documents.get(snapshot.id)
      if (!fix || document?.version !== fix.version || this.#snapshot !== snapshot) continue
      const edit = plannedEdit(document, fix.replacements)
      if (!edit || this.#isUnwelcome(edit, document, snapshot)) continue
      return { edit, key, problem: problem.message, ...(fix.finish && { finish: fix.finish }) }
    }
    return undefined
  }

  /** Once for an edit, and only while nothing else goes on. */
  async #ofModel(): Promise<Hint | undefined> {
    const snapshot = this.#snapshot
    const going = this.#edits.going
    if (!snapshot || !going || going.after.id !== snapshot.id || going.diff === this.#askedDiff) return undefined
    if (this.#hint) return undefined
    const problems = this.#problems.current
    const place = likelyPlace(
      going.before,
      snapshot.text,
      problems.map(({ range }) => range.startLine),
    )
    if (!place) return undefined
    if (!this.#options.isIdle(snapshot)) {
      if (this.#waits++ < MOST_WAITS) this.#planSearch()
      return undefined
    }
    this.#askedDiff = going.diff
    const { signal, stop } = linkedAbort(this.#life.signal)
    this.#cancelModel = stop
    const before = this.#edits.current.filter(({ after }) => this.#options.mayRead(after))
    const near = problems.filter(({ range }) => range.startLine >= place.first && range.startLine < place.end)
    const edits = [...before, going].map(({ diff }) => diff)
    const question = { snapshot, edits, problems: near.map(({ message }) => message), place }
    const replacement = await this.#options.model.suggest(question, signal)
    const document = this.#options.documents.get(snapshot.id)
    const edit =
      replacement && document?.version === snapshot.version ? plannedEdit(document, [replacement]) : undefined
    if (!edit || !document || this.#isUnwelcome(edit, document, snapshot)) return undefined
    const key = `model ${snapshot.id} ${textOf(edit)}`
    return this.#isPast(key) ? undefined : { edit, key }
  }

  /** It would change the word that is being typed, or undo what the user did. */
  #isUnwelcome(edit: PlannedEdit, document: TrackedDocument, snapshot: DocumentSnapshot): boolean {
    const word = nameAt(snapshot)
    const isAtCursor = word && edit.replacements.some(({ start, end }) => start <= word.end && end >= word.start)
    return isAtCursor === true || this.#texts.isUndone(document.uri, document.text, textAfter(document, edit))
  }

  #isPast(key: string): boolean {
    const now = this.#options.clock.elapsed()
    return this.#past.some(one => one.key === key && now - one.at < REMEMBERED_MS)
  }

  #setHint(hint: Hint | undefined): void {
    if (isSame(this.#hint, hint)) return
    if (!hint) this.#cancelEnd()
    this.#hint = hint
    this.#changed.fire()
  }

  #end(): void {
    this.#isCarrying = false
    this.#rename = undefined
    this.#setHint(undefined)
  }

  #cancelTimers(): void {
    this.#cancelLookup()
    this.#cancelSearch()
    this.#cancelModel()
  }

  #run(work: (signal: AbortSignal) => Promise<void>): void {
    work(this.#life.signal).catch(fault => {
      if (!isAbort(fault)) this.#options.log.debug(`No next edit: ${faultText(fault)}`)
    })
  }
}

function isSame(a: Hint | undefined, b: Hint | undefined): boolean {
  if (!a || !b) return a === b
  return a.key === b.key && a.edit.version === b.edit.version && isSameEdit(a.edit, b.edit)
}

function isSameEdit({ documentId, replacements }: PlannedEdit, other: PlannedEdit): boolean {
  if (documentId !== other.documentId || replacements.length !== other.replacements.length) return false
  return replacements.every(({ start, end, text }, at) => {
    const one = other.replacements[at]
    return one?.start === start && one.end === end && one.text === text
  })
}

const textOf = ({ replacements }: PlannedEdit) => replacements.map(({ text }) => text).join('\0')

const keyOf = ({ name }: CarriedRename) => `rename ${name.documentId} ${name.text}`

function isAtLineOf({ documentId, replacements }: PlannedEdit, { id, text, offset }: DocumentSnapshot): boolean {
  const [first] = replacements
  return documentId === id && first !== undefined && lineAt(text, first.start) === lineAt(text, offset)
}

function lineAt(text: string, offset: number): number {
  let line = 0
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line++
  return line
}
