// No key leaves with a request, from any caller and in any form.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bearer } from '../../../src/core/http/bearer.ts'
import { KeyText } from '../../../src/core/log/keyText.ts'
import { collect } from '../../../src/core/model/collect.ts'
import type { ModelRequest } from '../../../src/core/model/modelClient.ts'
import { RedactingClient } from '../../../src/core/model/redactingClient.ts'
import { surfaceIds } from '../../../src/core/model/surfaceIds.ts'
import { startService } from '../../localService/server.ts'
import { holding, madeOf } from '../../support/credential.ts'
import { answerMessage, resultMessage, userMessage } from '../../support/messages.ts'
import { surfaceClient } from '../../support/surfaceClient.ts'
import { never, Wire } from '../../support/wire.ts'

const pasted = 'sk-bf-pasted-0123456789'

for (const surface of surfaceIds) {
  test(`[T12] ${surface}: a key in a message, a file, a tool’s output or a call is not in the body`, async () => {
    await using service = await startService({ plan: 'pro' })
    using wire = new Wire()
    const key = service.state.issueKey('ada@example.com', 'Kourier')
    const http = bearer(
      wire.send,
      holding(() => key),
    )
    const client = new RedactingClient(
      surfaceClient(http, service.baseUrl, wire.clock, surface),
      new KeyText(() => madeOf(key)),
    )
    const request: ModelRequest = {
      model: service.model,
      lane: 'chat',
      system: `The user's key is ${pasted}.`,
      messages: [
        userMessage(`What is ${pasted}?\n${key}`),
        answerMessage(pasted, { id: 'c1', name: 'read', input: { path: `/${pasted}` } }),
        resultMessage('c1', `KOURIER_API_KEY=${key}`),
        userMessage('Go on.'),
      ],
      tools: [{ name: 'read', description: `Reads ${pasted}`, parameters: { type: 'object', properties: {} } }],
      stop: [pasted],
    }
    const answer = await collect(client.stream(request, never))
    assert.ok(answer)
    const [call] = service.log.calls.filter(({ method }) => method === 'POST')
    assert.equal(call?.status, 200)
    const sent = JSON.stringify(call?.body)
    assert.doesNotMatch(sent, /sk-bf-[A-Za-z0-9]/)
    assert.match(sent, /What is sk-bf-…\?/, 'the rest of the text is as it was')
  })
}

test('sealed reasoning is passed as it is', async () => {
  const item = { type: 'thinking', thinking: `x ${pasted}`, signature: 's' } as const
  const reasoning = { kind: 'reasoning', sealed: { surface: 'messages', item } } as const
  const sent: ModelRequest[] = []
  const next = {
    async *stream(request: ModelRequest) {
      sent.push(request)
      yield { kind: 'finish' as const, why: 'done' as const }
    },
  }
  const message = { role: 'assistant' as const, parts: [reasoning, { kind: 'text' as const, text: pasted }] }
  const client = new RedactingClient(next, new KeyText(() => undefined))
  await collect(client.stream({ model: 'm', lane: 'chat', messages: [message] }, never))
  assert.deepEqual(sent[0]?.messages, [{ role: 'assistant', parts: [reasoning, { kind: 'text', text: 'sk-bf-…' }] }])
})
