// The tests' own door, over HTTP.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../localService/server.ts'
import { bearer, chat, chatStream, email, get, type Json, poll, postJson, question, register } from './caller.ts'

test('everything a test can turn', async () => {
  await using service = await startService()
  const control = (path: string, body: unknown = {}) => postJson(`${service.controlUrl}${path}`, body)

  const { claim, claim_token, registration_id } = await register(service)
  const noPlan = await control('/approve', { user_code: claim.user_code })
  assert.equal(noPlan.status, 409)
  assert.equal((await control('/plan', { email, plan: 'max' })).status, 200)
  assert.equal((await control('/approve', { registration_id, user_code: 'wrong' })).status, 409)
  assert.equal((await control('/approve', { user_code: claim.user_code })).json.status, 'approved')
  const key: string = (await poll(service, claim_token)).json.access_token

  const { json: made } = await control('/keys', { email, name: 'Mine' })
  assert.equal((await chat(service, made.key, question('Hi'))).status, 200)

  assert.equal((await control('/models', { ids: ['a', 'b'] })).status, 200)
  const models = await get(`${service.baseUrl}/v1/models`, bearer(key))
  assert.deepEqual(
    models.json.data.map((model: Json) => model.id),
    ['a', 'b'],
  )
  assert.equal((await chat(service, key, question('Hi'))).status, 403, 'listed is granted')
  await control('/models', { ids: [], granted: ['kourier-1-0815'] })
  assert.equal((await chat(service, key, question('Hi'))).status, 200, 'an empty list takes nothing away')
  await control('/models', { ids: null })
  assert.equal((await get(`${service.baseUrl}/v1/models`, bearer(key))).status, 404)

  await control('/faults', [{ kind: 'status', status: 418, times: 'always' }])
  assert.equal((await chat(service, key, question('Hi'))).status, 418)
  await fetch(`${service.controlUrl}/faults`, { method: 'DELETE' })

  await control('/replies', [{ tokens: ['a', 'b'], holdAt: 1 }, { text: 'never' }])
  const answer = await chatStream(service, key, question('Hi'))
  await control('/release')
  assert.match(await answer.text(), /"b"/)
  await fetch(`${service.controlUrl}/replies`, { method: 'DELETE' })
  assert.notEqual((await chat(service, key, question('Hi'))).json.choices[0].message.content, 'never')

  const before = Date.now()
  const { json: clock } = await control('/clock', { advanceMs: 3_600_000 })
  assert.ok(Date.parse(clock.now) >= before + 3_600_000)
  const { headers } = await get(`${service.baseUrl}/v1/models`)
  assert.ok(Date.parse(headers.get('date') ?? '') >= before + 3_599_000, 'the date header is of the same clock')

  const denied = await register(service)
  await control('/deny', { registration_id: denied.registration_id })
  assert.equal((await poll(service, denied.claim_token)).json.error, 'access_denied')
  await control('/key-creation', { fails: true })
  assert.equal(service.state.keyCreationFails, true)

  const { json: calls } = await get(`${service.controlUrl}/calls`)
  assert.ok(calls.length > 10)
  assert.equal(
    calls.some((call: Json) => call.path.includes('_control')),
    false,
    'the door itself is not in the log',
  )
  await fetch(`${service.controlUrl}/calls`, { method: 'DELETE' })
  assert.deepEqual((await get(`${service.controlUrl}/calls`)).json, [])

  const { json: state } = await get(`${service.controlUrl}/state`)
  assert.equal(state.openRequests, 0)
  assert.deepEqual(
    state.registrations.map((one: Json) => one.status),
    ['issued', 'denied'],
  )
  assert.deepEqual(Object.keys(state.keys[0]), ['id', 'name', 'email', 'fingerprint', 'revoked'])
  const text = JSON.stringify(state)
  for (const secret of [key, made.key, claim_token, 'clm_', 'cla_', 'sk-bf-'])
    assert.equal(text.includes(secret), false)
})

test('what it does not understand it says', async t => {
  await using service = await startService()
  const cases: [string, unknown][] = [
    ['/clock', { advanceMs: -1 }],
    ['/faults', { kind: 'earthquake' }],
    ['/faults', [{ kind: 'status' }]],
    ['/faults', { kind: 'cut' }],
    ['/faults', [{ kind: 'reset' }, { kind: 'reset', sometimes: true }]],
    ['/replies', { text: 7 }],
    ['/replies', { texts: 'typo' }],
    ['/replies', { toolCalls: [{ name: 'x' }] }],
    ['/plan', { email, plan: 'gold' }],
    ['/models', { ids: 'a' }],
    ['/hold', { atToken: 'x' }],
  ]
  for (const [path, body] of cases)
    await t.test(`${path} ${JSON.stringify(body)}`, async () => {
      const { status, json } = await postJson(service.controlUrl + path, body)
      assert.equal(status, 400)
      assert.match(json.error, /\.$/, 'a sentence')
    })
  assert.equal((await postJson(`${service.controlUrl}/approve`, { user_code: '1' })).status, 404)
})

test('[program.clock] only who knows the door moves the clock', async () => {
  await using service = await startService()
  assert.match(service.controlUrl, /\/_control\/[0-9a-f]{32}$/)
  const guesses = ['/clock', '/_control/clock', `/_control/${'0'.repeat(32)}/clock`, '/v1/clock', '/_control//clock']
  const began = Date.now()
  for (const guess of guesses) {
    const { status } = await postJson(service.baseUrl + guess, { advanceMs: 86_400_000 })
    assert.ok(status === 404 || status === 401, guess)
  }
  const { headers } = await get(`${service.baseUrl}/v1/models`, { date: 'Fri, 01 Jan 2100 00:00:00 GMT' })
  assert.ok(Date.parse(headers.get('date') ?? '') - began < 86_400_000, 'it stands where it stood')
  await postJson(`${service.controlUrl}/clock`, { advanceMs: 86_400_000 })
  assert.ok(service.clock.now() - began >= 86_400_000)
})
