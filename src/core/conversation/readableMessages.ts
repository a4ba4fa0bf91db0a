// `readableMessages`: the shown messages of a conversation as plain text, one by one.
import { visibleText } from '../../base/invisible.ts'
import { sanitizeLine } from '../../base/text.ts'
import type { Part } from '../../protocol/conversation.ts'
import {
  answerParts,
  attemptsOf,
  hasAnswer,
  hasQuestion,
  isCutOffUnseen,
  pathOf,
  shownAttempt,
} from '../../protocol/conversationPath.ts'
import type { ConversationState, Turn } from '../../protocol/conversationState.ts'
import { withoutMarks } from '../../protocol/shownText.ts'
import type { ChatWords } from './chatWords.ts'

export interface ReadableMessage {
  readonly turn: string
  readonly role: 'user' | 'assistant'
  readonly text: string
}

const NAME_CHARS = 300

export function readableMessages(state: ConversationState, words: ChatWords): ReadableMessage[] {
  return pathOf(state).flatMap(turn => [...question(turn, words), ...answer(state, turn, words)])
}

function question(turn: Turn, words: ChatWords): ReadableMessage[] {
  if (!hasQuestion(turn)) return []
  const text = turn.prompt.map(part => (part.kind === 'text' ? part.text.trim() : partText(part, words)))
  return [{ turn: turn.id, role: 'user', text: visibleText(blocks(text), words.hiddenCharacters) }]
}

function answer(state: ConversationState, turn: Turn, words: ChatWords): ReadableMessage[] {
  const shown = shownAttempt(turn, attemptsOf(state, turn))
  const { state: end } = shown
  const ending = end === 'done' || end === 'running' ? '' : words.ended(end)
  if (!hasAnswer(shown) && !isCutOffUnseen(shown)) return []
  const text = answerParts(shown).map(part => partText(part, words))
  const whole = blocks([...text, ending])
  return [{ turn: shown.id, role: 'assistant', text: visibleText(whole, words.hiddenCharacters) }]
}

const blocks = (texts: readonly string[]) => texts.filter(text => text !== '').join('\n\n')

function partText(part: Part, words: ChatWords): string {
  switch (part.kind) {
    case 'text':
      return readableText(part.text)
    case 'reasoning':
      return part.text.trim() === '' ? '' : `${words.thinking}\n${part.text.trim()}`
    case 'tool-call':
      return words.tool(sanitizeLine(part.name, NAME_CHARS))
    case 'change-set':
      return part.files.map(({ uri }) => words.changed(sanitizeLine(uri, NAME_CHARS))).join('\n')
    case 'attachment':
      // What goes along by itself is not shown in the chat either.
      return part.source === 'environment' ? '' : words.attached(sanitizeLine(part.name, NAME_CHARS))
    case 'image':
      return words.image(sanitizeLine(part.name ?? part.mediaType, NAME_CHARS))
    case 'notice':
      return ''
  }
}

/** Markdown without its marks; what divides the text stays: lists, the cells of tables, and the fences of code. */
export function readableText(markdown: string): string {
  let fence: string | undefined
  const lines = markdown.split(/\r\n?|\n/).flatMap(line => {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence !== undefined) {
      if (mark?.startsWith(fence)) fence = undefined
      return [line]
    }
    fence = mark
    return mark === undefined ? readableLine(line) : [line]
  })
  return lines.join('\n').trim()
}

function readableLine(line: string): string[] {
  // The line between the head of a table and its rows.
  if (line.includes('|') && /^[\s:|-]+$/.test(line)) return []
  const text = line.replace(/^\s*(?:>\s?)+/, '').replace(/^\s*#{1,6}\s+/, '')
  const isRow = /^\s*\|/.test(text)
  return [withoutMarks(withAddresses(isRow ? text.replace(/^\s*\|\s*|\s*\|\s*$/g, '') : text))]
}

/** The address of a link follows its text. */
const withAddresses = (text: string) => text.replace(/(?<!!)\[([^\]]+)\]\((https?:[^)\s]+)\)/g, '$1 ($2)')
