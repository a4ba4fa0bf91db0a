// A journal that keeps its conversation in memory.
import { Emitter } from '../../src/base/event.ts'
import type { Journal, JournalTrouble } from '../../src/core/conversation/journal.ts'
import type { ConversationEvent } from '../../src/protocol/conversation.ts'
import { joinDeltas } from '../../src/protocol/joinDeltas.ts'

export class MemoryJournal implements Journal {
  readonly conversation: string
  readonly onDidFollow = new Emitter<readonly ConversationEvent[]>().event
  readonly onDidReleaseWriter = new Emitter<void>().event
  readonly #troubleChanged = new Emitter<void>()
  readonly onDidChangeTrouble = this.#troubleChanged.event
  damagedLines = 0
  #trouble: JournalTrouble | undefined
  #events: ConversationEvent[] = []
  #isWriter = false

  constructor(conversation: string) {
    this.conversation = conversation
  }

  get trouble(): JournalTrouble | undefined {
    return this.#trouble
  }

  /** As if it could no longer be written, or again. */
  setTrouble(trouble: JournalTrouble | undefined): void {
    this.#trouble = trouble
    this.#troubleChanged.fire()
  }

  get isWriter(): boolean {
    return this.#isWriter
  }

  async *load(): AsyncGenerator<readonly ConversationEvent[], void, void> {
    yield [...this.#events]
  }

  async *read(from: number): AsyncGenerator<readonly ConversationEvent[], void, void> {
    yield this.#events.filter(({ n }) => n >= from)
  }

  async claim(): Promise<boolean> {
    this.#isWriter = true
    return true
  }

  async release(): Promise<void> {
    this.#isWriter = false
  }

  async append(event: ConversationEvent): Promise<void> {
    const last = this.#events.at(-1)
    const both = last && joinDeltas(last, event)
    if (both) this.#events[this.#events.length - 1] = both
    else this.#events.push(event)
  }

  async flush(): Promise<void> {}

  async close(): Promise<void> {}
}
