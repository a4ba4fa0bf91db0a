// The chat completions surface, in every form in which servers speak it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { AbortedError, isAbort } from '../../../src/base/abort.ts'
import { bearer } from '../../../src/core/http/bearer.ts'
import { ContractError, ProblemError, TooLargeError, TransportError } from '../../../src/core/http/errors.ts'
import { Log } from '../../../src/core/log/log.ts'
import { type Collected, collect } from '../../../src/core/model/collect.ts'
import type { ModelEvent, ModelRequest } from '../../../src/core/model/modelClient.ts'
import { readResponse } from '../../../src/core/model/responseReader.ts'
import type { SurfaceId } from '../../../src/core/model/surfaceIds.ts'
import { surfaces } from '../../../src/core/model/surfaces.ts'
import { type Service, startService } from '../../localService/server.ts'
import { holding } from '../../support/credential.ts'
import { FakeClock, settled } from '../../support/fakeClock.ts'
import { answerMessage, resultMessage, userMessage } from '../../support/messages.ts'
import { answerOf, type Scripted, ScriptedHttp } from '../../support/scriptedHttp.ts'
import { surfaceClient } from '../../support/surfaceClient.ts'
import { eventually, faultOf, never, peer, Wire } from '../../support/wire.ts'

const asked: ModelRequest = { model: 'm', messages: [userMessage('hi')], lane: 'chat' }
const eventStream = { 'content-type': 'text/event-stream' }

const frame = (data: unknown) => `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
const chunk = (delta: object, more: object = {}) => frame({ choices: [{ index: 0, delta, ...more }] })
const text = (content: unknown) => chunk({ content })
const end = (reason = 'stop') => chunk({}, { finish_reason: reason })
const usage = (input: number, output: number) =>
  frame({ choices: [], usage: { prompt_tokens: input, completion_tokens: output } })
const done = frame('[DONE]')
const tool = (...tool_calls: object[]) => chunk({ tool_calls })
const whole = (id: string, name: string, args: unknown, index?: number) => ({
  ...(index !== undefined && { index }),
  id,
  function: { name, arguments: args },
})

interface Outcome {
  readonly events: ModelEvent[]
  readonly fault: unknown
}

async function ask(
  scripted: Scripted,
  request = asked,
  http = new ScriptedHttp({ headers: eventStream, ...scripted }),
): Promise<Outcome> {
  const client = surfaceClient(http.send, 'https://api.example.com', new FakeClock())
  const events: ModelEvent[] = []
  try {
    for await (const event of client.stream(request, never)) events.push(event)
  } catch (fault) {
    return { events, fault }
  }
  return { events, fault: undefined }
}

const answer = async (...chunks: (string | Uint8Array)[]): Promise<Collected> => {
  const { events, fault } = await ask({ body: chunks })
  if (fault) throw fault
  return collect(
    (async function* () {
      yield* events
    })(),
  )
}

const textOf = (events: readonly ModelEvent[]) =>
  events.flatMap(event => (event.kind === 'text-delta' ? [event.text] : [])).join('')

test('a request has the shape of the surface', async () => {
  const http = new ScriptedHttp({ headers: eventStream, body: [text('x'), end(), done] })
  const request: ModelRequest = {
    model: 'm',
    system: 'be brief',
    messages: [userMessage('q'), answerMessage('', { id: 'c1', name: 'f', input: { a: 1 } }), resultMessage('c1', 'r')],
    tools: [{ name: 'f', description: 'd', parameters: { type: 'object' } }],
    maxTokens: 5,
    temperature: 0,
    stop: ['\n'],
    lane: 'chat',
  }
  await ask({}, request, http)
  const [sent] = http.requests
  assert.equal(sent?.url, 'https://api.example.com/v1/chat/completions')
  assert.equal(sent?.headers?.['accept-encoding'], 'identity')
  assert.ok(!sent?.mayRepeat)
  assert.deepEqual(JSON.parse(sent?.body ?? ''), {
    model: 'm',
    messages: [
      { role: 'system', content: 'be brief' },
      { role: 'user', content: 'q' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'r' },
    ],
    stream: true,
    stream_options: { include_usage: true },
    max_tokens: 5,
    temperature: 0,
    stop: ['\n'],
    tools: [{ type: 'function', function: { name: 'f', description: 'd', parameters: { type: 'object' } } }],
  })
})

const complete: readonly [string, string[], Partial<Collected>][] = [
  [
    'a plain answer',
    [chunk({ role: 'assistant', content: '' }), text('a'), text('b'), end(), usage(1, 2), done],
    { text: 'ab', why: 'done', usage: { input: 1, output: 2 } },
  ],
  [
    'the end and the usage on each frame',
    [
      frame({ choices: [{ delta: { content: 'Hel' }, finish_reason: 'stop' }], usage: { prompt_tokens: 1 } }),
      frame({ choices: [{ delta: { content: 'lo' }, finish_reason: 'length' }], usage: { prompt_tokens: 1 } }),
      usage(50, 5),
      done,
    ],
    { text: 'Hello', why: 'length', usage: { input: 50, output: 5 } },
  ],
  ['no usage', [text('a'), end(), done], { text: 'a', why: 'done', usage: undefined }],
  ['no [DONE]', [text('a'), end()], { text: 'a', why: 'done' }],
  [
    'no last blank line',
    [text('a'), `data: ${JSON.stringify({ choices: [{ delta: {}, finish_reason: 'stop' }] })}`],
    { text: 'a', why: 'done' },
  ],
  ['[DONE] without a space', [text('a'), end(), 'data:[DONE]\n\n'], { text: 'a', why: 'done' }],
  ['[DONE] with spaces', [text('a'), end(), 'data:  [DONE] \r\n\r\n'], { text: 'a', why: 'done' }],
  ['[DONE] and no reason: kept, and marked', [text('a'), done], { text: 'a', why: 'cut-off' }],
  [
    'frames of Azure',
    [frame({ choices: [], prompt_filter_results: [] }), frame({}), frame({ choices: null }), text('a'), end()],
    { text: 'a', why: 'done' },
  ],
  [
    'everything null',
    [
      chunk({ role: null, content: null, tool_calls: null, refusal: null }, { finish_reason: null }),
      text('a'),
      chunk({ content: '' }, { finish_reason: '' }),
      end(),
    ],
    { text: 'a', why: 'done' },
  ],
  [
    'parts',
    [
      text([
        { type: 'text', text: 'a' },
        { type: 'thinking', text: 'no' },
      ]),
      end(),
    ],
    { text: 'a' },
  ],
  [
    'a running total beside the delta',
    [
      chunk({ content: 'a' }, { message: { content: 'a' } }),
      chunk({ content: 'b' }, { message: { content: 'ab' }, finish_reason: 'stop' }),
    ],
    { text: 'ab', why: 'done' },
  ],
  [
    'other choices',
    [
      frame({
        choices: [
          { index: 1, delta: { content: 'no' } },
          { index: 0, delta: { content: 'a' } },
        ],
      }),
      end(),
    ],
    { text: 'a' },
  ],
  [
    'usage on many frames: the last counts',
    [
      frame({ choices: [{ delta: { content: 'a' } }], usage: { prompt_tokens: 1, completion_tokens: 1 } }),
      end(),
      usage(1, 9),
      done,
    ],
    { text: 'a', usage: { input: 1, output: 9 } },
  ],
  [
    'usage with the reason',
    [
      frame({
        choices: [{ delta: { content: 'a' }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 99 },
      }),
    ],
    { usage: { input: 3, output: 4 } },
  ],
  ['a limit', [text('a'), end('length'), done], { text: 'a', why: 'length' }],
  ['a filter', [text('a'), end('content_filter'), done], { text: 'a', why: 'filtered' }],
  ['a reason nobody knows', [text('a'), end('eos_token'), done], { text: 'a', why: 'done' }],
  ['the last reason', [text('a'), end('length'), end('stop'), done], { why: 'done' }],
  ['a refusal in words', [chunk({ refusal: 'I will not.' }), end(), done], { text: 'I will not.' }],
  ['a frame that is no JSON', [text('a'), 'data: ping\n\n', end(), done], { text: 'a', why: 'done' }],
  ['half a frame behind the end', [text('a'), end(), 'data: {"choi\n\n', done], { text: 'a', why: 'done' }],
  [
    'two frames glued together',
    [text('a'), '{"choices":[{"delta":{"content":"lost"}}]}\n\n', text('b'), end(), done],
    { text: 'ab', why: 'done' },
  ],
  [
    'keep-alives',
    [': keep-alive\n', text('a'), ': OPENROUTER PROCESSING\n\n', ': keep-alive\n', end(), done],
    { text: 'a', why: 'done' },
  ],
  ['CRLF', [[text('a'), end(), done].join('').replaceAll('\n', '\r\n')], { text: 'a', why: 'done' }],
  ['CR', [[text('a'), end(), done].join('').replaceAll('\n', '\r')], { text: 'a', why: 'done' }],
  [
    'an error that is none',
    [frame({ error: null, choices: [{ delta: { content: 'a' } }] }), end(), done],
    { text: 'a' },
  ],
  [
    'a text that looks like frames',
    [text('x\n\ndata: [DONE]\n\n'), end(), done],
    { text: 'x\n\ndata: [DONE]\n\n', why: 'done' },
  ],
  [
    'calls',
    [tool(whole('a', 'f', '', 0)), tool({ index: 0, function: { arguments: '{"q":1}' } }), end('tool_calls'), done],
    { why: 'tools', calls: [{ id: 'a', name: 'f', input: { q: 1 } }] },
  ],
  [
    'calls that ended with stop',
    [tool(whole('a', 'f', '{}')), end('stop'), done],
    { why: 'tools', calls: [{ id: 'a', name: 'f', input: {} }] },
  ],
  [
    'text and calls',
    [text('Let me.'), tool(whole('a', 'f', '{}', 1)), end('function_call'), done],
    { text: 'Let me.', why: 'tools' },
  ],
  [
    'calls cut by a limit do not run',
    [tool(whole('a', 'f', '{"q":', 0)), end('length'), done],
    { why: 'length', calls: [] },
  ],
  [
    'calls cut by a filter do not run',
    [tool(whole('a', 'f', '{}', 0)), end('content_filter'), done],
    { why: 'filtered', calls: [] },
  ],
  ['calls without a reason do not run', [tool(whole('a', 'f', '{}', 0)), done], { why: 'cut-off', calls: [] }],
  [
    'text, and calls that were said and did not come',
    [text('a'), end('tool_calls'), done],
    { text: 'a', why: 'cut-off', calls: [] },
  ],
]

for (const [name, chunks, expected] of complete) {
  test(`reads ${name}`, async () => {
    const collected = await answer(...chunks)
    for (const [member, value] of Object.entries(expected))
      assert.deepEqual(Reflect.get(collected, member), value, member)
  })
}

test('reasoning is given once, under whichever name', async () => {
  const deltas = [{ reasoning_content: 'a' }, { reasoning: 'a' }, { reasoning: 'a', reasoning_content: 'a' }]
  for (const delta of deltas) {
    const { events } = await ask({ body: [chunk(delta), text('b'), end(), done] })
    assert.deepEqual(events.slice(0, 2), [
      { kind: 'reasoning-delta', text: 'a' },
      { kind: 'text-delta', text: 'b' },
    ])
  }
})

test('a letter in two reads', async () => {
  const bytes = new TextEncoder().encode([text('a🌍b'), end(), done].join(''))
  for (let at = 0; at <= bytes.length; at++) {
    assert.equal((await answer(bytes.subarray(0, at), bytes.subarray(at))).text, 'a🌍b')
  }
})

test('bytes that are no text are marked and can be sent again', async () => {
  const bytes = new TextEncoder().encode(text('a~b'))
  const collected = await answer(bytes.with(bytes.indexOf('~'.charCodeAt(0)), 0xff), text('\u0000\ud83c'), end(), done)
  assert.equal(collected.text, 'a\ufffdb\u0000\ud83c')
  assert.deepEqual(JSON.parse(JSON.stringify(collected.text)), collected.text)
})

test('a whole answer in place of a stream', async () => {
  const message = { role: 'assistant', content: 'a', tool_calls: [whole('c', 'f', { q: 1 })] }
  const body = {
    choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
    usage: { prompt_tokens: 1, completion_tokens: 2 },
  }
  const { events, fault } = await ask({ body, headers: { 'content-type': 'application/json; charset=utf-8' } })
  assert.equal(fault, undefined)
  assert.equal(textOf(events), 'a')
  assert.deepEqual(events.slice(-2), [
    { kind: 'tool-call', id: 'c', name: 'f', input: { q: 1 } },
    { kind: 'finish', why: 'tools', usage: { input: 1, output: 2 } },
  ])
})

test('what is odd about a stream is noted, without its content', async () => {
  const log = new Log()
  const lines: string[] = []
  log.open({ write: (_, line) => lines.push(line) })
  const body = [text('a'), '{"choices":[{"delta":{"content":"private"}}]}\n\n', end('eos_token'), done]
  const answer = answerOf({ headers: eventStream, body })
  const { reader } = surfaces['chat-completions']
  await collect(readResponse(answer, reader, { clock: new FakeClock(), log, mayBeEmpty: false }))
  assert.equal(lines.length, 2)
  assert.match(lines.join(), /outside its format.*eos_token/)
  assert.doesNotMatch(lines.join(), /private/)
})

test('a stream that says that it is plain text is read once', async () => {
  const http = new ScriptedHttp({ headers: { 'content-type': 'text/plain' }, body: [text('a'), end(), done] })
  assert.equal(textOf((await ask({}, asked, http)).events), 'a')
  assert.equal(http.requests.length, 1)
})

test('[R23] half a frame in the middle leaves a hole: the answer is cut off there, and no call runs', async () => {
  const half = 'data: {"choices":[{"delta":{"content":" of\n\n'
  const hole = await ask({ body: [text('a'), half, text(' all'), end(), done] })
  assert.ok(hole.fault instanceof TransportError && hole.fault.where === 'during the answer')
  assert.equal(textOf(hole.events), 'a')
  const halfArguments = 'data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"argu\n\n'
  const fragment = (args: string) => tool({ index: 0, function: { arguments: args } })
  const begun = tool(whole('c', 'remove', '{"path":"/data', 0))
  const { events, fault } = await ask({ body: [begun, halfArguments, fragment('"}'), end('tool_calls'), done] })
  assert.ok(fault instanceof TransportError)
  assert.deepEqual(
    events.filter(({ kind }) => kind === 'tool-call'),
    [],
  )
})

test('a stream that is cut before its end is never a success, and no call runs', async () => {
  const stream = [text('a'), tool(whole('c', 'f', '{"q":1}', 0)), end('tool_calls'), usage(1, 2), done].join('')
  const bytes = new TextEncoder().encode(stream)
  const isOver = stream.indexOf('"tool_calls"}]}') + '"tool_calls"}]}'.length
  await fc.assert(
    fc.asyncProperty(fc.nat(bytes.length), fc.boolean(), async (cut, isBroken) => {
      const brokenBy = isBroken ? new TransportError('h', 'during', 'reset') : undefined
      const { events, fault } = await ask({ body: [bytes.subarray(0, cut)], brokenBy })
      const ran = events.filter(({ kind }) => kind === 'tool-call').length
      // The end of the body completes an event; a connection that broke does not.
      const isWhole = isBroken ? cut >= isOver + 2 : cut >= isOver
      assert.equal(fault === undefined, isWhole, `cut at ${cut}`)
      assert.equal(ran, isWhole ? 1 : 0)
      if (!isWhole) assert.ok(fault instanceof TransportError || fault instanceof ContractError)
    }),
    { numRuns: 80 },
  )
})

test('what came before the cut was given', async () => {
  const { events, fault } = await ask({ body: [text('half of '), text('it')] })
  assert.equal(textOf(events), 'half of it')
  assert.ok(fault instanceof TransportError && fault.where === 'during the answer')
})

const empty: readonly [string, Scripted][] = [
  ['no bytes', { body: '' }],
  ['no content', { status: 204 }],
  ['only [DONE]', { body: [done] }],
  [
    'a dead server behind a gateway',
    { body: [frame({ id: '', choices: [{ delta: {} }], usage: { total_tokens: 0 } }), done] },
  ],
  ['an end without a word', { body: [chunk({ role: 'assistant' }), end(), done] }],
  ['only thoughts', { body: [chunk({ reasoning: 'hm' }), end(), done] }],
  ['calls that were said and did not come', { body: [end('tool_calls'), done] }],
]

for (const [name, scripted] of empty) {
  test(`an empty answer is a fault: ${name}`, async () => {
    const { fault } = await ask(scripted)
    assert.ok(fault instanceof ContractError && fault.what === 'empty', String(fault))
  })
}

test('a body that is no stream is told by its beginning', async () => {
  const { fault } = await ask({ body: 'oh\u202e no\nyes', headers: { 'content-type': 'text/plain' } })
  assert.ok(fault instanceof ProblemError && fault.status === 502)
  assert.equal(fault.problem.text, 'oh no')
})

const wholeAnswer = {
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Grüße {' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 3, completion_tokens: 2 },
}

for (const type of ['text/event-stream', 'text/plain', 'application/octet-stream', undefined])
  test(`[R22] a whole answer is read under the content type ${type}, however it is written and cut`, async () => {
    const pretty = JSON.stringify(wholeAnswer, null, 2)
    for (const body of [JSON.stringify(wholeAnswer), pretty, `\r\n\n ${pretty}\n`, `\ufeff${pretty}`]) {
      const bytes = new TextEncoder().encode(body)
      const drops = Array.from(bytes, byte => Uint8Array.of(byte))
      for (const chunks of [[body], drops, [bytes.subarray(0, 1), bytes.subarray(1)]]) {
        const { events, fault } = await ask({
          body: chunks,
          headers: type === undefined ? {} : { 'content-type': type },
        })
        assert.equal(fault, undefined)
        assert.equal(textOf(events), 'Grüße {')
        assert.deepEqual(events.at(-1), { kind: 'finish', why: 'done', usage: { input: 3, output: 2 } })
      }
    }
  })

test('[R22] a whole answer that breaks off is none, and a failure in its place is told', async () => {
  const broken = await ask({ body: JSON.stringify(wholeAnswer).slice(0, -1) })
  assert.deepEqual([broken.events, broken.fault instanceof ProblemError], [[], true])
  const error = { error: { message: 'No.', code: 400 } }
  for (const body of [JSON.stringify(error), JSON.stringify(error, null, 2)]) {
    const { fault } = await ask({ body })
    assert.ok(fault instanceof ProblemError, String(fault))
    assert.deepEqual([fault.status, fault.problem.text], [400, 'No.'])
  }
})

test('an object before a stream is no answer, and does not hold the stream up', async () => {
  const { events, fault } = await ask({ body: [`${JSON.stringify(wholeAnswer)}\n\n`, text('a'), end(), done] })
  assert.equal(fault, undefined)
  assert.equal(textOf(events), 'a')
})

test('a completion may have nothing to add', async () => {
  const { events, fault } = await ask({ body: [end(), done] }, { ...asked, lane: 'completion' })
  assert.equal(fault, undefined)
  assert.deepEqual(events, [{ kind: 'finish', why: 'done' }])
})

const inStream: readonly [string, string, number, string][] = [
  ['an object', frame({ error: { message: 'Broke.', type: 'server_error', code: null } }), 502, 'Broke.'],
  ['a text', frame({ error: 'It broke.' }), 502, 'It broke.'],
  ['a code that is a status', frame({ error: { message: 'Slower.', code: 429 } }), 429, 'Slower.'],
  ['a status beside the error', frame({ error: { message: 'Broke.' }, status_code: 503 }), 503, 'Broke.'],
  ['a gateway, bare', frame({ is_bifrost_error: true, status_code: 500, error: { message: 'Gone.' } }), 500, 'Gone.'],
  [
    'a gateway, wrapped',
    frame({ error: { is_bifrost_error: false, status_code: 401, error: { message: 'Key.' } } }),
    401,
    'Key.',
  ],
  [
    'an event named error',
    `event: error\n${frame({ type: 'error', error: { type: 'overloaded_error', message: 'Busy.' } })}`,
    529,
    'Busy.',
  ],
  [
    'an error before choices',
    frame({ error: { message: 'Broke.' }, choices: [{ delta: { content: 'no' } }] }),
    502,
    'Broke.',
  ],
  ['a field named error', 'error: {"detail":"x","error":{"message":"Decoding failed."}}\n\n', 502, 'Decoding failed.'],
  ['a key that nobody knows', frame({ type: 'access_not_found', error: { message: 'No.' } }), 401, 'No.'],
  ['access that is denied', frame({ error: { code: 'access_denied', message: 'No.' } }), 403, 'No.'],
  ['a bare line', '{"error":{"message":"Past the format."}}\n\n', 502, 'Past the format.'],
]

for (const [name, frames, status, words] of inStream) {
  test(`an error in the stream as ${name}`, async () => {
    const { events, fault } = await ask({ body: [text('kept'), frames, text('no'), done] })
    assert.equal(textOf(events), 'kept')
    assert.ok(fault instanceof ProblemError, String(fault))
    assert.deepEqual([fault.status, fault.problem.text], [status, words])
  })
}

test('the policy word beside an error in the stream is kept', async () => {
  const { fault } = await ask({ body: [frame({ type: 'model_blocked', status_code: 403, error: { message: 'No.' } })] })
  assert.ok(fault instanceof ProblemError && fault.problem.type === 'model_blocked' && fault.status === 403)
})

test('an error in place of a stream', async () => {
  const bodies: readonly [Scripted, number, string | undefined][] = [
    [{ status: 400, body: { error: { message: 'No.', code: 'x' } } }, 400, 'No.'],
    [{ status: 422, body: { detail: [{ msg: 'a' }, { msg: 'b' }] } }, 422, 'a; b'],
    [{ status: 500, body: 'oh no', headers: { 'content-type': 'text/plain' } }, 500, 'oh no'],
    [{ status: 502, body: '<html>', headers: { 'content-type': 'text/html' } }, 502, undefined],
    [{ body: { error: { message: 'No.', code: 400 } }, headers: { 'content-type': 'application/json' } }, 400, 'No.'],
  ]
  for (const [scripted, status, words] of bodies) {
    const { fault } = await ask(scripted)
    assert.ok(fault instanceof ProblemError)
    assert.deepEqual([fault.status, fault.problem.text], [status, words])
  }
  const { fault } = await ask({ body: '<html>', headers: { 'content-type': 'text/html' } })
  assert.ok(fault instanceof ContractError && fault.what === 'html')
})

test('[R28] [T70] an answer without end is given up', async () => {
  const endless = async function* () {
    for (;;) yield new TextEncoder().encode(text('x'.repeat(1024 * 1024)))
  }
  const http = async () => ({ ...answerOf({ headers: eventStream }), body: endless() })
  const client = surfaceClient(http, 'https://h.test', new FakeClock())
  let given = 0
  const fault = await faultOf(
    (async () => {
      for await (const event of client.stream(asked, never)) if ('text' in event) given += event.text.length
    })(),
  )
  assert.ok(fault instanceof TooLargeError)
  assert.ok(given <= 4 * 1024 * 1024)
})

test('[R28] [T70] calls, signatures and blank lines without end are given up as well', async () => {
  const endless: readonly [SurfaceId, (at: number) => string][] = [
    ['chat-completions', at => tool(whole(`c${at}`, 'f', '{}', at))],
    ['chat-completions', () => text('\n'.repeat(1_000))],
    [
      'messages',
      at =>
        frame({ type: 'content_block_start', index: at, content_block: { type: 'tool_use', id: `c${at}`, name: 'f' } }),
    ],
    [
      'messages',
      at =>
        frame({
          type: 'content_block_start',
          index: at,
          content_block: { type: 'redacted_thinking', data: 'x'.repeat(1_000) },
        }),
    ],
    [
      'messages',
      () =>
        frame({
          type: 'content_block_delta',
          index: 0,
          delta: { type: 'signature_delta', signature: 'x'.repeat(1_000) },
        }),
    ],
    [
      'responses',
      at =>
        frame({
          type: 'response.output_item.added',
          output_index: at,
          item: { type: 'function_call', call_id: `c${at}`, name: 'f' },
        }),
    ],
  ]
  for (const [surface, frameAt] of endless) {
    const body = async function* () {
      for (let at = 0; ; at++) yield new TextEncoder().encode(frameAt(at))
    }
    const http = async () => ({ ...answerOf({ headers: eventStream }), body: body() })
    const client = surfaceClient(http, 'https://h.test', new FakeClock(), surface)
    assert.ok((await faultOf(collect(client.stream(asked, never)))) instanceof TooLargeError, frameAt(0))
  }
})

test('[T70] what is held does not grow with the stream', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = runInNewContext('gc')
  const held: number[] = []
  const long = async function* () {
    const read = new TextEncoder().encode(chunk({ content: '' }, { padding: 'x'.repeat(1_000) }).repeat(16))
    for (let reads = 0; reads <= 2_000; reads++) {
      if (reads % 1_000 === 0) {
        collectGarbage()
        held.push(process.memoryUsage().heapUsed)
      }
      yield read
    }
    yield new TextEncoder().encode(text('a') + end())
  }
  const http = async () => ({ ...answerOf({ headers: eventStream }), body: long() })
  assert.equal((await collect(surfaceClient(http, 'https://h.test', new FakeClock()).stream(asked, never))).text, 'a')
  const [, half = 0, whole = 0] = held
  assert.ok(whole - half < 1_000_000, `${whole - half} bytes more after 16 MB more`)
})

test('a server that goes silent after the end does not hold the answer back', async () => {
  const clock = new FakeClock()
  let closed = 0
  const openEnded = async function* () {
    yield new TextEncoder().encode(text('a') + end())
    await new Promise(() => {})
  }
  const http = async () => ({ ...answerOf({ headers: eventStream }, 'h', () => void closed++), body: openEnded() })
  const client = surfaceClient(http, 'https://h.test', clock)
  const received: ModelEvent[] = []
  const left = faultOf(
    (async () => {
      for await (const event of client.stream(asked, never)) received.push(event)
    })(),
  )
  await clock.advance(1_999)
  assert.deepEqual(
    received.map(({ kind }) => kind),
    ['text-delta'],
  )
  await clock.advance(1)
  assert.deepEqual(received.at(-1), { kind: 'finish', why: 'done' })
  await clock.advance(250)
  assert.ok(isAbort(await left), 'let go of, and not over at the service')
  assert.deepEqual([closed, clock.waiting], [1, 0])
})

test('an answer is complete at its end frame; the connection is used again once the service has closed it', async () => {
  let close: (() => void) | undefined
  const seen = new Set<unknown>()
  await using server = await peer((incoming, outgoing) => {
    seen.add(incoming.socket)
    incoming.resume()
    outgoing.writeHead(200, eventStream).write(text('a') + end() + usage(1, 2))
    close = () => outgoing.end(done)
  })
  using wire = new Wire()
  const client = surfaceClient(wire.send, server.origin, wire.clock)
  for (let times = 0; times < 3; times++) {
    const events = client.stream(asked, never)[Symbol.asyncIterator]()
    let next = await events.next()
    while (next.value?.kind !== 'finish') next = await events.next()
    assert.deepEqual(next.value, { kind: 'finish', why: 'done', usage: { input: 1, output: 2 } })
    const over = events.next()
    close?.()
    assert.ok((await over).done)
    await settled()
  }
  assert.equal(seen.size, 1, 'one connection for all')
  assert.equal(wire.clock.waiting, 0)
})

/** Our client against the local service, over the wire. */
function against(local: Service, wire: Wire, plan: 'pro' | 'free' = 'pro') {
  local.state.accounts.of('ada@example.com').plan = plan
  const key = local.state.issueKey('ada@example.com', 'x')
  const http = bearer(
    wire.send,
    holding(() => key),
  )
  const client = surfaceClient(http, local.baseUrl, wire.clock)
  const request = { ...asked, model: local.model }
  return { client, request, key, ask: (signal = never) => collect(client.stream(request, signal)) }
}

test('over the wire: text, calls, one byte at a time', async () => {
  await using local = await startService()
  using wire = new Wire()
  const { ask } = against(local, wire)
  local.replies.add({ text: 'Hello wörld 🌍' }, { text: 'Hello wörld 🌍' })
  assert.equal((await ask()).text, 'Hello wörld 🌍')
  local.faults.add({ kind: 'drip', on: 'POST /v1/chat' })
  const dripped = await ask()
  assert.deepEqual([dripped.text, dripped.why], ['Hello wörld 🌍', 'done'])
  assert.ok((dripped.usage?.output ?? 0) > 0)
  local.replies.add({
    toolCalls: [
      { name: 'f', arguments: { a: 1 } },
      { name: 'g', arguments: 'half {' },
    ],
  })
  const { calls, why } = await ask()
  assert.deepEqual(
    calls.map(({ name, input }) => [name, input]),
    [
      ['f', { a: 1 }],
      ['g', 'half {'],
    ],
  )
  assert.equal(why, 'tools')
})

test('over the wire: refusals by name', async () => {
  await using local = await startService()
  using wire = new Wire()
  const { ask, client, request } = against(local, wire)
  const blocked = await faultOf(collect(client.stream({ ...request, model: 'other' }, never)))
  assert.ok(blocked instanceof ProblemError && blocked.problem.type === 'model_blocked')
  local.slots.limits.pro = 0
  const full = await faultOf(ask())
  assert.ok(full instanceof ProblemError && full.status === 429 && full.retryAfterMs === 2_000)
  local.state.accounts.of('ada@example.com').plan = 'free'
  const unpaid = await faultOf(ask())
  assert.ok(unpaid instanceof ProblemError && unpaid.status === 403 && unpaid.problem.code === 'plan_required')
  const [key] = local.state.keys.all
  assert.ok(key)
  local.state.keys.revoke(key, 0)
  const refused = await faultOf(ask())
  assert.ok(
    refused instanceof ProblemError && refused.status === 401 && refused.challenge?.includes('resource_metadata'),
  )
})

test('over the wire: a stop ends the request at the service at once', async () => {
  await using local = await startService()
  using wire = new Wire()
  const { ask } = against(local, wire)
  const gate = local.replies.hold(1)
  local.replies.add({ text: 'one two three' })
  const stop = new AbortController()
  const reason = new AbortedError()
  const fault = faultOf(ask(stop.signal))
  await gate.reached
  stop.abort(reason)
  assert.equal(await fault, reason)
  const call = await local.log.until(({ path, durationMs }) => path.startsWith('/v1/chat') && durationMs !== undefined)
  assert.ok(call.isAborted)
  assert.equal(local.slots.open, 0)
  assert.equal(wire.clock.waiting, 0)
})

test('over the wire: a reader who leaves frees the slot', async () => {
  await using local = await startService()
  using wire = new Wire()
  const { client, request } = against(local, wire)
  local.replies.hold(1)
  local.replies.add({ text: 'one two three' })
  for await (const event of client.stream(request, never)) if (event.kind === 'text-delta') break
  await eventually('the slot is free', () => local.slots.open === 0)
})

test('over the wire: cut, silent, reset', async () => {
  await using local = await startService()
  using wire = new Wire()
  const { ask } = against(local, wire)
  const on = 'POST /v1/chat'
  local.replies.add({ text: 'a longer answer' })
  local.faults.add({ kind: 'cut', afterBytes: 300, on })
  const cut = await faultOf(ask())
  assert.ok(cut instanceof TransportError && cut.where === 'during the answer')
  local.faults.add({ kind: 'reset', on })
  const reset = await faultOf(ask())
  assert.ok(reset instanceof TransportError && reset.where === 'while waiting')
  local.faults.add({ kind: 'stall', afterBytes: 300, on })
  const silent = faultOf(ask())
  await eventually('the stream began', () => local.log.calls.at(-1)?.status === 200 && local.slots.open === 1)
  await settled()
  await wire.clock.advance(300_000)
  const silence = await silent
  assert.ok(silence instanceof TransportError && ['silence', 'first byte timeout'].includes(silence.why))
})

test('the body that is looked at is the one that is sent, also after a refusal', async () => {
  const refusal = { status: 400, body: { error: { message: 'Unknown member: stream_options' } } }
  const http = new ScriptedHttp(refusal, { headers: eventStream, body: [text('x'), end(), done] })
  const client = surfaceClient(http.send, 'https://api.example.com', new FakeClock())
  const first = JSON.stringify(client.bodyOf(asked))
  await collect(client.stream(asked, never))
  const [before, after] = http.requests.map(({ body }) => body)
  assert.equal(before, first)
  assert.notEqual(after, first)
  assert.equal(JSON.stringify(client.bodyOf(asked)), after)
})
