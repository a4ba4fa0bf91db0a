// All conversations; opens and closes them.
import type { Disposable } from '../../base/disposable.ts'
import { Emitter, type Event } from '../../base/event.ts'
import type { ChatMessage } from './history.ts'
import { Session, type SessionOptions } from './session.ts'

/** The open conversation. A new one leaves the old one in the history. */
export class Sessions implements Disposable {
  readonly #options: Omit<SessionOptions, 'id'>
  readonly #opened = new Emitter<Session>()
  readonly #moved = new Emitter<void>()
  #current: Session

  constructor(options: Omit<SessionOptions, 'id'>) {
    this.#options = options
    this.#current = this.#make()
  }

  /** Another conversation is on top now. */
  readonly onDidOpen: Event<Session> = this.#opened.event

  /** The open conversation is doing something else now. */
  readonly onDidMove: Event<void> = this.#moved.event

  get current(): Session {
    return this.#current
  }

  /** An empty conversation; the one before is stopped if it was still answering. */
  openNew(): void {
    this.#open(this.#make())
  }

  /** The current conversation goes on with these messages, unless the user has begun another one meanwhile. */
  goOnWith(chat: string, messages: readonly ChatMessage[]): void {
    const { id, messages: own } = this.#current
    if (id === chat && own.length === 0 && messages.length > 0) this.#open(this.#make(id, messages))
  }

  #open(session: Session): void {
    this.#current.dispose()
    this.#current = session
    this.#opened.fire(session)
  }

  #make(id = this.#options.newId(), messages: readonly ChatMessage[] = []): Session {
    const session = new Session({ ...this.#options, id }, messages)
    session.onDidChange(change => change.is === 'state' && this.#moved.fire())
    return session
  }

  dispose(): void {
    this.#current.dispose()
    this.#opened.dispose()
    this.#moved.dispose()
  }
}
