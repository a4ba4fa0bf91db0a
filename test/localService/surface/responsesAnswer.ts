// Writes answers as responses, whole and as typed events.
import { add, type Block, type Collected } from '../collected.ts'
import type { JsonObject } from '../json.ts'
import type { ModelEvent } from '../modelEvent.ts'
import type { ModelRequest } from '../modelRequest.ts'
import { namedFrame } from '../stream.ts'
import { type ItemStatus, itemId, itemOf, partOf } from './outputItem.ts'
import { isIncomplete, responseObject, wantsSealed } from './responseObject.ts'
import type { Head } from './surface.ts'

export function responsesWhole(head: Head, request: ModelRequest, { blocks, reason, usage }: Collected): JsonObject {
  const output = blocks.map((block, index) => {
    const status = index === blocks.length - 1 ? lastStatus(reason) : 'completed'
    return itemOf(block, itemId(block.kind, head.id, index), status, wantsSealed(request))
  })
  return responseObject(head, request, { output, usage, reason: reason ?? 'stop' })
}

const lastStatus = (reason: string | null): ItemStatus =>
  reason !== null && isIncomplete(reason) ? 'incomplete' : 'completed'

type ContentEvent = Exclude<ModelEvent, { kind: 'end' | 'failure' }>

type Event = JsonObject & { readonly type: string }

/** Ends without `response.completed` where the answer has no reason to end; there is no `[DONE]`. */
export async function* responsesFrames(
  head: Head,
  request: ModelRequest,
  events: AsyncIterable<ModelEvent>,
): AsyncGenerator<string> {
  let sequence = 0
  const write = ({ type, ...fields }: Event) => namedFrame(type, { type, sequence_number: sequence++, ...fields })
  const output = new Output(head.id, wantsSealed(request))
  const began = responseObject(head, request, { output: [] })
  yield write({ type: 'response.created', response: began })
  yield write({ type: 'response.in_progress', response: began })
  for await (const modelEvent of events) {
    if (modelEvent.kind === 'failure') {
      const { code, message } = modelEvent.failure
      yield write({ type: 'error', code, message, param: null })
      const response = responseObject(head, request, { output: output.items, failure: modelEvent.failure })
      yield write({ type: 'response.failed', response })
    } else if (modelEvent.kind === 'end') {
      const { reason, usage } = modelEvent
      for (const event of output.close(lastStatus(reason))) yield write(event)
      if (reason === null) continue
      const response = responseObject(head, request, { output: output.items, usage, reason })
      yield write({ type: isIncomplete(reason) ? 'response.incomplete' : 'response.completed', response })
    } else for (const event of output.take(modelEvent)) yield write(event)
  }
}

/** The items so far, one of them open at a time. */
class Output {
  readonly items: JsonObject[] = []
  readonly #responseId: string
  readonly #wantsSealed: boolean
  /** The open block, alone or not at all. */
  #open: Block[] = []

  constructor(responseId: string, wantsSealed: boolean) {
    this.#responseId = responseId
    this.#wantsSealed = wantsSealed
  }

  *take(modelEvent: ContentEvent): Generator<Event> {
    const kind = modelEvent.kind === 'arguments' ? 'call' : modelEvent.kind
    if (modelEvent.kind === 'call' || kind !== this.#open[0]?.kind) {
      yield* this.close('completed')
      add(this.#open, modelEvent.kind === 'call' ? modelEvent : { ...modelEvent, text: '' })
      yield* this.#began()
    }
    if (modelEvent.kind === 'call') return
    add(this.#open, modelEvent)
    yield {
      type: deltaTypes[modelEvent.kind],
      ...this.#place(),
      ...withLogprobs(modelEvent.kind),
      delta: modelEvent.text,
    }
  }

  *close(status: ItemStatus): Generator<Event> {
    const [block] = this.#open
    if (!block) return
    yield* this.#doneEvents(block)
    const item = this.#item(block, status)
    yield { type: 'response.output_item.done', output_index: this.items.length, item }
    this.items.push(item)
    this.#open = []
  }

  *#began(): Generator<Event> {
    const [block] = this.#open
    if (!block) return
    const item = this.#item(block, 'in_progress')
    yield { type: 'response.output_item.added', output_index: this.items.length, item }
    if (block.kind === 'call') return
    const isReasoning = block.kind === 'reasoning'
    const part = block.kind === 'reasoning' ? { type: 'summary_text', text: '' } : partOf(block.kind, '')
    const type = isReasoning ? 'response.reasoning_summary_part.added' : 'response.content_part.added'
    yield { type, ...this.#place(), part }
  }

  *#doneEvents(block: Block): Generator<Event> {
    const place = this.#place()
    if (block.kind === 'call') {
      const { name, arguments: text } = block
      yield { type: 'response.function_call_arguments.done', ...place, name, arguments: text }
    } else if (block.kind === 'reasoning') {
      yield { type: 'response.reasoning_summary_text.done', ...place, text: block.text }
      const part = { type: 'summary_text', text: block.text }
      yield { type: 'response.reasoning_summary_part.done', ...place, part }
    } else {
      const text = block.kind === 'text' ? { text: block.text, logprobs: [] } : { refusal: block.text }
      yield { type: doneTypes[block.kind], ...place, ...text }
      yield { type: 'response.content_part.done', ...place, part: partOf(block.kind, block.text) }
    }
  }

  #item(block: Block, status: ItemStatus): JsonObject {
    return itemOf(block, this.#id(block.kind), status, this.#wantsSealed)
  }

  #id(kind: Block['kind']): string {
    return itemId(kind, this.#responseId, this.items.length)
  }

  #place(): JsonObject {
    const kind = this.#open[0]?.kind ?? 'text'
    const place = { item_id: this.#id(kind), output_index: this.items.length }
    if (kind === 'call') return place
    return kind === 'reasoning' ? { ...place, summary_index: 0 } : { ...place, content_index: 0 }
  }
}

const deltaTypes = {
  text: 'response.output_text.delta',
  refusal: 'response.refusal.delta',
  reasoning: 'response.reasoning_summary_text.delta',
  arguments: 'response.function_call_arguments.delta',
}

const doneTypes = { text: 'response.output_text.done', refusal: 'response.refusal.done' }

const withLogprobs = (kind: string): JsonObject => (kind === 'text' ? { logprobs: [] } : {})
