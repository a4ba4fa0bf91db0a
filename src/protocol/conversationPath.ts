// `pathOf`: the turns that the user sees, in order, and functions that read them.
import { never } from '../base/fault.ts'
import { withoutOtherKeys } from '../base/otherKeys.ts'
import type { Part, PartOf, PromptPart } from './conversation.ts'
import { type ConversationState, type Turn, turnOf } from './conversationState.ts'

/** The chosen path, oldest first, without deleted turns. */
export function pathOf(state: ConversationState): readonly Turn[] {
  return pathIds(state).flatMap(id => {
    const turn = turnOf(state, id)
    return turn && !turn.isDeleted ? [turn] : []
  })
}

/** Paths by the map of chosen turns, which stays the same object while an answer grows. */
const paths = new WeakMap<ReadonlyMap<string, string>, readonly string[]>()

/** The ids of the turns of the chosen path, oldest first, with deleted ones. The same list until the path changes. */
export function pathIds({ chosen }: ConversationState): readonly string[] {
  const known = paths.get(chosen)
  if (known) return known
  const path: string[] = []
  for (let id = chosen.get(''); id !== undefined; id = chosen.get(id)) path.push(id)
  paths.set(chosen, path)
  return path
}

/** The alternatives to this turn (retries and edits), itself included, oldest first. */
export function branchesOf(state: ConversationState, turn: Turn): readonly Turn[] {
  const ids = state.children.get(turn.parent) ?? []
  return ids.flatMap(id => turnOf(state, id) ?? []).filter(({ isDeleted }) => !isDeleted)
}

/** All attempts at this turn's question, itself included, oldest first. */
export function attemptsOf(state: ConversationState, turn: Turn): readonly Turn[] {
  const question = questionOf(state, turn)
  return branchesOf(state, turn).filter(other => other === turn || questionOf(state, other) === question)
}

/** The questions that were asked in this place, oldest first, each by the last of its attempts; for this turn's itself. */
export function questionsOf(state: ConversationState, turn: Turn): readonly Turn[] {
  const last = new Map<string, Turn>()
  for (const branch of branchesOf(state, turn)) last.set(questionOf(state, branch), branch)
  last.set(questionOf(state, turn), turn)
  return [...last.values()]
}

/** The first turn that asked the question of this one. */
function questionOf(state: ConversationState, turn: Turn): string {
  let { id, origin } = turn
  const seen = new Set<string>()
  while (origin.is === 'retry' && !seen.has(id)) {
    seen.add(id)
    id = origin.of
    origin = turnOf(state, id)?.origin ?? { is: 'new' }
  }
  return id
}

/** The attempt whose answer is shown: until a retry has any content, the one before. `attempts`: those at its question. */
export function shownAttempt(turn: Turn, attempts: readonly Turn[]): Turn {
  if (hasAnswer(turn)) return turn
  return attempts.slice(0, attempts.indexOf(turn)).findLast(hasAnswer) ?? turn
}

/** Every part of the answer in order, from all its steps. */
export function answerParts(turn: Turn): readonly Part[] {
  return turn.steps.flatMap(({ parts }) => parts)
}

/** An answer without content is a message all the same, because of its reason. */
export function isCutOffUnseen({ state }: Turn): boolean {
  return state === 'interrupted' || state === 'length' || state === 'filtered'
}

/** Longer than any title is shown. */
const MOST_TITLE_CHARS = 2_000

/** The title that was set, else what the user has asked first, without keys; empty where there is neither, or it is absent. */
export function titleText(state: ConversationState): string {
  if (state.title?.text) return state.title.text
  const first = pathOf(state).find(({ absent, prompt }) => absent || promptTitle(prompt) !== '')
  return first ? promptTitle(first.prompt) : ''
}

/** A command alone, such as `/fix`, has no meaning without what it is about. */
function promptTitle(parts: readonly PromptPart[]): string {
  const text = promptText(parts)
  if (text !== '' && !/^\/\S+$/.test(text.trim())) return withoutOtherKeys(text.slice(0, MOST_TITLE_CHARS))
  const names = attachedParts(parts).map(({ name, uri }) => (uri === undefined ? name : fileNameOf(name)))
  return [text.trim(), [...new Set(names)].join(', ')].filter(one => one !== '').join(' ')
}

const fileNameOf = (path: string) => path.slice(path.replace(/\/$/, '').lastIndexOf('/') + 1)

/** What the user has attached, without what goes along by itself. */
export function attachedParts(parts: readonly PromptPart[]): readonly PartOf<'attachment'>[] {
  return parts.flatMap(part =>
    part.kind === 'attachment' && part.source !== 'environment' && part.source !== 'instructions' ? [part] : [],
  )
}

/** The text of the answer, with a blank line between its parts. */
export function answerText(turn: Turn): string {
  return joinedText(answerParts(turn))
}

/** The user's own text, without attachments. */
export function promptText(parts: readonly PromptPart[]): string {
  return joinedText(parts)
}

function joinedText(parts: readonly Part[]): string {
  return parts.flatMap(part => (part.kind === 'text' && part.text.trim() ? [part.text] : [])).join('\n\n')
}

/** Whether the user can see something of an answer: text, a call that was not refused, or changes; not only reasoning. */
export function hasAnswer(turn: Turn): boolean {
  return turn.absent?.hasAnswer === true || turn.steps.some(({ parts }) => parts.some(isVisible))
}

/** Whether the turn begins with a message of the user. */
export function hasQuestion({ prompt, absent }: Turn): boolean {
  return absent?.hasPrompt === true || prompt.length > 0
}

function isVisible(part: Part): boolean {
  switch (part.kind) {
    case 'text':
      return part.text.trim() !== ''
    case 'tool-call':
      return part.result?.outcome !== 'refused'
    case 'image':
    case 'change-set':
      return true
    case 'reasoning':
    case 'attachment':
    case 'notice':
      return false
    default:
      return never(part)
  }
}

/** The last turn of the path, if nothing of its answer has come yet. */
export function unansweredTurn(state: ConversationState): Turn | undefined {
  const last = turnOf(state, state.tip)
  return last && !last.isDeleted && last.state !== 'done' && !hasAnswer(last) ? last : undefined
}

/** The turns that have not ended. */
export function runningTurns(state: ConversationState): readonly Turn[] {
  const all = state.current ? [...state.otherTurns.values(), state.current] : [...state.otherTurns.values()]
  return all.filter(turn => turn.state === 'running')
}
