// The rules for the history of a messages request, as the API that it copies applies them.
import { type Failure, invalidRequest } from '../failure.ts'
import type { AssistantBlock, MessagesRequest, UserBlock } from '../schema/messages.ts'
import { sealOf } from './seal.ts'

/** One turn; neighbours of the same role are one. */
type Turn =
  | { readonly role: 'user'; readonly at: number; readonly blocks: readonly UserBlock[] }
  | { readonly role: 'assistant'; readonly at: number; readonly blocks: readonly AssistantBlock[] }

/** Turns in which user and assistant alternate; `at` is the place of the first message that went in. */
function turnsOf(messages: MessagesRequest['messages']): Turn[] {
  const turns: Turn[] = []
  for (const [at, message] of messages.entries()) {
    const last = turns.at(-1)
    if (message.role === 'user') {
      const blocks: readonly UserBlock[] = blocksOf(message.content)
      if (last?.role === 'user') turns[turns.length - 1] = { ...last, blocks: [...last.blocks, ...blocks] }
      else turns.push({ role: 'user', at, blocks })
    } else {
      const blocks: readonly AssistantBlock[] = blocksOf(message.content)
      if (last?.role === 'assistant') turns[turns.length - 1] = { ...last, blocks: [...last.blocks, ...blocks] }
      else turns.push({ role: 'assistant', at, blocks })
    }
  }
  return turns
}

export const blocksOf = <T>(content: string | readonly T[]): readonly (T | { type: 'text'; text: string })[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content

export function problemOfMessages({ messages }: MessagesRequest): Failure | undefined {
  const problem =
    messages.map((message, at) => problemOfContent(message.content, at, messages)).find(isFound) ??
    problemOfTurns(turnsOf(messages))
  return problem === undefined ? undefined : invalidRequest(problem)
}

const isFound = (value: string | undefined): value is string => value !== undefined

type Content = MessagesRequest['messages'][number]['content']

function problemOfContent(content: Content, at: number, messages: MessagesRequest['messages']): string | undefined {
  const isLast = at === messages.length - 1
  const isAssistant = messages[at]?.role === 'assistant'
  if (content.length === 0) {
    if (isLast && isAssistant) return undefined
    return `messages.${at}: all messages must have non-empty content except for the optional final assistant message`
  }
  const texts = typeof content === 'string' ? [content] : content.flatMap(textOf)
  if (texts.includes('')) return `messages.${at}: text content blocks must be non-empty`
  if (texts.some(text => text.trim() === ''))
    return `messages.${at}: text content blocks must contain non-whitespace text`
  if (isLast && isAssistant && /\s$/.test(texts.at(-1) ?? ''))
    return 'messages: final assistant content cannot end with trailing whitespace'
  return undefined
}

const textOf = (block: UserBlock | AssistantBlock): string[] => (block.type === 'text' ? [block.text] : [])

function problemOfTurns(turns: readonly Turn[]): string | undefined {
  if (turns[0]?.role !== 'user') return 'messages: first message must use the "user" role'
  const seen = new Set<string>()
  let open: readonly string[] = []
  for (const turn of turns) {
    const problem = turn.role === 'user' ? problemOfResults(turn, open) : problemOfCalls(turn, seen)
    if (problem !== undefined) return problem
    open = turn.role === 'user' ? [] : callIdsOf(turn)
  }
  const last = turns.at(-1)
  return open.length > 0 && last ? unanswered(last.at, open) : undefined
}

const callIdsOf = ({ blocks }: Turn & { role: 'assistant' }): string[] =>
  blocks.flatMap(block => (block.type === 'tool_use' ? [block.id] : []))

function problemOfCalls(turn: Turn & { role: 'assistant' }, seen: Set<string>): string | undefined {
  for (const [index, block] of turn.blocks.entries()) {
    const where = `messages.${turn.at}.content.${index}`
    if (block.type === 'tool_use' && seen.has(block.id)) return `${where}: \`tool_use\` ids must be unique`
    if (block.type === 'tool_use') seen.add(block.id)
    if (block.type === 'thinking' && block.signature !== sealOf(block.thinking))
      return `${where}: Invalid \`signature\` in \`thinking\` block`
  }
  return undefined
}

/** The results stand first: one that comes after a text is not seen as the answer. */
function problemOfResults(turn: Turn & { role: 'user' }, open: readonly string[]): string | undefined {
  const firstOther = turn.blocks.findIndex(({ type }) => type !== 'tool_result')
  const answered: string[] = []
  for (const [index, block] of turn.blocks.entries()) {
    if (block.type !== 'tool_result') continue
    const { tool_use_id: id } = block
    const where = `messages.${turn.at}.content.${index}`
    if (!open.includes(id))
      return `${where}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`
    if (answered.includes(id))
      return `${where}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`
    if (firstOther < 0 || index < firstOther) answered.push(id)
  }
  const left = open.filter(id => !answered.includes(id))
  return left.length > 0 ? unanswered(turn.at - 1, left) : undefined
}

const unanswered = (at: number, ids: readonly string[]) =>
  `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`
