// Makes a history sendable: one result for each call, none without.
import type { ModelMessage } from './modelClient.ts'

/**
 * What servers refuse is mended: empty messages go, an unanswered tool call gets a result that says so, a result without
 * its call goes, and neighbours of the same role become one. A stopped turn so never poisons the next request.
 */
export function repairHistory(messages: readonly ModelMessage[]): ModelMessage[] {
  const repaired: ModelMessage[] = []
  let unanswered = new Set<string>()
  const answerTheRest = () => {
    for (const call of unanswered) repaired.push({ role: 'tool', call, text: 'This call was not carried out.' })
    unanswered = new Set()
  }
  for (const message of messages) {
    if (message.role === 'tool') {
      if (unanswered.delete(message.call)) repaired.push(message)
      continue
    }
    answerTheRest()
    const calls = message.role === 'assistant' ? (message.calls ?? []) : []
    if (!message.text.trim() && calls.length === 0) continue
    const last = repaired.at(-1)
    if (last?.role === message.role && calls.length === 0 && !('calls' in last && last.calls?.length)) {
      repaired[repaired.length - 1] = { ...last, text: `${last.text}\n\n${message.text}` }
    } else {
      repaired.push(message)
      unanswered = new Set(calls.map(({ call }) => call))
    }
  }
  answerTheRest()
  return repaired
}
