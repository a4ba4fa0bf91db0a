// Applies a fault to a call.
import type { Socket } from 'node:net'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context, MiddlewareHandler } from 'hono'
import { bytesOf } from './bytes.ts'
import type { Faults, Trouble } from './faults.ts'
import { isObject } from './json.ts'
import { bomb } from './packing.ts'
import type { Env, Parts } from './parts.ts'
import { deafen, type Ending, hangUp, send, sendRaw } from './sending.ts'
import { type Answer, spoil } from './spoil.ts'
import { streamOf, untilAborted } from './stream.ts'

export function misbehave(parts: Parts): MiddlewareHandler<Env> {
  const { faults, clock, log } = parts
  const stale = new WeakMap<Socket, 'reset' | 'close'>()
  return async (c, next) => {
    const { socket } = c.env.incoming
    const isStale = stale.get(socket)
    if (isStale) {
      hangUp(socket, isStale)
      return RESPONSE_ALREADY_SENT
    }
    const fault = faults.take(c.req.method, c.req.path)
    if (!fault) return next()
    const call = c.get('call')
    if (call) {
      call.fault = fault.kind
      log.changed(call)
    }
    const troubles = [fault, ...(fault.also ?? [])]
    for (const trouble of troubles) {
      if (trouble.kind === 'delay') await clock.until(clock.now() + trouble.ms, c.get('ended'))
      if (trouble.kind === 'whole' || trouble.kind === 'stream') askFor(c, trouble.kind)
      if (trouble.kind === 'stale') stale.set(socket, trouble.by ?? 'reset')
      if (await isLeftUnanswered(c, trouble)) return RESPONSE_ALREADY_SENT
    }
    const instead = troubles.map(answerInstead).find(answer => answer !== undefined)
    if (!instead) await next()
    if (troubles.every(({ kind }) => !isOfWire(kind))) return instead
    await sendSpoilt(c, instead ?? c.res, troubles, parts)
    // Emptied first: otherwise the old answer's headers would go into the new one.
    c.res = undefined
    c.res = RESPONSE_ALREADY_SENT
    return undefined
  }
}

/** Before a byte is read nobody knows what is asked, so only the connection as a whole can go wrong. */
export function breakOnAccept(socket: Socket, faults: Faults): boolean {
  const fault = faults.takeOnAccept()
  if (fault?.kind === 'reset') socket.resetAndDestroy()
  if (fault?.kind === 'silence') socket.resume().once('end', () => socket.end())
  return fault !== undefined
}

const withoutWire: readonly Trouble['kind'][] = [
  'status',
  'redirect',
  'html',
  'gzip-bomb',
  'delay',
  'whole',
  'stream',
  'stale',
]

/** Whether the answer can no longer go the usual way. */
const isOfWire = (kind: Trouble['kind']) => !withoutWire.includes(kind)

async function isLeftUnanswered(c: Context<Env>, trouble: Trouble): Promise<boolean> {
  const { socket } = c.env.incoming
  const ended = c.get('ended')
  switch (trouble.kind) {
    case 'reset':
      if (trouble.afterBytes !== undefined) return false
      hangUp(socket, 'reset')
      return true
    case 'half-open':
      if (trouble.afterBytes !== undefined) return false
      deafen(socket)
      await untilAborted(ended)
      return true
    case 'silence':
      await untilAborted(ended)
      return true
    case 'raw':
      await sendRaw(socket, Buffer.from(trouble.base64, 'base64'))
      return true
    default:
      return false
  }
}

function answerInstead(trouble: Trouble): Response | undefined {
  switch (trouble.kind) {
    case 'status':
      return statusAnswer(trouble)
    case 'redirect':
      return new Response(null, { status: trouble.status, headers: { location: trouble.to } })
    case 'html':
      return page(trouble.status ?? 200)
    case 'gzip-bomb': {
      const { type = 'application/json', bytes } = trouble
      return new Response(streamOf(bomb(bytes)), { headers: { 'content-type': type, 'content-encoding': 'gzip' } })
    }
    default:
      return undefined
  }
}

function statusAnswer({ status, headers = {}, body, base64 }: Trouble & { kind: 'status' }): Response {
  const init = { status, headers }
  if (base64 !== undefined) return new Response(Buffer.from(base64, 'base64'), init)
  return body === undefined || typeof body === 'string' ? new Response(body ?? null, init) : Response.json(body, init)
}

function page(status: number): Response {
  const [title, words] =
    status < 400 ? ['Wi-Fi sign in', 'Welcome to the hotel network'] : [`${status}`, 'The gateway had no answer']
  const headers = { 'content-type': 'text/html; charset=utf-8' }
  return new Response(`<!doctype html><title>${title}</title><h1>${words}</h1>`, { status, headers })
}

/** As if the caller had asked for it: the route itself then answers in the other form. */
function askFor(c: Context<Env>, what: 'whole' | 'stream'): void {
  const body = c.get('body')
  if (body.kind !== 'json' || !isObject(body.value)) return
  const { stream_options: options, ...asked } = body.value
  // The options are refused where no stream is asked for.
  const kept = what === 'stream' && options !== undefined ? { stream_options: options } : {}
  c.set('body', { ...body, value: { ...asked, ...kept, stream: what === 'stream' } })
}

/** By hand, past the adapter, which would not let an answer end badly. */
async function sendSpoilt(c: Context<Env>, response: Response, troubles: readonly Trouble[], { clock, log }: Parts) {
  const { incoming, outgoing } = c.env
  const ended = c.get('ended')
  const headers = new Headers(response.headers)
  headers.delete('content-length')
  const right: Answer = { status: response.status, headers, body: bytesOf(response.body) }
  const answer = troubles.reduce((so, trouble) => spoil(so, trouble, { clock, ended }), right)
  const call = c.get('call')
  call.status = answer.status
  log.changed(call)
  const slow = troubles.find(trouble => trouble.kind === 'slow-headers')
  await send(answer, {
    outgoing,
    socket: incoming.socket,
    ended,
    ending: troubles.map(endingOf).find(ending => ending !== undefined),
    slowHeaders: slow && { everyMs: slow.everyMs ?? 0, clock },
  })
}

function endingOf(trouble: Trouble): Ending | undefined {
  switch (trouble.kind) {
    case 'cut':
    case 'stall':
    case 'reset':
    case 'half-open':
      return { how: trouble.kind, afterBytes: trouble.afterBytes ?? 0 }
    default:
      return undefined
  }
}
