// The page's state and the one function that changes it.
import { type ReadonlySignal, type Signal, signal } from '@preact/signals'
import * as z from 'zod/mini'
import type { Clock } from '../../base/clock.ts'
import { never } from '../../base/fault.ts'
import { pathIds } from '../../protocol/conversationPath.ts'
import {
  type ConversationState,
  emptyConversation,
  missesEvents,
  reduce as reduceConversation,
  replay,
} from '../../protocol/conversationState.ts'
import type { FromPage, Notice, PanelAccount, PanelActivity, ToPage } from '../../protocol/panel.ts'
import type { Remedy } from '../../protocol/remedy.ts'
import { type Message, messagesOf } from './messages.ts'

export interface PageState {
  readonly account: PanelAccount
  readonly conversation: ConversationState
  /** What is drawn of the conversation; as of the last frame. */
  readonly messages: readonly Message[]
  readonly activity: PanelActivity
  readonly model: string | undefined
  readonly sendOnEnter: boolean
  /** What is left out in this window, and why. */
  readonly limits: Notice | undefined
  /** How often the keyboard was asked for. */
  readonly focusCount: number
  /** Events are missing; nothing is added until they have come. */
  readonly isLost: boolean
}

export const firstState: PageState = {
  account: { is: 'unknown' },
  conversation: emptyConversation(''),
  messages: [],
  activity: { is: 'idle' },
  model: undefined,
  sendOnEnter: true,
  limits: undefined,
  focusCount: 0,
  isLost: false,
}

export function reduce(state: PageState, message: ToPage): PageState {
  switch (message.kind) {
    case 'account':
      return { ...state, account: message.account }
    case 'replay':
      return { ...state, conversation: replay(message.events, emptyConversation(message.conversation)), isLost: false }
    case 'events':
      return withEvents(state, message)
    case 'activity':
      return message.conversation === state.conversation.conversation ? { ...state, activity: message.activity } : state
    case 'model':
      return { ...state, model: message.id }
    case 'settings':
      return { ...state, sendOnEnter: message.sendOnEnter }
    case 'limits':
      return { ...state, limits: message.notice }
    case 'focus':
      return { ...state, focusCount: state.focusCount + 1 }
    case 'draft':
    case 'kept-draft':
      return state
    default:
      return never(message)
  }
}

function withEvents(state: PageState, { conversation: id, events }: Extract<ToPage, { kind: 'events' }>): PageState {
  if (id !== state.conversation.conversation) return state
  let { conversation } = state
  for (const event of events) {
    if (missesEvents(conversation, event)) return { ...state, conversation, isLost: true }
    conversation = reduceConversation(conversation, event)
  }
  return { ...state, conversation, isLost: false }
}

/** Where the reader is: at the end, or so far into a message. */
const place = z.union([z.literal('end'), z.object({ message: z.string(), offset: z.number() })])
/** `at`: when the draft was written last, in milliseconds of the wall clock. */
const kept = z.object({ draft: z.string(), at: z.number(), place })
export type Place = z.infer<typeof place>
export type Kept = z.infer<typeof kept>

export function readKept(state: unknown): Kept {
  const read = kept.safeParse(state)
  return read.success ? read.data : { draft: '', at: 0, place: 'end' }
}

/** What the store asks of the page around it. */
export interface Surroundings {
  send(message: FromPage): void
  /** Keeps these across hiding and reloading. */
  keep(kept: Kept): void
  kept: Kept
  /** Runs once before the page is drawn next. */
  nextFrame(run: () => void): void
  readonly clock: Clock
}

/** A question that has left the composer and stands in no conversation yet. */
interface Asked {
  readonly text: string
  readonly conversation: string
  readonly turns: number
}

/** Between two times that the extension is told what stands unsent: longer, the longer that is. */
const TELL_MS = 250
const TELL_MS_PER_CHAR = 0.001

/** Takes every message at once and shows the result once per frame, however fast an answer comes. */
export class Store {
  readonly send: (message: FromPage) => void
  readonly #shown: Signal<PageState> = signal(firstState)
  readonly #draft: Signal<string>
  readonly #announcement = signal('')
  readonly #suggestionCount = signal(0)
  readonly #around: Surroundings
  #state = firstState
  #kept: Kept
  #isFrameAsked = false
  #asked: Asked | undefined
  #isPausing = false

  constructor(around: Surroundings) {
    this.#around = around
    this.#kept = around.kept
    this.#draft = signal(around.kept.draft)
    this.send = message => around.send(message)
  }

  get shown(): ReadonlySignal<PageState> {
    return this.#shown
  }

  get draft(): ReadonlySignal<string> {
    return this.#draft
  }

  /** Words for those who listen instead of looking. */
  get announcement(): ReadonlySignal<string> {
    return this.#announcement
  }

  get suggestionCount(): ReadonlySignal<number> {
    return this.#suggestionCount
  }

  /** The id of the conversation in front. */
  get conversation(): string {
    return this.#state.conversation.conversation
  }

  /** Has the extension do what a button says. */
  act(action: Remedy): void {
    this.send({ kind: 'act', conversation: this.conversation, action })
  }

  get place(): Place {
    return this.#kept.place
  }

  receive(message: ToPage): void {
    const before = this.#state
    if (message.kind === 'draft') this.#takeBack(message.text)
    if (message.kind === 'kept-draft' && message.at > this.#kept.at) this.#recall(message.text, message.at)
    this.#state = reduce(before, message)
    if (this.#asked && hasTaken(this.#state, this.#asked)) this.#forgetAsked()
    if (this.#state.isLost && !before.isLost) this.#askForMissing()
    if (this.#isFrameAsked) return
    this.#isFrameAsked = true
    this.#around.nextFrame(() => this.#show())
  }

  /** Whatever has been written meanwhile stays below it. */
  #takeBack(text: string): void {
    this.#asked = undefined
    this.suggest(joined(text, this.#draft.value))
  }

  /** The editor may have lost what was written last, or brought back what was sent long ago. */
  #recall(text: string, at: number): void {
    this.#draft.value = text
    this.#keep({ ...this.#kept, draft: text, at })
  }

  write(draft: string): void {
    this.#draft.value = draft
    this.#keepDraft()
  }

  /** Sends what is written. It is kept until the conversation has it: an extension that has ended answers nobody. */
  ask(): void {
    const text = this.#draft.value
    const { conversation } = this
    this.#asked = { text, conversation, turns: turnsOf(this.#state) }
    this.send({ kind: 'send', conversation, text })
    this.write('')
  }

  #forgetAsked(): void {
    this.#asked = undefined
    this.#keepDraft()
  }

  #keepDraft(): void {
    const { clock } = this.#around
    const draft = joined(this.#asked?.text, this.#draft.value)
    this.#keep({ ...this.#kept, draft, at: clock.now() })
    if (!this.#isPausing) this.#tellDraft()
  }

  /** At once, since the window may be gone in a moment; what is written right after it, after a pause. */
  #tellDraft(): void {
    const { draft: text, at } = this.#kept
    this.send({ kind: 'draft', conversation: this.conversation, text, at })
    this.#isPausing = true
    this.#around.clock.later(TELL_MS + TELL_MS_PER_CHAR * text.length, () => {
      this.#isPausing = false
      if (this.#kept.at !== at || this.#kept.draft !== text) this.#tellDraft()
    })
  }

  /** Puts a text into the composer and the keyboard with it. */
  suggest(draft: string): void {
    this.write(draft)
    this.#suggestionCount.value++
  }

  /** Ends the answer under way, if there is one. */
  stop(): void {
    const { is } = this.#state.activity
    if (is === 'waiting' || is === 'answering') this.cancel()
  }

  /** Ends the answer under way, or the wait for it. */
  cancel(): void {
    this.send({ kind: 'stop', conversation: this.conversation })
  }

  moveTo(place: Place): void {
    this.#keep({ ...this.#kept, place })
  }

  announce(text: string): void {
    // The same words twice would be heard once; a changed blank makes them new.
    this.#announcement.value = this.#announcement.value === text ? `${text}\u00a0` : text
  }

  #askForMissing(): void {
    this.send({ kind: 'replay', conversation: this.conversation, from: this.#state.conversation.n + 1 })
  }

  #show(): void {
    this.#isFrameAsked = false
    this.#state = { ...this.#state, messages: messagesOf(this.#state.conversation) }
    this.#shown.value = this.#state
  }

  #keep(kept: Kept): void {
    this.#kept = kept
    this.#around.keep(kept)
  }
}

const joined = (...parts: (string | undefined)[]) => parts.filter(part => part).join('\n')

const turnsOf = ({ conversation }: PageState) => pathIds(conversation).length

const hasTaken = (state: PageState, { conversation, turns }: Asked) =>
  state.conversation.conversation !== conversation || turnsOf(state) > turns
