// Any history becomes one that a server takes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { bearer } from '../../../src/core/http/bearer.ts'
import { collect } from '../../../src/core/model/collect.ts'
import type { ModelMessage } from '../../../src/core/model/modelClient.ts'
import { repairHistory } from '../../../src/core/model/repair.ts'
import { surfaceIds } from '../../../src/core/model/surfaceIds.ts'
import { startService } from '../../localService/server.ts'
import { holding } from '../../support/credential.ts'
import { answerMessage, callsOf, resultMessage, userMessage, wordsOf } from '../../support/messages.ts'
import { surfaceClient } from '../../support/surfaceClient.ts'
import { never, Wire } from '../../support/wire.ts'

const user = userMessage
const assistant = (text: string, ...calls: string[]): ModelMessage =>
  answerMessage(text, ...calls.map(id => ({ id, name: 'f', input: {} })))
const result = (call: string, text = 'r'): ModelMessage => resultMessage(call, text)

test('a history that is in order stays as it is', () => {
  const history = [user('q'), assistant('', 'a', 'b'), result('b'), result('a'), assistant('done'), user('thanks')]
  assert.deepEqual(repairHistory(history), history)
})

test('[R30] an unanswered call gets a result that says so, directly behind', () => {
  const repaired = repairHistory([user('q'), assistant('', 'a', 'b'), result('a'), user('go on')])
  assert.deepEqual(repaired.slice(2, 4), [
    result('a'),
    { ...result('b', 'This call was not carried out.'), isError: true },
  ])
  assert.equal(repairHistory([user('q'), assistant('', 'a')]).at(-1)?.role, 'tool')
})

test('[R30] calls of one message that share an id get their own, and so do their results, in order', () => {
  const twice = [user('q'), assistant('', 'a', 'a', 'a-2'), result('a', '1'), result('a-2', 'other'), result('a', '2')]
  assert.deepEqual(repairHistory(twice), [
    user('q'),
    assistant('', 'a', 'a-3', 'a-2'),
    result('a', '1'),
    result('a-2', 'other'),
    result('a-3', '2'),
  ])
  assert.deepEqual(
    repairHistory([user('q'), assistant('', 'a', 'a'), result('a')]).map(one => one.role === 'tool' && one.callId),
    [false, false, 'a', 'a-2'],
  )
})

test('[R30] calls of two turns that share an id get their own, and so do their results', () => {
  const turn = (call: string, text: string) => [assistant('', call), result(call, text)]
  const history = [user('q'), ...turn('a', '1'), ...turn('a', '2'), assistant('x'), user('q'), ...turn('a', '3')]
  const repaired = [user('q'), ...turn('a', '1'), ...turn('a-2', '2'), assistant('x'), user('q'), ...turn('a-3', '3')]
  assert.deepEqual(repairHistory(history), repaired)
  assert.deepEqual(repairHistory([user('q'), assistant('', 'a'), assistant('', 'a')]), [
    user('q'),
    assistant('', 'a'),
    { ...result('a', 'This call was not carried out.'), isError: true },
    assistant('', 'a-2'),
    { ...result('a-2', 'This call was not carried out.'), isError: true },
  ])
})

test('[R30] over the wire: a server that counts its calls from 0 in each answer is asked on, on each surface', async () => {
  await using local = await startService({ plan: 'pro' })
  using wire = new Wire()
  const key = local.state.issueKey('ada@example.com', 'x')
  const http = bearer(
    wire.send,
    holding(() => key),
  )
  const turn = [assistant('', 'call_0'), result('call_0')]
  const tools = [{ name: 'f', description: 'Does it.', parameters: { type: 'object' } }]
  const messages = [user('q'), ...turn, ...turn]
  for (const surface of surfaceIds) {
    local.replies.add({ text: 'ok' })
    const client = surfaceClient(http, local.baseUrl, wire.clock, surface)
    const collected = await collect(client.stream({ model: local.model, lane: 'agent', tools, messages }, never))
    assert.equal(collected.text, 'ok')
  }
})

test('halves of letters are replaced in arguments too, however deep', () => {
  const input = { text: '\ud83c', list: [{ '\udf00': 'a\ud83cb' }, 5, null] }
  const call = { id: 'a', name: 'f', input }
  const [, answer] = repairHistory([user('q'), answerMessage('', call), result('a')])
  assert.ok(answer?.role === 'assistant')
  assert.deepEqual(callsOf(answer)[0]?.input, { text: '\ufffd', list: [{ '\ufffd': 'a\ufffdb' }, 5, null] })
})

test('a result without its call goes, and so does a second one', () => {
  assert.deepEqual(repairHistory([user('q'), result('x'), assistant('', 'a'), result('a'), result('a')]), [
    user('q'),
    assistant('', 'a'),
    result('a'),
  ])
})

test('empty messages go, and neighbours of the same role become one', () => {
  assert.deepEqual(repairHistory([user('a'), assistant(' \n'), user('b'), assistant('x'), assistant('y')]), [
    user('a\n\nb'),
    assistant('x\n\ny'),
  ])
})

test('the results of calls made side by side stay, whatever the user said between them', () => {
  for (const between of ['', 'a note']) {
    const history = [user('q'), assistant('', 'a', 'b'), result('a'), user(between), result('b')]
    const repaired = [user('q'), assistant('', 'a', 'b'), result('a'), result('b')]
    assert.deepEqual(repairHistory(history), between ? [...repaired, user(between)] : repaired)
  }
})

const id = fc.constantFrom('a', 'b', 'c')
const words = fc.constantFrom('', ' ', 'x', 'y')
const message: fc.Arbitrary<ModelMessage> = fc.oneof(
  words.map(user),
  fc.tuple(words, fc.array(id, { maxLength: 4 })).map(([text, calls]) => assistant(text, ...calls)),
  id.map(call => result(call)),
)

test('whatever stood there, a strict server takes it, and no word is lost', () => {
  fc.assert(
    fc.property(fc.array(message, { maxLength: 12 }), history => {
      const repaired = repairHistory(history)
      let open = new Set<string>()
      const ids = new Set<string>()
      for (const [index, one] of repaired.entries()) {
        if (one.role === 'tool') {
          assert.ok(open.delete(one.callId), 'a result without its call')
          continue
        }
        assert.equal(open.size, 0, 'a call without its result')
        const calls = callsOf(one)
        assert.ok(wordsOf(one).trim() || calls.length > 0, 'an empty message')
        const before = repaired[index - 1]
        if (one.role === 'user') assert.notEqual(before?.role, 'user')
        open = new Set(calls.map(({ id: call }) => call))
        for (const { id: call } of calls) {
          assert.ok(!ids.has(call), 'two calls with one id')
          ids.add(call)
        }
      }
      assert.equal(open.size, 0)
      const textOf = (messages: readonly ModelMessage[]) =>
        messages
          .filter(({ role }) => role !== 'tool')
          .map(one => wordsOf(one).replace(/\s/g, ''))
          .join('')
      assert.equal(textOf(repaired), textOf(history))
      assert.deepEqual(repairHistory(repaired), repaired, 'once is enough')
    }),
  )
})
