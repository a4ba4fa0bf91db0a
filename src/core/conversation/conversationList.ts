// `ConversationList`: the port that lists and searches the stored conversations; and the summary and text of each.
import type { Event } from '../../base/event.ts'
import { clip } from '../../base/text.ts'
import { answerText, promptText, titleText } from '../../protocol/conversationPath.ts'
import type { ConversationState, Turn } from '../../protocol/conversationState.ts'

/** Pinned conversations come first, then the newest. */
export interface ConversationList {
  list(filter: ConversationFilter, signal: AbortSignal): Promise<readonly ConversationSummary[]>

  /** The conversations in which one turn contains all the words, as substrings and without regard to case. */
  search(text: string, filter: ConversationFilter, signal: AbortSignal): Promise<readonly SearchHit[]>

  /**
   * Call it if a journal may have changed. It is read in the background; `onDidChange` fires if there is a difference.
   */
  refresh(): void

  /** Resolves when the list has what is now in the journal of this conversation. */
  refreshOne(conversation: string, signal: AbortSignal): Promise<void>

  /** How many journals were written by a later version, as far as they have been read. */
  readonly laterCount: number

  readonly onDidChange: Event<void>
}

export interface ConversationFilter {
  /** Only conversations that were started in this workspace. */
  readonly workspace?: string
  /** Only archived ones, or only those that are not archived; both if undefined. */
  readonly isArchived?: boolean
  /** Only deleted ones, for as long as their journals are kept; they are excluded otherwise. */
  readonly isDeleted?: boolean
}

/** Times in milliseconds since 1970. */
export interface ConversationSummary {
  readonly conversation: string
  /** As `titleText`, in one line. */
  readonly title: string
  readonly createdAt: number
  readonly updatedAt: number
  readonly workspace?: string
  readonly isPinned: boolean
  readonly isArchived: boolean
  readonly isDeleted: boolean
  readonly turnCount: number
  /** The size of the journal. */
  readonly sizeBytes: number
}

export interface SearchHit {
  readonly summary: ConversationSummary
  /** The first turn with a match; empty if only the title has one. */
  readonly turn: string
  /** The text around the match, in one line. */
  readonly excerpt: string
}

/** The searchable text of one turn, question and answer; or without a turn, the title. */
export interface Passage {
  readonly turn: string
  readonly text: string
}

const TITLE_CHARS = 200
const EXCERPT_CHARS = 160
/** The match is to be seen in a narrow view as well. */
const EXCERPT_LEAD_CHARS = 20

export function summaryOf(state: ConversationState, sizeBytes: number): ConversationSummary {
  const { conversation, createdAt, updatedAt = 0, workspace, isPinned, isArchived, isDeleted } = state
  const turns = turnsOf(state)
  return {
    conversation,
    title: clip(titleText(state).replace(/\s+/g, ' ').trim(), TITLE_CHARS),
    createdAt: createdAt ?? turns[0]?.startedAt ?? updatedAt,
    updatedAt,
    ...(workspace !== undefined && { workspace }),
    isPinned,
    isArchived,
    isDeleted,
    turnCount: turns.length,
    sizeBytes,
  }
}

/** The passages of all branches, oldest first, and after them the title that was set. */
export function passagesOf(state: ConversationState): Passage[] {
  const texts = turnsOf(state).map(turn => ({
    turn: turn.id,
    text: `${promptText(turn.prompt)}\n\n${answerText(turn)}`,
  }))
  return state.title?.text ? [...texts, { turn: '', text: state.title.text }] : texts
}

/** The search words in `text`; none if it has only white space. */
export function searchWords(text: string): string[] {
  return folded(text)
    .split(/\s+/)
    .filter(word => word !== '')
}

export function hasWords(text: string, words: readonly string[]): boolean {
  const within = folded(text)
  return words.every(word => within.includes(word))
}

/** The text normalized for a search: lower case, NFC. */
export function folded(text: string): string {
  return text.toLowerCase().normalize('NFC')
}

export function excerptOf(text: string, words: readonly string[]): string {
  const line = text.replace(/\s+/g, ' ').trim()
  const within = folded(line)
  const at = Math.min(...words.map(word => within.indexOf(word)).filter(found => found >= 0))
  const lead = Number.isFinite(at) ? Math.max(0, at - EXCERPT_LEAD_CHARS) : 0
  const word = line.indexOf(' ', lead) + 1
  const from = lead > 0 && word > 0 && word <= at ? word : lead
  return clip(from > 0 ? `…${line.slice(from).toWellFormed()}` : line, EXCERPT_CHARS)
}

export function isListed(
  summary: ConversationSummary,
  { workspace, isArchived, isDeleted = false }: ConversationFilter,
): boolean {
  if (summary.isDeleted !== isDeleted || summary.turnCount === 0) return false
  if (workspace !== undefined && summary.workspace !== workspace) return false
  return isArchived === undefined || summary.isArchived === isArchived
}

/** Pinned first, then the newest. */
export function inListOrder(a: ConversationSummary, b: ConversationSummary): number {
  const byPin = Number(b.isPinned) - Number(a.isPinned)
  return byPin || b.updatedAt - a.updatedAt || (a.conversation < b.conversation ? -1 : 1)
}

function turnsOf(state: ConversationState): Turn[] {
  const turns = state.current ? [...state.otherTurns.values(), state.current] : [...state.otherTurns.values()]
  return turns.filter(({ isDeleted }) => !isDeleted).sort((a, b) => a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1))
}
