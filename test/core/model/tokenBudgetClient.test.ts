// Within the limits of the model: by an estimate that the service's own counts correct.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { bearer } from '../../../src/core/http/bearer.ts'
import { TooLongError } from '../../../src/core/http/errors.ts'
import { collect } from '../../../src/core/model/collect.ts'
import type { ModelMessage, ModelRequest } from '../../../src/core/model/modelClient.ts'
import { surfaceIds } from '../../../src/core/model/surfaceIds.ts'
import { type Limits, TokenBudgetClient } from '../../../src/core/model/tokenBudgetClient.ts'
import { TokenCounter } from '../../../src/core/model/tokenCounter.ts'
import { requestTokens } from '../../../src/core/model/tokenEstimate.ts'
import { startService } from '../../localService/server.ts'
import { holding } from '../../support/credential.ts'
import { answerMessage, userMessage } from '../../support/messages.ts'
import { surfaceClient } from '../../support/surfaceClient.ts'
import { faultOf, never, Wire } from '../../support/wire.ts'

const asked: ModelRequest = { model: 'm', messages: [userMessage('hi')], lane: 'chat' }
const usual: Limits = { input: 262_144, total: 278_528 }
const words = (count: number) => 'word '.repeat(count)
const user = (text: string): ModelMessage => userMessage(text)
const assistant = (text: string): ModelMessage => answerMessage(text)

function counted(limits: Limits, usage?: number) {
  const sent: ModelRequest[] = []
  const counter = new TokenCounter()
  const counts: [number, number][] = []
  const client = new TokenBudgetClient(
    {
      async *stream(request) {
        sent.push(request)
        yield { kind: 'finish', why: 'done', ...(usage !== undefined && { usage: { input: usage, output: 1 } }) }
      },
    },
    counter,
    () => limits,
    (estimated, reported) => counts.push([estimated, reported]),
  )
  const ask = (messages: readonly ModelMessage[], more: Partial<ModelRequest> = {}) =>
    collect(client.stream({ ...asked, messages, ...more }, never))
  return { ask, sent, counter, counts }
}

async function tooLong(asking: Promise<unknown>): Promise<TooLongError> {
  const fault = await faultOf(asking)
  assert.ok(fault instanceof TooLongError, String(fault))
  assert.deepEqual([fault.wasSent, fault.remedy], [false, 'new-chat'])
  return fault
}

test('what is too long is not sent; the fault says how many of the oldest messages are too many', async () => {
  const { ask, sent } = counted({ input: 1_000, total: 1_500 })
  const turns = [user(words(500)), assistant(words(100)), user(words(500)), assistant(words(100)), user(words(400))]
  const fault = await tooLong(ask(turns))
  assert.equal(fault.limit, 1_000)
  assert.ok(Math.abs(fault.tokens / requestTokens({ ...asked, messages: turns }) - 1) < 0.01)
  assert.equal(fault.oldest, 4)
  assert.equal(sent.length, 0)
  assert.equal((await tooLong(ask([user('q'), assistant('a'), user(words(2_000))]))).oldest, undefined)
})

test('says beside each estimate what the service counted', async () => {
  const { ask, counts } = counted(usual, 1_000)
  const messages = [user(words(900))]
  const estimate = requestTokens({ ...asked, messages })
  await ask(messages)
  await ask(messages)
  assert.deepEqual(counts, [
    [Math.round(estimate), 1_000],
    [1_000, 1_000],
  ])
  const silent = counted(usual)
  await silent.ask(messages)
  assert.deepEqual(silent.counts, [])
})

test('the room for the answer is what is left, never more than was asked for or than a model gives', async () => {
  const room = async (limits: Limits, text: string, more: Partial<ModelRequest> = {}) => {
    const { ask, sent } = counted(limits)
    await ask([user(text)], more)
    return sent[0]?.maxTokens ?? 0
  }
  assert.equal(await room(usual, 'hi'), 32_768)
  assert.equal(await room(usual, 'hi', { maxTokens: 160 }), 160)
  assert.equal(await room({ ...usual, output: 8_192 }, 'hi'), 8_192)
  assert.equal(await room(usual, words(250_000)), usual.total - usual.input)
  const tight = await room({ input: 1_000, total: 1_200 }, words(500))
  assert.ok(tight > 500 && tight < 700, `${tight}`)
})

test('where only the whole is known, doubt about the request does not cost the answer', async () => {
  const total = 131_072
  for (const share of [0.7, 0.81, 0.9, 0.95, 0.99, 1.1]) {
    const { ask, sent } = counted({ input: total, total })
    const length = requestTokens({ ...asked, messages: [user(words(10_000))] }) / 10_000
    await ask([user(words(Math.floor((total * share) / length)))])
    const room = sent[0]?.maxTokens
    if (share > 1) assert.equal(room, undefined, 'the service is the judge')
    else assert.ok(room !== undefined && room > 1_000 && room < total * (1 - share) + 100, `${share}: ${room}`)
  }
  const full = counted({ input: total, total })
  await full.ask([user(words(total))], { maxTokens: 160 })
  assert.equal(full.sent[0]?.maxTokens, 160)
})

test('an odd count changes little, and nonsense not much more', () => {
  const counter = new TokenCounter()
  const request = { ...asked, messages: [user(words(1_000))] }
  const estimate = requestTokens(request)
  for (let answer = 0; answer < 5; answer++) counter.learn(request, estimate * 1.2)
  counter.learn(request, estimate * 100)
  assert.equal(counter.count(request).tokens, Math.round(estimate * 1.2))
  for (let answer = 0; answer < 50; answer++) counter.learn(request, estimate * 1000)
  assert.equal(counter.count(request).tokens, Math.round(estimate * 2.5))
  for (const nothing of [0, Number.NaN, -5]) counter.learn(request, nothing)
  assert.equal(counter.count(request).tokens, Math.round(estimate * 2.5))
  assert.equal(counter.count({ ...request, model: 'another' }).tokens, Math.round(estimate), 'each model for itself')
})

test('short requests teach nothing: most of their tokens are not theirs', () => {
  const counter = new TokenCounter()
  counter.learn(asked, 400)
  assert.ok(counter.count(asked).tokens < 20)
})

/** Code, prose, data and styles of this project. */
const corpus = [
  'README.md',
  'ARCHITECTURE.md',
  'package.json',
  'biome.json',
  'media/chat.css',
  'src/core/agent/session.ts',
  'src/core/http/http.ts',
  'src/core/model/toolCalls.ts',
  'src/core/complete/lex.ts',
  'src/editor/chat/chatView.ts',
  'src/webview/markdown/markdown.ts',
  'src/webview/view/composer.tsx',
  'test/core/account/account.test.ts',
  'test/localService/faults.ts',
  'test/layers.test.ts',
].map(name => readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8'))

test('over the wire: the counts of the service bring the estimate near them, on each surface', async () => {
  await using local = await startService({ plan: 'pro' })
  using wire = new Wire()
  const key = local.state.issueKey('ada@example.com', 'x')
  const http = bearer(
    wire.send,
    holding(() => key),
  )
  for (const surface of surfaceIds) {
    const counter = new TokenCounter()
    const client = new TokenBudgetClient(surfaceClient(http, local.baseUrl, wire.clock, surface), counter, () => usual)
    const errors: number[] = []
    for (const text of corpus) {
      const request = { ...asked, model: local.model, messages: [user(text)] }
      const { tokens, least, most } = counter.count(request)
      local.replies.add({ text: 'ok' })
      const { usage } = await collect(client.stream(request, never))
      assert.ok(usage)
      errors.push(Math.abs(tokens / usage.input - 1))
      assert.ok(least * 0.8 < usage.input && usage.input < most * 1.2, `${least} to ${most}: ${usage.input}`)
    }
    const late = errors.slice(5).toSorted((a, b) => a - b)
    assert.ok((late[Math.floor(late.length / 2)] ?? 1) < 0.08, `${late.map(error => error.toFixed(3))}`)
  }
})

test('over the wire: what just fits is sent and taken, what does not is refused by nobody but us', async () => {
  await using local = await startService({ plan: 'pro' })
  using wire = new Wire()
  const key = local.state.issueKey('ada@example.com', 'x')
  const http = bearer(
    wire.send,
    holding(() => key),
  )
  const client = new TokenBudgetClient(surfaceClient(http, local.baseUrl, wire.clock), new TokenCounter(), () => usual)
  const ask = (text: string) => collect(client.stream({ ...asked, model: local.model, messages: [user(text)] }, never))
  local.replies.add({ text: 'ok' })
  assert.equal((await ask(words(200_000))).text, 'ok')
  const asksBefore = local.log.calls.length
  await tooLong(ask(words(330_000)))
  assert.equal(local.log.calls.length, asksBefore)
})
