// Estimates the tokens of a text, a message or a request without a tokenizer.
import { never } from '../../base/fault.ts'
import type { AnswerPart, ModelMessage, ModelRequest, UserPart } from './modelClient.ts'
import { inputOf } from './repair.ts'

/**
 * The tokens of each kind of character. Fitted to the counts of two public tokenizers for about 600 files of code and
 * prose: the error is below 2 % for half of the files and below 8 % for 95 %. With four characters per token, the
 * common rule, these errors are 8 % and 36 %.
 */
const WORD = 0.935
const LETTER = 0.03
/** For each letter after the first 16 of a run, such as of a hash. */
const LONG_RUN_LETTER = 0.25
const DIGIT = 0.98
const PUNCTUATION_RUN = 0.325
const PUNCTUATION = 0.28
const LINE_END = 0.64
const INDENT = 0.65
/** For a UTF-16 code unit beyond ASCII; for one from U+2E80 on, such as an ideograph, a syllable or half an emoji. */
const NON_ASCII_LETTER = 0.3
const IDEOGRAPH = 0.75

const LONG_RUN = 16
/** Of each message, beside its parts. */
export const MESSAGE_TOKENS = 4
/** What services count for an image of the size to which they scale it down. */
export const IMAGE_TOKENS = 1_600

type Kind = 'letter' | 'digit' | 'blank' | 'line end' | 'sign' | 'far' | 'start'

export function textTokens(text: string): number {
  let tokens = 0
  let before: Kind = 'start'
  let run = 0
  let isBeforeSmall = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const kind = kindOf(code)
    if (kind === 'letter') {
      const isSmall = code > 0x5a
      // A capital after a small letter starts a word, as in camelCase.
      const isWordStart = before !== 'letter' || (!isSmall && isBeforeSmall)
      run = isWordStart ? 1 : run + 1
      tokens += (isWordStart ? WORD : 0) + (run > LONG_RUN ? LONG_RUN_LETTER : LETTER)
      isBeforeSmall = isSmall
    } else if (kind === 'digit') tokens += DIGIT
    else if (kind === 'far') tokens += code < 0x2e80 ? NON_ASCII_LETTER : IDEOGRAPH
    else if (kind === 'sign') tokens += PUNCTUATION + (before === 'sign' ? 0 : PUNCTUATION_RUN)
    else if (kind === 'line end') tokens += before === 'line end' ? 0 : LINE_END
    else if (before === 'line end') tokens += INDENT
    before = kind
  }
  return tokens
}

function kindOf(code: number): Kind {
  if (code >= 0x80) return 'far'
  if ((code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a)) return 'letter'
  if (code >= 0x30 && code <= 0x39) return 'digit'
  if (code === 0x20 || code === 0x09) return 'blank'
  return code === 0x0a || code === 0x0d ? 'line end' : 'sign'
}

export function messageTokens({ parts }: ModelMessage): number {
  return MESSAGE_TOKENS + sum(parts.map(partTokens))
}

/** Sealed reasoning counts 0, because its text is not known. */
export function partTokens(part: UserPart | AnswerPart): number {
  switch (part.kind) {
    case 'text':
      return textTokens(part.text)
    case 'image':
      return IMAGE_TOKENS
    case 'tool-call':
      return textTokens(part.name) + textTokens(JSON.stringify(inputOf(part)))
    case 'reasoning':
      return 0
    default:
      return never(part)
  }
}

export const tokensOf = (content: string | readonly ModelMessage[]): number =>
  typeof content === 'string' ? textTokens(content) : sum(content.map(messageTokens))

/** The input tokens: instructions, messages and tools. */
export function requestTokens({ system, messages, tools }: ModelRequest): number {
  const declared = tools?.length ? textTokens(JSON.stringify(tools)) : 0
  return (system ? MESSAGE_TOKENS + textTokens(system) : 0) + sum(messages.map(messageTokens)) + declared
}

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)
