// `collect`: joins the events of an answer to one message.
import type { AnswerPart, FinishReason, ModelEvent, ToolCall, ToolCallPart, Usage } from './modelClient.ts'

/** `parts`: the parts of the answer in order. `text`, `reasoning` and `calls`: all parts of one kind, joined. */
export interface Collected {
  readonly parts: readonly AnswerPart[]
  readonly text: string
  readonly reasoning: string
  readonly calls: readonly ToolCall[]
  readonly why: FinishReason
  readonly usage: Usage | undefined
}

/** The complete answer, for callers that do not show it while it streams. */
export async function collect(events: AsyncIterable<ModelEvent>): Promise<Collected> {
  const answer = new AnswerParts()
  let reasoning = ''
  let why: FinishReason = 'cut-off'
  let usage: Usage | undefined
  for await (const event of events) {
    answer.add(event)
    if (event.kind === 'reasoning-delta') reasoning += event.text
    else if (event.kind === 'finish') ({ why, usage } = { usage: undefined, ...event })
  }
  const { parts } = answer
  const text = parts.map(part => (part.kind === 'text' ? part.text : '')).join('')
  const calls = parts.flatMap(part =>
    part.kind === 'tool-call' ? [{ id: part.id, name: part.name, input: part.input }] : [],
  )
  return { parts, text, reasoning, calls, why, usage }
}

/** The place of a call that has started but whose `tool-call` event has not arrived. */
interface Begun {
  readonly kind: 'begun'
  readonly id: string
}

class AnswerParts {
  readonly #parts: (AnswerPart | Begun)[] = []

  add(event: ModelEvent): void {
    if (event.kind === 'text-delta') this.#addText(event.text)
    else if (event.kind === 'reasoning-block') this.#parts.push({ kind: 'reasoning', sealed: event.sealed })
    else if (event.kind === 'tool-input-start') this.#parts.push({ kind: 'begun', id: event.id })
    else if (event.kind === 'tool-call') this.#addCall(event)
  }

  /** Without the calls that were not completed. */
  get parts(): AnswerPart[] {
    return this.#parts.filter(part => part.kind !== 'begun')
  }

  #addText(text: string): void {
    const last = this.#parts.at(-1)
    if (last?.kind === 'text') this.#parts[this.#parts.length - 1] = { kind: 'text', text: last.text + text }
    else this.#parts.push({ kind: 'text', text })
  }

  #addCall({ id, name, input, startedAs = id }: ModelEvent & { kind: 'tool-call' }): void {
    const call: ToolCallPart = { kind: 'tool-call', id, name, input }
    const place = this.#parts.findIndex(part => part.kind === 'begun' && part.id === startedAs)
    if (place < 0) this.#parts.push(call)
    else this.#parts[place] = call
  }
}
