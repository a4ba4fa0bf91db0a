// All conversations; opens and closes them.
import type { Disposable } from '../../base/disposable.ts'
import { Emitter, type Event } from '../../base/event.ts'
import { Session, type SessionOptions } from './session.ts'

/** The open conversation. A new one leaves the old one in the history. */
export class Sessions implements Disposable {
  readonly #options: Omit<SessionOptions, 'id'>
  readonly #opened = new Emitter<Session>()
  #current: Session

  constructor(options: Omit<SessionOptions, 'id'>) {
    this.#options = options
    this.#current = this.#make()
  }

  /** Another conversation is on top now. */
  readonly onDidOpen: Event<Session> = this.#opened.event

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
    return new Session({ ...this.#options, id: this.#options.newId() })
  }

  dispose(): void {
    this.#current.dispose()
    this.#opened.dispose()
  }
}
