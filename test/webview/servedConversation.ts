// A conversation that a page shows, with the extension's own feed and search in between.
import { systemClock } from '../../src/base/clock.ts'
import { Emitter } from '../../src/base/event.ts'
import { ConversationFeed } from '../../src/editor/chat/conversationFeed.ts'
import { ConversationSearch } from '../../src/editor/chat/conversationSearch.ts'
import type { ConversationEvent, EventBody } from '../../src/protocol/conversation.ts'
import { type ConversationState, emptyConversation, reduce, replay } from '../../src/protocol/conversationState.ts'
import type { FromPage, ToPage } from '../../src/protocol/panel.ts'
import type { ChatPage } from './chatPage.ts'

export class ServedConversation {
  readonly id = 'c'
  /** How many turns were sent with their content on request. */
  turnsSent = 0
  readonly #chat: ChatPage
  readonly #appended = new Emitter<ConversationEvent>()
  readonly #feed: ConversationFeed
  readonly #search: ConversationSearch
  #state: ConversationState
  #sent: Promise<unknown> = Promise.resolve()

  constructor(chat: ChatPage, bodies: readonly EventBody[]) {
    this.#chat = chat
    const events = bodies.map((body, at) => ({ ...body, conversation: this.id, n: at + 1, time: at + 1 }))
    this.#state = replay(events, emptyConversation(this.id))
    const send = (message: ToPage) => this.#send(message)
    this.#feed = new ConversationFeed({ conversation: this, send, clock: systemClock })
    this.#search = new ConversationSearch({ conversation: this, send, clock: systemClock })
    void this.#serve('turns', ({ turns }) => this.#feed.sendTurns(turns))
    void this.#serve('find', ({ text, ...options }) => void this.#search.find(text, options))
    void this.#serve('drawn', () => this.#feed.onDrawn())
    void this.#serve('replay', () => this.#feed.replay())
  }

  get conversation(): ConversationState {
    return this.#state
  }

  readonly onDidAppend = this.#appended.event

  async flush(): Promise<void> {}

  /** Sends the conversation, and resolves when it is drawn. */
  async open(): Promise<void> {
    this.#feed.replay()
    await this.#chat.post()
    await this.#sent
  }

  async append(...bodies: readonly EventBody[]): Promise<void> {
    for (const body of bodies) {
      const { n } = this.#state
      const event: ConversationEvent = { ...body, conversation: this.id, n: n + 1, time: n + 1 }
      this.#state = reduce(this.#state, event)
      this.#appended.fire(event)
    }
    this.#feed.flush()
    await this.#sent
  }

  #send(message: ToPage): void {
    if (message.kind === 'turns') this.turnsSent += message.turns.length
    this.#sent = this.#chat.post(message).catch(() => {}) // the page may be gone at the end of a test
  }

  async #serve<K extends FromPage['kind']>(kind: K, answer: (message: Extract<FromPage, { kind: K }>) => void) {
    for (;;) answer(await this.#chat.received(kind))
  }
}

/** Questions and answers, one after the other. */
export function exchanges(count: number, answerOf: (at: number) => string): EventBody[] {
  return Array.from({ length: count }, (_, at) => {
    const turn = `t${at}`
    const parent = at > 0 ? { parent: `t${at - 1}` } : {}
    const prompt = [{ kind: 'text', id: `p${at}`, text: `Question ${at}` } as const]
    return [
      { kind: 'turn-started', turn, ...parent, origin: { is: 'new' }, prompt },
      { kind: 'step-started', turn, model: 'm' },
      { kind: 'part-started', turn, value: { kind: 'text', id: `a${at}`, text: answerOf(at) } },
      { kind: 'turn-ended', turn, state: 'done' },
    ] satisfies EventBody[]
  }).flat()
}
