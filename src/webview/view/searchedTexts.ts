// `SearchedTexts`: counts how often a pattern matches messages, in their text as it is drawn, also while it is not.
import type { Part } from '../../protocol/conversation.ts'
import { foldedTexts } from '../../protocol/foldedText.ts'
import { occurrencesIn } from '../../protocol/shownText.ts'
import { type Block, type Blocks, continueBlocks, noBlocks, wholeBlock } from '../markdown/markdown.ts'
import { visible } from '../markdown/visible.ts'
import type { Message } from '../state/messages.ts'
import type { Words } from '../words.ts'
import type { Section } from './findHits.ts'
import { sanitized } from './safeHtml.tsx'
import { joinedText, textNodes } from './textNodes.ts'

/** Reading long answers must not hold up a frame. */
const SLICE_MS = 8

export class SearchedTexts {
  readonly #words: Words
  /** By the id of the part. Of a part that grows only what is new is read. */
  readonly #parts = new Map<string, Blocks>()

  constructor(words: Words) {
    this.#words = words
  }

  /** Undefined until `read` has read the message. */
  countIn(message: Message, pattern: RegExp): number | undefined {
    const sections = this.sectionsOf(message, pattern)
    return sections && sum(sections.map(({ count }) => count))
  }

  /** In the order in which they are drawn. */
  sectionsOf(message: Message, pattern: RegExp): readonly Section[] | undefined {
    if (this.#unread(message).length > 0) return undefined
    return message.parts.flatMap(part => {
      const read = markdownOf(part, message.role === 'user')
      if (!read) return this.#sectionOf(part, pattern)
      const count = sum(this.#blocksOf(read).map(block => countInBlock(block, pattern, this.#words)))
      return { ...(part.kind === 'reasoning' && { fold: part.id }), count }
    })
  }

  #sectionOf(part: Part, pattern: RegExp): Section {
    const { kind, id } = part
    return { ...(kind === 'tool-call' && { fold: id }), count: countInPart(part, pattern, this.#words) }
  }

  /** Whether there are messages to be read. */
  lacks(messages: readonly Message[]): boolean {
    return messages.some(message => this.#unread(message).length > 0)
  }

  /** Reads for some milliseconds; false if all messages are read. */
  read(messages: readonly Message[]): boolean {
    const end = performance.now() + SLICE_MS
    for (const part of messages.flatMap(message => this.#unread(message))) {
      if (performance.now() > end) return true
      this.#blocksOf(part)
    }
    return false
  }

  #unread(message: Message): readonly TextPart[] {
    return textsOf(message).filter(({ id }) => !this.#parts.has(id))
  }

  #blocksOf({ id, text, isOwn }: TextPart): readonly Block[] {
    const blocks = continueBlocks(this.#parts.get(id) ?? noBlocks, text, this.#words, isOwn)
    this.#parts.set(id, blocks)
    return blocks.blocks
  }
}

/** What is drawn as Markdown. */
interface TextPart {
  readonly id: string
  readonly text: string
  /** The user has written it. */
  readonly isOwn: boolean
}

const textsOf = ({ parts, role }: Message): readonly TextPart[] =>
  parts.flatMap(part => markdownOf(part, role === 'user') ?? [])

function markdownOf(part: Part, isMine: boolean): TextPart | undefined {
  if (part.kind === 'text') return { id: part.id, text: part.text, isOwn: isMine }
  if (part.kind === 'reasoning') return { id: part.id, text: part.text.trim(), isOwn: false }
  if (part.kind === 'notice') return { id: part.id, text: `${part.values?.['text'] ?? ''}`, isOwn: true }
  return undefined
}

const sum = (counts: readonly number[]) => counts.reduce((all, one) => all + one, 0)

const counted = new WeakMap<Block | Part, { readonly pattern: string; readonly count: number }>()
const texts = new WeakMap<Block, readonly string[]>()

/** In a part that is drawn as plain text. */
function countInPart(part: Part, pattern: RegExp, words: Words): number {
  const known = counted.get(part)
  if (known?.pattern === String(pattern)) return known.count
  const count = sum(foldedTexts(part).map(text => occurrencesIn(visible(text, words), pattern)))
  counted.set(part, { pattern: String(pattern), count })
  return count
}

/** In the whole block, whatever of it is folded away. */
function countInBlock(block: Block, pattern: RegExp, words: Words): number {
  const known = counted.get(block)
  if (known?.pattern === String(pattern)) return known.count
  const read = texts.get(block) ?? blockTexts(block, words)
  texts.set(block, read)
  const count = sum(read.map(text => occurrencesIn(text, pattern)))
  counted.set(block, { pattern: String(pattern), count })
  return count
}

function blockTexts(block: Block, words: Words): readonly string[] {
  if (block.kind === 'code') return [block.text]
  if (block.kind === 'plain') return [visible(block.text, words)]
  return htmlTexts(block.hiddenRows > 0 ? wholeBlock(block, words) : block, words)
}

function htmlTexts(block: Block, words: Words): readonly string[] {
  if (block.kind !== 'html') return blockTexts(block, words)
  const fragment = sanitized(block.html)
  for (const [at, pre] of fragment.querySelectorAll('pre').entries()) pre.textContent = block.codes[at]?.text ?? ''
  return textNodes(fragment).map(joinedText)
}

/** Whether the folded rows of a table have matches that the others do not have. */
export function isInFoldedRows(block: Block, pattern: RegExp, words: Words): boolean {
  if (block.kind !== 'html' || block.hiddenRows === 0) return false
  const shown = sum(htmlTexts(block, words).map(text => occurrencesIn(text, pattern)))
  return countInBlock(block, pattern, words) > shown
}
