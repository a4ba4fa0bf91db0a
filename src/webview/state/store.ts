// `Store`: the state of the page, and the reducer that applies the extension's messages to it.
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import * as z from 'zod/mini'
import type { Clock } from '../../base/clock.ts'
import { never } from '../../base/fault.ts'
import { countInvisible, replaceInvisible } from '../../base/invisible.ts'
import { holdsKey, withoutKeys } from '../../base/keyShape.ts'
import { type KeyOwner, otherKeysIn, withoutOtherKeys } from '../../base/otherKeys.ts'
import { textBehind } from '../../base/text.ts'
import { isActingCommand } from '../../protocol/actingCommands.ts'
import type { PageContextUse } from '../../protocol/contextUse.ts'
import { pathIds } from '../../protocol/conversationPath.ts'
import {
  type ConversationState,
  emptyConversation,
  isDelta,
  missesEvents,
  reduce as reduceConversation,
  type Summary,
  type Turn,
} from '../../protocol/conversationState.ts'
import { stateOfWindow, withTurns } from '../../protocol/conversationWindow.ts'
import type { Chip, OfferedChip } from '../../protocol/draft.ts'
import type {
  ChangeMessage,
  ChatFont,
  CodeMessage,
  FromPage,
  MessagePlace,
  ModeId,
  Notice,
  PanelAccount,
  PanelActivity,
  PanelAgent,
  PastPrompt,
  ToPage,
} from '../../protocol/panel.ts'
import type { Remedy } from '../../protocol/remedy.ts'
import type { SearchOptions } from '../../protocol/shownText.ts'
import { Attachments } from './attachments.ts'
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
  /** The same of questions that are being changed, by their turn. */
  readonly edited: Readonly<Record<string, EditedQuestion>>
  /** What the next request takes of the model's window. */
  readonly use: Extract<ToPage, { kind: 'context-use' }> | undefined
  readonly suggestions: Suggestions
  /** What the model may do, asks, and plans. */
  readonly agent: PanelAgent
  readonly model: string | undefined
  readonly sendOnEnter: boolean
  /** That of the messages, where the user has chosen one. */
  readonly font: ChatFont | undefined
  /** A notice of what does not work in this window, and why. */
  readonly limits: Notice | undefined
  /** Code may run in a terminal of this window. */
  readonly mayRun: boolean
  readonly lacksFolder: boolean
  /** How often the extension has asked for the keyboard focus. */
  readonly focusCount: number
  /** Events are missing; no events are applied until the missing ones have arrived. */
  readonly missesEvents: boolean
}

/** What is attached to a question that is being changed, what may be, and what it takes of the model's window. */
export interface EditedQuestion {
  readonly chips: readonly Chip[]
  readonly offers: readonly OfferedChip[]
  readonly use?: PageContextUse
}

const newlyEdited: EditedQuestion = { chips: [], offers: [] }

/** Of the conversation that is shown; the messages may come before its events. */
export const shownUse = ({ use, conversation }: PageState): PageContextUse | undefined =>
  use?.conversation === conversation.conversation ? use.use : undefined

/** The answer to the request with this number; -1 before the first. */
export type Suggestions = Pick<Extract<ToPage, { kind: 'suggestions' }>, 'request' | 'items' | 'isComplete'>

export const firstState: PageState = {
  account: { is: 'unknown' },
  conversation: emptyConversation(''),
  messages: [],
  activity: { is: 'idle' },
  chips: [],
  offers: [],
  edited: {},
  use: undefined,
  suggestions: { request: -1, items: [], isComplete: true },
  agent: { modes: [], mode: 'ask', questions: [], plan: [], commands: [] },
  model: undefined,
  sendOnEnter: true,
  font: undefined,
  limits: undefined,
  mayRun: false,
  lacksFolder: false,
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
      return withContext(state, message)
    case 'context-use':
      return message.edited === undefined
        ? { ...state, use: message }
        : withEdited(state, message.edited, { use: message.use })
    case 'suggestions':
      return { ...state, suggestions: message }
    case 'agent':
      return message.conversation === state.conversation.conversation ? { ...state, agent: message.agent } : state
    case 'model':
      return { ...state, model: message.id }
    case 'settings':
      return { ...state, sendOnEnter: message.sendOnEnter, font: message.font }
    case 'limits':
      return {
        ...state,
        limits: message.notice,
        mayRun: message.mayRun ?? false,
        lacksFolder: message.lacksFolder ?? false,
      }
    case 'focus':
      return { ...state, focusCount: state.focusCount + 1 }
    case 'call-progress':
    case 'refused-edit':
    case 'past-prompts':
    case 'draft':
    case 'declined-mention':
    case 'kept-draft':
    case 'links':
    case 'chip-picture':
    case 'scale-image':
    case 'colours':
    case 'theme':
    case 'find':
    case 'read-focused':
    case 'go-to-question':
    case 'focus-message':
    case 'found':
    case 'history':
    case 'script':
      return state
    default:
      return never(message)
  }
}

function withContext(state: PageState, { edited, chips, offers }: Extract<ToPage, { kind: 'draft-context' }>) {
  return edited === undefined ? { ...state, chips, offers } : withEdited(state, edited, { chips, offers })
}

function withEdited(state: PageState, turn: string, changed: Partial<EditedQuestion>): PageState {
  const { [turn]: before = newlyEdited } = state.edited
  return { ...state, edited: { ...state.edited, [turn]: { ...before, ...changed } } }
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
/**
 * `conversation`: that of the draft. `at`: when one of the unsent texts was last written, in milliseconds since 1970.
 * `edits`: texts that are being changed in their place, of questions by their turn and of summaries by their id.
 */
const kept = z.object({
  conversation: z._default(z.string(), ''),
  draft: z.string(),
  at: z.number(),
  edits: z._default(z.record(z.string(), z.string()), {}),
  place,
  /** The id of the HTML in which it was kept. */
  page: z.optional(z.string()),
})
export type Place = z.infer<typeof place>
export type Kept = z.infer<typeof kept>

export function readKept(state: unknown): Kept {
  const read = kept.safeParse(state)
  return read.success ? read.data : { conversation: '', draft: '', at: 0, edits: {}, place: 'end' }
}

export type ChipPicture = Pick<Extract<ToPage, { kind: 'chip-picture' }>, 'mediaType' | 'base64'>

/** The text of a code block, with what is written behind its fence. */
type CodeText = Pick<CodeMessage, 'language' | 'label' | 'text'>
export type Found = Extract<ToPage, { kind: 'found' }>

/** What the store needs from the page. */
export interface StoreHost {
  send(message: FromPage): void
  /** Keeps the values, without API keys, while the page is hidden or reloaded: the editor writes them to its storage. */
  keep(kept: Kept): void
  kept: Kept
  /** Calls `run` once before the next frame. */
  nextFrame(run: () => void): void
  /** Calls `run` when the frame that is being made is painted. */
  afterFrame(run: () => void): void
  readonly clock: Clock
}

/** What the user has asked before the turn, or before all that the page has, newest first. */
export interface PastPrompts {
  readonly conversation: string
  readonly before: string | undefined
  readonly prompts: readonly PastPrompt[]
  readonly isComplete: boolean
}

/** A question that was sent and is not in the conversation yet. */
export interface PendingQuestion {
  readonly number: number
  readonly text: string
  /** What was attached to it. */
  readonly chips: readonly Chip[]
  /** In the queue where it waits for an answer, or for another one that was sent; nowhere where it asks nothing. */
  readonly place: 'transcript' | 'queue' | 'nowhere'
  readonly conversation: string
  /** How many messages the user had sent before. */
  readonly messages: number
}

/** A changed question that was sent and is not in the conversation yet. */
interface PendingEdit {
  readonly turn: string
  /** The turn that was started last before. */
  readonly latest: string | undefined
}

/** What the user has deleted. */
type Deleted = { readonly conversation: string } & (
  | { readonly is: 'turn'; readonly turn: string }
  | { readonly is: 'summary'; readonly summary: Summary }
)

/** The minimum time between two `draft` messages to the extension; it increases with the length of the draft. */
const DRAFT_INTERVAL_MS = 250
const DRAFT_INTERVAL_MS_PER_CHAR = 0.001

/** Deltas are published every other frame of a screen with 60 Hz, which reads as well and leaves time for typing. */
const LEAST_DELTA_INTERVAL_MS = 25
const MOST_DELTA_INTERVAL_MS = 240
/** On a slow or busy machine, and in a very long paragraph, less often, so that drawing them takes a quarter of the time. */
const INTERVAL_PER_DRAWING = 4
/** The part of the last drawing in the average, and the most that one of them counts: a single slow one changes little. */
const LAST_PART = 0.2
const MOST_DRAWING_MS = 60

/** Applies each message at once and publishes the state once per frame. */
export class Store {
  readonly send: (message: FromPage) => void
  readonly #shown: Signal<PageState> = signal(firstState)
  readonly #draft: Signal<string>
  readonly #announcement = signal('')
  readonly #composerFocusCount = signal(0)
  readonly #findCount = signal(0)
  readonly #found: Signal<Found | undefined> = signal(undefined)
  readonly #searched: Signal<RegExp | undefined> = signal(undefined)
  readonly #foundPart: Signal<{ readonly part: string } | undefined> = signal(undefined)
  readonly #redraws = signal(0)
  readonly #questionStep = signal<{ readonly by: 1 | -1 } | undefined>(undefined)
  readonly #messageToFocus = signal<MessagePlace | undefined>(undefined)
  /** Whose editor is open. */
  readonly #edited: Signal<ReadonlySet<string>> = signal(new Set())
  readonly #deleted: Signal<readonly Deleted[]> = signal([])
  readonly #removed = signal<readonly { readonly conversation: string; readonly message: string }[]>([])
  readonly #pastPrompts: Signal<PastPrompts | undefined> = signal(undefined)
  /** How many past prompts there were when more were asked for. */
  #pastAskedFrom = -1
  readonly #progress = signal<ReadonlyMap<string, string>>(new Map())
  readonly #pictures = signal<ReadonlyMap<string, ChipPicture>>(new Map())
  readonly #refusals = signal<readonly string[]>([])
  readonly #host: StoreHost
  /** The composer's text, if it is an example as it was put there. */
  #example: string | undefined
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
  readonly #pending: Signal<readonly PendingQuestion[]> = signal([])
  #lastPending = 0
  #lastSuggestions = 0
  #pendingEdit: PendingEdit | undefined
  #isPausing = false

  constructor(host: StoreHost) {
    this.#host = host
    this.#kept = host.kept
    this.#draft = signal(host.kept.draft)
    this.#showEdits()
    this.send = message => host.send(message)
  }

  get shown(): ReadonlySignal<PageState> {
    return this.#shown
  }

  /** Whether the result of a call is no longer sent in full. */
  isOmitted(part: string): ReadonlySignal<boolean> {
    return computed(() => this.#shown.value.conversation.omitted.has(part))
  }

  /** These change less often than `shown`, of which they are parts. */
  readonly mayRun: ReadonlySignal<boolean> = computed(() => this.#shown.value.mayRun)
  /** The model has tools, so files may have changed since a message. */
  readonly mayRestore: ReadonlySignal<boolean> = computed(() => this.#shown.value.agent.modes.length > 0)
  readonly sendOnEnter: ReadonlySignal<boolean> = computed(() => this.#shown.value.sendOnEnter)

  get draft(): ReadonlySignal<string> {
    return this.#draft
  }

  /** A key of the service is in the composer. */
  readonly draftHoldsKey: ReadonlySignal<boolean> = computed(() => holdsKey(this.#draft.value))

  /** Whose key is in the composer, of other services. */
  readonly otherKeyInDraft: ReadonlySignal<KeyOwner | undefined> = computed(
    () => otherKeysIn(this.#draft.value)[0]?.owner,
  )

  /** How many characters in the composer nobody sees. */
  readonly unseenInDraft: ReadonlySignal<number> = computed(() => countInvisible(this.#draft.value))

  /** Takes them out. */
  removeUnseen(): void {
    this.putIntoComposer(replaceInvisible(this.#draft.value, () => ''))
  }

  /** Takes the keys out of the composer. */
  removeKeys(): void {
    this.putIntoComposer(withoutAnyKeys(this.#draft.value))
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

  /** What is searched in the conversation. */
  get searched(): ReadonlySignal<RegExp | undefined> {
    return this.#searched
  }

  search(pattern: RegExp | undefined): void {
    this.#searched.value = pattern
    this.#foundPart.value = undefined
  }

  /** The folded part that the current occurrence of the searched text is in. */
  get foundPart(): ReadonlySignal<{ readonly part: string } | undefined> {
    return this.#foundPart
  }

  unfoldPart(part: string): void {
    this.#foundPart.value = { part }
  }

  /** Asks the extension for the messages that contain the text, also those that are not in the page. */
  find(text: string, { matchCase, wholeWord }: SearchOptions): void {
    this.#found.value = undefined
    const options = { ...(matchCase && { matchCase }), ...(wholeWord && { wholeWord }) }
    this.send({ kind: 'find', conversation: this.conversation, text, ...options })
  }

  /** The direction of the question that was to have the focus last. */
  get questionStep(): ReadonlySignal<{ readonly by: 1 | -1 } | undefined> {
    return this.#questionStep
  }

  focusMessage(message: MessagePlace): void {
    this.#messageToFocus.value = message
  }

  /** The message that was to have the focus last. */
  get messageToFocus(): ReadonlySignal<MessagePlace | undefined> {
    return this.#messageToFocus
  }

  /** Has the extension show the message, or without one the last answer, as plain text. */
  read(message: MessagePlace | undefined): void {
    this.send({ kind: 'read', conversation: this.conversation, ...(message && { message }) })
  }

  /** How often the page itself has asked for the focus of the composer. */
  get composerFocusCount(): ReadonlySignal<number> {
    return this.#composerFocusCount
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
    if (message.kind === 'draft') this.#restoreQuestion(message)
    if (message.kind === 'kept-draft') this.#takeDraft(message)
    if (message.kind === 'declined-mention') this.#takeOutMention(message)
    if (message.kind === 'refused-edit') this.#openAgain(message)
    if (message.kind === 'past-prompts') this.#addPastPrompts(message)
    this.#state = reduce(before, message)
    if (message.kind === 'chip-picture') this.#addPicture(message)
    if (message.kind === 'draft-context') this.#forgetPictures()
    this.#forgetAsked()
    if (this.#pendingEdit && this.#state.conversation.latest !== this.#pendingEdit.latest) this.#forgetPendingEdit()
    if (this.#state.missesEvents && !before.missesEvents) this.#askForMissing()
    if (message.kind === 'find') this.openFind()
    if (message.kind === 'call-progress') this.#progress.value = new Map([[message.part, message.text]])
    if (message.kind === 'focus-message' && message.conversation === this.conversation)
      this.#messageToFocus.value = message.message
    if (message.kind === 'go-to-question') this.#questionStep.value = { by: message.by }
    if (message.kind === 'found') this.#found.value = message
    if (message.kind === 'events' && message.confirm) this.#confirmsDrawing = true
    if (message.kind === 'turns' || message.kind === 'replay') this.#requested.clear()
    this.#isUrgent ||= message.kind !== 'events' || !message.events.every(isDelta)
    this.#askFrame()
  }

  /** Takes the messages of the HTML, and shows it at once, because a page that is not drawn yet has no frames. */
  receiveFirst(messages: readonly ToPage[]): void {
    for (const message of messages) this.receive(message)
    this.#show()
  }

  #showUrgently(): void {
    this.#isUrgent = true
    this.#askFrame()
  }

  #askFrame(): void {
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
  #restoreQuestion({ text, replaces, number, why }: Extract<ToPage, { kind: 'draft' }>): void {
    this.#dropPending(number)
    if (why !== undefined) this.#refusals.value = [why]
    const draft = this.#draft.value
    const own = replaces === undefined ? draft : (textBehind(draft, replaces) ?? draft)
    this.putIntoComposer(joined(text, own))
  }

  #takeOutMention({ conversation, text }: Extract<ToPage, { kind: 'declined-mention' }>): void {
    const draft = this.#draft.value
    const at = draft.lastIndexOf(text)
    if (conversation !== this.conversation || at < 0) return
    this.putIntoComposer(draft.slice(0, at) + draft.slice(at + text.length).replace(/^ /, ''))
  }

  #takeDraft(message: Extract<ToPage, { kind: 'kept-draft' }>): void {
    const { conversation } = this.#kept
    if (conversation === message.conversation || conversation === '') this.#takeNewer(message)
    else this.#changeDraft(message)
  }

  /** The newer draft of the extension's and the page's, because the page's kept state may be lost or out of date. */
  #takeNewer({ conversation, text, at, edits = {} }: Extract<ToPage, { kind: 'kept-draft' }>): void {
    const isNewer = at > this.#kept.at
    if (isNewer) this.#draft.value = text
    const isOwnNewer = at < this.#kept.at
    this.#keep({ ...this.#kept, conversation, ...(isNewer && { draft: text, at, edits }) })
    this.#showEdits()
    // It was written while there was no extension.
    if (isOwnNewer) this.#sendDraft()
  }

  /** The page shows another conversation from now on. */
  #changeDraft({ conversation, text, at, edits = {}, carriesDraft }: Extract<ToPage, { kind: 'kept-draft' }>): void {
    this.#refusals.value = []
    this.#pendingEdit = undefined
    const before = this.#kept
    const carried = carriesDraft ? this.#draft.value : ''
    const now = this.#host.clock.now()
    const own = carried === '' ? this.#draft.value : ''
    // What was sent is in the conversation, or comes back.
    const left = own === before.draft ? before : { draft: own, at: now }
    this.#pending.value = []
    this.send({
      ...{ kind: 'draft', conversation: before.conversation, edits: before.edits },
      ...{ text: left.draft, at: left.at },
    })
    this.#draft.value = joined(text, carried)
    this.#keep({ conversation, draft: this.#draft.value, at: carried === '' ? at : now, edits, place: 'end' })
    this.#showEdits()
    if (carried !== '') this.#sendDraft()
  }

  write(draft: string): void {
    this.#draft.value = draft
    this.#keepDraft()
  }

  /** Of the shown conversation, as far as they were asked for. */
  get pastPrompts(): ReadonlySignal<PastPrompts | undefined> {
    return this.#pastPrompts
  }

  /** Asks for more of them; `before`: the first turn whose question the page has. */
  askPastPrompts(before: string | undefined): void {
    const { conversation } = this
    const known = this.#pastPrompts.value
    const isKnown = known?.conversation === conversation
    if (!isKnown) {
      this.#pastPrompts.value = { conversation, before, prompts: [], isComplete: false }
      this.#pastAskedFrom = -1
    }
    const { before: place, prompts, isComplete } = this.#pastPrompts.value ?? { before, prompts: [], isComplete: true }
    if (isComplete || this.#pastAskedFrom === prompts.length) return
    this.#pastAskedFrom = prompts.length
    this.send({
      ...{ kind: 'past-prompts', conversation, from: prompts.length },
      ...(place !== undefined && { before: place }),
    })
  }

  #addPastPrompts({ conversation, from, prompts, isComplete }: Extract<ToPage, { kind: 'past-prompts' }>): void {
    const known = this.#pastPrompts.value
    if (!known || known.conversation !== conversation || known.prompts.length !== from) return
    this.#pastPrompts.value = { ...known, prompts: [...known.prompts, ...prompts], isComplete }
  }

  /** A past message is in the composer again; without one, what was written before. */
  recall(prompt: PastPrompt | undefined): void {
    const { text = '', conversation = '', turn = '' } = prompt ?? {}
    const past = prompt && { prompt: { text, conversation, turn } }
    this.send({ kind: 'recall', conversation: this.conversation, ...past })
  }

  /** What was attached to it stays. */
  keepRecalled(): void {
    this.send({ kind: 'keep-recalled', conversation: this.conversation })
  }

  /** Sends the draft. It is kept until the conversation contains it, because the extension may have ended. */
  ask(): void {
    const text = this.#draft.value
    const { conversation } = this
    this.#refusals.value = []
    const number = ++this.#lastPending
    const shown = this.#shown.value.chips
    const { value: before } = this.#pending
    const messages = sentCount(this.#state) + before.length
    const chips = this.#state.chips.filter(({ isAutomatic }) => !isAutomatic)
    const place = before.length > 0 || this.#isBusy ? 'queue' : 'transcript'
    const drawn = isActingCommand(text) ? 'nowhere' : place
    this.#pending.value = [...before, { number, text, chips, place: drawn, conversation, messages }]
    const ids = shown.map(({ id }) => id)
    this.send({ kind: 'send', conversation, text, number, ...(ids.length > 0 && { chips: ids }) })
    // A second message begins with nothing, also before the extension has answered.
    this.#state = { ...this.#state, chips: this.#state.chips.filter(({ isAutomatic }) => isAutomatic) }
    this.write('')
    this.#showUrgently()
  }

  /** What was sent and is not in the shown conversation yet. */
  get pending(): ReadonlySignal<readonly PendingQuestion[]> {
    return this.#pending
  }

  #forgetAsked(): void {
    const { value: before } = this.#pending
    const left = before.filter(question => !isAccepted(this.#state, question))
    if (left.length === before.length) return
    this.#pending.value = left
    this.#keepDraft()
    // Now, because a window that closes would otherwise have it as unsent when it comes back.
    this.saveDraft()
  }

  /** It is not asked. */
  #dropPending(number: number | undefined): void {
    const { value: before } = this.#pending
    const at = before.findIndex(one => one.number === number)
    if (at < 0) return
    const later = before.slice(at + 1).map(one => ({ ...one, messages: one.messages - 1 }))
    this.#pending.value = [...before.slice(0, at), ...later]
  }

  #keepDraft(edits = this.#kept.edits): void {
    const { clock } = this.#host
    const draft = joined(this.#pendingText, this.#draft.value)
    this.#keep({ ...this.#kept, draft, at: clock.now(), edits })
    if (!this.#isPausing) this.#sendDraft()
    else if (endsCommand(this.#draft.value)) this.#postDraft()
  }

  get #pendingText(): string {
    return joined(...this.#pending.value.map(({ text }) => text))
  }

  /** Keeps the text of an editor in the transcript, which is open from the first one on; without a text it is closed. */
  keepEdit(target: string, text: string | undefined): void {
    const { [target]: _, ...others } = this.#kept.edits
    this.#keepDraft(text === undefined ? others : { ...others, [target]: text })
    this.#showEdits()
  }

  editText(target: string): string | undefined {
    return this.#kept.edits[target]
  }

  /** Whether the question or the summary is being changed. */
  isEdited(target: string): ReadonlySignal<boolean> {
    return computed(() => this.#edited.value.has(target))
  }

  #showEdits(): void {
    const open = Object.keys(this.#kept.edits).filter(target => target !== this.#pendingEdit?.turn)
    const { value: before } = this.#edited
    if (open.length !== before.size || open.some(target => !before.has(target))) this.#edited.value = new Set(open)
  }

  /** A changed question was not asked. */
  #openAgain({ conversation, turn, text, why }: Extract<ToPage, { kind: 'refused-edit' }>): void {
    if (conversation !== this.conversation) return
    if (why !== undefined) this.#refusals.value = [why]
    this.#pendingEdit = undefined
    this.keepEdit(turn, text)
  }

  #forgetPendingEdit(): void {
    const turn = this.#pendingEdit?.turn ?? ''
    this.#pendingEdit = undefined
    this.keepEdit(turn, undefined)
  }

  /** Sends the draft at once, because the window may close at any time; later changes are sent after a pause. */
  #sendDraft(): void {
    const { draft, at, edits } = this.#kept
    const chars = Object.values(edits).reduce((sum, { length }) => sum + length, draft.length)
    this.#postDraft()
    this.#isPausing = true
    this.#host.clock.later(DRAFT_INTERVAL_MS + DRAFT_INTERVAL_MS_PER_CHAR * chars, () => {
      this.#isPausing = false
      if (this.#kept.at !== at || this.#kept.draft !== draft || this.#kept.edits !== edits) this.#sendDraft()
    })
  }

  #postDraft(): void {
    const { conversation, draft: text, at, edits } = this.#kept
    const { length: sentChars } = this.#pendingText
    this.send({ kind: 'draft', conversation, text, at, edits, ...(sentChars > 0 && { sentChars }) })
  }

  /** Sends the draft without a pause: the user has left the composer, and the next click may close the page. */
  saveDraft(): void {
    if (this.#isPausing) this.#postDraft()
  }

  /** Puts a text into the composer and focuses it. */
  putIntoComposer(draft: string): void {
    this.write(draft)
    this.focusComposer()
  }

  /** In the place of another example that nobody has changed; what the user has written stays behind it. */
  putExampleIntoComposer(example: string): void {
    const own = this.#draft.value === this.#example ? '' : this.#draft.value
    this.#example = joined(example, own)
    this.putIntoComposer(this.#example)
    if (own !== '') this.#example = undefined
  }

  focusComposer(): void {
    this.#composerFocusCount.value++
  }

  /** Asks for the rest of an answer that was cut off. */
  continueAnswer(): void {
    this.send({ kind: 'continue', conversation: this.conversation })
  }

  retryTurn(turn: string): void {
    this.send({ kind: 'retry-turn', conversation: this.conversation, turn })
  }

  /** Asks a changed question. It is kept until the conversation contains it, because the extension may have ended. */
  editTurn(turn: string, text: string): void {
    this.#pendingEdit = { turn, latest: this.#state.conversation.latest }
    this.keepEdit(turn, text)
    this.#refusals.value = []
    const chips = this.#shown.value.edited[turn]?.chips.map(({ id }) => id) ?? []
    const shown = chips.length > 0 && { chips }
    this.send({ kind: 'edit-turn', conversation: this.conversation, turn, text, ...shown })
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
    this.#deleted.value = [...this.#deleted.value, { is: 'turn', conversation, turn }]
  }

  /** All that was deleted in the shown conversation is there again. */
  undoDelete(): void {
    for (const deleted of this.deleted.value) this.#undelete(deleted)
    this.forgetDeleted()
  }

  #undelete(deleted: Deleted): void {
    const { conversation } = deleted
    // as: the schema infers mutable members, and no reader changes them.
    if (deleted.is === 'summary')
      this.send({ kind: 'restore-summary', conversation, summary: deleted.summary } as FromPage)
    else this.send({ kind: 'delete-turn', conversation, turn: deleted.turn, value: false })
  }

  /** In the shown conversation, for as long as that can be undone here. */
  readonly deleted: ReadonlySignal<readonly Deleted[]> = computed(() => {
    const { conversation: shown } = this.#shown.value.conversation
    return this.#deleted.value.filter(({ conversation }) => conversation === shown)
  })

  forgetDeleted(): void {
    const forgotten = this.deleted.value
    this.#deleted.value = this.#deleted.value.filter(deleted => !forgotten.includes(deleted))
  }

  /** What is attached to the unsent message. */
  readonly attachments = new Attachments(this)

  readonly suggestions: ReadonlySignal<Suggestions> = computed(() => this.#shown.value.suggestions)

  /** A new number for a request for suggestions, which the composer and the editors of questions share. */
  nextSuggestions(): number {
    return ++this.#lastSuggestions
  }

  /** What is attached to the question of the turn, which is being changed. */
  edited(turn: string): ReadonlySignal<EditedQuestion> {
    return computed(() => this.#shown.value.edited[turn] ?? newlyEdited)
  }

  /** The editor of a question is open: its attachments are to come, and to be read again. */
  beginEdit(turn: string): void {
    this.send({ kind: 'begin-edit', conversation: this.conversation, edited: turn })
  }

  /** Closes the editor of a question without a change. */
  endEdit(turn: string): void {
    this.keepEdit(turn, undefined)
    this.send({ kind: 'end-edit', conversation: this.conversation, edited: turn })
  }

  removeChip(chip: string): void {
    this.#refusals.value = []
    this.send({ kind: 'remove-chip', conversation: this.conversation, chip })
  }

  /** The images of chips that were asked for, by the id of the chip. */
  get pictures(): ReadonlySignal<ReadonlyMap<string, ChipPicture>> {
    return this.#pictures
  }

  askPicture(chip: string): void {
    this.send({ kind: 'show-picture', conversation: this.conversation, chip })
  }

  #addPicture({ chip, mediaType, base64 }: Extract<ToPage, { kind: 'chip-picture' }>): void {
    if (!this.#chips.some(({ id }) => id === chip)) return
    this.#pictures.value = new Map([...this.#pictures.value, [chip, { mediaType, base64 }]])
  }

  get #chips(): readonly Chip[] {
    const { chips, edited } = this.#state
    return [...chips, ...Object.values(edited).flatMap(question => question.chips)]
  }

  /** Without those of chips that are gone. */
  #forgetPictures(): void {
    const shown = new Set(this.#chips.map(({ id }) => id))
    const left = [...this.#pictures.value].filter(([chip]) => shown.has(chip))
    if (left.length < this.#pictures.value.size) this.#pictures.value = new Map(left)
  }

  openChip(chip: string): void {
    this.send({ kind: 'open-chip', conversation: this.conversation, chip })
  }

  /** Why what was dropped, pasted or picked last was not attached, or a message not sent, as sentences. */
  get refusals(): ReadonlySignal<readonly string[]> {
    return this.#refusals
  }

  showRefusals(sentences: readonly string[]): void {
    this.#refusals.value = sentences
  }

  /** The end of what the running call has returned so far, by its part. */
  get progress(): ReadonlySignal<ReadonlyMap<string, string>> {
    return this.#progress
  }

  compact(): void {
    this.send({ kind: 'compact', conversation: this.conversation })
  }

  stopCompaction(): void {
    this.send({ kind: 'stop-compaction', conversation: this.conversation })
  }

  dismissTrouble(): void {
    this.send({ kind: 'dismiss-trouble', conversation: this.conversation })
  }

  previewRequest(): void {
    this.send({ kind: 'preview-request', conversation: this.conversation })
  }

  newChat(): void {
    this.send({ kind: 'new-chat', conversation: this.conversation })
  }

  changeSummary(summary: string, text: string): void {
    this.send({ kind: 'change-summary', conversation: this.conversation, summary, text })
  }

  /** `undoDelete` puts it back. */
  removeSummary(summary: Summary): void {
    const { conversation } = this
    this.send({ kind: 'change-summary', conversation, summary: summary.id })
    this.#deleted.value = [...this.#deleted.value, { is: 'summary', conversation, summary }]
  }

  /** Shows the file of an attachment; of a call, the instruction file with this URI, which came with its result. */
  openPart(turn: string, part: string, instructions?: string): void {
    const { conversation } = this
    this.send({ kind: 'open-part', conversation, turn, part, ...(instructions !== undefined && { instructions }) })
  }

  steer(message: string): void {
    this.send({ kind: 'steer', conversation: this.conversation, message })
  }

  /** Takes a queued message back into the composer. */
  editQueued(message: string): void {
    this.send({ kind: 'withdraw', conversation: this.conversation, message, toComposer: true })
  }

  /** It goes into the composer if that is empty; else `undoRemove` queues it again. */
  removeQueued(message: string): void {
    const { conversation } = this
    const hasContent = this.#draft.value.trim() !== '' || this.#state.chips.some(({ isAutomatic }) => !isAutomatic)
    if (!hasContent) return this.editQueued(message)
    this.send({ kind: 'withdraw', conversation, message, toComposer: false })
    this.#removed.value = [...this.#removed.value, { conversation, message }]
  }

  /** What was removed from the queue of the shown conversation, and is nowhere else. */
  readonly removed: ReadonlySignal<readonly string[]> = computed(() => {
    const { conversation: shown } = this.#shown.value.conversation
    return this.#removed.value.flatMap(({ conversation, message }) => (conversation === shown ? [message] : []))
  })

  undoRemove(): void {
    const messages = [...this.removed.value]
    this.forgetRemoved()
    this.send({ kind: 'queue-again', conversation: this.conversation, messages })
  }

  forgetRemoved(): void {
    this.#removed.value = this.#removed.value.filter(({ conversation }) => conversation !== this.conversation)
  }

  /** A button on a code block of the turn's answer. */
  runCode(action: CodeMessage['action'], turn: string, { language, label, text }: CodeText): void {
    this.send({ kind: 'code', conversation: this.conversation, turn, action, language, label, text })
  }

  /** A button on a file with open changes, or on those of a turn; without both, on all of them. */
  reviewChange(action: ChangeMessage['action'], scope: Pick<ChangeMessage, 'uri' | 'turn'> = {}): void {
    this.send({ kind: 'change', conversation: this.conversation, action, ...scope })
  }

  setMode(mode: ModeId): void {
    this.send({ kind: 'set-mode', conversation: this.conversation, mode })
  }

  answerQuestions(answers: Extract<FromPage, { kind: 'answer-questions' }>['answers']): void {
    this.send({ kind: 'answer-questions', conversation: this.conversation, answers })
  }

  /** Shows the change that a question is about as a diff. */
  showProposed(part: string): void {
    this.send({ kind: 'show-proposed', conversation: this.conversation, part })
  }

  restore(turn: string): void {
    this.send({ kind: 'restore', conversation: this.conversation, turn })
  }

  stopCommand(command: number): void {
    this.send({ kind: 'stop-command', conversation: this.conversation, command })
  }

  stopCall(part: string): void {
    this.send({ kind: 'stop-call', conversation: this.conversation, part })
  }

  showTerminal(): void {
    this.send({ kind: 'show-terminal', conversation: this.conversation })
  }

  startPlan(): void {
    this.send({ kind: 'start-plan', conversation: this.conversation })
  }

  /** Stops the current answer, if there is one, and what was sent and is not asked yet. */
  stop(): void {
    if (this.#isBusy || this.#pending.value.length > 0) this.cancel()
  }

  get #isBusy(): boolean {
    const { is } = this.#state.activity
    return is === 'waiting' || is === 'answering'
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
    const edits = Object.entries(kept.edits).map(([target, text]) => [target, withoutAnyKeys(text)] as const)
    this.#host.keep({ ...kept, draft: withoutAnyKeys(kept.draft), edits: Object.fromEntries(edits) })
  }
}

const withoutAnyKeys = (text: string) => withoutOtherKeys(withoutKeys(text))

/** What a command attaches is shown as soon as its word is written. */
const endsCommand = (draft: string) => /^\s*\/\S+\s$/.test(draft)

const joined = (...parts: (string | undefined)[]) => parts.filter(part => part).join('\n')

const sentCount = ({ conversation }: PageState) => pathIds(conversation).length + conversation.queued.length

const isAccepted = (state: PageState, { conversation, messages }: PendingQuestion) =>
  state.conversation.conversation !== conversation || sentCount(state) > messages
