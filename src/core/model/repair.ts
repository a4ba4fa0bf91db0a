// Makes a history sendable: one result for each call, none without.
import type { AnswerPart, ModelMessage, TextPart, ToolCall, ToolCallPart, UserPart } from './modelClient.ts'

/**
 * What servers refuse is repaired: empty messages go, an unanswered tool call gets a result that says so, a result
 * without its call goes, calls that share an id get their own, neighbours of the same role become one, and halves of
 * letters are replaced. A stopped turn so never poisons the next request, nor does a server that counts from 0 in each
 * answer. What is repaired of a message does not depend on the messages that are appended after the next answer, so that
 * a service finds the beginning of a request again in the next one.
 */
export function repairHistory(messages: readonly ModelMessage[]): ModelMessage[] {
  const repaired: ModelMessage[] = []
  let unanswered: Renamed[] = []
  const taken = new Set<string>()
  const answerTheRest = () => {
    for (const { call } of unanswered) repaired.push(notCarriedOut(call))
    unanswered = []
  }
  for (const given of resultsFirst(messages).map(wellFormed)) {
    if (given.role === 'tool') {
      // Results of calls that shared an id come in the order of the calls.
      const [answered] = unanswered.filter(({ before }) => before === given.callId)
      unanswered = unanswered.filter(call => call !== answered)
      if (answered) repaired.push({ ...given, callId: answered.call })
      continue
    }
    answerTheRest()
    const renamed = withOwnIds(callsOf(given), taken)
    const message = given.role === 'assistant' ? { ...given, parts: withIds(given.parts, renamed) } : given
    if (isEmpty(message)) continue
    const last = repaired.at(-1)
    const joined = last && join(last, message)
    if (joined) repaired[repaired.length - 1] = joined
    else repaired.push(message)
    unanswered = renamed
  }
  answerTheRest()
  return withoutOldReasoning(repaired)
}

function notCarriedOut(callId: string): ModelMessage {
  return { role: 'tool', callId, parts: [{ kind: 'text', text: 'This call was not carried out.' }], isError: true }
}

function callsOf({ role, parts }: ModelMessage): readonly ToolCallPart[] {
  return role === 'assistant' ? parts.filter(part => part.kind === 'tool-call') : []
}

/** Between two answers the results come first: what the user said between two of them would close the calls. */
function resultsFirst(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const ordered: ModelMessage[] = []
  let said: ModelMessage[] = []
  for (const message of messages) {
    if (message.role === 'user') {
      said.push(message)
      continue
    }
    if (message.role === 'assistant') {
      ordered.push(...said)
      said = []
    }
    ordered.push(message)
  }
  return [...ordered, ...said]
}

/** A call by its id in the request, and by the one that it had `before`. */
interface Renamed {
  readonly call: string
  readonly before: string
}

/** Ids that no call before has `taken`, and takes them. */
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

/** Reasoning alone is no answer: a service takes it back only with the calls that it led to. */
function isEmpty({ role, parts }: ModelMessage): boolean {
  return role !== 'tool' && parts.every(part => part.kind === 'reasoning' || isBlank(part))
}

const isBlank = (part: UserPart | AnswerPart) => part.kind === 'text' && part.text.trim() === ''

/** Two messages of one role as one, where nothing stands between them. */
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

/** The gap ends the text before it, so that reasoning may stand behind it. */
function withGap(before: readonly TextPart[], parts: readonly AnswerPart[]): AnswerPart[] {
  const text = before.map(part => part.text).join('') + PARAGRAPH
  const [first, ...rest] = parts
  if (first?.kind === 'text') return [{ kind: 'text', text: text + first.text }, ...rest]
  return [{ kind: 'text', text }, ...parts]
}

/** Texts side by side as one, blank ones left out. */
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
 * Reasoning goes back with the results of the calls it led to. That of turns that are over is no longer of use, and a
 * service may refuse a block whose answer was cut.
 */
function withoutOldReasoning(messages: readonly ModelMessage[]): ModelMessage[] {
  const turn = messages.findLastIndex(message => message.role === 'user' && !message.continuesTurn)
  return messages.map((message, index) => {
    if (message.role !== 'assistant' || (index > turn && callsOf(message).length > 0)) return message
    const parts = message.parts.filter(part => part.kind !== 'reasoning')
    return parts.length < message.parts.length ? { ...message, parts } : message
  })
}

/** Half a surrogate pair is no letter, and strict servers refuse the whole request for one. */
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

/** The arguments as an object, which is all that servers take. What the model wrote instead stays readable. */
export function inputOf({ input }: ToolCall): object {
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input)
  return isObject ? input : { malformed: input ?? '' }
}

/** Names that servers take: `^[a-zA-Z0-9_-]{1,64}$`. A model may have made one up. */
export function plainName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || '_'
}
