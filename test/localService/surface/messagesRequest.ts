// Reads a messages request.
import { Failure, invalidRequest } from '../failure.ts'
import type { JsonObject } from '../json.ts'
import {
  given,
  joinedMessage,
  type Message,
  type ModelRequest,
  messageOf,
  type Part,
  type ToolChoice,
  textParts,
} from '../modelRequest.ts'
import { type AssistantBlock, type MessagesRequest, messagesRequest, type UserBlock } from '../schema/messages.ts'
import { judgeRequest } from './judgeRequest.ts'
import { blocksOf, problemOfMessages } from './messagesHistory.ts'

/** The request, or what is wrong with it. */
export function readMessagesRequest(json: unknown): ModelRequest | Failure {
  const judged = judgeRequest(messagesRequest, json)
  if ('misfit' in judged) return invalidRequest(judged.misfit.sentence)
  const asked = judged.value
  return problemOfFields(asked) ?? problemOfMessages(asked) ?? requestOf(asked, json as JsonObject)
}

function requestOf(asked: MessagesRequest, json: JsonObject): ModelRequest {
  const { system, tool_choice: choice } = asked
  const isAlone = choice && choice.type !== 'none' ? choice.disable_parallel_tool_use : undefined
  const systemText = typeof system === 'string' ? system : (system ?? []).map(({ text }) => text).join('\n\n')
  return {
    model: asked.model,
    messages: [
      ...(systemText === '' ? [] : [messageOf('system', textParts(systemText))]),
      ...alternating(asked.messages.flatMap(readMessage)),
    ],
    tools: (asked.tools ?? []).map(({ name, description, input_schema: parameters }) => ({
      name,
      description: description ?? undefined,
      parameters,
      strict: undefined,
    })),
    toolChoice: choiceOf(choice),
    maxTokens: asked.max_tokens,
    stops: asked.stop_sequences ?? [],
    isStream: asked.stream === true,
    wantsUsage: true,
    extras: given({
      temperature: asked.temperature,
      top_p: asked.top_p,
      parallel_tool_calls: isAlone === true ? false : undefined,
    }),
    json,
  }
}

const readMessage = (message: MessagesRequest['messages'][number]): Message[] =>
  message.role === 'user' ? userMessages(blocksOf(message.content)) : [assistantMessage(blocksOf(message.content))]

/** Neighbours of one role are one turn; results stay messages of their own. */
function alternating(messages: readonly Message[]): Message[] {
  const turns: Message[] = []
  for (const message of messages) {
    const last = turns.at(-1)
    if (last?.role === message.role && message.role !== 'tool') turns[turns.length - 1] = joinedMessage(last, message)
    else turns.push(message)
  }
  return turns
}

/** Results first, each as a message of its own; then the text of the user. */
function userMessages(blocks: readonly UserBlock[]): Message[] {
  const results = blocks.flatMap(block =>
    block.type === 'tool_result' ? [messageOf('tool', resultParts(block), { callId: block.tool_use_id })] : [],
  )
  const parts = blocks.flatMap((block): Part[] => {
    if (block.type === 'text') return textParts(block.text)
    return block.type === 'image' ? [imagePart(block)] : []
  })
  return parts.length > 0 ? [...results, messageOf('user', parts)] : results
}

/** Chat completions have no field for a failed call, so its text reports it. */
function resultParts({ content, is_error: isError }: ToolResult): Part[] {
  const parts = contentParts(content)
  if (isError !== true) return parts
  const [first, ...rest] = parts
  if (first?.kind !== 'text' || first.text.trim() === '')
    return [...textParts('Error'), ...(first?.kind === 'image' ? parts : rest)]
  return /^\s*error/i.test(first.text) ? parts : [...textParts(`Error: ${first.text}`), ...rest]
}

type ToolResult = Extract<UserBlock, { type: 'tool_result' }>

function contentParts(content: ToolResult['content']): Part[] {
  if (typeof content === 'string') return textParts(content)
  return (content ?? []).map(block => (block.type === 'text' ? { kind: 'text', text: block.text } : imagePart(block)))
}

function imagePart({ source }: Extract<UserBlock, { type: 'image' }>): Part {
  const url = source.type === 'url' ? source.url : `data:${source.media_type};base64,${source.data}`
  return { kind: 'image', url }
}

/** Reasoning that comes back has been looked at; a model behind us gets its words only. */
function assistantMessage(blocks: readonly AssistantBlock[]): Message {
  const parts = blocks.flatMap(block => (block.type === 'text' ? textParts(block.text) : []))
  const calls = blocks.flatMap(block =>
    block.type === 'tool_use' ? [{ id: block.id, name: block.name, arguments: JSON.stringify(block.input) }] : [],
  )
  return messageOf('assistant', parts, { calls })
}

function choiceOf(choice: MessagesRequest['tool_choice']): ToolChoice {
  if (!choice) return 'auto'
  if (choice.type === 'tool') return { name: choice.name }
  return choice.type === 'any' ? 'required' : choice.type
}

/** A client that reads this sends its whole history instead; to pass over the field would lose the conversation. */
function threadRefused(): Failure {
  const details = { error_code: 'thread_unsupported_request', unsupported: ['thread'] }
  const message = 'thread: nothing is stored here; send the whole conversation without it.'
  return new Failure(400, 'thread_unsupported_request', message, { details })
}

function problemOfFields(asked: MessagesRequest): Failure | undefined {
  const { tools, tool_choice, thinking, max_tokens, thread } = asked
  if (thread) return threadRefused()
  if (thinking?.type === 'enabled' && thinking.budget_tokens >= max_tokens)
    return invalidRequest('`max_tokens` must be greater than `thinking.budget_tokens`')
  const names = (tools ?? []).map(({ name }) => name)
  if (new Set(names).size < names.length) return invalidRequest('tools: Tool names must be unique.')
  if (!tool_choice || tool_choice.type === 'none') return undefined
  if (names.length === 0) return invalidRequest('tool_choice: may only be specified while providing tools.')
  if (tool_choice.type !== 'tool' || names.includes(tool_choice.name)) return undefined
  return invalidRequest(`Tool '${tool_choice.name}' not found in provided tools`)
}
