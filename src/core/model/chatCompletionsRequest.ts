// Writes a request of the chat completions surface.
import type {
  ChatCompletionsBody,
  ChatCompletionsMessage,
  ChatCompletionsPart,
} from '../../protocol/wire/chatCompletions.ts'
import type { ModelMessage, ModelRequest } from './modelClient.ts'
import { inputOf, plainName, repairHistory } from './repair.ts'

export function chatCompletionsRequest(request: ModelRequest): ChatCompletionsBody {
  const { model, system, messages, tools, maxTokens, temperature, stop, mustCallTool } = request
  return {
    model,
    messages: [
      ...(system ? [{ role: 'system', content: system } as const] : []),
      ...repairHistory(messages).map(messageOf),
    ],
    stream: true,
    stream_options: { include_usage: true },
    ...(maxTokens !== undefined && { max_tokens: maxTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(stop?.length && { stop }),
    ...(tools?.length && { tools: tools.map(tool => ({ type: 'function', function: tool }) as const) }),
    ...(tools?.length && mustCallTool && { tool_choice: 'required' }),
  }
}

function messageOf(message: ModelMessage): ChatCompletionsMessage {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: message.images?.length ? partsOf(message) : message.text }
    case 'tool':
      return { role: 'tool', tool_call_id: message.callId, content: message.text }
    case 'assistant':
      if (!message.calls?.length) return { role: 'assistant', content: message.text }
      return {
        role: 'assistant',
        // Some servers refuse null here, others refuse that it is missing.
        content: message.text,
        tool_calls: message.calls.map(call => ({
          id: call.id,
          type: 'function',
          function: { name: plainName(call.name), arguments: JSON.stringify(inputOf(call)) },
        })),
      }
  }
}

function partsOf({ text, images = [] }: Extract<ModelMessage, { role: 'user' }>): ChatCompletionsPart[] {
  return [
    ...(text.trim() ? [{ type: 'text', text } as const] : []),
    ...images.map(
      ({ mediaType, base64 }) =>
        ({ type: 'image_url', image_url: { url: `data:${mediaType};base64,${base64}` } }) as const,
    ),
  ]
}
