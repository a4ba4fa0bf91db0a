// `ConversationFeed`: sends the events of one conversation to a page: first all of them, then each new one.
import { linkedAbort } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import type { Event } from '../../base/event.ts'
import { faultText } from '../../base/fault.ts'
import type { Log } from '../../core/log/log.ts'
import type { ConversationEvent } from '../../protocol/conversation.ts'
import { isDelta } from '../../protocol/conversationState.ts'
import { joinedEvents } from '../../protocol/joinDeltas.ts'
import type { ToPage } from '../../protocol/panel.ts'

/** The part of a conversation that the feed reads. */
export interface ConversationSource {
  readonly id: string
  readonly onDidAppend: Event<ConversationEvent>
  /** The number of the last event. */
  readonly length: number
  /** The events from number `from` on. */
  events(from: number, signal: AbortSignal): AsyncIterable<readonly ConversationEvent[]>
  /** Resolves when all events so far are on disk, or cannot be written. */
  flush(): Promise<void>
}

export interface ConversationFeedOptions {
  readonly conversation: ConversationSource
  readonly send: (message: ToPage) => void
  readonly clock: Clock
  readonly log: Log
}

/** One frame of a screen with 60 Hz. */
const FRAME_MS = 16

/**
 * Delta events are joined to one message per frame; every other event is sent at once, after the deltas before it. A
 * prompt is sent when it is on disk, because the page then forgets its text. The page ignores events that it has and
 * requests those that it lacks.
 */
export class ConversationFeed implements Disposable {
  readonly #options: ConversationFeedOptions
  readonly #subscription: Disposable
  readonly #abort = linkedAbort()
  #pending: ConversationEvent[] = []
  #isReplaying = false
  /** How many prompts are being written. */
  #unwritten = 0
  #clearFrameTimer: (() => void) | undefined

  constructor(options: ConversationFeedOptions) {
    this.#options = options
    this.#subscription = options.conversation.onDidAppend(event => this.#add(event))
  }

  /** Sends the events from number `from` on; from 1 on they replace what the page shows. */
  async replay(from = 1): Promise<void> {
    const { conversation, log } = this.#options
    this.#isReplaying = true
    let isFirst = from === 1
    try {
      // A conversation without events has no file to read.
      if (conversation.length > 0) {
        for await (const events of conversation.events(from, this.#abort.signal)) {
          if (this.#abort.signal.aborted) return
          this.#send(isFirst ? 'replay' : 'events', events)
          isFirst = false
        }
      }
    } catch (fault) {
      if (this.#abort.signal.aborted) return
      log.warn('A conversation could not be read for the page', { fault: faultText(fault) })
    } finally {
      this.#isReplaying = false
    }
    if (isFirst) this.#send('replay', [])
    this.flush()
  }

  /** Sends the events that wait for the next frame. */
  flush(): void {
    if (this.#isReplaying || this.#unwritten > 0 || this.#pending.length === 0) return
    const events = this.#pending
    this.#pending = []
    this.#send('events', events)
  }

  #add(event: ConversationEvent): void {
    this.#pending.push(event)
    if (event.kind === 'turn-started') void this.#whenWritten()
    if (this.#clearFrameTimer && isDelta(event)) return
    this.flush()
    this.#clearFrameTimer ??= this.#options.clock.later(FRAME_MS, () => this.#nextFrame())
  }

  async #whenWritten(): Promise<void> {
    this.#unwritten++
    await this.#options.conversation.flush()
    this.#unwritten--
    if (!this.#abort.signal.aborted) this.flush()
  }

  #nextFrame(): void {
    this.#clearFrameTimer = undefined
    if (this.#pending.length === 0) return
    this.flush()
    this.#clearFrameTimer = this.#options.clock.later(FRAME_MS, () => this.#nextFrame())
  }

  #send(kind: 'replay' | 'events', events: readonly ConversationEvent[]): void {
    const { conversation, send } = this.#options
    // as: the schema infers mutable arrays, and no reader changes an event.
    send({ kind, conversation: conversation.id, events: joinedEvents(events) } as ToPage)
  }

  dispose(): void {
    this.#subscription.dispose()
    this.#clearFrameTimer?.()
    this.#abort.stop()
  }
}
