// `Sessions`: the conversation that this window shows, and changing to another one.
import type { Disposable } from '../../base/disposable.ts'
import { Emitter, type Event } from '../../base/event.ts'
import { ConversationLog } from '../conversation/conversationLog.ts'
import type { Journal } from '../conversation/journal.ts'
import { Session, type SessionOptions } from './session.ts'

export interface SessionsOptions extends SessionOptions {
  /** The journal of a conversation; its file need not exist yet. */
  readonly journal: (conversation: string) => Journal
}

export class Sessions implements Disposable {
  readonly #options: SessionsOptions
  readonly #opened = new Emitter<Session>()
  readonly #stateChanged = new Emitter<void>()
  #current: Session
  #subscription: Disposable

  constructor(options: SessionsOptions) {
    this.#options = options
    this.#current = this.#empty()
    this.#subscription = this.#subscribe(this.#current)
  }

  /** `current` is another conversation now. */
  readonly onDidOpen: Event<Session> = this.#opened.event

  /** The state of `current` has changed. */
  readonly onDidChangeState: Event<void> = this.#stateChanged.event

  get current(): Session {
    return this.#current
  }

  /**
   * Opens an empty conversation. A running turn of the previous one is stopped; the previous one stays in the history.
   */
  openNew(): void {
    this.#open(this.#empty())
  }

  /**
   * Opens a stored conversation, unless the user has started another one meanwhile. Resolves with whether it was
   * opened; rejects if it cannot be read.
   */
  async resume(conversation: string, signal: AbortSignal): Promise<boolean> {
    const before = this.#current
    const { journal, clock } = this.#options
    const log = await ConversationLog.open({ journal: journal(conversation), clock }, signal)
    if (this.#current === before && before.length === 0 && !before.isBusy && log.state.n > 0) {
      this.#open(new Session(log, this.#options))
      return true
    }
    log.dispose()
    return false
  }

  #open(session: Session): void {
    this.#subscription.dispose()
    this.#current.dispose()
    this.#current = session
    this.#subscription = this.#subscribe(session)
    this.#opened.fire(session)
  }

  #empty(): Session {
    const { journal, clock, newId } = this.#options
    return new Session(ConversationLog.empty({ journal: journal(newId()), clock }), this.#options)
  }

  #subscribe(session: Session): Disposable {
    return session.onDidChangeState(() => this.#stateChanged.fire())
  }

  /** Writes all events so far. What is appended after this call is not kept. */
  close(): Promise<void> {
    return this.#current.close()
  }

  dispose(): void {
    this.#subscription.dispose()
    this.#current.dispose()
    this.#opened.dispose()
    this.#stateChanged.dispose()
  }
}
