// `Sessions`: the open conversations of this window, which its panels share.
import { type Disposable, DisposableStore } from '../../base/disposable.ts'
import { Emitter, type Event } from '../../base/event.ts'
import { ConversationLog } from '../conversation/conversationLog.ts'
import type { TimedBody } from '../conversation/copiedEvents.ts'
import type { Journal } from '../conversation/journal.ts'
import { pathEvents } from '../conversation/pathEvents.ts'
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

const listedFacts: readonly string[] = ['turn-started', 'title', 'pinned', 'archived', 'deleted']

/**
 * Panels that show the same conversation share one session. A session that no panel shows stays open until its turn has
 * ended.
 */
export class Sessions implements Disposable {
  readonly #options: SessionsOptions
  readonly #opened = new Emitter<Session>()
  readonly #stateChanged = new Emitter<Session>()
  readonly #factsChanged = new Emitter<Session>()
  readonly #questionsChanged = new Emitter<void>()
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

  /** What a list of open conversations shows of one has changed: its first question, its title or a flag. */
  readonly onDidChangeFacts: Event<Session> = this.#factsChanged.event

  /** What the turns ask the user has changed. */
  readonly onDidChangeQuestions: Event<void> = this.#questionsChanged.event

  /** A conversation whose turn asks the user something, the one in front first. */
  get asking(): Session | undefined {
    return [this.current, ...this.all].find(({ questions }) => questions.open.length > 0)
  }

  /** How many questions wait in all conversations. */
  get questionCount(): number {
    return this.all.reduce((sum, { questions }) => sum + questions.open.length, 0)
  }

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

  /** Opens a conversation for the time of `work` without showing it. Rejects if it cannot be read. */
  async use<T>(conversation: string, work: (session: Session) => Promise<T>, signal: AbortSignal): Promise<T> {
    const session = await this.#load(conversation, signal)
    const hold = this.#hold(session)
    try {
      return await work(session)
    } finally {
      hold.dispose()
    }
  }

  /**
   * Makes a conversation of these events, open for the time of `work`, so that it can be shown also if it cannot be
   * written. One that exists already stays as it is.
   */
  add<T>(conversation: string, events: readonly TimedBody[], work: (session: Session) => Promise<T>): Promise<T> {
    const fill = async (session: Session) => {
      if (session.length === 0) await session.record(...events)
      return work(session)
    }
    return this.use(conversation, fill, new AbortController().signal)
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
    const subscription = new DisposableStore()
    const added: OpenSession = { session, subscription, holders: 0 }
    subscription.add(
      session.onDidChangeState(() => {
        this.#stateChanged.fire(session)
        this.#closeUnused(added)
      }),
    )
    subscription.add(
      session.onDidAppend(({ kind }) => {
        if (listedFacts.includes(kind)) this.#factsChanged.fire(session)
      }),
    )
    subscription.add(session.questions.onDidChange(() => this.#questionsChanged.fire()))
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
    this.#factsChanged.dispose()
    this.#questionsChanged.dispose()
    for (const { session, subscription } of this.#open.values()) {
      subscription.dispose()
      session.dispose()
    }
    this.#open.clear()
  }
}
