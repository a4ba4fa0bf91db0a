// The chat completions surface, at once or as a stream.
import { randomUUID } from 'node:crypto'
import { type Context, Hono } from 'hono'
import { type Answer, answerOf, promptTokensOf, spoken } from '../answer.ts'
import { apiError, badRequest } from '../apiError.ts'
import { type Body, bodyLimitBytes } from '../body.ts'
import { type ChatRequest, readChatRequest } from '../chatRequest.ts'
import { demoText } from '../demoModel.ts'
import type { Env, Parts } from '../parts.ts'
import { endFrame, eventStream, frame } from '../stream.ts'
import { askUpstream } from '../upstream.ts'
import { inputTokens } from './models.ts'

export function chatCompletions(parts: Parts): Hono<Env> {
  return new Hono<Env>().post('/v1/chat/completions', c => {
    const release = parts.slots.take(parts.state.accounts.of(c.get('key').email))
    if (!release) return limitReached()
    // Whatever happens below, the request is over when the connection's work is.
    c.get('ended').addEventListener('abort', release, { once: true })
    const request = readRequest(c.get('body'), parts)
    return request instanceof Response ? request : answer(c, parts, request, release)
  })
}

const retryAfterSeconds = 2

function limitReached(): Response {
  const message = "The plan's limit of simultaneous requests is reached."
  const refusal = { message, type: 'rate_limit_error', code: 'concurrency_limit_reached' }
  return apiError(429, refusal, { 'retry-after': String(retryAfterSeconds) })
}

function readRequest(body: Body, { state }: Parts): ChatRequest | Response {
  if (body.kind === 'too large') return badRequest(`A request has at most ${bodyLimitBytes} bytes.`, 'too_large', 413)
  if (body.kind === 'broken json') return badRequest('The body is not JSON.', 'invalid_json')
  if (body.kind !== 'json') return badRequest('The body must be of the type application/json.', 'invalid_type', 415)
  const request = readChatRequest(body.value)
  if (typeof request === 'string') return badRequest(request)
  if (!state.grantedModels.includes(request.model)) return modelBlocked(request.model)
  if (promptTokensOf(request) > inputTokens)
    return badRequest(`The messages are longer than ${inputTokens} tokens.`, 'context_length_exceeded')
  return request
}

/** In the form of the gateway that real services use: the outer type says why. */
const modelBlocked = (model: string) =>
  Response.json(
    {
      type: 'model_blocked',
      status_code: 403,
      is_bifrost_error: false,
      error: { message: `Model '${model}' is not allowed for this virtual key` },
    },
    { status: 403 },
  )

async function answer(c: Context<Env>, parts: Parts, request: ChatRequest, release: () => void): Promise<Response> {
  const ended = c.get('ended')
  const { reply, gate } = parts.replies.next(request.json)
  if (reply?.raw) return eventStream(rawFrames(reply.raw))
  const { upstream, tokensPerSecond } = parts.options
  if (!reply && upstream) return askUpstream(upstream, request, ended)
  const spokenAnswer = answerOf(reply ?? { text: demoText(request) }, request, { tokensPerSecond, gate })
  const head = { id: `chatcmpl-${randomUUID()}`, created: Math.floor(parts.clock.now() / 1000), model: request.model }
  if (request.isStream) return eventStream(frames(head, spokenAnswer, request, ended, release))
  return whole(head, spokenAnswer, ended, release)
}

async function* rawFrames(pieces: readonly string[]): AsyncGenerator<string> {
  yield* pieces
}

interface Head {
  readonly id: string
  readonly created: number
  readonly model: string
}

async function* frames(
  head: Head,
  answer: Answer,
  request: ChatRequest,
  ended: AbortSignal,
  release: () => void,
): AsyncGenerator<string> {
  const chunk = (delta: unknown, reason: string | null = null) =>
    frame({
      ...head,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason: reason }],
      ...(request.wantsUsage ? { usage: null } : {}),
    })
  yield chunk({ role: 'assistant', content: answer.toolCalls.length > 0 && answer.tokens.length === 0 ? null : '' })
  for await (const content of spoken(answer, ended)) yield chunk({ content })
  for (const delta of toolDeltas(answer)) yield chunk({ tool_calls: [delta] })
  if (answer.finishReason !== null) yield chunk({}, answer.finishReason)
  if (request.wantsUsage) yield frame({ ...head, object: 'chat.completion.chunk', choices: [], usage: answer.usage })
  // Before the last bytes: who has read the end may ask again at once.
  release()
  yield endFrame
}

function* toolDeltas(answer: Answer) {
  for (const [index, { id, name, arguments: given }] of answer.toolCalls.entries()) {
    yield { index, id, type: 'function', function: { name, arguments: '' } }
    for (const piece of argumentText(given).match(/[\s\S]{1,8}/gu) ?? [])
      yield { index, function: { arguments: piece } }
  }
}

async function whole(head: Head, answer: Answer, ended: AbortSignal, release: () => void): Promise<Response> {
  const tokens: string[] = []
  for await (const token of spoken(answer, ended)) tokens.push(token)
  release()
  const calls = answer.toolCalls.map(({ id, name, arguments: given }) => ({
    id,
    type: 'function',
    function: { name, arguments: argumentText(given) },
  }))
  const content = tokens.length === 0 && calls.length > 0 ? null : tokens.join('')
  const message = { role: 'assistant', content, ...(calls.length > 0 ? { tool_calls: calls } : {}) }
  return Response.json({
    ...head,
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason: answer.finishReason }],
    usage: answer.usage,
  })
}

const argumentText = (given: string | Readonly<Record<string, unknown>>) =>
  typeof given === 'string' ? given : JSON.stringify(given)
