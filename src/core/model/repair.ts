// `repairHistory`: changes a history so that services accept it, such as one result for each tool call.
import type { AnswerPart, ModelMessage, TextPart, ToolCall, ToolCallPart, UserPart } from './modelClient.ts'

/**
 * Removes empty messages and results without a call, adds a result for a call without one, gives calls with the same id
 * distinct ids, joins consecutive messages of the same role, and replaces lone surrogates. So a stopped turn does not
 * make the next request invalid, and neither do call ids that repeat in each answer. The repair of a message does not
 * depend on messages after the next answer, because services cache requests by their beginning.
 */
export function repairHistory(messages: readonly ModelMessage[]): ModelMessage[] {
  const repaired: ModelMessage[] = []
  let unanswered: Renamed[] = []
  const taken = new Set<string>()
  const addMissingResults = () => {
    for (const { call } of unanswered) repaired.push(notCarriedOut(call))
    unanswered = []
  }
  for (const given of resultsFirst(messages).map(wellFormed)) {
    if (given.role === 'tool') {
      // Results of calls with the same id are in the order of the calls.
      const [answered] = unanswered.filter(({ before }) => before === given.callId)
      unanswered = unanswered.filter(call => call !== answered)
      if (answered) repaired.push({ ...given, callId: answered.call })
      continue
    }
    addMissingResults()
    const renamed = withOwnIds(callsOf(given), taken)
    const message = given.role === 'assistant' ? { ...given, parts: withIds(given.parts, renamed) } : given
    if (isEmpty(message)) continue
    const last = repaired.at(-1)
    const joined = last && join(last, message)
    if (joined) repaired[repaired.length - 1] = joined
    else repaired.push(message)
    unanswered = renamed
  }
  addMissingResults()
  return withoutOldReasoning(repaired)
}

function notCarriedOut(callId: string): ModelMessage {
  return { role: 'tool', callId, parts: [{ kind: 'text', text: 'This call was not carried out.' }], isError: true }
}

function callsOf({ role, parts }: ModelMessage): readonly ToolCallPart[] {
  return role === 'assistant' ? parts.filter(part => part.kind === 'tool-call') : []
}

/** Moves the results before the user's messages: a message of the user between two results would end the calls. */
function resultsFirst(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const ordered: ModelMessage[] = []
  let userMessages: ModelMessage[] = []
  for (const message of messages) {
    if (message.role === 'user') {
      userMessages.push(message)
      continue
    }
    if (message.role === 'assistant') {
      ordered.push(...userMessages)
      userMessages = []
    }
    ordered.push(message)
  }
  return [...ordered, ...userMessages]
}

/** The id of a call in the request, and the one that it had `before`. */
interface Renamed {
  readonly call: string
  readonly before: string
}

/** Ids that are not in `taken`; adds them to it. */
function withOwnIds(calls: readonly ToolCall[], taken: Set<string>): Renamed[] {
  const given = new Set(calls.map(({ id: call }) => call))
  return calls.map(({ id: before }) => {
    let call = before
    for (let count = 2; taken.has(call) || (call !== before && given.has(call)); count++) call = `${before}-${count}`
    taken.add(call)
    return { call, before }
  })
}

function withIds(parts: readonly AnswerPart[], renamed: readonly Renamed[]): AnswerPart[] {
  const ids = renamed.values()
  return parts.map(part => {
    const own = part.kind === 'tool-call' ? ids.next().value : undefined
    return part.kind === 'tool-call' && own && own.call !== part.id ? { ...part, id: own.call } : part
  })
}

/** Reasoning alone counts as empty, because a service accepts it only with the calls after it. */
function isEmpty({ role, parts }: ModelMessage): boolean {
  return role !== 'tool' && parts.every(part => part.kind === 'reasoning' || isBlank(part))
}

const isBlank = (part: UserPart | AnswerPart) => part.kind === 'text' && part.text.trim() === ''

/** Joins two consecutive messages of the same role; undefined if they cannot be joined. */
function join(last: ModelMessage, next: ModelMessage): ModelMessage | undefined {
  if (last.role === 'user' && next.role === 'user') {
    const { continuesTurn: _, ...joined } = { ...last, parts: joinedTexts([...last.parts, ...next.parts], PARAGRAPH) }
    return last.continuesTurn && next.continuesTurn ? { ...joined, continuesTurn: true } : joined
  }
  if (last.role !== 'assistant' || next.role !== 'assistant' || callsOf(last).length > 0) return undefined
  const before = last.parts.filter(part => part.kind === 'text')
  const hasText = next.parts.some(part => part.kind === 'text' && !isBlank(part))
  return { ...next, parts: hasText ? withGap(before, next.parts) : [...before, ...next.parts] }
}

const PARAGRAPH = '\n\n'

/** Adds the gap to the text before it, because reasoning may follow. */
function withGap(before: readonly TextPart[], parts: readonly AnswerPart[]): AnswerPart[] {
  const text = before.map(part => part.text).join('') + PARAGRAPH
  const [first, ...rest] = parts
  if (first?.kind === 'text') return [{ kind: 'text', text: text + first.text }, ...rest]
  return [{ kind: 'text', text }, ...parts]
}

/** Joins consecutive texts and leaves out blank ones. */
function joinedTexts(parts: readonly UserPart[], gap: string): UserPart[] {
  const joined: UserPart[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    if (isBlank(part)) continue
    if (part.kind === 'text' && last?.kind === 'text')
      joined[joined.length - 1] = { kind: 'text', text: last.text + gap + part.text }
    else joined.push(part)
  }
  return joined
}

/**
 * Reasoning is sent back with the results of the calls after it. That of earlier turns is left out, because it is not
 * needed any more and a service may reject a block of a cut answer.
 */
function withoutOldReasoning(messages: readonly ModelMessage[]): ModelMessage[] {
  const turn = messages.findLastIndex(message => message.role === 'user' && !message.continuesTurn)
  return messages.map((message, index) => {
    if (message.role !== 'assistant' || (index > turn && callsOf(message).length > 0)) return message
    const parts = message.parts.filter(part => part.kind !== 'reasoning')
    return parts.length < message.parts.length ? { ...message, parts } : message
  })
}

/** Replaces lone surrogates, because a request that contains one is not valid UTF-8 and may be rejected. */
function wellFormed(message: ModelMessage): ModelMessage {
  if (message.role === 'assistant') return { ...message, parts: message.parts.map(wellFormedPart) }
  const parts = message.parts.map(wellFormedPart)
  return { ...message, parts: message.role === 'user' ? joinedTexts(parts, PARAGRAPH) : parts }
}

function wellFormedPart<P extends UserPart | AnswerPart>(part: P): P {
  if (part.kind === 'text') return { ...part, text: part.text.toWellFormed() }
  if (part.kind === 'tool-call') return { ...part, input: wellFormedValue(part.input) }
  return part
}

function wellFormedValue(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) return value.map(wellFormedValue)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name.toWellFormed(), wellFormedValue(part)]))
}

/** The arguments as an object, which services require. Anything else is put into a member `malformed`. */
export function inputOf({ input }: ToolCall): object {
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input)
  return isObject ? input : { malformed: input ?? '' }
}

/** A tool name that services accept: `^[a-zA-Z0-9_-]{1,64}$`. The model may have made up another one. */
export function acceptedName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || '_'
}
