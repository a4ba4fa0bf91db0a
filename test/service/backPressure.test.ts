// A reader who does not read holds the server behind the service back, and the service keeps nothing for him.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { it } from 'node:test'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Service } from '../localService/server.ts'
import { ask, bearer, messagesRequest, question, serviceWithKey } from './caller.ts'
import { chunk, composedUpstream, done, finish } from './composedUpstream.ts'

const mebibyte = 1024 * 1024
const offered = 256 * mebibyte
/** What may lie in the sockets' buffers of both connections, which belong to the system. */
const inSockets = 48 * mebibyte
const frame = chunk({ content: 'x'.repeat(64 * 1024) })

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

const surfaces: [string, object][] = [
  ['/v1/chat/completions', question('Hi')],
  ['/v1/responses', ask('Hi')],
  ['/anthropic/v1/messages', messagesRequest('Hi', { max_tokens: 20_000 })],
]

for (const [path, body] of surfaces)
  it(`[upstream.back-pressure] ${path} waits for its reader`, async () => {
    await using upstream = await composedUpstream()
    const { service, key } = await serviceWithKey({ upstream: { url: upstream.url, model: 'other-7b' } })
    await using _ = service
    const flood = new Flood()
    upstream.answers.push(outgoing => void flood.pour(outgoing))
    const heldBefore = await held()
    const asking = open(service, key, path, body)
    const [answer] = (await once(asking, 'response')) as [IncomingMessage]
    await flood.untilStuck()
    assert.ok(flood.bytes < inSockets, `${flood.bytes / mebibyte} MiB were taken from the server though nobody reads`)
    const kept = (await held()) - heldBefore
    assert.ok(kept < 16 * mebibyte, `${kept / mebibyte} MiB are kept`)

    const stuckAt = flood.bytes
    for await (const _ of answer) if (flood.bytes > stuckAt + 4 * mebibyte) break
    assert.ok(flood.bytes > stuckAt, 'more comes when it is read')
  })

/** Bytes that this process holds outside the sockets, without what nobody needs any more. */
async function held(): Promise<number> {
  const looks: number[] = []
  // The memory behind a buffer goes some time after the buffer itself.
  for (let round = 0; round < 5; round += 1) {
    collectGarbage()
    await turn()
    const { heapUsed, external, arrayBuffers } = process.memoryUsage()
    looks.push(heapUsed + external + arrayBuffers)
  }
  return Math.min(...looks)
}

function open(service: Service, key: string, path: string, body: object): ClientRequest {
  const headers = { 'content-type': 'application/json', ...bearer(key) }
  const asking = request(service.baseUrl + path, { method: 'POST', headers })
  asking.end(JSON.stringify({ ...body, stream: true }))
  return asking
}

/** Writes as much as it is let, and counts. */
class Flood {
  bytes = 0
  #waitingSince: number | undefined

  async pour(outgoing: ServerResponse): Promise<void> {
    outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
    const closed = once(outgoing, 'close')
    while (this.bytes < offered) {
      this.bytes += frame.length
      if (outgoing.write(frame)) continue
      this.#waitingSince = performance.now()
      await Promise.race([once(outgoing, 'drain'), closed])
      if (outgoing.destroyed) return
      this.#waitingSince = undefined
    }
    outgoing.end(finish('stop') + done)
  }

  /** Settles when a write has waited so long that no one can be reading, or when all is out. */
  async untilStuck(): Promise<void> {
    const isStuck = () => this.#waitingSince !== undefined && performance.now() - this.#waitingSince > 500
    while (!isStuck() && this.bytes < offered) await sleep(20)
  }
}
