// An answer that is given at once: its events, put together.
import type { Failure } from './failure.ts'
import type { ModelEvent, Usage } from './modelEvent.ts'

export type Block =
  | { readonly kind: 'text' | 'reasoning' | 'refusal'; readonly text: string }
  | { readonly kind: 'call'; readonly id: string; readonly name: string; readonly arguments: string }

export interface Collected {
  /** In the order in which they were sent. */
  readonly blocks: readonly Block[]
  readonly reason: string | null
  readonly stop: string | undefined
  readonly usage: Usage
}

/** The whole answer, the failure it ended in, or undefined where it did not reach its end. */
export async function collected(events: AsyncIterable<ModelEvent>): Promise<Collected | Failure | undefined> {
  const blocks: Block[] = []
  for await (const event of events) {
    if (event.kind === 'failure') return event.failure
    if (event.kind === 'end') {
      const { reason, stop, usage } = event
      return { blocks, reason, stop, usage }
    }
    add(blocks, event)
  }
  return undefined
}

type ContentEvent = Exclude<ModelEvent, { kind: 'end' | 'failure' }>

/** Puts an event onto the block that it belongs to, or begins a new one. */
export function add(blocks: Block[], event: ContentEvent): void {
  const last = blocks.at(-1)
  if (event.kind === 'call') blocks.push({ ...event, arguments: '' })
  else if (event.kind === 'arguments') {
    if (last?.kind === 'call') blocks[blocks.length - 1] = { ...last, arguments: last.arguments + event.text }
  } else if (last?.kind === event.kind) blocks[blocks.length - 1] = { kind: event.kind, text: last.text + event.text }
  else blocks.push({ kind: event.kind, text: event.text })
}
