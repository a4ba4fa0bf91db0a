// Makes a history sendable: one result for each call, none without.
import type { ModelMessage, ToolCall } from './modelClient.ts'

type Assistant = Extract<ModelMessage, { role: 'assistant' }>

/**
 * What servers refuse is mended: empty messages go, an unanswered tool call gets a result that says so, a result without
 * its call goes, calls that share an id get their own, neighbours of the same role become one, and halves of letters are
 * replaced. A stopped turn so never poisons the next request, nor does a server that counts from 0 in each answer.
 */
export function repairHistory(messages: readonly ModelMessage[]): ModelMessage[] {
  const repaired: ModelMessage[] = []
  let unanswered: Renamed[] = []
  const taken = new Set<string>()
  const answerTheRest = () => {
    for (const { call } of unanswered)
      repaired.push({ role: 'tool', callId: call, text: 'This call was not carried out.', isError: true })
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
    const calls = given.role === 'assistant' ? (given.calls ?? []) : []
    const renamed = withOwnIds(calls, taken)
    const message = calls.length > 0 ? { ...given, calls: withIds(calls, renamed) } : given
    if (isEmpty(message)) continue
    const last = repaired.at(-1)
    const joined = last && join(last, message)
    if (joined) repaired[repaired.length - 1] = joined
    else repaired.push(message)
    unanswered = renamed
  }
  answerTheRest()
  return withoutOldThoughts(repaired)
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

const withIds = (calls: readonly ToolCall[], renamed: readonly Renamed[]): ToolCall[] =>
  calls.map((one, at) => ({ ...one, id: renamed[at]?.call ?? one.id }))

function isEmpty(message: ModelMessage): boolean {
  if (message.text.trim()) return false
  if (message.role === 'assistant') return !message.calls?.length
  return message.role === 'tool' || !message.images?.length
}

/** Two messages of one role as one, where nothing stands between them. */
function join(last: ModelMessage, next: ModelMessage): ModelMessage | undefined {
  const text = (gap = '\n\n') => [last.text, next.text].filter(part => part.trim()).join(gap)
  if (last.role === 'user' && next.role === 'user') {
    const images = [...(last.images ?? []), ...(next.images ?? [])]
    return { role: 'user', text: text(), ...(images.length > 0 && { images }) }
  }
  if (last.role !== 'assistant' || next.role !== 'assistant' || last.calls?.length) return undefined
  return {
    ...next,
    text: text(),
    ...(next.thoughts && { thoughts: moved(next.thoughts, text().length - next.text.length) }),
  }
}

const moved = (thoughts: NonNullable<Assistant['thoughts']>, by: number) =>
  thoughts.map(thought => ({ ...thought, afterText: thought.afterText + Math.max(0, by) }))

/**
 * Thoughts go back with the results of the calls they led to. Those of turns that are over are no longer of use, and a
 * service may refuse one whose answer was cut.
 */
function withoutOldThoughts(messages: readonly ModelMessage[]): ModelMessage[] {
  const turn = messages.findLastIndex(({ role }) => role === 'user')
  return messages.map((message, index) => {
    if (message.role !== 'assistant' || !message.thoughts) return message
    if (index > turn && message.calls?.length) return message
    const { thoughts: _, ...rest } = message
    return rest
  })
}

/** Half a surrogate pair is no letter, and strict servers refuse the whole request for one. */
function wellFormed(message: ModelMessage): ModelMessage {
  const text = message.text.toWellFormed()
  if (message.role !== 'assistant' || !message.calls) return { ...message, text }
  return { ...message, text, calls: message.calls.map(call => ({ ...call, input: wellFormedValue(call.input) })) }
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
