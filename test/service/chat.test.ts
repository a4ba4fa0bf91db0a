// Chat completions and the model list, as a client sees them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Gate } from '../localService/replies.ts'
import { chatCompletion, chatCompletionChunk } from '../localService/schema/chat.ts'
import { bearer, chat, chatStream, eventsOf, get, question, serviceWithKey, textOf } from './caller.ts'

test('[inference.models] the model list: one, several, none, or no list at all', async () => {
  const { service, key } = await serviceWithKey({ model: 'kourier-1-0815' })
  await using _ = service
  const list = async () => {
    const { status, json } = await get(`${service.baseUrl}/v1/models`, bearer(key))
    return status === 200 ? json.data.map((model: { id: string }) => model.id) : status
  }
  const { json } = await get(`${service.baseUrl}/v1/models`, bearer(key))
  assert.equal(json.object, 'list')
  const { created, ...entry } = json.data[0]
  assert.ok(Number.isInteger(created))
  assert.deepEqual(entry, {
    id: 'kourier-1-0815',
    object: 'model',
    owned_by: 'kourier',
    context_length: 278_528,
    max_input_tokens: 262_144,
  })
  service.state.listedModels = ['a', 'b']
  assert.deepEqual(await list(), ['a', 'b'])
  service.state.listedModels = []
  assert.deepEqual(await list(), [])
  service.state.listedModels = undefined
  assert.equal(await list(), 404)
})

test('[chat.whole] [chat.usage] an answer at once', async () => {
  const { service, key } = await serviceWithKey()
  await using _ = service
  service.replies.add({ text: 'Hello, Ada.' })
  const { status, json } = await chat(service, key, question('Hi'))
  assert.equal(status, 200)
  assert.match(json.id, /^chatcmpl-/)
  assert.equal(json.object, 'chat.completion')
  assert.equal(json.model, 'kourier-1-0815')
  assert.deepEqual(json.choices, [
    { index: 0, message: { role: 'assistant', content: 'Hello, Ada.' }, finish_reason: 'stop' },
  ])
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = json.usage
  assert.ok(prompt > 0 && completion === 2 && total === prompt + completion)
})

test('[chat.stream] [chat.usage] an answer as a stream: role, pieces, reason, usage where asked for, end', async () => {
  const { service, key } = await serviceWithKey()
  await using _ = service
  service.replies.add({ tokens: ['Zum ', 'Glück', ' 🎈'] }, { text: 'Again.' })
  const answer = await chatStream(service, key, { ...question('Hi'), stream_options: { include_usage: true } })
  assert.equal(answer.status, 200)
  assert.match(answer.headers.get('content-type') ?? '', /^text\/event-stream/)
  const events = await eventsOf(answer)
  assert.equal(events.at(-1), '[DONE]')
  const chunks = events.slice(0, -1)
  assert.equal(new Set(chunks.map(chunk => chunk.id)).size, 1)
  for (const chunk of chunks) assert.equal(chunk.object, 'chat.completion.chunk')
  const deltas = chunks.map(chunk => [chunk.choices[0]?.delta, chunk.choices[0]?.finish_reason])
  assert.deepEqual(deltas, [
    [{ role: 'assistant', content: '' }, null],
    [{ content: 'Zum ' }, null],
    [{ content: 'Glück' }, null],
    [{ content: ' 🎈' }, null],
    [{}, 'stop'],
    [undefined, undefined],
  ])
  assert.equal(chunks.at(-1).usage.completion_tokens, 3)
  assert.equal(chunks[1].usage, null)

  const plain = await eventsOf(await chatStream(service, key, question('Hi')))
  assert.equal(textOf(plain.slice(0, -1)), 'Again.')
  assert.equal(JSON.stringify(plain).includes('usage'), false)
})

test('[chat.tools] [chat.finish-reason] tool calls come in pieces, several side by side', async () => {
  const { service, key } = await serviceWithKey()
  await using _ = service
  const toolCalls = [
    { name: 'read_file', arguments: { path: 'src/a.ts' } },
    { name: 'list', arguments: '{"broken', id: 'call_mine' },
  ]
  service.replies.add({ text: 'Let me look.', toolCalls }, { toolCalls })
  const events = (await eventsOf(await chatStream(service, key, question('Look')))).slice(0, -1)
  const calls = new Map<number, { id: string; name: string; text: string }>()
  for (const delta of events.flatMap(event => event.choices[0].delta.tool_calls ?? [])) {
    const call = calls.get(delta.index)
    if (call) {
      assert.deepEqual(Object.keys(delta), ['index', 'function'])
      call.text += delta.function.arguments
    } else calls.set(delta.index, { id: delta.id, name: delta.function.name, text: delta.function.arguments })
  }
  assert.deepEqual(
    [...calls.values()],
    [
      { id: 'call_1', name: 'read_file', text: '{"path":"src/a.ts"}' },
      { id: 'call_mine', name: 'list', text: '{"broken' },
    ],
  )
  assert.equal(textOf(events), 'Let me look.')
  assert.equal(events.at(-1).choices[0].finish_reason, 'tool_calls')

  const { json } = await chat(service, key, question('Look'))
  const [choice] = json.choices
  assert.equal(choice.finish_reason, 'tool_calls')
  assert.equal(choice.message.content, null)
  assert.deepEqual(choice.message.tool_calls[0], {
    id: 'call_1',
    type: 'function',
    function: { name: 'read_file', arguments: '{"path":"src/a.ts"}' },
  })
})

test('[chat.max-tokens] [chat.finish-reason] a limit and a stop string end the answer', async t => {
  const { service, key } = await serviceWithKey()
  await using _ = service
  const tokens = ['one', ' two', ' three', ' four']
  const cases: [string, object, string, string][] = [
    ['max_tokens', { max_tokens: 2 }, 'one two', 'length'],
    ['max_completion_tokens', { max_completion_tokens: 3 }, 'one two three', 'length'],
    ['a limit that is not reached', { max_tokens: 4 }, 'one two three four', 'stop'],
    ['a stop string', { stop: ' three' }, 'one two', 'stop'],
    ['a stop string across tokens', { stop: ['zzz', 'wo th'] }, 'one t', 'stop'],
    ['the first of two stop strings', { stop: ['four', 'two'] }, 'one ', 'stop'],
    ['both, the stop string first', { stop: ['two'], max_tokens: 2 }, 'one ', 'stop'],
  ]
  for (const [name, fields, text, reason] of cases)
    await t.test(name, async () => {
      service.replies.add({ tokens }, { tokens })
      const { json } = await chat(service, key, { ...question('Count'), ...fields })
      assert.equal(json.choices[0].message.content, text)
      assert.equal(json.choices[0].finish_reason, reason)
      const events = (await eventsOf(await chatStream(service, key, { ...question('Count'), ...fields }))).slice(0, -1)
      assert.equal(textOf(events), text)
      assert.equal(events.at(-1).choices[0].finish_reason, reason)
    })
})

test('a test can make a stream wait at a token', async () => {
  const { service, key } = await serviceWithKey()
  await using _ = service
  const gate = new Gate(2)
  service.replies.add({ tokens: ['a', 'b', 'c', 'd'], gate })
  const answer = await chatStream(service, key, question('Wait'))
  const reader = (answer.body ?? assert.fail()).pipeThrough(new TextDecoderStream()).getReader()
  let seen = ''
  while (!seen.includes('"b"')) seen += (await reader.read()).value ?? assert.fail('the stream ended')
  await gate.reached
  assert.equal(seen.includes('"c"'), false)
  assert.equal(service.slots.open, 1)
  gate.release()
  for (let part = await reader.read(); !part.done; part = await reader.read()) seen += part.value
  assert.match(seen, /"c"[\s\S]*"d"[\s\S]*\[DONE\]/)
})

test('a gate for the next answer, whatever it is, and one opening for all', async () => {
  const { service, key } = await serviceWithKey()
  await using _ = service
  const gates = [service.replies.hold(), service.replies.hold(1)]
  const answers = [chat(service, key, question('One')), chat(service, key, question('Two'))]
  await Promise.all(gates.map(gate => gate.reached))
  service.replies.releaseAll()
  for (const { status } of await Promise.all(answers)) assert.equal(status, 200)
})

test('a reply can be kept for the request it is meant for, sent raw, or end without a reason', async () => {
  const { service, key } = await serviceWithKey()
  await using _ = service
  service.replies.add({ text: 'for the second', match: 'second' })
  assert.notEqual((await chat(service, key, question('first'))).json.choices[0].message.content, 'for the second')
  assert.equal((await chat(service, key, question('second'))).json.choices[0].message.content, 'for the second')

  service.replies.add({ raw: [': keep-alive\n', 'data: {"error":{"message":"no"}}\n\n'] })
  const raw = await chatStream(service, key, question('raw'))
  assert.equal(await raw.text(), ': keep-alive\ndata: {"error":{"message":"no"}}\n\n')

  service.replies.add({ text: 'Half', finishReason: null })
  const events = (await eventsOf(await chatStream(service, key, question('half')))).slice(0, -1)
  assert.equal(
    events.every(event => event.choices[0].finish_reason === null),
    true,
  )
})

test('tokens come at their pace, and stop when the reader leaves', async () => {
  const { service, key } = await serviceWithKey({ tokensPerSecond: 50 })
  await using _ = service
  service.replies.add({ tokens: ['a', 'b', 'c', 'd', 'e'] })
  const began = performance.now()
  await (await chatStream(service, key, question('Slowly'))).text()
  const took = performance.now() - began
  assert.ok(took >= 75, `five tokens at fifty a second took ${took} ms`)

  service.log.clear()
  service.replies.add({ text: 'word '.repeat(1000) })
  const leave = new AbortController()
  const answer = await chatStream(service, key, question('For ever'), leave.signal)
  leave.abort()
  await assert.rejects(answer.text())
  const call = await service.log.until(one => one.durationMs !== undefined)
  assert.equal(call.isAborted, true)
  assert.ok((call.durationMs ?? 0) < 2000, 'not the twenty seconds that the whole answer takes')
  assert.equal(service.slots.open, 0)
})

test('[chat.fields] [chat.tool-history] [inference.model-required] [inference.errors] what is wrong with a request is said in the form of the API', async t => {
  const { service, key } = await serviceWithKey()
  await using _ = service
  const good = question('Hi')
  const call = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }
  const calling = { role: 'assistant', content: null, tool_calls: [call] }
  const messages = (...list: unknown[]) => ({ ...good, messages: list })
  const cases: [string, unknown][] = [
    ['no object', [good]],
    ['no model', { ...good, model: undefined }],
    ['no messages', { ...good, messages: undefined }],
    ['empty messages', messages()],
    ['a message that is a text', messages('Hi')],
    ['an unknown role', messages({ role: 'robot', content: 'Hi' })],
    ['no content', messages({ role: 'user' })],
    ['content null without calls', messages({ role: 'assistant', content: null })],
    ['a part of an unknown kind', messages({ role: 'user', content: [{ type: 'video', text: 'x' }] })],
    ['stream as a text', { ...good, stream: 'yes' }],
    ['stream_options without stream', { ...good, stream_options: { include_usage: true } }],
    ['five stop strings', { ...good, stop: ['1', '2', '3', '4', '5'] }],
    ['an empty stop string', { ...good, stop: '' }],
    ['max_tokens 0', { ...good, max_tokens: 0 }],
    ['max_tokens 1.5', { ...good, max_tokens: 1.5 }],
    ['a temperature of 3', { ...good, temperature: 3 }],
    ['two answers', { ...good, n: 2 }],
    ['a tool without a name', { ...good, tools: [{ type: 'function', function: {} }] }],
    ['a tool with a bad name', { ...good, tools: [{ type: 'function', function: { name: 'a b' } }] }],
    ['a call without an answer', messages({ role: 'user', content: 'x' }, calling)],
    [
      'an answer too late',
      messages(calling, { role: 'user', content: 'x' }, { role: 'tool', tool_call_id: 'call_1', content: '' }),
    ],
    ['an answer to no call', messages({ role: 'tool', tool_call_id: 'call_1', content: 'x' })],
    [
      'arguments as an object',
      messages({ ...calling, tool_calls: [{ ...call, function: { name: 'look', arguments: {} } }] }),
    ],
  ]
  for (const [name, body] of cases)
    await t.test(name, async () => {
      const { status, json } = await chat(service, key, body)
      assert.equal(status, 400)
      assert.deepEqual(Object.keys(json.error), ['message', 'type', 'param', 'code'])
      assert.equal(json.error.type, 'invalid_request_error')
      if (json.error.param) assert.ok(json.error.message.includes(json.error.param), json.error.message)
    })
  const { json } = await chat(service, key, { ...good, temperature: 3, top_p: 'all' })
  assert.equal(json.error.message, "'temperature' must be 2 or less.")
  assert.equal(json.error.param, 'temperature')
  assert.equal(service.slots.open, 0, 'a refused request holds no slot')
})

test('[chat.images] [inference.unknown-fields] everything that is allowed in a request', async () => {
  const { service, key } = await serviceWithKey()
  await using _ = service
  const call = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }
  const { status } = await chat(service, key, {
    model: 'kourier-1-0815',
    messages: [
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Hi' },
          { type: 'image_url', image_url: { url: 'data:,' } },
        ],
      },
      { role: 'assistant', content: '', tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_1', content: 'seen' },
      { role: 'assistant', content: 'Good.' },
      { role: 'user', content: 'Again' },
    ],
    tools: [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }],
    tool_choice: 'auto',
    temperature: 0,
    stop: null,
    max_tokens: null,
    user_field_of_tomorrow: true,
  })
  assert.equal(status, 200)
})

test('reasoning and a refusal have fields of their own', async () => {
  const { service, key } = await serviceWithKey()
  await using _ = service
  const reply = { reasoning: 'Hm, no.', refusal: 'I will not.' }
  service.replies.add(reply, reply)
  const whole = chatCompletion.parse((await chat(service, key, question('Hi'))).json)
  const [choice] = whole.choices
  assert.equal(choice?.message.content, null)
  assert.equal(choice?.message.refusal, 'I will not.')
  assert.equal(choice?.message.reasoning, 'Hm, no.')
  assert.deepEqual(whole.usage['completion_tokens_details'], { reasoning_tokens: 2 })
  const events = (await eventsOf(await chatStream(service, key, question('Hi')))).slice(0, -1)
  const deltas = events.map(event => chatCompletionChunk.parse(event).choices[0]?.delta)
  assert.equal(deltas.map(delta => delta?.reasoning ?? '').join(''), 'Hm, no.')
  assert.equal(deltas.map(delta => delta?.refusal ?? '').join(''), 'I will not.')
})

test('[chat.max-tokens] a limit may cut a tool call in two', async () => {
  const { service, key } = await serviceWithKey()
  await using _ = service
  service.replies.add({ text: 'See:', toolCalls: [{ name: 'look', arguments: { at: 'src/a.ts' } }] })
  const { json } = await chat(service, key, { ...question('Look'), max_tokens: 2 })
  assert.equal(json.choices[0].finish_reason, 'length')
  assert.equal(json.choices[0].message.tool_calls[0].function.arguments, '{"at":"s')
})

test('[chat.images] the demo model says how many images it was given', async () => {
  const { service, key } = await serviceWithKey()
  await using _ = service
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }
  const asked = { role: 'user', content: [{ type: 'text', text: 'What?' }, image, image] }
  const { json } = await chat(service, key, { ...question(''), messages: [asked] })
  assert.match(json.choices[0].message.content, /I was given 2 images\./)
  const bad = { ...image, image_url: { url: 'C:\\cat.png' } }
  const refused = await chat(service, key, { ...question(''), messages: [{ role: 'user', content: [bad] }] })
  assert.match(refused.json.error.message, /'messages\[0\]\.content\[0\]\.image_url\.url' must be a data: or https:/)
})
