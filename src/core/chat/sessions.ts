// All conversations; opens and closes them.
import type { Disposable } from '../../base/disposable.ts'
import { Emitter, type Event } from '../../base/event.ts'
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
    this.#current.dispose()
    this.#current = this.#make()
    this.#opened.fire(this.#current)
  }

  #make(): Session {
    const session = new Session({ ...this.#options, id: this.#options.newId() })
    session.onDidChange(change => change.is === 'state' && this.#moved.fire())
    return session
  }

  dispose(): void {
    this.#current.dispose()
    this.#opened.dispose()
    this.#moved.dispose()
  }
}
