// A scripted reply as the model sends it: cut into tokens, ended by a stop string or a limit, spoken at a pace.
import { setImmediate as turn } from 'node:timers/promises'
import type { ModelEvent, ModelEvents, Usage } from './modelEvent.ts'
import type { ModelRequest } from './modelRequest.ts'
import type { Gate, Reply, ToolCall } from './replies.ts'
import { pause } from './stream.ts'
import { contextTokens, inputTokensOf, tokensOf } from './tokens.ts'

export interface Pace {
  readonly tokensPerSecond: number
  readonly gate: Gate | undefined
}

/** Ends early when nobody reads any more. */
export async function* replyEvents(reply: Reply, request: ModelRequest, pace: Pace, ended: AbortSignal): ModelEvents {
  const { tokens, reason, stop, usage } = answerOf(reply, request)
  for await (const token of paced(tokens, reply, pace, ended)) yield* token
  if (!ended.aborted) yield { kind: 'end', reason, ...(stop === undefined ? {} : { stop }), usage }
}

/** The pieces at their pace: the first after the delay, each before its gate. */
export async function* paced<T>(
  items: readonly T[],
  reply: Reply,
  { tokensPerSecond, gate }: Pace,
  ended: AbortSignal,
): AsyncGenerator<T> {
  const perSecond = reply.tokensPerSecond ?? tokensPerSecond
  if (!(await pause(reply.delayMs ?? 0, ended))) return
  const began = performance.now()
  // The last piece that may go now. Those that are late go together: one write for all of them.
  let due = -1
  for (const [index, item] of items.entries()) {
    if (gate?.atToken === index) await gate.pass(ended)
    if (perSecond > 0 && index > due) {
      await untilDue(began + (index / perSecond) * 1000, ended)
      due = Math.floor(((performance.now() - began) / 1000) * perSecond)
    }
    if (ended.aborted) return
    yield item
  }
  // A gate at or after the end holds back what comes after the tokens: the reason, the usage, the end.
  if (gate && gate.atToken >= items.length) await gate.pass(ended)
}

/** Who is late lets the others go first, so that many streams which are late leave the service time for its callers. */
async function untilDue(at: number, ended: AbortSignal): Promise<void> {
  const ms = at - performance.now()
  if (ms > 0) await pause(ms, ended)
  else await turn()
}

/** What one token brings; the first one of a tool call brings its name too. */
type Token = readonly ModelEvent[]

interface Answer {
  readonly tokens: readonly Token[]
  readonly reason: string | null
  readonly stop: string | undefined
  readonly usage: Usage
}

function answerOf(reply: Reply, request: ModelRequest): Answer {
  const text = untilStop(reply.tokens ?? tokensOf(reply.text ?? ''), request.stops)
  const calls = text.stop === undefined ? (reply.toolCalls ?? []) : []
  const reasoning = spoken('reasoning', tokensOf(reply.reasoning ?? ''))
  const all = [
    ...reasoning,
    ...spoken('text', text.tokens),
    ...spoken('refusal', tokensOf(reply.refusal ?? '')),
    ...calls.flatMap((call, index) => callTokens(call, firstCallNumber(request) + index)),
  ]
  const prompt = inputTokensOf(request)
  const tokens = all.slice(0, Math.min(request.maxTokens ?? contextTokens, contextTokens - prompt))
  const isCut = tokens.length < all.length
  return {
    tokens,
    reason: isCut ? 'length' : whyItEnds(reply, calls.length > 0),
    stop: isCut ? undefined : text.stop,
    usage: reply.usage ?? usageOf(prompt, tokens.length, Math.min(reasoning.length, tokens.length)),
  }
}

const spoken = (kind: 'text' | 'reasoning' | 'refusal', tokens: readonly string[]): Token[] =>
  tokens.map(text => [{ kind, text }])

function callTokens({ id, name, arguments: given }: ToolCall, number: number): Token[] {
  const text = typeof given === 'string' ? given : JSON.stringify(given)
  const [first = '', ...rest] = text.match(/[\s\S]{1,8}/gu) ?? []
  const begin: Token = [
    { kind: 'call', id: id ?? `call_${number}`, name },
    { kind: 'arguments', text: first },
  ]
  return [begin, ...rest.map((fragment): Token => [{ kind: 'arguments', text: fragment }])]
}

/** Ids go on where the conversation left off: a call that was made earlier keeps its id for itself. */
function firstCallNumber({ messages }: ModelRequest): number {
  const taken = messages.flatMap(({ calls }) => calls.map(({ id }) => Number(/^call_(\d+)$/.exec(id)?.[1] ?? 0)))
  return Math.max(0, ...taken) + 1
}

function whyItEnds(reply: Reply, hasCalls: boolean): string | null {
  if (reply.finishReason !== undefined) return reply.finishReason
  return hasCalls ? 'tool_calls' : 'stop'
}

function untilStop(
  tokens: readonly string[],
  stops: readonly string[],
): { tokens: readonly string[]; stop: string | undefined } {
  const text = tokens.join('')
  const places = stops.map(stop => ({ stop, at: text.indexOf(stop) })).filter(({ at }) => at >= 0)
  const first = places.toSorted((a, b) => a.at - b.at)[0]
  if (!first) return { tokens, stop: undefined }
  let left = first.at
  const kept = tokens.flatMap(token => {
    const fragment = token.slice(0, Math.max(0, left))
    left -= token.length
    return fragment === '' ? [] : [fragment]
  })
  return { tokens: kept, stop: first.stop }
}

const usageOf = (prompt: number, completion: number, reasoning: number): Usage => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
  ...(reasoning > 0 ? { reasoning_tokens: reasoning } : {}),
})
