// Messages of a request to a model, by their words.
import type { AnswerPart, ModelMessage, ToolCall, UserPart } from '../../src/core/model/modelClient.ts'
import { textMessage } from '../../src/core/model/textMessage.ts'

export const userMessage = (text: string, ...more: readonly UserPart[]): ModelMessage => ({
  role: 'user',
  parts: [...textParts(text), ...more],
})

export const answerMessage = (text: string, ...calls: readonly ToolCall[]): ModelMessage => ({
  role: 'assistant',
  parts: [...textParts(text), ...calls.map(call => ({ kind: 'tool-call', ...call }) as const)],
})

export const resultMessage = (callId: string, text: string, isError = false): ModelMessage => ({
  role: 'tool',
  callId,
  parts: textParts(text),
  ...(isError && { isError }),
})

/** All the text of a message, without a gap. */
export const wordsOf = ({ parts }: Pick<ModelMessage, 'parts'>): string =>
  (parts as readonly (UserPart | AnswerPart)[]).map(part => (part.kind === 'text' ? part.text : '')).join('')

export const callsOf = ({ parts }: Pick<ModelMessage, 'parts'>): ToolCall[] =>
  (parts as readonly (UserPart | AnswerPart)[]).flatMap(part =>
    part.kind === 'tool-call' ? [{ id: part.id, name: part.name, input: part.input }] : [],
  )

const textParts = (text: string) => (text ? textMessage('user', text).parts : [])
