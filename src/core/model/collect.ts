// Events into one message.
import type { FinishReason, ModelEvent, ReasoningBlock, ToolCall, Usage } from './modelClient.ts'

export interface Collected {
  readonly text: string
  readonly reasoning: string
  readonly thoughts: readonly ReasoningBlock[]
  readonly calls: readonly ToolCall[]
  readonly why: FinishReason
  readonly usage: Usage | undefined
}

/** The whole answer at once, for those who show nothing before its end. */
export async function collect(events: AsyncIterable<ModelEvent>): Promise<Collected> {
  let text = ''
  let reasoning = ''
  const thoughts: ReasoningBlock[] = []
  const calls: ToolCall[] = []
  let why: FinishReason = 'cut-off'
  let usage: Usage | undefined
  for await (const event of events) {
    if (event.kind === 'text-delta') text += event.text
    else if (event.kind === 'reasoning-delta') reasoning += event.text
    else if (event.kind === 'thought') thoughts.push(event.thought)
    else if (event.kind === 'tool-call') calls.push({ id: event.id, name: event.name, input: event.input })
    else if (event.kind === 'finish') ({ why, usage } = { usage: undefined, ...event })
  }
  return { text, reasoning, thoughts, calls, why, usage }
}
