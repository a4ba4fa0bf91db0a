// HTTP/2 against HTTP/1.1 with our own library, on a TLS server that speaks both: is it slower to the first byte?
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { Agent, request } from 'undici'
import { selfSigned } from '../support/selfSigned.ts'
import { percentile } from './numbers.ts'
import type { Row } from './row.ts'

const rounds = 150
const frames = 200
const frame = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: ' hello' } }] })}\n\n`
/** As large as a question with some files in it. */
const body = JSON.stringify({ messages: 'x'.repeat(20_000) })

export async function httpVersions(): Promise<Row[]> {
  const server = createSecureServer({ ...(await selfSigned('127.0.0.1')), allowHTTP1: true }, stream)
  // As a server of HTTP/1.1 alone does by itself.
  server.on('secureConnection', socket => socket.setNoDelay(true))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', () => resolve()))
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const versions = ([false, true] as const).map(allowH2 => ({
    name: allowH2 ? 'HTTP/2' : 'HTTP/1.1',
    agent: new Agent({ allowH2, connect: { rejectUnauthorized: false } }),
    first: [] as number[],
    whole: [] as number[],
  }))
  for (let round = -20; round < rounds; round++) {
    for (const { agent, first, whole } of versions) {
      const times = await once(agent, url)
      // The first ones only open the connections and warm the code.
      if (round < 0) continue
      first.push(times.first)
      whole.push(times.whole)
    }
  }
  await Promise.all(versions.map(({ agent }) => agent.destroy()))
  server.close()
  return versions.flatMap(({ name, first, whole }) => [
    { what: `first byte, ${name}, p50`, value: percentile(first, 0.5), unit: 'ms' },
    { what: `first byte, ${name}, p99`, value: percentile(first, 0.99), unit: 'ms' },
    { what: `whole answer, ${name}, p50`, value: percentile(whole, 0.5), unit: 'ms' },
  ])
}

async function stream(incoming: Http2ServerRequest, outgoing: Http2ServerResponse): Promise<void> {
  for await (const _ of incoming);
  outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
  for (let at = 0; at < frames; at++) {
    outgoing.write(frame)
    // Some frames share a write, as they do on a network.
    if (at % 4 === 0) await new Promise<void>(resolve => setImmediate(resolve))
  }
  outgoing.end()
}

async function once(dispatcher: Agent, url: string): Promise<{ first: number; whole: number }> {
  const begun = performance.now()
  const headers = { 'content-type': 'application/json' }
  const answer = await request(url, { dispatcher, method: 'POST', headers, body })
  let first = 0
  for await (const _ of answer.body) first ||= performance.now() - begun
  return { first, whole: performance.now() - begun }
}
