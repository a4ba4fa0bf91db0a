// `storedChatEvents`: a chat as version 0.1.0 stored it, as the events of a conversation.
import type { ConversationEvent, EventBody, TurnEnd, TurnOrigin } from '../../protocol/conversation.ts'
import type { storedChat } from '../../protocol/stored.ts'

type StoredChat = ReturnType<typeof storedChat.parse>
type StoredMessage = StoredChat['messages'][number]

export interface StoredChatSource {
  readonly conversation: string
  /** When the chat was written last, in milliseconds since 1970: 0.1.0 kept no other times. */
  readonly time: number
  readonly workspace: string | undefined
  /** The hash of the file, by which it is known that it was taken over. */
  readonly source: string
}

/**
 * The texts of earlier attempts become turns of their own. An answer that was still streaming, and a
 * question without an answer, were interrupted. Parts and turns keep the ids of the messages.
 */
export function storedChatEvents(messages: readonly StoredMessage[], source: StoredChatSource): ConversationEvent[] {
  const { conversation, time, workspace } = source
  const created: EventBody = {
    kind: 'created',
    source: source.source,
    ...(workspace !== undefined && { workspace }),
  }
  const bodies: EventBody[] = [created]
  let parent: string | undefined
  for (const exchange of exchangesOf(messages)) {
    const { events, lastTurn } = turnEvents(exchange, parent)
    bodies.push(...events)
    parent = lastTurn
  }
  return bodies.map((body, at) => ({ ...body, conversation, n: at + 1, time }))
}

interface Exchange {
  readonly id: string
  readonly question: StoredMessage | undefined
  readonly answer: StoredMessage | undefined
}

/** Each question with the answer behind it; an answer without a question stands alone. */
function exchangesOf(messages: readonly StoredMessage[]): Exchange[] {
  const exchanges: Exchange[] = []
  for (const message of messages) {
    const last = exchanges.at(-1)
    const { id, role } = message
    if (role === 'user') exchanges.push({ id, question: message, answer: undefined })
    else if (last && !last.answer) exchanges[exchanges.length - 1] = { ...last, answer: message }
    else exchanges.push({ id, question: undefined, answer: message })
  }
  // Ids that come twice would make one turn of two.
  return exchanges.map((exchange, at) => ({ ...exchange, id: `${at}-${exchange.id}`.slice(0, 100) }))
}

function turnEvents({ id, question, answer }: Exchange, parent: string | undefined) {
  const attempts = [...(answer?.earlier ?? []), answer?.text]
  const turns = attempts.map((_, at) => (at === 0 ? id : `${id}-attempt-${at + 1}`))
  const events = attempts.flatMap((text, at): EventBody[] => {
    const turn = turns[at] ?? id
    const isLast = at === attempts.length - 1
    const origin: TurnOrigin = at === 0 ? { is: 'new' } : { is: 'retry', of: id }
    const prompt = at === 0 ? { prompt: promptOf(id, question) } : {}
    const started: EventBody = { kind: 'turn-started', turn, origin, ...(parent && { parent }), ...prompt }
    const answered: EventBody[] = text
      ? [{ kind: 'part-started', turn, value: { kind: 'text', id: `${turn}-text`, text } }]
      : []
    return [started, ...answered, { kind: 'turn-ended', turn, state: isLast ? endOf(answer) : 'interrupted' }]
  })
  return { events, lastTurn: turns.at(-1) ?? id }
}

const promptOf = (id: string, question: StoredMessage | undefined) =>
  question ? [{ kind: 'text' as const, id: `${id}-prompt`, text: question.text }] : []

function endOf(answer: StoredMessage | undefined): TurnEnd {
  switch (answer?.state) {
    case 'whole':
      return 'done'
    case 'stopped':
      return 'stopped'
    default:
      return 'interrupted'
  }
}
