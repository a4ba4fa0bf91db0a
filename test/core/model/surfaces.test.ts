// Each surface against the local service, over the wire, and what its requests look like.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bearer } from '../../../src/core/http/bearer.ts'
import { NotOfferedError, ProblemError, TransportError } from '../../../src/core/http/errors.ts'
import { meaningOf } from '../../../src/core/http/fault.ts'
import { collect } from '../../../src/core/model/collect.ts'
import type { ModelMessage, ModelRequest } from '../../../src/core/model/modelClient.ts'
import { type SurfaceId, surfaceIds } from '../../../src/core/model/surfaceIds.ts'
import { surfaces } from '../../../src/core/model/surfaces.ts'
import { composedStreams } from '../../fixtures/composedStreams.ts'
import { type Service, startService } from '../../localService/server.ts'
import { holding } from '../../support/credential.ts'
import { FakeClock } from '../../support/fakeClock.ts'
import { answerMessage, resultMessage, userMessage } from '../../support/messages.ts'
import { type Script, ScriptedHttp } from '../../support/scriptedHttp.ts'
import { surfaceClient } from '../../support/surfaceClient.ts'
import { faultOf, never, Wire } from '../../support/wire.ts'

const asked: ModelRequest = { model: 'm', messages: [userMessage('hi')], lane: 'chat' }

/** Our client against the local service, over the wire. */
function against(local: Service, wire: Wire, surface: SurfaceId) {
  local.state.accounts.of('ada@example.com').plan = 'pro'
  const key = local.state.issueKey('ada@example.com', 'x')
  const http = bearer(
    wire.send,
    holding(() => key),
  )
  const client = surfaceClient(http, local.baseUrl, wire.clock, surface)
  const ask = (more: Partial<ModelRequest> = {}) =>
    collect(client.stream({ ...asked, model: local.model, ...more }, never))
  return { ask, key }
}

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const history: readonly ModelMessage[] = [
  userMessage('What is this?', { kind: 'image', mediaType: 'image/png', base64: png }),
  answerMessage('', { id: 'functions.look:0', name: 'look', input: { at: 'x' } }),
  resultMessage('functions.look:0', 'a dot'),
  answerMessage('A dot. '),
  userMessage('Stopped before an answer came.'),
  answerMessage('', { id: 'b', name: 'no name at all', input: 'half {' }),
  userMessage('And now?'),
]

const tools = [{ name: 'look', description: 'Looks.', parameters: { type: 'object', properties: {} } }]

for (const surface of surfaceIds) {
  const on = `POST ${surfaces[surface].path}`

  test(`${surface}: text, reasoning, calls, one byte at a time`, async () => {
    await using local = await startService()
    using wire = new Wire()
    const { ask } = against(local, wire, surface)
    const reply = {
      text: 'Hello wörld 🌍',
      reasoning: 'Hm, ä.',
      toolCalls: [
        { name: 'f', arguments: { a: 1 } },
        { name: 'g', arguments: 'half {' },
      ],
    }
    local.replies.add(reply, reply)
    for (const isDripped of [false, true]) {
      if (isDripped) local.faults.add({ kind: 'drip', on })
      const { text, calls, why, usage } = await ask({ tools })
      assert.deepEqual([text, why], ['Hello wörld 🌍', 'tools'])
      assert.deepEqual(
        calls.map(({ name, input }) => [name, input]),
        [
          ['f', { a: 1 }],
          ['g', 'half {'],
        ],
      )
      assert.ok(usage && usage.input > 0 && usage.output > 0)
    }
  })

  test(`${surface}: a history with a picture, calls and a turn that was stopped is taken`, async () => {
    await using local = await startService()
    using wire = new Wire()
    const { ask } = against(local, wire, surface)
    local.replies.add({ text: 'Fine.' })
    const answer = await ask({
      messages: history,
      system: 'Be brief.',
      tools,
      temperature: 0,
      stop: ['</x>'],
      maxTokens: 50,
    })
    assert.deepEqual([answer.text, answer.why], ['Fine.', 'done'])
  })

  test(`${surface}: what it thought before its calls goes back with their results, and is known again`, async () => {
    await using local = await startService()
    using wire = new Wire()
    const { ask } = against(local, wire, surface)
    local.replies.add({ reasoning: 'Hm, ä.', text: 'One moment.', toolCalls: [{ name: 'look', arguments: {} }] })
    const question: ModelMessage = userMessage('q')
    const { parts, reasoning, calls } = await ask({ tools, messages: [question] })
    assert.equal(reasoning, 'Hm, ä.')
    const blocks = parts.filter(({ kind }) => kind === 'reasoning')
    assert.equal(blocks.length, surface === 'chat-completions' ? 0 : 1)
    local.replies.add({ text: 'A dot.' })
    const [call] = calls
    assert.ok(call)
    const reply: ModelMessage = { role: 'assistant', parts }
    const again = await ask({ tools, messages: [question, reply, resultMessage(call.id, 'a dot')] })
    assert.equal(again.text, 'A dot.')
  })

  test(`${surface}: a whole answer in place of a stream, and one that is packed`, async () => {
    await using local = await startService()
    using wire = new Wire()
    const { ask } = against(local, wire, surface)
    for (const fault of [{ kind: 'whole' }, { kind: 'packed' }, { kind: 'packed', encoding: 'br' }] as const) {
      local.replies.add({ text: 'Hello wörld', toolCalls: [{ name: 'f', arguments: { a: 1 } }] })
      local.faults.add({ ...fault, on })
      const { text, why, calls } = await ask({ tools })
      assert.deepEqual([text, why, calls.map(({ input }) => input)], ['Hello wörld', 'tools', [{ a: 1 }]], fault.kind)
    }
  })

  test(`${surface}: cut, it keeps its text and runs nothing`, async () => {
    await using local = await startService()
    using wire = new Wire()
    const { ask } = against(local, wire, surface)
    local.replies.add({ text: 'one two three', toolCalls: [{ name: 'f', arguments: {} }] })
    local.faults.add({ kind: 'truncate', afterBytes: 700, on })
    const fault = await faultOf(ask({ tools }))
    assert.ok(fault instanceof TransportError && fault.where === 'during the answer', String(fault))
  })

  test(`${surface}: the limit, and refusals by name`, async () => {
    await using local = await startService()
    using wire = new Wire()
    const { ask } = against(local, wire, surface)
    local.replies.add({ text: 'one two three four five' })
    assert.equal((await ask({ maxTokens: 2 })).why, 'length')
    const asks = async (more: Partial<ModelRequest> = {}) => {
      const fault = await faultOf(ask(more))
      assert.ok(fault instanceof ProblemError, String(fault))
      return fault.kind
    }
    assert.equal(await asks({ model: 'other' }), 'problem: model not granted')
    assert.equal(await asks({ messages: [userMessage('four'.repeat(300_000))] }), 'problem: too long')
    local.slots.limits.pro = 0
    assert.equal(await asks(), 'problem: limit')
    const [key] = local.state.keys.all
    assert.ok(key)
    local.state.keys.revoke(key, 0)
    assert.equal(await asks(), 'problem: key rejected')
  })
}

const streamOf = (surface: SurfaceId) => composedStreams.find(stream => stream.surface === surface)?.body ?? ''

async function sent(surface: SurfaceId, request: ModelRequest, ...script: Script[]) {
  const http = new ScriptedHttp(...script, {
    headers: { 'content-type': 'text/event-stream' },
    body: streamOf(surface),
  })
  const client = surfaceClient(http.send, 'https://api.example.com', new FakeClock(), surface)
  const once = () => collect(client.stream(request, never))
  const fault = await once().then(
    () => undefined,
    thrown => thrown,
  )
  return { http, once, fault, bodies: () => http.requests.map(({ body }) => JSON.parse(body ?? '')) }
}

test('a request of responses: everything goes along, nothing is stored, ids of items stay out', async () => {
  const { http, bodies } = await sent('responses', {
    model: 'm',
    system: 'be brief',
    messages: [
      userMessage('q', { kind: 'image', mediaType: 'image/png', base64: 'AAAA' }),
      answerMessage('so', { id: 'c1', name: 'f', input: { a: 1 } }),
      resultMessage('c1', 'r'),
    ],
    tools: [{ name: 'f', description: 'd', parameters: { type: 'object' } }],
    maxTokens: 5,
    stop: ['x'],
    lane: 'chat',
  })
  assert.equal(http.requests[0]?.url, 'https://api.example.com/v1/responses')
  assert.deepEqual(bodies()[0], {
    model: 'm',
    instructions: 'be brief',
    input: [
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: 'q' },
          { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'auto' },
        ],
      },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'so' }] },
      { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{"a":1}' },
      { type: 'function_call_output', call_id: 'c1', output: 'r' },
    ],
    stream: true,
    store: false,
    include: ['reasoning.encrypted_content'],
    max_output_tokens: 5,
    tools: [{ type: 'function', name: 'f', description: 'd', parameters: { type: 'object' } }],
  })
})

test('a request of messages: results first, roles in turn, nothing blank, ids that it takes', async () => {
  const { http, bodies } = await sent('messages', {
    model: 'm',
    system: 'be brief',
    messages: [
      answerMessage('from before'),
      userMessage(' ', { kind: 'image', mediaType: 'image/png', base64: 'AAAA' }),
      answerMessage('\n', { id: 'f:0', name: 'f', input: 'half {' }, { id: 'f.0', name: 'g h', input: { a: 1 } }),
      resultMessage('f:0', ' '),
      userMessage('next'),
      answerMessage('so far '),
    ],
    temperature: 1.5,
    stop: ['x'],
    lane: 'chat',
  })
  const [request] = http.requests
  assert.equal(request?.url, 'https://api.example.com/anthropic/v1/messages')
  assert.equal(request?.headers?.['anthropic-version'], '2023-06-01')
  assert.deepEqual(bodies()[0], {
    model: 'm',
    max_tokens: 16_384,
    system: 'be brief',
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'Go on.' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'from before' }] },
      { role: 'user', content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }] },
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 'f_0', name: 'f', input: { malformed: 'half {' } },
          { type: 'tool_use', id: 'f_0_', name: 'g_h', input: { a: 1 } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'f_0' },
          { type: 'tool_result', tool_use_id: 'f_0_', content: 'This call was not carried out.', is_error: true },
          { type: 'text', text: 'next' },
        ],
      },
      { role: 'assistant', content: [{ type: 'text', text: 'so far' }] },
    ],
    stream: true,
    temperature: 1,
    stop_sequences: ['x'],
  })
})

test('pictures on chat completions', async () => {
  const { bodies } = await sent('chat-completions', { ...asked, messages: history.slice(0, 1) })
  assert.deepEqual(bodies()[0].messages[0].content, [
    { type: 'text', text: 'What is this?' },
    { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
  ])
})

const thinking: readonly ModelMessage[] = [
  userMessage('q'),
  {
    role: 'assistant',
    parts: [
      {
        kind: 'reasoning',
        sealed: { surface: 'messages', item: { type: 'thinking', thinking: 'hm', signature: 's' } },
      },
      { kind: 'text', text: 'one' },
      { kind: 'reasoning', sealed: { surface: 'messages', item: { type: 'redacted_thinking', data: 'd' } } },
      { kind: 'text', text: ' two' },
      { kind: 'tool-call', id: 'a', name: 'f', input: {} },
      {
        kind: 'reasoning',
        sealed: { surface: 'responses', item: { type: 'reasoning', summary: [], encrypted_content: 'e' } },
      },
      { kind: 'tool-call', id: 'b', name: 'f', input: {} },
    ],
  },
  resultMessage('a', 'r'),
  resultMessage('b', 'r'),
]

test('sealed reasoning goes back where it stood, to the surface that gave it, and unchanged', async () => {
  const messages = await sent('messages', { ...asked, messages: thinking })
  assert.deepEqual(messages.bodies()[0].messages[1].content.slice(0, 4), [
    { type: 'thinking', thinking: 'hm', signature: 's' },
    { type: 'text', text: 'one' },
    { type: 'redacted_thinking', data: 'd' },
    { type: 'text', text: ' two' },
  ])
  const responses = await sent('responses', { ...asked, messages: thinking })
  assert.deepEqual(
    responses.bodies()[0].input.map(({ type }: { type: string }) => type),
    ['message', 'message', 'function_call', 'reasoning', 'function_call', ...Array(2).fill('function_call_output')],
  )
  assert.deepEqual(responses.bodies()[0].input[3], { type: 'reasoning', summary: [], encrypted_content: 'e' })
  const chat = await sent('chat-completions', { ...asked, messages: thinking })
  assert.doesNotMatch(JSON.stringify(chat.bodies()[0]), /signature|"encrypted_content"|redacted/)
})

test('reasoning of a turn that is over is left out', async () => {
  const messages: ModelMessage[] = [...thinking, answerMessage('so'), userMessage('next')]
  for (const surface of surfaceIds) {
    const { bodies } = await sent(surface, { ...asked, messages })
    assert.doesNotMatch(JSON.stringify(bodies()[0]), /signature|"encrypted_content"|redacted/)
  }
})

test('what the user says while the model works does not end the turn: its reasoning stays where it was', async () => {
  const note: ModelMessage = { role: 'user', parts: [{ kind: 'text', text: 'And be brief.' }], continuesTurn: true }
  for (const surface of ['messages', 'responses'] as const) {
    const before = await sent(surface, { ...asked, messages: thinking })
    const after = await sent(surface, { ...asked, messages: [...thinking, note] })
    assert.match(JSON.stringify(before.bodies()[0]), /signature|encrypted_content":"e/)
    assert.deepEqual(wordsSent(after.bodies()[0]).slice(0, -1), wordsSent(before.bodies()[0]))
  }
})

/** Everything of the body that the model reads, in order. */
const wordsSent = (body: { input?: unknown[]; messages?: { content: unknown[] }[] }) =>
  (body.input ?? body.messages?.flatMap(({ content }) => content) ?? []).map(part => JSON.stringify(part))

test('an image in a result goes where the surface takes one', async () => {
  const image = { kind: 'image', mediaType: 'image/png', base64: 'AAAA' } as const
  const messages: ModelMessage[] = [
    userMessage('q'),
    answerMessage('', { id: 'a', name: 'f', input: {} }, { id: 'b', name: 'f', input: {} }),
    { role: 'tool', callId: 'a', parts: [{ kind: 'text', text: 'seen' }, image] },
    resultMessage('b', 'r'),
    userMessage('Well?'),
  ]
  const onMessages = await sent('messages', { ...asked, messages })
  assert.deepEqual(onMessages.bodies()[0].messages[2].content[0].content, [
    { type: 'text', text: 'seen' },
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
  ])
  const onResponses = await sent('responses', { ...asked, messages })
  assert.deepEqual(onResponses.bodies()[0].input[3].output, [
    { type: 'input_text', text: 'seen' },
    { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'auto' },
  ])
  const onChat = await sent('chat-completions', { ...asked, messages })
  assert.deepEqual(onChat.bodies()[0].messages.slice(2), [
    { role: 'tool', tool_call_id: 'a', content: 'seen' },
    { role: 'tool', tool_call_id: 'b', content: 'r' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Images in the result of tool call a:' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
        { type: 'text', text: 'Well?' },
      ],
    },
  ])
})

const refusal = (message: string, status = 400) => ({ status, body: { error: { message } } })
const extras = { 'chat-completions': 'stream_options', responses: 'include', messages: undefined } as const

for (const surface of surfaceIds) {
  const extra = extras[surface]

  test(`${surface}: what a service does not take is left out, once said and from then on`, async () => {
    const request = { ...asked, temperature: 0 }
    const words = [...(extra ? [`Unknown parameter: '${extra}'.`] : []), "Unsupported value: 'temperature'."]
    const { fault, bodies, once } = await sent(surface, request, ...words.map(message => refusal(message)))
    assert.equal(fault, undefined)
    assert.equal(bodies().length, words.length + 1)
    await once()
    for (const body of bodies().slice(words.length)) {
      assert.ok(!('temperature' in body) && !(extra && extra in body))
    }
    assert.equal(bodies().length, words.length + 2)
  })

  test(`${surface}: a refusal for no clear reason costs one more try, and is not blamed on what we sent`, async () => {
    const { fault, bodies, once } = await sent(surface, asked, refusal('No.'), refusal('Still no.'))
    assert.equal(bodies().length, extra ? 2 : 1)
    assert.ok(fault instanceof ProblemError && fault.problem.text === (extra ? 'Still no.' : 'No.'))
    await once().catch(() => {})
    if (extra) assert.ok(extra in bodies().at(-1))
  })
}

for (const [surface, limit] of [
  ['chat-completions', 'max_tokens'],
  ['responses', 'max_output_tokens'],
] as const)
  test(`${surface}: a limit that was too large for one request is told again with the next`, async () => {
    const request = { ...asked, maxTokens: 32_768 }
    const tooLarge = `'${limit}' is too large: 32768. This model's maximum context length is 278528 tokens.`
    const large = await sent(surface, request, refusal(tooLarge))
    assert.equal(large.fault, undefined)
    await large.once()
    assert.deepEqual(
      large.bodies().map(body => body[limit]),
      [32_768, undefined, 32_768],
    )
    const unknown = await sent(surface, request, refusal(`Unsupported parameter: '${limit}' is not supported.`))
    await unknown.once()
    assert.deepEqual(
      unknown.bodies().map(body => body[limit]),
      [32_768, undefined, undefined],
    )
  })

test('messages: where the limit of an answer is too large a lesser one is sent, as told or a modest one', async () => {
  const request = { ...asked, maxTokens: 100_000 }
  const limits = async (...words: string[]) => {
    const { fault, bodies, once } = await sent('messages', request, ...words.map(message => refusal(message)))
    await once().catch(() => {})
    return [...bodies().map(body => body.max_tokens), fault === undefined]
  }
  const ofModel = 'max_tokens: 100000 > 64,000, which is the maximum allowed number of output tokens for m-3-5'
  assert.deepEqual(await limits(ofModel), [100_000, 64_000, 64_000, true], 'remembered for the model')
  const besideInput = 'input length and `max_tokens` exceed context limit: 190000 + 100000 > 200000'
  assert.deepEqual(await limits(besideInput), [100_000, 16_384, 100_000, true], 'for this question only')
  const less = 'max_tokens is too large: at most 9000 are left beside this prompt'
  assert.deepEqual(await limits(less), [100_000, 9_000, 100_000, true])
  assert.deepEqual(await limits(...Array(3).fill('max_tokens is too large')), [100_000, 16_384, 4_096, 100_000, false])
  assert.deepEqual(await limits('max_tokens: Unsupported value'), [100_000, 100_000, false], 'not for its size')
})

test('a surface that is missing where another answers is said by name', async () => {
  for (const surface of ['responses', 'messages'] as const) {
    for (const status of [404, 405]) {
      const missing = { status, body: 'Not Found', headers: { 'content-type': 'text/plain' } }
      const offered = await sent(surface, asked, missing, { status: 400, body: {} })
      assert.ok(offered.fault instanceof NotOfferedError && offered.fault.path === surfaces[surface].path)
      assert.equal(offered.fault.remedy, 'use-chat-completions')
      assert.equal(offered.http.requests[1]?.url, 'https://api.example.com/v1/chat/completions')
      const nothing = await sent(surface, asked, missing, missing)
      assert.ok(nothing.fault instanceof ProblemError && nothing.fault.status === status)
    }
  }
  const ofModel = await sent('responses', asked, refusal('The model `m` does not exist', 404))
  assert.equal(meaningOf(ofModel.fault).kind, 'problem: model not granted')
  assert.equal(ofModel.http.requests.length, 1)
})
