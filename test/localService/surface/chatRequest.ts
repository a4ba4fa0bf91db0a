// Reads a chat completion request, as strictly as real servers do.
import { type Failure, invalidRequest } from '../failure.ts'
import type { JsonObject } from '../json.ts'
import { given, type Message, type ModelRequest, messageOf, type Part, textParts } from '../modelRequest.ts'
import { type ChatCompletionRequest, chatCompletionRequest } from '../schema/chat.ts'
import { judgeRequest } from './judgeRequest.ts'

type ChatMessage = ChatCompletionRequest['messages'][number]

/** The request, or what is wrong with it. */
export function readChatRequest(json: unknown): ModelRequest | Failure {
  const judged = judgeRequest(chatCompletionRequest, json)
  if ('misfit' in judged) return invalidRequest(judged.misfit.sentence, judged.misfit.where)
  const asked = judged.value
  const problem = problemOfFields(asked) ?? problemOfHistory(asked.messages)
  return problem ?? requestOf(asked, json as JsonObject)
}

function requestOf(asked: ChatCompletionRequest, json: JsonObject): ModelRequest {
  const { tool_choice: choice, stop } = asked
  return {
    model: asked.model,
    messages: asked.messages.map(readMessage),
    tools: (asked.tools ?? []).map(({ function: { name, description, parameters, strict } }) => ({
      name,
      description: description ?? undefined,
      parameters: parameters ?? undefined,
      strict: strict ?? undefined,
    })),
    toolChoice: typeof choice === 'object' && choice ? { name: choice.function.name } : (choice ?? 'auto'),
    maxTokens: asked.max_completion_tokens ?? asked.max_tokens ?? undefined,
    stops: typeof stop === 'string' ? [stop] : (stop ?? []),
    isStream: asked.stream === true,
    wantsUsage: asked.stream_options?.include_usage === true,
    extras: given({
      temperature: asked.temperature,
      top_p: asked.top_p,
      parallel_tool_calls: asked.parallel_tool_calls,
    }),
    json,
  }
}

function readMessage(message: ChatMessage): Message {
  const parts = partsOf(message.content)
  if (message.role === 'tool') return messageOf('tool', parts, { callId: message.tool_call_id })
  if (message.role !== 'assistant') return messageOf(message.role, parts)
  const calls = (message.tool_calls ?? []).map(({ id, function: { name, arguments: text } }) => ({
    id,
    name,
    arguments: text,
  }))
  return messageOf('assistant', parts, { calls })
}

function partsOf(content: ChatMessage['content']): Part[] {
  if (typeof content === 'string') return textParts(content)
  return (content ?? []).map((part): Part => {
    if (part.type === 'image_url') return { kind: 'image', url: part.image_url.url }
    return { kind: 'text', text: part.type === 'text' ? part.text : part.refusal }
  })
}

function problemOfFields({ stream, stream_options, tools, tool_choice }: ChatCompletionRequest): Failure | undefined {
  if (stream_options && stream !== true)
    return invalidRequest("'stream_options' is only allowed when 'stream' is true.", 'stream_options')
  if (!tool_choice) return undefined
  if (!tools) return invalidRequest("'tool_choice' is only allowed when 'tools' are given.", 'tool_choice')
  const name = typeof tool_choice === 'object' ? tool_choice.function.name : undefined
  if (name === undefined || tools.some(tool => tool.function.name === name)) return undefined
  return invalidRequest(`'tool_choice' names the tool '${name}', which 'tools' does not have.`, 'tool_choice')
}

/** Each call of an assistant message is answered by one tool message, before any other message. */
function problemOfHistory(messages: readonly ChatMessage[]): Failure | undefined {
  let open = new Set<string>()
  for (const [index, message] of messages.entries()) {
    const where = `messages[${index}]`
    const refuse = (words: string) => invalidRequest(`'${where}' ${words}`, where)
    if (message.role === 'tool') {
      if (!open.delete(message.tool_call_id))
        return refuse("must answer, by 'tool_call_id', a call of the assistant message before it.")
    } else if (open.size > 0) return refuse(`stands before the answer to the tool call '${[...open][0]}'.`)
    if (message.role !== 'assistant') continue
    const ids = (message.tool_calls ?? []).map(({ id }) => id)
    open = new Set(ids)
    if (open.size < ids.length) return refuse('has two tool calls of the same id.')
    if (ids.length === 0 && (message.content ?? undefined) === undefined)
      return refuse("must have a 'content' or 'tool_calls'.")
  }
  return open.size > 0
    ? invalidRequest(`'messages' ends before the tool call '${[...open][0]}' is answered.`, 'messages')
    : undefined
}
