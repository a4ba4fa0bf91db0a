// `nextSpeech`: the finished sentences of an answer that grows, as a screen reader announces them.
import { onOneLine, shownText } from '../../protocol/shownText.ts'
import { visible } from '../markdown/visible.ts'
import type { Words } from '../words.ts'

export interface Speech {
  readonly text: string
  /** So many characters of the answer are announced with it. */
  readonly to: number
}

/** About as much as is read out in a minute. */
const LONGEST_CHARS = 1_000

/**
 * What is finished after the first `from` characters: whole sentences, paragraphs and list items, and of a code block its
 * length. `isEnded`: no more text follows, so everything is finished. A long text is announced in several speeches.
 */
export function nextSpeech(answer: string, from: number, isEnded: boolean, words: Words): Speech {
  const spoken: string[] = []
  let to = from
  let chars = 0
  while (chars < LONGEST_CHARS) {
    const chunk = nextChunk(answer.slice(to), isEnded, words)
    if (!chunk) break
    to += chunk.length
    chars += chunk.text.length
    if (chunk.text) spoken.push(chunk.text)
  }
  return { text: spoken.join(' '), to }
}

interface Chunk {
  readonly text: string
  /** Its length in the answer. */
  readonly length: number
}

/** The next sentence or code block; undefined if it is not finished. */
function nextChunk(rest: string, isEnded: boolean, words: Words): Chunk | undefined {
  if (rest === '') return undefined
  const fence = /^[ \t]*(`{3,}|~{3,})[ \t]*([\w+#.-]*)[^\n]*(?:\n|$)/.exec(rest)
  return fence ? codeChunk(rest, fence, isEnded, words) : proseChunk(rest, isEnded, words)
}

function codeChunk(rest: string, [opening, mark = '', language]: RegExpExecArray, isEnded: boolean, words: Words) {
  const closing = new RegExp(`^[ \\t]*${mark}[\`~]*[ \\t]*(?:\\n|$)`, 'm').exec(rest.slice(opening.length))
  if (!closing && !isEnded) return undefined
  const code = rest.slice(opening.length, closing ? opening.length + closing.index : undefined)
  const count = code === '' ? 0 : code.replace(/\n$/, '').split('\n').length
  const name = language || words.of('plainText')
  const text =
    count === 1 ? words.of('spokenCodeOne', { language: name }) : words.of('spokenCode', { count, language: name })
  return { text, length: opening.length + code.length + (closing?.[0].length ?? 0) }
}

/** The end of a sentence, of a paragraph or of a line before a list item, a heading, a table row or a code block. */
const PROSE_END = /[.!?…:](?=["')\]*_`]*\s)["')\]*_`]*\s+|[。！？]|\n(?=\s*(?:\n|```|~~~|[-*+#>|]|\d{1,9}[.)]\s))\s*/

function proseChunk(rest: string, isEnded: boolean, words: Words): Chunk | undefined {
  const end = PROSE_END.exec(rest)
  if (!end && !isEnded) return undefined
  const length = end ? end.index + end[0].length : rest.length
  const text = onOneLine(shownText(rest.slice(0, length).replace(RULE, '')).replace(LONE_MARK, ''))
  return { text: visible(text, words), length }
}

/** A line across the page. */
const RULE = /^[ \t]*(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/gm

/** The mark of bold text that begins in one sentence and ends in another. */
const LONE_MARK = /(?<![\w*])\*{2,3}(?=\w)|(?<=[\w.!?:,;)])\*{2,3}(?![\w*])/g
