// From a text to an answer: cut into tokens, ended by a stop string or a limit, spoken at a pace.
import type { ChatRequest } from './chatRequest.ts'
import type { Gate, Reply, ToolCall, Usage } from './replies.ts'
import { pause } from './stream.ts'

export interface Answer {
  readonly tokens: readonly string[]
  readonly toolCalls: readonly Required<ToolCall>[]
  readonly finishReason: string | null
  readonly usage: Usage
  readonly delayMs: number
  readonly tokensPerSecond: number
  readonly gate: Gate | undefined
}

export interface Pace {
  readonly tokensPerSecond: number
  readonly gate: Gate | undefined
}

export function answerOf(reply: Reply, request: ChatRequest, pace: Pace): Answer {
  const stopped = untilStop(reply.tokens ?? tokensOf(reply.text ?? ''), request.stops)
  const tokens = stopped.slice(0, request.maxTokens)
  const isCut = tokens.length < stopped.length
  const toolCalls = isCut ? [] : (reply.toolCalls ?? []).map(withId)
  const reason = isCut ? 'length' : whyItEnds(reply, toolCalls.length > 0)
  return {
    tokens,
    toolCalls,
    finishReason: reason,
    usage: reply.usage ?? usageOf(request, tokens.length),
    delayMs: reply.delayMs ?? 0,
    tokensPerSecond: reply.tokensPerSecond ?? pace.tokensPerSecond,
    gate: pace.gate,
  }
}

/** Roughly as a tokenizer would: a word with the white space before it, long words in pieces. */
export const tokensOf = (text: string): string[] => text.match(/\s*\S{1,12}|\s+$/gu) ?? []

/** Close enough for a pretend model: four characters to a token. */
export const promptTokensOf = (request: ChatRequest): number =>
  request.messages.reduce((sum, { text }) => sum + 4 + Math.ceil(text.length / 4), 0)

/** The tokens at the pace of the answer; ends early when nobody reads any more. */
export async function* spoken(answer: Answer, ended: AbortSignal): AsyncGenerator<string> {
  if (!(await pause(answer.delayMs, ended))) return
  const began = performance.now()
  for (const [index, token] of answer.tokens.entries()) {
    if (answer.gate?.atToken === index) await answer.gate.pass(ended)
    const dueMs = answer.tokensPerSecond > 0 ? (index / answer.tokensPerSecond) * 1000 : 0
    if (!(await pause(dueMs - (performance.now() - began), ended))) return
    yield token
  }
  // A gate at or after the end holds back what comes after the text: the reason, the usage, the end.
  if (answer.gate && answer.gate.atToken >= answer.tokens.length) await answer.gate.pass(ended)
}

function whyItEnds(reply: Reply, hasCalls: boolean): string | null {
  if (reply.finishReason !== undefined) return reply.finishReason
  return hasCalls ? 'tool_calls' : 'stop'
}

function untilStop(tokens: readonly string[], stops: readonly string[]): readonly string[] {
  const text = tokens.join('')
  const places = stops.map(stop => text.indexOf(stop)).filter(place => place >= 0)
  if (places.length === 0) return tokens
  let left = Math.min(...places)
  return tokens.flatMap(token => {
    const kept = token.slice(0, Math.max(0, left))
    left -= token.length
    return kept === '' ? [] : [kept]
  })
}

const withId = (call: ToolCall, index: number): Required<ToolCall> => ({ id: `call_${index + 1}`, ...call })

function usageOf(request: ChatRequest, completion: number): Usage {
  const prompt = promptTokensOf(request)
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion }
}
