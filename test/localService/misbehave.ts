// Does to a call what a fault says.
import { setImmediate as turn } from 'node:timers/promises'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context, MiddlewareHandler } from 'hono'
import type { Fault, Faults } from './faults.ts'
import type { Env } from './parts.ts'
import { pause, streamOf, untilAborted } from './stream.ts'

export const misbehave =
  (faults: Faults): MiddlewareHandler<Env> =>
  async (c, next) => {
    const fault = faults.take(c.req.method, c.req.path)
    const instead = fault && (await answerInstead(c, fault))
    if (instead) return instead
    await next()
    if (fault) spoil(c, fault)
    return undefined
  }

async function answerInstead(c: Context<Env>, fault: Fault): Promise<Response | undefined> {
  const ended = c.get('ended')
  switch (fault.kind) {
    case 'status':
      return asResponse(fault.body, { status: fault.status, headers: fault.headers ?? {} })
    case 'html':
      return new Response(portalPage, { headers: { 'content-type': 'text/html; charset=utf-8' } })
    case 'reset':
      c.env.incoming.socket.resetAndDestroy()
      return RESPONSE_ALREADY_SENT
    case 'silence':
      await untilAborted(ended)
      return RESPONSE_ALREADY_SENT
    case 'delay':
      await pause(fault.ms, ended)
      return undefined
    default:
      return undefined
  }
}

const portalPage = '<!doctype html><title>Wi-Fi sign in</title><h1>Welcome to the hotel network</h1>'

const asResponse = (body: unknown, init: { status: number; headers: Readonly<Record<string, string>> }) =>
  body === undefined || typeof body === 'string' ? new Response(body ?? null, init) : Response.json(body, init)

function spoil(c: Context<Env>, fault: Fault): void {
  const body = c.res.body
  if (!body) return
  const socket = c.env.incoming.socket
  const ended = c.get('ended')
  const hangUp = () => {
    // Soon: what was written before still goes out, and only the rest breaks off.
    socket.destroySoon()
    return untilAborted(ended)
  }
  const spoiled = spoiledBody(body, fault, hangUp, () => untilAborted(ended))
  if (!spoiled) return
  c.res = new Response(streamOf(spoiled), c.res)
  // Without this the adapter may collect the first pieces and answer them as one.
  c.res.headers.set('transfer-encoding', 'chunked')
}

type Bytes = AsyncGenerator<Uint8Array>

type Then = () => Promise<void>

function spoiledBody(body: ReadableStream<Uint8Array>, fault: Fault, hangUp: Then, waitOn: Then): Bytes | undefined {
  if (fault.kind === 'drip') return drip(body)
  if (fault.kind === 'cut') return upTo(body, fault.afterBytes, hangUp)
  return fault.kind === 'stall' ? upTo(body, fault.afterBytes ?? 0, waitOn) : undefined
}

async function* drip(body: ReadableStream<Uint8Array>): Bytes {
  for await (const chunk of body) {
    for (let at = 0; at < chunk.length; at += 1) {
      yield chunk.subarray(at, at + 1)
      await turn()
    }
  }
}

/** The first bytes; then what is to happen happens, where the body is longer than that. */
async function* upTo(body: ReadableStream<Uint8Array>, count: number, then: Then): Bytes {
  let left = count
  if (left > 0) {
    for await (const chunk of body) {
      yield chunk.subarray(0, left)
      left -= chunk.length
      if (left <= 0) break
    }
  }
  if (left <= 0) await then()
}
