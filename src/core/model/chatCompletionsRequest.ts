// `chatCompletionsRequest`: the request body of the chat completions surface.
import { never } from '../../base/fault.ts'
import type {
  ChatCompletionsBody,
  ChatCompletionsMessage,
  ChatCompletionsPart,
} from '../../protocol/wire/chatCompletions.ts'
import type { ModelMessage, ModelRequest, UserPart } from './modelClient.ts'
import { plainText } from './plainText.ts'
import { acceptedName, inputOf, repairHistory } from './repair.ts'
import { thinkingOffMembers } from './thinkingOff.ts'

export function chatCompletionsRequest(request: ModelRequest): ChatCompletionsBody {
  const { model, system, tools, maxTokens, temperature, stop, mustCallTool, thinkingOff, continuesAnswer } = request
  return {
    model,
    messages: [...(system ? [{ role: 'system', content: system } as const] : []), ...messagesOf(request)],
    stream: true,
    stream_options: { include_usage: true },
    ...(maxTokens !== undefined && { max_tokens: maxTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(stop?.length && { stop }),
    ...(thinkingOff && thinkingOffMembers['chat-completions'][thinkingOff]),
    ...(continuesAnswer && { continue_final_message: true, add_generation_prompt: false }),
    ...(tools?.length && { tools: tools.map(tool => ({ type: 'function', function: tool }) as const) }),
    ...(tools?.length && mustCallTool && { tool_choice: 'required' }),
  }
}

function messagesOf({ messages, continuesAnswer }: ModelRequest): ChatCompletionsMessage[] {
  const all = repairHistory(messages.flatMap(withImagesApart)).map(messageOf)
  const last = all.at(-1)
  // Each service has its own member for this, and passes over those of others.
  return continuesAnswer && last?.role === 'assistant'
    ? [...all.slice(0, -1), { ...last, prefix: true, partial: true }]
    : all
}

/** A tool result is only text on this surface: its images follow the results as a message of the user. */
function withImagesApart(message: ModelMessage): ModelMessage[] {
  const images = message.role === 'tool' ? message.parts.filter(part => part.kind === 'image') : []
  if (message.role !== 'tool' || images.length === 0) return [message]
  const title = { kind: 'text', text: `Images in the result of tool call ${message.callId}:` } as const
  return [
    { ...message, parts: message.parts.filter(part => part.kind === 'text') },
    { role: 'user', continuesTurn: true, parts: [title, ...images] },
  ]
}

function messageOf(message: ModelMessage): ChatCompletionsMessage {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: contentOf(message.parts) }
    case 'tool':
      return { role: 'tool', tool_call_id: message.callId, content: plainText(message.parts) }
    case 'assistant':
      return answerOf(message)
    default:
      return never(message)
  }
}

/** All text before the calls, because the surface has no other order. */
function answerOf({ parts }: Extract<ModelMessage, { role: 'assistant' }>): ChatCompletionsMessage {
  // Always a string: neither null nor absent, even if there are only calls.
  const content = parts.map(part => (part.kind === 'text' ? part.text : '')).join('')
  const calls = parts.filter(part => part.kind === 'tool-call')
  if (calls.length === 0) return { role: 'assistant', content }
  return {
    role: 'assistant',
    content,
    tool_calls: calls.map(call => ({
      id: call.id,
      type: 'function',
      function: { name: acceptedName(call.name), arguments: JSON.stringify(inputOf(call)) },
    })),
  }
}

/** A string if there are no images, because every server accepts that; else a list of parts. */
function contentOf(parts: readonly UserPart[]): string | ChatCompletionsPart[] {
  if (!parts.some(part => part.kind === 'image')) return plainText(parts)
  return parts.map(part => {
    if (part.kind === 'text') return { type: 'text', text: part.text }
    return { type: 'image_url', image_url: { url: `data:${part.mediaType};base64,${part.base64}` } }
  })
}
