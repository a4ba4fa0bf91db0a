// History into a request.
import type { ModelMessage } from '../model/modelClient.ts'
import type { QueuedRequest } from '../model/queuedClient.ts'
import { textMessage } from '../model/textMessage.ts'
import type { ChatMessage } from './history.ts'

const SYSTEM = [
  'You are Kourier, a programming assistant inside a code editor.',
  'Answer in Markdown. Put code into fenced blocks that name their language.',
  'Be short and exact. Say so when you do not know something.',
].join('\n')

/** What the model is sent for one question: the conversation so far, the question last. */
export function chatRequest(model: string, messages: readonly ChatMessage[]): QueuedRequest {
  return {
    model,
    system: SYSTEM,
    messages: messages.map(modelMessage),
    lane: 'chat',
  }
}

function modelMessage({ role, text, reasoning = [] }: ChatMessage): ModelMessage {
  if (role === 'user') return textMessage('user', text)
  const sealed = reasoning.map(block => ({ kind: 'reasoning', sealed: block }) as const)
  return { role, parts: [...sealed, { kind: 'text', text }] }
}
