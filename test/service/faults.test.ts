// What goes wrong when a test says so, seen from the wire.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { chat, chatStream, get, question, serviceWithKey } from './caller.ts'

const on = 'POST /v1/chat'

test('a status with headers and body, for so many calls of one route', async () => {
  const { service, key } = await serviceWithKey()
  await using _ = service
  service.faults.add({
    kind: 'status',
    status: 503,
    headers: { 'retry-after': '7' },
    body: { error: 'busy' },
    on,
    times: 2,
  })
  const statuses = []
  for (let count = 0; count < 3; count += 1) {
    const answer = await chat(service, key, question('Hi'))
    statuses.push(answer.status)
    if (count === 0) assert.equal(answer.headers.get('retry-after'), '7')
    if (count === 0) assert.deepEqual(answer.json, { error: 'busy' })
    assert.equal((await get(`${service.baseUrl}/.well-known/oauth-protected-resource`)).status, 200)
  }
  assert.deepEqual(statuses, [503, 503, 200])
  assert.deepEqual(service.log.calls.find(call => call.status === 503)?.body, question('Hi'), 'the log has the body')
})

test('always, until it is cleared; a text as body; faults after one another', async () => {
  const { service, key } = await serviceWithKey()
  await using _ = service
  service.faults.add({ kind: 'status', status: 500 })
  service.faults.add({ kind: 'status', status: 502, body: 'Bad', times: 'always' })
  const statuses = []
  for (let count = 0; count < 3; count += 1) statuses.push((await chat(service, key, question('Hi'))).status)
  assert.deepEqual(statuses, [500, 502, 502])
  service.faults.clear()
  assert.equal((await chat(service, key, question('Hi'))).status, 200)
})

test('a reset comes before any header', async () => {
  const { service, key } = await serviceWithKey()
  await using _ = service
  service.faults.add({ kind: 'reset', on })
  await assert.rejects(chat(service, key, question('Hi')), (error: Error) => {
    assert.match(String((error.cause as { code?: string }).code), /ECONNRESET|UND_ERR_SOCKET/)
    return true
  })
  assert.equal((await chat(service, key, question('Hi'))).status, 200, 'and the service goes on')
})

test('silence lasts until the caller gives up, which the log tells', async () => {
  const { service, key } = await serviceWithKey()
  await using _ = service
  service.faults.add({ kind: 'silence', on })
  const leave = new AbortController()
  const asking = chatStream(service, key, question('Anyone?'), leave.signal)
  const call = await service.log.until(one => one.body !== undefined)
  leave.abort()
  await assert.rejects(asking)
  await service.log.until(one => one.durationMs !== undefined)
  assert.equal(call.isAborted, true)
  assert.equal(call.status, undefined)
})

test('a page in place of an answer', async () => {
  const { service, key } = await serviceWithKey()
  await using _ = service
  service.faults.add({ kind: 'html', on })
  const answer = await chatStream(service, key, question('Hi'))
  assert.equal(answer.status, 200)
  assert.match(answer.headers.get('content-type') ?? '', /^text\/html/)
  assert.match(await answer.text(), /<title>/)
})

test('late, but right', async () => {
  const { service, key } = await serviceWithKey()
  await using _ = service
  service.faults.add({ kind: 'delay', ms: 60, on })
  const began = performance.now()
  assert.equal((await chat(service, key, question('Hi'))).status, 200)
  assert.ok(performance.now() - began >= 55)
})

test('cut after so many bytes, in a stream and in a document', async t => {
  const { service, key } = await serviceWithKey()
  await using _ = service
  for (const afterBytes of [0, 1, 300])
    await t.test(`${afterBytes} bytes`, async () => {
      service.faults.add({ kind: 'cut', afterBytes, on })
      const stream = await chatStream(service, key, question('Hi'))
      assert.equal(stream.status, 200)
      const { bytes, error } = await readAll(stream)
      assert.equal(bytes, afterBytes)
      assert.match(String(error), /terminated/)
    })
  service.faults.add({ kind: 'cut', afterBytes: 10, on: 'GET /.well-known' })
  const document = await fetch(`${service.baseUrl}/.well-known/oauth-protected-resource`)
  const { bytes, error } = await readAll(document)
  assert.equal(bytes, 10)
  assert.match(String(error), /terminated/)
  assert.equal(service.slots.open, 0)
})

test('a stall: headers and so many bytes, then nothing, and the slot stays taken until the reader leaves', async t => {
  const { service, key } = await serviceWithKey()
  await using _ = service
  for (const afterBytes of [0, 20])
    await t.test(`${afterBytes} bytes`, async () => {
      service.log.clear()
      service.faults.add({ kind: 'stall', afterBytes, on })
      const leave = new AbortController()
      const stream = await chatStream(service, key, question('Hi'), leave.signal)
      assert.equal(stream.status, 200)
      const reader = (stream.body ?? assert.fail()).getReader()
      if (afterBytes > 0) assert.equal((await reader.read()).value?.length, afterBytes)
      let hasMore = false
      const next = reader.read().finally(() => {
        hasMore = true
      })
      // A call that is answered in full between shows that the stalled one really has nothing to say.
      await get(`${service.baseUrl}/.well-known/oauth-protected-resource`)
      assert.equal(hasMore, false)
      assert.equal(service.slots.open, 1)
      leave.abort()
      await assert.rejects(next)
      await service.log.until(call => call.isAborted)
      assert.equal(service.slots.open, 0)
    })
})

test('one byte at a time, and nothing lost', async () => {
  const { service, key } = await serviceWithKey()
  await using _ = service
  service.replies.add({ text: 'Grüße 🎈' }, { text: 'Grüße 🎈' })
  const whole = await (await chatStream(service, key, question('Hi'))).text()
  service.faults.add({ kind: 'drip', on })
  const { port } = new URL(service.baseUrl)
  const body = JSON.stringify({ stream: true, ...question('Hi') })
  const head = [
    'POST /v1/chat/completions HTTP/1.1',
    `host: 127.0.0.1:${port}`,
    `authorization: Bearer ${key}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
    'connection: close',
  ]
  let received = ''
  const socket = connect(Number(port), '127.0.0.1')
  socket.setEncoding('latin1').write(`${head.join('\r\n')}\r\n\r\n${body}`)
  for await (const part of socket) received += part
  const chunks = received
    .slice(received.indexOf('\r\n\r\n') + 4)
    .split('\r\n')
    .filter((_, index) => index % 2 === 0)
  assert.deepEqual([...new Set(chunks)].sort(), ['', '0', '1'], 'every chunk has the size 1, the last 0')
  const bytes = Buffer.from(
    /\r\n\r\n([\s\S]*)/.exec(received)?.[1]?.replace(/1\r\n([\s\S])\r\n/g, '$1') ?? '',
    'latin1',
  )
  const withoutIds = (text: string) => text.replace(/"id":"[^"]*"|"created":\d+/g, '')
  assert.equal(withoutIds(bytes.toString('utf8').replace(/0\r\n\r\n$/, '')), withoutIds(whole))
})

async function readAll(answer: Response): Promise<{ bytes: number; error: unknown }> {
  let bytes = 0
  try {
    for await (const chunk of answer.body ?? []) bytes += chunk.length
    return { bytes, error: undefined }
  } catch (error) {
    return { bytes, error }
  }
}
