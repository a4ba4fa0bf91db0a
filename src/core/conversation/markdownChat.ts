// `markdownChat`: the shown turns of a conversation as a Markdown file that is readable everywhere.
import { sanitizeLine } from '../../base/text.ts'
import type { Part, PartOf, PromptPart } from '../../protocol/conversation.ts'
import { pathOf } from '../../protocol/conversationPath.ts'
import type { ConversationState, Step, Turn } from '../../protocol/conversationState.ts'
import { lastLineNumber } from '../../protocol/textRange.ts'
import type { ChatWords } from './chatWords.ts'
import { type Fence, fencedLines } from './fencedLines.ts'

const NAME_CHARS = 300

export function markdownChat(state: ConversationState, title: string, words: ChatWords): string {
  const turns = pathOf(state).flatMap(turn => turnBlocks(turn, words))
  return `${[`# ${escapedLine(title)}`, ...turns].join('\n\n')}\n`
}

function turnBlocks(turn: Turn, words: ChatWords): string[] {
  const asked =
    turn.prompt.length > 0 ? [`## ${words.you}`, ...turn.prompt.flatMap(part => promptBlocks(part, words))] : []
  const answer = turn.steps.flatMap((step, at) => stepBlocks(step, at, words))
  const end = turn.state === 'running' ? 'interrupted' : turn.state
  return [
    ...asked,
    ...(answer.length > 0 ? [`## ${words.kourier}`, ...answer] : []),
    ...(end !== 'done' && answer.length > 0 ? [`*${words.ended(end)}*`] : []),
  ]
}

function stepBlocks({ messages, parts }: Step, at: number, words: ChatWords): string[] {
  const queued = messages.flatMap(message => message.parts.flatMap(part => promptBlocks(part, words)))
  const before = queued.length > 0 ? [`## ${words.you}`, ...queued, `## ${words.kourier}`] : []
  return [...(at > 0 || queued.length > 0 ? before : []), ...parts.flatMap(part => answerBlocks(part, words))]
}

/** A question is a quotation, so that a fence or a tag that it leaves open ends with it. */
function promptBlocks(part: PromptPart, words: ChatWords): string[] {
  if (part.kind === 'text') return part.text.trim() ? [quoted(part.text)] : []
  // What goes along by itself is not shown in the chat either.
  const isShown = part.kind !== 'attachment' || part.source !== 'environment'
  return isShown ? [otherBlock(part, words)] : []
}

function answerBlocks(part: Part, words: ChatWords): string[] {
  switch (part.kind) {
    case 'text':
      return part.text.trim() ? [closedMarkdown(part.text.trim())] : []
    case 'reasoning':
      return part.text.trim() ? [details(words.thinking, quoted(part.text))] : []
    case 'tool-call':
      return [toolBlock(part, words)]
    case 'change-set':
      return part.files.map(({ uri }) => words.changed(codeSpan(uri)))
    case 'attachment':
    case 'image':
      return [otherBlock(part, words)]
    case 'notice':
      return []
  }
}

function otherBlock(part: PartOf<'attachment'> | PartOf<'image'>, words: ChatWords): string {
  if (part.kind === 'image') return words.image(codeSpan(part.name ?? part.mediaType))
  const lines = part.range ? `:${part.range.startLine + 1}-${lastLineNumber(part.range)}` : ''
  return words.attached(codeSpan(`${part.name}${lines}`))
}

function toolBlock({ name, input, inputText, result }: PartOf<'tool-call'>, words: ChatWords): string {
  const given = typeof input === 'object' ? JSON.stringify(input, undefined, 2) : inputText
  const texts = result?.content.flatMap(content => (content.kind === 'text' ? [content.text] : [])) ?? []
  const body = [fenced(given, 'json'), ...(texts.length > 0 ? [words.result, ...texts.map(text => fenced(text))] : [])]
  return details(words.tool(sanitizeLine(name, NAME_CHARS)), body.join('\n\n'))
}

function details(summary: string, body: string): string {
  const text = sanitizeLine(summary, NAME_CHARS).replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return `<details>\n<summary>${text}</summary>\n\n${body}\n\n</details>`
}

function quoted(text: string): string {
  return closedMarkdown(text.trim())
    .split('\n')
    .map(line => (line ? `> ${line}` : '>'))
    .join('\n')
}

/** A code block whose fence is longer than any in the text. */
export function fenced(text: string, language = ''): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1))
  return `${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`
}

function codeSpan(text: string): string {
  const line = sanitizeLine(text, NAME_CHARS)
  const ticks = '`'.repeat(longestRun(line) + 1)
  const pad = line.startsWith('`') || line.endsWith('`') || line === '' ? ' ' : ''
  return `${ticks}${pad}${line}${pad}${ticks}`
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
}

function escapedLine(text: string): string {
  return sanitizeLine(text, NAME_CHARS).replace(/[\\`*_[\]<>#|]/g, '\\$&')
}

/**
 * The text with its last fence closed if it is open, and without HTML, which the chat shows as text: otherwise the rest
 * of the file would be part of it.
 */
function closedMarkdown(text: string): string {
  const lines: string[] = []
  let prose: string[] = []
  const endProse = () => {
    if (prose.length > 0) lines.push(withoutTags(prose.join('\n')))
    prose = []
  }
  let last: Fence | undefined
  for (const { line, isCode, open } of fencedLines(text)) {
    last = open
    if (!isCode) {
      prose.push(line)
      continue
    }
    endProse()
    lines.push(line)
  }
  endProse()
  if (last) lines.push(`${last.indent}${last.mark}`)
  return lines.join('\n')
}

/** Outside of code spans; the address in `<https://…>` stays a link. */
function withoutTags(text: string): string {
  const spanOrTag = /(`+)(?:(?!`)[\s\S])*?[^`]\1(?!`)|<(?![a-z][a-z0-9+.-]*:[^\s<>]*>)(?=[a-z/!?])/gi
  return text.replace(spanOrTag, found => (found === '<' ? '\\<' : found))
}
