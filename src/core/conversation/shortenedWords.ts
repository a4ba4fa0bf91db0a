// `shortenedWords`: messages of the user within a number of tokens, the oldest shortened first; `firstTokens`.
import { textTokens } from '../model/tokenEstimate.ts'

const CUT = ' … (shortened)'
/** So much of a message is always kept. */
const LEAST_TOKENS = 24

/** All of them word for word if they fit. */
export function shortenedWords(messages: readonly string[], mostTokens: number): readonly string[] {
  const sizes = messages.map(textTokens)
  let over = sizes.reduce((sum, size) => sum + size, 0) - mostTokens
  return messages.map((message, at) => {
    const size = sizes[at] ?? 0
    if (over <= 0 || size <= LEAST_TOKENS) return message
    const short = firstTokens(message, Math.max(LEAST_TOKENS, size - over))
    over -= size - textTokens(short)
    return short
  })
}

/** The beginning of a text that has at most so many tokens, with a mark where it was cut. */
export function firstTokens(text: string, mostTokens: number): string {
  let [fits, tooLong] = [0, text.length + 1]
  if (textTokens(text) <= mostTokens) return text
  while (tooLong - fits > 1) {
    const chars = Math.floor((fits + tooLong) / 2)
    if (textTokens(text.slice(0, chars)) <= mostTokens) fits = chars
    else tooLong = chars
  }
  return text.slice(0, fits).toWellFormed() + CUT
}
