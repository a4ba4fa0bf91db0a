// What goes wrong when a test orders it, seen from the wire, over http and over https.
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { brotliDecompressSync, createGunzip, gunzipSync, inflateSync } from 'node:zlib'
import { type ErrorShape, errorShapes } from '../localService/errorEvents.ts'
import { type Fault, readFault, type Trouble } from '../localService/faults.ts'
import { type Service, startService } from '../localService/server.ts'
import { chat, email, get, type Json, postJson, question, serviceWithKey } from './caller.ts'
import { RawCaller } from './rawCaller.ts'

const on = 'POST /v1/chat'
const metadata = '/.well-known/oauth-protected-resource'

suite('aiming', () => {
  test('[fault.by-route] a fault meets only its route, and so many calls of it', async () => {
    const { service, key } = await serviceWithKey()
    await using _ = service
    service.faults.add({ kind: 'status', status: 503, on, times: 2 })
    const statuses = []
    for (let count = 0; count < 3; count += 1) {
      statuses.push((await chat(service, key, question('Hi'))).status)
      assert.equal((await get(service.baseUrl + metadata)).status, 200)
    }
    assert.deepEqual(statuses, [503, 503, 200])
    assert.deepEqual(service.log.calls.find(call => call.status === 503)?.body, question('Hi'), 'the log has the body')
  })

  test('[fault.by-route] the number of the call, counted from now', async () => {
    await using service = await startService()
    const status = async () => (await get(service.baseUrl + metadata)).status
    service.faults.add({ kind: 'status', status: 500, at: 2 }, { kind: 'status', status: 502, at: 4, times: 2 })
    assert.deepEqual([await status(), await status(), await status()], [200, 500, 200])
    assert.deepEqual([await status(), await status(), await status()], [502, 502, 200])
    service.faults.add({ kind: 'status', status: 500, at: 2, on: '/nowhere' })
    await status()
    assert.equal((await get(`${service.baseUrl}/nowhere`)).status, 404, 'other routes are not counted')
    assert.equal((await get(`${service.baseUrl}/nowhere`)).status, 500)
  })

  test('[fault.by-route] a path that ends in a dollar sign is the whole path', async () => {
    await using service = await startService()
    service.faults.add({ kind: 'status', status: 500, on: 'POST /agent/identity$' })
    assert.equal((await postJson(`${service.baseUrl}/agent/identity/claim`, {})).status, 400)
    assert.equal((await postJson(`${service.baseUrl}/agent/identity`, {})).status, 500)
  })

  test('[fault.by-route] one after the other, and always until it is cleared', async () => {
    const { service, key } = await serviceWithKey()
    await using _ = service
    service.faults.add({ kind: 'status', status: 500 }, { kind: 'status', status: 502, times: 'always' })
    const statuses = []
    for (let count = 0; count < 3; count += 1) statuses.push((await chat(service, key, question('Hi'))).status)
    assert.deepEqual(statuses, [500, 502, 502])
    service.faults.clear()
    assert.equal((await chat(service, key, question('Hi'))).status, 200)
  })
})

for (const https of [false, true]) {
  suite(https ? 'over https' : 'over http', () => {
    let service: Service
    let key: string
    before(async () => {
      service = await startService({ plan: 'omega', https })
      key = service.state.issueKey(email, 'Test')
    })
    after(() => service.close())

    const answered = 'Grüße 🎈 to all of you.'
    /** Asks with a fault, or without one; who asks for a stream gets the same text every time. */
    function ask(fault?: Fault, body: object = { ...question('Hi'), stream: true }) {
      service.faults.clear()
      service.replies.clear()
      service.replies.add({ text: answered })
      if (fault) service.faults.add(fault)
      return new RawCaller(service).ask('POST', '/v1/chat/completions', { key, body })
    }
    const isWhole = ({ isDone }: RawCaller) => isDone
    const whole = async (fault?: Fault, body?: object) => {
      using caller = ask(fault, body)
      await caller.until(isWhole)
      return caller
    }
    /** The events as they are on the wire, but for what no two answers have in common. */
    const events = (text: string) => text.split('\n\n').map(event => event.replace(/"id":"[^"]*"|"created":\d+/g, ''))
    /** When every call is over, so that what the log reports next is new. */
    const quiet = async () => {
      const areOver = () => service.log.calls.every(({ durationMs }) => durationMs !== undefined)
      if (!areOver()) await service.log.until(areOver)
      service.log.clear()
    }
    const rightEvents = async () => events((await whole()).body.toString())

    test('[fault.status] a status with headers and a body: JSON, text, bytes, none', async () => {
      const json = await whole({
        kind: 'status',
        status: 429,
        headers: { 'retry-after': '7' },
        body: { error: 'busy' },
      })
      assert.match(
        json.received,
        /^HTTP\/1\.1 429 Too Many Requests\r\n[\s\S]*\r\nretry-after: 7\r\n[\s\S]*\{"error":"busy"\}/,
      )
      const plain = await whole({ kind: 'status', status: 502, body: 'Bad' })
      assert.match(plain.received, /^HTTP\/1\.1 502 [\s\S]*\r\n\r\n(3\r\n)?Bad/)
      const bytes = await whole({ kind: 'status', status: 200, base64: Buffer.from([0xff, 0]).toString('base64') })
      assert.deepEqual([...bytes.body.subarray(0, 2)], [0xff, 0])
      using empty = ask({ kind: 'status', status: 204 })
      await empty.until(({ received }) => received.endsWith('\r\n\r\n'))
      assert.match(empty.received, /^HTTP\/1\.1 204 No Content\r\n/)
    })

    test('[fault.redirect] to another origin, by every status', async () => {
      for (const status of [301, 302, 303, 307, 308] as const) {
        using caller = ask({ kind: 'redirect', status, to: 'https://elsewhere.test/steal' })
        await caller.until(({ received }) => received.includes('\r\n\r\n'))
        assert.match(
          caller.received,
          new RegExp(`^HTTP/1\\.1 ${status} [\\s\\S]*\\r\\nlocation: https://elsewhere\\.test/steal\\r\\n`),
        )
      }
    })

    test('[fault.reset] before a header, and when the connection is accepted', async () => {
      using late = await ask({ kind: 'reset', on }).whenEnded()
      assert.deepEqual([late.received, late.end], ['', 'reset'])
      const calls = service.log.calls.length
      using early = await ask({ kind: 'reset', when: 'accepted' }).whenEnded()
      assert.deepEqual([early.received, early.end], ['', 'reset'])
      assert.equal(service.log.calls.length, calls, 'there was no call')
    })

    test('[fault.reset-at-byte] so many bytes of the body arrive, then a reset; in a stream and in a document', async () => {
      for (const afterBytes of [0, 1, 300]) {
        using stream = await ask({ kind: 'reset', afterBytes, on }).whenEnded()
        assert.match(stream.received, /^HTTP\/1\.1 200 OK\r\n/)
        assert.deepEqual([stream.body.length, stream.end], [afterBytes, 'reset'])
      }
      service.faults.add({ kind: 'reset', afterBytes: 10, on: metadata })
      using document = await new RawCaller(service).ask('GET', metadata).whenEnded()
      assert.deepEqual([document.body.length, document.end], [10, 'reset'])
    })

    test('[fault.cut] so many bytes, then the end of the connection without the end of the body', async () => {
      for (const afterBytes of [0, 1, 300]) {
        using caller = await ask({ kind: 'cut', afterBytes, on }).whenEnded()
        assert.deepEqual([caller.body.length, caller.end], [afterBytes, 'closed'])
        assert.doesNotMatch(caller.received, /\r\n0\r\n\r\n$/)
      }
      await quiet()
      assert.equal(service.slots.open, 0)
    })

    test('[fault.cut] so many bytes, and a good end of the body; a shorter body is not touched', async () => {
      const cut = await whole({ kind: 'truncate', afterBytes: 40, on })
      assert.deepEqual([cut.body.length, cut.end], [40, undefined])
      const more = await whole({ kind: 'truncate', afterBytes: 100_000, on })
      assert.deepEqual(events(more.body.toString()), await rightEvents())
      assert.equal((await whole({ kind: 'cut', afterBytes: 100_000, on })).end, undefined)
    })

    test('[fault.silence] before the headers, until the caller leaves', async () => {
      await quiet()
      using caller = ask({ kind: 'silence', on })
      const call = await service.log.until(({ body }) => body !== undefined)
      await get1(service)
      assert.deepEqual([caller.received, caller.end, call.status], ['', undefined, undefined])
      caller.socket.end()
      await service.log.until(({ path, durationMs }) => path === call.path && durationMs !== undefined)
      assert.equal(call.isAborted, true)
    })

    test('[fault.silence] when the connection is accepted: nothing is read, TLS does not begin', async () => {
      await quiet()
      using caller = ask({ kind: 'silence', when: 'accepted' })
      await get1(service)
      assert.deepEqual([caller.received, caller.end, service.log.calls.length], ['', undefined, 1])
    })

    test('[fault.silence] after the headers and after so many bytes; the slot stays taken until the caller leaves', async () => {
      for (const afterBytes of [undefined, 0, 20]) {
        await quiet()
        using caller = ask(afterBytes === undefined ? { kind: 'stall', on } : { kind: 'stall', afterBytes, on })
        await caller.until(({ received, body }) => received.includes('\r\n\r\n') && body.length >= (afterBytes ?? 0))
        // A call that is answered in full between shows that the stalled one really sends nothing.
        await get1(service)
        assert.deepEqual([caller.body.length, caller.end, service.slots.open], [afterBytes ?? 0, undefined, 1])
        caller.socket.end()
        await service.log.until(({ isAborted }) => isAborted)
        assert.equal(service.slots.open, 0)
      }
    })

    test('[fault.half-open] [fault.silence] half-open: not even the end of the caller is answered', async () => {
      for (const afterBytes of [undefined, 20]) {
        await quiet()
        using caller = ask(afterBytes === undefined ? { kind: 'half-open', on } : { kind: 'half-open', afterBytes, on })
        await service.log.until(({ body }) => body !== undefined)
        await caller.until(({ body }) => body.length >= (afterBytes ?? 0))
        await get1(service)
        caller.socket.end()
        await get1(service)
        await get1(service)
        assert.deepEqual(
          [caller.body.length, caller.end, service.slots.open],
          [afterBytes ?? 0, undefined, afterBytes ? 1 : 0],
        )
        // This call never ends for the service.
        service.log.clear()
      }
    })

    test('[fault.delay] late, but right, by the clock of the service', async () => {
      await quiet()
      using caller = ask({ kind: 'delay', ms: 3_600_000, on })
      await service.log.until(({ body }) => body !== undefined)
      await get1(service)
      assert.equal(caller.received, '')
      service.clock.advance(3_600_000)
      await caller.until(isWhole)
      assert.match(caller.received, /^HTTP\/1\.1 200 OK\r\n/)
    })

    test('slow headers, a byte for each second of the service', async () => {
      using caller = ask({ kind: 'slow-headers', everyMs: 1_000, on })
      for (const byte of 'HTTP/1.1 200 OK\r\n') {
        const { length } = caller.received
        service.clock.advance(1_000)
        await caller.until(({ received }) => received.length > length)
        assert.equal(caller.received.slice(length, length + 1), byte)
      }
      service.clock.advance(600_000)
      await caller.whenEnded()
      assert.match(caller.received, /\r\ncontent-type: text\/event-stream[\s\S]*\r\n\r\ndata: \{/)
      assert.match(caller.received, /data: \[DONE\]\n\n$/)
    })

    test('[fault.drip] one byte at a time, and nothing lost', async () => {
      const right = await rightEvents()
      const caller = await whole({ kind: 'drip', on })
      assert.deepEqual(new Set(caller.chunks.slice(0, -1).map(({ length }) => length)), new Set([1]))
      assert.deepEqual(events(caller.body.toString()), right)
      const bigger = await whole({ kind: 'drip', bytes: 7, on })
      assert.equal(Math.max(...bigger.chunks.map(({ length }) => length)), 7)
      assert.deepEqual(events(bigger.body.toString()), right)
    })

    test('[fault.drip] at the pace of the clock', async () => {
      using caller = ask({ kind: 'drip', everyMs: 1_000, on })
      await caller.until(({ received }) => received.includes('\r\n\r\n'))
      for (const length of [1, 2, 3]) {
        service.clock.advance(1_000)
        await caller.until(({ body }) => body.length === length)
      }
      assert.equal(caller.body.toString(), 'dat')
    })

    test('[fault.content-type] the right answer under a wrong name, or under none', async () => {
      const right = await rightEvents()
      const wrong = await whole({ kind: 'content-type', type: 'text/plain', on })
      assert.match(wrong.received, /\r\ncontent-type: text\/plain\r\n/)
      assert.deepEqual(events(wrong.body.toString()), right)
      const none = await whole({ kind: 'content-type', type: null, on })
      assert.doesNotMatch(none.received, /\r\ncontent-type:/)
    })

    test('[fault.other-form] [fault.content-type] a whole answer in place of a stream, and a stream in place of a whole answer', async () => {
      using instead = ask({ kind: 'whole', on })
      await instead.until(({ body }) => body.length > 0)
      assert.match(instead.received, /\r\ncontent-type: application\/json/)
      assert.equal((JSON.parse(instead.body.toString()) as Json).choices[0].message.content, answered)
      const stream = await whole({ kind: 'stream', on }, question('Hi'))
      assert.match(stream.received, /\r\ncontent-type: text\/event-stream/)
      assert.deepEqual(events(stream.body.toString()), await rightEvents())
    })

    test('[fault.html] a page: with 200 of a network that wants a sign-in, with 502 of a gateway', async () => {
      for (const status of [undefined, 502]) {
        const caller = await whole({ kind: 'html', on, ...(status && { status }) })
        assert.match(caller.received, new RegExp(`^HTTP/1\\.1 ${status ?? 200} [\\s\\S]*\\r\\ncontent-type: text/html`))
        assert.match(caller.body.toString(), /^<!doctype html><title>/)
      }
    })

    test('[fault.raw] bytes in place of a whole answer, and nothing else', async () => {
      for (const bytes of [
        'SSH-2.0-OpenSSH_9\r\n',
        'HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello',
        '',
      ]) {
        using caller = await ask({ kind: 'raw', base64: Buffer.from(bytes).toString('base64'), on }).whenEnded()
        assert.deepEqual([caller.received, caller.end], [bytes, 'closed'])
      }
    })

    test('[fault.gzip] packed by each encoding, piece by piece', async () => {
      const right = await rightEvents()
      const unpack = { gzip: gunzipSync, deflate: inflateSync, br: brotliDecompressSync }
      for (const encoding of ['gzip', 'deflate', 'br'] as const) {
        const caller = await whole({ kind: 'packed', encoding, on })
        assert.match(caller.received, new RegExp(`\\r\\ncontent-encoding: ${encoding}\\r\\n`))
        assert.deepEqual(events(unpack[encoding](caller.body).toString()), right)
        assert.ok(caller.chunks.length > 3, 'it is still a stream')
      }
    })

    test('[fault.gzip] cut, many times over, and announced more often than done', async () => {
      const cut = await whole({ kind: 'packed', on, also: [{ kind: 'truncate', afterBytes: 60 }] })
      assert.equal(cut.body.length, 60)
      assert.throws(() => gunzipSync(cut.body), { code: 'Z_BUF_ERROR' })
      const layers = await whole({ kind: 'packed', layers: 3, on })
      assert.match(layers.received, /\r\ncontent-encoding: gzip, gzip, gzip\r\n/)
      const unpacked = gunzipSync(gunzipSync(gunzipSync(layers.body)))
      assert.deepEqual(events(unpacked.toString()), await rightEvents())
      const many = await whole({ kind: 'packed', layers: 1, announced: 1000, on })
      assert.equal(/content-encoding: (.*)\r\n/.exec(many.received)?.[1]?.split(', ').length, 1000)
      const none = await whole({ kind: 'packed', layers: 0, announced: 1, on })
      assert.deepEqual(events(none.body.toString()), await rightEvents(), 'a header that lies')
    })

    test('[fault.gzip] a bomb: little on the wire, much when it is unpacked', async () => {
      const size = 8 * 1024 * 1024
      const caller = await whole({ kind: 'gzip-bomb', bytes: size, type: 'text/event-stream', on })
      assert.match(caller.received, /\r\ncontent-type: text\/event-stream\r\n/)
      assert.ok(caller.body.length < size / 500)
      let unpacked = 0
      for await (const chunk of createGunzip().end(caller.body)) unpacked += (chunk as Buffer).length
      assert.equal(unpacked, size)
    })

    test("[fault.comments] in Bifrost's form before every event, and in any other", async () => {
      const right = await rightEvents()
      const caller = await whole({ kind: 'comments', on })
      assert.deepEqual(
        events(caller.body.toString()),
        right.map(event => (event === '' ? '' : `: keep-alive\n${event}`)),
      )
      const other = await whole({ kind: 'comments', text: ': OPENROUTER PROCESSING\n\n', on })
      assert.equal(
        events(other.body.toString()).filter(event => event === ': OPENROUTER PROCESSING').length,
        right.length - 1,
      )
    })

    test('[fault.comments] ten minutes of nothing else, by the clock', async () => {
      using caller = ask({ kind: 'comments', everyMs: 15_000, on })
      service.replies.clear()
      const gate = service.replies.hold(0)
      await gate.reached
      await caller.until(({ body }) => body.length > 0)
      const began = caller.body.toString()
      for (let minute = 0.25; minute <= 10; minute += 0.25) service.clock.advance(15_000)
      await caller.until(({ body }) => body.toString().length >= began.length + 40 * ': keep-alive\n'.length)
      assert.equal(caller.body.toString().slice(began.length), ': keep-alive\n'.repeat(40))
      gate.release()
      await caller.until(isWhole)
      assert.match(caller.body.toString(), /\ndata: \[DONE\]\n\n$/)
    })

    test('[fault.framing] other line ends, a byte order mark, no space, no last blank line', async () => {
      const right = (await whole()).body.toString()
      const alike = (text: string) => events(text).join('\n\n')
      for (const lineEnd of ['\r\n', '\r'] as const) {
        const text = (await whole({ kind: 'framing', lineEnd, on })).body.toString()
        assert.equal(alike(text.replaceAll(lineEnd, '\n')), alike(right))
        assert.doesNotMatch(text.replaceAll(lineEnd, ''), /\n/)
      }
      const marked = await whole({ kind: 'framing', byteOrderMark: true, tight: true, on })
      assert.deepEqual([...marked.body.subarray(0, 9)], [0xef, 0xbb, 0xbf, ...Buffer.from('data:{')])
      const open = await whole({ kind: 'framing', unterminated: true, on })
      assert.match(open.body.toString(), /\n\ndata: \[DONE\]$/)
      const all: Fault = { kind: 'framing', lineEnd: '\r\n', on, also: [{ kind: 'drip' }] }
      assert.equal(alike((await whole(all)).body.toString().replaceAll('\r\n', '\n')), alike(right))
    })

    test('[fault.order] events in any order, twice, left out, and strange ones among them', async () => {
      const [first, second, ...rest] = await rightEvents()
      const order = async (trouble: Trouble) => events((await whole({ ...trouble, on })).body.toString())
      assert.deepEqual(await order({ kind: 'events', order: [1, 0, 'data: odd\n\n', -1, 1] }), [
        second,
        first,
        'data: odd',
        'data: [DONE]',
        second,
        '',
      ])
      assert.deepEqual(await order({ kind: 'repeat', events: [1] }), [first, second, second, ...rest])
      assert.deepEqual(
        await order({ kind: 'drop', events: [0, '[DONE]', '"finish_reason":"stop"'] }),
        [second, ...rest].filter(event => !/DONE|"stop"/.test(event ?? '')),
      )
      assert.deepEqual(await order({ kind: 'insert', before: 1, text: 'event: ping\n\n' }), [
        first,
        'event: ping',
        second,
        ...rest,
      ])
      assert.deepEqual((await order({ kind: 'insert', before: 99, text: 'data: late\n\n' })).slice(-2), [
        'data: late',
        '',
      ])
    })

    test('[fault.error-event] [fault.order] a failure in the middle of a stream, in every shape', async () => {
      const [first, second] = await rightEvents()
      for (const shape of errorShapes) {
        const caller = await whole({ kind: 'error-event', shape, after: 2, message: 'Gone', on })
        const [one, two, ...rest] = events(caller.body.toString())
        assert.deepEqual([one, two], [first, second])
        assert.match(rest.join('\n\n'), shapes[shape])
        assert.doesNotMatch(caller.body.toString(), /DONE/)
      }
    })

    test('[fault.flood] [fault.order] the same piece over and over, until the caller has enough', async () => {
      const counted = await whole({ kind: 'flood', chunk: 'x', count: 1000, after: 1, on })
      assert.match(counted.body.toString(), /\n\nx{1000}$/)
      await quiet()
      using endless = ask({ kind: 'flood', chunk: 'data: {"choices":[{"delta":{}}]}\n\n', on })
      await endless.until(({ received }) => received.length > 20_000)
      endless.socket.destroy()
      assert.equal((await service.log.until(({ durationMs }) => durationMs !== undefined)).isAborted, true)
    })

    test('[fault.stale-socket] a kept connection is gone at the next request, and only that one', async () => {
      for (const by of ['reset', 'close'] as const) {
        service.faults.add({ kind: 'stale', by, on: metadata })
        using caller = new RawCaller(service).ask('GET', metadata)
        await caller.until(({ received }) => received.endsWith('}'))
        const { length } = caller.received
        caller.ask('GET', metadata)
        await caller.whenEnded()
        assert.deepEqual([caller.received.length, caller.end], [length, by === 'reset' ? 'reset' : 'closed'])
        await get1(service)
      }
    })
  })
}

/** A call that is answered in full. */
async function get1(service: Service): Promise<void> {
  using caller = new RawCaller(service).ask('GET', '/.well-known/oauth-authorization-server')
  await caller.until(({ received }) => received.endsWith('}'))
}

const shapes: Readonly<Record<ErrorShape, RegExp>> = {
  openai: /^data: \{"error":\{"message":"Gone",/,
  text: /^data: \{"error":"Gone"\}/,
  bifrost: /^data: \{"is_bifrost_error":.*"status_code":502,"error":\{"message":"Gone"/,
  'bifrost-wrapped': /^data: \{"error":\{"is_bifrost_error":.*"error":\{"message":"Gone"/,
  'named-event': /^event: error\ndata: \{"error":\{"message":"Gone"/,
  'bare-json': /^\{"code":502,"error":\{"message":"Gone"/,
  'error-field': /^error: \{"detail":"Gone"\}/,
  messages: /^event: error\ndata: \{"type":"error","error":\{"type":"overloaded_error","message":"Gone"/,
  responses: /^event: error\ndata: \{"type":"error",.*"message":"Gone"/,
  'responses-nested': /^event: error\ndata: \{"type":"error","error":\{.*"message":"Gone"/,
  'responses-failed': /^event: response\.failed\ndata: .*"error":\{.*"message":"Gone"/,
  'responses-twice': /^event: response\.failed\n.*\n\nevent: error\n/,
}

suite('[fault.by-route] every fault on every route', () => {
  const troubles: readonly Trouble[] = [
    { kind: 'status', status: 418 },
    { kind: 'html' },
    { kind: 'raw', base64: 'aGk=' },
    { kind: 'reset' },
    { kind: 'reset', afterBytes: 0 },
    { kind: 'cut', afterBytes: 0 },
    { kind: 'framing', byteOrderMark: true },
  ]
  const routes: readonly [string, string][] = [
    ['GET', metadata],
    ['GET', '/.well-known/oauth-authorization-server'],
    ['POST', '/agent/identity'],
    ['POST', '/agent/identity/claim'],
    ['GET', '/claim'],
    ['POST', '/oauth2/token'],
    ['POST', '/oauth2/revoke'],
    ['GET', '/dashboard'],
    ['GET', '/v1/models'],
    ['POST', '/v1/chat/completions'],
    ['POST', '/v1/responses'],
    ['POST', '/anthropic/v1/messages'],
  ]
  for (const trouble of troubles) {
    test(JSON.stringify(trouble), async () => {
      const { service, key } = await serviceWithKey()
      await using _ = service
      const seen = async (method: string, path: string) => {
        using caller = new RawCaller(service)
        const body = { ...question('Hi'), max_tokens: 9, input: 'Hi' }
        caller
          .ask(method, path, { key, ...(method === 'POST' && { body }) })
          .socket.write(
            `GET ${metadata} HTTP/1.1\r\nhost: ${new URL(service.baseUrl).host}\r\nconnection: close\r\n\r\n`,
          )
        await caller.whenEnded()
        return `${caller.end} ${caller.received.replace(/"(id|created|created_at)":[^,]*|(date|set-cookie|location|x-request-id|request-id): .*|"[a-z]+_[\w-]{9,}"|csrf" value="[^"]*/gi, '')}`
      }
      for (const [method, path] of routes) {
        const right = await seen(method, path)
        service.faults.add({ ...trouble, ...(!('when' in trouble) && { on: `${method} ${path}$` }) })
        assert.notEqual(await seen(method, path), right, `${method} ${path} went wrong`)
        assert.equal(await seen(method, path), right, `${method} ${path} is right again`)
      }
    })
  }
})

test('[fault.sentence] a fault that came as JSON is read, or one sentence says what is wrong with it', async t => {
  const wrong: [unknown, RegExp][] = [
    [[], /^A fault is an object\.$/],
    [{}, /^A fault's kind is one of status, redirect, html, raw, /],
    [{ kind: 'earthquake' }, /^A fault's kind is one of /],
    [{ kind: 'status' }, /^`status` must be a status from 200 to 599\.$/],
    [{ kind: 'status', status: 99 }, /^`status` must be a status from 200 to 599\.$/],
    [{ kind: 'status', status: 200, base64: '%' }, /^`base64` must be bytes in base64\.$/],
    [{ kind: 'redirect', status: 304, to: '/' }, /^`status` must be one of 301, 302, 303, 307, 308\.$/],
    [{ kind: 'cut' }, /^`afterBytes` must be a number of bytes\.$/],
    [{ kind: 'cut', afterBytes: -1 }, /^`afterBytes` must be a number of bytes\.$/],
    [{ kind: 'cut', afterByte: 1, afterBytes: 1 }, /^A fault of the kind 'cut' has no field 'afterByte'\.$/],
    [{ kind: 'drip', bytes: 0 }, /^`bytes` must be a number of bytes from 1\.$/],
    [{ kind: 'error-event', shape: 'x' }, /^`shape` must be one of openai, text, bifrost, /],
    [{ kind: 'reset', at: 0 }, /^`at` must be a number from 1\.$/],
    [{ kind: 'reset', times: 'often' }, /^`times` must be a number from 1, or "always"\.$/],
    [{ kind: 'reset', on: 7 }, /^`on` must be a text\.$/],
    [{ kind: 'reset', also: {} }, /^`also` must be a list of faults\.$/],
    [{ kind: 'packed', also: [{ kind: 'cut' }] }, /^`afterBytes` must be a number of bytes\.$/],
    [{ kind: 'reset', when: 'accepted', on: '/v1' }, /^When a connection is accepted nobody knows its route yet/],
    [{ kind: 'events', order: [{}] }, /^`order` must be a list of places and of texts to send\.$/],
  ]
  for (const [value, sentence] of wrong)
    await t.test(JSON.stringify(value), () => assert.match(String(readFault(value)), sentence))
  const fault: Fault = { kind: 'packed', on, at: 2, times: 'always', also: [{ kind: 'cut', afterBytes: 9 }] }
  assert.deepEqual(readFault(structuredClone(fault)), fault)
})
