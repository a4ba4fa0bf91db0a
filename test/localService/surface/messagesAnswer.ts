// Writes answers as messages, whole and as events.
import type { Block, Collected } from '../collected.ts'
import { messagesError } from '../failure.ts'
import { isObject, type JsonObject } from '../json.ts'
import type { ModelEvent, Usage } from '../modelEvent.ts'
import type { ModelRequest } from '../modelRequest.ts'
import { namedFrame } from '../stream.ts'
import { inputTokensOf } from '../tokens.ts'
import { sealOf } from './seal.ts'
import type { Head } from './surface.ts'

export function messagesWhole(head: Head, _: ModelRequest, { blocks, reason, stop, usage }: Collected): JsonObject {
  return {
    ...messageOf(head, messagesUsage(usage)),
    content: blocks.map(blockOf),
    ...stopFields(blocks.some(({ kind }) => kind === 'refusal') ? 'refusal' : reason, stop),
  }
}

function blockOf(block: Block): JsonObject {
  if (block.kind === 'reasoning') return { type: 'thinking', thinking: block.text, signature: sealOf(block.text) }
  if (block.kind !== 'call') return { type: 'text', text: block.text }
  return { type: 'tool_use', id: toolUseId(block.id), name: block.name, input: inputOf(block.arguments) }
}

/** Arguments that were cut off, or are no object, leave nothing that could be put here. */
function inputOf(text: string): JsonObject {
  try {
    const json: unknown = JSON.parse(text === '' ? '{}' : text)
    return isObject(json) ? json : {}
  } catch {
    return {}
  }
}

const event = (data: JsonObject & { readonly type: string }): string => namedFrame(data.type, data)

/** Ends without `message_stop` where the answer failed or has no reason to end. */
export async function* messagesFrames(
  head: Head,
  request: ModelRequest,
  events: AsyncIterable<ModelEvent>,
): AsyncGenerator<string> {
  const before = { prompt_tokens: inputTokensOf(request), completion_tokens: 0, total_tokens: 0 }
  yield event({ type: 'message_start', message: messageOf(head, messagesUsage(before)) })
  yield event({ type: 'ping' })
  const blocks = new OpenBlocks()
  for await (const modelEvent of events) {
    if (modelEvent.kind === 'failure') yield event(messagesError(modelEvent.failure, head.requestId))
    else if (modelEvent.kind === 'end') {
      yield* blocks.close()
      if (modelEvent.reason === null) continue
      const delta = stopFields(blocks.hasRefusal ? 'refusal' : modelEvent.reason, modelEvent.stop)
      yield event({ type: 'message_delta', delta, usage: messagesUsage(modelEvent.usage) })
      yield event({ type: 'message_stop' })
    } else yield* blocks.take(modelEvent)
  }
}

type ContentEvent = Exclude<ModelEvent, { kind: 'end' | 'failure' }>

/** One block is open at a time; another kind of piece, or another call, closes it. */
class OpenBlocks {
  hasRefusal = false
  #index = -1
  #open: ContentEvent['kind'] | undefined
  #reasoning = ''

  #delta(delta: JsonObject): string {
    return event({ type: 'content_block_delta', index: this.#index, delta })
  }

  *take(modelEvent: ContentEvent): Generator<string> {
    const kind = modelEvent.kind === 'arguments' ? 'call' : modelEvent.kind
    if (modelEvent.kind === 'call' || kind !== this.#open) {
      yield* this.close()
      this.#open = kind
      this.#index += 1
      yield event({ type: 'content_block_start', index: this.#index, content_block: startOf(modelEvent) })
    }
    if (modelEvent.kind === 'reasoning') this.#reasoning += modelEvent.text
    if (modelEvent.kind === 'refusal') this.hasRefusal = true
    if (modelEvent.kind !== 'call') yield this.#delta(deltaOf(modelEvent))
  }

  *close(): Generator<string> {
    if (this.#open === undefined) return
    if (this.#open === 'reasoning') yield this.#delta({ type: 'signature_delta', signature: sealOf(this.#reasoning) })
    this.#reasoning = ''
    this.#open = undefined
    yield event({ type: 'content_block_stop', index: this.#index })
  }
}

/** A server behind us may use letters that this surface would not take back. */
const toolUseId = (id: string) => id.replace(/[^\w-]/g, '_')

function startOf(modelEvent: ContentEvent): JsonObject {
  if (modelEvent.kind === 'call')
    return { type: 'tool_use', id: toolUseId(modelEvent.id), name: modelEvent.name, input: {} }
  return modelEvent.kind === 'reasoning'
    ? { type: 'thinking', thinking: '', signature: '' }
    : { type: 'text', text: '' }
}

function deltaOf({ kind, text }: Exclude<ContentEvent, { kind: 'call' }>): JsonObject {
  if (kind === 'arguments') return { type: 'input_json_delta', partial_json: text }
  return kind === 'reasoning' ? { type: 'thinking_delta', thinking: text } : { type: 'text_delta', text }
}

const messageOf = ({ id, model }: Head, usage: JsonObject): JsonObject => ({
  id,
  type: 'message',
  role: 'assistant',
  model,
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage,
})

const reasons: Readonly<Record<string, string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  function_call: 'tool_use',
  content_filter: 'refusal',
}

/** A reason that chat completions do not know goes out as it is, so that a test can script any. */
const stopFields = (reason: string | null, stop: string | undefined) => ({
  stop_reason: stop === undefined ? reason && (reasons[reason] ?? reason) : 'stop_sequence',
  stop_sequence: stop ?? null,
})

const messagesUsage = ({ prompt_tokens, completion_tokens, cached_tokens: cached = 0 }: Usage): JsonObject => ({
  input_tokens: prompt_tokens - cached,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: cached,
  output_tokens: completion_tokens,
})
