// Passing chats on to another server: a second local service plays it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Service, startService } from '../localService/server.ts'
import {
  ask,
  chat,
  chatStream,
  email,
  eventsOf,
  messagesRequest,
  openStream,
  question,
  serviceWithKey,
  textOf,
} from './caller.ts'

async function pair(key?: string) {
  const upstream = await startService({ plan: 'omega', model: 'other-7b' })
  const upstreamKey = key ?? upstream.state.issueKey('up@example.com', 'Upstream')
  const front = await serviceWithKey({
    upstream: { url: `${upstream.baseUrl}/v1`, model: 'other-7b', key: upstreamKey },
  })
  return {
    upstream,
    front: front.service,
    key: front.key,
    upstreamKey,
    [Symbol.asyncDispose]: () => closeAll(upstream, front.service),
  }
}

const closeAll = async (...services: readonly Service[]) => {
  await Promise.all(services.map(service => service.close()))
}

test('[upstream.chat] an answer at once: the model is renamed both ways, the caller stays unknown', async () => {
  await using both = await pair()
  both.upstream.replies.add({ text: 'From far away.' })
  const { status, json } = await chat(both.front, both.key, { ...question('Hi'), temperature: 0.5 })
  assert.equal(status, 200)
  assert.equal(json.model, 'kourier-1-0815')
  assert.equal(json.choices[0].message.content, 'From far away.')
  const [call] = both.upstream.log.calls
  assert.deepEqual(call?.body, { ...question('Hi'), temperature: 0.5, model: 'other-7b' })
  const seen = JSON.stringify(both.upstream.log.calls)
  for (const private_ of [both.key, email, both.front.state.keys.all[0]?.fingerprint ?? ''])
    assert.equal(seen.includes(private_), false)
})

test('[upstream.chat] a stream, with the model renamed in every piece, also when it arrives byte by byte', async () => {
  await using both = await pair()
  both.upstream.replies.add({ text: 'Grüße aus der Ferne 🎈, mit Gruß.' })
  both.upstream.faults.add({ kind: 'drip', on: 'POST /v1/chat' })
  const answer = await chatStream(both.front, both.key, question('Hi'))
  assert.match(answer.headers.get('content-type') ?? '', /^text\/event-stream/)
  const events = await eventsOf(answer)
  assert.equal(events.pop(), '[DONE]')
  assert.deepEqual([...new Set(events.map(event => event.model))], ['kourier-1-0815'])
  assert.equal(textOf(events), 'Grüße aus der Ferne 🎈, mit Gruß.')
})

test('a reader who leaves ends the request upstream too', async () => {
  await using both = await pair()
  const gate = both.upstream.replies.hold()
  const leave = new AbortController()
  const answer = await chatStream(both.front, both.key, question('Hi'), leave.signal)
  await gate.reached
  leave.abort()
  await assert.rejects(answer.text())
  const call = await both.upstream.log.until(one => one.durationMs !== undefined)
  assert.equal(call.isAborted, true)
})

test('[upstream.errors] what goes wrong upstream', async t => {
  await using both = await pair()
  const answerTo = async (body?: unknown) => {
    if (body !== undefined) both.upstream.faults.add({ kind: 'status', ...(body as { status: number }) })
    return chat(both.front, both.key, question('Hi'))
  }
  await t.test('its refusal of the request is passed on', async () => {
    const { status, json } = await answerTo({ status: 400, body: { error: { message: 'Too odd.' } } })
    assert.equal(status, 400)
    assert.equal(json.error.message, 'Too odd.')
  })
  await t.test('its limit is passed on with the time to wait', async () => {
    const { status, headers } = await answerTo({ status: 429, headers: { 'retry-after': '9' } })
    assert.equal(status, 429)
    assert.equal(headers.get('retry-after'), '9')
  })
  for (const status of [401, 403, 404, 500, 503])
    await t.test(`its ${status} is our trouble, not the caller's`, async () => {
      const answer = await answerTo({ status })
      assert.equal(answer.status, 502)
      assert.deepEqual(Object.keys(answer.json.error), ['message', 'type', 'param', 'code'])
    })
  await t.test('a page', async () => {
    both.upstream.faults.add({ kind: 'html' })
    assert.equal((await answerTo()).status, 502)
  })
  await t.test('a reset', async () => {
    both.upstream.faults.add({ kind: 'reset' })
    assert.equal((await answerTo()).status, 502)
  })
  await t.test('a break in the stream is told in the stream, which then has no end signal', async () => {
    both.upstream.faults.add({ kind: 'cut', afterBytes: 400 })
    const text = await (await chatStream(both.front, both.key, question('Hi'))).text()
    assert.match(text, /^data: \{"status_code":502,.*"error":\{"message":"The upstream server broke off\."/m)
    assert.doesNotMatch(text, /\[DONE\]/)
  })
  await t.test('nobody there', async () => {
    await both.upstream.close()
    const { status, json } = await answerTo()
    assert.equal(status, 502)
    assert.equal(json.error.code, 'upstream_failed')
  })
})

test('a scripted reply still comes first', async () => {
  await using both = await pair()
  both.front.replies.add({ text: 'Mine.' })
  const { json } = await chat(both.front, both.key, question('Hi'))
  assert.equal(json.choices[0].message.content, 'Mine.')
  assert.equal(both.upstream.log.calls.length, 0)
})

test('[upstream.only-model] without a name the only model is taken; several, none and silence are said', async () => {
  await using upstream = await startService({ plan: 'pro', model: 'other-7b' })
  const there = { url: `${upstream.baseUrl}/v1`, key: upstream.state.issueKey('up@example.com', 'Upstream') }
  const { service, key } = await serviceWithKey({ upstream: there })
  await using front = service
  upstream.replies.add({ text: 'From far away.' })
  const { json } = await chat(front, key, question('Hi'))
  assert.equal(json.choices[0].message.content, 'From far away.')

  const refused = (why: RegExp) => assert.rejects(startService({ upstream: there }), { message: why })
  upstream.state.listedModels = ['other-7b', 'other-70b']
  await refused(/has several models; name one with --upstream-model ID: other-7b, other-70b\.$/)
  upstream.state.listedModels = []
  await refused(/does not say which models it has/)
  await upstream.close()
  await refused(/gives no list of models; start that server first/)
})

test('[upstream.errors] every way to fail in the middle of a stream is understood, on every surface', async t => {
  await using both = await pair()
  const shapes = ['openai', 'text', 'bifrost', 'bifrost-wrapped', 'named-event', 'bare-json', 'error-field'] as const
  const surfaces: [string, object][] = [
    ['/v1/chat/completions', question('Hi')],
    ['/v1/responses', ask('Hi')],
    ['/anthropic/v1/messages', messagesRequest('Hi')],
  ]
  for (const shape of shapes)
    await t.test(shape, async () => {
      for (const [path, body] of surfaces) {
        both.upstream.faults.add({ kind: 'error-event', shape, after: 2, message: 'Out of breath.' })
        const text = await (await openStream(both.front, both.key, path, body)).text()
        assert.match(text, /"error":.*Out of breath\./, path)
        assert.doesNotMatch(text, /\[DONE\]|response\.completed|message_stop/, path)
      }
    })
  assert.equal(both.front.slots.open, 0)
})
