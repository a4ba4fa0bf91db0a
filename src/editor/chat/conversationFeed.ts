// `ConversationFeed`: sends one conversation to a page: first a window, then each event, and more content on request.
import { linkedAbort } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import type { Event } from '../../base/event.ts'
import type { ConversationEvent } from '../../protocol/conversation.ts'
import { type ConversationState, isDelta, turnOf } from '../../protocol/conversationState.ts'
import { joinedEvents } from '../../protocol/joinDeltas.ts'
import type { ToPage } from '../../protocol/panel.ts'
import { windowMessage } from './firstMessages.ts'

/** The part of a conversation that the feed reads. */
export interface ConversationSource {
  readonly id: string
  readonly onDidAppend: Event<ConversationEvent>
  readonly conversation: ConversationState
  /** Resolves when all events so far are on disk, or cannot be written. */
  flush(): Promise<void>
}

export interface ConversationFeedOptions {
  readonly conversation: ConversationSource
  readonly send: (message: ToPage) => void
  readonly clock: Clock
}

/** One frame of a screen with 60 Hz. */
const FRAME_MS = 16
/** So many messages are sent before the page has to confirm that it has drawn some of them. */
const UNCONFIRMED = 4
/** A page that is hidden confirms nothing. */
const CONFIRM_LIMIT_MS = 1_000

/**
 * Delta events are joined to one message per frame, or to a larger one while the page is behind; every other event is
 * sent at once, after the deltas before it. A prompt is sent when it is on disk, because the page then forgets its text.
 * The page ignores events that it has and requests a window if it lacks some.
 */
export class ConversationFeed implements Disposable {
  readonly #options: ConversationFeedOptions
  readonly #subscription: Disposable
  readonly #abort = linkedAbort()
  #pending: ConversationEvent[] = []
  #isWindowDue = false
  readonly #wantedTurns = new Set<string>()
  /** How many prompts are being written. */
  #unwritten = 0
  #sinceConfirmed = 0
  #isConfirmDue = false
  #clearFrameTimer: (() => void) | undefined

  constructor(options: ConversationFeedOptions) {
    this.#options = options
    this.#subscription = options.conversation.onDidAppend(event => this.#add(event))
  }

  /** Sends a window, which replaces what the page shows. */
  replay(): void {
    this.#isWindowDue = true
    this.#confirmed()
    this.flush()
  }

  /** Sends the content of these turns. */
  sendTurns(ids: readonly string[]): void {
    for (const id of ids) this.#wantedTurns.add(id)
    this.flush()
  }

  /** The page has drawn what asked for a confirmation. */
  onDrawn(): void {
    const wasBehind = this.#isBehind
    this.#confirmed()
    if (!wasBehind) return
    this.#clearFrameTimer?.()
    this.#nextFrame()
  }

  /** Sends everything that waits. The content of turns comes last, so that page and content are of the same event. */
  flush(): void {
    if (this.#unwritten > 0) return
    const events = this.#pending
    this.#pending = []
    if (this.#isWindowDue) this.#sendWindow()
    else if (events.length > 0) this.#sendEvents(events)
    if (this.#wantedTurns.size > 0) this.#sendWantedTurns()
  }

  #add(event: ConversationEvent): void {
    this.#pending.push(event)
    if (event.kind === 'turn-started') void this.#whenWritten()
    if (this.#clearFrameTimer && isDelta(event)) return
    this.flush()
    this.#setFrameTimer()
  }

  async #whenWritten(): Promise<void> {
    this.#unwritten++
    await this.#options.conversation.flush()
    this.#unwritten--
    if (!this.#abort.signal.aborted) this.flush()
  }

  #nextFrame(): void {
    this.#clearFrameTimer = undefined
    if (this.#isBehind) this.#confirmed()
    if (this.#pending.length === 0) return
    this.flush()
    this.#setFrameTimer()
  }

  /** While the page is behind, its confirmation ends the wait. */
  #setFrameTimer(): void {
    const ms = this.#isBehind ? CONFIRM_LIMIT_MS : FRAME_MS
    this.#clearFrameTimer ??= this.#options.clock.later(ms, () => this.#nextFrame())
  }

  get #isBehind(): boolean {
    return this.#isConfirmDue && this.#sinceConfirmed >= 2 * UNCONFIRMED
  }

  #confirmed(): void {
    this.#sinceConfirmed = 0
    this.#isConfirmDue = false
  }

  #sendWindow(): void {
    this.#isWindowDue = false
    this.#options.send(windowMessage(this.#options.conversation))
  }

  #sendEvents(events: readonly ConversationEvent[]): void {
    const { conversation, send } = this.#options
    this.#sinceConfirmed++
    const confirm = this.#sinceConfirmed === UNCONFIRMED
    if (confirm) this.#isConfirmDue = true
    const message = { kind: 'events', conversation: conversation.id, events: joinedEvents(events) }
    // as: the schema infers mutable arrays, and no reader changes an event.
    send({ ...message, ...(confirm && { confirm }) } as ToPage)
  }

  #sendWantedTurns(): void {
    const { id, conversation } = this.#options.conversation
    const turns = [...this.#wantedTurns].flatMap(turn => turnOf(conversation, turn) ?? [])
    this.#wantedTurns.clear()
    // as: as above.
    this.#options.send({ kind: 'turns', conversation: id, n: conversation.n, turns } as unknown as ToPage)
  }

  dispose(): void {
    this.#subscription.dispose()
    this.#clearFrameTimer?.()
    this.#abort.stop()
  }
}
