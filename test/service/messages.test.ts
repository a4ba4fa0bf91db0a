// The messages surface, as a client sees it.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { messageObject, messagesEvent } from '../localService/schema/messages.ts'
import { type Json, message, messagesRequest, namedEventsOf, openStream, postJson, serviceWithKey } from './caller.ts'

const path = '/anthropic/v1/messages'

const png = 'iVBORw0KGgo='
const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } }
const tools = [{ name: 'look', description: 'Looks.', input_schema: { type: 'object' } }]

const uses = (...ids: string[]) => ({
  role: 'assistant',
  content: ids.map(id => ({ type: 'tool_use', id, name: 'look', input: {} })),
})
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'seen' })

describe('an answer at once', () => {
  it('[messages.whole] [messages.usage] has its text, its reason and what it cost', async () => {
    const { service, key } = await serviceWithKey()
    await using _ = service
    service.replies.add({ text: 'Hello, Ada.' })
    const { status, headers, json } = await message(service, key, messagesRequest('Hi'))
    assert.equal(status, 200)
    assert.match(headers.get('request-id') ?? '', /^req_/)
    assert.match(json.id, /^msg_/)
    const { id: _id, usage, ...rest } = messageObject.parse(json)
    assert.deepEqual(rest, {
      type: 'message',
      role: 'assistant',
      model: 'kourier-1-0815',
      content: [{ type: 'text', text: 'Hello, Ada.' }],
      stop_reason: 'end_turn',
      stop_sequence: null,
    })
    assert.ok(usage.input_tokens > 0)
    assert.equal(usage.output_tokens, 2)
  })

  it('[messages.both-headers] takes the key in either header', async () => {
    const { service, key } = await serviceWithKey()
    await using _ = service
    const send = async (headers: Record<string, string>) =>
      (await postJson(service.baseUrl + path, messagesRequest('Hi'), headers)).status
    assert.equal(await send({ 'x-api-key': key }), 200)
    assert.equal(await send({ authorization: `Bearer ${key}` }), 200)
    assert.equal(await send({ authorization: `Bearer ${key}`, 'x-api-key': 'another' }), 200)
    assert.equal(await send({ 'x-api-key': 'sk-bf-nobody' }), 401)
    assert.equal(await send({}), 401)
  })

  it('[messages.tools] has text and tool calls side by side, with their input as an object', async () => {
    const { service, key } = await serviceWithKey()
    await using _ = service
    const toolCalls = [
      { name: 'look', arguments: { at: 'a' } },
      { name: 'look', arguments: '', id: 'toolu_mine' },
    ]
    service.replies.add({ text: 'Let me see.', toolCalls })
    const { json } = await message(service, key, messagesRequest('Look', { tools }))
    assert.equal(json.stop_reason, 'tool_use')
    assert.deepEqual(json.content, [
      { type: 'text', text: 'Let me see.' },
      { type: 'tool_use', id: 'call_1', name: 'look', input: { at: 'a' } },
      { type: 'tool_use', id: 'toolu_mine', name: 'look', input: {} },
    ])
  })

  it('[messages.stop-reason] [messages.max-tokens] says why it ended', async () => {
    const { service, key } = await serviceWithKey()
    await using _ = service
    const tokens = ['one', ' two', ' three']
    const end = async (reply: object, fields: object = {}) => {
      service.replies.add({ tokens, ...reply })
      const { json } = await message(service, key, messagesRequest('Count', fields))
      return [json.stop_reason, json.stop_sequence, json.content[0]?.text]
    }
    assert.deepEqual(await end({}), ['end_turn', null, 'one two three'])
    assert.deepEqual(await end({}, { max_tokens: 2 }), ['max_tokens', null, 'one two'])
    assert.deepEqual(await end({}, { stop_sequences: ['zzz', ' two'] }), ['stop_sequence', ' two', 'one'])
    assert.deepEqual(await end({ finishReason: 'content_filter' }), ['refusal', null, 'one two three'])
    assert.deepEqual(await end({ tokens: [], refusal: 'No.' }), ['refusal', null, 'No.'])
    assert.deepEqual(await end({ finishReason: 'pause_turn' }), ['pause_turn', null, 'one two three'])
  })

  it('[messages.images] counts the images it was given', async () => {
    const { service, key } = await serviceWithKey()
    await using _ = service
    const asked = { role: 'user', content: [image, { type: 'text', text: 'What is this?' }, image] }
    const { status, json } = await message(service, key, { ...messagesRequest(''), messages: [asked] })
    assert.equal(status, 200)
    assert.match(json.content[0].text, /I was given 2 images\./)
    const { usage } = (await message(service, key, messagesRequest('What is this?'))).json
    assert.ok(json.usage.input_tokens > usage.input_tokens + 1000, 'images cost tokens')
  })

  it('the demo model calls a tool where it is made to, with arguments that its schema allows', async () => {
    const { service, key } = await serviceWithKey()
    await using _ = service
    const properties = { at: { type: 'string' }, deep: { type: 'integer', minimum: 3 }, way: { enum: ['x', 'y'] } }
    const input_schema = { type: 'object', properties, required: ['at', 'deep', 'way'] }
    const asked = messagesRequest('Go', { tools: [...tools, { name: 'dig', input_schema }] })
    const { json } = await message(service, key, { ...asked, tool_choice: { type: 'tool', name: 'dig' } })
    assert.deepEqual(json.content, [
      { type: 'tool_use', id: 'call_1', name: 'dig', input: { at: 'sample', deep: 3, way: 'x' } },
    ])
    const any = await message(service, key, { ...asked, tool_choice: { type: 'any' } })
    assert.equal(any.json.content[0].name, 'look')
    assert.equal((await message(service, key, asked)).json.stop_reason, 'end_turn')
  })
})

describe('an answer as a stream', () => {
  it('[messages.stream] [messages.usage] goes from message_start to message_stop, block after block', async () => {
    const { service, key } = await serviceWithKey()
    await using _ = service
    const toolCalls = [
      { name: 'look', arguments: { at: 'a.ts' } },
      { name: 'list', arguments: '' },
    ]
    service.replies.add({ reasoning: 'Hm, well.', tokens: ['Let ', 'me.'], toolCalls })
    const answer = await openStream(service, key, path, messagesRequest('Look'))
    assert.match(answer.headers.get('request-id') ?? '', /^req_/)
    const events = await namedEventsOf(answer)
    for (const event of events) messagesEvent.parse(event)
    const [{ message: head }] = events
    assert.equal(head.content.length, 0)
    assert.ok(head.usage.input_tokens > 0)
    assert.deepEqual(
      events.map(({ type, index, content_block, delta }) => [type, index, content_block?.type ?? delta?.type]),
      [
        ['message_start', undefined, undefined],
        ['ping', undefined, undefined],
        ['content_block_start', 0, 'thinking'],
        ['content_block_delta', 0, 'thinking_delta'],
        ['content_block_delta', 0, 'thinking_delta'],
        ['content_block_delta', 0, 'signature_delta'],
        ['content_block_stop', 0, undefined],
        ['content_block_start', 1, 'text'],
        ['content_block_delta', 1, 'text_delta'],
        ['content_block_delta', 1, 'text_delta'],
        ['content_block_stop', 1, undefined],
        ['content_block_start', 2, 'tool_use'],
        ['content_block_delta', 2, 'input_json_delta'],
        ['content_block_delta', 2, 'input_json_delta'],
        ['content_block_stop', 2, undefined],
        ['content_block_start', 3, 'tool_use'],
        ['content_block_delta', 3, 'input_json_delta'],
        ['content_block_stop', 3, undefined],
        ['message_delta', undefined, undefined],
        ['message_stop', undefined, undefined],
      ],
    )
    const deltas = (index: number) => events.flatMap(event => (event.index === index && event.delta) || [])
    assert.equal(
      deltas(2)
        .map(delta => delta.partial_json)
        .join(''),
      '{"at":"a.ts"}',
    )
    const end = events.at(-2)
    assert.deepEqual(end.delta, { stop_reason: 'tool_use', stop_sequence: null })
    assert.equal(end.usage.output_tokens, 7)
  })

  it('waits at a gate, ends without a reason where a reply has none, and sends raw pieces as they are', async () => {
    const { service, key } = await serviceWithKey()
    await using _ = service
    service.replies.add({ tokens: ['a', 'b'] })
    const gate = service.replies.hold(1)
    const answer = await openStream(service, key, path, messagesRequest('Wait'))
    await gate.reached
    assert.equal(service.slots.open, 1)
    gate.release()
    assert.match(await answer.text(), /message_stop/)
    assert.equal(service.slots.open, 0)
    service.replies.add({ text: 'Half', finishReason: null })
    const half = await (await openStream(service, key, path, messagesRequest('Half'))).text()
    assert.doesNotMatch(half, /message_delta|message_stop/)
    service.replies.add({ raw: [': keep-alive\n', 'event: ping\ndata: {"type":"ping"}\n\n'] })
    const raw = await openStream(service, key, path, messagesRequest('Raw'))
    assert.equal(await raw.text(), ': keep-alive\nevent: ping\ndata: {"type":"ping"}\n\n')
  })
})

describe('what is refused', () => {
  const user = (content: unknown) => ({ role: 'user', content })
  const hello = user('Hi')
  const history = (...messages: unknown[]) => ({ ...messagesRequest(''), messages })

  it('[messages.fields] [messages.max-tokens] [inference.errors] says which field is wrong, and how', async t => {
    const { service, key } = await serviceWithKey()
    await using _ = service
    const good = messagesRequest('Hi')
    const cases: [string, unknown, RegExp][] = [
      ['no object', [good], /^The body must be a JSON object\.$/],
      ['no max_tokens', { ...good, max_tokens: undefined }, /^'max_tokens' is required\.$/],
      ['max_tokens 0', { ...good, max_tokens: 0 }, /^'max_tokens' must be 1 or more\.$/],
      ['no model', { ...good, model: undefined }, /^'model' is required\.$/],
      ['no messages', { ...good, messages: [] }, /^'messages' must not be empty\.$/],
      ['a system message', history({ role: 'system', content: 'x' }), /^'messages\[0\]\.role' must be one of 'user'/],
      ['content of a wrong type', history(user(7)), /^'messages\[0\]\.content' must be a text or a list\.$/],
      ['an unknown block', history(user([{ type: 'video' }])), /^'messages\[0\]\.content\[0\]\.type' must be one of/],
      [
        'an image that is no image',
        history(user([{ ...image, source: { ...image.source, media_type: 'text/plain' } }])),
        /source\.media_type' must be one of 'image\/jpeg'/,
      ],
      [
        'input as a text',
        history(hello, { role: 'assistant', content: [{ ...uses('a').content[0], input: '{}' }] }),
        /input' must be a JSON object/,
      ],
      ['a tool without a schema', { ...good, tools: [{ name: 'x' }] }, /^'tools\[0\]\.input_schema' is required\.$/],
      ['a tool choice without tools', { ...good, tool_choice: { type: 'any' } }, /tool_choice/],
      ['a tool that is not there', { ...good, tools, tool_choice: { type: 'tool', name: 'x' } }, /Tool 'x' not found/],
      ['a warm temperature', { ...good, temperature: 1.5 }, /^'temperature' must be 1 or less\.$/],
      ['a blank stop sequence', { ...good, stop_sequences: [' '] }, /^'stop_sequences\[0\]' must not be blank\.$/],
      ['stream as a text', { ...good, stream: 'yes' }, /^'stream' must be true or false\.$/],
      ['a thread that is kept', { ...good, thread: { type: 'create' } }, /nothing is stored here/],
    ]
    for (const [name, body, words] of cases)
      await t.test(name, async () => {
        const { status, headers, json } = await message(service, key, body)
        assert.equal(status, 400)
        assert.deepEqual(Object.keys(json), ['type', 'error', 'request_id'])
        assert.equal(json.type, 'error')
        assert.equal(json.error.type, 'invalid_request_error')
        assert.equal(json.request_id, headers.get('request-id'))
        assert.match(json.error.message, words)
      })
    assert.equal(service.slots.open, 0)
  })

  it('[messages.tool-history] holds the history to the rules of the API', async t => {
    const { service, key } = await serviceWithKey()
    await using _ = service
    const thinking = { type: 'thinking', thinking: 'Hm.', signature: 'forged' }
    const cases: [string, unknown[], RegExp][] = [
      ['an assistant first', [{ role: 'assistant', content: 'x' }, hello], /first message must use the "user" role/],
      ['empty content', [user(''), hello], /messages\.0: all messages must have non-empty content/],
      ['an empty block', [user([{ type: 'text', text: '' }])], /text content blocks must be non-empty/],
      ['a blank block', [user([{ type: 'text', text: ' \n' }])], /must contain non-whitespace text/],
      [
        'a prefill with a blank end',
        [hello, { role: 'assistant', content: 'x ' }],
        /cannot end with trailing whitespace/,
      ],
      ['a call at the end', [hello, uses('a')], /^messages\.1: `tool_use` ids were found without `tool_result`.*: a\./],
      ['one result of two', [hello, uses('a', 'b'), user([result('a')])], /^messages\.1: .* immediately after: b\./],
      ['a text before the result', [hello, uses('a'), user([{ type: 'text', text: 'x' }, result('a')])], /after: a\./],
      ['a result too late', [hello, uses('a'), hello, uses('b'), user([result('a')])], /after: a\./],
      [
        'a result of no call',
        [hello, uses('a'), user([result('a'), result('b')])],
        /^messages\.2\.content\.1: unexpected `tool_use_id`/,
      ],
      ['two results of a call', [hello, uses('a'), user([result('a'), result('a')])], /must have a single result/],
      ['an id twice', [hello, uses('a'), user([result('a')]), uses('a'), user([result('a')])], /ids must be unique/],
      ['an edited thought', [hello, { role: 'assistant', content: [thinking] }, hello], /Invalid `signature`/],
    ]
    for (const [name, messages, words] of cases)
      await t.test(name, async () => {
        const { status, json } = await message(service, key, history(...messages))
        assert.equal(status, 400)
        assert.match(json.error.message, words)
      })
  })

  it('[messages.tool-history] takes results in one turn, also where it came in two messages', async () => {
    const { service, key } = await serviceWithKey()
    await using _ = service
    const calls = uses('a', 'b')
    const after = { type: 'text', text: 'And?' }
    const inOne = history(hello, calls, user([result('a'), { ...result('b'), is_error: true }, after]))
    assert.equal((await message(service, key, inOne)).status, 200)
    const inTwo = history(hello, calls, user([result('b')]), user([{ ...result('a'), content: [image] }]), hello)
    const { status, json } = await message(service, key, inTwo)
    assert.equal(status, 200)
    assert.match(json.content[0].text, /> Hi/)
  })

  it('takes its own thoughts back, and gives later calls ids of their own', async () => {
    const { service, key } = await serviceWithKey()
    await using _ = service
    const call = { reasoning: 'Hm.', toolCalls: [{ name: 'look', arguments: {} }] }
    service.replies.add(call, call)
    const first = (await message(service, key, messagesRequest('Look', { tools }))).json
    assert.deepEqual(
      first.content.map((block: Json) => block.type),
      ['thinking', 'tool_use'],
    )
    const next = history(hello, { role: 'assistant', content: first.content }, user([result(first.content[1].id)]))
    const second = await message(service, key, next)
    assert.equal(second.status, 200)
    assert.equal(second.json.content[1].id, 'call_2')
  })

  it('[inference.errors] gives each status the type that belongs to it', async () => {
    const { service, key } = await serviceWithKey({ limits: { pro: 0 } })
    await using _ = service
    const typeOf = async (headers: Record<string, string>, at = path) => {
      const { status, json, headers: got } = await postJson(service.baseUrl + at, messagesRequest('Hi'), headers)
      return [status, json.error.type, got.has('www-authenticate')]
    }
    assert.deepEqual(await typeOf({}), [401, 'authentication_error', true])
    assert.deepEqual(await typeOf({ 'x-api-key': 'x' }), [401, 'authentication_error', true])
    assert.deepEqual(await typeOf({ 'x-api-key': key }), [429, 'rate_limit_error', false])
    assert.deepEqual(await typeOf({ 'x-api-key': key }, '/anthropic/v1/x'), [404, 'not_found_error', false])
    service.slots.limits.pro = 3
    const other = await message(service, key, messagesRequest('Hi', { model: 'other' }))
    assert.deepEqual([other.status, other.json.error.type], [403, 'permission_error'])
    service.state.accounts.of('ada@example.com').plan = 'free'
    assert.deepEqual(await typeOf({ 'x-api-key': key }), [403, 'permission_error', false])
  })
})
