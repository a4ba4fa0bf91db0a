// The official client of the chat completions and responses APIs, unpatched, against the local service.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import OpenAI from 'openai'
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import type { ResponseInput } from 'openai/resources/responses/responses'
import { email } from '../service/caller.ts'
import { type Setup, setups } from './setups.ts'

const clientOf = ({ service, key }: Setup) =>
  new OpenAI({ baseURL: `${service.baseUrl}/v1`, apiKey: key, maxRetries: 0 })

const hello: ChatCompletionMessageParam[] = [{ role: 'user', content: 'Hello' }]
const model = 'kourier-1-0815'

const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const weatherCalls = [
  { name: 'weather', arguments: { city: 'Oslo' } },
  { name: 'weather', arguments: { city: 'Rome' } },
]

/** Waits until the service has seen the caller leave, and looks at the slot. */
async function assertLeft({ service }: Setup): Promise<void> {
  await service.log.until(call => call.isAborted)
  assert.equal(service.slots.openOf(email), 0)
}

for (const [name, start] of setups)
  describe(`the openai package ${name}`, () => {
    it('[chat.whole] [chat.stream] reads a chat completion, whole and piece by piece', async () => {
      await using setup = await start()
      const client = clientOf(setup)
      setup.replies.add({ text: 'Good day.' }, { text: 'Grüße 🎈 to you.' })
      const completion = await client.chat.completions.create({ model, messages: hello })
      assert.equal(completion.choices[0]?.message.content, 'Good day.')
      assert.equal(completion.usage?.completion_tokens, 2)
      assert.match(completion._request_id ?? '', /^req_/)
      const stream = await client.chat.completions.create({ model, messages: hello, stream: true })
      let text = ''
      for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? ''
      assert.equal(text, 'Grüße 🎈 to you.')
    })

    it('[chat.stream] [chat.usage] follows a stream with its helper', async () => {
      await using setup = await start()
      setup.replies.add({ text: 'One two three.' })
      const stream = clientOf(setup).chat.completions.stream({
        model,
        messages: hello,
        stream_options: { include_usage: true },
      })
      const chunks: string[] = []
      stream.on('content', chunk => chunks.push(chunk))
      assert.equal(await stream.finalContent(), 'One two three.')
      assert.equal(chunks.join(''), 'One two three.')
      assert.equal((await stream.totalUsage()).completion_tokens, 3)
      assert.equal((await stream.finalChatCompletion()).choices[0]?.finish_reason, 'stop')
    })

    for (const isStream of [false, true])
      it(`[chat.tools] [chat.tool-history] runs tools ${isStream ? 'from a stream' : 'at once'}, in parallel`, async () => {
        await using setup = await start()
        setup.replies.add({ toolCalls: weatherCalls }, { text: 'Cold, and warm.' })
        const asked: string[] = []
        const weather = ({ city }: { city: string }) => {
          asked.push(city)
          return `The weather in ${city}`
        }
        const tool = {
          type: 'function' as const,
          function: {
            name: 'weather',
            description: 'Tells the weather.',
            parameters,
            parse: JSON.parse,
            function: weather,
          },
        }
        const { completions } = clientOf(setup).chat
        const runner = isStream
          ? completions.runTools({ model, messages: hello, tools: [tool], stream: true })
          : completions.runTools({ model, messages: hello, tools: [tool] })
        assert.equal(await runner.finalContent(), 'Cold, and warm.')
        assert.deepEqual(asked, ['Oslo', 'Rome'])
        assert.deepEqual(
          runner.messages.map(({ role }) => role),
          ['user', 'assistant', 'tool', 'tool', 'assistant'],
        )
      })

    it('[chat.finish-reason] [chat.max-tokens] [chat.images] is told of a limit, and may send images', async () => {
      await using setup = await start()
      setup.replies.add({ text: 'One two three.' })
      const url = 'data:image/png;base64,iVBORw0KGgo='
      const messages: ChatCompletionMessageParam[] = [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What?' },
            { type: 'image_url', image_url: { url } },
          ],
        },
      ]
      const { choices } = await clientOf(setup).chat.completions.create({ model, messages, max_completion_tokens: 2 })
      assert.equal(choices[0]?.finish_reason, 'length')
      assert.equal(choices[0]?.message.content, 'One two')
    })

    it('[responses.whole] [responses.stream] reads a response, whole and event by event', async () => {
      await using setup = await start()
      const client = clientOf(setup)
      setup.replies.add({ text: 'Good day.' }, { text: 'Grüße 🎈 to you.' })
      const response = await client.responses.create({ model, input: 'Hello', instructions: 'Be kind.' })
      assert.equal(response.output_text, 'Good day.')
      assert.equal(response.status, 'completed')
      const stream = await client.responses.create({ model, input: 'Hello', stream: true })
      let text = ''
      for await (const event of stream) if (event.type === 'response.output_text.delta') text += event.delta
      assert.equal(text, 'Grüße 🎈 to you.')
    })

    it('[responses.tools] [responses.tool-history] [responses.usage] calls tools from its stream helper and goes on', async () => {
      await using setup = await start()
      const client = clientOf(setup)
      setup.replies.add({ text: 'Let me see.', toolCalls: weatherCalls }, { text: 'Cold, and warm.' })
      const tools = [{ type: 'function' as const, name: 'weather', parameters, strict: false }]
      const stream = client.responses.stream({ model, input: 'How is it?', tools })
      const first = await stream.finalResponse()
      const calls = first.output.filter(item => item.type === 'function_call')
      assert.deepEqual(
        calls.map(call => JSON.parse(call.arguments)),
        weatherCalls.map(call => call.arguments),
      )
      assert.ok((first.usage?.output_tokens ?? 0) > 3)
      const input: ResponseInput = [
        { role: 'user', content: 'How is it?' },
        ...(first.output as ResponseInput),
        ...calls.map(({ call_id }) => ({ type: 'function_call_output' as const, call_id, output: 'Fine' })),
      ]
      const second = await client.responses.create({ model, input, tools, store: false })
      assert.equal(second.output_text, 'Cold, and warm.')
    })

    it('[responses.incomplete] [responses.images] [responses.reasoning] reads reasoning, and an end at the limit', async () => {
      await using setup = await start()
      setup.replies.add({ reasoning: 'Hm.', text: 'One two three.' })
      const image = {
        type: 'input_image' as const,
        image_url: 'data:image/png;base64,iVBORw0KGgo=',
        detail: 'auto' as const,
      }
      const response = await clientOf(setup).responses.create({
        model,
        input: [{ role: 'user', content: [{ type: 'input_text', text: 'What?' }, image] }],
        include: ['reasoning.encrypted_content'],
        max_output_tokens: 2,
      })
      assert.equal(response.status, 'incomplete')
      assert.equal(response.incomplete_details?.reason, 'max_output_tokens')
      const [thought] = response.output
      assert.ok(thought?.type === 'reasoning' && thought.encrypted_content)
      assert.equal(response.output_text, 'One')
    })

    it('[inference.cancel] [plan.freed] leaves a stream, and its place is free', async () => {
      await using setup = await start()
      const client = clientOf(setup)
      const gate = setup.replies.hold(1)
      const chat = await client.chat.completions.create({ model, messages: hello, stream: true })
      await gate.reached
      chat.controller.abort()
      await assertLeft(setup)
      setup.service.log.clear()
      const other = setup.replies.hold(1)
      const response = client.responses.stream({ model, input: 'Hello' })
      await other.reached
      response.abort()
      await assert.rejects(response.finalResponse(), OpenAI.APIUserAbortError)
      await assertLeft(setup)
    })

    it('[inference.errors] [inference.model-granted] gets errors of the type that belongs to each', async () => {
      await using setup = await start()
      const client = clientOf(setup)
      const { completions } = client.chat
      const refused = async <T extends InstanceType<typeof OpenAI.APIError>>(
        going: Promise<unknown>,
        type: new (...args: never[]) => T,
      ): Promise<T> => {
        const error: unknown = await going.then(
          () => assert.fail('it was answered'),
          fault => fault,
        )
        assert.ok(error instanceof type, `${error}`)
        return error
      }
      const bad = await refused(completions.create({ model, messages: [] }), OpenAI.BadRequestError)
      assert.deepEqual([bad.param, bad.code, bad.type], ['messages', 'invalid_request', 'invalid_request_error'])
      assert.match(bad.requestID ?? '', /^req_/)
      await refused(client.responses.create({ model, input: [] }), OpenAI.BadRequestError)
      const other = await refused(completions.create({ model: 'gpt-9', messages: hello }), OpenAI.PermissionDeniedError)
      assert.equal(other.code, 'model_blocked')
      const nobody = client.withOptions({ apiKey: 'sk-bf-nobody' })
      const unknown = await refused(nobody.models.list(), OpenAI.AuthenticationError)
      assert.match(unknown.headers?.get('www-authenticate') ?? '', /invalid_token/)
      setup.service.slots.limits.pro = 0
      const full = await refused(client.responses.create({ model, input: 'Hi' }), OpenAI.RateLimitError)
      assert.equal(full.headers?.get('retry-after'), '2')
      setup.service.state.accounts.of(email).plan = 'free'
      const free = await refused(completions.create({ model, messages: hello }), OpenAI.PermissionDeniedError)
      assert.match(free.message, /The Free plan has no API access/)
    })

    it('[inference.models] lists the models', async () => {
      await using setup = await start()
      const ids: string[] = []
      for await (const { id } of clientOf(setup).models.list()) ids.push(id)
      assert.deepEqual(ids, [model])
    })
  })

describe('the openai package, when the server behind breaks off', () => {
  it('[upstream.errors] [upstream.cancel] throws what the stream tells', async () => {
    const [, behind] = setups[1] ?? assert.fail()
    await using setup = await behind()
    const client = clientOf(setup)
    const broken = [
      'data: {"choices":[{"index":0,"delta":{"content":"Half"}}]}\n\n',
      'data: {"error":{"message":"Dead."}}\n\n',
    ]
    setup.replies.add({ raw: broken }, { raw: broken })
    const chat = client.chat.completions.stream({ model, messages: hello })
    await assert.rejects(chat.finalContent(), /Dead\./)
    const response = client.responses.stream({ model, input: 'Hello' })
    await assert.rejects(response.finalResponse(), /Dead\./)
    assert.equal(setup.service.slots.openOf(email), 0)
  })
})
