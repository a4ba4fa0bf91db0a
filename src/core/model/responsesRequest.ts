// `responsesRequest`: the request body of the responses surface.
import { never } from '../../base/fault.ts'
import type { ResponsesBody, ResponsesInputPart, ResponsesItem } from '../../protocol/wire/responses.ts'
import type { ModelMessage, ModelRequest, UserPart } from './modelClient.ts'
import { plainText } from './plainText.ts'
import { acceptedName, inputOf, repairHistory } from './repair.ts'
import { type SurfacePart, surfaceParts } from './surfaceParts.ts'
import { thinkingOffMembers } from './thinkingOff.ts'

/** The surface has no member for `stop`, so the caller has to search the answer for the stop texts. */
export function responsesRequest(request: ModelRequest): ResponsesBody {
  const { model, system, messages, tools, maxTokens, temperature, mustCallTool, thinkingOff } = request
  return {
    model,
    ...(system && { instructions: system }),
    input: repairHistory(messages).flatMap(itemsOf),
    stream: true,
    store: false,
    include: ['reasoning.encrypted_content'],
    ...(maxTokens !== undefined && { max_output_tokens: maxTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(thinkingOff && thinkingOffMembers.responses[thinkingOff]),
    ...(tools?.length && { tools: tools.map(tool => ({ type: 'function', ...tool }) as const) }),
    ...(tools?.length && mustCallTool && { tool_choice: 'required' }),
  }
}

function itemsOf(message: ModelMessage): ResponsesItem[] {
  switch (message.role) {
    case 'user':
      return [{ type: 'message', role: 'user', content: message.parts.map(inputPart) }]
    case 'tool':
      return [{ type: 'function_call_output', call_id: message.callId, output: outputOf(message.parts) }]
    case 'assistant':
      return surfaceParts(message, 'responses').map(itemOf)
    default:
      return never(message)
  }
}

function itemOf(part: SurfacePart<'responses'>): ResponsesItem {
  switch (part.kind) {
    case 'text':
      return { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: part.text }] }
    case 'reasoning':
      return part.sealed.item
    case 'tool-call': {
      const given = JSON.stringify(inputOf(part))
      return { type: 'function_call', call_id: part.id, name: acceptedName(part.name), arguments: given }
    }
    default:
      return never(part)
  }
}

/** A string if there are no images, because every service accepts that; else a list of parts. */
function outputOf(parts: readonly UserPart[]): string | ResponsesInputPart[] {
  return parts.some(part => part.kind === 'image') ? parts.map(inputPart) : plainText(parts)
}

function inputPart(part: UserPart): ResponsesInputPart {
  if (part.kind === 'text') return { type: 'input_text', text: part.text }
  return { type: 'input_image', image_url: `data:${part.mediaType};base64,${part.base64}`, detail: 'auto' }
}
