// Writes answers as chat completions, whole and as chunks.
import type { Collected } from '../collected.ts'
import { gatewayError } from '../failure.ts'
import type { JsonObject } from '../json.ts'
import type { ModelEvent, Usage } from '../modelEvent.ts'
import type { ModelRequest } from '../modelRequest.ts'
import { endFrame, frame } from '../stream.ts'
import type { Head } from './surface.ts'

export function chatWhole(head: Head, _: ModelRequest, { blocks, reason, usage }: Collected): JsonObject {
  const textOf = (kind: 'text' | 'reasoning' | 'refusal') =>
    blocks.flatMap(block => (block.kind === kind ? [block.text] : [])).join('')
  const calls = blocks.flatMap(block =>
    block.kind === 'call'
      ? [{ id: block.id, type: 'function', function: { name: block.name, arguments: block.arguments } }]
      : [],
  )
  const [text, reasoning, refusal] = [textOf('text'), textOf('reasoning'), textOf('refusal')]
  const message = {
    role: 'assistant',
    content: text === '' && (calls.length > 0 || refusal !== '') ? null : text,
    ...(refusal === '' ? {} : { refusal }),
    ...(reasoning === '' ? {} : reasoningFields(reasoning)),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  }
  return {
    ...common(head),
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason: reason }],
    usage: chatUsage(usage),
  }
}

/** Ends without `[DONE]` where the answer failed. */
export async function* chatFrames(
  head: Head,
  { wantsUsage }: ModelRequest,
  events: AsyncIterable<ModelEvent>,
): AsyncGenerator<string> {
  const chunk = (choices: readonly JsonObject[], usage: JsonObject | null = null) =>
    frame({ ...common(head), object: 'chat.completion.chunk', choices, ...(wantsUsage ? { usage } : {}) })
  const delta = (fields: JsonObject, reason: string | null = null) =>
    chunk([{ index: 0, delta: fields, finish_reason: reason }])
  yield delta({ role: 'assistant', content: '' })
  let call = -1
  for await (const event of events) {
    if (event.kind === 'call') call += 1
    if (event.kind === 'failure') yield frame(gatewayError(event.failure))
    else if (event.kind === 'end') {
      if (event.reason !== null) yield delta({}, event.reason)
      if (wantsUsage) yield chunk([], chatUsage(event.usage))
      yield endFrame
    } else yield delta(deltaOf(event, call))
  }
}

function deltaOf(event: Exclude<ModelEvent, { kind: 'end' | 'failure' }>, call: number): JsonObject {
  switch (event.kind) {
    case 'text':
      return { content: event.text }
    case 'refusal':
      return { refusal: event.text }
    case 'reasoning':
      return reasoningFields(event.text)
    case 'call':
      return {
        tool_calls: [{ index: call, id: event.id, type: 'function', function: { name: event.name, arguments: '' } }],
      }
    case 'arguments':
      return { tool_calls: [{ index: call, function: { arguments: event.text } }] }
  }
}

const common = ({ id, created, model }: Head) => ({ id, created, model })

/** As the gateway writes it: the text twice, and a client takes one of them. */
const reasoningFields = (text: string) => ({
  reasoning: text,
  reasoning_details: [{ type: 'reasoning.text', index: 0, text }],
})

const chatUsage = ({ cached_tokens: cached, reasoning_tokens: reasoning, ...usage }: Usage): JsonObject => ({
  ...usage,
  ...(cached === undefined ? {} : { prompt_tokens_details: { cached_tokens: cached } }),
  ...(reasoning === undefined ? {} : { completion_tokens_details: { reasoning_tokens: reasoning } }),
})
