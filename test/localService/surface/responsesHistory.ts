// The rules for the items of a responses request: calls and their outputs, and reasoning that is sent back.
import { Failure, invalidRequest } from '../failure.ts'
import type { InputItem } from '../schema/responses.ts'
import { isSealed } from './seal.ts'

export function problemOfItems(items: readonly InputItem[]): Failure | undefined {
  const open = new Set<string>()
  const called = new Set<string>()
  for (const [at, item] of items.entries()) {
    const where = `input[${at}]`
    if (item.type === 'function_call') {
      if (called.has(item.call_id))
        return invalidRequest(`Duplicate function call with call_id ${item.call_id}.`, where)
      called.add(item.call_id)
      open.add(item.call_id)
    }
    if (item.type === 'function_call_output' && !open.delete(item.call_id))
      return invalidRequest(`No tool call found for function call output with call_id ${item.call_id}.`, 'input')
    const problem = item.type === 'reasoning' ? problemOfReasoning(item, where) : undefined
    if (problem) return problem
    if (item.type === undefined || item.type === 'message') {
      const misplaced = problemOfContent(item, where)
      if (misplaced) return misplaced
    }
  }
  const [left] = open
  return left === undefined ? undefined : invalidRequest(`No tool output found for function call ${left}.`, 'input')
}

/** Nothing is stored, so what an id names is not here; what the service itself sealed is taken without one. */
function problemOfReasoning(
  { id, encrypted_content: content }: Extract<InputItem, { type: 'reasoning' }>,
  where: string,
): Failure | undefined {
  if (id) {
    const message = `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`
    return new Failure(400, 'item_not_found', message, { param: 'input' })
  }
  if (!content) return invalidRequest(`'${where}.encrypted_content' is required.`, where)
  if (isSealed(content)) return undefined
  const message = `The encrypted content for item ${where} could not be verified.`
  return new Failure(400, 'invalid_encrypted_content', message, { param: where })
}

/** Messages of the model and messages to it have parts of different kinds. */
function problemOfContent({ role, content }: Extract<InputItem, { role: string }>, where: string): Failure | undefined {
  if (typeof content === 'string') return undefined
  const isFromModel = role === 'assistant'
  const wrong = content.findIndex(({ type }) => type.startsWith('input_') === isFromModel)
  if (wrong < 0) return undefined
  const allowed = isFromModel ? "'output_text', 'refusal'" : "'input_text', 'input_image'"
  const place = `${where}.content[${wrong}].type`
  return invalidRequest(`'${place}' must be one of ${allowed} in a message of the role '${role}'.`, place)
}
