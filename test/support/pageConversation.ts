// A conversation as the extension sends it to the page, made from what should be drawn.
import type { ConversationEvent, EventBody } from '../../src/protocol/conversation.ts'
import { type ConversationState, emptyConversation, replay, type Turn } from '../../src/protocol/conversationState.ts'
import { windowOf } from '../../src/protocol/conversationWindow.ts'
import type { ToPage } from '../../src/protocol/panel.ts'

type Prompt = NonNullable<Extract<EventBody, { kind: 'turn-started' }>['prompt']>

/** A message as a reader sees it; `id` is that of the turn for an answer. */
export type Drawn =
  | { readonly role: 'user'; readonly text: string; readonly id?: string; readonly parts?: Prompt }
  | {
      readonly role: 'assistant'
      readonly id: string
      readonly text: string
      readonly state: 'whole' | 'streaming' | 'cut-off' | 'stopped' | 'interrupted' | 'length' | 'filtered' | 'refused'
      readonly earlier?: readonly string[]
    }

const ends = {
  whole: 'done',
  'cut-off': 'failed',
  stopped: 'stopped',
  interrupted: 'interrupted',
  length: 'length',
  filtered: 'filtered',
  refused: 'refused',
} as const

export class PageConversation {
  readonly id: string
  readonly #isWhole: (state: ConversationState) => (turn: Turn) => boolean
  #n = 0
  #turns = 0

  /** `isWhole`: which turns have their content; by default all. */
  constructor(id = 'c', isWhole: (state: ConversationState) => (turn: Turn) => boolean = () => () => true) {
    this.id = id
    this.#isWhole = isWhole
  }

  /** The whole conversation. A question without an answer is a turn that is still running. */
  replay(...messages: readonly Drawn[]): ToPage {
    this.#n = 0
    let parent: string | undefined
    const events = turnsIn(messages).flatMap(([question, answer]) => {
      const turn = answer?.id ?? question?.id ?? `turn${++this.#turns}`
      const bodies = bodiesOf(turn, parent, question, answer)
      parent = turn
      return bodies
    })
    const state = replay(
      events.map(body => this.#numbered(body)),
      emptyConversation(this.id),
    )
    return { kind: 'replay', conversation: this.id, window: windowOf(state, this.#isWhole(state)) }
  }

  /** A piece of the answer of this turn, from character `offset` on. */
  delta(offset: number, text: string, turn = 'a'): Extract<ToPage, { kind: 'events' }> {
    return this.append({ kind: 'text-delta', turn, part: `${turn}-text`, offset, text })
  }

  append(...bodies: readonly EventBody[]): Extract<ToPage, { kind: 'events' }> {
    return { kind: 'events', conversation: this.id, events: bodies.map(body => this.#numbered(body)) }
  }

  /** As if so many events had been lost on the way. */
  skip(count = 1): void {
    this.#n += count
  }

  /** The number of the next event. */
  get next(): number {
    return this.#n + 1
  }

  #numbered(body: EventBody): Mutable<ConversationEvent> {
    // The schema of the page's messages has mutable members; nothing changes them.
    return { ...body, conversation: this.id, n: ++this.#n, time: this.#n } as Mutable<ConversationEvent>
  }
}

type Mutable<T> = T extends object ? { -readonly [K in keyof T]: Mutable<T[K]> } : T
type Question = Extract<Drawn, { role: 'user' }>
type Answer = Extract<Drawn, { role: 'assistant' }>

function turnsIn(messages: readonly Drawn[]): [Question | undefined, Answer | undefined][] {
  const turns: [Question | undefined, Answer | undefined][] = []
  for (const message of messages) {
    const last = turns.at(-1)
    if (message.role === 'user') turns.push([message, undefined])
    else if (last && !last[1]) last[1] = message
    else turns.push([undefined, message])
  }
  return turns
}

function bodiesOf(turn: string, parent: string | undefined, question?: Question, answer?: Answer): EventBody[] {
  const text = question ? [{ kind: 'text', id: `${turn}-words`, text: question.text } as const] : []
  const prompt = [...text, ...(question?.parts ?? [])]
  const earlier = answer?.earlier ?? []
  const first = earlier.length > 0 ? `${turn}-0` : turn
  const attempts = earlier.flatMap((text, at): EventBody[] => [
    started(`${turn}-${at}`, parent, at === 0 ? { prompt } : { of: first }),
    ...textAnswer(`${turn}-${at}`, text),
    { kind: 'turn-ended', turn: `${turn}-${at}`, state: 'failed' },
  ])
  const last = started(turn, parent, earlier.length > 0 ? { of: first } : { prompt })
  if (!answer) return [last]
  const words = textAnswer(turn, answer.text)
  const end = answer.state === 'streaming' ? [] : [{ kind: 'turn-ended', turn, state: ends[answer.state] } as const]
  return [...attempts, last, ...words, ...end]
}

function started(
  turn: string,
  parent: string | undefined,
  how: { readonly prompt: Extract<EventBody, { kind: 'turn-started' }>['prompt'] } | { readonly of: string },
): EventBody {
  const after = parent === undefined ? {} : { parent }
  return 'of' in how
    ? { kind: 'turn-started', turn, ...after, origin: { is: 'retry', of: how.of } }
    : { kind: 'turn-started', turn, ...after, origin: { is: 'new' }, ...(how.prompt && { prompt: how.prompt }) }
}

function textAnswer(turn: string, text: string): EventBody[] {
  return [
    { kind: 'step-started', turn, model: 'm' },
    { kind: 'part-started', turn, value: { kind: 'text', id: `${turn}-text`, text } },
  ]
}
