// `reduce`: the state of a conversation after one more event, for the session, the page and the history.
import { never } from '../base/fault.ts'
import type {
  ConversationEvent,
  DeltaEvent,
  EventOf,
  Part,
  PartOf,
  PromptPart,
  StepEnd,
  SummaryExtras,
  TokenUsage,
  TurnEnd,
  TurnOrigin,
} from './conversation.ts'

/**
 * A tree of turns and the path chosen through it. Read turns by `turnOf`: the current turn is not among the others, so
 * that a delta copies neither them nor their table.
 */
export interface ConversationState {
  readonly conversation: string
  /** The number of the last event. */
  readonly n: number
  readonly createdAt: number | undefined
  readonly updatedAt: number | undefined
  readonly workspace: string | undefined
  readonly title: { readonly text: string; readonly by: 'model' | 'user' } | undefined
  readonly mode: string | undefined
  readonly isPinned: boolean
  readonly isArchived: boolean
  readonly isDeleted: boolean
  /** The turn that the last event of a turn belongs to. */
  readonly current: Turn | undefined
  /** Every turn but the current one. */
  readonly otherTurns: ReadonlyMap<string, Turn>
  /** Turns by the turn they follow, oldest first; first turns are under `''`. */
  readonly children: ReadonlyMap<string, readonly string[]>
  /** Which of the children the path goes through. */
  readonly chosen: ReadonlyMap<string, string>
  /** The last turn of the path; `''` where there is none. */
  readonly tip: string
  /** The turn that was started last. */
  readonly latest: string | undefined
  readonly queued: readonly QueuedMessage[]
  readonly summaries: readonly Summary[]
  /**
   * When a summary or a deletion last changed what the model is sent of earlier turns, by the time of the event: what
   * the service counted before that is no longer the size of it.
   */
  readonly rewrittenAt: number | undefined
  /** Ids of the tool calls whose results are no longer sent in full. */
  readonly omitted: ReadonlySet<string>
}

/** A message of the user and all that the model does to answer it. */
export interface Turn {
  readonly id: string
  /** The turn before it; `''` for a first turn. */
  readonly parent: string
  readonly origin: TurnOrigin
  readonly prompt: readonly PromptPart[]
  readonly steps: readonly Step[]
  readonly state: 'running' | TurnEnd
  readonly fault?: EventOf<'turn-ended'>['fault']
  readonly isDeleted: boolean
  readonly startedAt: number
  readonly endedAt?: number
  /** Only in a page: the content of the turn is in the extension. What it has there, for the page to leave room. */
  readonly absent?: { readonly hasPrompt: boolean; readonly hasAnswer: boolean }
}

/** One request to the model and the parts of its response, in order. */
export interface Step {
  readonly model?: string
  /** The messages that the user sent during the step before. */
  readonly messages: readonly QueuedMessage[]
  readonly parts: readonly Part[]
  readonly why?: StepEnd
  readonly usage?: TokenUsage
}

export interface QueuedMessage {
  readonly id: string
  readonly parts: readonly PromptPart[]
}

export interface Summary {
  readonly id: string
  readonly turn: string
  /** The summary covers so many steps of the turn; without it all of them. */
  readonly steps?: number
  readonly text: string
  readonly extras?: SummaryExtras
}

export function emptyConversation(conversation: string): ConversationState {
  return {
    conversation,
    n: 0,
    createdAt: undefined,
    updatedAt: undefined,
    workspace: undefined,
    title: undefined,
    mode: undefined,
    isPinned: false,
    isArchived: false,
    isDeleted: false,
    current: undefined,
    otherTurns: new Map(),
    children: new Map(),
    chosen: new Map(),
    tip: '',
    latest: undefined,
    queued: [],
    summaries: [],
    rewrittenAt: undefined,
    omitted: new Set(),
  }
}

/**
 * Never throws: an event that is known already changes nothing, one of an unknown kind only raises `n`, and where an
 * event before it is missing (a damaged line) the rest is applied. What has not changed stays the same object.
 */
export function reduce(state: ConversationState, event: ConversationEvent): ConversationState {
  return apply(state, event, map => new Map(map))
}

/** The state after many events: as `reduce` for each of them, but the tables are copied only once. */
export function replay(events: Iterable<ConversationEvent>, from: ConversationState): ConversationState {
  const replayed = new Replay(from)
  replayed.add(events)
  return replayed.end()
}

/** A replay of events that come in batches. */
export class Replay {
  #state: ConversationState

  constructor(from: ConversationState) {
    this.#state = {
      ...from,
      otherTurns: new Map(from.otherTurns),
      children: new Map(from.children),
      chosen: new Map(from.chosen),
    }
  }

  add(events: Iterable<ConversationEvent>): void {
    // as: the maps were made above, or by this class, and no other state holds them before the end.
    const writable: Writable = <K, V>(map: ReadonlyMap<K, V>) => map as Map<K, V>
    for (const event of events) this.#state = apply(this.#state, event, writable)
  }

  /** The state after all events; called once, after the last of them. */
  end(): ConversationState {
    return this.#state
  }
}

/** Whether events are missing between the state and this event, so that they have to be requested. */
export function missesEvents(state: ConversationState, event: ConversationEvent): boolean {
  return firstNumber(event) > state.n + 1
}

/** The number of the first of the events that were joined into this one. */
export function firstNumber(event: ConversationEvent): number {
  return isDelta(event) ? (event.first ?? event.n) : event.n
}

export function isDelta(event: ConversationEvent): event is DeltaEvent {
  return event.kind === 'text-delta' || event.kind === 'reasoning-delta' || event.kind === 'tool-input-delta'
}

export function turnOf(state: ConversationState, turn: string): Turn | undefined {
  return state.current?.id === turn ? state.current : state.otherTurns.get(turn)
}

/** Returns a map with the same entries that may be written. */
type Writable = <K, V>(map: ReadonlyMap<K, V>) => Map<K, V>

function apply(state: ConversationState, event: ConversationEvent, writable: Writable): ConversationState {
  if (event.conversation !== state.conversation || event.n <= state.n) return state
  return { ...changed(state, event, writable), n: event.n, updatedAt: event.time }
}

function changed(state: ConversationState, event: ConversationEvent, writable: Writable): ConversationState {
  switch (event.kind) {
    case 'turn-started':
      return withStartedTurn(state, event, writable)
    case 'step-started':
      return withStartedStep(state, event, writable)
    case 'branch-chosen':
      return withBranch(withCurrentTurn(state, event, writable), event.turn, writable)
    case 'summary':
      return { ...state, summaries: withSummary(state.summaries, event), rewrittenAt: event.time }
    case 'part-started':
    case 'text-delta':
    case 'reasoning-delta':
    case 'tool-input-delta':
    case 'part-ended':
    case 'tool-call':
    case 'tool-approval':
    case 'tool-result':
    case 'change-set':
    case 'step-ended':
    case 'turn-ended':
      return withTurn(state, event, writable, turn => changedTurn(turn, event))
    case 'turn-deleted':
      return { ...withTurn(state, event, writable, turn => changedTurn(turn, event)), rewrittenAt: event.time }
    case 'created':
    case 'message-queued':
    case 'message-withdrawn':
    case 'title':
    case 'results-omitted':
    case 'mode':
    case 'pinned':
    case 'archived':
    case 'deleted':
      return withFact(state, event)
    case 'unknown':
      return state
    default:
      return never(event)
  }
}

type FactEvent = EventOf<
  | 'created'
  | 'message-queued'
  | 'message-withdrawn'
  | 'title'
  | 'results-omitted'
  | 'mode'
  | 'pinned'
  | 'archived'
  | 'deleted'
>

/** For events about the conversation as a whole. */
function withFact(state: ConversationState, event: FactEvent): ConversationState {
  switch (event.kind) {
    case 'created':
      return { ...state, createdAt: event.time, workspace: event.workspace ?? state.workspace }
    case 'message-queued':
      return { ...state, queued: [...state.queued, { id: event.message, parts: event.parts }] }
    case 'message-withdrawn':
      return { ...state, queued: state.queued.filter(({ id }) => id !== event.message) }
    case 'title':
      return { ...state, title: { text: event.text, by: event.by } }
    case 'results-omitted':
      return { ...state, omitted: new Set([...state.omitted, ...event.parts]), rewrittenAt: event.time }
    case 'mode':
      return { ...state, mode: event.mode }
    case 'pinned':
      return { ...state, isPinned: event.value }
    case 'archived':
      return { ...state, isArchived: event.value }
    case 'deleted':
      return { ...state, isDeleted: event.value }
    default:
      return never(event)
  }
}

function withStartedTurn(
  state: ConversationState,
  event: EventOf<'turn-started'>,
  writable: Writable,
): ConversationState {
  const known = turnOf(state, event.turn)
  if (known) return state
  const { queued, origin } = event
  const retried = origin.is === 'retry' ? turnOf(state, origin.of) : undefined
  const message = state.queued.find(({ id }) => id === queued)
  const added = withNewTurn(state, writable, {
    id: event.turn,
    parent: parentFor(state, event.parent),
    origin,
    prompt: event.prompt ?? message?.parts ?? retried?.prompt ?? [],
    startedAt: event.time,
    ...(retried?.absent && !event.prompt && !message && { absent: { ...retried.absent, hasAnswer: false } }),
  })
  return message ? { ...added, queued: state.queued.filter(({ id }) => id !== queued) } : added
}

/** A turn whose parent was lost follows the latest one, so that the path still reaches it. */
function parentFor(state: ConversationState, parent: string | undefined): string {
  if (parent === undefined) return ''
  return turnOf(state, parent) ? parent : (state.latest ?? '')
}

type NewTurn = Pick<Turn, 'id' | 'parent' | 'origin' | 'prompt' | 'startedAt' | 'absent'>

/** The new turn is the current one and is on the path. */
function withNewTurn(state: ConversationState, writable: Writable, turn: NewTurn): ConversationState {
  const { id, parent } = turn
  const children = writable(state.children).set(parent, [...(state.children.get(parent) ?? []), id])
  const current: Turn = { ...turn, steps: [], state: 'running', isDeleted: false }
  const added = { ...state, current, otherTurns: otherTurnsWithCurrent(state, writable), children, latest: id }
  return withBranch(added, id, writable)
}

function otherTurnsWithCurrent(
  { current, otherTurns }: ConversationState,
  writable: Writable,
): ReadonlyMap<string, Turn> {
  return current ? writable(otherTurns).set(current.id, current) : otherTurns
}

/** The path goes through the turn: it is chosen, and so is each turn before it. */
function withBranch(state: ConversationState, turn: string, writable: Writable): ConversationState {
  const { parent = '' } = turnOf(state, turn) ?? {}
  const chosen = writable(state.chosen).set(parent, turn)
  // Where the parent is on the path already, the path need not be walked for each new turn.
  if (parent === state.tip) return { ...state, chosen, tip: turn }
  for (let at = turnOf(state, parent); at; at = turnOf(state, at.parent)) chosen.set(at.parent, at.id)
  return { ...state, chosen, tip: endOfPath(chosen, turn) }
}

function endOfPath(chosen: ReadonlyMap<string, string>, from: string): string {
  let end = from
  for (let next = chosen.get(end); next; next = chosen.get(end)) end = next
  return end
}

/** The state with the event's turn as the current one; a turn whose beginning was lost is made without a prompt. */
function withCurrentTurn(state: ConversationState, event: TurnEvent, writable: Writable): ConversationState {
  if (state.current?.id === event.turn) return state
  const turn = state.otherTurns.get(event.turn)
  if (!turn) {
    const lost = { id: event.turn, parent: state.latest ?? '', prompt: [], startedAt: state.updatedAt ?? 0 }
    return withNewTurn(state, writable, { ...lost, origin: { is: 'new' } })
  }
  const otherTurns = writable(state.otherTurns)
  if (state.current) otherTurns.set(state.current.id, state.current)
  otherTurns.delete(turn.id)
  return { ...state, current: turn, otherTurns }
}

type TurnEvent = Extract<ConversationEvent, { turn: string }>

function withTurn(
  state: ConversationState,
  event: TurnEvent,
  writable: Writable,
  change: (turn: Turn) => Turn,
): ConversationState {
  const at = withCurrentTurn(state, event, writable)
  return at.current ? { ...at, current: change(at.current) } : at
}

function withStartedStep(
  state: ConversationState,
  event: EventOf<'step-started'>,
  writable: Writable,
): ConversationState {
  const taken = event.queued ?? []
  const messages = state.queued.filter(({ id }) => taken.includes(id))
  const at = withTurn(state, event, writable, turn => ({
    ...turn,
    steps: [...turn.steps, { model: event.model, messages, parts: [] }],
  }))
  return messages.length > 0 ? { ...at, queued: state.queued.filter(message => !messages.includes(message)) } : at
}

function withSummary(summaries: readonly Summary[], event: EventOf<'summary'>): readonly Summary[] {
  const { summary: id, turn, steps, text } = event
  const others = summaries.filter(summary => summary.id !== id)
  if (text === undefined) return others
  const extras = event.extras ?? summaries.find(summary => summary.id === id)?.extras
  return [...others, { id, turn, text, ...(steps !== undefined && { steps }), ...(extras && { extras }) }]
}

type TurnChange = EventOf<
  | 'part-started'
  | 'text-delta'
  | 'reasoning-delta'
  | 'tool-input-delta'
  | 'part-ended'
  | 'tool-call'
  | 'tool-approval'
  | 'tool-result'
  | 'change-set'
  | 'step-ended'
  | 'turn-ended'
  | 'turn-deleted'
>

function changedTurn(turn: Turn, event: TurnChange): Turn {
  switch (event.kind) {
    case 'part-started':
      return withNewPart(turn, begun(event.value, event.time))
    case 'text-delta':
      return withPart(turn, event.part, emptyText, part => grown(part, event))
    case 'reasoning-delta':
      return withPart(turn, event.part, emptyReasoning, part => grown(part, event))
    case 'tool-input-delta':
      return withPart(turn, event.part, emptyCall, part => withMoreInput(part, event))
    case 'part-ended':
      return withPart(turn, event.part, emptyReasoning, part => ended(part, event))
    case 'tool-call':
      return withCall(turn, event.part, part => written(part, event))
    case 'tool-approval':
      return withCall(turn, event.part, part => ({ ...part, approval: event.approval }))
    case 'tool-result':
      return withCall(turn, event.part, part => ({ ...part, result: event.result }))
    case 'change-set':
      return withPart(
        turn,
        event.value.id,
        () => event.value,
        () => event.value,
      )
    case 'step-ended':
      return withLastStep(turn, step => ({ ...step, why: event.why, ...(event.usage && { usage: event.usage }) }))
    case 'turn-ended':
      return withEnd(turn, event)
    case 'turn-deleted':
      return { ...turn, isDeleted: event.value }
    default:
      return never(event)
  }
}

function withEnd(turn: Turn, { state, time, fault }: EventOf<'turn-ended'>): Turn {
  const { fault: _, ...rest } = turn
  return { ...rest, state, endedAt: time, ...(fault && { fault }) }
}

function begun(part: Part, time: number): Part {
  return part.kind === 'reasoning' && part.startedAt === undefined ? { ...part, startedAt: time } : part
}

/** A part outside of any step (the beginning of its step was lost) makes one. */
function withLastStep(turn: Turn, change: (step: Step) => Step): Turn {
  const last: Step = turn.steps.at(-1) ?? { messages: [], parts: [] }
  return { ...turn, steps: [...turn.steps.slice(0, -1), change(last)] }
}

function withNewPart(turn: Turn, part: Part): Turn {
  return withLastStep(turn, step => ({ ...step, parts: [...step.parts, part] }))
}

/** Changes the part, the newest first; one whose beginning was lost is made. */
function withPart(turn: Turn, id: string, make: (id: string) => Part, change: (part: Part) => Part): Turn {
  for (let at = turn.steps.length - 1; at >= 0; at--) {
    const step = turn.steps[at]
    const place = step?.parts.findLastIndex(part => part.id === id) ?? -1
    const part = step?.parts[place]
    if (step && part) {
      return { ...turn, steps: turn.steps.with(at, { ...step, parts: step.parts.with(place, change(part)) }) }
    }
  }
  return withNewPart(turn, change(make(id)))
}

function withCall(turn: Turn, id: string, change: (part: PartOf<'tool-call'>) => Part): Turn {
  return withPart(turn, id, emptyCall, part => (part.kind === 'tool-call' ? change(part) : part))
}

const emptyText = (id: string): Part => ({ kind: 'text', id, text: '' })
const emptyReasoning = (id: string): Part => ({ kind: 'reasoning', id, text: '' })
const emptyCall = (id: string): Part => ({
  kind: 'tool-call',
  id,
  call: id,
  name: '',
  inputText: '',
  isWritten: false,
})

function grown(part: Part, event: DeltaEvent): Part {
  if (part.kind !== 'text' && part.kind !== 'reasoning') return part
  return { ...part, text: part.text + newText(part.text.length, event) }
}

function withMoreInput(part: Part, event: DeltaEvent): Part {
  if (part.kind !== 'tool-call') return part
  return { ...part, inputText: part.inputText + newText(part.inputText.length, event) }
}

/** The part of the text that is not known yet: of joined deltas, the first may be known. */
function newText(knownChars: number, { offset, text }: DeltaEvent): string {
  return knownChars > offset ? text.slice(knownChars - offset) : text
}

function written(part: PartOf<'tool-call'>, event: EventOf<'tool-call'>): Part {
  const { input, call = part.call, name = part.name } = event
  return { ...part, call, name, input, isWritten: true }
}

function ended(part: Part, { time, sealed }: EventOf<'part-ended'>): Part {
  return part.kind === 'reasoning' ? { ...part, endedAt: time, ...(sealed && { sealed }) } : part
}
