// `ShownSession`: the conversation that one panel shows, and changing to another one.
import type { Disposable } from '../../base/disposable.ts'
import { Emitter, type Event } from '../../base/event.ts'
import type { Session } from './session.ts'

export interface ShownSessionOptions {
  /** Keeps the session open until the result is disposed. */
  readonly hold: (session: Session) => Disposable
  /** A new conversation; a new id if none is given. */
  readonly empty: (id?: string) => Session
  /** A stored conversation, or the session that is open already. Rejects if it cannot be read. */
  readonly load: (conversation: string, signal: AbortSignal) => Promise<Session>
}

/** `carriesDraft`: the user has not finished with the unsent text, so it goes along into the conversation. */
export interface OpenedSession {
  readonly session: Session
  readonly carriesDraft: boolean
}

/** The turn of a conversation that the panel leaves runs on; the history has its answer. */
export class ShownSession implements Disposable {
  readonly #options: ShownSessionOptions
  readonly #opened = new Emitter<OpenedSession>()
  #current: Session
  #hold: Disposable

  constructor(options: ShownSessionOptions) {
    this.#options = options
    this.#current = options.empty()
    this.#hold = options.hold(this.#current)
  }

  /** `current` is another conversation now. */
  readonly onDidOpen: Event<OpenedSession> = this.#opened.event

  get current(): Session {
    return this.#current
  }

  /** Nothing has been asked in `current`. */
  get isUnused(): boolean {
    return this.#current.length === 0 && !this.#current.isBusy
  }

  openNew({ carriesDraft = true } = {}): void {
    this.#show(this.#options.empty(), carriesDraft)
  }

  /** Opens a stored conversation. Rejects if it cannot be read. */
  async open(conversation: string, signal: AbortSignal): Promise<void> {
    if (conversation === this.#current.id) return
    this.#show(await this.#options.load(conversation, signal), false)
  }

  /**
   * Opens a stored conversation, unless the user has started another one meanwhile. Resolves with whether it was
   * opened; rejects if it cannot be read. `hasDraft`: it is opened even without events, for its unsent text; otherwise
   * it is left to the window that has begun it.
   */
  async resume(conversation: string, signal: AbortSignal, { hasDraft = false } = {}): Promise<boolean> {
    const before = this.#current
    if (before.id === conversation) return false
    const session = await this.#options.load(conversation, signal)
    const hasContent = session.length > 0 || hasDraft
    if (hasContent && this.#current === before && this.isUnused) {
      this.#show(session, true)
      return true
    }
    // Nobody else may hold it.
    this.#options.hold(session).dispose()
    return false
  }

  #show(session: Session, carriesDraft: boolean): void {
    const before = this.#hold
    this.#current = session
    this.#hold = this.#options.hold(session)
    before.dispose()
    this.#opened.fire({ session, carriesDraft })
  }

  dispose(): void {
    this.#opened.dispose()
    this.#hold.dispose()
  }
}
