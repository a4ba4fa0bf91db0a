// `Changes`: every change that the model makes to the user's files, and its review: keep and undo.
import { throwIfAborted } from '../../base/abort.ts'
import { Emitter, type Event } from '../../base/event.ts'
import { Lru } from '../../base/lru.ts'
import { Queue } from '../../base/singleFlight.ts'
import type { ChangeIntent } from '../../protocol/changeRecord.ts'
import type { PartOf } from '../../protocol/conversation.ts'
import type { ResolveProblem } from '../workspace/pathResolver.ts'
import type { ChangeFiles, ChangeStore, NoText, PresentText, WriteConsent, WriteResult } from './changePorts.ts'
import { changeSetOf } from './changeSet.ts'
import { type ChangeLayer, ChangeStack, layerOf, type OpenHunk } from './changeStack.ts'
import { type ChangeState, type FileChange, isOpen, reduceChanges } from './changeState.ts'
import { contentHash } from './contentHash.ts'
import type { WriteGuard } from './writeGuard.ts'

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
} & (
  | { readonly seen: string | null; readonly text: string | null; readonly to?: never }
  | { readonly to: string; readonly seen?: never; readonly text?: never }
)

/** `stale`: the file is not as seen, and was left alone. */
export type ChangeOutcome =
  | { readonly is: 'changed' | 'unchanged' | 'stale' | 'declined' | 'failed' }
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

/** How many texts are kept in memory; what is on disk is read again. */
const TEXTS = 40

/** One change at a time. The before-image is on disk before the file is written. */
export class Changes {
  readonly #options: ChangesOptions
  readonly #work = new Queue()
  readonly #changed = new Emitter<string>()
  readonly #states = new Map<string, ChangeState>()
  readonly #texts = new Lru<string, string>(TEXTS)
  /** By the hash of a text that was written here, the version of its document then. */
  readonly #versions = new Lru<string, number>(TEXTS)
  #isComplete = false

  constructor(options: ChangesOptions) {
    this.#options = options
  }

  /** The changes of this conversation, or their review, are others than before. */
  readonly onDidChange: Event<string> = this.#changed.event

  /** Makes one change. The user is asked before where `WriteGuard` has a concern. */
  apply(request: ChangeRequest, signal: AbortSignal): Promise<ChangeOutcome> {
    return this.#work.add(async () => {
      throwIfAborted(signal)
      await this.load(request.conversation)
      return request.to === undefined ? this.#applyText(request, signal) : this.#applyName(request, signal)
    })
  }

  /** The files with open changes, in the order of their first change. */
  openFiles(conversation: string): readonly string[] {
    return [...new Set(this.#open({ conversation }).map(({ uri }) => uri))]
  }

  /** The conversations with open changes, of those that have been read. */
  get openConversations(): readonly string[] {
    return [...this.#states.keys()].filter(conversation => this.openFiles(conversation).length > 0)
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

  /** The turns that have made changes. */
  turns(conversation: string): readonly string[] {
    return [...new Set(this.#stateOf(conversation).map(({ turn }) => turn))]
  }

  /** Accepts changes. Writes no file. */
  keep(scope: ReviewScope): Promise<void> {
    return this.#work.add(async () => {
      await this.load(scope.conversation)
      for (const uri of new Set(this.#open(scope).map(one => one.uri))) await this.#keepIn({ ...scope, uri })
      this.#changed.fire(scope.conversation)
    })
  }

  /** Takes changes out of the files, the newest first, and leaves what the user has written since. */
  undo(scope: ReviewScope): Promise<ReviewOutcome> {
    return this.#work.add(async () => {
      await this.load(scope.conversation)
      const uris = [...new Set(this.#open(scope).map(one => one.uri))].reverse()
      const outcomes: ReviewOutcome[] = []
      for (const uri of uris) outcomes.push(await this.#undoIn({ ...scope, uri }))
      this.#changed.fire(scope.conversation)
      return {
        left: outcomes.reduce((sum, { left }) => sum + left, 0),
        hasFailed: outcomes.some(({ hasFailed }) => hasFailed),
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
    const records = await this.#options.store.records(conversation)
    this.#states.set(conversation, records.reduce(reduceChanges, []))
    await this.#settle(conversation)
  }

  /** Reads all journals, once. */
  async loadAll(): Promise<void> {
    if (this.#isComplete) return
    this.#isComplete = true
    for (const conversation of await this.#options.store.conversations()) {
      await this.#work.add(() => this.load(conversation))
      if (this.#stateOf(conversation).length > 0) this.#changed.fire(conversation)
    }
  }

  dispose(): void {
    this.#changed.dispose()
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
    if (!(await this.#mayWrite(uri, verdict.concerns, signal))) return { is: 'declined' }
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
      if (!(await this.#mayWrite(verdict.file.uri, verdict.concerns, signal))) return { is: 'declined' }
    }
    return this.#write(request, { before: present.text, after: present.text })
  }

  async #mayWrite(uri: string, concerns: Parameters<WriteConsent['ask']>[1], signal: AbortSignal): Promise<boolean> {
    if (concerns.length === 0) return true
    const isAllowed = await this.#options.consent.ask(uri, concerns, signal)
    throwIfAborted(signal)
    return isAllowed
  }

  async #write(request: ChangeRequest, texts: Texts): Promise<ChangeOutcome> {
    const { conversation, turn, uri, to } = request
    const seq = Math.max(0, ...this.#stateOf(conversation).map(one => one.seq)) + 1
    const { store, now } = this.#options
    const intent: ChangeIntent = {
      ...{ kind: 'intent', seq, time: now(), turn, change: kindOf(texts, to), uri: to ?? uri },
      ...(to !== undefined && { from: uri }),
      before: await this.#keepText(texts.before),
      after: await this.#keepText(texts.after),
    }
    await this.#record(conversation, intent)
    const result = await this.#writeFile(uri, texts, to)
    const outcome = { kind: 'outcome', seq, isDone: result === 'written' } as const
    await store.append(conversation, outcome)
    this.#states.set(conversation, reduceChanges(this.#stateOf(conversation), outcome))
    if (result !== 'written') return { is: result === 'failed' ? 'failed' : 'stale' }
    await this.#rememberVersion(to ?? uri)
    this.#changed.fire(conversation)
    return { is: 'changed' }
  }

  #writeFile(uri: string, { before, after }: Texts, to: string | undefined): Promise<WriteResult> {
    const { files } = this.#options
    if (to !== undefined) return files.rename(uri, to)
    if (before === null) return files.create(uri, after ?? '')
    return after === null ? files.remove(uri, before) : files.write(uri, before, after)
  }

  async #record(conversation: string, record: Parameters<ChangeStore['append']>[1]): Promise<void> {
    await this.#options.store.append(conversation, record)
    this.#states.set(conversation, reduceChanges(this.#stateOf(conversation), record))
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

  async #keepWhole(conversation: string, change: FileChange): Promise<void> {
    const { seq, before, after, keptHunks, undoneHunks } = change
    const count = isWhole(change) ? 1 : (await this.#layerOf(change)).hunks.length
    const counts = { keptHunks: keptHunks + count, undoneHunks }
    const left = isWhole(change) ? { before: after, after } : { before: after ?? before, after }
    await this.#record(conversation, { kind: 'review', seq, ...left, ...counts })
  }

  async #undoIn(scope: ReviewScope & { readonly uri: string }, tries = 2): Promise<ReviewOutcome> {
    const { conversation, turn, hunk } = scope
    const whole = this.#open(scope).filter(change => isWhole(change) && [undefined, wholeId(change)].includes(hunk))
    for (const change of [...whole].reverse()) {
      if ((await this.#undoWhole(conversation, change)) !== 'written') return { left: 1, hasFailed: true }
    }
    const uri = whole.find(({ from }) => from !== undefined)?.from ?? scope.uri
    const present = await this.#options.files.read(uri)
    if (present.is !== 'text') return { left: 0, hasFailed: false }
    const stack = await this.#stackOf(this.#open({ conversation, uri }), present)
    const isWanted = (one: OpenHunk) => (hunk === undefined ? turn === undefined || one.turn === turn : one.id === hunk)
    const { stack: after, left } = stack.undoAll(isWanted)
    if (after.present === present.text) return { left: left.length, hasFailed: false }
    const result = await this.#writeUndone(uri, present.text, after)
    if (result === 'changed meanwhile' && tries > 1) return this.#undoIn(scope, tries - 1)
    if (result !== 'written') return { left: stack.open.length, hasFailed: true }
    await this.#recordLayers(conversation, stack, after, 'undoneHunks')
    await this.#rememberVersion(uri)
    return { left: left.length, hasFailed: false }
  }

  /** A file that the model has created is removed when nothing is left in it. */
  async #writeUndone(uri: string, expected: string, { present, layers }: ChangeStack): Promise<WriteResult> {
    await this.#keepText(expected)
    const { files } = this.#options
    const wasCreated = [...this.#states.values()]
      .flat()
      .some(one => one.uri === uri && one.change === 'created' && layers.some(({ id }) => id === one.seq))
    return wasCreated && present === '' ? files.remove(uri, expected) : files.write(uri, expected, present)
  }

  async #undoWhole(conversation: string, change: FileChange): Promise<WriteResult> {
    const { files } = this.#options
    const { uri, from, before } = change
    const target = from ?? uri
    if ((await files.read(target)).is !== 'missing') return 'failed'
    const text = before === null ? '' : ((await this.#textOf(before)) ?? '')
    const result = from === undefined ? await files.create(uri, text) : await files.rename(uri, from)
    if (result !== 'written') return result
    const { seq, keptHunks, undoneHunks } = change
    const counts = { keptHunks, undoneHunks: undoneHunks + 1 }
    await this.#record(conversation, { kind: 'review', seq, before, after: before, ...counts })
    return 'written'
  }

  async #recordLayers(
    conversation: string,
    { layers: olds }: ChangeStack,
    { layers }: ChangeStack,
    counted: 'keptHunks' | 'undoneHunks',
  ): Promise<void> {
    for (const layer of layers) {
      const old = olds.find(({ id }) => id === layer.id)
      const change = this.#stateOf(conversation).find(({ seq }) => seq === layer.id)
      if (!old || !change || (old.before === layer.before && old.after === layer.after)) continue
      const { seq, keptHunks, undoneHunks } = change
      const counts = { keptHunks, undoneHunks }
      counts[counted] += old.hunks.length - layer.hunks.length
      const before = layer.hunks.length === 0 && change.before === null ? null : await this.#keepText(layer.before)
      const after = layer.hunks.length === 0 ? before : await this.#keepText(layer.after)
      await this.#record(conversation, { kind: 'review', seq, before, after, ...counts })
    }
  }

  async #stackOf(changes: readonly FileChange[], present: PresentText): Promise<ChangeStack> {
    const layers: ChangeLayer[] = []
    for (const change of changes) if (!isWhole(change)) layers.push(await this.#layerOf(change))
    const last = changes.findLast(change => !isWhole(change))
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

  async #rememberVersion(uri: string): Promise<void> {
    const present = await this.#options.files.read(uri)
    if (present.is === 'text') this.#versions.set(await contentHash(present.text), present.version)
  }

  /** A window that ended between the record and the write left one of the two texts, or somebody else's. */
  async #settle(conversation: string): Promise<void> {
    for (const { seq, uri, after, change } of this.#stateOf(conversation).filter(one => one.isPending)) {
      const present = await this.#options.files.read(uri)
      const hash = present.is === 'text' ? await contentHash(present.text) : null
      const isDone = change === 'renamed' ? present.is === 'text' : present.is !== 'no text' && hash === after
      await this.#record(conversation, { kind: 'outcome', seq, isDone })
    }
  }
}

interface Texts {
  readonly before: string | null
  readonly after: string | null
}

function kindOf({ before, after }: Texts, to: string | undefined): ChangeIntent['change'] {
  if (to !== undefined) return 'renamed'
  if (before === null) return 'created'
  return after === null ? 'deleted' : 'modified'
}

/** It has no hunks. */
const isWhole = ({ change }: FileChange) => change === 'deleted' || change === 'renamed'

/** The id that a deletion or a new name has in place of that of a hunk. */
export function wholeId({ seq }: FileChange): string {
  return `${seq}`
}
