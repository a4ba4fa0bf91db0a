// An OpenAI-compatible server that answers with bytes that a test has written, and keeps what it was asked.
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { Json } from './caller.ts'

export interface ComposedUpstream extends AsyncDisposable {
  /** As `--upstream` takes it. */
  readonly url: string
  /** The bodies that came. */
  readonly asked: Json[]
  /** What the next requests get; without an entry nothing is answered. */
  readonly answers: ((outgoing: ServerResponse) => void)[]
}

export async function composedUpstream(): Promise<ComposedUpstream> {
  const asked: Json[] = []
  const answers: ComposedUpstream['answers'] = []
  const server = createServer(async (incoming, outgoing) => {
    asked.push(await json(incoming))
    answers.shift()?.(outgoing)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  }
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/v1`, asked, answers, [Symbol.asyncDispose]: close }
}

/** An event stream of these bytes, which then ends well. */
export const streaming =
  (...chunks: readonly string[]) =>
  (outgoing: ServerResponse): void => {
    outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const text of chunks) outgoing.write(text)
    outgoing.end()
  }

/** One chunk of a chat completion as an event. */
export const chunk = (delta: object, more: object = {}): string =>
  `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta, finish_reason: null, ...more }] })}\n\n`

export const finish = (reason: string): string => chunk({}, { finish_reason: reason })

export const done = 'data: [DONE]\n\n'
