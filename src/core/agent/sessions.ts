// `Sessions`: the conversation in front, and the way to another one.
import type { Disposable } from '../../base/disposable.ts'
import { Emitter, type Event } from '../../base/event.ts'
import { ConversationLog } from '../conversation/conversationLog.ts'
import type { Journal } from '../conversation/journal.ts'
import { Session, type SessionOptions } from './session.ts'

export interface SessionsOptions extends SessionOptions {
  /** The journal of a conversation, which need not exist yet. */
  readonly journal: (conversation: string) => Journal
}

/** A new conversation leaves the one before in the history. */
export class Sessions implements Disposable {
  readonly #options: SessionsOptions
  readonly #opened = new Emitter<Session>()
  readonly #moved = new Emitter<void>()
  #current: Session
  #following: Disposable

  constructor(options: SessionsOptions) {
    this.#options = options
    this.#current = this.#empty()
    this.#following = this.#follow(this.#current)
  }

  /** Another conversation is in front now. */
  readonly onDidOpen: Event<Session> = this.#opened.event

  /** The conversation in front is doing something else now. */
  readonly onDidMove: Event<void> = this.#moved.event

  get current(): Session {
    return this.#current
  }

  /** An empty conversation; a turn of the one before is stopped. */
  openNew(): void {
    this.#open(this.#empty())
  }

  /**
   * Puts a kept conversation in front, unless the user has begun another one meanwhile. Resolves with whether it did;
   * rejects where it cannot be read.
   */
  async goOnWith(conversation: string, signal: AbortSignal): Promise<boolean> {
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
    this.#following.dispose()
    this.#current.dispose()
    this.#current = session
    this.#following = this.#follow(session)
    this.#opened.fire(session)
  }

  #empty(): Session {
    const { journal, clock, newId } = this.#options
    return new Session(ConversationLog.empty({ journal: journal(newId()), clock }), this.#options)
  }

  #follow(session: Session): Disposable {
    return session.onDidMove(() => this.#moved.fire())
  }

  /** Keeps what has been said, and nothing that the end of the window stops from now on. */
  close(): Promise<void> {
    return this.#current.close()
  }

  dispose(): void {
    this.#following.dispose()
    this.#current.dispose()
    this.#opened.dispose()
    this.#moved.dispose()
  }
}
