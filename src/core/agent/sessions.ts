// `Sessions`: the open conversations of this window, which its panels share.
import type { Disposable } from '../../base/disposable.ts'
import { Emitter, type Event } from '../../base/event.ts'
import { ConversationLog } from '../conversation/conversationLog.ts'
import type { Journal } from '../conversation/journal.ts'
import { pathEvents } from '../conversation/turnEvents.ts'
import { Session, type SessionOptions } from './session.ts'
import { ShownSession } from './shownSession.ts'

export interface SessionsOptions extends SessionOptions {
  /** The journal of a conversation; its file need not exist yet. */
  readonly journal: (conversation: string) => Journal
}

interface OpenSession {
  readonly session: Session
  readonly subscription: Disposable
  /** How many panels show it. */
  holders: number
}

/**
 * Panels that show the same conversation share one session. A session that no panel shows stays open until its turn has
 * ended.
 */
export class Sessions implements Disposable {
  readonly #options: SessionsOptions
  readonly #opened = new Emitter<Session>()
  readonly #stateChanged = new Emitter<Session>()
  readonly #open = new Map<string, OpenSession>()
  readonly #opening = new Map<string, Promise<Session>>()
  #front: ShownSession

  constructor(options: SessionsOptions) {
    this.#options = options
    this.#front = this.show()
  }

  /** `current` is another conversation now. */
  readonly onDidOpen: Event<Session> = this.#opened.event

  /** The state of an open conversation has changed. */
  readonly onDidChangeState: Event<Session> = this.#stateChanged.event

  /** The conversation of the panel in front. */
  get current(): Session {
    return this.#front.current
  }

  /** The panel in front. At first it is that of the side bar, whether or not its view has been shown. */
  get front(): ShownSession {
    return this.#front
  }

  get all(): readonly Session[] {
    return [...this.#open.values()].map(({ session }) => session)
  }

  /** A further panel; it shows an empty conversation. */
  show(): ShownSession {
    const shown = new ShownSession({
      hold: session => this.#hold(session),
      empty: id => this.#empty(id),
      load: (conversation, signal) => this.#load(conversation, signal),
    })
    shown.onDidOpen(({ session }) => {
      if (shown === this.#front) this.#opened.fire(session)
    })
    return shown
  }

  bringToFront(shown: ShownSession): void {
    if (shown === this.#front) return
    const before = this.current
    this.#front = shown
    if (this.current !== before) this.#opened.fire(this.current)
  }

  /** Stores a copy of the conversation up to the end of the turn, and resolves with its id. */
  async fork(session: Session, turn: string): Promise<string> {
    const { newId, workspace } = this.#options
    const copy = this.#empty(newId())
    const { id: conversation } = session
    const created = { kind: 'created', forkOf: { conversation, turn }, ...(workspace && { workspace }) } as const
    await copy.record(created, ...pathEvents(session.conversation, turn))
    copy.dispose()
    return copy.id
  }

  #hold(session: Session): Disposable {
    const known = this.#open.get(session.id) ?? this.#add(session)
    known.holders++
    return {
      dispose: () => {
        known.holders--
        this.#closeUnused(known)
      },
    }
  }

  #add(session: Session): OpenSession {
    const subscription = session.onDidChangeState(() => {
      this.#stateChanged.fire(session)
      this.#closeUnused(added)
    })
    const added: OpenSession = { session, subscription, holders: 0 }
    this.#open.set(session.id, added)
    return added
  }

  #closeUnused(open: OpenSession): void {
    const { session, subscription, holders } = open
    if (holders > 0 || session.isBusy || this.#open.get(session.id) !== open) return
    this.#open.delete(session.id)
    subscription.dispose()
    session.dispose()
  }

  #empty(id = this.#options.newId()): Session {
    const { journal, clock } = this.#options
    return new Session(ConversationLog.empty({ journal: journal(id), clock }), this.#options)
  }

  /** Rejects if the conversation cannot be read. One that is loaded twice at the same time is loaded once. */
  async #load(conversation: string, signal: AbortSignal): Promise<Session> {
    const open = this.#open.get(conversation)?.session
    if (open) return open
    const opening = this.#opening.get(conversation) ?? this.#read(conversation, signal)
    this.#opening.set(conversation, opening)
    try {
      return await opening
    } finally {
      this.#opening.delete(conversation)
    }
  }

  async #read(conversation: string, signal: AbortSignal): Promise<Session> {
    const { journal, clock } = this.#options
    return new Session(await ConversationLog.open({ journal: journal(conversation), clock }, signal), this.#options)
  }

  /** Writes all events so far. What is appended after this call is not kept. */
  async close(): Promise<void> {
    await Promise.all(this.all.map(session => session.close()))
  }

  dispose(): void {
    this.#opened.dispose()
    this.#stateChanged.dispose()
    for (const { session, subscription } of this.#open.values()) {
      subscription.dispose()
      session.dispose()
    }
    this.#open.clear()
  }
}
