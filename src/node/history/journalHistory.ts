// `JournalHistory`: lists and searches all conversations, in an index where there is one, else in the journals.
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { throwIfAborted } from '../../base/abort.ts'
import type { Disposable } from '../../base/disposable.ts'
import { Emitter, type Event } from '../../base/event.ts'
import { faultText } from '../../base/fault.ts'
import {
  type ConversationFilter,
  type ConversationList,
  type ConversationSummary,
  excerptOf,
  hasWords,
  inListOrder,
  isListed,
  passagesOf,
  type SearchHit,
  searchWords,
  summaryOf,
} from '../../core/conversation/conversationList.ts'
import { LaterJournalError } from '../../core/conversation/journal.ts'
import type { Log } from '../../core/log/log.ts'
import { type ConversationState, emptyConversation, replay } from '../../protocol/conversationState.ts'
import { IndexDatabase, type IndexedConversation, type IndexRow } from './indexDatabase.ts'
import type { JournalEntry, JournalFolder } from './journalFolder.ts'

const MOST_HITS = 200
/** An index that was brought up to date so recently answers without that. */
const FRESH_MS = 2_000
/** So many journals are read at once where there is no index. */
const READ_AT_ONCE = 16
/** A larger journal is read in chunks, and not searched as a text before. */
const MOST_TEXT_BYTES = 8 * 1024 * 1024
/** So many conversations, or characters of them, are written together; more would block the window for too long. */
const BATCH_CONVERSATIONS = 32
const BATCH_CHARS = 200_000
/** A deleted conversation is removed after this time, in which it can be restored. */
const KEEP_DELETED_MS = 24 * 3_600_000
/** An index that is damaged again after so many rebuilds is not used, because rebuilding does not remove the cause. */
const MOST_REBUILDS = 3

export interface JournalHistoryOptions {
  readonly journals: JournalFolder
  readonly log: Log
  /** Opens the index; a test replaces it by one without the features that a build of SQLite may lack. */
  readonly openIndex?: (path: string) => Promise<IndexDatabase | undefined>
}

/**
 * The index may be missing, deleted or damaged at any time: it is made again from the journals in the background, one
 * conversation after the other, and until then list and search read the journals.
 */
export class JournalHistory implements ConversationList, Disposable {
  readonly #options: JournalHistoryOptions
  readonly #changed = new Emitter<void>()
  readonly #known = new Map<string, IndexRow>()
  readonly #end = new AbortController()
  /** Journals of a later version, by conversation, with the time of the file. */
  readonly #later = new Map<string, number>()
  #opening: Promise<IndexDatabase | undefined> | undefined
  #isComplete = false
  #isWanted = false
  /** When the index was last brought up to date. */
  #updatedAt = Number.NEGATIVE_INFINITY
  #rebuilds = 0
  #updating: Promise<void> | undefined

  constructor(options: JournalHistoryOptions) {
    this.#options = options
  }

  readonly onDidChange: Event<void> = this.#changed.event

  async list(filter: ConversationFilter, signal: AbortSignal): Promise<readonly ConversationSummary[]> {
    const indexed = await this.#fromIndex(index => index.list(filter))
    this.#refreshIfOld()
    const summaries = indexed ?? (await this.#summaries(signal)).filter(summary => isListed(summary, filter))
    return summaries.sort(inListOrder)
  }

  async search(text: string, filter: ConversationFilter, signal: AbortSignal): Promise<readonly SearchHit[]> {
    const words = searchWords(text)
    if (words.length === 0) return []
    const indexed = await this.#fromIndex(index => indexHits(index, words, filter))
    this.#refreshIfOld()
    return indexed ?? (await this.#searchJournals(words, filter, signal))
  }

  get laterCount(): number {
    return this.#later.size
  }

  async refreshOne(conversation: string, signal: AbortSignal): Promise<void> {
    const entry = await this.#options.journals.entry(conversation)
    const read = entry && (await this.#read(entry, signal))
    if (read) await this.#fromIndex(index => index.put([read]))
    this.#changed.fire()
  }

  refresh(): void {
    this.#isWanted = true
    this.#updating ??= this.#update().finally(() => {
      this.#updating = undefined
    })
  }

  /** Not for each key of a search. */
  #refreshIfOld(): void {
    const age = this.#options.journals.now() - this.#updatedAt
    if (age < 0 || age >= FRESH_MS) this.refresh()
  }

  /** Resolves when the index has been brought up to date, or there is none. */
  async updated(): Promise<void> {
    this.refresh()
    await this.#updating
  }

  /** The answer of the index; undefined where it is incomplete or fails. */
  async #fromIndex<T>(ask: (index: IndexDatabase) => T): Promise<T | undefined> {
    const index = await this.#index()
    if (!index || !this.#isComplete) return undefined
    try {
      return ask(index)
    } catch (fault) {
      await this.#afterFault(fault)
      return undefined
    }
  }

  async #summaries(signal: AbortSignal): Promise<ConversationSummary[]> {
    const entries = await this.#options.journals.entries()
    const found = await inBatches(
      entries,
      async entry => this.#stillKnown(entry) ?? (await this.#read(entry, signal))?.summary,
    )
    return found.flatMap(summary => summary ?? [])
  }

  async #searchJournals(words: readonly string[], filter: ConversationFilter, signal: AbortSignal) {
    const entries = [...(await this.#options.journals.entries())].sort((a, b) => b.changedAt - a.changedAt)
    const search = async (entry: JournalEntry): Promise<SearchHit | undefined> => {
      if (!(await mayHaveWords(entry, words, signal))) return undefined
      const read = await this.#read(entry, signal)
      const found = read && isListed(read.summary, filter) && read.passages.find(({ text }) => hasWords(text, words))
      return found ? { summary: read.summary, turn: found.turn, excerpt: excerptOf(found.text, words) } : undefined
    }
    const hits = (await inBatches(entries, search, MOST_HITS)).flatMap(hit => hit ?? [])
    return hits.slice(0, MOST_HITS).sort((a, b) => b.summary.updatedAt - a.summary.updatedAt)
  }

  #stillKnown(entry: JournalEntry): ConversationSummary | undefined {
    const known = this.#known.get(entry.conversation)
    return isOf(entry, known) ? known?.summary : undefined
  }

  /** Reads a journal; undefined where it cannot be read, or only by a later version. */
  async #read(entry: JournalEntry, signal: AbortSignal): Promise<IndexedConversation | undefined> {
    throwIfAborted(signal)
    try {
      const state = await this.#stateOf(entry, signal)
      const { changedAt, sizeBytes } = entry
      const known = { summary: summaryOf(state, sizeBytes), changedAt }
      this.#known.set(entry.conversation, known)
      this.#later.delete(entry.conversation)
      return { ...known, passages: passagesOf(state) }
    } catch (fault) {
      throwIfAborted(signal)
      if (fault instanceof LaterJournalError) this.#later.set(entry.conversation, entry.changedAt)
      this.#options.log.debug('A conversation cannot be listed', { fault: faultText(fault) })
      return undefined
    }
  }

  async #stateOf({ conversation }: JournalEntry, signal: AbortSignal): Promise<ConversationState> {
    let state = emptyConversation(conversation)
    for await (const events of this.#options.journals.open(conversation).read(1, signal)) state = replay(events, state)
    return state
  }

  async #update(): Promise<void> {
    try {
      while (this.#isWanted && !this.#end.signal.aborted) {
        this.#isWanted = false
        await this.#updateOnce()
      }
    } catch (fault) {
      if (!this.#end.signal.aborted) await this.#afterFault(fault)
    }
  }

  async #updateOnce(): Promise<void> {
    const index = await this.#index()
    if (!index) return
    const rows = index.rows()
    const entries = await this.#options.journals.entries()
    const stale = entries.filter(entry => !isOf(entry, rows.get(entry.conversation)))
    await this.#putAll(stale, index)
    for (const { conversation } of entries) rows.delete(conversation)
    for (const gone of rows.keys()) index.remove(gone)
    const present = new Set(entries.map(entry => entry.conversation))
    for (const later of this.#later.keys()) if (!present.has(later)) this.#later.delete(later)
    await this.#removeDeleted(index)
    const hasChanged = !this.#isComplete || stale.length > 0
    if (!index.isComplete) index.complete()
    this.#isComplete = true
    this.#updatedAt = this.#options.journals.now()
    if (hasChanged || rows.size > 0) this.#changed.fire()
  }

  /** One that a window writes is removed another time. */
  async #removeDeleted(index: IndexDatabase): Promise<void> {
    const { journals, log } = this.#options
    const before = journals.now() - KEEP_DELETED_MS
    for (const conversation of index.deletedBefore(before)) {
      if (!(await journals.remove(conversation))) continue
      index.remove(conversation)
      log.info('A deleted conversation was removed')
    }
  }

  async #putAll(entries: readonly JournalEntry[], index: IndexDatabase): Promise<void> {
    let batch: IndexedConversation[] = []
    for (const entry of entries) {
      const read = await this.#read(entry, this.#end.signal)
      if (read) batch.push(read)
      else index.remove(entry.conversation)
      if (batch.length < BATCH_CONVERSATIONS && charsOf(batch) < BATCH_CHARS) continue
      index.put(batch)
      batch = []
      // So that other work of the window is not delayed.
      await turn()
    }
    index.put(batch)
  }

  #index(): Promise<IndexDatabase | undefined> {
    this.#opening ??= this.#openIndex()
    return this.#opening
  }

  get #indexPath(): string {
    return join(this.#options.journals.folder, 'index.sqlite')
  }

  async #openIndex(): Promise<IndexDatabase | undefined> {
    const { openIndex = IndexDatabase.open, journals, log } = this.#options
    if (!(await journals.exists())) {
      this.#opening = undefined
      return undefined
    }
    for (let attempt = 1; attempt <= 2; attempt++) {
      try {
        const index = await openIndex(this.#indexPath)
        this.#isComplete = index?.isComplete === true
        return index
      } catch (fault) {
        log.info('The index of conversations cannot be opened', { fault: faultText(fault) })
        if (isBusy(fault)) this.#opening = undefined
        if (isBusy(fault)) return undefined
        await this.#removeIndex()
      }
    }
    return undefined
  }

  /** Makes the index anew, unless it is only busy because another window writes it. */
  async #afterFault(fault: unknown): Promise<void> {
    if (isBusy(fault)) return
    const { log } = this.#options
    log.info('The index of conversations is made anew', { fault: faultText(fault) })
    const broken = await this.#opening
    this.#isComplete = false
    closeQuietly(broken)
    await this.#removeIndex()
    this.#rebuilds++
    this.#opening = this.#rebuilds > MOST_REBUILDS ? Promise.resolve(undefined) : undefined
  }

  async #removeIndex(): Promise<void> {
    const files = ['', '-wal', '-shm', '-journal'].map(ending => `${this.#indexPath}${ending}`)
    await Promise.all(files.map(file => rm(file, { force: true, recursive: true }).catch(() => {})))
  }

  /** Stops the update and closes the index. */
  async close(): Promise<void> {
    this.#end.abort()
    this.#changed.dispose()
    await this.#updating
    closeQuietly(await this.#opening)
  }

  dispose(): void {
    void this.close()
  }
}

/** Stops when there are `limit` results that are not undefined. */
async function inBatches<A, B>(
  all: readonly A[],
  work: (one: A) => Promise<B | undefined>,
  limit = Number.POSITIVE_INFINITY,
): Promise<(B | undefined)[]> {
  const results: (B | undefined)[] = []
  let count = 0
  for (let at = 0; at < all.length && count < limit; at += READ_AT_ONCE) {
    const batch = await Promise.all(all.slice(at, at + READ_AT_ONCE).map(work))
    results.push(...batch)
    count += batch.filter(result => result !== undefined).length
  }
  return results
}

/**
 * A look at the texts in the file as they are written, many times as fast as making a conversation of them. Words are
 * looked for in the joined texts, because the pieces of an answer cut them; it may find what is not there.
 */
async function mayHaveWords({ path, sizeBytes }: JournalEntry, words: readonly string[], signal: AbortSignal) {
  throwIfAborted(signal)
  if (sizeBytes > MOST_TEXT_BYTES) return true
  try {
    const lines = (await readFile(path, 'utf8')).split('\n').filter(line => !line.includes('"kind":"reasoning-delta"'))
    const texts = lines.flatMap(line => [...line.matchAll(/"text":"((?:[^"\\]|\\.)*)"/g)].map(([, text]) => text))
    const escaped = words.map(word => JSON.stringify(word).slice(1, -1))
    return hasWords(texts.join(''), escaped)
  } catch {
    // The reader reports it.
    return true
  }
}

/** Whether the row was made from the journal as it is now. */
function isOf({ changedAt, sizeBytes }: JournalEntry, row: IndexRow | undefined): boolean {
  return row?.changedAt === changedAt && row.summary.sizeBytes === sizeBytes
}

function charsOf(conversations: readonly IndexedConversation[]): number {
  const passages = conversations.flatMap(conversation => conversation.passages)
  return passages.reduce((sum, { text }) => sum + text.length, 0)
}

function indexHits(index: IndexDatabase, words: readonly string[], filter: ConversationFilter): SearchHit[] {
  const hits = new Map<string, SearchHit>()
  for (const { conversation, turn, text } of index.search(words)) {
    const summary = hits.has(conversation) ? undefined : index.summary(conversation)
    if (!summary || !isListed(summary, filter)) continue
    hits.set(conversation, { summary, turn, excerpt: excerptOf(text, words) })
    if (hits.size >= MOST_HITS) break
  }
  return [...hits.values()]
}

/** SQLITE_BUSY and SQLITE_LOCKED. */
function isBusy(fault: unknown): boolean {
  return fault instanceof Error && 'errcode' in fault && (fault.errcode === 5 || fault.errcode === 6)
}

function closeQuietly(index: IndexDatabase | undefined): void {
  try {
    index?.close()
  } catch {
    // It was closed already, or is damaged.
  }
}
