// `promptMessages`: converts the chosen path of a conversation to messages for the model.
import { never } from '../../base/fault.ts'
import type { Part, PartOf, PromptPart, ToolResult } from '../../protocol/conversation.ts'
import { promptText } from '../../protocol/conversationPath.ts'
import type { ConversationState, QueuedMessage, Step, Summary, Turn } from '../../protocol/conversationState.ts'
import type { AnswerPart, ModelMessage, UserPart } from '../model/modelClient.ts'
import { sentTurns } from './sentTurns.ts'
import { expandedPrompt } from './slashCommands.ts'

/**
 * Events that are appended to a conversation only append messages, except that a summary or an omitted result changes
 * earlier ones, because services cache requests by their prefix. A call has its result after it if there is one;
 * `repairHistory` adds the missing ones.
 */
export function promptMessages(state: ConversationState): ModelMessage[] {
  const { summary, covered, rest, turns } = sentTurns(state)
  const sent = turns.flatMap(turn => turnMessages(turn, state.omitted))
  const last = covered.at(-1)
  if (!summary || !last) return sent
  return [summaryMessage(covered, summary), ...stepMessages(rest, last, state.omitted), ...sent]
}

/** The user's messages are kept as they are; the summary replaces the answers. */
export function summaryMessage(turns: readonly Turn[], { text }: Summary): ModelMessage {
  const words = turns.flatMap(turn => [
    turn.prompt,
    ...turn.steps.flatMap(step => step.messages.map(sent => sent.parts)),
  ])
  const asked = words.map(promptText).filter(text => text !== '')
  const parts = ['My messages so far:', ...asked, 'Summary of the answers so far:', text]
  return { role: 'user', parts: parts.map(part => ({ kind: 'text', text: part })) }
}

export function turnMessages(turn: Turn, omitted: ReadonlySet<string>): ModelMessage[] {
  return [userMessage(turn.prompt), ...stepMessages(turn.steps, turn, omitted)]
}

/** An interrupted answer is left out if another one has replaced it; the user's messages before it are kept. */
export function stepMessages(steps: readonly Step[], turn: Turn, omitted: ReadonlySet<string>): ModelMessage[] {
  return steps.flatMap(step => {
    const isReplaced = step.why === 'broken' && step !== turn.steps.at(-1)
    return [...step.messages.map(queuedMessage), ...(isReplaced ? [] : answerMessages(step, omitted))]
  })
}

function answerMessages({ parts }: Step, omitted: ReadonlySet<string>): ModelMessage[] {
  const answer = parts.flatMap(answerPart)
  const results = parts.flatMap(part => (part.kind === 'tool-call' ? resultMessage(part, omitted) : []))
  return answer.length > 0 ? [{ role: 'assistant', parts: answer }, ...results] : []
}

function answerPart(part: Part): AnswerPart[] {
  switch (part.kind) {
    case 'text':
      return part.text ? [{ kind: 'text', text: part.text }] : []
    case 'reasoning':
      return part.sealed ? [{ kind: 'reasoning', sealed: part.sealed }] : []
    case 'tool-call':
      // A call whose arguments are incomplete was never carried out.
      return part.isWritten ? [{ kind: 'tool-call', id: part.call, name: part.name, input: part.input }] : []
    case 'attachment':
    case 'image':
    case 'change-set':
    case 'notice':
      return []
    default:
      return never(part)
  }
}

function resultMessage(part: PartOf<'tool-call'>, omitted: ReadonlySet<string>): ModelMessage[] {
  const { call, name, result, isWritten } = part
  if (!result || !isWritten) return []
  const isError = result.outcome !== 'ok'
  if (!omitted.has(part.id)) return [toolMessage(call, result.content, isError)]
  const text = `The result of ${name} was left out to save room. Call it again if it is needed.`
  return [toolMessage(call, [{ kind: 'text', text }], isError)]
}

function toolMessage(callId: string, parts: ToolResult['content'], isError: boolean): ModelMessage {
  return { role: 'tool', callId, parts, ...(isError && { isError }) }
}

/** A message that the user queued during the turn. */
function queuedMessage({ parts }: QueuedMessage): ModelMessage {
  return { role: 'user', parts: parts.map(userPart), continuesTurn: true }
}

/** One message of the user as the model receives it. */
export function userMessage(parts: readonly PromptPart[]): ModelMessage {
  return { role: 'user', parts: parts.map(userPart) }
}

function userPart(part: PromptPart): UserPart {
  switch (part.kind) {
    case 'text':
      return { kind: 'text', text: expandedPrompt(part.text) }
    case 'image':
      return { kind: 'image', mediaType: part.mediaType, base64: part.base64 }
    case 'attachment':
      return { kind: 'text', text: attachmentText(part) }
    default:
      return never(part)
  }
}

/** The attached text in a fence longer than any in the text, after a line that names it. */
function attachmentText({ source, name, range, language = '', text = '' }: PartOf<'attachment'>): string {
  const lines = range ? `, lines ${range.startLine + 1} to ${range.endLine + 1}` : ''
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `Attached ${source} ${name}${lines}:\n${fence}${language}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}`
}
