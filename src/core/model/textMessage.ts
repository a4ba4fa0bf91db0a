// `textMessage`: makes a message with one text part.
import type { TextPart } from './modelClient.ts'

export function textMessage<R extends 'user' | 'assistant'>(role: R, text: string): TextMessage<R> {
  return { role, parts: [{ kind: 'text', text }] }
}

export interface TextMessage<R extends 'user' | 'assistant'> {
  readonly role: R
  readonly parts: readonly TextPart[]
}
