// `storedChatEvents`: converts a chat that version 0.1.0 stored to the events of a conversation.
import type { ConversationEvent, EventBody, TurnEnd, TurnOrigin } from '../../protocol/conversation.ts'
import type { storedChat } from '../../protocol/stored.ts'

type StoredChat = ReturnType<typeof storedChat.parse>
type StoredMessage = StoredChat['messages'][number]

export interface StoredChatSource {
  readonly conversation: string
  /** When the chat was last written, in milliseconds since 1970: 0.1.0 stored no other times. */
  readonly time: number
  readonly workspace: string | undefined
  /** The hash of the file, which marks it as imported. */
  readonly source: string
}

/**
 * The texts of earlier attempts become turns of their own. An answer that was still streaming and a question without an
 * answer become `interrupted` turns. The ids of parts and turns are those of the messages.
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

/** Each question with the answer after it; an answer without a question is an exchange of its own. */
function exchangesOf(messages: readonly StoredMessage[]): Exchange[] {
  const exchanges: Exchange[] = []
  for (const message of messages) {
    const last = exchanges.at(-1)
    const { id, role } = message
    if (role === 'user') exchanges.push({ id, question: message, answer: undefined })
    else if (last && !last.answer) exchanges[exchanges.length - 1] = { ...last, answer: message }
    else exchanges.push({ id, question: undefined, answer: message })
  }
  // Two exchanges with the same id would become one turn.
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
