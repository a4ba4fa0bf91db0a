// `Store`: the state of the page, and the reducer that applies the extension's messages to it.
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import * as z from 'zod/mini'
import type { Clock } from '../../base/clock.ts'
import { never } from '../../base/fault.ts'
import { pathIds } from '../../protocol/conversationPath.ts'
import {
  type ConversationState,
  emptyConversation,
  isDelta,
  missesEvents,
  reduce as reduceConversation,
  type Turn,
} from '../../protocol/conversationState.ts'
import { stateOfWindow, withTurns } from '../../protocol/conversationWindow.ts'
import type { Chip, OfferedChip } from '../../protocol/draft.ts'
import type {
  ChangeMessage,
  CodeMessage,
  FromPage,
  Notice,
  PanelAccount,
  PanelActivity,
  ToPage,
} from '../../protocol/panel.ts'
import type { Remedy } from '../../protocol/remedy.ts'
import { type Message, messagesOf } from './messages.ts'

export interface PageState {
  readonly account: PanelAccount
  readonly conversation: ConversationState
  /** The messages of `conversation`, as of the last frame. */
  readonly messages: readonly Message[]
  readonly activity: PanelActivity
  /** What is attached to the unsent message. */
  readonly chips: readonly Chip[]
  /** What may be attached by one click. */
  readonly offers: readonly OfferedChip[]
  readonly suggestions: Suggestions
  readonly model: string | undefined
  readonly sendOnEnter: boolean
  /** A notice of what does not work in this window, and why. */
  readonly limits: Notice | undefined
  /** Code may run in a terminal of this window. */
  readonly mayRun: boolean
  /** How often the extension has asked for the keyboard focus. */
  readonly focusCount: number
  /** Events are missing; no events are applied until the missing ones have arrived. */
  readonly missesEvents: boolean
}

/** The answer to the request with this number; -1 before the first. */
export type Suggestions = Pick<Extract<ToPage, { kind: 'suggestions' }>, 'request' | 'items' | 'isComplete'>

export const firstState: PageState = {
  account: { is: 'unknown' },
  conversation: emptyConversation(''),
  messages: [],
  activity: { is: 'idle' },
  chips: [],
  offers: [],
  suggestions: { request: -1, items: [], isComplete: true },
  model: undefined,
  sendOnEnter: true,
  limits: undefined,
  mayRun: false,
  focusCount: 0,
  missesEvents: false,
}

export function reduce(state: PageState, message: ToPage): PageState {
  switch (message.kind) {
    case 'account':
      return { ...state, account: message.account }
    case 'replay':
      return {
        ...state,
        conversation: stateOfWindow(message.conversation, message.window),
        missesEvents: false,
      }
    case 'events':
      return withEvents(state, message)
    case 'turns':
      return withContent(state, message)
    case 'activity':
      return message.conversation === state.conversation.conversation ? { ...state, activity: message.activity } : state
    case 'draft-context':
      return { ...state, chips: message.chips, offers: message.offers }
    case 'suggestions':
      return { ...state, suggestions: message }
    case 'model':
      return { ...state, model: message.id }
    case 'settings':
      return { ...state, sendOnEnter: message.sendOnEnter }
    case 'limits':
      return { ...state, limits: message.notice, mayRun: message.mayRun ?? false }
    case 'focus':
      return { ...state, focusCount: state.focusCount + 1 }
    case 'draft':
    case 'kept-draft':
    case 'links':
    case 'colours':
    case 'theme':
    case 'find':
    case 'found':
    case 'history':
      return state
    default:
      return never(message)
  }
}

function withEvents(state: PageState, { conversation: id, events }: Extract<ToPage, { kind: 'events' }>): PageState {
  if (id !== state.conversation.conversation) return state
  let { conversation } = state
  for (const event of events) {
    if (missesEvents(conversation, event)) return { ...state, conversation, missesEvents: true }
    conversation = reduceConversation(conversation, event)
  }
  return { ...state, conversation, missesEvents: false }
}

/** Content of another event than the state is dropped; the page requests it again when it draws the message. */
function withContent(state: PageState, { conversation: id, n, turns }: Extract<ToPage, { kind: 'turns' }>): PageState {
  const { conversation } = state
  if (id !== conversation.conversation || n !== conversation.n) return state
  // as: the schema infers optional members that may be undefined.
  return { ...state, conversation: withTurns(conversation, turns as Turn[]) }
}

/** The scroll position: at the end, or at an offset in pixels from the top of a message. */
const place = z.union([z.literal('end'), z.object({ message: z.string(), offset: z.number() })])
/** `conversation`: that of the draft. `at`: when the draft was last written, in milliseconds since 1970. */
const kept = z.object({ conversation: z._default(z.string(), ''), draft: z.string(), at: z.number(), place })
export type Place = z.infer<typeof place>
export type Kept = z.infer<typeof kept>

export function readKept(state: unknown): Kept {
  const read = kept.safeParse(state)
  return read.success ? read.data : { conversation: '', draft: '', at: 0, place: 'end' }
}

/** The text of a code block, with what is written behind its fence. */
type CodeText = Pick<CodeMessage, 'language' | 'label' | 'text'>
export type Found = Extract<ToPage, { kind: 'found' }>

/** What the store needs from the page. */
export interface StoreHost {
  send(message: FromPage): void
  /** Keeps the values while the page is hidden or reloaded. */
  keep(kept: Kept): void
  kept: Kept
  /** Calls `run` once before the next frame. */
  nextFrame(run: () => void): void
  /** Calls `run` when the frame that is being made is painted. */
  afterFrame(run: () => void): void
  readonly clock: Clock
}

/** A question that was sent and is not in the conversation yet. */
interface PendingQuestion {
  readonly text: string
  readonly conversation: string
  /** How many messages the user had sent before. */
  readonly messages: number
}

interface DeletedTurn {
  readonly conversation: string
  readonly turn: string
}

/** The minimum time between two `draft` messages to the extension; it increases with the length of the draft. */
const DRAFT_INTERVAL_MS = 250
const DRAFT_INTERVAL_MS_PER_CHAR = 0.001

/** Deltas are published every other frame of a screen with 60 Hz, which reads as well and leaves time for typing. */
const LEAST_DELTA_INTERVAL_MS = 25
const MOST_DELTA_INTERVAL_MS = 80
/** On a slow or busy machine less often, so that drawing them takes a quarter of the time. */
const INTERVAL_PER_DRAWING = 4
/** The part of the last drawing in the average, and the most that one of them counts: a single slow one changes little. */
const LAST_PART = 0.2
const MOST_DRAWING_MS = 30

/** Applies each message at once and publishes the state once per frame. */
export class Store {
  readonly send: (message: FromPage) => void
  readonly #shown: Signal<PageState> = signal(firstState)
  readonly #draft: Signal<string>
  readonly #announcement = signal('')
  readonly #suggestionCount = signal(0)
  readonly #findCount = signal(0)
  readonly #found: Signal<Found | undefined> = signal(undefined)
  readonly #redraws = signal(0)
  readonly #deleted = signal<DeletedTurn | undefined>(undefined)
  readonly #host: StoreHost
  #state = firstState
  #kept: Kept
  #isFrameAsked = false
  /** Something else than deltas waits to be published. */
  #isUrgent = false
  #shownAt = Number.NEGATIVE_INFINITY
  /** How long drawing takes, as a moving average. */
  #drawingMs = 0
  #confirmsDrawing = false
  /** The turns whose content was requested and has not come. */
  readonly #requested = new Set<string>()
  #pendingQuestion: PendingQuestion | undefined
  #isPausing = false

  constructor(host: StoreHost) {
    this.#host = host
    this.#kept = host.kept
    this.#draft = signal(host.kept.draft)
    this.send = message => host.send(message)
  }

  get shown(): ReadonlySignal<PageState> {
    return this.#shown
  }

  /** Changes less often than `shown`, of which it is a part. */
  readonly mayRun: ReadonlySignal<boolean> = computed(() => this.#shown.value.mayRun)

  get draft(): ReadonlySignal<string> {
    return this.#draft
  }

  /** The text that a screen reader announces. */
  get announcement(): ReadonlySignal<string> {
    return this.#announcement
  }

  /** How often the find bar was asked for. */
  get findCount(): ReadonlySignal<number> {
    return this.#findCount
  }

  /** Opens the find bar, or focuses it. */
  openFind(): void {
    this.#findCount.value++
  }

  /** Where the extension has found the text that was searched last. */
  get found(): ReadonlySignal<Found | undefined> {
    return this.#found
  }

  /** Asks the extension for the messages that contain the text, also those that are not in the page. */
  find(text: string): void {
    this.#found.value = undefined
    this.send({ kind: 'find', conversation: this.conversation, text })
  }

  get suggestionCount(): ReadonlySignal<number> {
    return this.#suggestionCount
  }

  /** The id of the shown conversation. */
  get conversation(): string {
    return this.#state.conversation.conversation
  }

  /** Asks the extension to carry out the action of a button. */
  act(action: Remedy): void {
    this.send({ kind: 'act', conversation: this.conversation, action })
  }

  get place(): Place {
    return this.#kept.place
  }

  receive(message: ToPage): void {
    const before = this.#state
    if (message.kind === 'draft') this.#restoreQuestion(message.text)
    if (message.kind === 'kept-draft') this.#takeDraft(message)
    this.#state = reduce(before, message)
    if (this.#pendingQuestion && isAccepted(this.#state, this.#pendingQuestion)) this.#forgetPendingQuestion()
    if (this.#state.missesEvents && !before.missesEvents) this.#askForMissing()
    if (message.kind === 'find') this.openFind()
    if (message.kind === 'found') this.#found.value = message
    if (message.kind === 'events' && message.confirm) this.#confirmsDrawing = true
    if (message.kind === 'turns' || message.kind === 'replay') this.#requested.clear()
    this.#isUrgent ||= message.kind !== 'events' || !message.events.every(isDelta)
    if (this.#isFrameAsked) return
    this.#isFrameAsked = true
    this.#host.nextFrame(() => this.#onFrame())
  }

  /** Requests the content of these turns, unless that was done already. */
  request(turns: readonly string[]): void {
    const missing = turns.filter(turn => !this.#requested.has(turn))
    if (missing.length === 0) return
    for (const turn of missing) this.#requested.add(turn)
    this.send({ kind: 'turns', conversation: this.conversation, turns: missing })
  }

  #onFrame(): void {
    const isDue = this.#host.clock.elapsed() - this.#shownAt >= this.#deltaIntervalMs()
    if (this.#isUrgent || isDue) this.#show()
    else this.#host.nextFrame(() => this.#onFrame())
  }

  /** Puts a question back into the composer, before the text that was written meanwhile. */
  #restoreQuestion(text: string): void {
    this.#pendingQuestion = undefined
    this.putIntoComposer(joined(text, this.#draft.value))
  }

  #takeDraft(message: Extract<ToPage, { kind: 'kept-draft' }>): void {
    const { conversation } = this.#kept
    if (conversation === message.conversation || conversation === '') this.#takeNewer(message)
    else this.#changeDraft(message)
  }

  /** The newer draft of the extension's and the page's, because the page's kept state may be lost or out of date. */
  #takeNewer({ conversation, text, at }: Extract<ToPage, { kind: 'kept-draft' }>): void {
    const isNewer = at > this.#kept.at
    if (isNewer) this.#draft.value = text
    this.#keep({ ...this.#kept, conversation, ...(isNewer && { draft: text, at }) })
  }

  /** The page shows another conversation from now on. */
  #changeDraft({ conversation, text, at, carriesDraft }: Extract<ToPage, { kind: 'kept-draft' }>): void {
    const before = this.#kept
    const carried = carriesDraft ? this.#draft.value : ''
    const now = this.#host.clock.now()
    const left = carried === '' ? before : { draft: '', at: now }
    this.send({ kind: 'draft', conversation: before.conversation, text: left.draft, at: left.at })
    this.#draft.value = joined(text, carried)
    this.#keep({ conversation, draft: this.#draft.value, at: carried === '' ? at : now, place: 'end' })
    if (carried !== '') this.#sendDraft()
  }

  write(draft: string): void {
    this.#draft.value = draft
    this.#keepDraft()
  }

  /** Sends the draft. It is kept until the conversation contains it, because the extension may have ended. */
  ask(): void {
    const text = this.#draft.value
    const { conversation } = this
    this.#deleted.value = undefined
    this.#pendingQuestion = { text, conversation, messages: sentCount(this.#state) }
    this.send({ kind: 'send', conversation, text })
    this.write('')
  }

  #forgetPendingQuestion(): void {
    this.#pendingQuestion = undefined
    this.#keepDraft()
  }

  #keepDraft(): void {
    const { clock } = this.#host
    const draft = joined(this.#pendingQuestion?.text, this.#draft.value)
    this.#keep({ ...this.#kept, draft, at: clock.now() })
    if (!this.#isPausing) this.#sendDraft()
  }

  /** Sends the draft at once, because the window may close at any time; later changes are sent after a pause. */
  #sendDraft(): void {
    const { draft: text, at } = this.#kept
    this.send({ kind: 'draft', conversation: this.#kept.conversation, text, at })
    this.#isPausing = true
    this.#host.clock.later(DRAFT_INTERVAL_MS + DRAFT_INTERVAL_MS_PER_CHAR * text.length, () => {
      this.#isPausing = false
      if (this.#kept.at !== at || this.#kept.draft !== text) this.#sendDraft()
    })
  }

  /** Puts a text into the composer and focuses it. */
  putIntoComposer(draft: string): void {
    this.write(draft)
    this.#suggestionCount.value++
  }

  /** Asks for the rest of an answer that was cut off. */
  continueAnswer(text: string): void {
    this.send({ kind: 'send', conversation: this.conversation, text })
  }

  retryTurn(turn: string): void {
    this.send({ kind: 'retry-turn', conversation: this.conversation, turn })
  }

  editTurn(turn: string, text: string): void {
    this.send({ kind: 'edit-turn', conversation: this.conversation, turn, text })
  }

  chooseBranch(turn: string): void {
    this.send({ kind: 'choose-branch', conversation: this.conversation, turn })
  }

  fork(turn: string): void {
    this.send({ kind: 'fork', conversation: this.conversation, turn })
  }

  /** Hides a question with its answer; `undoDelete` shows it again. */
  deleteTurn(turn: string): void {
    const { conversation } = this
    this.send({ kind: 'delete-turn', conversation, turn, value: true })
    this.#deleted.value = { conversation, turn }
  }

  undoDelete(): void {
    const deleted = this.#deleted.value
    this.#deleted.value = undefined
    if (deleted) this.send({ kind: 'delete-turn', ...deleted, value: false })
  }

  /** The turn that was deleted last, for as long as that can be undone here. */
  get deleted(): ReadonlySignal<DeletedTurn | undefined> {
    return this.#deleted
  }

  suggest(request: number, trigger: '/' | '@' | '#', text: string): void {
    this.send({ kind: 'suggest', conversation: this.conversation, request, trigger, text })
  }

  takeSuggestion(request: number, item: number): void {
    this.send({ kind: 'take-suggestion', conversation: this.conversation, request, item })
  }

  takeOffer(offer: OfferedChip['offer']): void {
    this.send({ kind: 'take-offer', conversation: this.conversation, offer })
  }

  removeChip(chip: string): void {
    this.send({ kind: 'remove-chip', conversation: this.conversation, chip })
  }

  openChip(chip: string): void {
    this.send({ kind: 'open-chip', conversation: this.conversation, chip })
  }

  attachUris(uris: string[]): void {
    this.send({ kind: 'attach-uris', conversation: this.conversation, uris })
  }

  attachImage(image: Omit<Extract<FromPage, { kind: 'attach-image' }>, 'kind' | 'conversation'>): void {
    this.send({ kind: 'attach-image', conversation: this.conversation, ...image })
  }

  attachText(name: string, text: string): void {
    this.send({ kind: 'attach-text', conversation: this.conversation, name, text })
  }

  /** Shows the file of an attachment. */
  openPart(turn: string, part: string): void {
    this.send({ kind: 'open-part', conversation: this.conversation, turn, part })
  }

  steer(message: string): void {
    this.send({ kind: 'steer', conversation: this.conversation, message })
  }

  withdraw(message: string): void {
    this.send({ kind: 'withdraw', conversation: this.conversation, message })
  }

  /** A button on a code block of the turn's answer. */
  runCode(action: CodeMessage['action'], turn: string, { language, label, text }: CodeText): void {
    this.send({ kind: 'code', conversation: this.conversation, turn, action, language, label, text })
  }

  /** A button on a file with open changes; without a file, on all of them. */
  reviewChange(action: ChangeMessage['action'], uri?: string): void {
    this.send({ kind: 'change', conversation: this.conversation, action, ...(uri !== undefined && { uri }) })
  }

  /** Stops the current answer, if there is one. */
  stop(): void {
    const { is } = this.#state.activity
    if (is === 'waiting' || is === 'answering') this.cancel()
  }

  /** Stops the current answer, or the wait for it. */
  cancel(): void {
    this.send({ kind: 'stop', conversation: this.conversation })
  }

  /** Draws the conversation anew, from this turn on. */
  showTurn(conversation: string, turn: string): void {
    if (this.#kept.conversation !== conversation) return
    this.moveTo({ message: `${turn}-prompt`, offset: 0 })
    this.#redraws.value++
  }

  /** How often the shown conversation was to be drawn anew. */
  get redraws(): ReadonlySignal<number> {
    return this.#redraws
  }

  moveTo(place: Place): void {
    this.#keep({ ...this.#kept, place })
  }

  announce(text: string): void {
    // A screen reader announces only changes; the no-break space makes the same text a change.
    this.#announcement.value = this.#announcement.value === text ? `${text}\u00a0` : text
  }

  #askForMissing(): void {
    this.send({ kind: 'replay', conversation: this.conversation, from: this.#state.conversation.n + 1 })
  }

  #show(): void {
    this.#isFrameAsked = false
    this.#isUrgent = false
    this.#shownAt = this.#host.clock.elapsed()
    if (this.#confirmsDrawing) this.send({ kind: 'drawn', conversation: this.conversation })
    this.#confirmsDrawing = false
    this.#state = { ...this.#state, messages: messagesOf(this.#state.conversation) }
    this.#shown.value = this.#state
    this.#host.afterFrame(() => this.#measure(this.#shownAt))
  }

  #measure(startedAt: number): void {
    const lastMs = Math.min(MOST_DRAWING_MS, this.#host.clock.elapsed() - startedAt)
    this.#drawingMs += LAST_PART * (lastMs - this.#drawingMs)
  }

  #deltaIntervalMs(): number {
    const wantedMs = INTERVAL_PER_DRAWING * this.#drawingMs
    return Math.min(MOST_DELTA_INTERVAL_MS, Math.max(LEAST_DELTA_INTERVAL_MS, wantedMs))
  }

  #keep(kept: Kept): void {
    this.#kept = kept
    this.#host.keep(kept)
  }
}

const joined = (...parts: (string | undefined)[]) => parts.filter(part => part).join('\n')

const sentCount = ({ conversation }: PageState) => pathIds(conversation).length + conversation.queued.length

const isAccepted = (state: PageState, { conversation, messages }: PendingQuestion) =>
  state.conversation.conversation !== conversation || sentCount(state) > messages
