// The responses surface, as a client sees it.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { responseObject, responsesEvent } from '../localService/schema/responses.ts'
import { ask, type Json, namedEventsOf, openStream, respond, serviceWithKey } from './caller.ts'

const path = '/v1/responses'
const tools = [{ type: 'function', name: 'look', parameters: { type: 'object' } }]
const sealing = { include: ['reasoning.encrypted_content'], store: false }

const call = (id: string) => ({ type: 'function_call', call_id: id, name: 'look', arguments: '{}' })
const output = (id: string, text: unknown = 'seen') => ({ type: 'function_call_output', call_id: id, output: text })
const user = (content: unknown) => ({ role: 'user', content })

describe('an answer at once', () => {
  it('[responses.whole] [responses.usage] has its text, its state and what it cost', async () => {
    const { service, key } = await serviceWithKey()
    await using _ = service
    service.replies.add({ text: 'Hello, Ada.' })
    const { status, headers, json } = await respond(service, key, ask('Hi', { instructions: 'Be kind.', top_p: 0.5 }))
    assert.equal(status, 200)
    assert.match(headers.get('x-request-id') ?? '', /^req_/)
    const response = responseObject.parse(json)
    assert.match(response.id, /^resp_/)
    assert.equal(response.status, 'completed')
    assert.equal(response['instructions'], 'Be kind.')
    assert.equal(response['top_p'], 0.5)
    assert.equal(response['store'], false)
    const [item] = json.output
    assert.match(item.id, /^msg_/)
    assert.deepEqual(item.content, [{ type: 'output_text', text: 'Hello, Ada.', annotations: [], logprobs: [] }])
    const { input_tokens: input, output_tokens: out, total_tokens: total } = json.usage
    assert.ok(input > 0 && out === 2 && total === input + out)
  })

  it('[responses.tools] has tool calls side by side', async () => {
    const { service, key } = await serviceWithKey()
    await using _ = service
    const toolCalls = [
      { name: 'look', arguments: { at: 'a' } },
      { name: 'look', arguments: '{"half', id: 'mine' },
    ]
    service.replies.add({ text: 'Let me see.', toolCalls })
    const { json } = await respond(service, key, ask('Look', { tools, tool_choice: 'auto' }))
    assert.equal(json.status, 'completed')
    const [text, ...calls] = json.output
    assert.equal(text.content[0].text, 'Let me see.')
    assert.deepEqual(
      calls.map(({ type, call_id, name, arguments: text }: Json) => [type, call_id, name, text]),
      [
        ['function_call', 'call_1', 'look', '{"at":"a"}'],
        ['function_call', 'mine', 'look', '{"half'],
      ],
    )
    assert.equal(new Set(json.output.map((item: Json) => item.id)).size, 3)
    const forced = await respond(service, key, ask('Go', { tools, tool_choice: { type: 'function', name: 'look' } }))
    assert.equal(forced.json.output[0].name, 'look')
  })

  it('[responses.incomplete] ends incomplete at its limit, and by a filter', async () => {
    const { service, key } = await serviceWithKey()
    await using _ = service
    service.replies.add({ tokens: ['one', ' two', ' three'] })
    const cut = (await respond(service, key, ask('Count', { max_output_tokens: 2 }))).json
    assert.deepEqual([cut.status, cut.incomplete_details], ['incomplete', { reason: 'max_output_tokens' }])
    assert.deepEqual([cut.output[0].status, cut.output[0].content[0].text], ['incomplete', 'one two'])
    service.replies.add({ text: 'Hm', finishReason: 'content_filter' })
    const filtered = (await respond(service, key, ask('Hi'))).json
    assert.deepEqual(filtered.incomplete_details, { reason: 'content_filter' })
    service.replies.add({ refusal: 'No.' })
    const refused = (await respond(service, key, ask('Hi'))).json
    assert.deepEqual(refused.output[0].content, [{ type: 'refusal', refusal: 'No.' }])
  })

  it('[responses.images] counts the images it was given', async () => {
    const { service, key } = await serviceWithKey()
    await using _ = service
    const image = { type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'auto' }
    const input = [user([{ type: 'input_text', text: 'What?' }, image])]
    const { status, json } = await respond(service, key, { ...ask(''), input })
    assert.equal(status, 200)
    assert.match(json.output[0].content[0].text, /I was given 1 image\./)
  })
})

describe('an answer as a stream', () => {
  it('[responses.stream] [responses.usage] is typed events in order, without [DONE]', async () => {
    const { service, key } = await serviceWithKey()
    await using _ = service
    service.replies.add({ tokens: ['Zum ', 'Glück'] })
    const events = await namedEventsOf(await openStream(service, key, path, ask('Hi')))
    for (const event of events) responsesEvent.parse(event)
    assert.deepEqual(
      events.map(({ type }) => type),
      [
        'response.created',
        'response.in_progress',
        'response.output_item.added',
        'response.content_part.added',
        'response.output_text.delta',
        'response.output_text.delta',
        'response.output_text.done',
        'response.content_part.done',
        'response.output_item.done',
        'response.completed',
      ],
    )
    assert.deepEqual(
      events.map(event => event.sequence_number),
      events.map((_, index) => index),
    )
    const { response } = events.at(-1)
    assert.equal(response.id, events[0].response.id)
    assert.equal(response.usage.output_tokens, 2)
    assert.deepEqual(response.output, [events.at(-2).item])
    assert.equal(response.output[0].content[0].text, 'Zum Glück')
  })

  it('[responses.tools] [responses.reasoning] has an item for each thought, text and call', async () => {
    const { service, key } = await serviceWithKey()
    await using _ = service
    const toolCalls = [
      { name: 'look', arguments: { at: 'a.ts' } },
      { name: 'list', arguments: '' },
    ]
    service.replies.add({ reasoning: 'Hm, well.', text: 'See:', toolCalls })
    const events = await namedEventsOf(await openStream(service, key, path, ask('Look', { tools, ...sealing })))
    for (const event of events) responsesEvent.parse(event)
    const done = events.filter(({ type }) => type === 'response.output_item.done')
    assert.deepEqual(
      done.map(event => [event.output_index, event.item.type]),
      [
        [0, 'reasoning'],
        [1, 'message'],
        [2, 'function_call'],
        [3, 'function_call'],
      ],
    )
    const added = events.filter(({ type }) => type === 'response.output_item.added')
    assert.deepEqual(
      added.map(event => event.item.id),
      done.map(event => event.item.id),
    )
    const deltas = events.filter(event => event.output_index === 2 && event.type.endsWith('.delta'))
    assert.equal(deltas.map(event => event.delta).join(''), '{"at":"a.ts"}')
    const [thought] = done
    assert.deepEqual(thought.item.summary, [{ type: 'summary_text', text: 'Hm, well.' }])
    assert.equal(typeof thought.item.encrypted_content, 'string')
    assert.deepEqual(
      events.at(-1).response.output,
      done.map(event => event.item),
    )
  })

  it('[responses.incomplete] says at its end that it was cut', async () => {
    const { service, key } = await serviceWithKey()
    await using _ = service
    service.replies.add({ tokens: ['one', ' two'] })
    const events = await namedEventsOf(await openStream(service, key, path, ask('Count', { max_output_tokens: 1 })))
    const end = events.at(-1)
    assert.equal(end.type, 'response.incomplete')
    assert.equal(end.response.incomplete_details.reason, 'max_output_tokens')
    assert.equal(events.at(-2).item.status, 'incomplete')
  })

  it('ends without a last event where a reply has no reason to end, and sends raw pieces as they are', async () => {
    const { service, key } = await serviceWithKey()
    await using _ = service
    service.replies.add({ text: 'Half', finishReason: null })
    const half = await (await openStream(service, key, path, ask('Half'))).text()
    assert.doesNotMatch(half, /response\.(completed|incomplete|failed)/)
    service.replies.add({ raw: ['data: {"error":{"message":"no"}}\n\n'] })
    const raw = await openStream(service, key, path, ask('Raw'))
    assert.equal(await raw.text(), 'data: {"error":{"message":"no"}}\n\n')
  })
})

describe('what is refused', () => {
  const items = (...input: unknown[]) => ({ ...ask(''), input })

  it('[responses.fields] [inference.errors] says which field is wrong, and how', async t => {
    const { service, key } = await serviceWithKey()
    await using _ = service
    const good = ask('Hi')
    const cases: [string, unknown, RegExp][] = [
      ['no object', [good], /^The body must be a JSON object\.$/],
      ['no input', { ...good, input: undefined }, /^'input' is required\.$/],
      ['an input of a wrong type', { ...good, input: 7 }, /^'input' must be a text or a list\.$/],
      ['an unknown item', items({ type: 'photo' }), /^'input\[0\]\.type' must be one of/],
      ['an unknown role', items({ role: 'robot', content: 'x' }), /^'input\[0\]\.role' must be one of 'user'/],
      ['a part of another surface', items(user([{ type: 'text', text: 'x' }])), /^'input\[0\]\.content\[0\]\.type'/],
      ['what the model says, said by the user', items(user([{ type: 'output_text', text: 'x' }])), /'input_text'/],
      [
        'an image that has no address',
        items(user([{ type: 'input_image', image_url: 'x' }])),
        /image_url' must be a data:/,
      ],
      [
        'a tool that is nested',
        { ...good, tools: [{ type: 'function', function: { name: 'x' } }] },
        /tools\[0\]\.name' is required/,
      ],
      [
        'a tool of the service',
        { ...good, tools: [{ type: 'web_search' }] },
        /^'tools\[0\]\.type' must be 'function'\.$/,
      ],
      ['a tool that is not there', { ...good, tools, tool_choice: { type: 'function', name: 'x' } }, /the tool 'x'/],
      ['a forced call without tools', { ...good, tool_choice: 'required' }, /'tool_choice' needs 'tools'/],
      ['max_output_tokens 0', { ...good, max_output_tokens: 0 }, /^'max_output_tokens' must be 1 or more\.$/],
      [
        'an earlier response',
        { ...good, previous_response_id: 'resp_1' },
        /Previous response with id 'resp_1' not found/,
      ],
      ['work in the background', { ...good, background: true }, /'background'/],
      ['stream as a text', { ...good, stream: 'yes' }, /^'stream' must be true or false\.$/],
    ]
    for (const [name, body, words] of cases)
      await t.test(name, async () => {
        const { status, json } = await respond(service, key, body)
        assert.equal(status, 400)
        assert.deepEqual([json.status_code, json.is_bifrost_error], [400, false])
        assert.deepEqual(Object.keys(json.error), ['message', 'type', 'param', 'code'])
        assert.match(json.error.message, words)
      })
    assert.equal(service.slots.open, 0)
  })

  it('[responses.tool-history] wants an output for each call', async t => {
    const { service, key } = await serviceWithKey()
    await using _ = service
    const cases: [string, unknown[], RegExp][] = [
      ['a call without output', [user('Hi'), call('a')], /^No tool output found for function call a\.$/],
      ['one output of two', [user('Hi'), call('a'), call('b'), output('a')], /function call b\./],
      ['an output before its call', [user('Hi'), output('a'), call('a')], /^No tool call found for .* call_id a\.$/],
      ['two outputs of a call', [user('Hi'), call('a'), output('a'), output('a')], /No tool call found/],
      ['a call twice', [user('Hi'), call('a'), output('a'), call('a')], /Duplicate function call/],
    ]
    for (const [name, input, words] of cases)
      await t.test(name, async () => {
        const { status, json } = await respond(service, key, items(...input))
        assert.equal(status, 400)
        assert.match(json.error.message, words)
      })
    const history = [user('Hi'), call('a'), call('b'), output('b'), output('a', [{ type: 'input_text', text: 'x' }])]
    const { status, json } = await respond(service, key, items(...history))
    assert.equal(status, 200)
    assert.match(json.output[0].content[0].text, /The tools answered:\n\n1\. 1 line, 1 byte\n2\. 1 line, 4 bytes/)
  })

  it('[responses.reasoning] takes sealed reasoning back, without an id and unchanged', async () => {
    const { service, key } = await serviceWithKey()
    await using _ = service
    service.replies.add({ reasoning: 'Hm.', text: 'Yes.' }, { reasoning: 'Hm.', text: 'Yes.' })
    const [plain] = (await respond(service, key, ask('Hi'))).json.output
    assert.equal(plain.encrypted_content, undefined, 'only where it was asked for')
    const { output: received } = (await respond(service, key, ask('Hi', sealing))).json
    const { id, ...thought } = received[0]
    const again = async (item: unknown) => respond(service, key, items(user('Hi'), item, received[1], user('Again')))
    assert.equal((await again(thought)).status, 200)
    const withId = await again({ ...thought, id })
    assert.equal(withId.status, 400)
    assert.match(withId.json.error.message, new RegExp(`^Item with id '${id}' not found\\.`))
    const edited = await again({ ...thought, encrypted_content: 'forged' })
    assert.equal(edited.json.error.code, 'invalid_encrypted_content')
    assert.equal((await again({ ...thought, encrypted_content: undefined })).status, 400)
  })
})
