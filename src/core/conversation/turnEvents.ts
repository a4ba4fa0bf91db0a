// `turnEvents`: the events that make a copy of a turn.
import type { EventBody, Part, PromptPart } from '../../protocol/conversation.ts'
import type { Step, Turn } from '../../protocol/conversationState.ts'

/** What the copy has in place of an id and of a part. */
export interface TurnMapping {
  readonly idOf: (id: string) => string
  readonly promptPart: (part: PromptPart) => PromptPart
  readonly part: (part: Part, turn: Turn) => Part
}

/** A running turn is copied as interrupted. `parent`: the turn that it follows; its id is mapped too. */
export function turnEvents(from: Turn, parent: string | undefined, mapping: TurnMapping): EventBody[] {
  const { prompt, steps, state, fault } = from
  const { idOf } = mapping
  const turn = idOf(from.id)
  const origin = from.origin.is === 'new' ? from.origin : { ...from.origin, of: idOf(from.origin.of) }
  const before = parent === undefined ? {} : { parent: idOf(parent) }
  return [
    { kind: 'turn-started', turn, ...before, origin, prompt: prompt.map(mapping.promptPart) },
    ...steps.flatMap(step => stepEvents(turn, step, from, mapping)),
    { kind: 'turn-ended', turn, state: state === 'running' ? 'interrupted' : state, ...(fault && { fault }) },
  ]
}

function stepEvents(turn: string, step: Step, from: Turn, { idOf, promptPart, part }: TurnMapping): EventBody[] {
  const { model = '', messages, parts, why, usage } = step
  const queued = messages.map(({ id }) => idOf(id))
  return [
    ...messages.map(
      message => ({ kind: 'message-queued', message: idOf(message.id), parts: message.parts.map(promptPart) }) as const,
    ),
    { kind: 'step-started', turn, model, ...(queued.length > 0 && { queued }) },
    ...parts.map(value => ({ kind: 'part-started', turn, value: part(value, from) }) as const),
    ...(why ? [{ kind: 'step-ended', turn, why, ...(usage && { usage }) } as const] : []),
  ]
}
