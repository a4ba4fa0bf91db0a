// The items of a response's output: what a block of an answer becomes.
import type { Block } from '../collected.ts'
import type { JsonObject } from '../json.ts'
import { sealed } from './seal.ts'

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete'

const prefixes = { text: 'msg', refusal: 'msg', call: 'fc', reasoning: 'rs' }

/** Unique within the service's life: the answer's own id, and the place in it. */
export const itemId = (kind: Block['kind'], responseId: string, index: number): string =>
  `${prefixes[kind]}_${responseId.replace(/^[a-z]+_/, '')}${index}`

export function itemOf(block: Block, id: string, status: ItemStatus, wantsSealed: boolean): JsonObject {
  if (block.kind === 'call') {
    const { id: callId, name, arguments: text } = block
    return { id, type: 'function_call', status, call_id: callId, name, arguments: text }
  }
  if (block.kind === 'reasoning') {
    const isDone = status !== 'in_progress'
    return {
      id,
      type: 'reasoning',
      summary: isDone ? [{ type: 'summary_text', text: block.text }] : [],
      ...(isDone && wantsSealed ? { encrypted_content: sealed(block.text) } : {}),
    }
  }
  const content = status === 'in_progress' ? [] : [partOf(block.kind, block.text)]
  return { id, type: 'message', status, role: 'assistant', content }
}

export const partOf = (kind: 'text' | 'refusal', text: string): JsonObject =>
  kind === 'text' ? { type: 'output_text', text, annotations: [], logprobs: [] } : { type: 'refusal', refusal: text }
