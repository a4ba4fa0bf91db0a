// The editor's chat messages as a request of ours.
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

/** The editor sends its own instructions under a role that its typings do not name. */
const SYSTEM_ROLE = 3

/**
 * What the editor or another extension asks, for `model`. Options of other makers (`modelOptions`) are left out: they
 * are private to those who wrote them. Parts of an unknown kind are left out as well, but for those of a tool's result.
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
    messages: messages.filter(message => !isSystem(message)).flatMap(ours),
    ...(tools.length > 0 && { tools }),
    ...(tools.length > 0 && options.toolMode === LanguageModelChatToolMode.Required && { mustCallTool: true }),
    // A turn with tools goes on by itself; one without is read by whoever asked.
    lane: tools.length > 0 ? 'agent' : 'chat',
  }
}

/** All text of a message. */
function textOf({ content }: LanguageModelChatRequestMessage): string {
  return content.map(partText).join('')
}

/** One of theirs can be several of ours: results of tools stand alone, and what the user said follows. */
export function ours({ role, content }: LanguageModelChatRequestMessage): ModelMessage[] {
  if (role === LanguageModelChatMessageRole.Assistant)
    return [{ role: 'assistant', parts: content.flatMap(answerPart) }]
  const results = content.filter(part => part instanceof LanguageModelToolResultPart)
  // A tool may answer with a picture; it follows the results, since not every surface takes one in a result.
  const images = results
    .flatMap(part => part.content)
    .filter(isImage)
    .map(imagePart)
  const parts = [...images, ...withoutSeams(content.flatMap(userPart))]
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

/** The editor cuts a text into parts anywhere. */
function withoutSeams(parts: readonly UserPart[]): UserPart[] {
  const whole: UserPart[] = []
  for (const part of parts) {
    const last = whole.at(-1)
    if (part.kind === 'text' && last?.kind === 'text')
      whole[whole.length - 1] = { kind: 'text', text: last.text + part.text }
    else whole.push(part)
  }
  return whole
}

const textParts = (text: string) => (text ? [{ kind: 'text', text } as const] : [])

const imagePart = ({ mimeType, data }: LanguageModelDataPart) => imageOf(mimeType, data)

const isImage = (part: unknown): part is LanguageModelDataPart =>
  part instanceof LanguageModelDataPart && /^image\//i.test(part.mimeType)

/** Text parts and data that is text; a picture or a tool call says nothing in words. */
function partText(part: unknown): string {
  if (part instanceof LanguageModelTextPart) return part.value
  if (part instanceof LanguageModelDataPart && /^(text\/|application\/(json|.*\+json)\b)/i.test(part.mimeType)) {
    return new TextDecoder().decode(part.data)
  }
  return ''
}

/** A tool may answer with values of its own, or with a tree of text: the model can read both as they are. */
function resultText(part: unknown): string {
  if (part instanceof LanguageModelTextPart || part instanceof LanguageModelDataPart) return partText(part)
  const value = part instanceof LanguageModelPromptTsxPart ? part.value : part
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
