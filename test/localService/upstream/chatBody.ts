// A request of any surface as a chat completion request for the server behind us.
import type { JsonObject } from '../json.ts'
import { given, imagesOf, type Message, type ModelRequest, type Part } from '../modelRequest.ts'

export function chatBody(request: ModelRequest, model: string): JsonObject {
  const { messages, tools, toolChoice, maxTokens, stops, isStream, extras } = request
  return {
    model,
    messages: inChatForm(messages),
    ...(isStream ? { stream: true, stream_options: { include_usage: true } } : {}),
    ...given({ max_tokens: maxTokens }),
    ...(stops.length > 0 ? { stop: stops } : {}),
    ...(tools.length > 0 ? { tools: tools.map(tool => ({ type: 'function', function: given({ ...tool }) })) } : {}),
    ...(tools.length > 0 && toolChoice !== 'auto' ? { tool_choice: choiceInChatForm(toolChoice) } : {}),
    ...(tools.length > 0 ? extras : without(extras, 'parallel_tool_calls')),
  }
}

const choiceInChatForm = (choice: ModelRequest['toolChoice']) =>
  typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.name } }

const without = (fields: JsonObject, name: string): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name))

/** A tool message has no images there, so they follow as the user's, after the last result. */
function inChatForm(messages: readonly Message[]): JsonObject[] {
  const written: JsonObject[] = []
  let images: Part[] = []
  for (const [at, message] of messages.entries()) {
    written.push(messageInChatForm(message))
    if (message.role !== 'tool') continue
    images.push(...imagesOf(message).map((url): Part => ({ kind: 'image', url })))
    if (messages[at + 1]?.role === 'tool' || images.length === 0) continue
    written.push({ role: 'user', content: images.map(partInChatForm) })
    images = []
  }
  return written
}

function messageInChatForm({ role, parts, text, calls, callId }: Message): JsonObject {
  if (role === 'tool') return { role, tool_call_id: callId, content: text }
  if (role === 'assistant')
    return { role, content: text, ...(calls.length > 0 ? { tool_calls: calls.map(callInChatForm) } : {}) }
  // Not every server knows the newer role.
  const known = role === 'developer' ? 'system' : role
  const hasImage = parts.some(({ kind }) => kind === 'image')
  return { role: known, content: hasImage ? parts.map(partInChatForm) : text }
}

const callInChatForm = ({ id, name, arguments: text }: Message['calls'][number]) => ({
  id,
  type: 'function',
  function: { name, arguments: text },
})

const partInChatForm = (part: Part) =>
  part.kind === 'text' ? { type: 'text', text: part.text } : { type: 'image_url', image_url: { url: part.url } }
