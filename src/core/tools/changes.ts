// `Changes`: every change that the model makes to the user's files, and its review: keep and undo.
import { throwIfAborted } from '../../base/abort.ts'
import { contentHash } from '../../base/contentHash.ts'
import { Emitter, type Event } from '../../base/event.ts'
import { Lru } from '../../base/lru.ts'
import { Queue } from '../../base/singleFlight.ts'
import type { ChangeIntent, ChangeRecord, ChangeReview } from '../../protocol/changeRecord.ts'
import type { PartOf } from '../../protocol/conversation.ts'
import { diffLines, lineCount } from '../workspace/lineHunks.ts'
import type { ResolveProblem } from '../workspace/pathResolver.ts'
import type {
  ChangeFiles,
  ChangeStore,
  FileImage,
  NoText,
  PresentText,
  WriteConsent,
  WriteResult,
} from './changePorts.ts'
import { changeSetOf } from './changeSet.ts'
import { type ChangeLayer, ChangeStack, layerOf, type OpenHunk } from './changeStack.ts'
import { type ChangeState, type FileChange, isOpen, reduceChanges } from './changeState.ts'
import { movesIn, sourcesOf } from './movedContents.ts'
import type { WriteConcern, WriteGuard } from './writeGuard.ts'

export interface ChangesOptions {
  readonly store: ChangeStore
  readonly files: ChangeFiles
  readonly guard: WriteGuard
  readonly consent: WriteConsent
  readonly now: () => number
}

/**
 * `seen`: the hash of the text that the change was made for, with `\n` line ends; null where there was no file. `text`:
 * null removes the file.
 */
export type ChangeRequest = {
  readonly conversation: string
  readonly turn: string
  readonly uri: string
  /**
   * What the user has approved already; without it the user is asked here. `restored`: of a change that puts a file back
   * on the user's wish, which goes no other place than the changes before it.
   */
  readonly approved?: readonly WriteConcern[] | 'restored'
  /** Another change of the file follows, so it is not saved yet. */
  readonly isUnsaved?: boolean
  /** What the file was when it had `text`, so that it gets the same bytes. */
  readonly image?: FileImage | undefined
} & (
  | { readonly seen: string | null; readonly text: string | null; readonly to?: never }
  | { readonly to: string; readonly seen?: never; readonly text?: never }
)

/**
 * `stale`: the file is not as seen, and was left alone. `unapproved`: so it was, because the user has not approved these
 * concerns. `present`: the text after the change, with what a formatter made of it; `isNotSaved`: only the editor has it.
 */
export type ChangeOutcome =
  | { readonly is: 'changed'; readonly present?: PresentText; readonly isNotSaved?: boolean }
  | { readonly is: 'unchanged' }
  | { readonly is: 'stale' }
  | { readonly is: 'declined' | 'failed' | 'not encodable' }
  | { readonly is: 'unapproved'; readonly concerns: readonly WriteConcern[] }
  | { readonly is: 'refused'; readonly problem: ResolveProblem | NoText['is'] | 'exists' }

/** What is kept or undone: a whole conversation, or what the other members narrow it to. */
export interface ReviewScope {
  readonly conversation: string
  readonly turn?: string | undefined
  readonly uri?: string | undefined
  /** The id of an `OpenHunk`. */
  readonly hunk?: string | undefined
}

/** `left`: hunks that were not undone, because their lines have been changed since. */
export interface ReviewOutcome {
  readonly left: number
  readonly hasFailed: boolean
  /** The files that were written. */
  readonly undone: readonly string[]
  /** Files that were not written, because their path leads to another place than when they were changed. */
  readonly elsewhere: readonly string[]
  /** Files that are no longer there, so that nothing of them could be undone. */
  readonly gone: readonly string[]
  /** Files that were not undone, because another file has the name that they, or what is in them, had before. */
  readonly taken: readonly string[]
  /** The turn under which the journal has what was written. */
  readonly group: string
}

/** The open changes of one file in one conversation. */
export interface FileReview {
  readonly conversation: string
  readonly uri: string
  /** Undefined for a file that is not there any more. */
  readonly stack: ChangeStack | undefined
  readonly hunks: readonly OpenHunk[]
  /** Deletions and new names, which are kept or undone as a whole. */
  readonly whole: readonly FileChange[]
}

/** One change that undoes others. */
interface Undoing {
  readonly conversation: string
  readonly turn: string
  readonly undoes: readonly ChangeReview[]
}

/** As `Changes.undo` returns it, of one file. */
interface FileOutcome {
  readonly left: number
  readonly failure?: 'failed' | 'elsewhere' | 'gone' | 'taken' | undefined
  readonly isWritten?: boolean
}

/**
 * A change that has been made already. `before`: the file as it was; null where there was none. `isGone`: there is no such
 * file any more, but something else may have its name.
 */
export interface MadeChange {
  readonly uri: string
  readonly before: FileImage | null
  readonly isGone?: boolean
}

export interface RecordedChange {
  readonly change: 'modified' | 'created' | 'deleted'
  readonly addedLines: number
  readonly removedLines: number
}

/** How many texts are kept in memory; what is on disk is read again. */
const TEXTS = 40

/** One change at a time. The before-image is on disk before the file is written. */
export class Changes {
  readonly #options: ChangesOptions
  readonly #work = new Queue()
  readonly #changed = new Emitter<string>()
  readonly #wrote = new Emitter<string>()
  readonly #states = new Map<string, ChangeState>()
  /** How many records of its journal the state of a conversation comes from. */
  readonly #counts = new Map<string, number>()
  readonly #texts = new Lru<string, string>(TEXTS)
  /** By the hash of a text that was written here, the version of its document then. */
  readonly #versions = new Lru<string, number>(TEXTS)
  /** Records of changes that were made and not saved yet. They are kept after the save, because a window may end before. */
  #unsaved: readonly UnsavedOutcome[] = []
  #isComplete = false

  constructor(options: ChangesOptions) {
    this.#options = options
  }

  /** The changes of this conversation, or their review, are others than before. */
  readonly onDidChange: Event<string> = this.#changed.event

  /** A file was written here, by its URI. */
  readonly onDidWrite: Event<string> = this.#wrote.event

  /** Makes one change. The user is asked before where `WriteGuard` has a concern. */
  apply(request: ChangeRequest, signal: AbortSignal): Promise<ChangeOutcome> {
    return this.#work.add(async () => {
      throwIfAborted(signal)
      await this.load(request.conversation)
      return request.to === undefined ? this.#applyText(request, signal) : this.#applyName(request, signal)
    })
  }

  /**
   * Records changes that have been made already, such as by a command; what they have made of the files is read from the
   * disk. For each of them what was recorded; undefined where nothing was. `isLate`: somebody else may have made
   * them, so they are not to be reviewed, and only restored where the user selects them.
   */
  recordMade(
    { conversation, turn }: Pick<ChangeRequest, 'conversation' | 'turn'>,
    made: readonly MadeChange[],
    isLate = false,
  ): Promise<readonly (RecordedChange | undefined)[]> {
    return this.#work.add(async () => {
      await this.load(conversation)
      const found = await Promise.all(made.map(one => this.#contentsOf(one)))
      const time = this.#options.now()
      const late = isLate ? ({ isLate } as const) : {}
      const intents = found.flatMap(one => (one ? [{ ...one.intent, ...late, time, turn }] : []))
      if (intents.length === 0) return found.map(() => undefined)
      const seqs = await this.#begin(conversation, ...intents)
      const outcomes = seqs.map((seq): ChangeRecord => ({ kind: 'outcome', seq, isDone: true }))
      await this.#options.store.append(conversation, ...outcomes)
      // What is read next, such as by the next call, is what the files are now.
      await Promise.all(intents.map(({ uri }) => this.#options.files.reloaded(uri)))
      this.#add(conversation, ...outcomes)
      this.#changed.fire(conversation)
      return found.map(one => one?.recorded)
    })
  }

  /** Saves what was changed in the file and left unsaved for a later change. */
  save(uri: string): Promise<void> {
    return this.#work.add(async () => {
      if (await this.#options.files.save(uri)) await this.#recordSaved(uri)
    })
  }

  /** The file was saved by the user, or by the editor. */
  saved(uri: string): Promise<void> {
    return this.#work.add(() => this.#recordSaved(uri))
  }

  /**
   * Those that are not as another conversation has left them since then, which may be one of another window. `since`: in
   * milliseconds since 1970.
   */
  async withoutOthers<T extends { readonly uri: string }>(
    conversation: string,
    since: number,
    found: readonly T[],
  ): Promise<readonly T[]> {
    const left = new Map<string, Left>()
    for (const other of await this.#options.store.conversations()) {
      if (other === conversation) continue
      for (const record of await this.#options.store.records(other))
        if (record.kind === 'intent' && record.time >= since) for (const one of leftBy(record)) left.set(one.uri, one)
    }
    const isOfOthers = async ({ uri }: T) => {
      const other = left.get(uri)
      if (other) await this.#options.files.reloaded(uri)
      return other !== undefined && (await this.#isDone(other))
    }
    const areOfOthers = await Promise.all(found.map(isOfOthers))
    return found.filter((_, at) => !areOfOthers[at])
  }

  /** The files with open changes, of all turns or of one, in the order of their first change. */
  openFiles(conversation: string, turn?: string): readonly string[] {
    return [...new Set(this.#open({ conversation, turn }).map(({ uri }) => uri))]
  }

  /** The files of which everything was reviewed and something was kept. */
  keptFiles(conversation: string): readonly string[] {
    const open = new Set(this.openFiles(conversation))
    const kept = this.#stateOf(conversation).filter(({ keptHunks, uri }) => keptHunks > 0 && !open.has(uri))
    return [...new Set(kept.map(({ uri }) => uri))]
  }

  /** What has happened to a file in all. */
  kindOf(conversation: string, uri: string): FileChange['change'] {
    const changes = this.#stateOf(conversation).filter(one => one.uri === uri && !one.isPending && !one.undoes)
    const last = changes.at(-1)?.change ?? 'modified'
    if (last === 'deleted') return 'deleted'
    return changes.some(({ change }) => change === 'created') ? 'created' : last
  }

  /** The conversations with open changes, of those that have been read. */
  get openConversations(): readonly string[] {
    return [...this.#states.keys()].filter(conversation => this.openFiles(conversation).length > 0)
  }

  /** The files with changes that the user has not seen, of all conversations that have been read. */
  get unreviewedFiles(): readonly string[] {
    const changes = [...this.#states.values()].flat()
    return [...new Set(changes.filter(one => isOpen(one) || isUnseen(one)).map(({ uri }) => uri))]
  }

  async review(conversation: string, uri: string): Promise<FileReview> {
    const open = this.#open({ conversation, uri })
    const present = await this.#options.files.read(uri)
    const stack = present.is === 'text' ? await this.#stackOf(open, present) : undefined
    return { conversation, uri, stack, hunks: stack?.open ?? [], whole: open.filter(isWhole) }
  }

  /** The part of the turn that shows its changes; undefined where it has made none. */
  async changeSet(conversation: string, turn: string): Promise<PartOf<'change-set'> | undefined> {
    const changes = this.#stateOf(conversation).filter(one => one.turn === turn && !one.isPending)
    return changeSetOf(turn, changes, hash => this.#textOf(hash))
  }

  /** The content of a file before the change; undefined where it was lost. */
  textBefore({ before }: FileChange): Promise<string | undefined> {
    return this.#textOf(before)
  }

  /** Every change of the conversation, also those that were kept or undone since, in their order. */
  history(conversation: string): Promise<ChangeState> {
    return this.#work.add(async () => {
      await this.load(conversation)
      return this.#stateOf(conversation).filter(({ isPending }) => !isPending)
    })
  }

  /** The text of a change; undefined where it was lost. Null is no file. */
  async contentOf(hash: string | null): Promise<string | null | undefined> {
    return hash === null ? null : this.#textOf(hash)
  }

  /** The file before the change, byte for byte; undefined where that is not known, or there was none. */
  async imageBefore({ image, first }: FileChange): Promise<FileImage | undefined> {
    const hash = image?.bytes ?? first
    if (!image || hash === null) return undefined
    const bytes = await this.#options.store.readBytes(hash)
    return bytes && { bytes, mode: image.mode }
  }

  /** What these changes did is not in the files any more, or was put there on purpose: nothing of them is left to review. */
  close(conversation: string, seqs: readonly number[]): Promise<void> {
    return this.#work.add(async () => {
      await this.load(conversation)
      for (const change of this.#stateOf(conversation)) {
        if (!seqs.includes(change.seq) || !isOpen(change)) continue
        const { seq, before, keptHunks, undoneHunks } = change
        const count = isWhole(change) ? 1 : (await this.#layerOf(change)).hunks.length
        const counts = { keptHunks, undoneHunks: undoneHunks + count }
        await this.#record(conversation, { kind: 'review', seq, before, after: before, ...counts })
      }
      this.#changed.fire(conversation)
    })
  }

  /** The changes as they were before the first change of this turn. */
  async stateBefore(conversation: string, turn: string): Promise<readonly FileChange[]> {
    const records = await this.#options.store.records(conversation)
    const first = records.findIndex(one => one.kind === 'intent' && one.turn === turn)
    return records.slice(0, Math.max(0, first)).reduce(reduceChanges, [])
  }

  /** What these changes did is in the files, or left of it to review, as it was at another time. */
  reopen(conversation: string, closed: readonly FileChange[]): Promise<void> {
    return this.#work.add(async () => {
      await this.load(conversation)
      for (const { seq, before, after, keptHunks, undoneHunks } of closed)
        await this.#record(conversation, { kind: 'review', seq, before, after, keptHunks, undoneHunks })
      this.#changed.fire(conversation)
    })
  }

  /**
   * Gives a file back its bytes and its mode, as a change of its own; null for no file. False where it is not as expected
   * or cannot be written.
   */
  replace(
    { conversation, turn, uri }: Pick<ChangeRequest, 'conversation' | 'turn' | 'uri'>,
    expected: FileImage | null,
    image: FileImage | null,
  ): Promise<boolean> {
    return this.#work.add(async () => {
      await this.load(conversation)
      if (!(await this.#leadsAsBefore(uri))) return false
      const result = await this.#putBack({ conversation, turn }, uri, expected, image)
      if (result !== 'written') return false
      this.#changed.fire(conversation)
      return true
    })
  }

  async #putBack(
    { conversation, turn, undoes }: Pick<Undoing, 'conversation' | 'turn'> & Partial<Undoing>,
    uri: string,
    expected: FileImage | null,
    image: FileImage | null,
  ): Promise<WriteResult> {
    const { files, now } = this.#options
    const found = await this.#intentOf(uri, expected, image)
    if (!found) return 'written'
    const more = { ...(await this.#places([uri])), ...(undoes && { undoes }) }
    const [seq = 0] = await this.#begin(conversation, { ...found.intent, time: now(), turn, ...more })
    const result = await files.putBack(uri, expected?.bytes ?? null, image)
    await this.#record(conversation, { kind: 'outcome', seq, isDone: result === 'written' })
    if (result === 'failed') await this.#recordFailed(conversation, seq)
    if (result !== 'written') return result
    if (!image) await this.#removeMadeFolders(uri)
    this.#wrote.fire(uri)
    await files.reloaded(uri)
    return 'written'
  }

  /** The turns that have made changes. */
  turns(conversation: string): readonly string[] {
    return [...new Set(this.#stateOf(conversation).map(({ turn }) => turn))]
  }

  /** Accepts changes. Writes no file. */
  keep(scope: ReviewScope): Promise<void> {
    return this.#work.add(async () => {
      await this.load(scope.conversation)
      for (const uri of new Set(this.#open(scope).map(one => one.uri))) await this.#keepIn({ ...scope, uri })
      if (scope.hunk === undefined) await this.#keepUnseen(scope)
      this.#changed.fire(scope.conversation)
    })
  }

  /**
   * Takes changes out of the files, the newest first, and leaves what the user has written since. It is a group of changes
   * itself, which can be taken back.
   */
  undo(scope: ReviewScope): Promise<ReviewOutcome> {
    return this.#work.add(async () => {
      await this.load(scope.conversation)
      const wanted = this.#open(scope)
      const uris = [...new Set(wanted.map(one => one.uri))].reverse()
      const group = `${UNDO_GROUP}${this.#nextSeq(scope.conversation)}`
      const outcomes: (FileOutcome & { readonly uri: string })[] = []
      const moves = movesIn(this.#movable(scope.conversation))
      const [begun, tried] = [new Set<string>(), new Set<string>()]
      const undoOne = async (uri: string): Promise<void> => {
        if (begun.has(uri)) return
        begun.add(uri)
        // The content of a file that was moved is first put back where it was.
        for (const source of sourcesOf(uri, moves)) if (uris.includes(source)) await undoOne(source)
        outcomes.push({ uri, ...(await this.#undoIn({ ...scope, uri, group, tried })) })
        tried.add(uri)
      }
      for (const uri of uris) await undoOne(uri)
      const isComplete = () => outcomes.every(({ left, failure }) => left === 0 && failure === undefined)
      const isWanted = ({ seq }: FileChange) => scope.hunk === undefined && wanted.some(one => one.seq === seq)
      const leftOpen = () =>
        isComplete()
          ? [
              ...new Set(
                this.#open(scope)
                  .filter(isWanted)
                  .map(({ uri }) => uri),
              ),
            ]
          : []
      // A change that lay below another one, such as of a file that was made again.
      for (const uri of leftOpen()) outcomes.push({ uri, ...(await this.#undoIn({ ...scope, uri, group, tried })) })
      for (const uri of leftOpen()) outcomes.push({ uri, left: this.#open({ ...scope, uri }).length })
      this.#changed.fire(scope.conversation)
      const where = (is: (one: FileOutcome) => boolean) => [...new Set(outcomes.filter(is).map(({ uri }) => uri))]
      return {
        left: outcomes.reduce((sum, { left }) => sum + left, 0),
        hasFailed: outcomes.some(({ failure }) => failure === 'failed'),
        undone: where(({ isWritten }) => isWritten === true),
        elsewhere: where(({ failure }) => failure === 'elsewhere'),
        gone: where(({ failure }) => failure === 'gone'),
        taken: where(({ failure }) => failure === 'taken'),
        group,
      }
    })
  }

  /** Changes that the user has taken out of the file with other means, such as the editor's undo, are undone. */
  settle(uri: string): Promise<void> {
    return this.#work.add(async () => {
      for (const conversation of this.openConversations) {
        const changes = this.#open({ conversation, uri })
        const present = await this.#options.files.read(uri)
        if (changes.length === 0 || present.is !== 'text') continue
        const stack = await this.#stackOf(changes, present)
        const after = stack.withoutUndone()
        if (after.open.length === stack.open.length) continue
        await this.#recordLayers(conversation, stack, after, 'undoneHunks')
        this.#changed.fire(conversation)
      }
    })
  }

  /** Reads the journal of a conversation, which another window may have continued. */
  async load(conversation: string): Promise<void> {
    const stored = await this.#options.store.records(conversation)
    if (stored.length === this.#counts.get(conversation)) return
    this.#read(conversation, stored)
    this.#counts.set(conversation, stored.length)
    for (const { torn, ...outcome } of await this.#unsettled(conversation)) {
      await this.#record(conversation, outcome)
      if (torn) await this.#recordTorn(conversation, torn)
    }
  }

  /** Reads all journals; after the first time those with open changes, which another window may have reviewed since. */
  async loadAll(): Promise<void> {
    const conversations = this.#isComplete ? this.openConversations : await this.#options.store.conversations()
    this.#isComplete = true
    await Promise.all(conversations.map(conversation => this.#work.add(() => this.#look(conversation))))
  }

  /** Records nothing, because the window of the conversation may be in the middle of a change. */
  async #look(conversation: string): Promise<void> {
    const stored = await this.#options.store.records(conversation)
    if (stored.length === this.#counts.get(conversation)) return
    const before = JSON.stringify(this.#stateOf(conversation))
    this.#read(conversation, stored)
    this.#counts.delete(conversation)
    const outcomes = (await this.#unsettled(conversation)).map(
      ({ torn, ...one }): ChangeRecord => ({ ...one, isDone: one.isDone || torn !== undefined }),
    )
    this.#states.set(conversation, outcomes.reduce(reduceChanges, this.#stateOf(conversation)))
    if (JSON.stringify(this.#stateOf(conversation)) !== before) this.#changed.fire(conversation)
  }

  #read(conversation: string, stored: readonly ChangeRecord[]): void {
    const unsaved = this.#unsaved.filter(one => one.conversation === conversation).map(({ outcome }) => outcome)
    const records = [...stored, ...unsaved]
    this.#states.set(conversation, records.reduce(reduceChanges, []))
  }

  dispose(): void {
    this.#changed.dispose()
    this.#wrote.dispose()
  }

  /** Undefined where the file is as before, or too large to be read. */
  async #contentsOf({ uri, before, isGone = false }: MadeChange) {
    const { files } = this.#options
    const isElse = isGone && (await this.#isElse(uri))
    const now = isElse ? null : ((await files.image(uri)) ?? null)
    if (now === null && !isElse && (before === null || (await files.read(uri)).is !== 'missing')) return undefined
    return this.#intentOf(uri, before, now)
  }

  /** A folder or a link has the name that a file had. */
  async #isElse(uri: string): Promise<boolean> {
    const verdict = await this.#options.guard.judge(uri, '', '')
    if (verdict.is === 'refused') return verdict.problem === 'no file' || verdict.problem === 'unreadable'
    return verdict.file.linkTarget !== undefined
  }

  /** What makes of the first image the second one; undefined where they are the same. */
  async #intentOf(uri: string, before: FileImage | null, now: FileImage | null) {
    const { files, store } = this.#options
    const change = kindOfContents({ before: before && '', after: now && '' })
    const [from, to] = await Promise.all([before, now].map(image => image && files.textIn(uri, image.bytes)))
    const bytes = await Promise.all([before, now].map(image => image && contentHash(image.bytes)))
    const [bytesBefore = null, bytesAfter = null] = bytes
    if (bytesBefore === bytesAfter && before?.mode === now?.mode) return undefined
    const mode = before?.mode === undefined ? {} : { mode: before.mode }
    const after = now?.mode === undefined ? {} : { mode: now.mode }
    const isOfText = from !== undefined && to !== undefined && from !== to && (from || to)
    if (!isOfText) {
      if (before && bytesBefore !== null) await store.keep(bytesBefore, before.bytes)
      const image = before && { image: { bytes: bytesBefore, ...mode } }
      const intent = { change, uri, before: null, after: null, ...image, whole: { bytes: bytesAfter }, ...after }
      return { intent, recorded: { change, addedLines: 0, removedLines: 0 } }
    }
    const hashes = { before: await this.#keepText(from), after: await this.#keepText(to) }
    const isPlain = bytesBefore === hashes.before
    if (before && bytesBefore !== null && !isPlain) await store.keep(bytesBefore, before.bytes)
    const image = before && { image: { bytes: isPlain ? null : bytesBefore, ...mode } }
    const { addedLines, removedLines } = countsOfTexts(from ?? '', to ?? '')
    return { intent: { change, uri, ...hashes, ...image, ...after }, recorded: { change, addedLines, removedLines } }
  }

  async #applyText(request: ChangeRequest, signal: AbortSignal): Promise<ChangeOutcome> {
    const { uri, seen = null, text = null } = request
    const { files, guard } = this.#options
    const present = await files.read(uri)
    if (present.is === 'no text' || present.is === 'read-only') return { is: 'refused', problem: present.is }
    const before = present.is === 'text' ? present.text : null
    if ((before === null ? null : await contentHash(before)) !== seen) return { is: 'stale' }
    if (before === text) return { is: 'unchanged' }
    const verdict = await guard.judge(uri, before ?? '', text ?? '')
    if (verdict.is === 'refused') return verdict
    const refusal = await this.#refusalOf(request, uri, verdict.concerns, signal)
    if (refusal) return refusal
    if (request.approved === 'restored' && !(await this.#leadsAsBefore(uri))) return { is: 'failed' }
    if (!(await guard.isSame(verdict.file))) return { is: 'stale' }
    return this.#write(request, { before, after: text })
  }

  async #applyName(request: ChangeRequest, signal: AbortSignal): Promise<ChangeOutcome> {
    const { uri, to = '' } = request
    const { files, guard } = this.#options
    const present = await files.read(uri)
    if (present.is !== 'text') return { is: 'refused', problem: present.is }
    if ((await files.read(to)).is !== 'missing') return { is: 'refused', problem: 'exists' }
    const verdicts = [await guard.judge(uri, '', ''), await guard.judge(to, '', '')]
    for (const verdict of verdicts) {
      if (verdict.is === 'refused') return verdict
      const refusal = await this.#refusalOf(request, verdict.file.uri, verdict.concerns, signal)
      if (refusal) return refusal
      if (!(await guard.isSame(verdict.file))) return { is: 'stale' }
    }
    return this.#write(request, { before: present.text, after: present.text })
  }

  async #refusalOf(
    { approved }: ChangeRequest,
    uri: string,
    concerns: readonly WriteConcern[],
    signal: AbortSignal,
  ): Promise<ChangeOutcome | undefined> {
    if (concerns.length === 0 || approved === 'restored') return undefined
    if (approved) {
      const known = approved.map(one => JSON.stringify(one))
      const isKnown = concerns.every(one => known.includes(JSON.stringify(one)))
      return isKnown ? undefined : { is: 'unapproved', concerns }
    }
    const isAllowed = await this.#options.consent.ask(uri, concerns, signal)
    throwIfAborted(signal)
    return isAllowed ? undefined : { is: 'declined' }
  }

  async #write(request: ChangeRequest & Partial<Undoing>, texts: Texts): Promise<ChangeOutcome> {
    const { conversation, turn, uri, to, undoes } = request
    const { now } = this.#options
    const [before, after, image, places] = await Promise.all([
      this.#keepText(texts.before),
      this.#keepText(texts.after),
      texts.before === null ? {} : this.#keepImage(uri, texts.before),
      this.#places(to === undefined ? [uri] : [uri, to], to ?? (texts.before === null ? uri : undefined)),
    ])
    const intent: NewIntent = {
      ...{ time: now(), turn, change: kindOf(texts, to), uri: to ?? uri },
      ...(to !== undefined && { from: uri }),
      ...{ before, after, ...image, ...places },
      ...(undoes && { undoes }),
    }
    const [seq = 0] = await this.#begin(conversation, intent)
    const result = await this.#writeFile(request, texts)
    const isNotSaved = result === 'not saved'
    const outcome = { kind: 'outcome', seq, isDone: result === 'written' || isNotSaved } as const
    if ((request.isUnsaved || isNotSaved) && outcome.isDone) this.#hold({ conversation, uri, outcome })
    else {
      if (outcome.isDone) await this.#recordSaved(uri)
      await this.#record(conversation, outcome)
    }
    if (result === 'failed') await this.#recordFailed(conversation, seq)
    if (result !== 'written' && result !== 'not saved') return failureOf(result)
    const isPutBack = undoes !== undefined || request.approved === 'restored'
    if (isPutBack && (to !== undefined || texts.after === null)) await this.#removeMadeFolders(uri)
    for (const written of to === undefined ? [uri] : [uri, to]) this.#wrote.fire(written)
    const present = await this.#written(request, texts.after)
    if (!undoes) this.#changed.fire(conversation)
    return { is: 'changed', ...(present && { present }), ...(isNotSaved && { isNotSaved }) }
  }

  #hold(made: UnsavedOutcome): void {
    this.#unsaved = [...this.#unsaved, made]
    this.#states.set(made.conversation, reduceChanges(this.#stateOf(made.conversation), made.outcome))
  }

  async #recordSaved(uri: string): Promise<void> {
    const saved = this.#unsaved.filter(one => one.uri === uri)
    for (const { conversation, outcome } of saved) {
      await this.#options.store.append(conversation, outcome)
      this.#count(conversation, 1)
    }
    this.#unsaved = this.#unsaved.filter(one => one.uri !== uri)
  }

  #writeFile({ uri, to, isUnsaved = false, image }: ChangeRequest, { before, after }: Texts): Promise<WriteResult> {
    const { files } = this.#options
    if (to !== undefined) return files.rename(uri, to)
    if (before === null) return files.create(uri, after ?? '', image)
    if (after === null) return files.remove(uri, before)
    return files.write(uri, before, after, { isUnsaved, image })
  }

  /** What formatters have made of the text when it was saved belongs to the change, and is undone with it. */
  async #written(request: ChangeRequest & Partial<Undoing>, after: string | null): Promise<PresentText | undefined> {
    const { conversation, turn, undoes } = request
    const uri = request.to ?? request.uri
    const present = await this.#options.files.read(uri)
    if (present.is !== 'text') return undefined
    const isFormatted = after !== null && present.text !== after && !request.isUnsaved && !present.isUnsaved
    const about = { conversation, turn, uri, ...(undoes && { undoes: [] }) }
    if (isFormatted) await this.#recordFormatted(about, after, present.text)
    this.#versions.set(await contentHash(present.text), present.version)
    return present
  }

  async #recordFormatted(
    { conversation, turn, uri, undoes }: Pick<ChangeRequest, 'conversation' | 'turn' | 'uri'> & Partial<Undoing>,
    from: string,
    to: string,
  ): Promise<void> {
    const [before, after] = [await this.#keepText(from), await this.#keepText(to)]
    const time = this.#options.now()
    const intent = { time, turn, change: 'modified', uri, before, after } as const
    const [seq = 0] = await this.#begin(conversation, { ...intent, ...(undoes && { undoes }) })
    await this.#record(conversation, { kind: 'outcome', seq, isDone: true })
  }

  /** Where the names lead, and what is made for the new one: what an undo must know. */
  async #places(uris: readonly string[], created?: string): Promise<Pick<ChangeIntent, 'linkTargets' | 'newFolders'>> {
    const { files, guard } = this.#options
    const places = await Promise.all(uris.map(uri => guard.placeOf(uri)))
    const linkTargets = places.flatMap(place => (place.is === 'linked' ? [place.target] : []))
    const newFolders = created === undefined ? 0 : await files.missingFolders(created)
    return { ...(linkTargets.length > 0 && { linkTargets }), ...(newFolders > 0 && { newFolders }) }
  }

  /** Not through a link that has come since the changes of this file. */
  async #leadsAsBefore(uri: string): Promise<boolean> {
    const place = await this.#options.guard.placeOf(uri)
    if (place.is !== 'linked') return place.is === 'named'
    const known = [...this.#states.values()].flat().filter(one => [one.uri, one.name, one.from].includes(uri))
    return known.some(({ linkTargets = [] }) => linkTargets.includes(place.target))
  }

  /** Folders that were made for changes, and that are empty without the file. */
  async #removeMadeFolders(uri: string): Promise<void> {
    const made = new Set([...this.#states.values()].flat().flatMap(madeFolders))
    for (let folder = parentOf(uri); made.has(folder); folder = parentOf(folder))
      await this.#options.files.removeFolder(folder)
  }

  #nextSeq(conversation: string): number {
    return Math.max(0, ...this.#stateOf(conversation).map(one => one.seq)) + 1
  }

  /** The bytes of the file, where they are not just its text as UTF-8. */
  async #keepImage(uri: string, text: string): Promise<Pick<ChangeIntent, 'image'>> {
    const image = await this.#options.files.image(uri)
    if (!image) return {}
    const { bytes, mode } = image
    const hash = await contentHash(bytes)
    const isPlain = hash === (await contentHash(text))
    if (!isPlain) await this.#options.store.keep(hash, bytes)
    return { image: { bytes: isPlain ? null : hash, ...(mode !== undefined && { mode }) } }
  }

  /** What the file was when it had this text, as a change of it has kept it. */
  async #imageFor(changes: readonly FileChange[], text: string): Promise<FileImage | undefined> {
    for (const { image, first } of changes) {
      if (!image || first === null || (await this.#textOf(first)) !== text) continue
      const bytes = await this.#options.store.readBytes(image.bytes ?? first)
      if (bytes) return { bytes, mode: image.mode }
    }
    return undefined
  }

  /**
   * Records what is about to be changed. The numbers are those that no record of another window has taken before, which
   * may write at the same moment, such as what a command has changed whose window crashed.
   */
  async #begin(conversation: string, ...intents: readonly NewIntent[]): Promise<readonly number[]> {
    const { store } = this.#options
    const seqs: number[] = []
    while (seqs.length < intents.length) {
      const first = this.#nextSeq(conversation)
      const own = intents
        .slice(seqs.length)
        .map((intent, at): ChangeIntent => ({ ...intent, kind: 'intent', seq: first + at }))
      await store.append(conversation, ...own)
      const stored = await store.records(conversation)
      this.#read(conversation, stored)
      this.#counts.set(conversation, stored.length)
      const firsts = new Map<number, ChangeIntent>()
      for (const one of stored) if (one.kind === 'intent' && !firsts.has(one.seq)) firsts.set(one.seq, one)
      const taken = own.findIndex(one => !isSameIntent(firsts.get(one.seq), one))
      seqs.push(...own.slice(0, taken < 0 ? own.length : taken).map(({ seq }) => seq))
      // What follows the number that was taken is recorded again.
      const again = taken < 0 ? [] : own.slice(taken).filter(one => isSameIntent(firsts.get(one.seq), one))
      for (const { seq } of again) await this.#record(conversation, { kind: 'outcome', seq, isDone: false })
    }
    return seqs
  }

  async #record(conversation: string, record: Parameters<ChangeStore['append']>[1]): Promise<void> {
    await this.#options.store.append(conversation, record)
    this.#add(conversation, record)
  }

  #add(conversation: string, ...records: readonly ChangeRecord[]): void {
    this.#states.set(conversation, records.reduce(reduceChanges, this.#stateOf(conversation)))
    this.#count(conversation, records.length)
  }

  #count(conversation: string, records: number): void {
    this.#counts.set(conversation, (this.#counts.get(conversation) ?? 0) + records)
  }

  #stateOf(conversation: string): ChangeState {
    return this.#states.get(conversation) ?? []
  }

  #open({ conversation, turn, uri }: ReviewScope): readonly FileChange[] {
    return this.#stateOf(conversation).filter(
      one => isOpen(one) && (turn === undefined || one.turn === turn) && (uri === undefined || one.uri === uri),
    )
  }

  async #keepIn(scope: ReviewScope & { readonly uri: string }): Promise<void> {
    const { conversation, uri, hunk } = scope
    if (hunk === undefined) {
      for (const change of this.#open(scope)) await this.#keepWhole(conversation, change)
      return
    }
    const whole = this.#open(scope).find(change => isWhole(change) && wholeId(change) === hunk)
    if (whole) return this.#keepWhole(conversation, whole)
    const { stack } = await this.review(conversation, uri)
    if (stack) await this.#recordLayers(conversation, stack, stack.keep(hunk), 'keptHunks')
  }

  async #keepUnseen({ conversation, turn, uri }: ReviewScope): Promise<void> {
    const isIn = (one: FileChange) => (turn ?? one.turn) === one.turn && (uri ?? one.uri) === one.uri
    for (const { seq, before, after, undoneHunks } of this.#stateOf(conversation).filter(
      one => isUnseen(one) && isIn(one),
    ))
      await this.#record(conversation, { kind: 'review', seq, before, after, keptHunks: 1, undoneHunks })
  }

  async #keepWhole(conversation: string, change: FileChange): Promise<void> {
    const { seq, before, after, keptHunks, undoneHunks } = change
    const count = isWhole(change) ? 1 : (await this.#layerOf(change)).hunks.length
    const counts = { keptHunks: keptHunks + count, undoneHunks }
    const left = isWhole(change) ? { before: after, after } : { before: after ?? before, after }
    await this.#record(conversation, { kind: 'review', seq, ...left, ...counts })
  }

  async #undoIn(scope: UndoScope, tries = 2): Promise<FileOutcome> {
    const { hunk } = scope
    const open = this.#open(scope)
    if (await this.#hasOnlyCopy(scope, open)) return { left: 1, failure: 'taken' }
    const whole = open.filter(change => isWhole(change) && [undefined, wholeId(change)].includes(hunk))
    const lastText = open.findLast(change => !isWhole(change))?.seq ?? 0
    // A new name holds for what was changed before it and after it alike.
    const isFirst = (change: FileChange) => change.change === 'renamed' || change.seq > lastText
    const newer = whole.filter(isFirst)
    const failure = await this.#undoEach(scope, newer)
    if (failure) return { left: 1, failure }
    const outcome = await this.#undoHunks(scope, whole, tries)
    const isWritten = newer.length > 0 || outcome.isWritten === true
    const older = whole.filter(change => !isFirst(change))
    if (outcome.failure || outcome.left > 0) return { ...outcome, left: outcome.left + older.length, isWritten }
    const now = { ...scope, uri: nameBefore(whole) ?? scope.uri }
    const left = this.#open(now).length
    // What was there before the file was removed and made again.
    if (hunk === undefined && left > 0 && left < open.length) {
      const rest = await this.#undoIn(now, tries)
      return { ...rest, isWritten: isWritten || rest.isWritten === true }
    }
    const olderFailure = await this.#undoEach(scope, older)
    return olderFailure
      ? { left: 1, failure: olderFailure, isWritten }
      : { left: 0, isWritten: isWritten || older.length > 0 }
  }

  /** Without new names, which are undone only where the old one is free. */
  #movable(conversation: string): ChangeState {
    const isOther = ({ isPending, undoes, change }: FileChange) => !isPending && !undoes && change !== 'renamed'
    return this.#stateOf(conversation).filter(isOther)
  }

  /** What was moved to the file by these changes was not put back, and cannot be, because the user has another file there. */
  async #hasOnlyCopy({ conversation, tried }: UndoScope, open: readonly FileChange[]): Promise<boolean> {
    const movable = this.#movable(conversation)
    const moves = movesIn(movable)
    const madeAt = (name: string, isIn: (one: FileChange) => boolean) =>
      movable.find(one => one.change === 'created' && one.name === name && isIn(one))
    for (const { from, taken, put } of moves) {
      if (!open.includes(put) || taken.change !== 'deleted' || taken.undoneHunks > 0 || taken.uri === put.uri) continue
      // What the agent has made is not the user's.
      const made = madeAt(from, one => one.seq < taken.seq && isOpen(one))
      if (made && !moves.some(one => one.put === made)) continue
      if (!isOpen(taken) || tried.has(taken.uri)) return true
      const isOccupied = !(await this.#isMissing(from)) && !madeAt(from, one => one.seq > taken.seq)
      if (isOccupied || !(await this.#leadsAsBefore(from))) return true
    }
    return false
  }

  /** The newest first. */
  async #undoEach(scope: UndoScope, changes: readonly FileChange[]): Promise<FileOutcome['failure']> {
    for (const change of [...changes].reverse()) {
      for (const uri of change.from === undefined ? [change.uri] : [change.uri, change.from])
        if (!(await this.#leadsAsBefore(uri))) return 'elsewhere'
      const isNameless = change.from !== undefined || change.change === 'deleted'
      if (isNameless && !(await this.#isMissing(change.from ?? change.uri))) return 'taken'
      if ((await this.#undoWhole(scope, change)) !== 'written') return 'failed'
    }
    return undefined
  }

  async #undoHunks(scope: UndoScope, whole: readonly FileChange[], tries: number): Promise<FileOutcome> {
    const { conversation, turn, hunk, group } = scope
    const uri = nameBefore(whole) ?? scope.uri
    const open = this.#open({ conversation, uri })
    if (open.every(isWhole)) return { left: 0 }
    if (!(await this.#leadsAsBefore(uri))) return { left: open.length, failure: 'elsewhere' }
    // With that undone first, a change of its bytes can still be undone.
    const texts = sinceMade(open.slice(open.findLastIndex(hasChangedBytes) + 1))
    const isBelow = (one: FileChange) => one.turn === turn && !isWhole(one) && !texts.includes(one)
    const below = hunk === undefined ? open.filter(isBelow).length : 0
    const present = await this.#options.files.read(uri)
    if (present.is === 'missing') return this.#undoGone(scope, open)
    if (present.is !== 'text') return { left: 0, failure: 'failed' }
    const stack = await this.#stackOf(hunk === undefined ? texts : open, present)
    const isWanted = (one: OpenHunk) => (hunk === undefined ? turn === undefined || one.turn === turn : one.id === hunk)
    const { stack: after, left } = stack.undoAll(isWanted)
    const undoes = await this.#reviewsOf(conversation, stack, after, 'undoneHunks')
    const isEmptied = after.present === '' && left.length === 0 && undoes.length > 0
    const made = isEmptied ? this.#undoneCreation({ conversation, uri }, undoes) : undefined
    // What else was done to the file goes with it.
    const more = made ? open.filter(({ whole: bytes, seq }) => bytes !== undefined && seq > made.seq) : []
    const undoing = { conversation, turn: group, undoes: [...undoes, ...more.map(reviewOfUndone)] }
    const text = made ? null : after.present
    if (text === present.text) {
      for (const review of undoes) await this.#record(conversation, { kind: 'review', ...review })
      return { left: left.length + below }
    }
    const result = await this.#writeUndone(undoing, uri, present.text, text)
    if (result === 'changed meanwhile' && tries > 1) return this.#undoIn(scope, tries - 1)
    if (result !== 'written') return { left: stack.open.length, failure: 'failed' }
    return { left: left.length + below, isWritten: true }
  }

  /**
   * The file was removed by somebody else, which has undone the changes where they have made the file. Where a later change
   * has removed it, that is to be undone first.
   */
  async #undoGone({ conversation, turn }: UndoScope, open: readonly FileChange[]): Promise<FileOutcome> {
    const [first] = open
    const isByUs = open.some(({ change }) => change === 'deleted')
    if (first?.change !== 'created' || first.before !== null || isByUs) return { left: 0, failure: 'gone' }
    for (const change of open) {
      if (isWhole(change) || (turn !== undefined && change.turn !== turn)) continue
      const { seq, before, keptHunks, undoneHunks } = change
      const { hunks } = await this.#layerOf(change)
      const counts = { keptHunks, undoneHunks: undoneHunks + hunks.length }
      await this.#record(conversation, { kind: 'review', seq, before, after: before, ...counts })
    }
    return { left: 0 }
  }

  /** What has made the file, and is undone now or was undone before a later change. */
  #undoneCreation({ conversation, uri }: ReviewScope, undoes: readonly ChangeReview[]): FileChange | undefined {
    const own = this.#stateOf(conversation).filter(one => one.uri === uri)
    const isUndoneNow = ({ seq }: FileChange) => undoes.some(one => one.seq === seq && one.before === one.after)
    return own.findLast(one => one.change === 'created' && isUndoneNow(one)) ?? undoneCreation(own)
  }

  /** A file that the model has created is removed when nothing is left in it: `after` is null then. */
  async #writeUndone(undoing: Undoing, uri: string, before: string, after: string | null): Promise<WriteResult> {
    const own = [...this.#states.values()].flat().filter(one => one.uri === uri)
    const found = after === null ? undefined : await this.#imageFor(own, after)
    const undone = own.filter(({ seq }) => undoing.undoes.some(one => one.seq === seq && one.before === one.after))
    const image = found && { ...found, mode: undone.find(hasChangedMode)?.image?.mode }
    return resultOf(await this.#write({ ...undoing, uri, seen: null, text: after, image }, { before, after }))
  }

  async #isMissing(uri: string): Promise<boolean> {
    return (await this.#options.files.read(uri)).is === 'missing'
  }

  #undoWhole({ conversation, group }: UndoScope, change: FileChange): Promise<WriteResult> {
    const undoing = { conversation, turn: group, undoes: [reviewOfUndone(change)] }
    return change.whole === undefined ? this.#undoName(undoing, change) : this.#undoBytes(undoing, change)
  }

  async #undoName(undoing: Undoing, change: FileChange): Promise<WriteResult> {
    const { files } = this.#options
    const { uri, from, before } = change
    if (from === undefined) {
      const text = before === null ? '' : ((await this.#textOf(before)) ?? '')
      const request = { ...undoing, uri, seen: null, text, image: await this.#imageFor([change], text) }
      return resultOf(await this.#write(request, { before: null, after: text }))
    }
    const present = await files.read(uri)
    if (present.is !== 'text') return 'failed'
    return resultOf(await this.#write({ ...undoing, uri, to: from }, { before: present.text, after: present.text }))
  }

  /** Only while the file has what the change has made of it, the bytes or the mode. */
  async #undoBytes(undoing: Undoing, change: FileChange): Promise<WriteResult> {
    const { files, store } = this.#options
    const { uri, image, whole } = change
    const present = (await files.image(uri)) ?? null
    const isOfMode = hasChangedMode(change)
    if (isOfMode && !isSameMode(present?.mode, change.mode)) return 'failed'
    if (present && isOfMode && !hasChangedBytes(change))
      return this.#putBack(undoing, uri, present, { bytes: present.bytes, mode: image?.mode })
    if ((present ? await contentHash(present.bytes) : null) !== whole) return 'failed'
    const bytes = image?.bytes ? await store.readBytes(image.bytes) : undefined
    if (image && !bytes) return 'failed'
    const mode = isOfMode || change.mode === undefined ? image?.mode : present?.mode
    return this.#putBack(undoing, uri, present, bytes ? { bytes, mode } : null)
  }

  async #recordLayers(
    conversation: string,
    before: ChangeStack,
    after: ChangeStack,
    counted: 'keptHunks' | 'undoneHunks',
  ): Promise<void> {
    for (const review of await this.#reviewsOf(conversation, before, after, counted))
      await this.#record(conversation, { kind: 'review', ...review })
  }

  /** What is left of the changes whose hunks are fewer in the second stack. */
  async #reviewsOf(
    conversation: string,
    { layers: olds }: ChangeStack,
    { layers }: ChangeStack,
    counted: 'keptHunks' | 'undoneHunks',
  ): Promise<readonly ChangeReview[]> {
    const reviews: ChangeReview[] = []
    for (const layer of layers) {
      const old = olds.find(({ id }) => id === layer.id)
      const change = this.#stateOf(conversation).find(({ seq }) => seq === layer.id)
      if (!old || !change || (old.before === layer.before && old.after === layer.after)) continue
      const { seq, keptHunks, undoneHunks } = change
      const counts = { keptHunks, undoneHunks }
      counts[counted] += old.hunks.length - layer.hunks.length
      const before = layer.hunks.length === 0 && change.before === null ? null : await this.#keepText(layer.before)
      const after = layer.hunks.length === 0 ? before : await this.#keepText(layer.after)
      reviews.push({ seq, before, after, ...counts })
    }
    return reviews
  }

  async #stackOf(changes: readonly FileChange[], present: PresentText): Promise<ChangeStack> {
    const layers: ChangeLayer[] = []
    const texts = sinceMade(changes)
    for (const change of texts) layers.push(await this.#layerOf(change))
    const last = texts.at(-1)
    const version = last?.after ? this.#versions.get(last.after) : undefined
    const edit = version === undefined ? undefined : present.editSince(version)
    const from = layers.at(-1)?.after
    const isExact = edit && from !== undefined && edit.lengthBefore === from.length && edit.apply(from) === present.text
    return new ChangeStack(layers, present.text, isExact ? edit : undefined)
  }

  async #layerOf({ seq, turn, before, after }: FileChange): Promise<ChangeLayer> {
    const [from, to] = [await this.#textOf(before), await this.#textOf(after)]
    return from === undefined || to === undefined ? layerOf(seq, turn, '', '') : layerOf(seq, turn, from, to)
  }

  /** An absent file has no text; undefined where the content was lost. */
  async #textOf(hash: string | null): Promise<string | undefined> {
    if (hash === null) return ''
    const known = this.#texts.get(hash) ?? (await this.#options.store.read(hash))
    if (known !== undefined) this.#texts.set(hash, known)
    return known
  }

  async #keepText(text: string | null): Promise<string | null> {
    if (text === null) return null
    const hash = await contentHash(text)
    await this.#options.store.keep(hash, text)
    this.#texts.set(hash, text)
    return hash
  }

  /**
   * A window that ended between the record and the write left one of the two texts, a torn one, or somebody else's. Of
   * several changes that were saved together the file has the last text.
   */
  async #unsettled(conversation: string): Promise<readonly Settled[]> {
    const outcomes: Settled[] = []
    const followed = new Map<string, string | null>()
    const looked = new Set<string>()
    for (const change of this.#stateOf(conversation)
      .filter(({ isPending, isNotDone }) => isPending && !isNotDone)
      .toReversed()) {
      const { uri, seq, before, after } = change
      await this.#options.files.tidy(uri)
      const later = change.change === 'renamed' || change.whole !== undefined ? undefined : followed.get(uri)
      const isDone = later === undefined ? await this.#isDone(change) : later === after
      if (isDone) followed.set(uri, before)
      const torn = isDone || looked.has(uri) ? undefined : await this.#tornOf(change)
      looked.add(uri)
      outcomes.push({ kind: 'outcome', seq, isDone, ...(torn && { torn }) })
    }
    return outcomes
  }

  /** Undefined where the write was not cut off. */
  async #tornOf(change: FileChange): Promise<Torn | undefined> {
    const { uri, last, whole, turn } = change
    if (change.change !== 'modified') return undefined
    const before = await this.imageBefore(change)
    const after = whole ? await this.#options.store.readBytes(whole) : await this.#textOf(last)
    if (!before || after === undefined) return undefined
    const now = await this.#options.files.torn(uri, before.bytes, after)
    return now && { uri, turn, before, now }
  }

  /** As a change of its own, so that the user can undo it. */
  async #recordTorn(conversation: string, { uri, turn, before, now }: Torn): Promise<void> {
    const found = await this.#intentOf(uri, before, now)
    if (!found) return
    const intent = { ...found.intent, time: this.#options.now(), turn, ...(await this.#places([uri])) }
    const [seq = 0] = await this.#begin(conversation, intent)
    await this.#record(conversation, { kind: 'outcome', seq, isDone: true })
    this.#changed.fire(conversation)
  }

  /** What could not be written may have been cut off too. */
  async #recordFailed(conversation: string, seq: number): Promise<void> {
    const change = this.#stateOf(conversation).find(one => one.seq === seq)
    const torn = change && (await this.#tornOf(change))
    if (torn) await this.#recordTorn(conversation, torn)
  }

  async #isDone({ uri, after, change, whole, mode }: Left): Promise<boolean> {
    const { files } = this.#options
    if (whole !== undefined) {
      const image = await files.image(uri)
      return isSameMode(image?.mode, mode) && (image ? await contentHash(image.bytes) : null) === whole
    }
    const present = await files.read(uri)
    if (change === 'renamed') return present.is === 'text'
    const hash = present.is === 'text' ? await contentHash(present.text) : null
    return present.is !== 'no text' && hash === after
  }
}

/** What a write that was cut off has made of a file. */
interface Torn {
  readonly uri: string
  readonly turn: string
  readonly before: FileImage
  readonly now: FileImage
}

/** `torn`: the change was not made as a whole. */
type Settled = Outcome & {
  readonly torn?: Torn
}

/** That a change was made which is not saved yet. */
interface UnsavedOutcome {
  readonly conversation: string
  readonly uri: string
  readonly outcome: Outcome
}

type Outcome = Extract<ChangeRecord, { kind: 'outcome' }>

function failureOf(result: Exclude<WriteResult, 'written' | 'not saved'>): ChangeOutcome {
  switch (result) {
    case 'changed meanwhile':
      return { is: 'stale' }
    case 'read-only':
      return { is: 'refused', problem: 'read-only' }
    default:
      return { is: result }
  }
}

/** What a change leaves of a file. */
type Left = Pick<FileChange, 'uri' | 'after' | 'change' | 'whole' | 'mode'>

type NewIntent = Omit<ChangeIntent, 'kind' | 'seq'>

/** The texts of one moment are compared, because a record that was read has its members in another order. */
const isSameIntent = (one: ChangeIntent | undefined, { time, turn, uri, before, after }: ChangeIntent) =>
  one?.time === time && one.turn === turn && one.uri === uri && one.before === before && one.after === after

function leftBy({ uri, from, after, change, whole, mode }: ChangeIntent): Left[] {
  const more = { ...(whole && { whole: whole.bytes }), ...(mode !== undefined && { mode }) }
  const left: Left = { uri, after, change, ...more }
  return from === undefined ? [left] : [{ uri: from, after: null, change: 'deleted' }, left]
}

interface Texts {
  readonly before: string | null
  readonly after: string | null
}

function kindOf(texts: Texts, to: string | undefined): ChangeIntent['change'] {
  return to === undefined ? kindOfContents(texts) : 'renamed'
}

function kindOfContents({ before, after }: Texts): RecordedChange['change'] {
  if (before === null) return 'created'
  return after === null ? 'deleted' : 'modified'
}

/** A group of changes that the user's *Undo* has made begins so. */
export const UNDO_GROUP = 'undo-'
/** And one that a restore has made. */
export const RESTORE_GROUP = 'restore-'

export const isGroup = (turn: string) => turn.startsWith(RESTORE_GROUP) || turn.startsWith(UNDO_GROUP)

/** Where the file is there because of a change that was undone since, and of which nothing was kept, that change. */
function undoneCreation(changes: ChangeState): FileChange | undefined {
  const isPutBack = ({ turn, change }: FileChange) => isGroup(turn) && change === 'created'
  const isUndoneRemoval = ({ change, undoneHunks }: FileChange) => change === 'deleted' && undoneHunks > 0
  const last = changes.findLast(
    one =>
      (one.change === 'created' || one.change === 'deleted') &&
      !(one.isPending || isPutBack(one) || isUndoneRemoval(one)),
  )
  const isUndone = last?.change === 'created' && !isOpen(last) && last.undoneHunks > 0 && last.keptHunks === 0
  return isUndone ? last : undefined
}

/** `tried`: the files of this undo that were undone before, as far as they could be. */
interface UndoScope extends ReviewScope {
  readonly uri: string
  readonly group: string
  readonly tried: ReadonlySet<string>
}

function resultOf(outcome: ChangeOutcome): WriteResult {
  if (outcome.is === 'changed') return 'written'
  return outcome.is === 'stale' ? 'changed meanwhile' : 'failed'
}

/** Of a change that is undone as a whole. */
const reviewOfUndone = ({ seq, before, keptHunks, undoneHunks }: FileChange): ChangeReview => ({
  ...{ seq, before, after: before },
  ...{ keptHunks, undoneHunks: undoneHunks + 1 },
})

const parentOf = (uri: string) => uri.slice(0, Math.max(0, uri.lastIndexOf('/')))

function madeFolders({ name, newFolders = 0 }: FileChange): string[] {
  const folders: string[] = []
  let at = name
  for (let count = 0; count < newFolders; count++) {
    at = parentOf(at)
    folders.push(at)
  }
  return folders
}

/** Also where one is not known. */
export const isSameMode = (one: number | undefined, other: number | undefined) =>
  one === undefined || other === undefined || one === other

/** It may be somebody else's, and the user has not kept it either. */
const isUnseen = ({ isLate, isPending, keptHunks, undoneHunks }: FileChange) =>
  isLate === true && !isPending && keptHunks + undoneHunks === 0

const hasChangedMode = ({ change, image, mode }: FileChange) => change === 'modified' && !isSameMode(image?.mode, mode)

/** Of a change that is none of its text. */
const hasChangedBytes = ({ change, image, whole }: FileChange) =>
  change === 'modified' && whole !== undefined && image?.bytes !== whole

/** It has no hunks. */
const isWhole = ({ change, whole }: FileChange) => change === 'deleted' || change === 'renamed' || whole !== undefined

/** Before the first of them that has given the file another name. */
const nameBefore = (changes: readonly FileChange[]) => changes.find(({ from }) => from !== undefined)?.from

/** The changes of its text, of a file that was removed and made again those since then. */
function sinceMade(changes: readonly FileChange[]): readonly FileChange[] {
  const removed = changes.findLast(one => one.change === 'deleted')?.seq ?? 0
  const texts = changes.filter(change => !isWhole(change))
  const since = texts.filter(({ seq }) => seq > removed)
  return since.length > 0 ? since : texts
}

function countsOfTexts(before: string, after: string): Pick<RecordedChange, 'addedLines' | 'removedLines'> {
  let [addedLines, removedLines] = [0, 0]
  for (const hunk of diffLines(before, after)) {
    addedLines += lineCount(after.slice(hunk.after.start, hunk.after.end))
    removedLines += lineCount(before.slice(hunk.before.start, hunk.before.end))
  }
  return { addedLines, removedLines }
}

/** The id that a deletion or a new name has in place of that of a hunk. */
export function wholeId({ seq }: FileChange): string {
  return `${seq}`
}
