// `nativeRequest`: a request of the editor's language model API as a `ModelRequest`.
import {
  LanguageModelChatMessageRole,
  type LanguageModelChatRequestMessage,
  LanguageModelChatToolMode,
  LanguageModelDataPart,
  LanguageModelPromptTsxPart,
  LanguageModelTextPart,
  LanguageModelToolCallPart,
  LanguageModelToolResultPart,
  type ProvideLanguageModelChatResponseOptions,
} from 'vscode'
import { imageOf } from '../../core/model/imageOf.ts'
import type { AnswerPart, ModelMessage, ModelRequest, UserPart } from '../../core/model/modelClient.ts'

/** VS Code sends system messages with this role, which the stable `LanguageModelChatMessageRole` does not declare. */
const SYSTEM_ROLE = 3

/**
 * The caller is the editor's chat or another extension. `modelOptions` are left out, because their meaning is private to
 * the caller. Parts of an unknown kind are left out as well, except in tool results.
 */
export function nativeRequest(
  model: string,
  messages: readonly LanguageModelChatRequestMessage[],
  options: ProvideLanguageModelChatResponseOptions,
): ModelRequest {
  const isSystem = ({ role }: LanguageModelChatRequestMessage) => Number(role) === SYSTEM_ROLE
  const system = messages.filter(isSystem).map(textOf).join('\n\n')
  const tools = (options.tools ?? []).map(({ name, description, inputSchema }) => ({
    name,
    description,
    parameters: inputSchema ?? { type: 'object', properties: {} },
  }))
  return {
    model,
    ...(system && { system }),
    messages: messages.filter(message => !isSystem(message)).flatMap(toModelMessages),
    ...(tools.length > 0 && { tools }),
    ...(tools.length > 0 && options.toolMode === LanguageModelChatToolMode.Required && { mustCallTool: true }),
    // With tools it is one step of a turn that continues by itself; without, the caller waits for the answer.
    lane: tools.length > 0 ? 'agent' : 'chat',
  }
}

/** All text of a message. */
function textOf({ content }: LanguageModelChatRequestMessage): string {
  return content.map(partText).join('')
}

/** One message of the editor can become several, because each tool result is a message; the user's text follows them. */
export function toModelMessages({ role, content }: LanguageModelChatRequestMessage): ModelMessage[] {
  if (role === LanguageModelChatMessageRole.Assistant)
    return [{ role: 'assistant', parts: content.flatMap(answerPart) }]
  const results = content.filter(part => part instanceof LanguageModelToolResultPart)
  // Images of tool results follow as a user message, because on the chat completions surface a tool result is only text.
  const images = results
    .flatMap(part => part.content)
    .filter(isImage)
    .map(imagePart)
  const parts = [...images, ...joinTextParts(content.flatMap(userPart))]
  return [...results.map(resultMessage), ...(parts.length > 0 ? [{ role: 'user', parts } as const] : [])]
}

function resultMessage({ callId, content }: LanguageModelToolResultPart): ModelMessage {
  return { role: 'tool', callId, parts: textParts(content.map(resultText).join('')) }
}

function answerPart(part: unknown): AnswerPart[] {
  if (!(part instanceof LanguageModelToolCallPart)) return textParts(partText(part))
  return [{ kind: 'tool-call', id: part.callId, name: part.name, input: part.input }]
}

const userPart = (part: unknown): UserPart[] => (isImage(part) ? [imagePart(part)] : textParts(partText(part)))

/** Joins consecutive text parts, because the editor may split a text anywhere. */
function joinTextParts(parts: readonly UserPart[]): UserPart[] {
  const joined: UserPart[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    if (part.kind === 'text' && last?.kind === 'text')
      joined[joined.length - 1] = { kind: 'text', text: last.text + part.text }
    else joined.push(part)
  }
  return joined
}

const textParts = (text: string) => (text ? [{ kind: 'text', text } as const] : [])

const imagePart = ({ mimeType, data }: LanguageModelDataPart) => imageOf(mimeType, data)

const isImage = (part: unknown): part is LanguageModelDataPart =>
  part instanceof LanguageModelDataPart && /^image\//i.test(part.mimeType)

/** The text of a text part, or of a data part with a text type; empty for other parts. */
function partText(part: unknown): string {
  if (part instanceof LanguageModelTextPart) return part.value
  if (part instanceof LanguageModelDataPart && /^(text\/|application\/(json|.*\+json)\b)/i.test(part.mimeType)) {
    return new TextDecoder().decode(part.data)
  }
  return ''
}

/** Other parts of a tool result, such as a prompt-tsx tree, are sent as JSON. */
function resultText(part: unknown): string {
  if (part instanceof LanguageModelTextPart || part instanceof LanguageModelDataPart) return partText(part)
  const value = part instanceof LanguageModelPromptTsxPart ? part.value : part
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
