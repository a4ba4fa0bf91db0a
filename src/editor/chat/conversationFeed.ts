// `ConversationFeed`: sends the events of one conversation to a page, all of them first and then each as it comes.
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

/** The conversation that a page shows. */
export interface FedConversation {
  readonly id: string
  readonly onDidAppend: Event<ConversationEvent>
  /** The number of the last event. */
  readonly length: number
  /** The events from number `from` on. */
  events(from: number, signal: AbortSignal): AsyncIterable<readonly ConversationEvent[]>
}

export interface ConversationFeedOptions {
  readonly conversation: FedConversation
  readonly send: (message: ToPage) => void
  readonly clock: Clock
  readonly log: Log
}

/** A screen shows no more than one change in so many milliseconds. */
const FRAME_MS = 16

/**
 * Pieces of an answer are joined to one message per frame; every other event is sent at once, behind the pieces before
 * it. What the page has already it ignores, and what it misses it asks for.
 */
export class ConversationFeed implements Disposable {
  readonly #options: ConversationFeedOptions
  readonly #listening: Disposable
  readonly #life = linkedAbort()
  #waiting: ConversationEvent[] = []
  #isReplaying = false
  #callOff: (() => void) | undefined

  constructor(options: ConversationFeedOptions) {
    this.#options = options
    this.#listening = options.conversation.onDidAppend(event => this.#add(event))
  }

  /** Sends what has happened from event number `from` on; from 1 on it replaces what the page shows. */
  async replay(from = 1): Promise<void> {
    const { conversation, log } = this.#options
    this.#isReplaying = true
    let isFirst = from === 1
    try {
      // A conversation without events is there at once: nothing has to be read.
      if (conversation.length > 0) {
        for await (const events of conversation.events(from, this.#life.signal)) {
          if (this.#life.signal.aborted) return
          this.#send(isFirst ? 'replay' : 'events', events)
          isFirst = false
        }
      }
    } catch (fault) {
      if (this.#life.signal.aborted) return
      log.warn('A conversation could not be read for the page', { fault: faultText(fault) })
    } finally {
      this.#isReplaying = false
    }
    if (isFirst) this.#send('replay', [])
    this.flush()
  }

  /** Sends what waits for the next frame. */
  flush(): void {
    if (this.#isReplaying || this.#waiting.length === 0) return
    const events = this.#waiting
    this.#waiting = []
    this.#send('events', events)
  }

  #add(event: ConversationEvent): void {
    this.#waiting.push(event)
    if (this.#callOff && isDelta(event)) return
    this.flush()
    this.#callOff ??= this.#options.clock.later(FRAME_MS, () => this.#nextFrame())
  }

  #nextFrame(): void {
    this.#callOff = undefined
    if (this.#waiting.length === 0) return
    this.flush()
    this.#callOff = this.#options.clock.later(FRAME_MS, () => this.#nextFrame())
  }

  #send(kind: 'replay' | 'events', events: readonly ConversationEvent[]): void {
    const { conversation, send } = this.#options
    // The schema of messages has mutable members; nobody changes an event.
    send({ kind, conversation: conversation.id, events: joinedEvents(events) } as ToPage)
  }

  dispose(): void {
    this.#listening.dispose()
    this.#callOff?.()
    this.#life.stop()
  }
}
