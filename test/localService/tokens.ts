// The service's own estimate of tokens, and the model's limits.
import { Failure } from './failure.ts'
import { imagesOf, type Message, type ModelRequest } from './modelRequest.ts'

/** The most tokens that a request may bring. */
export const inputTokens = 262_144
/** The most that a request and its answer may have together. */
export const contextTokens = 278_528

/** What an image counts, whatever its size. */
export const imageTokens = 1_600

/** Roughly as a tokenizer would: a word with the white space before it, long words in pieces. */
export const tokensOf = (text: string): string[] => text.match(/\s*\S{1,12}|\s+$/gu) ?? []

/** Close enough for a pretend model: four characters to a token. */
export const inputTokensOf = ({ messages, tools }: ModelRequest): number =>
  messages.reduce((sum, message) => sum + messageTokens(message), 0) + (tools.length > 0 ? quarter(jsonOf(tools)) : 0)

const messageTokens = (message: Message): number =>
  4 + quarter(message.text) + imageTokens * imagesOf(message).length + quarter(message.calls.map(jsonOf).join(''))

const quarter = (text: string): number => Math.ceil(text.length / 4)

const jsonOf = (value: unknown): string => JSON.stringify(value)

/** Each surface reports it in its own words, which clients look for. */
export interface LimitWords {
  readonly tooLong: (input: number) => string
  readonly tooMuch: (input: number, output: number) => string
}

export function overLimit(request: ModelRequest, words: LimitWords): Failure | undefined {
  const input = inputTokensOf(request)
  const output = request.maxTokens ?? 0
  const code = 'context_length_exceeded'
  if (input > inputTokens) return new Failure(400, code, words.tooLong(input))
  if (input + output > contextTokens) return new Failure(400, code, words.tooMuch(input, output))
  return undefined
}

/** How the two surfaces below `/v1` report it. */
export const gatewayLimitWords: LimitWords = {
  tooLong: input => `The input has ${input} tokens; this model reads ${inputTokens} at most.`,
  tooMuch: (input, output) =>
    `This model's maximum context length is ${contextTokens} tokens, but ${input} in the input and ${output} for the answer are ${input + output}.`,
}
