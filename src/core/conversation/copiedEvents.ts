// `copiedEvents`: the events that make a copy of a conversation for an export or an import, without what only its own window may claim.
import type { EventBody, Part, PromptPart, ToolResult } from '../../protocol/conversation.ts'
import { pathOf } from '../../protocol/conversationPath.ts'
import { type ConversationState, type Turn, turnOf } from '../../protocol/conversationState.ts'
import { type TurnMapping, turnEvents } from './turnEvents.ts'

/** An event before it is numbered; `time`: when it happened. */
export type TimedBody = EventBody & { readonly time?: number }

export interface CopyOptions {
  /** Only the turns that are shown; else those of all branches. */
  readonly isOnlyShown: boolean
  /** The id in the copy for one of the conversation. */
  readonly idOf: (id: string) => string
}

/**
 * A turn that runs is copied as interrupted, and so is a call without a result. Not copied are approvals, the mode,
 * queued messages, summaries, sealed reasoning, and references to files and checkpoints: they hold in one place only.
 * Of a deleted turn only its place is copied.
 */
export function copiedEvents(state: ConversationState, { isOnlyShown, idOf }: CopyOptions): TimedBody[] {
  const mapping = mappingOf(idOf)
  const title: TimedBody[] = state.title?.text ? [{ kind: 'title', ...state.title, time: state.updatedAt ?? 0 }] : []
  if (isOnlyShown) {
    const path = pathOf(state)
    const turns = path.flatMap((turn, at) => copied({ ...turn, origin: { is: 'new' } }, path[at - 1]?.id, mapping))
    return [...turns, ...title]
  }
  const tip: TimedBody[] = turnOf(state, state.tip)
    ? [{ kind: 'branch-chosen', turn: idOf(state.tip), time: state.updatedAt ?? 0 }]
    : []
  return [...fromRoot(state).flatMap(turn => copied(turn, turn.parent || undefined, mapping)), ...tip, ...title]
}

/** Every turn after the one that it follows; siblings keep their order. */
function fromRoot(state: ConversationState): Turn[] {
  const found: Turn[] = []
  const waiting = [...(state.children.get('') ?? [])]
  const seen = new Set<string>()
  for (const id of waiting) {
    const turn = turnOf(state, id)
    if (!turn || seen.has(id)) continue
    seen.add(id)
    found.push(turn)
    waiting.push(...(state.children.get(id) ?? []))
  }
  return found
}

/** A deleted turn is copied without its content. */
function copied(from: Turn, parent: string | undefined, mapping: TurnMapping): TimedBody[] {
  const { id, startedAt, endedAt = startedAt, isDeleted } = from
  const turn = isDeleted ? { ...from, prompt: [], steps: [] } : from
  const deletion: EventBody[] = isDeleted ? [{ kind: 'turn-deleted', turn: mapping.idOf(id), value: true }] : []
  return [...turnEvents(turn, parent, mapping), ...deletion].map(body => ({
    ...body,
    time: body.kind === 'turn-started' ? startedAt : endedAt,
  }))
}

function mappingOf(idOf: (id: string) => string): TurnMapping {
  const promptPart = (part: PromptPart) => withoutPlace(part, idOf(part.id))
  return { idOf, promptPart, part: (part, { startedAt }) => copiedPart(part, startedAt, idOf(part.id)) }
}

/** A place in the files of another machine may be anything, also an address in the network. */
function withoutPlace(part: PromptPart, id: string): PromptPart {
  if (part.kind === 'text') return { ...part, id }
  const { reference: _, ...known } = part
  if (known.kind === 'image') return { ...known, id }
  const { uri: __, version: ___, hash: ____, ...rest } = known
  return { ...rest, id }
}

function copiedPart(part: Part, startedAt: number, id: string): Part {
  switch (part.kind) {
    case 'text':
    case 'image':
    case 'attachment':
      return withoutPlace(part, id)
    case 'reasoning': {
      const { sealed: _, ...rest } = part
      return { startedAt, ...rest, id }
    }
    case 'tool-call': {
      const { approval: _, result: given, ...rest } = part
      const result = given ? withoutReference(given) : interrupted
      return { ...rest, id, ...((given || part.isWritten) && { result }) }
    }
    case 'change-set': {
      const files = part.files.map(
        file => ({ ...file, review: file.review === 'open' ? 'kept' : file.review }) as const,
      )
      return { kind: 'change-set', id, files }
    }
    case 'notice':
      return { ...part, id }
  }
}

const interrupted: ToolResult = { outcome: 'interrupted', content: [] }

function withoutReference({ outcome, content, details }: ToolResult): ToolResult {
  return { outcome, content, ...(details && { details }) }
}
