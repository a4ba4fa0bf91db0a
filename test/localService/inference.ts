// What all surfaces share: the slot, the judgement of a request, the model behind, and the way out.
import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { type Context, Hono } from 'hono'
import { type Body, inferenceLimitBytes } from './body.ts'
import { collected } from './collected.ts'
import { demoReply } from './demoModel.ts'
import { Failure, failureResponse, requestIdHeaders } from './failure.ts'
import { fillInReply } from './fillIn.ts'
import type { ModelEvents } from './modelEvent.ts'
import type { ModelRequest } from './modelRequest.ts'
import type { Env, Parts } from './parts.ts'
import { refusalOfPrefill, withoutPrefill } from './prefill.ts'
import type { Gate, Reply } from './replies.ts'
import { paced, replyEvents } from './replyEvents.ts'
import { demoScenarios } from './scenario.ts'
import { eventStream } from './stream.ts'
import type { Surface } from './surface/surface.ts'
import { refusalOfSwitch, withThoughts } from './thinking.ts'
import { overLimit } from './tokens.ts'
import { askUpstream } from './upstream/ask.ts'

/** A connection that its caller has closed is over for us two turns of the event loop later; one more for safety. */
const TURNS_TO_LEAVE = 3

/** One request under way. */
interface Job {
  readonly surface: Surface
  readonly parts: Parts
  readonly request: ModelRequest
  readonly release: () => void
  readonly ended: AbortSignal
}

export function inference(surface: Surface, parts: Parts): Hono<Env> {
  return new Hono<Env>().post(surface.path, async c => {
    const answer = await answerTo(c, surface, parts)
    return answer instanceof Failure ? failureResponse(c.req.path, answer) : answer
  })
}

async function answerTo(c: Context<Env>, surface: Surface, parts: Parts): Promise<Response | Failure> {
  const release = await slotFor(c.get('key').email, parts)
  if (!release) return limitReached(parts)
  const ended = c.get('ended')
  // Whatever happens below, the request is over when the connection's work is.
  ended.addEventListener('abort', release, { once: true })
  const request = readRequest(c.get('body'), surface, parts)
  if (request instanceof Failure) return request
  return answer({ surface, parts, request, release, ended })
}

/** Nobody is refused for a caller who has left already, though its leaving is handled only after this very call. */
async function slotFor(email: string, { slots, state }: Parts): Promise<(() => void) | undefined> {
  const account = state.accounts.of(email)
  for (let turn = 0; turn < TURNS_TO_LEAVE; turn++) {
    const release = slots.take(account)
    if (release) return release
    await setImmediate()
  }
  return slots.take(account)
}

function limitReached({ slots, clock }: Parts): Failure {
  const message = "The plan's limit of simultaneous requests is reached."
  const headers = { 'retry-after': slots.retryAfter(clock.now()) }
  return new Failure(429, 'concurrency_limit_reached', message, { policy: 'rate_limited', headers })
}

function readRequest(body: Body, surface: Surface, { state, dialect }: Parts): ModelRequest | Failure {
  const json = jsonOf(body)
  if (json instanceof Failure) return json
  const request = surface.read(json.value)
  if (request instanceof Failure) return request
  if (!state.grantedModels.includes(request.model)) return modelBlocked(request.model)
  const refusal = refusalOfSwitch(request.json, dialect) ?? refusalOfPrefill(request, dialect)
  return refusal ?? overLimit(request, surface.limitWords) ?? request
}

function jsonOf(body: Body): { readonly value: unknown } | Failure {
  if (body.kind === 'json') return body
  if (body.kind === 'too large')
    return new Failure(413, 'too_large', `A request has at most ${inferenceLimitBytes} bytes.`)
  if (body.kind === 'broken json')
    return new Failure(400, 'invalid_json', 'The body is not JSON, or is nested too deeply.')
  return new Failure(415, 'invalid_type', 'The body must be of the type application/json.')
}

function modelBlocked(model: string): Failure {
  const message = `Model '${model}' is not allowed for this virtual key`
  return new Failure(403, 'model_blocked', message, { policy: 'model_blocked', param: 'model' })
}

async function answer(job: Job): Promise<Response | Failure> {
  const { parts, request, ended } = job
  const { tokensPerSecond, upstream } = parts.options
  const { reply, gate } = parts.replies.next(request.json)
  if (!reply && upstream) return upstreamAnswer(job)
  const pace = { tokensPerSecond, gate }
  if (reply?.raw) return eventStream(raw(reply, reply.raw, gate, ended), requestIdHeaders(job.surface.path))
  const { dialect, options } = parts
  const scenarios = [...options.scenarios, ...demoScenarios]
  const whole = reply ?? fillInReply(request, dialect) ?? demoReply(request, scenarios)
  const spoken = withThoughts(withoutPrefill(whole, request, dialect), request.json, dialect)
  return written(job, replyEvents(spoken, request, pace, ended))
}

/** Word for word, with the reply's delay and the test's gate; a piece counts as a token. */
function raw(reply: Reply, chunks: readonly string[], gate: Gate | undefined, ended: AbortSignal) {
  return paced(chunks, reply, { tokensPerSecond: 0, gate }, ended)
}

/** Chat completions go through as they are; what the others ask is put into that form, and the answer back. */
async function upstreamAnswer(job: Job): Promise<Response | Failure> {
  const { upstream } = job.parts.options
  if (!upstream) return new Failure(500, 'internal_error', 'There is no upstream server.')
  const answer = await askUpstream(upstream, job)
  return answer instanceof Response || answer instanceof Failure ? answer : written(job, answer)
}

async function written(job: Job, events: ModelEvents): Promise<Response | Failure> {
  const { surface, parts, request } = job
  const ids = requestIdHeaders(surface.path)
  const head = {
    id: surface.idPrefix + randomUUID().replaceAll('-', ''),
    created: Math.floor(parts.clock.now() / 1000),
    model: request.model,
    requestId: Object.values(ids)[0] ?? '',
  }
  const releasing = untilReleased(events, job.release)
  if (request.isStream) return eventStream(surface.frames(head, request, releasing), ids)
  const whole = await collected(releasing)
  if (whole instanceof Failure) return whole
  // Nobody is there to read this: an answer that does not reach its end has lost its reader.
  if (!whole) return new Failure(499, 'client_closed_request', 'The caller has left.')
  return Response.json(surface.whole(head, request, whole), { headers: ids })
}

/** The slot is free before the last bytes are out: who has read the end may ask again at once. */
async function* untilReleased(events: ModelEvents, release: () => void): ModelEvents {
  for await (const event of events) {
    if (event.kind === 'end' || event.kind === 'failure') release()
    yield event
  }
}
