// What a plan allows: nothing for Free, so many at a time for the others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bearer, chat, chatStream, email, get, question, serviceWithKey } from './caller.ts'

test('Free has no API, and is told where to choose a plan', async () => {
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

test('at the limit 429 with a time to wait; a place is free the moment a reader leaves', async () => {
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
  assert.deepEqual(Object.keys(refused.json.error), ['message', 'type', 'code'])
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

test('the limits of the plans', async () => {
  const { service } = await serviceWithKey({ limits: { omega: 2 } })
  await using _ = service
  assert.deepEqual(service.slots.limits, { free: 0, pro: 3, max: 7, omega: 2 })
})
