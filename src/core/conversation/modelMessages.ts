// `modelMessages`: prompt messages in the form that the model client takes.
import { never } from '../../base/fault.ts'
import type { Image, ModelMessage, Thought } from '../model/modelClient.ts'
import type { PromptAnswerPart, PromptMessage, PromptUserPart } from './promptMessages.ts'

/**
 * The client's message holds text, calls and sealed reasoning apart, and the place of the reasoning as a number of
 * characters and calls; text of an answer comes before its calls. Images in a tool's result are left out.
 */
export function modelMessages(messages: readonly PromptMessage[]): ModelMessage[] {
  return messages.map(modelMessage)
}

function modelMessage(message: PromptMessage): ModelMessage {
  switch (message.role) {
    case 'user':
      return userMessage(message.parts)
    case 'assistant':
      return assistantMessage(message.parts)
    case 'tool':
      return resultMessage(message)
    default:
      return never(message)
  }
}

function resultMessage({ call, content, isError }: Extract<PromptMessage, { role: 'tool' }>): ModelMessage {
  const text = content.flatMap(part => (part.kind === 'text' ? [part.text] : [])).join('\n')
  return { role: 'tool', call, text, ...(isError && { isError: true }) }
}

function userMessage(parts: readonly PromptUserPart[]): ModelMessage {
  const images = parts.flatMap((part): Image[] => {
    return part.kind === 'image' ? [{ mediaType: part.mediaType, base64: part.base64 }] : []
  })
  const text = parts.flatMap(part => (part.kind === 'text' ? [part.text] : [])).join('\n\n')
  return { role: 'user', text, ...(images.length > 0 && { images }) }
}

function assistantMessage(parts: readonly PromptAnswerPart[]): ModelMessage {
  let text = ''
  const calls: { call: string; name: string; input: unknown }[] = []
  const thoughts: Thought[] = []
  for (const part of parts) {
    if (part.kind === 'text') text += part.text
    else if (part.kind === 'tool-call') calls.push({ call: part.call, name: part.name, input: part.input })
    else thoughts.push({ ...part.sealed, afterText: text.length, afterCalls: calls.length })
  }
  return { role: 'assistant', text, ...(calls.length > 0 && { calls }), ...(thoughts.length > 0 && { thoughts }) }
}
