// `copiedEvents`: the events that make a copy of a conversation for an export or an import, without what only its own window may claim.
import type { EventBody, Part, PromptPart, ToolResult } from '../../protocol/conversation.ts'
import { pathOf } from '../../protocol/conversationPath.ts'
import { type ConversationState, type Step, type Turn, turnOf } from '../../protocol/conversationState.ts'

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
  const copy = new Copy(idOf)
  const title: TimedBody[] = state.title?.text ? [{ kind: 'title', ...state.title, time: state.updatedAt ?? 0 }] : []
  if (isOnlyShown) {
    const path = pathOf(state)
    const turns = path.flatMap((turn, at) => copy.turn({ ...turn, origin: { is: 'new' } }, path[at - 1]?.id))
    return [...turns, ...title]
  }
  const tip: TimedBody[] = turnOf(state, state.tip)
    ? [{ kind: 'branch-chosen', turn: idOf(state.tip), time: state.updatedAt ?? 0 }]
    : []
  return [...fromRoot(state).flatMap(turn => copy.turn(turn, turn.parent || undefined)), ...tip, ...title]
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

class Copy {
  readonly #idOf: (id: string) => string

  constructor(idOf: (id: string) => string) {
    this.#idOf = idOf
  }

  turn(from: Turn, parent: string | undefined): TimedBody[] {
    const { startedAt, endedAt = startedAt, state, isDeleted, fault } = from
    const turn = this.#idOf(from.id)
    const prompt = isDeleted ? [] : from.prompt.map(part => this.#promptPart(part))
    const steps = isDeleted ? [] : from.steps.flatMap(step => this.#step(turn, startedAt, step))
    const end = { turn, state: state === 'running' ? 'interrupted' : state, ...(fault && { fault }) } as const
    return [
      {
        kind: 'turn-started',
        turn,
        ...(parent !== undefined && { parent: this.#idOf(parent) }),
        origin: this.#origin(from),
        prompt,
        time: startedAt,
      },
      ...steps.map(body => ({ ...body, time: endedAt })),
      { kind: 'turn-ended', ...end, time: endedAt },
      ...(isDeleted ? [{ kind: 'turn-deleted', turn, value: true, time: endedAt } as const] : []),
    ]
  }

  #origin({ origin }: Turn) {
    return origin.is === 'new' ? origin : { ...origin, of: this.#idOf(origin.of) }
  }

  #step(turn: string, startedAt: number, { model = '', messages, parts, why, usage }: Step): EventBody[] {
    const queued = messages.map(({ id }) => this.#idOf(id))
    return [
      ...messages.map(message => this.#message(message)),
      { kind: 'step-started', turn, model, ...(queued.length > 0 && { queued }) },
      ...parts.map(part => ({ kind: 'part-started', turn, value: this.#part(part, startedAt) }) as const),
      ...(why ? [{ kind: 'step-ended', turn, why, ...(usage && { usage }) } as const] : []),
    ]
  }

  #message({ id, parts }: Step['messages'][number]): EventBody {
    return { kind: 'message-queued', message: this.#idOf(id), parts: parts.map(part => this.#promptPart(part)) }
  }

  /** A place in the files of another machine may be anything, also an address in the network. */
  #promptPart(part: PromptPart): PromptPart {
    const id = this.#idOf(part.id)
    if (part.kind !== 'attachment') return { ...part, id }
    const { uri: _, version: __, hash: ___, ...rest } = part
    return { ...rest, id }
  }

  #part(part: Part, startedAt: number): Part {
    const id = this.#idOf(part.id)
    switch (part.kind) {
      case 'text':
      case 'image':
      case 'attachment':
        return this.#promptPart(part)
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
}

const interrupted: ToolResult = { outcome: 'interrupted', content: [] }

function withoutReference({ outcome, content, details }: ToolResult): ToolResult {
  return { outcome, content, ...(details && { details }) }
}
