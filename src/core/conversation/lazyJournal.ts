// `LazyJournal`: a `Journal` that loads its implementation when it is first read or written.
import { Emitter, type Event } from '../../base/event.ts'
import { lazy } from '../../base/lazy.ts'
import type { ConversationEvent } from '../../protocol/conversation.ts'
import { type Journal, type JournalTrouble, NotWriterError } from './journal.ts'

export class LazyJournal implements Journal {
  readonly conversation: string
  readonly #followed = new Emitter<readonly ConversationEvent[]>()
  readonly #released = new Emitter<void>()
  readonly #troubleChanged = new Emitter<void>()
  readonly #make: () => Promise<Journal>
  #journal: Journal | undefined
  #loading: Promise<Journal> | undefined
  #isClosed = false

  constructor(conversation: string, make: () => Promise<Journal>) {
    this.conversation = conversation
    this.#make = lazy(async () => this.#forward(await make()))
  }

  readonly onDidFollow: Event<readonly ConversationEvent[]> = this.#followed.event
  readonly onDidReleaseWriter: Event<void> = this.#released.event
  readonly onDidChangeTrouble: Event<void> = this.#troubleChanged.event

  get isWriter(): boolean {
    return this.#journal?.isWriter ?? false
  }

  get damagedLines(): number {
    return this.#journal?.damagedLines ?? 0
  }

  get trouble(): JournalTrouble | undefined {
    return this.#journal?.trouble
  }

  async *load(signal: AbortSignal): AsyncGenerator<readonly ConversationEvent[], void, void> {
    const journal = await this.#load()
    yield* journal.load(signal)
  }

  /** What was neither loaded nor appended has no events, so that an empty conversation reads nothing. */
  async *read(from: number, signal: AbortSignal): AsyncGenerator<readonly ConversationEvent[], void, void> {
    const journal = await this.#loading
    if (journal) yield* journal.read(from, signal)
  }

  async claim(): Promise<boolean> {
    if (this.#isClosed) return false
    const journal = await this.#load()
    return journal.claim()
  }

  async release(): Promise<void> {
    const journal = await this.#loading
    await journal?.release()
  }

  append(event: ConversationEvent): Promise<void> {
    if (this.#journal) return this.#journal.append(event)
    return Promise.reject(new NotWriterError(`This window has not claimed ${this.conversation}`))
  }

  async flush(): Promise<void> {
    const journal = await this.#loading
    await journal?.flush()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const journal = await this.#loading?.catch(() => undefined)
    await journal?.close()
  }

  #load(): Promise<Journal> {
    this.#loading = this.#make()
    return this.#loading
  }

  #forward(journal: Journal): Journal {
    this.#journal = journal
    journal.onDidFollow(events => this.#followed.fire(events))
    journal.onDidReleaseWriter(() => this.#released.fire())
    journal.onDidChangeTrouble(() => this.#troubleChanged.fire())
    return journal
  }
}
