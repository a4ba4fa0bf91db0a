// Responses and messages in front of a server that speaks chat completions only.
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { describe, it } from 'node:test'
import { messagesEvent } from '../localService/schema/messages.ts'
import { responsesEvent } from '../localService/schema/responses.ts'
import {
  ask,
  chat,
  type Json,
  message,
  messagesRequest,
  namedEventsOf,
  openStream,
  question,
  respond,
  serviceWithKey,
} from './caller.ts'
import { chunk, composedUpstream, done, finish, streaming } from './composedUpstream.ts'

const chatPath = '/v1/chat/completions'
const responsesPath = '/v1/responses'
const messagesPath = '/anthropic/v1/messages'

const upstreamKey = 'up-key-0815'

async function pair(silenceMs?: number) {
  const upstream = await composedUpstream()
  const { service, key } = await serviceWithKey({
    upstream: {
      url: upstream.url,
      model: 'other-7b',
      key: upstreamKey,
      ...(silenceMs === undefined ? {} : { silenceMs }),
    },
  })
  const close = async () => {
    await service.close()
    await upstream[Symbol.asyncDispose]()
  }
  return { upstream, service, key, [Symbol.asyncDispose]: close }
}

const usage = { prompt_tokens: 20, completion_tokens: 5, total_tokens: 40, prompt_tokens_details: { cached_tokens: 8 } }

const completion =
  (fields: object, reason = 'stop') =>
  (outgoing: ServerResponse) => {
    outgoing.writeHead(200, { 'content-type': 'application/json' })
    const choices = [{ index: 0, message: { role: 'assistant', ...fields }, finish_reason: reason }]
    outgoing.end(JSON.stringify({ id: 'x', object: 'chat.completion', model: 'other-7b', choices, usage }))
  }

const calls = [
  { id: 'a', type: 'function', function: { name: 'look', arguments: '{"at":"x"}' } },
  { id: 'b', type: 'function', function: { name: 'list', arguments: '' } },
]

const picture = 'iVBORw0KGgo='
const pictureUrl = `data:image/png;base64,${picture}`

describe('an answer at once', () => {
  it('[upstream.responses] [upstream.tools] becomes a response', async () => {
    await using both = await pair()
    both.upstream.answers.push(completion({ content: 'See:', tool_calls: calls, reasoning: 'Hm.' }, 'tool_calls'))
    const { status, json } = await respond(both.service, both.key, ask('Look'))
    assert.equal(status, 200)
    assert.equal(json.model, 'kourier-1-0815')
    assert.deepEqual(
      json.output.map((item: Json) => [item.type, item.call_id, item.arguments]),
      [
        ['reasoning', undefined, undefined],
        ['message', undefined, undefined],
        ['function_call', 'a', '{"at":"x"}'],
        ['function_call', 'b', ''],
      ],
    )
    assert.deepEqual([json.usage.input_tokens, json.usage.total_tokens], [20, 40])
    assert.equal(json.usage.input_tokens_details.cached_tokens, 8)
    both.upstream.answers.push(completion({ content: 'Hal' }, 'length'))
    assert.equal((await respond(both.service, both.key, ask('Look'))).json.status, 'incomplete')
  })

  it('[upstream.messages] [upstream.tools] becomes a message', async () => {
    await using both = await pair()
    both.upstream.answers.push(completion({ content: 'See:', tool_calls: calls }, 'tool_calls'))
    const { status, json } = await message(both.service, both.key, messagesRequest('Look'))
    assert.equal(status, 200)
    assert.equal(json.model, 'kourier-1-0815')
    assert.equal(json.stop_reason, 'tool_use')
    assert.deepEqual(json.content, [
      { type: 'text', text: 'See:' },
      { type: 'tool_use', id: 'a', name: 'look', input: { at: 'x' } },
      { type: 'tool_use', id: 'b', name: 'list', input: {} },
    ])
    assert.deepEqual(json.usage, {
      input_tokens: 12,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 8,
      output_tokens: 5,
    })
    both.upstream.answers.push(completion({ content: 'Hal' }, 'length'))
    assert.equal((await message(both.service, both.key, messagesRequest('Look'))).json.stop_reason, 'max_tokens')
  })
})

describe('a request', () => {
  const parameters = { type: 'object', properties: { at: { type: 'string' } } }
  const inChatForm = {
    tools: [{ type: 'function', function: { name: 'look', description: 'Looks.', parameters } }],
    called: [{ id: 'a', type: 'function', function: { name: 'look', arguments: '{"at":"x"}' } }],
  }

  it('[upstream.messages] [upstream.tools] of the messages surface becomes one of chat completions', async () => {
    await using both = await pair()
    both.upstream.answers.push(completion({ content: 'Yes.' }))
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: picture } }
    const { status } = await message(both.service, both.key, {
      model: 'kourier-1-0815',
      max_tokens: 50,
      system: [
        { type: 'text', text: 'Be brief.' },
        { type: 'text', text: 'Be kind.' },
      ],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'What is it?' }, image] },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'Let me look.' },
            { type: 'tool_use', id: 'a', name: 'look', input: { at: 'x' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'seen' }, image] },
            { type: 'text', text: 'And?' },
          ],
        },
      ],
      tools: [{ name: 'look', description: 'Looks.', input_schema: parameters }],
      tool_choice: { type: 'tool', name: 'look', disable_parallel_tool_use: true },
      stop_sequences: ['END'],
      temperature: 0.5,
    })
    assert.equal(status, 200)
    assert.deepEqual(both.upstream.asked, [
      {
        model: 'other-7b',
        messages: [
          { role: 'system', content: 'Be brief.\n\nBe kind.' },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'What is it?' },
              { type: 'image_url', image_url: { url: pictureUrl } },
            ],
          },
          { role: 'assistant', content: 'Let me look.', tool_calls: inChatForm.called },
          { role: 'tool', tool_call_id: 'a', content: 'seen' },
          { role: 'user', content: [{ type: 'image_url', image_url: { url: pictureUrl } }] },
          { role: 'user', content: 'And?' },
        ],
        max_tokens: 50,
        stop: ['END'],
        tools: inChatForm.tools,
        tool_choice: { type: 'function', function: { name: 'look' } },
        temperature: 0.5,
        parallel_tool_calls: false,
      },
    ])
  })

  it('[upstream.responses] [upstream.tools] of the responses surface becomes one of chat completions', async () => {
    await using both = await pair()
    both.upstream.answers.push(streaming(chunk({ content: 'Yes.' }), finish('stop'), done))
    const schema = { name: 'answer', schema: { type: 'object' }, strict: true }
    const answer = await openStream(both.service, both.key, responsesPath, {
      model: 'kourier-1-0815',
      instructions: 'Be brief.',
      input: [
        { role: 'developer', content: 'Be kind.' },
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'Hi' },
            { type: 'input_image', image_url: pictureUrl },
          ],
        },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Let me look.' }] },
        { type: 'function_call', call_id: 'a', name: 'look', arguments: '{"at":"x"}' },
        { role: 'user', content: 'Quickly.' },
        { type: 'function_call_output', call_id: 'a', output: 'seen' },
      ],
      tools: [{ type: 'function', name: 'look', description: 'Looks.', parameters }],
      tool_choice: 'required',
      max_output_tokens: 50,
      text: { format: { type: 'json_schema', ...schema } },
      reasoning: { effort: 'low' },
    })
    assert.equal(answer.status, 200)
    await answer.text()
    assert.deepEqual(both.upstream.asked, [
      {
        model: 'other-7b',
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'system', content: 'Be kind.' },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'Hi' },
              { type: 'image_url', image_url: { url: pictureUrl } },
            ],
          },
          { role: 'assistant', content: 'Let me look.', tool_calls: inChatForm.called },
          { role: 'tool', tool_call_id: 'a', content: 'seen' },
          { role: 'user', content: 'Quickly.' },
        ],
        stream: true,
        stream_options: { include_usage: true },
        max_tokens: 50,
        tools: inChatForm.tools,
        tool_choice: 'required',
        reasoning_effort: 'low',
        response_format: { type: 'json_schema', json_schema: schema },
      },
    ])
  })
})

describe('texts', () => {
  const text = (words: string) => ({ type: 'text', text: words })

  it('[upstream.messages] stay apart: messages by a blank line, blocks by a line', async () => {
    await using both = await pair()
    both.upstream.answers.push(completion({ content: 'Yes.' }))
    const messages = [
      { role: 'user', content: 'hello' },
      { role: 'user', content: [text('hello again'), text('second block')] },
      { role: 'assistant', content: [text('One.'), text('Two.')] },
      { role: 'assistant', content: 'Three.' },
      { role: 'user', content: 'Go' },
    ]
    assert.equal((await message(both.service, both.key, { ...messagesRequest(''), messages })).status, 200)
    assert.deepEqual(both.upstream.asked[0].messages, [
      { role: 'user', content: 'hello\n\nhello again\nsecond block' },
      { role: 'assistant', content: 'One.\nTwo.\n\nThree.' },
      { role: 'user', content: 'Go' },
    ])
  })

  it('[upstream.responses] stay apart: parts by a line, items as messages', async () => {
    await using both = await pair()
    both.upstream.answers.push(completion({ content: 'Yes.' }))
    const parts = ['hello', 'second part'].map(words => ({ type: 'input_text', text: words }))
    const input = [
      { role: 'user', content: parts },
      { role: 'user', content: 'hello again' },
    ]
    assert.equal((await respond(both.service, both.key, { ...ask(''), input })).status, 200)
    assert.deepEqual(both.upstream.asked[0].messages, [
      { role: 'user', content: 'hello\nsecond part' },
      { role: 'user', content: 'hello again' },
    ])
  })

  it('[upstream.tools] of a failed call say that it failed', async () => {
    await using both = await pair()
    const results: [unknown, string][] = [
      ['boom', 'Error: boom'],
      ['ERROR 7', 'ERROR 7'],
      [[text('boom'), text('bang')], 'Error: boom\nbang'],
      [undefined, 'Error'],
    ]
    for (const [content, expected] of results) {
      both.upstream.answers.push(completion({ content: 'Sorry.' }))
      const messages = [
        { role: 'user', content: 'Look' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'look', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content, is_error: true }] },
      ]
      assert.equal((await message(both.service, both.key, { ...messagesRequest(''), messages })).status, 200)
      assert.deepEqual(both.upstream.asked.at(-1).messages.at(-1), {
        role: 'tool',
        tool_call_id: 'a',
        content: expected,
      })
    }
  })
})

/** The content of a stream of messages, put together. */
function contentIn(events: readonly Json[]) {
  const blocks: Json[] = []
  for (const { type, index, content_block: block, delta } of events) {
    if (type === 'content_block_start') blocks[index] = { type: block.type, id: block.id, content: '' }
    if (type === 'content_block_delta')
      blocks[index].content += delta.text ?? delta.partial_json ?? delta.thinking ?? ''
  }
  return blocks.map(({ type, id, content }) => (id === undefined ? [type, content] : [type, id, content]))
}

describe('a stream', () => {
  const call = (fields: object, called: object) => chunk({ tool_calls: [{ ...fields, function: called }] })

  it('[upstream.messages] [upstream.responses] is translated, whatever its framing', async () => {
    await using both = await pair()
    const bytes =
      ': keep-alive\ndata: {"choices":[],"usage":null}\n\n' +
      chunk({ role: 'assistant', content: '' }) +
      chunk({ reasoning_content: 'Hm.', reasoning: 'Hm.' }) +
      chunk({ content: 'Grüße 🎈' }) +
      finish('stop') +
      `data: ${JSON.stringify({ choices: [], usage })}\n\n`
    const forms: [string, readonly string[]][] = [
      ['as it should be', [bytes + done]],
      ['with CRLF', [(bytes + done).replaceAll('\n', '\r\n')]],
      ['with CR alone', [(bytes + done).replaceAll('\n', '\r')]],
      ['without an end signal', [bytes]],
      ['with a byte order mark, and without the last blank line', [`\uFEFF${bytes}data: [DONE]`]],
      ['in small pieces', [...(bytes + done)]],
    ]
    for (const [name, chunks] of forms) {
      both.upstream.answers.push(streaming(...chunks), streaming(...chunks))
      const messagesEvents = await namedEventsOf(
        await openStream(both.service, both.key, messagesPath, messagesRequest('Hi')),
      )
      for (const event of messagesEvents) messagesEvent.parse(event)
      assert.deepEqual(
        contentIn(messagesEvents),
        [
          ['thinking', 'Hm.'],
          ['text', 'Grüße 🎈'],
        ],
        name,
      )
      assert.deepEqual(
        [messagesEvents.at(-2).delta.stop_reason, messagesEvents.at(-2).usage.output_tokens],
        ['end_turn', 5],
        name,
      )
      const events = await namedEventsOf(await openStream(both.service, both.key, responsesPath, ask('Hi')))
      for (const event of events) responsesEvent.parse(event)
      const { type, response } = events.at(-1)
      assert.deepEqual([type, response.usage.output_tokens], ['response.completed', 5], name)
      assert.equal(response.output[1].content[0].text, 'Grüße 🎈', name)
    }
  })

  it('[upstream.tools] has its tool calls told one after the other, however they came', async t => {
    await using both = await pair()
    const expected = [
      ['tool_use', 'a', '{"at":1}'],
      ['tool_use', 'b', '{"at":2}'],
    ]
    const cases: [string, string[]][] = [
      [
        'by index, in pieces',
        [
          call({ index: 0, id: 'a' }, { name: 'f', arguments: '' }),
          call({ index: 0 }, { arguments: '{"at"' }),
          call({ index: 0 }, { arguments: ':1}' }),
          call({ index: 1, id: 'b' }, { name: 'f', arguments: '{"at":2}' }),
        ],
      ],
      [
        'mixed',
        [
          call({ index: 0, id: 'a' }, { name: 'f', arguments: '{"at"' }),
          call({ index: 1, id: 'b' }, { name: 'f', arguments: '{"a' }),
          call({ index: 0, id: '' }, { arguments: ':1}' }),
          call({ index: 1, id: null }, { arguments: 't":2}' }),
        ],
      ],
      [
        'by id, without an index',
        [
          call({ id: 'a' }, { name: 'f', arguments: '{"at":1}' }),
          call({ id: 'b' }, { name: 'f', arguments: '{"at":2}' }),
        ],
      ],
      [
        'all with one index',
        [
          call({ index: 0, id: 'a' }, { name: 'f', arguments: '{"at":1}' }),
          call({ index: 0, id: 'b' }, { name: 'f', arguments: '{"at":2}' }),
        ],
      ],
      [
        'with arguments as objects, and counted from one',
        [
          call({ index: 1, id: 'a' }, { name: 'f', arguments: { at: 1 } }),
          call({ index: 2, id: 'b' }, { name: 'f', arguments: { at: 2 } }),
        ],
      ],
    ]
    for (const [name, chunks] of cases)
      await t.test(name, async () => {
        // "stop" although there are calls: some servers send that.
        both.upstream.answers.push(streaming(...chunks, finish('stop'), done))
        const events = await namedEventsOf(
          await openStream(both.service, both.key, messagesPath, messagesRequest('Go')),
        )
        assert.deepEqual(
          contentIn(events).map(([type, id, content]) => [type, id, JSON.stringify(JSON.parse(content))]),
          expected,
        )
        assert.equal(events.at(-2).delta.stop_reason, 'tool_use')
      })
  })

  it('[upstream.chat] goes through event by event, and gets the end signal that it lacked', async () => {
    await using both = await pair()
    const odd = ': OPENROUTER PROCESSING\r\n\r\ndata:{"model":"other-7b","provider":"x","choices":[]}\r\n\r\n'
    both.upstream.answers.push(streaming(odd, finish('stop')))
    const text = await (await openStream(both.service, both.key, chatPath, question('Hi'))).text()
    assert.match(text, /^:.*OPENROUTER PROCESSING\n\n/)
    assert.match(text, /^data: \{"model":"kourier-1-0815","provider":"x","choices":\[\]\}$/m)
    assert.match(text, /data: \[DONE\]\n\n$/)
  })

  it('[upstream.tools] has ids that the surface takes back', async () => {
    await using both = await pair()
    const first = call({ index: 0, id: 'functions.look:0' }, { name: 'look', arguments: '{}' })
    both.upstream.answers.push(streaming(first, finish('tool_calls')), completion({ content: 'Good.' }))
    const events = await namedEventsOf(await openStream(both.service, both.key, messagesPath, messagesRequest('Look')))
    const id = contentIn(events)[0]?.[1]
    const messages = [
      { role: 'user', content: 'Look' },
      { role: 'assistant', content: [{ type: 'tool_use', id, name: 'look', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'seen' }] },
    ]
    assert.equal((await message(both.service, both.key, { ...messagesRequest(''), messages })).status, 200)
    const [, called, answered] = both.upstream.asked[1].messages
    assert.equal(called.tool_calls[0].id, answered.tool_call_id)
  })

  it('comes also from a server that answers at once, and at once from one that streams', async () => {
    await using both = await pair()
    both.upstream.answers.push(completion({ content: 'All.' }), streaming(chunk({ content: 'All.' }), finish('stop')))
    const events = await namedEventsOf(await openStream(both.service, both.key, messagesPath, messagesRequest('Hi')))
    assert.deepEqual(contentIn(events), [['text', 'All.']])
    assert.equal((await message(both.service, both.key, messagesRequest('Hi'))).json.content[0].text, 'All.')
  })
})

describe('what goes wrong', () => {
  const refusing =
    (status: number, body: string, headers: Record<string, string> = {}) =>
    (outgoing: ServerResponse) =>
      outgoing.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)

  const fastApi = JSON.stringify({ detail: [{ loc: ['body', 'messages'], msg: 'Field required' }, { msg: 'Odd.' }] })

  it('[upstream.errors] before the answer comes as an error of the surface', async t => {
    await using both = await pair()
    const cases: [string, (outgoing: ServerResponse) => void, number, string, RegExp][] = [
      ['a refusal', refusing(400, '{"error":{"message":"Too odd."}}'), 400, 'invalid_request_error', /^Too odd\.$/],
      ['in another form', refusing(422, '{"detail":"Odd."}'), 422, 'invalid_request_error', /^Odd\.$/],
      ['its limit', refusing(429, '{}', { 'retry-after': '9' }), 429, 'rate_limit_error', /refused/],
      ['a list', refusing(422, fastApi), 422, 'invalid_request_error', /^body\.messages: Field required; Odd\.$/],
      ['its key', refusing(401, `{"error":"no:\\n${upstreamKey}"}`), 502, 'api_error', /answered 401: no: \[key\]$/],
      ['its gate', refusing(403, '{"message":"Not you."}'), 502, 'api_error', /answered 403: Not you\.$/],
      ['its model', refusing(404, '{"error":{"message":"No up."}}'), 502, 'api_error', /answered 404: No up\.$/],
      ['a plain text', refusing(404, 'No up.\n', { 'content-type': 'text/plain' }), 502, 'api_error', /404: No up\.$/],
      ['no words', refusing(404, '{}'), 502, 'api_error', /answered 404\.$/],
      ['many words', refusing(500, JSON.stringify('x'.repeat(999))), 502, 'api_error', /answered 500: x{299}…$/],
      ['no choice', refusing(200, '{"choices":[]}'), 502, 'api_error', /broke off|answered nothing/],
      ['a page', refusing(200, '<html>', { 'content-type': 'text/html' }), 502, 'api_error', /JSON/],
      ['nothing said', completion({ content: '' }, ''), 502, 'api_error', /broke off/],
      ['an error with status 200', refusing(200, '{"error":{"message":"Full."}}'), 502, 'api_error', /^Full\.$/],
      ['hung up', outgoing => outgoing.destroy(), 502, 'api_error', /cannot be reached/],
    ]
    for (const [name, answer, status, type, words] of cases)
      await t.test(name, async () => {
        both.upstream.answers.push(answer, answer)
        const messages = await message(both.service, both.key, messagesRequest('Hi'))
        assert.deepEqual([messages.status, messages.json.type, messages.json.error.type], [status, 'error', type])
        assert.match(messages.json.error.message, words)
        const responses = await respond(both.service, both.key, ask('Hi'))
        assert.equal(responses.status, status)
        assert.match(responses.json.error.message, words)
        assert.equal(responses.headers.get('retry-after'), status === 429 ? '9' : null)
        if (name === 'nothing said') return
        both.upstream.answers.push(answer)
        const chatted = await chat(both.service, both.key, question('Hi'))
        assert.equal(chatted.status, status)
        assert.match(chatted.json.error.message, words)
      })
    assert.equal(both.service.slots.open, 0)
  })

  it('[upstream.errors] in the stream is told in it, in the form of the surface', async t => {
    await using both = await pair()
    const begun = chunk({ content: 'Half' })
    const cases: [string, (outgoing: ServerResponse) => void, string, RegExp][] = [
      ['a break', outgoing => streamThenBreak(outgoing, begun), 'api_error', /broke off/],
      ['an end without a reason', streaming(begun), 'api_error', /broke off/],
      ['an error', streaming(begun, 'data: {"error":{"message":"Dead."}}\n\n'), 'api_error', /Dead\./],
      ['wrapped', streaming(begun, 'data: {"error":{"error":{"message":"Dead."}}}\n\n'), 'api_error', /Dead\./],
      ['its key', streaming(begun, `data: {"error":"No ${upstreamKey}"}\n\n`), 'api_error', /No \[key\]/],
      ['past the format', streaming(begun, '{"error":{"message":"Dead."}}\n\n'), 'api_error', /Dead\./],
      ['overload', streaming(begun, 'data: {"error":"Full.","status_code":503}\n\n'), 'overloaded_error', /Full\./],
    ]
    for (const [name, answer, type, words] of cases)
      await t.test(name, async () => {
        both.upstream.answers.push(answer, answer, answer)
        const messagesEvents = await namedEventsOf(
          await openStream(both.service, both.key, messagesPath, messagesRequest('Hi')),
        )
        assert.deepEqual(contentIn(messagesEvents), [['text', 'Half']])
        assert.deepEqual([messagesEvents.at(-1).type, messagesEvents.at(-1).error.type], ['error', type])
        assert.match(messagesEvents.at(-1).error.message, words)
        const events = await namedEventsOf(await openStream(both.service, both.key, responsesPath, ask('Hi')))
        assert.deepEqual(
          events.slice(-2).map(event => event.type),
          ['error', 'response.failed'],
        )
        assert.match(events.at(-1).response.error.message, words)
        const text = await (await openStream(both.service, both.key, chatPath, question('Hi'))).text()
        assert.match(text, words)
        assert.doesNotMatch(text, /\[DONE\]/)
      })
    assert.equal(both.service.slots.open, 0)
  })

  it('[upstream.errors] silence is ended, before the answer and in it', async () => {
    await using both = await pair(60)
    const { status, json } = await message(both.service, both.key, messagesRequest('Hi'))
    assert.deepEqual([status, json.error.type], [504, 'timeout_error'])
    both.upstream.answers.push(outgoing => {
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
      outgoing.write(chunk({ content: 'Half' }))
    })
    const events = await namedEventsOf(await openStream(both.service, both.key, messagesPath, messagesRequest('Hi')))
    assert.deepEqual(contentIn(events), [['text', 'Half']])
    assert.equal(events.at(-1).type, 'error')
  })

  it('[upstream.cancel] a caller that leaves ends the request upstream, before the answer and in it', async () => {
    await using both = await pair()
    const bodies: [string, object][] = [
      [chatPath, question('Hi')],
      [responsesPath, ask('Hi')],
      [messagesPath, messagesRequest('Hi')],
    ]
    for (const [path, body] of bodies)
      for (const isBegun of [false, true]) {
        const gone = Promise.withResolvers<void>()
        const there = Promise.withResolvers<void>()
        both.upstream.answers.push(outgoing => {
          outgoing.once('close', () => gone.resolve())
          if (isBegun)
            outgoing.writeHead(200, { 'content-type': 'text/event-stream' }).write(chunk({ content: 'Half' }))
          there.resolve()
        })
        const leave = new AbortController()
        const going = openStream(both.service, both.key, path, body, leave.signal)
        const answer = isBegun ? await going : undefined
        await there.promise
        leave.abort()
        await assert.rejects(answer ? answer.text() : going)
        await gone.promise
      }
    await both.service.log.until(() => both.service.slots.open === 0)
  })
})

function streamThenBreak(outgoing: ServerResponse, begun: string): void {
  outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
  outgoing.write(begun, () => outgoing.destroy())
}
