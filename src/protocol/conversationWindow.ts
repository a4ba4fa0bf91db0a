// `windowOf`: a conversation with the content of some of its turns; a page requests the others when it shows them.
import * as z from 'zod/mini'
import {
  conversationPart,
  id,
  keptFault,
  promptPart,
  stepEnd,
  summaryExtras,
  tokenUsage,
  turnEnd,
  turnOrigin,
} from './conversation.ts'
import { hasAnswer, hasQuestion, pathIds } from './conversationPath.ts'
import { type ConversationState, emptyConversation, type Turn, turnOf } from './conversationState.ts'

const optionalText = z.optional(z.string())
const optionalTime = z.optional(z.number())
const queuedMessage = z.object({ id, parts: z.array(promptPart) })
const turnState = z.union([z.literal('running'), turnEnd])

const step = z.object({
  model: optionalText,
  messages: z.array(queuedMessage),
  parts: z.array(conversationPart),
  why: z.optional(stepEnd),
  usage: z.optional(tokenUsage),
})

/** A turn with its content. */
export const wholeTurn = z.object({
  id,
  /** Empty for a first turn. */
  parent: z.string(),
  origin: turnOrigin,
  prompt: z.array(promptPart),
  steps: z.array(step),
  state: turnState,
  fault: z.optional(keptFault),
  isDeleted: z.boolean(),
  startedAt: z.number(),
  endedAt: optionalTime,
})

/** A turn without its content. */
const outline = z.object({
  id,
  parent: z.string(),
  origin: turnOrigin,
  state: turnState,
  isDeleted: z.boolean(),
  hasPrompt: z.boolean(),
  hasAnswer: z.boolean(),
})

/** The state of a conversation. Most of its turns are only an id, so that ten thousand of them are quickly sent. */
export const conversationWindow = z.object({
  n: z.int().check(z.minimum(0)),
  createdAt: optionalTime,
  updatedAt: optionalTime,
  workspace: optionalText,
  title: z.optional(z.object({ text: z.string(), by: z.enum(['model', 'user']) })),
  mode: optionalText,
  isPinned: z.boolean(),
  isArchived: z.boolean(),
  isDeleted: z.boolean(),
  current: optionalText,
  tip: z.string(),
  latest: optionalText,
  queued: z.array(queuedMessage),
  rewrittenAt: optionalTime,
  summaries: z.array(
    z.object({
      id,
      turn: id,
      steps: z.optional(z.int()),
      text: z.string(),
      extras: z.optional(summaryExtras),
    }),
  ),
  omitted: z.array(id),
  /** Every turn, each after its parent and after its older siblings. */
  ids: z.array(z.string()),
  /** The turns that differ from `usual`, which is a finished turn that follows the one before it in `ids`. */
  outlines: z.array(outline),
  /** The chosen child of each turn that has several: parent and child. */
  chosen: z.array(z.tuple([z.string(), id])),
  /** The turns with content. */
  turns: z.array(wholeTurn),
})

export type ConversationWindow = z.infer<typeof conversationWindow>
type Outline = z.infer<typeof outline>

const usual = (turn: string, parent: string): Outline => ({
  id: turn,
  parent,
  origin: { is: 'new' },
  state: 'done',
  isDeleted: false,
  hasPrompt: true,
  hasAnswer: true,
})

/** The state, with the content of the turns for which `isWhole` holds. */
export function windowOf(state: ConversationState, isWhole: (turn: Turn) => boolean): ConversationWindow {
  const { conversation: _, current, otherTurns, children, chosen, summaries, omitted, queued, ...facts } = state
  const ids = [...children.values()].flat()
  const all = ids.flatMap(turn => turnOf(state, turn) ?? [])
  // as: a window is only sent, and no reader changes it; the schema infers mutable members.
  return {
    ...facts,
    current: current?.id,
    queued,
    summaries,
    omitted: [...omitted],
    ids,
    outlines: all.flatMap((turn, at) => (isWhole(turn) ? [] : unusual(turn, ids[at - 1]))),
    chosen: [...chosen].filter(([parent]) => (children.get(parent)?.length ?? 0) > 1),
    turns: all.filter(isWhole),
  } as unknown as ConversationWindow
}

function unusual(turn: Turn, before = ''): Outline[] {
  const { id: turnId, parent, origin, state, isDeleted } = turn
  const isUsual = parent === before && origin.is === 'new' && state === 'done' && !isDeleted
  const has = { hasPrompt: hasQuestion(turn), hasAnswer: hasAnswer(turn) }
  if (isUsual && has.hasPrompt && has.hasAnswer) return []
  return [{ id: turnId, parent, origin, state, isDeleted, ...has }]
}

/** The state of the page that has received this window; turns without content are `absent`. */
export function stateOfWindow(conversation: string, window: ConversationWindow): ConversationState {
  const { ids, outlines, chosen, turns, current, omitted, ...facts } = window
  const unusualTurns = new Map(outlines.map(one => [one.id, one]))
  const whole = new Map(turns.map(turn => [turn.id, turn as Turn])) // as: optional members may be undefined
  const otherTurns = new Map<string, Turn>()
  const children = new Map<string, string[]>()
  for (const [at, turnId] of ids.entries()) {
    const turn = whole.get(turnId) ?? absentTurn(unusualTurns.get(turnId) ?? usual(turnId, ids[at - 1] ?? ''))
    otherTurns.set(turnId, turn)
    const siblings = children.get(turn.parent)
    if (siblings) siblings.push(turnId)
    else children.set(turn.parent, [turnId])
  }
  const onlyChildren = [...children].flatMap(([parent, [child]]) =>
    child === undefined ? [] : [[parent, child] as const],
  )
  const currentTurn = otherTurns.get(current ?? '')
  otherTurns.delete(current ?? '')
  // as: as above.
  return {
    ...emptyConversation(conversation),
    ...(facts as Partial<ConversationState>),
    current: currentTurn,
    otherTurns,
    children,
    chosen: new Map([...onlyChildren, ...chosen]),
    omitted: new Set(omitted),
  }
}

function absentTurn({ hasPrompt, hasAnswer: isAnswered, ...turn }: Outline): Turn {
  return { ...turn, prompt: [], steps: [], startedAt: 0, absent: { hasPrompt, hasAnswer: isAnswered } }
}

/** The state with the content of these turns, which is that of the same event as the state. */
export function withTurns(state: ConversationState, turns: readonly Turn[]): ConversationState {
  const known = turns.filter(turn => turnOf(state, turn.id))
  const current = known.find(turn => turn.id === state.current?.id) ?? state.current
  const others = known.filter(turn => turn.id !== state.current?.id).map(turn => [turn.id, turn] as const)
  return { ...state, current, otherTurns: new Map([...state.otherTurns, ...others]) }
}

/** How much content the first window has at most, beside the last turn of the path. */
const FIRST_TURNS = 30
const FIRST_CHARS = 400_000

/** Decides which turns a page receives first: the newest of the path, those beside them, and all that are running. */
export function newestTurns(state: ConversationState): (turn: Turn) => boolean {
  const newest = new Set<string>()
  let chars = 0
  for (const turn of pathIds(state).slice(-FIRST_TURNS).toReversed()) {
    const group = (state.children.get(turnOf(state, turn)?.parent ?? '') ?? []).flatMap(one => turnOf(state, one) ?? [])
    chars += group.reduce((sum, one) => sum + JSON.stringify([one.prompt, one.steps]).length, 0)
    if (newest.size > 0 && chars > FIRST_CHARS) break
    for (const one of group) newest.add(one.id)
  }
  return turn => newest.has(turn.id) || turn.state === 'running' || turn.id === state.current?.id
}
