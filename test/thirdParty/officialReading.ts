// How the official packages read an answer: as their own examples of streaming and of whole answers do.
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import type { SurfaceId } from '../../src/core/model/surfaceIds.ts'

export interface ParsedAnswer {
  readonly text: string
  /** Name and input; what is no JSON object comes as its text. */
  readonly calls: readonly (readonly [string, unknown])[]
  /** Tokens. Undefined where none were reported. */
  readonly usage: { readonly input: number; readonly output: number } | undefined
}

/**
 * `whole`: no stream is asked for. `helper`: by the package's own collector, which wants every member that the
 * description of the API has. `loop`: event by event, as the packages' examples show it.
 */
export type Way = 'whole' | 'helper' | 'loop'

/** Asks `origin` for any answer. Throws what the package throws. */
export function readOfficially(surface: SurfaceId, origin: string, way: Way): Promise<ParsedAnswer> {
  if (surface === 'messages') {
    const baseURL = `${origin}/anthropic`
    return readers.messages[way](new Anthropic({ baseURL, apiKey: 'none', authToken: null, maxRetries: 0 }))
  }
  return readers[surface][way](new OpenAI({ baseURL: `${origin}/v1`, apiKey: 'none', maxRetries: 0 }))
}

const asked = { model: 'm', messages: [{ role: 'user' as const, content: 'Hello' }] }

async function chatHelper(client: OpenAI): Promise<ParsedAnswer> {
  const stream = client.chat.completions.stream({ ...asked, stream_options: { include_usage: true } })
  return readCompletion(await stream.finalChatCompletion())
}

async function chatLoop(client: OpenAI): Promise<ParsedAnswer> {
  const stream = await client.chat.completions.create({ ...asked, stream: true })
  let text = ''
  const calls: { name: string; text: string }[] = []
  let usage: OpenAI.CompletionUsage | null | undefined
  for await (const chunk of stream) {
    const delta = chunk.choices[0]?.delta
    text += delta?.content ?? ''
    for (const fragment of delta?.tool_calls ?? []) {
      const call = calls[fragment.index] ?? { name: '', text: '' }
      calls[fragment.index] = call
      call.name += fragment.function?.name ?? ''
      call.text += fragment.function?.arguments ?? ''
    }
    usage = chunk.usage ?? usage
  }
  return {
    text,
    calls: calls.filter(Boolean).map(call => [call.name, inputOf(call.text)] as const),
    usage: usage ? { input: usage.prompt_tokens, output: usage.completion_tokens } : undefined,
  }
}

async function chatWhole(client: OpenAI): Promise<ParsedAnswer> {
  return readCompletion(await client.chat.completions.create(asked))
}

function readCompletion({ choices: [choice], usage }: OpenAI.ChatCompletion): ParsedAnswer {
  const calls = choice?.message.tool_calls?.filter(call => call.type === 'function') ?? []
  return {
    text: choice?.message.content ?? '',
    calls: calls.map(call => [call.function.name, inputOf(call.function.arguments)] as const),
    usage: usage && { input: usage.prompt_tokens, output: usage.completion_tokens },
  }
}

async function responsesHelper(client: OpenAI): Promise<ParsedAnswer> {
  return readResponse(await client.responses.stream({ model: 'm', input: 'Hello' }).finalResponse())
}

async function responsesLoop(client: OpenAI): Promise<ParsedAnswer> {
  const stream = await client.responses.create({ model: 'm', input: 'Hello', stream: true })
  let text = ''
  let items: OpenAI.Responses.ResponseOutputItem[] = []
  let usage: OpenAI.Responses.ResponseUsage | null | undefined
  for await (const event of stream) {
    if (event.type === 'response.output_text.delta') text += event.delta
    else if (event.type === 'response.output_item.done') items = [...items, event.item]
    else if (event.type === 'response.completed' || event.type === 'response.incomplete') usage = event.response.usage
  }
  return { text, calls: callsOf(items), usage: usageOf(usage) }
}

async function responsesWhole(client: OpenAI): Promise<ParsedAnswer> {
  return readResponse(await client.responses.create({ model: 'm', input: 'Hello' }))
}

function readResponse(response: OpenAI.Responses.Response): ParsedAnswer {
  return { text: response.output_text, calls: callsOf(response.output), usage: usageOf(response.usage) }
}

const callsOf = (items: readonly OpenAI.Responses.ResponseOutputItem[]) =>
  items.flatMap(item => (item.type === 'function_call' ? [[item.name, inputOf(item.arguments)] as const] : []))

const usageOf = (usage: { input_tokens: number; output_tokens: number } | null | undefined) =>
  usage ? { input: usage.input_tokens, output: usage.output_tokens } : undefined

const request = { ...asked, max_tokens: 1_000 }

async function messagesWhole(client: Anthropic): Promise<ParsedAnswer> {
  return readMessage(await client.messages.create(request))
}

async function messagesHelper(client: Anthropic): Promise<ParsedAnswer> {
  return readMessage(await client.messages.stream(request).finalMessage())
}

async function messagesLoop(client: Anthropic): Promise<ParsedAnswer> {
  const stream = await client.messages.create({ ...request, stream: true })
  let text = ''
  const calls: { name: string; text: string }[] = []
  let counts: Partial<Record<string, unknown>> | undefined
  for await (const event of stream) {
    if (event.type === 'message_start') counts = { ...event.message.usage }
    else if (event.type === 'message_delta') counts = { ...counts, ...event.usage }
    else if (event.type === 'content_block_start' && event.content_block.type === 'tool_use')
      calls[event.index] = { name: event.content_block.name, text: '' }
    else if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') text += event.delta.text
    else if (event.type === 'content_block_delta' && event.delta.type === 'input_json_delta') {
      const call = calls[event.index]
      if (call) call.text += event.delta.partial_json
    }
  }
  const count = (name: string) => Number(counts?.[name] ?? 0)
  const input = count('input_tokens') + count('cache_read_input_tokens') + count('cache_creation_input_tokens')
  return {
    text,
    calls: calls.filter(Boolean).map(call => [call.name, inputOf(call.text)] as const),
    usage: counts && Object.keys(counts).length > 0 ? { input, output: count('output_tokens') } : undefined,
  }
}

function readMessage({ content, usage }: Anthropic.Message): ParsedAnswer {
  const cached = (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0)
  return {
    text: content.map(block => (block.type === 'text' ? block.text : '')).join(''),
    calls: content.flatMap(block => (block.type === 'tool_use' ? [[block.name, block.input] as const] : [])),
    usage: { input: usage.input_tokens + cached, output: usage.output_tokens },
  }
}

const readers = {
  'chat-completions': { whole: chatWhole, helper: chatHelper, loop: chatLoop },
  responses: { whole: responsesWhole, helper: responsesHelper, loop: responsesLoop },
  messages: { whole: messagesWhole, helper: messagesHelper, loop: messagesLoop },
} as const

function inputOf(text: string): unknown {
  try {
    const input: unknown = JSON.parse(text || '{}')
    return typeof input === 'object' && input !== null && !Array.isArray(input) ? input : text
  } catch {
    return text
  }
}
