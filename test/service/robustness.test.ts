// Bad input gets the right status and shape, secrets stay out of the log, and the service goes on.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { startService } from '../localService/server.ts'
import { Browser } from './browser.ts'
import { bearer, chat, email, get, poll, postForm, postJson, question, register, serviceWithKey } from './caller.ts'

test('bodies that are no bodies', async () => {
  const { service, key } = await serviceWithKey()
  await using _ = service
  const send = async (body: string | Uint8Array | null, type?: string) => {
    const headers = { ...bearer(key), ...(type === undefined ? {} : { 'content-type': type }) }
    const answer = await fetch(`${service.baseUrl}/v1/chat/completions`, { method: 'POST', headers, body })
    const error = ((await answer.json()) as { error: { code: string; message: string } }).error
    assert.doesNotMatch(error.message, /\bat .*\.ts\b/)
    return `${answer.status} ${error.code}`
  }
  const json = 'application/json'
  assert.equal(await send('{"model":', json), '400 invalid_json')
  assert.equal(await send('', json), '400 invalid_json')
  assert.equal(await send(Buffer.from([0x22, 0xff, 0x22]), json), '400 invalid_json')
  assert.equal(await send('null', json), '400 invalid_request')
  assert.equal(await send(JSON.stringify(question('Hi')), 'text/plain'), '415 invalid_type')
  assert.equal(await send(null), '415 invalid_type')
  assert.equal(await send('x'.repeat(8 * 1024 * 1024 + 1), json), '413 too_large')
  const endless = new Blob(['x'.repeat(9 * 1024 * 1024)]).stream()
  const unannounced = {
    method: 'POST',
    headers: { ...bearer(key), 'content-type': json },
    body: endless,
    duplex: 'half',
  } as const
  assert.equal((await fetch(`${service.baseUrl}/v1/chat/completions`, unannounced)).status, 413)
  assert.equal((await chat(service, key, question('Hi'))).status, 200)
  assert.equal(service.slots.open, 0)
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
  for (const { json } of answers) assert.deepEqual(Object.keys(json.error), ['message', 'type', 'code'])
})

test('what is not HTTP does not disturb it', async () => {
  const { service, key } = await serviceWithKey()
  await using _ = service
  const { port } = new URL(service.baseUrl)
  const say = async (words: string) => {
    const socket = connect(Number(port), '127.0.0.1')
    socket.end(words)
    return (await text(socket)).split('\r\n')[0]
  }
  assert.equal(await say('hello\r\n\r\n'), 'HTTP/1.1 400 Bad Request')
  assert.equal(await say('GET / HTTP/1.1\r\nconnection: close\r\n\r\n'), 'HTTP/1.1 400 Bad Request')
  // A caller that leaves in the middle of its own sentence.
  await say(`POST /agent/identity HTTP/1.1\r\nhost: localhost:${port}\r\ncontent-length: 99\r\n\r\n{`)
  assert.equal((await chat(service, key, question('Hi'))).status, 200)
})

test('a failure inside is told to the log and not to the caller', async () => {
  const { service, key } = await serviceWithKey()
  await using _ = service
  service.faults.add({ kind: 'status', status: 200, headers: { 'bad header': 'x' }, body: 'x' })
  const { status, json } = await chat(service, key, question('Hi'))
  assert.equal(status, 500)
  assert.deepEqual(json.error, { message: 'The service has failed.', type: 'server_error', code: 'internal_error' })
  assert.match(service.log.calls.at(-1)?.failure ?? '', /bad header/i)
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
      'POST /anthropic/v1/messages 404',
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
