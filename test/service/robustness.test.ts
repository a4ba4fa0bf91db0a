// Bad input gets the right status and shape, secrets stay out of the log, and the service goes on.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { suite, test } from 'node:test'
import { type Service, startService } from '../localService/server.ts'
import { Browser } from './browser.ts'
import {
  bearer,
  chat,
  email,
  get,
  type Json,
  poll,
  postForm,
  postJson,
  question,
  register,
  serviceWithKey,
} from './caller.ts'
import { RawCaller } from './rawCaller.ts'

const metadata = '/.well-known/oauth-protected-resource'
const hostOf = (service: Service) => new URL(service.controlUrl).host

/** The service is as it was: it answers, and nothing is held. */
async function goesOn(service: Service): Promise<void> {
  await goesOnBeside(service)
  assert.equal(service.slots.open, 0)
}

/** It answers others. */
async function goesOnBeside(service: Service): Promise<void> {
  using caller = new RawCaller(service).ask('GET', metadata)
  await caller.until(({ isDone }) => isDone)
  assert.match(caller.received, /^HTTP\/1\.1 200 OK\r\n/)
}

/** What a caller that sends these bytes receives, once all is sent. */
async function answerTo(
  service: Service,
  words: string,
  isEnough = ({ isDone }: RawCaller) => isDone,
): Promise<RawAnswer> {
  using caller = new RawCaller(service).write(words)
  await caller.until(isEnough)
  const { received, end } = caller
  assert.doesNotMatch(received, /\bat .*\.[jt]s\b|node:/)
  const text = caller.body.toString()
  const json = text.startsWith('{') ? JSON.parse(text) : undefined
  return { status: Number(/^HTTP\/1\.1 (\d+) /.exec(received)?.[1]), json, received, end }
}

interface RawAnswer {
  readonly status: number
  readonly json: Json
  readonly received: string
  readonly end: string | undefined
}

suite('bodies', () => {
  const api = ['/v1/chat/completions', '/v1/responses', '/anthropic/v1/messages']

  test('[inference.bad-body] broken JSON, other types and no text at all, in the form of each surface', async () => {
    const { service, key } = await serviceWithKey()
    await using _ = service
    const json = 'application/json'
    const cases: [body: string | Uint8Array | null, type: string | undefined, status: number][] = [
      ['{"model":', json, 400],
      ['', json, 400],
      ['null', json, 400],
      ['[]', json, 400],
      [Buffer.from([0x22, 0xff, 0x22]), json, 400],
      [JSON.stringify(question('Hi')), 'text/plain', 415],
      ['model=x', 'application/x-www-form-urlencoded', 415],
      [null, undefined, 415],
    ]
    for (const path of api) {
      for (const [body, type, status] of cases) {
        const headers = { ...bearer(key), ...(type === undefined ? {} : { 'content-type': type }) }
        const answer = await fetch(service.baseUrl + path, { method: 'POST', headers, body })
        const { error, type: kind } = (await answer.json()) as Json
        assert.equal(answer.status, status, `${path} ${type} ${body}`)
        assert.equal(typeof error.message, 'string')
        if (path.startsWith('/anthropic')) assert.deepEqual([kind, error.type], ['error', 'invalid_request_error'])
        else assert.equal(error.type, 'invalid_request_error')
      }
    }
    await goesOn(service)
  })

  test('[inference.bad-body] JSON nested without end is refused, and the call log can still be read', async () => {
    const { service, key } = await serviceWithKey()
    await using _ = service
    const nested = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
    const send = (path: string, body: string) =>
      fetch(service.baseUrl + path, {
        method: 'POST',
        headers: { ...bearer(key), 'content-type': 'application/json' },
        body,
      })
    for (const path of api) {
      const body = JSON.stringify({ ...question('Hi'), max_tokens: 5, metadata: 0 }).replace(':0}', `:${nested}}`)
      assert.equal((await send(path, body)).status, 400)
    }
    assert.equal((await send('/agent/identity', `{"type":"service_auth","more":${nested}}`)).status, 400)
    assert.equal((await get(`${service.controlUrl}/calls`)).status, 200)
    await goesOn(service)
  })

  test('of many large bodies the oldest are forgotten', async () => {
    const { service, key } = await serviceWithKey()
    await using _ = service
    const large = { ...question('Hi'), metadata: 'x'.repeat(12_000_000) }
    for (let count = 0; count < 7; count++) assert.equal((await chat(service, key, large)).status, 200)
    const bodies = service.log.calls.map(({ body }) => typeof body)
    assert.deepEqual(bodies, ['string', 'string', 'object', 'object', 'object', 'object', 'object'])
  })

  test('[inference.unknown-fields] unknown fields pass on every surface and at the sign-in endpoints', async () => {
    const { service, key } = await serviceWithKey()
    await using _ = service
    const strange = { ...question('Hi'), max_tokens: 5, nonsense: { deep: [1] }, __proto__: { odd: 1 } }
    for (const [path, body] of [
      ['/v1/chat/completions', strange],
      ['/v1/responses', { model: strange.model, input: 'Hi', nonsense: true }],
      ['/anthropic/v1/messages', strange],
      ['/agent/identity', { type: 'service_auth', login_hint: email, nonsense: [] }],
    ] as const)
      assert.equal((await postJson(service.baseUrl + path, body, bearer(key))).status, 200, path)
  })

  test('bodies that are no bodies, at the sign-in endpoints', async () => {
    await using service = await startService()
    const send = async (path: string, body: string, type: string) => {
      const answer = await fetch(service.baseUrl + path, { method: 'POST', headers: { 'content-type': type }, body })
      const json = (await answer.json()) as Json
      assert.equal(typeof json.error_description, 'string')
      return `${answer.status} ${json.error}`
    }
    for (const path of ['/agent/identity', '/agent/identity/claim'])
      for (const [body, type] of [
        ['{', 'application/json'],
        ['7', 'application/json'],
        ['{}', 'text/plain'],
        ['type=service_auth', 'application/x-www-form-urlencoded'],
      ] as const)
        assert.equal(await send(path, body, type), '400 invalid_request')
    for (const path of ['/oauth2/token', '/oauth2/revoke'])
      for (const [body, type] of [
        ['{}', 'application/json'],
        ['%%%=%zz', 'application/x-www-form-urlencoded'],
        ['', 'application/x-www-form-urlencoded'],
      ] as const)
        assert.equal(await send(path, body, type), '400 invalid_request')
    await goesOn(service)
  })

  test('[program.too-large] a body over the limit, announced: refused before it comes', async () => {
    const { service, key } = await serviceWithKey()
    await using _ = service
    const announce = (path: string) =>
      answerTo(
        service,
        `POST ${path} HTTP/1.1\r\nhost: ${hostOf(service)}\r\nauthorization: Bearer ${key}\r\n` +
          'content-type: application/json\r\ncontent-length: 99999999999\r\n\r\n',
      )
    for (const path of api) assert.equal((await announce(path)).status, 413, path)
    const messages = await announce('/anthropic/v1/messages')
    assert.equal(messages.json.error.type, 'request_too_large')
    const token = await announce('/oauth2/token')
    assert.deepEqual([token.status, token.json.error], [413, 'invalid_request'])
    assert.match(token.json.error_description, /8388608 bytes/)
    assert.equal((await announce('/dashboard')).status, 413)
    await goesOn(service)
  })

  test('[program.too-large] a body over the limit, unannounced: refused when it is too much', async () => {
    await using service = await startService()
    using caller = new RawCaller(service)
    caller.write(`POST /oauth2/token HTTP/1.1\r\nhost: ${hostOf(service)}\r\ntransfer-encoding: chunked\r\n\r\n`)
    const chunk = 'x'.repeat(1024 * 1024)
    for (let megabyte = 0; megabyte < 8; megabyte += 1) caller.write(`100000\r\n${chunk}\r\n`)
    await goesOn(service)
    assert.equal(caller.received, '', 'so far it was not too much')
    caller.write('1\r\nx\r\n')
    await caller.until(({ isDone }) => isDone)
    assert.match(caller.received, /^HTTP\/1\.1 413 /)
    await goesOn(service)
  })
})

test('routes that are not there, and methods that do not fit', async () => {
  const { service, key } = await serviceWithKey()
  await using _ = service
  const answers = await Promise.all([
    get(`${service.baseUrl}/nowhere`),
    get(`${service.baseUrl}/v1/nowhere`, bearer(key)),
    get(`${service.baseUrl}/%zz%00`),
    get(`${service.baseUrl}/v1/chat/completions`, bearer(key)),
    get(`${service.baseUrl}/oauth2/token`),
    get(`${service.baseUrl}/agent/identity`),
  ])
  assert.deepEqual(
    answers.map(answer => answer.status),
    [404, 404, 404, 405, 405, 405],
  )
  assert.equal(answers[3]?.headers.get('allow'), 'POST')
  for (const { json } of answers.slice(0, 4))
    assert.deepEqual(Object.keys(json.error), ['message', 'type', 'param', 'code'])
  for (const { json, headers } of answers.slice(4)) {
    assert.equal(json.error, 'method_not_allowed')
    assert.match(json.error_description, /There is no GET/)
    assert.equal(headers.get('allow'), 'POST')
  }
})

suite('on the wire', () => {
  const line = `GET ${metadata} HTTP/1.1\r\n`

  test('[program.headers] 100 KB of headers, in one or in many, and an endless address', async () => {
    await using service = await startService()
    const host = `host: ${hostOf(service)}\r\n`
    for (const words of [
      `${line}${host}x-large: ${'x'.repeat(100_000)}\r\n\r\n`,
      `${line}${host}${'x-a: b\r\n'.repeat(12_000)}\r\n`,
      `GET /${'x'.repeat(100_000)} HTTP/1.1\r\n${host}\r\n`,
    ]) {
      const { status, json } = await answerTo(service, words)
      assert.deepEqual([status, json.error.code], [431, 'headers_too_large'])
      await goesOn(service)
    }
  })

  test('[program.bad-http] what is no HTTP is told so in JSON, and its connection ends', async () => {
    await using service = await startService()
    const host = `host: ${hostOf(service)}\r\n`
    for (const words of [
      'hello\r\n\r\n',
      '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
      `GET ${metadata} HTTP/9.9\r\n${host}\r\n`,
      `${line}${host}bad header: x\r\n\r\n`,
      `${line}${host}x: a\x00b\r\n\r\n`,
      `POST /oauth2/token HTTP/1.1\r\n${host}content-length: -1\r\n\r\n`,
      // Two lengths: what one reader takes for the next request, another takes for this one's body (RFC 9112 6.3).
      `POST /oauth2/token HTTP/1.1\r\n${host}content-length: 4\r\ncontent-length: 5\r\n\r\nabcde`,
      `POST /oauth2/token HTTP/1.1\r\n${host}content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    ]) {
      const { status, json, received } = await answerTo(service, words, ({ end }) => end !== undefined)
      assert.equal(status, 400, words)
      assert.deepEqual([json.error.type, json.error.code], ['invalid_request_error', 'bad_http'])
      assert.match(received, /\r\ncontent-type: application\/json\r\n/)
    }
    await goesOn(service)
  })

  test('a body that breaks its own rules ends its connection', async () => {
    await using service = await startService()
    using caller = new RawCaller(service)
    caller.write(`POST /oauth2/token HTTP/1.1\r\nhost: ${hostOf(service)}\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n`)
    await caller.whenEnded()
    assert.match(caller.received, /^HTTP\/1\.1 400 [\s\S]*"bad_http"/)
    await goesOn(service)
  })

  test('[program.pipelining] requests one behind the other are answered in their order, and a bad one behind them is told', async () => {
    await using service = await startService()
    const paths = Array.from({ length: 50 }, (_, index) => `/nowhere-${index}`)
    const requests = paths.map(path => `GET ${path} HTTP/1.1\r\nhost: ${hostOf(service)}\r\n\r\n`)
    using caller = await new RawCaller(service).write(`${requests.join('')}nonsense\r\n\r\n`).whenEnded()
    const named = [...caller.received.matchAll(/There is no GET (\S+) here/g)].map(([, path]) => path)
    assert.deepEqual(named, paths)
    assert.match(caller.received, /HTTP\/1\.1 400 [\s\S]*"bad_http"/)
    await goesOn(service)
  })

  test('a bad request behind an answer that still comes does not get into it', async () => {
    const { service, key } = await serviceWithKey()
    await using _ = service
    const gate = service.replies.hold(1)
    const body = { ...question('Hi'), stream: true }
    using caller = new RawCaller(service).ask('POST', '/v1/chat/completions', { key, body })
    await gate.reached
    await caller.until(({ received }) => received.includes('data: '))
    caller.write('nonsense\r\n\r\n')
    await goesOnBeside(service)
    gate.release()
    await caller.whenEnded()
    assert.match(caller.received, /data: \[DONE\]\n\n\r\n0\r\n\r\nHTTP\/1\.1 400 [\s\S]*"bad_http"/)
    await goesOn(service)
  })

  test('[program.slow-caller] who is too slow with a head or a body is told so after the time of the service', async () => {
    await using service = await startService({ requestTimeoutMs: 100 })
    const host = `host: ${hostOf(service)}\r\n`
    const callers = [
      `GET ${metadata} HT`,
      `${line}${host}`,
      `POST /oauth2/token HTTP/1.1\r\n${host}content-length: 9\r\n\r\na`,
    ]
    for (const { status, json, end } of await Promise.all(
      callers.map(words => answerTo(service, words, ({ end }) => end !== undefined)),
    ))
      assert.deepEqual([status, json.error.code, end], [408, 'request_timeout', 'closed'])
    await goesOn(service)
  })

  test('odd methods, expectations and upgrades', async () => {
    await using service = await startService()
    const request = (first: string, more = '') =>
      answerTo(service, `${first}\r\nhost: ${hostOf(service)}\r\n${more}\r\n`)
    assert.equal((await request(`PROPFIND ${metadata} HTTP/1.1`)).status, 405)
    assert.equal((await request(`TRACE ${metadata} HTTP/1.1`)).status, 405)
    assert.equal((await request('OPTIONS * HTTP/1.1')).status, 400)
    assert.equal((await request('GET //elsewhere.test/x HTTP/1.1')).status, 404)
    assert.equal((await request(`GET ${metadata} HTTP/1.1`, 'expect: the-unexpected\r\n')).status, 200)
    assert.equal(
      (await request(`GET ${metadata} HTTP/1.1`, 'connection: upgrade\r\nupgrade: websocket\r\n')).status,
      200,
    )
    using tunnel = new RawCaller(service).write(
      `CONNECT elsewhere.test:443 HTTP/1.1\r\nhost: elsewhere.test:443\r\n\r\n`,
    )
    await tunnel.whenEnded()
    assert.equal(tunnel.received, '')
    using waiting = new RawCaller(service)
    waiting.write(
      `POST /oauth2/token HTTP/1.1\r\nhost: ${hostOf(service)}\r\nexpect: 100-continue\r\ncontent-length: 1\r\n\r\n`,
    )
    await waiting.until(({ received }) => received.startsWith('HTTP/1.1 100 Continue\r\n\r\n'))
    waiting.write('x')
    await waiting.until(({ received }) => /HTTP\/1\.1 400 [\s\S]*invalid_request/.test(received))
    await goesOn(service)
  })
})

for (const https of [false, true]) {
  suite(`who leaves, over ${https ? 'https' : 'http'}`, () => {
    for (const how of ['closes', 'resets'] as const) {
      test(`[program.abrupt-leave] a caller that ${how} at any stage costs nothing`, async () => {
        const service = await startService({ plan: 'pro', https })
        await using _ = service
        const key = service.state.issueKey(email, 'Test')
        const host = `host: ${hostOf(service)}\r\n`
        const body = JSON.stringify({ ...question('Hi'), stream: true })
        const head = `POST /v1/chat/completions HTTP/1.1\r\n${host}authorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`
        const leave = (caller: RawCaller) => {
          if (how === 'closes') caller.socket.end()
          // Only the socket below TLS can reset; to the service both look alike.
          else if (https) caller.socket.destroy()
          else caller.socket.resetAndDestroy()
        }
        for (const words of ['', 'POST /v1/ch', head.slice(0, -2), head, head + body.slice(0, 9)]) {
          using caller = new RawCaller(service).write(words)
          await goesOn(service)
          leave(caller)
          await goesOn(service)
        }
        for (const atToken of [0, 1]) {
          service.log.clear()
          const gate = service.replies.hold(atToken)
          using caller = new RawCaller(service).write(head + body)
          await gate.reached
          assert.equal(service.slots.open, 1)
          leave(caller)
          const call = await service.log.until(
            ({ durationMs, method }) => method === 'POST' && durationMs !== undefined,
          )
          assert.equal(call.isAborted, true)
          await goesOn(service)
        }
      })
    }
  })
}

test('[program.connections] 1,000 connections that say nothing, and the service goes on serving', async () => {
  await using service = await startService()
  const { port } = new URL(service.baseUrl)
  const idle = await Promise.all(
    Array.from({ length: 1000 }, () => {
      const socket = connect(Number(port), '127.0.0.1')
      const { promise, resolve, reject } = Promise.withResolvers<typeof socket>()
      socket.once('connect', () => resolve(socket)).once('error', reject)
      return promise
    }),
  )
  await goesOn(service)
  for (const socket of idle) socket.destroy()
  await goesOn(service)
})

test('[program.connections] 1,000 at once that all want something are all served', async () => {
  await using service = await startService()
  const { port, host } = new URL(service.baseUrl)
  const ask = () => {
    const { promise, resolve } = Promise.withResolvers<string>()
    const socket = connect(Number(port), '127.0.0.1')
    socket.setEncoding('utf8')
    socket.once('data', answer => resolve(String(answer).split('\r\n')[0] ?? ''))
    socket.once('error', error => resolve(error.message))
    socket.write(`GET ${metadata} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`)
    return promise
  }
  const answers = await Promise.all(Array.from({ length: 1000 }, ask))
  assert.deepEqual(new Set(answers), new Set(['HTTP/1.1 200 OK']))
  await goesOn(service)
})

for (const https of [false, true]) {
  test(`[program.host] other names are refused, over ${https ? 'https' : 'http'}`, async () => {
    const service = await startService({ plan: 'pro', https })
    await using _ = service
    const { port } = new URL(service.baseUrl)
    const scheme = https ? 'https' : 'http'
    const ask = async (target: string, host: string | undefined) => {
      const { status, json } = await answerTo(
        service,
        `GET ${target} HTTP/1.1\r\n${host === undefined ? '' : `host: ${host}\r\n`}\r\n`,
      )
      return `${status} ${json?.error?.code ?? json?.error ?? ''}`.trim()
    }
    for (const name of ['127.0.0.1', 'localhost', 'auth.localhost', 'AUTH.LocalHost', '[::1]'])
      assert.equal(await ask(metadata, `${name}:${port}`), '200', name)
    for (const host of [
      `evil.test:${port}`,
      'evil.test',
      'localhost',
      `localhost:${Number(port) + 1}`,
      `localhost.evil.test:${port}`,
      `evillocalhost:${port}`,
      `127.0.0.1.evil.test:${port}`,
      `0.0.0.0:${port}`,
    ])
      assert.equal(await ask(metadata, host), '421 misdirected_request', host)
    assert.equal(await ask(metadata, undefined), '400 invalid_request')
    assert.match(await ask(metadata, ''), /^400 /)
    assert.match(await ask(metadata, `evil@127.0.0.1:${port}`), /^4(00|21) /)
    assert.equal(await ask(`${scheme}://127.0.0.1:${port}${metadata}`, `127.0.0.1:${port}`), '200')
    assert.equal(await ask(`${scheme}://evil.test${metadata}`, `127.0.0.1:${port}`), '421 misdirected_request')
    assert.equal(await ask(`${scheme}://127.0.0.1:${port}${metadata}`, 'evil.test'), '421 misdirected_request')
    assert.equal(await ask('/oauth2/token', 'evil.test'), '421 invalid_request')
    assert.match(
      (await answerTo(service, `GET /anthropic/v1/messages HTTP/1.1\r\nhost: evil.test\r\n\r\n`)).json.type,
      /^error$/,
    )
    await goesOn(service)
  })
}

const addressOfMachine = Object.values(networkInterfaces())
  .flat()
  .find(one => one !== undefined && !one.internal && one.family === 'IPv4')?.address

test('[program.loopback] nobody listens on the other addresses of the machine', {
  skip: addressOfMachine === undefined && 'this machine has no other address',
}, async () => {
  await using service = await startService()
  const socket = connect(Number(new URL(service.baseUrl).port), addressOfMachine)
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  socket.once('connect', () => resolve('connected'))
  socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code))
  assert.equal(await promise, 'ECONNREFUSED')
  await goesOn(service)
})

test('over https: plain words, broken and interrupted handshakes cost nothing', async () => {
  await using service = await startService({ https: true })
  const { port } = new URL(service.baseUrl)
  for (const words of [
    '',
    `GET ${metadata} HTTP/1.1\r\n\r\n`,
    '\x16\x03\x01',
    '\x16\x03\x01\x00\x05hello',
    '\x80'.repeat(999),
  ]) {
    const socket = connect(Number(port), '127.0.0.1')
    socket.on('error', () => {})
    socket.end(words, 'latin1')
    await new Promise(resolve => socket.resume().once('close', resolve))
    await goesOn(service)
  }
  assert.equal(
    service.log.calls.every(({ path }) => path === metadata),
    true,
  )
})

test('[program.no-stack] a failure inside is told to the log and not to the caller, in the form of the place', async () => {
  const { service, key } = await serviceWithKey()
  await using _ = service
  service.faults.add({ kind: 'status', status: 200, headers: { 'bad header': 'x' }, body: 'x' })
  const { status, json } = await chat(service, key, question('Hi'))
  assert.equal(status, 500)
  assert.deepEqual(json.error, {
    message: 'The service has failed.',
    type: 'server_error',
    param: null,
    code: 'internal_error',
  })
  assert.match(service.log.calls.at(-1)?.failure ?? '', /bad header/i)
  service.faults.add({ kind: 'status', status: 200, headers: { 'bad header': 'x' }, times: 2 })
  const messages = await postJson(`${service.baseUrl}/anthropic/v1/messages`, {})
  assert.deepEqual([messages.status, messages.json.error.type], [500, 'api_error'])
  const token = await postForm(`${service.baseUrl}/oauth2/token`, {})
  const error = { error: 'server_error', error_description: 'The service has failed.' }
  assert.deepEqual([token.status, token.json], [500, error])
})

test('the log has every call and no secret', async () => {
  await using service = await startService({ plan: 'pro' })
  const { claim, claim_token } = await register(service)
  const browser = new Browser()
  await browser.open(claim.verification_uri)
  await browser.press('Sign in', { Email: email })
  await browser.press('Approve', { Code: claim.user_code })
  const key = (await poll(service, claim_token)).json.access_token
  await chat(service, key, question('What is in the log?'))
  await postJson(`${service.baseUrl}/anthropic/v1/messages`, {}, { 'x-api-key': key })
  await postJson(`${service.baseUrl}/agent/identity/claim`, { claim_token, email })
  await postForm(`${service.baseUrl}/oauth2/revoke`, { token: key })
  await get(`${service.baseUrl}/v1/models`, { authorization: key })

  const { calls } = service.log
  assert.deepEqual(
    calls.map(({ method, path, status }) => `${method} ${path.split('?')[0]} ${status}`),
    [
      'POST /agent/identity 200',
      'GET /claim 200',
      'POST /claim 303',
      'GET /claim 200',
      'POST /claim 200',
      'POST /oauth2/token 200',
      'POST /v1/chat/completions 200',
      'POST /anthropic/v1/messages 400',
      'POST /agent/identity/claim 409',
      'POST /oauth2/revoke 200',
      'GET /v1/models 401',
    ],
  )
  assert.deepEqual(
    calls.map(call => call.sequence),
    calls.map((_, index) => index + 1),
  )
  const asked = calls.find(call => call.path === '/v1/chat/completions')
  assert.deepEqual(asked?.body, question('What is in the log?'))
  assert.match(asked?.headers['authorization'] ?? '', /^Bearer sha256:[0-9a-f]{8}$/)
  assert.equal(asked?.headers['authorization']?.slice('Bearer '.length), service.state.keys.all[0]?.fingerprint)
  assert.equal(asked?.openAtStart, 0)
  assert.equal(asked?.isAborted, false)
  assert.equal(calls.find(call => call.path.startsWith('/claim'))?.host, new URL(service.authUrl).host)

  const written = JSON.stringify(calls)
  const attemptToken = new URL(claim.verification_uri).searchParams.get('claim_attempt_token')
  for (const secret of [key, claim_token, claim.user_code, attemptToken, 'sk-bf-', 'clm_', 'cla_', '_session_'])
    assert.equal(written.includes(secret), false, secret)
})
