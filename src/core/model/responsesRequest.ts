// Writes a request of the responses surface.
import type { ResponsesBody, ResponsesItem } from '../../protocol/wire/responses.ts'
import type { ModelMessage, ModelRequest } from './modelClient.ts'
import { piecesOf } from './pieces.ts'
import { inputOf, plainName, repairHistory } from './repair.ts'

/** The surface knows no stop texts: whoever asks for one has to look for it in the answer. */
export function responsesRequest(request: ModelRequest): ResponsesBody {
  const { model, system, messages, tools, maxTokens, temperature, mustCallTool } = request
  return {
    model,
    ...(system && { instructions: system }),
    input: repairHistory(messages).flatMap(itemsOf),
    stream: true,
    store: false,
    include: ['reasoning.encrypted_content'],
    ...(maxTokens !== undefined && { max_output_tokens: maxTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(tools?.length && { tools: tools.map(tool => ({ type: 'function', ...tool }) as const) }),
    ...(tools?.length && mustCallTool && { tool_choice: 'required' }),
  }
}

function itemsOf(message: ModelMessage): ResponsesItem[] {
  switch (message.role) {
    case 'user':
      return [{ type: 'message', role: 'user', content: userParts(message) }]
    case 'tool':
      return [{ type: 'function_call_output', call_id: message.callId, output: message.text }]
    case 'assistant':
      return piecesOf(message, 'responses').flatMap((piece): ResponsesItem[] => {
        if (piece.is === 'text')
          return [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: piece.text }] }]
        if (piece.is === 'thought') return [piece.thought.item]
        const { id: call, name } = piece.call
        const given = JSON.stringify(inputOf(piece.call))
        return [{ type: 'function_call', call_id: call, name: plainName(name), arguments: given }]
      })
  }
}

function userParts({ text, images = [] }: Extract<ModelMessage, { role: 'user' }>) {
  return [
    ...(text.trim() ? [{ type: 'input_text', text } as const] : []),
    ...images.map(
      ({ mediaType, base64 }) =>
        ({ type: 'input_image', image_url: `data:${mediaType};base64,${base64}`, detail: 'auto' }) as const,
    ),
  ]
}
