// `ConversationLog`: one conversation in one window: numbers its events, writes its journal and computes its state.
import type { Clock } from '../../base/clock.ts'
import { type Disposable, DisposableStore } from '../../base/disposable.ts'
import { Emitter, type Event } from '../../base/event.ts'
import type { ConversationEvent, EventBody } from '../../protocol/conversation.ts'
import { runningTurns } from '../../protocol/conversationPath.ts'
import { type ConversationState, emptyConversation, Replay, reduce } from '../../protocol/conversationState.ts'
import { interruptions } from './interruptions.ts'
import { type Journal, type JournalTrouble, NotWriterError } from './journal.ts'

export interface ConversationLogOptions {
  readonly journal: Journal
  readonly clock: Clock
}

/**
 * A window that runs a turn claims the journal before it and releases it after it. Every other window follows the
 * journal, and marks turns as interrupted if the window that ran them has closed.
 */
export class ConversationLog implements Disposable {
  readonly #journal: Journal
  readonly #clock: Clock
  readonly #appended = new Emitter<ConversationEvent>()
  readonly #disposables = new DisposableStore()
  #state: ConversationState

  private constructor({ journal, clock }: ConversationLogOptions) {
    this.#journal = journal
    this.#clock = clock
    this.#state = emptyConversation(journal.conversation)
    this.#disposables.add(journal.onDidFollow(events => this.#accept(events)))
    this.#disposables.add(journal.onDidReleaseWriter(() => void this.#endInterrupted()))
  }

  /** A new conversation without a journal file. */
  static empty(options: ConversationLogOptions): ConversationLog {
    return new ConversationLog(options)
  }

  /**
   * Loads the journal. Turns that no window runs any more are marked as interrupted. Throws as `Journal.load`
   * does.
   */
  static async open(options: ConversationLogOptions, signal: AbortSignal): Promise<ConversationLog> {
    const log = new ConversationLog(options)
    const { journal } = options
    const replayed = new Replay(log.#state)
    for await (const events of journal.load(signal)) replayed.add(events)
    log.#state = replayed.end()
    await log.#endInterrupted()
    return log
  }

  get state(): ConversationState {
    return this.#state
  }

  /** Whether this window may append. */
  get isWriter(): boolean {
    return this.#journal.isWriter
  }

  /** Fires for every event, of this or another window, after the state has changed. */
  readonly onDidAppend: Event<ConversationEvent> = this.#appended.event

  /** How many lines of the journal could not be read. */
  get damagedLines(): number {
    return this.#journal.damagedLines
  }

  /** Why what happens is only in memory, because it cannot be written. */
  get trouble(): JournalTrouble | undefined {
    return this.#journal.trouble
  }

  get onDidChangeTrouble(): Event<void> {
    return this.#journal.onDidChangeTrouble
  }

  /** Becomes the writer, unless another window is; the state then includes all written events. */
  claim(): Promise<boolean> {
    return this.#journal.claim()
  }

  /** Lets other windows write. */
  release(): Promise<void> {
    return this.#journal.release()
  }

  /**
   * The state has changed and `onDidAppend` has fired when this returns; the promise resolves as `Journal.append` does.
   * Only for the writer. `time`: when it happened, if not now.
   */
  append(body: EventBody & { readonly time?: number }): Promise<void> {
    if (!this.#journal.isWriter) return Promise.reject(new NotWriterError('Another window writes this conversation'))
    const { conversation, n } = this.#state
    const event: ConversationEvent = { time: this.#clock.now(), ...body, conversation, n: n + 1 }
    const kept = this.#journal.append(event)
    this.#accept([event])
    return kept
  }

  /** The events from number `from` on, with deltas joined; for a page that is empty or has missed events. */
  events(from: number, signal: AbortSignal): AsyncIterable<readonly ConversationEvent[]> {
    return this.#journal.read(from, signal)
  }

  /** Writes the pending events. Resolves even if that fails. */
  flush(): Promise<void> {
    return this.#journal.flush()
  }

  #accept(events: readonly ConversationEvent[]): void {
    for (const event of events) {
      const before = this.#state
      this.#state = reduce(before, event)
      if (this.#state !== before) this.#appended.fire(event)
    }
  }

  async #endInterrupted(): Promise<void> {
    if (runningTurns(this.#state).length === 0 || this.#journal.isWriter) return
    if (!(await this.#journal.claim())) return
    await Promise.all(interruptions(this.#state).map(body => this.append(body)))
    await this.#journal.release()
  }

  /** Writes the pending events. What is appended after this call is not kept. */
  async close(): Promise<void> {
    await this.#journal.close()
  }

  dispose(): void {
    this.#disposables.dispose()
    this.#appended.dispose()
    void this.#journal.close()
  }
}
