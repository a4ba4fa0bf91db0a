// No key leaves with a request, whoever asks and in whichever way.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bearer } from '../../../src/core/http/bearer.ts'
import { KeyText } from '../../../src/core/log/keyText.ts'
import { collect } from '../../../src/core/model/collect.ts'
import type { ModelRequest, ReasoningBlock } from '../../../src/core/model/modelClient.ts'
import { RedactingClient } from '../../../src/core/model/redactingClient.ts'
import { surfaceIds } from '../../../src/core/model/surfaceIds.ts'
import { startService } from '../../localService/server.ts'
import { surfaceClient } from '../../support/surfaceClient.ts'
import { never, Wire } from '../../support/wire.ts'

const pasted = 'sk-bf-pasted-0123456789'

for (const surface of surfaceIds) {
  test(`[T12] ${surface}: a key in a message, a file, a tool’s output or a call is not in the body`, async () => {
    await using service = await startService({ plan: 'pro' })
    using wire = new Wire()
    const key = service.state.issueKey('ada@example.com', 'Kourier')
    const http = bearer(wire.send, { token: () => key, onUnauthorized: async () => undefined })
    const client = new RedactingClient(
      surfaceClient(http, service.baseUrl, wire.clock, surface),
      new KeyText(() => key),
    )
    const request: ModelRequest = {
      model: service.model,
      lane: 'chat',
      system: `The user's key is ${pasted}.`,
      messages: [
        { role: 'user', text: `What is ${pasted}?\n${key}` },
        { role: 'assistant', text: pasted, calls: [{ id: 'c1', name: 'read', input: { path: `/${pasted}` } }] },
        { role: 'tool', callId: 'c1', text: `KOURIER_API_KEY=${key}` },
        { role: 'user', text: 'Go on.' },
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
  const item = { type: 'thinking', thinking: `x ${pasted}`, signature: 's' }
  const thought = { surface: 'messages', item, afterText: 0, afterCalls: 0 } as unknown as ReasoningBlock
  const sent: ModelRequest[] = []
  const next = {
    async *stream(request: ModelRequest) {
      sent.push(request)
      yield { kind: 'finish' as const, why: 'done' as const }
    },
  }
  const message = { role: 'assistant' as const, text: pasted, thoughts: [thought] }
  const client = new RedactingClient(next, new KeyText(() => undefined))
  await collect(client.stream({ model: 'm', lane: 'chat', messages: [message] }, never))
  assert.deepEqual(sent[0]?.messages, [{ role: 'assistant', text: 'sk-bf-…', thoughts: [thought] }])
})
