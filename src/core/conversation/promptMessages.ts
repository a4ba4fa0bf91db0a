// `promptMessages`: converts the chosen path of a conversation to messages for the model.
import { never } from '../../base/fault.ts'
import type { Part, PartOf, PromptPart, ToolResult } from '../../protocol/conversation.ts'
import { attachedParts, promptText } from '../../protocol/conversationPath.ts'
import type { ConversationState, QueuedMessage, Step, Summary, Turn } from '../../protocol/conversationState.ts'
import { lastLineNumber } from '../../protocol/textRange.ts'
import type { AnswerPart, ModelMessage, UserPart } from '../model/modelClient.ts'
import { omittedResult } from './omittedResult.ts'
import { isInstruction, markedResult } from './resultMarks.ts'
import { sentTurns } from './sentTurns.ts'
import { shortenedWords } from './shortenedWords.ts'
import { expandedPrompt } from './slashCommands.ts'

/**
 * Events that are appended to a conversation only append messages, except that a summary or an omitted result changes
 * earlier ones, because services cache requests by their prefix. A call has its result after it if there is one;
 * `repairHistory` adds the missing ones.
 */
export function promptMessages(state: ConversationState): ModelMessage[] {
  const { summary, covered, rest, turns } = sentTurns(state)
  const sent = turns.flatMap(turn => turnMessages(turn, state))
  const last = covered.at(-1)
  if (!summary || !last) return sent
  return [summaryMessage(covered, summary), ...stepMessages(rest, last, state), ...sent]
}

/** The user's messages are kept as they are, up to a limit; the summary replaces the answers. */
export function summaryMessage(turns: readonly Turn[], { text, steps, extras }: Summary): ModelMessage {
  const words = turns.flatMap((turn, at) => {
    const covered = turn.steps.slice(0, at === turns.length - 1 ? steps : undefined)
    return [turn.prompt, ...covered.flatMap(step => step.messages.map(sent => sent.parts))]
  })
  const asked = words.map(wordsOf).filter(text => text !== '')
  const parts = [
    'My messages so far:',
    ...(extras ? shortenedWords(asked, extras.words) : asked),
    'Summary of the answers so far:',
    text,
    ...(extras?.facts ? [extras.facts] : []),
  ].map(part => ({ kind: 'text', text: part }) as const)
  return { role: 'user', parts: [...(extras?.surroundings ?? []).map(userPart), ...parts] }
}

/** The user's own words, and the names of what was attached to them. */
function wordsOf(parts: readonly PromptPart[]): string {
  const names = attachedParts(parts).map(({ name }) => name)
  return [promptText(parts), ...(names.length > 0 ? [`(Attached: ${names.join(', ')})`] : [])].join('\n').trim()
}

/** What of a conversation decides how the results of its calls are sent. */
/** Of a conversation, what decides about the results of its calls. */
export type ResultsOf = Pick<ConversationState, 'conversation' | 'omitted'>

export function turnMessages(turn: Turn, of: ResultsOf): ModelMessage[] {
  return [userMessage(turn.prompt), ...stepMessages(turn.steps, turn, of)]
}

/** An interrupted answer is left out if another one has replaced it; the user's messages before it are kept. */
export function stepMessages(steps: readonly Step[], turn: Turn, of: ResultsOf): ModelMessage[] {
  return steps.flatMap(step => {
    const isReplaced = step.why === 'broken' && step !== turn.steps.at(-1)
    return [...step.messages.map(queuedMessage), ...(isReplaced ? [] : answerMessages(step, of))]
  })
}

function answerMessages({ parts }: Step, of: ResultsOf): ModelMessage[] {
  const answer = parts.flatMap(answerPart)
  const results = parts.flatMap(part => (part.kind === 'tool-call' ? resultMessage(part, of) : []))
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

function resultMessage(part: PartOf<'tool-call'>, { conversation, omitted }: ResultsOf): ModelMessage[] {
  const { call, result, isWritten } = part
  if (!result || !isWritten) return []
  const isError = result.outcome !== 'ok'
  if (!omitted.has(part.id)) return [toolMessage(call, markedResult(conversation, part, result), isError)]
  const kept = result.content.filter(isInstruction)
  return [toolMessage(call, [{ kind: 'text', text: omittedResult(part) }, ...kept], isError)]
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
  // A name of a file or a description in it cannot end it.
  if (source === 'environment') return `<${name}>\n${text.replaceAll(`</${name}`, `<\\/${name}`)}\n</${name}>`
  const lines = range ? `, lines ${range.startLine + 1} to ${lastLineNumber(range)}` : ''
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `Attached ${source} ${name}${lines}:\n${fence}${language}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}`
}
