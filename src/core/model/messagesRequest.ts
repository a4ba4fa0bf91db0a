// `messagesRequest`: the request body of the messages surface.
import { never } from '../../base/fault.ts'
import type {
  MessagesAssistantBlock,
  MessagesBody,
  MessagesContentBlock,
  MessagesMessage,
  MessagesUserBlock,
} from '../../protocol/wire/messages.ts'
import type { ModelMessage, ModelRequest, UserPart } from './modelClient.ts'
import { plainText } from './plainText.ts'
import { acceptedName, inputOf, repairHistory } from './repair.ts'
import { type SurfacePart, surfaceParts } from './surfaceParts.ts'
import { thinkingOffMembers } from './thinkingOff.ts'

/** The surface requires `max_tokens`; this is sent if the request has no limit. */
const USUAL_MAX_TOKENS = 16_384

export function messagesRequest(request: ModelRequest): MessagesBody {
  const { model, system, messages, tools, maxTokens, temperature, stop, mustCallTool, thinkingOff } = request
  return {
    model,
    max_tokens: maxTokens ?? USUAL_MAX_TOKENS,
    ...(system?.trim() && { system }),
    messages: inTurns(repairHistory(messages)),
    stream: true,
    ...(temperature !== undefined && { temperature: Math.min(temperature, 1) }),
    ...(stop?.length && { stop_sequences: stop }),
    ...(thinkingOff && thinkingOffMembers.messages[thinkingOff]),
    ...(tools?.length && {
      tools: tools.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters })),
    }),
    ...(tools?.length && mustCallTool && { tool_choice: { type: 'any' } }),
  }
}

/**
 * Joins tool results and the user's next message to one message, because the roles alternate and the user's is first.
 */
function inTurns(messages: readonly ModelMessage[]): MessagesMessage[] {
  const idOf = acceptedIds()
  const turns: MessagesMessage[] = messages[0]?.role === 'assistant' ? [opening] : []
  for (const message of messages) {
    const last = turns.at(-1)
    if (message.role === 'assistant') {
      const content = surfaceParts(message, 'messages').map(part => assistantBlock(part, idOf))
      turns.push({ role: 'assistant', content })
    } else if (last?.role === 'user')
      turns[turns.length - 1] = { role: 'user', content: [...last.content, ...userBlocks(message, idOf)] }
    else turns.push({ role: 'user', content: userBlocks(message, idOf) })
  }
  return withoutLastBlank(turns)
}

const opening: MessagesMessage = { role: 'user', content: [{ type: 'text', text: 'Go on.' }] }

function userBlocks(
  message: Exclude<ModelMessage, { role: 'assistant' }>,
  idOf: (call: string) => string,
): MessagesUserBlock[] {
  if (message.role === 'user') return message.parts.map(contentBlock)
  const content = resultContent(message.parts)
  const optional = { ...(content.length > 0 && { content }), ...(message.isError && ({ is_error: true } as const)) }
  return [{ type: 'tool_result', tool_use_id: idOf(message.callId), ...optional }]
}

/** Empty if the result has only white space, because the surface rejects blank text. */
function resultContent(parts: readonly UserPart[]): string | MessagesContentBlock[] {
  if (parts.some(part => part.kind === 'image'))
    return parts.filter(part => part.kind === 'image' || part.text.trim() !== '').map(contentBlock)
  const text = plainText(parts)
  return text.trim() ? text : ''
}

function contentBlock(part: UserPart): MessagesContentBlock {
  if (part.kind === 'text') return { type: 'text', text: part.text }
  return { type: 'image', source: { type: 'base64', media_type: part.mediaType, data: part.base64 } }
}

function assistantBlock(part: SurfacePart<'messages'>, idOf: (call: string) => string): MessagesAssistantBlock {
  switch (part.kind) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'reasoning':
      return part.sealed.item
    case 'tool-call':
      return { type: 'tool_use', id: idOf(part.id), name: acceptedName(part.name), input: inputOf(part) }
    default:
      return never(part)
  }
}

/** The surface rejects white space at the end of a last message of the assistant. */
function withoutLastBlank(turns: readonly MessagesMessage[]): MessagesMessage[] {
  const last = turns.at(-1)
  if (last?.role !== 'assistant') return [...turns]
  const content = last.content.map((block, index) =>
    block.type === 'text' && index === last.content.length - 1 ? { ...block, text: block.text.trimEnd() } : block,
  )
  return [...turns.slice(0, -1), { role: 'assistant', content }]
}

/** Replaces the characters in call ids that this surface rejects; the ids stay distinct. */
function acceptedIds(): (call: string) => string {
  const known = new Map<string, string>()
  const taken = new Set<string>()
  return call => {
    const before = known.get(call)
    if (before !== undefined) return before
    let id = call.replace(/[^a-zA-Z0-9_-]/g, '_') || '_'
    while (taken.has(id)) id += '_'
    known.set(call, id)
    taken.add(id)
    return id
  }
}
