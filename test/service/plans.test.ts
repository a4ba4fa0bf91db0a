// What a plan allows: nothing for Free, so many at a time for the others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCommandLine, UsageError } from '../localService/options.ts'
import {
  ask,
  bearer,
  chat,
  chatStream,
  email,
  get,
  messagesRequest,
  openStream,
  postJson,
  question,
  serviceWithKey,
} from './caller.ts'

test('[plan.free] Free has no API, and is told where to choose a plan', async () => {
  const { service, key } = await serviceWithKey({ plan: 'free' })
  await using _ = service
  for (const { status, json } of [
    await chat(service, key, question('Hi')),
    await get(`${service.baseUrl}/v1/models`, bearer(key)),
  ]) {
    assert.equal(status, 403)
    assert.equal(json.error.code, 'plan_required')
    assert.ok(json.error.message.includes(`${service.siteUrl}/dashboard`))
  }
  service.state.accounts.of(email).plan = 'omega'
  assert.equal((await chat(service, key, question('Hi'))).status, 200)
})

test('[plan.pro] [plan.limit] [plan.freed] at the limit 429 with a time to wait; a place is free the moment a reader leaves', async () => {
  const { service, key } = await serviceWithKey({ plan: 'pro' })
  await using _ = service
  const readers = [new AbortController(), new AbortController(), new AbortController()]
  const gates = readers.map(() => service.replies.hold())
  const answers = await Promise.all(readers.map(({ signal }) => chatStream(service, key, question('Hold'), signal)))
  await Promise.all(gates.map(gate => gate.reached))
  assert.equal(service.slots.open, 3)

  const refused = await chat(service, key, question('One more'))
  assert.equal(refused.status, 429)
  assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  assert.deepEqual(Object.keys(refused.json.error), ['message', 'type', 'param', 'code'])
  assert.equal((await get(`${service.baseUrl}/v1/models`, bearer(key))).status, 200, 'only inference counts')
  const other = service.state.issueKey('bob@example.com', 'Bob')
  assert.equal((await chat(service, other, question('Hi'))).status, 200, 'each account has its own count')

  readers[0]?.abort()
  await assert.rejects(answers[0]?.text() ?? assert.fail())
  await service.log.until(call => call.isAborted)
  assert.equal(service.slots.open, 2)
  const second = service.state.issueKey(email, 'Second')
  assert.equal((await chat(service, second, question('Hi'))).status, 200, 'keys of one account share the count')
  service.replies.releaseAll()
  await Promise.all([answers[1]?.text(), answers[2]?.text()])
  assert.equal(service.slots.open, 0)
})

test('who has read the end may ask again at once', async () => {
  const { service, key } = await serviceWithKey({ limits: { pro: 1 } })
  await using _ = service
  for (let count = 0; count < 20; count += 1) {
    const answer = await (count % 2 ? chatStream(service, key, question('Hi')) : chat(service, key, question('Hi')))
    assert.equal(answer.status, 200, `request ${count}`)
    if (answer instanceof Response) assert.match(await answer.text(), /\[DONE\]\n\n$/)
  }
})

test('[plan.omega] the limits of the plans', async () => {
  const { service } = await serviceWithKey({ limits: { omega: 2 } })
  await using _ = service
  assert.deepEqual(service.slots.limits, { free: 0, pro: 3, max: 7, omega: 2 })
})

test('[plan.max] [plan.limit-shared] all surfaces and all keys of an account share its seven places', async () => {
  const { service, key } = await serviceWithKey({ plan: 'max' })
  await using _ = service
  const second = service.state.issueKey(email, 'Second')
  const surfaces: [string, object][] = [
    ['/v1/chat/completions', question('Hold')],
    ['/v1/responses', ask('Hold')],
    ['/anthropic/v1/messages', messagesRequest('Hold')],
  ]
  const gates = Array.from({ length: 7 }, () => service.replies.hold())
  const open = gates.map((_gate, index) => {
    const [path, body] = surfaces[index % 3] ?? assert.fail()
    return openStream(service, index % 2 ? key : second, path, body)
  })
  await Promise.all(gates.map(gate => gate.reached))
  for (const [path, body] of surfaces) {
    const { status, headers } = await openStream(service, key, path, body)
    assert.equal(status, 429, path)
    assert.equal(headers.get('retry-after'), '2')
  }
  service.replies.releaseAll()
  await Promise.all(open.map(async answer => (await answer).text()))
  for (const [path, body] of surfaces) assert.equal((await openStream(service, key, path, body)).status, 200, path)
})

test('[plan.limit-date] the time to wait as a date, by the clock of the service', async () => {
  const { service, key } = await serviceWithKey({ limits: { pro: 0 }, retryAfterForm: 'date' })
  await using _ = service
  service.clock.advance(86_400_000)
  const before = service.clock.now()
  const { headers } = await chat(service, key, question('Hi'))
  const value = headers.get('retry-after') ?? ''
  assert.match(value, /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/)
  const wait = Date.parse(value) - before
  assert.ok(wait >= 2000, `a wait of ${wait} ms`)
  assert.ok(Date.parse(value) - service.clock.now() <= 3000)
  await postJson(`${service.controlUrl}/retry-after`, { form: 'seconds' })
  assert.equal((await chat(service, key, question('Hi'))).headers.get('retry-after'), '2')
  assert.equal((await postJson(`${service.controlUrl}/retry-after`, { form: 'soon' })).status, 400)
})

test('[plan.omega] a limit can be chosen, at the start and while it runs', async () => {
  assert.deepEqual(readCommandLine(['--omega-limit', '40'], {}).options.limits, { omega: 40 })
  assert.equal(readCommandLine(['--retry-after', 'date'], {}).options.retryAfterForm, 'date')
  assert.throws(() => readCommandLine(['--retry-after', 'soon'], {}), UsageError)
  const { service, key } = await serviceWithKey({ plan: 'omega', limits: { omega: 0 } })
  await using _ = service
  assert.equal((await chat(service, key, question('Hi'))).status, 429)
  assert.equal((await postJson(`${service.controlUrl}/limits`, { omega: 1 })).json.omega, 1)
  assert.equal((await chat(service, key, question('Hi'))).status, 200)
  assert.equal((await postJson(`${service.controlUrl}/limits`, { gold: 1 })).status, 400)
})

test('[plan.freed] the place is free when the last word is said, not when the last byte is taken', async () => {
  const { service, key } = await serviceWithKey({ limits: { pro: 1 } })
  await using _ = service
  // A response repeats its whole text four times after the last piece: more than fits into the sockets' buffers.
  service.replies.add({ tokens: Array.from({ length: 96 }, () => 'x'.repeat(64 * 1024)) })
  const leave = new AbortController()
  const answer = await openStream(service, key, '/v1/responses', ask('Go on'), leave.signal)
  const reader = (answer.body ?? assert.fail()).pipeThrough(new TextDecoderStream()).getReader()
  let tail = ''
  while (!tail.includes('response.output_text.done')) {
    const { value } = await reader.read()
    tail = tail.slice(-100) + (value ?? assert.fail('the stream ended'))
  }
  assert.equal(service.log.calls.at(-1)?.durationMs, undefined, 'the connection is still at work')
  assert.equal((await chat(service, key, question('Hi'))).status, 200)
  leave.abort()
})
