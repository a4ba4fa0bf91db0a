// Interim responses that were not asked for (RFC 9110 15.2), from a server that speaks in bytes.
import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { readText } from '../../../src/core/http/body.ts'
import { ConnectProxy } from '../../support/connectProxy.ts'
import { bytePeer, direct, never, Wire } from '../../support/wire.ts'

const LAST = 'HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\ndone'
/** An answer whose text looks like an interim response. */
const LIKE = 'HTTP/1.1 100 Continue\r\n\r\n'

const answers: Readonly<Record<string, readonly string[]>> = {
  'one before the answer': ['HTTP/1.1 100 Continue\r\n\r\n', LAST],
  'with headers of its own': ['HTTP/1.1 100 Continue\r\nx-a: b\r\ndate: Thu, 01 Jan 2026 00:00:00 GMT\r\n\r\n', LAST],
  'several, of several kinds': [`${LIKE}HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${LIKE}`, LAST],
  'in one piece with the answer': [`${LIKE}${LAST}`],
  'cut in the middle': ['HTTP/1.1 10', '0 Continue\r\n', '\r', `\n${LAST.slice(0, 9)}`, LAST.slice(9)],
  'and a body that looks like one': [LIKE, `HTTP/1.1 200 OK\r\ncontent-length: ${LIKE.length}\r\n\r\n`, LIKE],
}

/** Answers each request with these pieces, a turn of the event loop apart. */
function answering(chunks: readonly string[]) {
  const open: Socket[] = []
  const server = bytePeer(socket => {
    open.push(socket)
    socket.setNoDelay(true)
    socket.on('data', async () => {
      for (const chunk of chunks) {
        socket.write(chunk)
        await new Promise(resolve => setTimeout(resolve, 1))
      }
    })
  })
  return { open, server }
}

for (const [name, chunks] of Object.entries(answers)) {
  test(`100 Continue, ${name}: read over many requests on kept connections`, async () => {
    const { open, server } = answering(chunks)
    await using between = await server
    using wire = new Wire()
    const wanted = chunks.at(-1) === LIKE ? LIKE : 'done'
    for (let times = 0; times < 20; times++) {
      const request = { method: 'POST', url: `${between.origin}/x`, body: '{}', signal: never } as const
      const answer = await wire.send(request)
      assert.deepEqual([answer.status, await readText(answer, 1_000)], [200, wanted])
    }
    assert.ok(open.length < 5, 'connections are kept')
  })
}

test('and through a proxy', async () => {
  const { server } = answering([LIKE, LAST])
  await using between = await server
  await using proxy = await ConnectProxy.start({ to: between.port })
  using wire = new Wire({ ...direct, proxy: proxy.origin })
  for (let times = 0; times < 3; times++) {
    const answer = await wire.send({ method: 'GET', url: 'http://service.test/', signal: never })
    assert.equal(await readText(answer, 100), 'done')
  }
  assert.ok(proxy.tunnels.length < 3)
})
