// The official client of the messages API, unpatched, against the local service.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import Anthropic from '@anthropic-ai/sdk'
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema'
import { email } from '../service/caller.ts'
import { type Setup, setups } from './setups.ts'

const clientOf = ({ service, key }: Setup) =>
  new Anthropic({ baseURL: `${service.baseUrl}/anthropic`, apiKey: key, authToken: null, maxRetries: 0 })

const hello = { model: 'kourier-1-0815', max_tokens: 100, messages: [{ role: 'user' as const, content: 'Hello' }] }

const inputSchema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } as const
const weatherCalls = [
  { name: 'weather', arguments: { city: 'Oslo' } },
  { name: 'weather', arguments: { city: 'Rome' } },
]

for (const [name, start] of setups)
  describe(`the anthropic package ${name}`, () => {
    it('[messages.whole] [messages.stream] [messages.both-headers] reads a message, whole and event by event', async () => {
      await using setup = await start()
      const { service, key } = setup
      setup.replies.add({ text: 'Good day.' }, { text: 'Grüße 🎈 to you.' })
      const message = await clientOf(setup).messages.create({ ...hello, system: 'Be kind.' })
      assert.deepEqual(message.content, [{ type: 'text', text: 'Good day.' }])
      assert.match(message._request_id ?? '', /^req_/)
      const bearer = new Anthropic({ baseURL: `${service.baseUrl}/anthropic`, authToken: key, apiKey: null })
      const stream = await bearer.messages.create({ ...hello, stream: true })
      let text = ''
      for await (const event of stream)
        if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') text += event.delta.text
      assert.equal(text, 'Grüße 🎈 to you.')
    })

    it('[messages.stream] [messages.usage] [messages.stop-reason] follows a stream with its helper', async () => {
      await using setup = await start()
      setup.replies.add({ reasoning: 'Hm, well.', text: 'One two three.' })
      const stream = clientOf(setup).messages.stream(hello)
      const chunks: string[] = []
      stream.on('text', chunk => chunks.push(chunk))
      const message = await stream.finalMessage()
      assert.equal(chunks.join(''), 'One two three.')
      assert.deepEqual(
        message.content.map(({ type }) => type),
        ['thinking', 'text'],
      )
      assert.equal(message.stop_reason, 'end_turn')
      assert.equal(message.usage.output_tokens, 5)
      // What it thought goes back as it came, signature included.
      const messages = [...hello.messages, { role: 'assistant' as const, content: message.content }, ...hello.messages]
      setup.replies.add({ text: 'Again.' })
      assert.equal((await clientOf(setup).messages.create({ ...hello, messages })).stop_reason, 'end_turn')
    })

    for (const isStream of [false, true])
      it(`[messages.tools] [messages.tool-history] runs tools ${isStream ? 'from a stream' : 'at once'}, in parallel`, async () => {
        await using setup = await start()
        setup.replies.add({ text: 'Let me see.', toolCalls: weatherCalls }, { text: 'Cold, and warm.' })
        const asked: string[] = []
        const weather = betaTool({
          name: 'weather',
          description: 'Tells the weather.',
          inputSchema,
          run: ({ city }) => {
            asked.push(city)
            return `The weather in ${city}`
          },
        })
        const { messages } = clientOf(setup).beta
        const runner = messages.toolRunner({ ...hello, tools: [weather], stream: isStream })
        const { content, stop_reason } = await runner.runUntilDone()
        assert.deepEqual(asked, ['Oslo', 'Rome'])
        assert.equal(stop_reason, 'end_turn')
        assert.deepEqual(content, [{ type: 'text', text: 'Cold, and warm.' }])
      })

    it('[messages.max-tokens] [messages.images] is told of a limit, and may send images', async () => {
      await using setup = await start()
      setup.replies.add({ text: 'One two three.' })
      const source = { type: 'base64' as const, media_type: 'image/png' as const, data: 'iVBORw0KGgo=' }
      const content = [
        { type: 'text' as const, text: 'What?' },
        { type: 'image' as const, source },
      ]
      const message = await clientOf(setup).messages.create({
        ...hello,
        messages: [{ role: 'user', content }],
        max_tokens: 2,
      })
      assert.equal(message.stop_reason, 'max_tokens')
      assert.deepEqual(message.content, [{ type: 'text', text: 'One two' }])
    })

    it('[inference.cancel] [plan.freed] leaves a stream, and its place is free', async () => {
      await using setup = await start()
      const gate = setup.replies.hold(1)
      const stream = clientOf(setup).messages.stream(hello)
      await gate.reached
      stream.abort()
      await assert.rejects(stream.finalMessage(), Anthropic.APIUserAbortError)
      await setup.service.log.until(call => call.isAborted)
      assert.equal(setup.service.slots.openOf(email), 0)
    })

    it('[inference.errors] [inference.model-granted] gets errors of the type that belongs to each', async () => {
      await using setup = await start()
      const client = clientOf(setup)
      const refused = async <T extends InstanceType<typeof Anthropic.APIError>>(
        going: Promise<unknown>,
        type: new (...args: never[]) => T,
        word: string,
      ): Promise<T> => {
        const error: unknown = await going.then(
          () => assert.fail('it was answered'),
          fault => fault,
        )
        assert.ok(error instanceof type, `${error}`)
        assert.equal(error.type, word)
        assert.match(error.requestID ?? '', /^req_/)
        return error
      }
      const { messages } = client
      await refused(messages.create({ ...hello, messages: [] }), Anthropic.BadRequestError, 'invalid_request_error')
      const called = { type: 'tool_use' as const, id: 'toolu_1', name: 'weather', input: {} }
      const open = [...hello.messages, { role: 'assistant' as const, content: [called] }, ...hello.messages]
      const history = await refused(
        messages.create({ ...hello, messages: open }),
        Anthropic.BadRequestError,
        'invalid_request_error',
      )
      assert.match(history.message, /without `tool_result` blocks immediately after: toolu_1/)
      const other = messages.create({ ...hello, model: 'claude-9' })
      await refused(other, Anthropic.PermissionDeniedError, 'permission_error')
      const nobody = client.withOptions({ apiKey: 'sk-bf-nobody' }).messages.create(hello)
      const unknown = await refused(nobody, Anthropic.AuthenticationError, 'authentication_error')
      assert.match(unknown.headers?.get('www-authenticate') ?? '', /invalid_token/)
      setup.service.slots.limits.pro = 0
      const full = await refused(messages.create(hello), Anthropic.RateLimitError, 'rate_limit_error')
      assert.equal(full.headers?.get('retry-after'), '2')
      setup.service.state.accounts.of(email).plan = 'free'
      const free = await refused(messages.create(hello), Anthropic.PermissionDeniedError, 'permission_error')
      assert.match(free.message, /The Free plan has no API access/)
    })
  })

describe('the anthropic package, when the server behind breaks off', () => {
  it('[upstream.errors] throws what the stream tells', async () => {
    const [, behind] = setups[1] ?? assert.fail()
    await using setup = await behind()
    const half = 'data: {"choices":[{"index":0,"delta":{"content":"Half"}}]}\n\n'
    setup.replies.add({ raw: [half, 'data: {"error":{"message":"Dead."}}\n\n'] })
    const stream = clientOf(setup).messages.stream(hello)
    await assert.rejects(stream.finalMessage(), /Dead\./)
    assert.equal(setup.service.slots.openOf(email), 0)
  })
})
