// Streams as servers send them, composed by hand: the bytes, and what a right reader makes of them.
import type { FinishReason, ReasoningBlock, Usage } from '../../../src/core/model/modelClient.ts'
import type { SurfaceId } from '../../../src/core/model/surfaceIds.ts'

export interface Composed {
  readonly what: string
  readonly surface: SurfaceId
  readonly body: string
  readonly text?: string
  readonly reasoning?: string
  /** Name and input. */
  readonly calls?: readonly (readonly [string, unknown])[]
  readonly thoughts?: readonly ReasoningBlock[]
  readonly usage?: Usage
  /** How it ends: a reason, or the fault's name and what the service said. */
  readonly ends: FinishReason | Failed
}

export interface Failed {
  readonly fault: 'ProblemError' | 'ContractError' | 'TransportError'
  readonly status?: number
  readonly words?: string
}

const json = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
export const data = (value: unknown) => `data: ${json(value)}\n\n`
export const named = (value: { readonly type: string }) => `event: ${value.type}\ndata: ${json(value)}\n\n`

const emptyAnswer: Failed = { fault: 'ContractError' }
const cut: Failed = { fault: 'TransportError' }

// Chat completions.

const done = data('[DONE]')
const chunk = (delta: object | null, more: object = {}) => data({ choices: [{ index: 0, delta, ...more }] })
const say = (content: unknown) => chunk({ content })
const finish = (reason: string) => chunk({}, { finish_reason: reason })
const counted = (prompt_tokens: number, completion_tokens: number) =>
  data({ choices: [], usage: { prompt_tokens, completion_tokens } })
const call = (...tool_calls: object[]) => chunk({ tool_calls })
const piece = (index: number | null, id: string | null, name: string | null, args: unknown) => ({
  ...(index !== null && { index }),
  ...(id !== null && { id }),
  function: { ...(name !== null && { name }), arguments: args },
})

const chat = (
  what: string,
  frames: readonly string[],
  said: Omit<Composed, 'what' | 'surface' | 'body'>,
): Composed => ({
  what,
  surface: 'chat-completions',
  body: frames.join(''),
  ...said,
})

const chatStreams: readonly Composed[] = [
  chat(
    'members that tell of failures elsewhere, beside an answer',
    [
      data({ code: 0, message: 'success', choices: [] }),
      chunk({ content: 'a' }, {}).replace('{', '{"code":0,"message":"success","detail":null,"error":"",'),
      data({ code: 200, message: 'ok', error: {}, choices: [{ delta: { content: 'b' } }] }),
      data({ error: { code: 0, message: '' }, detail: 'cached', choices: [{ delta: {}, finish_reason: 'stop' }] }),
      counted(3, 4),
      done,
    ],
    { text: 'ab', usage: { input: 3, output: 4 }, ends: 'done' },
  ),
  chat('a code that is a failure, beside no choice', [say('a'), data({ code: 500, message: 'Broke.', choices: [] })], {
    text: 'a',
    ends: { fault: 'ProblemError', status: 500, words: 'Broke.' },
  }),
  chat('a failure told in the frame itself', [say('a'), data({ type: 'api_error', code: 'x', message: 'Broke.' })], {
    text: 'a',
    ends: { fault: 'ProblemError', status: 502, words: 'Broke.' },
  }),
  chat(
    'a plain answer with signs of two, three and four bytes',
    [say('ä'), say('–🌍'), finish('stop'), counted(3, 4), done],
    {
      text: 'ä–🌍',
      usage: { input: 3, output: 4 },
      ends: 'done',
    },
  ),
  chat(
    'a comment with one line end right before a frame',
    [': keep-alive\n', say('a'), ': x\n\n', finish('stop'), done],
    {
      text: 'a',
      ends: 'done',
    },
  ),
  chat('an event name without data', ['event: ping\n\n', say('a'), 'event: x\n', finish('stop'), done], {
    text: 'a',
    ends: 'done',
  }),
  chat(
    'a byte order mark, no space behind the colon, fields nobody needs',
    [
      '\ufeffid: 1\nretry: 5\n',
      say('a').replace('data: ', 'data:'),
      'junk\nmore: junk\n',
      finish('stop'),
      'data:[DONE]\n\n',
    ],
    { text: 'a', ends: 'done' },
  ),
  chat('one frame in two data lines', ['data: {"choices":[{"delta":\ndata: {"content":"a"}}]}\n\n', finish('stop')], {
    text: 'a',
    ends: 'done',
  }),
  chat(
    'two frames behind one field name',
    [say('a'), '{"choices":[{"delta":{"content":"lost"}}]}\n\n', say('b'), finish('stop'), done],
    {
      text: 'ab',
      ends: 'done',
    },
  ),
  chat('no blank line at the end', [say('a'), finish('stop').trimEnd()], { text: 'a', ends: 'done' }),
  chat('text, then a clean close', [say('half '), say('of it')], { text: 'half of it', ends: cut }),
  chat('half a call, then a clean close', [say('a'), call(piece(0, 'c', 'f', '{"q":'))], { text: 'a', ends: cut }),
  chat('the stream’s end without the answer’s', [say('a'), call(piece(0, 'c', 'f', '{}')), done], {
    text: 'a',
    ends: 'cut-off',
  }),
  chat(
    'a dead server behind a gateway that closes cleanly',
    [data({ id: '', choices: [{ delta: {} }], usage: { total_tokens: 0 } }), done],
    { ends: emptyAnswer, usage: { input: 0, output: 0 } },
  ),
  chat('an end without a word', [chunk({ role: 'assistant' }), finish('stop'), done], { ends: emptyAnswer }),
  chat(
    'calls without index, told apart by id',
    [
      call({ id: 'c1', function: { name: 'f', arguments: '{}' } }),
      call({ id: 'c2', function: { name: 'g', arguments: '{"a":1}' } }),
      finish('tool_calls'),
      done,
    ],
    {
      calls: [
        ['f', {}],
        ['g', { a: 1 }],
      ],
      ends: 'tools',
    },
  ),
  chat(
    'two calls that both count as number 0',
    [call(piece(0, 'a', 'f', '{"x":1}')), call(piece(0, 'b', 'g', '{"x":2}')), finish('tool_calls')],
    {
      calls: [
        ['f', { x: 1 }],
        ['g', { x: 2 }],
      ],
      ends: 'tools',
    },
  ),
  chat(
    'two calls in one frame, their arguments interleaved',
    [
      call(piece(0, 'a', 'f', ''), piece(1, 'b', 'g', '')),
      call(piece(1, null, null, '{"y"'), piece(0, null, null, '{"x"')),
      call(piece(0, null, null, ':1}'), piece(1, null, null, ':2}')),
      finish('tool_calls'),
      counted(1, 2),
      done,
    ],
    {
      calls: [
        ['f', { x: 1 }],
        ['g', { y: 2 }],
      ],
      usage: { input: 1, output: 2 },
      ends: 'tools',
    },
  ),
  chat(
    'counting from one, with a gap; ids empty or null go on',
    [
      call(piece(1, 'a', 'f', '{')),
      call({ ...piece(1, '', null, '}'), id: '' }),
      call({ index: 1, id: null, function: { arguments: ' ' } }),
      call(piece(7, 'b', 'g', '{}')),
      finish('tool_calls'),
    ],
    {
      calls: [
        ['f', {}],
        ['g', {}],
      ],
      ends: 'tools',
    },
  ),
  chat(
    'two calls under the same id',
    [call(piece(0, 'c', 'f', '{}')), call(piece(1, 'c', 'g', '{}')), finish('tool_calls')],
    {
      calls: [
        ['f', {}],
        ['g', {}],
      ],
      ends: 'tools',
    },
  ),
  chat('a call without arguments', [call(piece(0, 'a', 'f', '')), finish('tool_calls'), done], {
    calls: [['f', {}]],
    ends: 'tools',
  }),
  chat('arguments as an object', [call(piece(0, 'a', 'f', { q: 1 })), finish('tool_calls'), done], {
    calls: [['f', { q: 1 }]],
    ends: 'tools',
  }),
  chat(
    'arguments that are no object come as they were written',
    [
      call(piece(0, 'a', 'f', '{"a":1}Let me read')),
      call(piece(1, 'b', 'g', '"foo"')),
      call(piece(2, 'c', 'h', '[1]')),
      finish('tool_calls'),
      done,
    ],
    {
      calls: [
        ['f', '{"a":1}Let me read'],
        ['g', '"foo"'],
        ['h', '[1]'],
      ],
      ends: 'tools',
    },
  ),
  chat('calls, and a reason as if there were none', [call(piece(0, 'a', 'f', '{}')), finish('stop'), done], {
    calls: [['f', {}]],
    ends: 'tools',
  }),
  chat('calls that were said and did not come', [finish('tool_calls'), done], { ends: emptyAnswer }),
  chat('text, and calls that were said and did not come', [say('a'), finish('tool_calls'), done], {
    text: 'a',
    ends: 'cut-off',
  }),
  chat('a call that the limit has cut', [say('a'), call(piece(0, 'a', 'f', '{"q"')), finish('length'), done], {
    text: 'a',
    ends: 'length',
  }),
  chat('a filter that leaves nothing', [finish('content_filter'), done], { ends: 'refused' }),
  chat('a refusal in words', [chunk({ refusal: 'I will not.' }), finish('stop'), done], {
    text: 'I will not.',
    ends: 'done',
  }),
  chat(
    'frames without choices, before, between and after',
    [
      data({ choices: [], id: '', prompt_filter_results: [] }),
      data({ id: 'x' }),
      say('a'),
      data({ choices: null, usage: null }),
      finish('stop'),
      counted(5, 6),
      done,
    ],
    { text: 'a', usage: { input: 5, output: 6 }, ends: 'done' },
  ),
  chat(
    'usage with each frame and members nobody knows',
    [
      data({
        choices: [{ delta: { content: 'a' } }],
        usage: { prompt_tokens: 1, completion_tokens: 1 },
        x_groq: { usage: {} },
      }),
      data({
        choices: [{ delta: {}, finish_reason: 'stop' }],
        usage: { prompt_tokens: 1, completion_tokens: 9, total_tokens: 99 },
      }),
    ],
    { text: 'a', usage: { input: 1, output: 9 }, ends: 'done' },
  ),
  chat(
    'the whole so far beside each delta',
    [
      chunk({ content: 'a' }, { message: { content: 'a' } }),
      chunk({ content: 'b' }, { message: { content: 'ab' }, finish_reason: 'stop' }),
    ],
    { text: 'ab', ends: 'done' },
  ),
  chat(
    'the whole so far, and never a delta',
    [
      data({ choices: [{ message: { content: 'a' } }] }),
      data({ choices: [{ message: { content: 'ab' }, finish_reason: 'stop' }] }),
    ],
    { text: 'ab', ends: 'done' },
  ),
  chat(
    'everything null; a reason that is empty, then repeated',
    [
      chunk({ role: null, content: null, tool_calls: null }, { finish_reason: null }),
      say('a'),
      chunk(null, { finish_reason: '' }),
      finish('length'),
      finish('stop'),
      done,
    ],
    { text: 'a', ends: 'done' },
  ),
  chat(
    'other choices, and a reason nobody knows',
    [
      data({
        choices: [
          { index: 1, delta: { content: 'no' } },
          { index: 0, delta: { content: 'a' } },
        ],
      }),
      finish('eos_token'),
      done,
    ],
    { text: 'a', ends: 'done' },
  ),
  chat(
    'content in parts, thoughts among them',
    [
      say([{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }]),
      say([{ type: 'text', text: 'a' }, { type: 'image' }, { text: 'b' }]),
      finish('stop'),
    ],
    { reasoning: 'hm', text: 'ab', ends: 'done' },
  ),
  chat(
    'reasoning under one name, under another, under two',
    [
      chunk({ reasoning: 'a' }),
      chunk({ reasoning_content: 'b' }),
      chunk({ reasoning_content: 'c', reasoning: 'c', reasoning_details: [{ text: 'c' }] }),
      chunk({
        reasoning_details: [
          { type: 'reasoning.summary', summary: 'd' },
          { type: 'reasoning.text', text: 'e' },
        ],
      }),
      say('x'),
      finish('stop'),
      done,
    ],
    { reasoning: 'abcde', text: 'x', ends: 'done' },
  ),
  chat(
    'reasoning between tags in the text',
    [say('\n<thi'), say('nk>hm</'), say('b></think'), say('>\n\nfor <think> see below'), finish('stop')],
    { reasoning: 'hm</b>', text: 'for <think> see below', ends: 'done' },
  ),
  chat('an error that is none', [data({ error: null, choices: [{ delta: { content: 'a' } }] }), finish('stop'), done], {
    text: 'a',
    ends: 'done',
  }),
  chat('an error as an object', [say('a'), data({ error: { message: 'Broke.', type: 'server_error', code: null } })], {
    text: 'a',
    ends: { fault: 'ProblemError', status: 502, words: 'Broke.' },
  }),
  chat(
    'an error as a text, before choices',
    [data({ error: 'It broke.', choices: [{ delta: { content: 'no' } }] }), done],
    {
      ends: { fault: 'ProblemError', status: 502, words: 'It broke.' },
    },
  ),
  chat(
    'a gateway’s error, bare',
    [say('a'), data({ is_bifrost_error: true, status_code: 500, error: { message: 'Gone.' }, extra_fields: {} })],
    { text: 'a', ends: { fault: 'ProblemError', status: 500, words: 'Gone.' } },
  ),
  chat(
    'a gateway’s error, wrapped once more',
    [data({ error: { is_bifrost_error: false, status_code: 429, error: { message: 'Slower.' } } })],
    { ends: { fault: 'ProblemError', status: 429, words: 'Slower.' } },
  ),
  chat(
    'an error under an event’s name',
    [say('a'), named({ type: 'error', ...{ error: { type: 'overloaded_error', message: 'Overloaded' } } })],
    { text: 'a', ends: { fault: 'ProblemError', status: 529, words: 'Overloaded' } },
  ),
  chat(
    'an error in a field of its own',
    [say('a'), 'error: {"detail":"x","error":{"message":"Decoding failed."}}\n\n'],
    {
      text: 'a',
      ends: { fault: 'ProblemError', status: 502, words: 'Decoding failed.' },
    },
  ),
  chat('an error as a bare line', [say('a'), '{"error":{"message":"Past the format."}}\n'], {
    text: 'a',
    ends: { fault: 'ProblemError', status: 502, words: 'Past the format.' },
  }),
  chat('an error as a bare line of another dialect', [say('a'), '{"code":503,"message":"Nobody is there."}\n'], {
    text: 'a',
    ends: { fault: 'ProblemError', status: 503, words: 'Nobody is there.' },
  }),
  chat('an error in the frame itself', [data({ object: 'error', message: 'Too long.', code: 400 })], {
    ends: { fault: 'ProblemError', status: 400, words: 'Too long.' },
  }),
  chat(
    'line ends of every kind in one stream',
    [say('a').replaceAll('\n', '\r\n'), say('b'), finish('stop').replaceAll('\n', '\r'), done],
    {
      text: 'ab',
      ends: 'done',
    },
  ),
  chat(
    'the role with each frame',
    [chunk({ role: 'assistant', content: 'a' }), chunk({ role: 'assistant', content: 'b' }), finish('stop')],
    {
      text: 'ab',
      ends: 'done',
    },
  ),
  chat('nothing but the stream’s end', [done], { ends: emptyAnswer }),
  chat('only thoughts', [chunk({ reasoning: 'hm' }), finish('stop'), done], { reasoning: 'hm', ends: emptyAnswer }),
  chat('the limit, in the middle of a text', [say('a'), finish('length'), counted(1, 2), done], {
    text: 'a',
    usage: { input: 1, output: 2 },
    ends: 'length',
  }),
  chat(
    'members of gateways and of padding',
    [
      data({
        id: 'x',
        provider: 'P',
        p: 'ab',
        extra_fields: { chunk_index: 0, latency: 3 },
        choices: [{ index: 0, delta: { content: 'a' }, logprobs: null, obfuscation: 'xyz' }],
      }),
      finish('stop'),
      done,
    ],
    { text: 'a', ends: 'done' },
  ),
  chat(
    'a call whose pieces have neither index nor id',
    [
      call(piece(null, 'a', 'f', '{"x"')),
      call(piece(null, null, null, ':1')),
      call(piece(null, null, null, '}')),
      finish('tool_calls'),
      done,
    ],
    { calls: [['f', { x: 1 }]], ends: 'tools' },
  ),
  chat(
    'two whole calls as number 0, without ids',
    [call(piece(0, null, 'f', '{"x":1}')), call(piece(0, null, 'f', '{"x":2}')), finish('tool_calls'), done],
    {
      calls: [
        ['f', { x: 1 }],
        ['f', { x: 2 }],
      ],
      ends: 'tools',
    },
  ),
  chat(
    'the name in full with each piece',
    [
      call(piece(0, 'a', 'f', '{"x"')),
      call(piece(0, 'a', 'f', ':1}')),
      call(piece(1, 'b', 'g', '{}')),
      finish('function_call'),
      done,
    ],
    {
      calls: [
        ['f', { x: 1 }],
        ['g', {}],
      ],
      ends: 'tools',
    },
  ),
  chat(
    'an error frame, and the stream’s end behind it',
    [say('a'), data({ error: { message: 'No key.', code: 401 } }), done],
    {
      text: 'a',
      ends: { fault: 'ProblemError', status: 401, words: 'No key.' },
    },
  ),
]

// Responses.

const text = (delta: string, more: object = {}) =>
  named({ type: 'response.output_text.delta', ...{ output_index: 0, content_index: 0, delta, ...more } })
const added = (output_index: number, item: object) =>
  named({ type: 'response.output_item.added', ...{ output_index, item } })
const itemDone = (output_index: number, item: object) =>
  named({ type: 'response.output_item.done', ...{ output_index, item } })
const args = (output_index: number, delta: string) =>
  named({ type: 'response.function_call_arguments.delta', ...{ output_index, delta } })
const argsDone = (output_index: number, given: string) =>
  named({ type: 'response.function_call_arguments.done', ...{ output_index, arguments: given } })
const unplaced = (type: string, more: object) => named({ type: `response.${type}`, ...more })
const functionCall = (call_id: string, name: string, given: string) => ({
  type: 'function_call',
  id: `fc_${call_id}`,
  call_id,
  name,
  arguments: given,
})
const completed = (response: object = {}) => named({ type: 'response.completed', ...{ response } })
const usage = { input_tokens: 7, output_tokens: 8, total_tokens: 15 }

const responses = (
  what: string,
  frames: readonly string[],
  said: Omit<Composed, 'what' | 'surface' | 'body'>,
): Composed => ({
  what,
  surface: 'responses',
  body: frames.join(''),
  ...said,
})

const responsesStreams: readonly Composed[] = [
  responses(
    'two calls, and no event names a place',
    [
      unplaced('output_item.added', { item: functionCall('a', 'f', '') }),
      unplaced('function_call_arguments.delta', { delta: '{"x"' }),
      unplaced('output_item.added', { item: functionCall('b', 'g', '') }),
      unplaced('function_call_arguments.delta', { item_id: 'fc_a', delta: ':1}' }),
      unplaced('function_call_arguments.done', { item_id: 'fc_b', arguments: '{"y":2}' }),
      unplaced('output_item.done', { item: functionCall('a', 'f', '{"x":1}') }),
      unplaced('output_item.done', { item: functionCall('b', 'g', '{"y":2}') }),
      completed({ output: [] }),
    ],
    {
      calls: [
        ['f', { x: 1 }],
        ['g', { y: 2 }],
      ],
      ends: 'tools',
    },
  ),
  responses(
    'a tool of the service that failed, and events that nobody knows',
    [
      text('a'),
      named({ type: 'response.mcp_call.failed', ...{ item_id: 'x', error: 'The tool says no' } }),
      named({ type: 'response.notice', ...{ code: 'x', message: 'hello' } }),
      named({ type: 'notice', ...{ detail: 'cached' } }),
      text('b'),
      completed({ usage }),
    ],
    { text: 'ab', usage: { input: 7, output: 8 }, ends: 'done' },
  ),
  responses('a failure without a single word', [text('a'), named({ type: 'response.failed', ...{ response: {} } })], {
    text: 'a',
    ends: { fault: 'ProblemError', status: 502 },
  }),
  responses(
    'a plain answer',
    [
      named({ type: 'response.created', ...{ response: { id: 'r', error: null, output: [] } } }),
      added(0, { type: 'message', content: [] }),
      text('ä🌍'),
      text('b', { obfuscation: 'xx' }),
      named({ type: 'response.output_text.done', ...{ output_index: 0, content_index: 0, text: 'ä🌍b' } }),
      itemDone(0, { type: 'message', content: [{ type: 'output_text', text: 'ä🌍b' }] }),
      completed({ output: [{ type: 'message', content: [{ type: 'output_text', text: 'ä🌍b' }] }], usage }),
    ],
    { text: 'ä🌍b', usage: { input: 7, output: 8 }, ends: 'done' },
  ),
  responses(
    'no event names, `type` last, one item under changing ids',
    [
      data({ delta: 'a', output_index: 0, content_index: 0, item_id: 'x', type: 'response.output_text.delta' }),
      data({ delta: 'b', output_index: 0, content_index: 0, item_id: 'y', type: 'response.output_text.delta' }),
      data({ text: 'ab', output_index: 0, content_index: 0, item_id: 'z', type: 'response.output_text.done' }),
      data({ response: { usage }, type: 'response.completed' }),
    ],
    { text: 'ab', usage: { input: 7, output: 8 }, ends: 'done' },
  ),
  responses(
    'an event name that contradicts the data',
    [text('a').replace('event: response.output_text.delta', 'event: error'), completed()],
    { text: 'a', ends: 'done' },
  ),
  responses(
    'text without a delta: as a part',
    [
      named({ type: 'response.output_text.done', ...{ output_index: 0, content_index: 0, text: 'a' } }),
      itemDone(0, { type: 'message', content: [{ type: 'output_text', text: 'a' }] }),
      completed(),
    ],
    { text: 'a', ends: 'done' },
  ),
  responses(
    'text without a delta: as an item',
    [
      itemDone(0, { type: 'message', content: [{ type: 'output_text', text: 'a' }] }),
      completed({ output: [{ type: 'message', content: [{ type: 'output_text', text: 'a' }] }] }),
    ],
    { text: 'a', ends: 'done' },
  ),
  responses(
    'nothing but the end, which holds it all',
    [
      completed({
        output: [{ type: 'message', content: [{ type: 'output_text', text: 'a' }] }, functionCall('c', 'f', '{"q":1}')],
      }),
    ],
    { text: 'a', calls: [['f', { q: 1 }]], ends: 'tools' },
  ),
  responses(
    'calls side by side',
    [
      added(0, functionCall('a', 'f', '')),
      added(1, functionCall('b', 'g', '')),
      args(1, '{"y":'),
      args(0, '{"x":1}'),
      args(1, '2}'),
      argsDone(0, '{"x":1}'),
      argsDone(1, '{"y":2}'),
      itemDone(0, functionCall('a', 'f', '{"x":1}')),
      itemDone(1, functionCall('b', 'g', '{"y":2}')),
      completed({ usage }),
    ],
    {
      calls: [
        ['f', { x: 1 }],
        ['g', { y: 2 }],
      ],
      usage: { input: 7, output: 8 },
      ends: 'tools',
    },
  ),
  responses(
    'arguments only at the end, and an item without text',
    [
      added(0, functionCall('a', 'f', '')),
      argsDone(0, '{"q":1}'),
      added(1, { type: 'message', content: [] }),
      itemDone(1, { type: 'message', content: [{ type: 'output_text', text: '' }] }),
      completed(),
    ],
    { calls: [['f', { q: 1 }]], ends: 'tools' },
  ),
  responses(
    'a call that only the whole response has',
    [
      text('Let me look.'),
      completed({
        output: [
          { type: 'message', content: [{ type: 'output_text', text: 'Let me look.' }] },
          functionCall('a', 'f', '{"x":1}'),
        ],
      }),
    ],
    { text: 'Let me look.', calls: [['f', { x: 1 }]], ends: 'tools' },
  ),
  responses('a call that is only its end', [itemDone(3, functionCall('a', 'f', '{}')), completed()], {
    calls: [['f', {}]],
    ends: 'tools',
  }),
  responses(
    'a call that never came to its end',
    [text('a'), added(1, functionCall('b', 'f', '')), args(1, '{}'), completed()],
    {
      text: 'a',
      ends: 'cut-off',
    },
  ),
  responses(
    'reasoning in paragraphs, sealed, then a call',
    [
      added(0, { type: 'reasoning', id: 'rs_1', summary: [] }),
      named({ type: 'response.reasoning_summary_part.added', ...{ output_index: 0, summary_index: 0, part: {} } }),
      named({ type: 'response.reasoning_summary_text.delta', ...{ output_index: 0, summary_index: 0, delta: 'one' } }),
      named({ type: 'response.reasoning_summary_text.done', ...{ output_index: 0, summary_index: 0, text: 'one' } }),
      named({ type: 'response.reasoning_summary_part.added', ...{ output_index: 0, summary_index: 1, part: {} } }),
      named({ type: 'response.reasoning_summary_text.delta', ...{ output_index: 0, summary_index: 1, delta: 'two' } }),
      itemDone(0, {
        type: 'reasoning',
        id: 'rs_1',
        summary: [{ type: 'summary_text', text: 'one' }],
        content: [],
        encrypted_content: 'sealed',
      }),
      itemDone(1, functionCall('a', 'f', '{}')),
      completed(),
    ],
    {
      reasoning: 'one\n\ntwo',
      calls: [['f', {}]],
      thoughts: [
        {
          surface: 'responses',
          item: { type: 'reasoning', summary: [{ type: 'summary_text', text: 'one' }], encrypted_content: 'sealed' },
          afterText: 0,
          afterCalls: 0,
        },
      ],
      ends: 'tools',
    },
  ),
  responses(
    'reasoning in full and in short: one of them; unsealed: not kept',
    [
      named({ type: 'response.reasoning_text.delta', ...{ output_index: 0, content_index: 0, delta: 'all of it' } }),
      named({
        type: 'response.reasoning_summary_text.delta',
        ...{ output_index: 0, summary_index: 0, delta: 'short' },
      }),
      itemDone(0, { type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: 'all of it' }] }),
      named({ type: 'response.output_text.delta', ...{ output_index: 1, content_index: 1, delta: 'a' } }),
      completed(),
    ],
    { reasoning: 'all of it', text: 'a', ends: 'done' },
  ),
  responses(
    'reasoning without a delta',
    [
      named({ type: 'response.reasoning_text.done', ...{ output_index: 0, content_index: 0, text: 'hm' } }),
      text('a', { output_index: 1 }),
      completed(),
    ],
    { reasoning: 'hm', text: 'a', ends: 'done' },
  ),
  responses(
    'a refusal',
    [
      named({ type: 'response.refusal.delta', ...{ output_index: 0, content_index: 0, delta: 'I will ' } }),
      named({ type: 'response.refusal.delta', ...{ output_index: 0, content_index: 0, delta: 'not.' } }),
      named({ type: 'response.refusal.done', ...{ output_index: 0, content_index: 0, refusal: 'I will not.' } }),
      completed(),
    ],
    { text: 'I will not.', ends: 'refused' },
  ),
  responses(
    'the limit',
    [
      text('a'),
      added(1, functionCall('b', 'f', '')),
      itemDone(1, { ...functionCall('b', 'f', '{"q"'), status: 'incomplete' }),
      named({
        type: 'response.incomplete',
        ...{ response: { incomplete_details: { reason: 'max_output_tokens' }, usage } },
      }),
    ],
    { text: 'a', usage: { input: 7, output: 8 }, ends: 'length' },
  ),
  responses(
    'a filter',
    [named({ type: 'response.incomplete', ...{ response: { incomplete_details: { reason: 'content_filter' } } } })],
    { ends: 'refused' },
  ),
  responses(
    'a failure',
    [
      text('a'),
      named({ type: 'response.failed', ...{ response: { error: { code: 'server_error', message: 'Broke.' } } } }),
    ],
    { text: 'a', ends: { fault: 'ProblemError', status: 502, words: 'Broke.' } },
  ),
  responses(
    'one failure told twice, the words first',
    [
      named({ type: 'error', ...{ error: { code: 'insufficient_quota', message: 'Used up.' } } }),
      named({
        type: 'response.failed',
        ...{ response: { error: { code: 'insufficient_quota', message: 'Used up.' } } },
      }),
    ],
    { ends: { fault: 'ProblemError', status: 402, words: 'Used up.' } },
  ),
  responses(
    'one failure told twice, the words last',
    [
      named({ type: 'response.failed', ...{ response: { error: null } } }),
      named({ type: 'error', ...{ code: 'rate_limit_exceeded', message: 'Slower.', param: null } }),
    ],
    { ends: { fault: 'ProblemError', status: 429, words: 'Slower.' } },
  ),
  responses('a failure without words', [text('a'), named({ type: 'response.failed', ...{ response: {} } })], {
    text: 'a',
    ends: { fault: 'ProblemError', status: 502 },
  }),
  responses(
    'a gateway’s error without a type',
    [text('a'), data({ status_code: 502, is_bifrost_error: true, error: { message: 'Provider gone.' } })],
    { text: 'a', ends: { fault: 'ProblemError', status: 502, words: 'Provider gone.' } },
  ),
  responses(
    'events for others, a keep-alive, and a tool of the service',
    [
      ': ping\n',
      named({ type: 'keepalive', ...{ sequence_number: 3 } }),
      added(0, { type: 'web_search_call', id: 'ws' }),
      named({ type: 'response.web_search_call.searching', ...{ output_index: 0 } }),
      text('a', { output_index: 1, sequence_number: 3 }),
      named({ type: 'response.output_text.annotation.added', ...{ annotation: {} } }),
      completed(),
      done,
    ],
    { text: 'a', ends: 'done' },
  ),
  responses('a clean close in the middle', [text('a'), added(1, functionCall('b', 'f', '')), args(1, '{"q"')], {
    text: 'a',
    ends: cut,
  }),
  responses('the stream’s end without the answer’s', [text('a'), done], { text: 'a', ends: 'cut-off' }),
  responses('an end without a word', [completed({ output: [] })], { ends: emptyAnswer }),
  responses(
    'parts and states that nobody needs, and usage in detail',
    [
      named({ type: 'response.queued', ...{ response: { status: 'queued' } } }),
      named({ type: 'response.in_progress', ...{ response: { status: 'in_progress' } } }),
      added(0, { type: 'message', content: [] }),
      named({ type: 'response.content_part.added', ...{ output_index: 0, content_index: 0, part: { text: '' } } }),
      text('a'),
      named({ type: 'response.content_part.done', ...{ output_index: 0, content_index: 0, part: { text: 'a' } } }),
      completed({
        usage: {
          input_tokens: 9,
          input_tokens_details: { cached_tokens: 4 },
          output_tokens: 3,
          output_tokens_details: { reasoning_tokens: 2 },
          total_tokens: 12,
        },
      }),
    ],
    { text: 'a', usage: { input: 9, output: 3 }, ends: 'done' },
  ),
  responses(
    'two texts in one answer',
    [
      text('a'),
      text('b', { content_index: 1 }),
      named({ type: 'response.output_text.done', ...{ output_index: 0, content_index: 0, text: 'a' } }),
      named({ type: 'response.output_text.done', ...{ output_index: 1, content_index: 0, text: 'c' } }),
      completed(),
    ],
    { text: 'abc', ends: 'done' },
  ),
  responses(
    'arguments, a name and an id that their end corrects',
    [
      added(0, functionCall('a', 'f', '')),
      args(0, '{"q":1'),
      argsDone(0, '{"q":2}'),
      itemDone(0, functionCall('b', 'g', '{"q":3}')),
      completed(),
    ],
    { calls: [['g', { q: 3 }]], ends: 'tools' },
  ),
  responses(
    'a refusal that is only its end',
    [
      named({ type: 'response.refusal.done', ...{ output_index: 0, content_index: 0, refusal: 'I will not.' } }),
      completed(),
    ],
    { text: 'I will not.', ends: 'refused' },
  ),
  responses('arguments that are no object', [itemDone(0, functionCall('a', 'f', '[1]')), completed()], {
    calls: [['f', '[1]']],
    ends: 'tools',
  }),
  responses(
    'an error alone, its members at the top',
    [text('a'), named({ type: 'error', ...{ code: 'server_error', message: 'Broke.' } })],
    {
      text: 'a',
      ends: { fault: 'ProblemError', status: 502, words: 'Broke.' },
    },
  ),
]

// Messages.

const start = (id?: string, counts?: object) =>
  named({ type: 'message_start', ...{ message: { ...(id && { id }), content: [], ...(counts && { usage: counts }) } } })
const begin = (index: number, content_block: object) =>
  named({ type: 'content_block_start', ...{ index, content_block } })
const grow = (index: number, type: string, delta: object) =>
  named({ type: 'content_block_delta', ...{ index, delta: { type, ...delta } } })
const stop = (index: number) => named({ type: 'content_block_stop', ...{ index } })
const words = (index: number, ...texts: string[]) =>
  begin(index, { type: 'text', text: '' }) +
  texts.map(said => grow(index, 'text_delta', { text: said })).join('') +
  stop(index)
const tool = (index: number, id: string, name: string, ...partial: string[]) =>
  begin(index, { type: 'tool_use', id, name, input: {} }) +
  partial.map(partial_json => grow(index, 'input_json_delta', { partial_json })).join('') +
  stop(index)
const why = (stop_reason: string | null, counts?: object) =>
  named({ type: 'message_delta', ...{ delta: { stop_reason, stop_sequence: null }, ...(counts && { usage: counts }) } })
const over = named({ type: 'message_stop' })

const messages = (
  what: string,
  frames: readonly string[],
  said: Omit<Composed, 'what' | 'surface' | 'body'>,
): Composed => ({
  what,
  surface: 'messages',
  body: frames.join(''),
  ...said,
})

const messagesStreams: readonly Composed[] = [
  messages(
    'events that nobody knows, with words that tell of failures elsewhere',
    [
      start('m', { input_tokens: 5, output_tokens: 1 }),
      named({ type: 'fallback_notice', ...{ detail: 'another model' } }),
      words(0, 'a'),
      named({ type: 'notice', ...{ code: 'x', message: 'hello' } }),
      why('end_turn', { output_tokens: 9 }),
      over,
    ],
    { text: 'a', usage: { input: 5, output: 9 }, ends: 'done' },
  ),
  messages(
    'a plain answer, and usage that gets better',
    [
      start('m', { input_tokens: 5, output_tokens: 1 }),
      named({ type: 'ping' }),
      words(0, 'ä', '🌍'),
      why('end_turn', { input_tokens: 6, cache_read_input_tokens: 4, output_tokens: 9 }),
      over,
    ],
    { text: 'ä🌍', usage: { input: 10, output: 9 }, ends: 'done' },
  ),
  messages(
    'usage with a zero at the end, where a gateway counts nothing any more',
    [
      start('m', { input_tokens: 1200, output_tokens: 1 }),
      words(0, 'a'),
      why('end_turn', { input_tokens: 0, output_tokens: 9 }),
      over,
    ],
    { text: 'a', usage: { input: 1200, output: 9 }, ends: 'done' },
  ),
  messages(
    'text, then calls side by side, the first piece empty',
    [
      start('m'),
      words(0, 'Let me see.'),
      tool(1, 'a', 'f', '', '{"x"', ':1}'),
      tool(2, 'b', 'g', '{"y":2}'),
      why('tool_use'),
      over,
    ],
    {
      text: 'Let me see.',
      calls: [
        ['f', { x: 1 }],
        ['g', { y: 2 }],
      ],
      ends: 'tools',
    },
  ),
  messages('a call whose arguments stay empty', [start('m'), tool(0, 'a', 'f', ''), why('tool_use'), over], {
    calls: [['f', {}]],
    ends: 'tools',
  }),
  messages(
    'a call that begins whole',
    [start('m'), begin(0, { type: 'tool_use', id: 'a', name: 'f', input: { q: 1 } }), stop(0), why('tool_use'), over],
    { calls: [['f', { q: 1 }]], ends: 'tools' },
  ),
  messages(
    'a call that begins whole and is told again in pieces',
    [
      start('m'),
      begin(0, { type: 'tool_use', id: 'a', name: 'f', input: { q: 1 } }),
      grow(0, 'input_json_delta', { partial_json: '{"q":2}' }),
      stop(0),
      why('tool_use'),
      over,
    ],
    { calls: [['f', { q: 2 }]], ends: 'tools' },
  ),
  messages(
    'thinking with its signature, hidden thinking, then a call',
    [
      start('m'),
      begin(0, { type: 'thinking', thinking: '', signature: '' }),
      grow(0, 'thinking_delta', { thinking: 'hm ' }),
      grow(0, 'thinking_delta', { thinking: 'yes' }),
      grow(0, 'signature_delta', { signature: 'si' }),
      grow(0, 'signature_delta', { signature: 'gn' }),
      stop(0),
      words(1, 'ok'),
      begin(2, { type: 'redacted_thinking', data: 'hidden' }),
      stop(2),
      tool(3, 'a', 'f', '{}'),
      why('tool_use'),
      over,
    ],
    {
      reasoning: 'hm yes',
      text: 'ok',
      calls: [['f', {}]],
      thoughts: [
        {
          surface: 'messages',
          item: { type: 'thinking', thinking: 'hm yes', signature: 'sign' },
          afterText: 0,
          afterCalls: 0,
        },
        { surface: 'messages', item: { type: 'redacted_thinking', data: 'hidden' }, afterText: 2, afterCalls: 0 },
      ],
      ends: 'tools',
    },
  ),
  messages(
    'thinking without a signature is told and not kept',
    [start('m'), begin(0, { type: 'thinking', thinking: 'hm' }), stop(0), words(1, 'a'), why('end_turn'), over],
    { reasoning: 'hm', text: 'a', ends: 'done' },
  ),
  messages(
    'the beginning told twice',
    [start('m', { input_tokens: 3 }), start('m', { input_tokens: 3 }), words(0, 'a'), why('end_turn'), over],
    {
      text: 'a',
      usage: { input: 3, output: 0 },
      ends: 'done',
    },
  ),
  messages(
    'a beginning without its message',
    [named({ type: 'message_start' }), words(0, 'a'), why('end_turn'), over],
    {
      text: 'a',
      ends: 'done',
    },
  ),
  messages(
    'another message in the middle of a call',
    [
      start('first'),
      words(0, 'a'),
      begin(1, { type: 'tool_use', id: 'a', name: 'f', input: {} }),
      grow(1, 'input_json_delta', { partial_json: '{"v":"Spark' }),
      start('second'),
      tool(1, 'b', 'f', '{"v":"Sparkle"}'),
      why('tool_use'),
      over,
    ],
    { text: 'a', ends: { fault: 'ContractError' } },
  ),
  messages(
    'blocks, deltas and events nobody knows',
    [
      start('m'),
      begin(0, { type: 'server_tool_use', id: 's', name: 'search', input: {} }),
      grow(0, 'input_json_delta', { partial_json: '{}' }),
      stop(0),
      words(1, 'a'),
      grow(1, 'citations_delta', { citation: {} }),
      named({ type: 'content_block_flush' }),
      why('stop_sequence'),
      over,
    ],
    { text: 'a', ends: 'done' },
  ),
  messages(
    'the limit, in the middle of a call without its end',
    [
      start('m'),
      words(0, 'a'),
      begin(1, { type: 'tool_use', id: 'a', name: 'f', input: {} }),
      grow(1, 'input_json_delta', { partial_json: '{"q":' }),
      why('max_tokens', { output_tokens: 5 }),
      over,
    ],
    { text: 'a', usage: { input: 0, output: 5 }, ends: 'length' },
  ),
  messages('the window is full', [start('m'), words(0, 'a'), why('model_context_window_exceeded'), over], {
    text: 'a',
    ends: 'length',
  }),
  messages('a refusal without a word', [start('m'), why('refusal'), over], { ends: 'refused' }),
  messages('a pause for tools of the service', [start('m'), words(0, 'a'), why('pause_turn'), over], {
    text: 'a',
    ends: 'cut-off',
  }),
  messages('a reason, and no end behind it', [start('m'), words(0, 'a'), why(null), why('end_turn')], {
    text: 'a',
    ends: 'done',
  }),
  messages('an end without a reason', [start('m'), words(0, 'a'), why(null, { output_tokens: 2 }), over], {
    text: 'a',
    usage: { input: 0, output: 2 },
    ends: 'done',
  }),
  messages(
    'an error by its type',
    [
      start('m'),
      begin(0, { type: 'text', text: 'a' }),
      named({ type: 'error', ...{ error: { type: 'overloaded_error', message: 'Overloaded' } } }),
    ],
    { text: 'a', ends: { fault: 'ProblemError', status: 529, words: 'Overloaded' } },
  ),
  messages(
    'a limit of the rate, before anything',
    [named({ type: 'error', ...{ error: { type: 'rate_limit_error', message: 'Slower.' } } })],
    { ends: { fault: 'ProblemError', status: 429, words: 'Slower.' } },
  ),
  messages(
    'a gateway’s error',
    [start('m'), data({ type: 'provider_connection_failed', status_code: 502, error: { message: 'Gone.' } })],
    { ends: { fault: 'ProblemError', status: 502, words: 'Gone.' } },
  ),
  messages(
    'a clean close in the middle of a call',
    [
      start('m'),
      words(0, 'a'),
      begin(1, { type: 'tool_use', id: 'a', name: 'f', input: {} }),
      grow(1, 'input_json_delta', { partial_json: '{}' }),
    ],
    { text: 'a', ends: cut },
  ),
  messages('a clean close behind a call', [start('m'), tool(0, 'a', 'f', '{}')], { ends: cut }),
  messages('the stream’s end without the answer’s', [start('m'), words(0, 'a'), done], { text: 'a', ends: 'cut-off' }),
  messages(
    'an event name that contradicts the data',
    [start('m'), words(0, 'a').replaceAll('event: content_block_delta', 'event: ping'), why('end_turn'), over],
    { text: 'a', ends: 'done' },
  ),
  messages(
    'no event names at all',
    [start('m'), words(0, 'a'), why('end_turn'), over].map(event => event.replaceAll(/^event: .*\n/gm, '')),
    { text: 'a', ends: 'done' },
  ),
  messages(
    'a beginning without content, pings anywhere',
    [
      named({ type: 'message_start', ...{ message: { id: 'm' } } }),
      begin(0, { type: 'text', text: '' }),
      named({ type: 'ping' }),
      ': keep-alive\n',
      grow(0, 'text_delta', { text: 'a' }),
      named({ type: 'ping' }),
      stop(0),
      why('end_turn'),
      named({ type: 'ping' }),
      over,
    ],
    { text: 'a', ends: 'done' },
  ),
  messages(
    'arguments that are no object, and half of one',
    [start('m'), tool(0, 'a', 'f', '[1', ']'), tool(1, 'b', 'g', '{"q"'), why('tool_use'), over],
    {
      calls: [
        ['f', '[1]'],
        ['g', '{"q"'],
      ],
      ends: 'tools',
    },
  ),
  messages('a refusal in the middle of a text', [start('m'), words(0, 'a'), why('refusal'), over], {
    text: 'a',
    ends: 'refused',
  }),
  messages('a reason nobody knows', [start('m'), words(0, 'a'), why('enough'), over], { text: 'a', ends: 'done' }),
  messages('calls that were said and did not come', [start('m'), words(0, 'a'), why('tool_use'), over], {
    text: 'a',
    ends: 'cut-off',
  }),
  messages('an end without a word', [start('m'), why('end_turn'), over], { ends: emptyAnswer }),
  ...(
    [
      ['invalid_request_error', 400],
      ['authentication_error', 401],
      ['billing_error', 402],
      ['permission_error', 403],
      ['not_found_error', 404],
      ['request_too_large', 413],
      ['rate_limit_error', 429],
      ['too_many_requests', 429],
      ['concurrency_limit_reached', 429],
      ['api_error', 502],
      ['timeout_error', 504],
      ['overloaded_error', 529],
    ] as const
  ).map(([type, status]) =>
    messages(
      `an error of the type ${type}`,
      [start('m'), named({ type: 'error', ...{ error: { type, message: 'No.' } } })],
      {
        ends: { fault: 'ProblemError', status, words: 'No.' },
      },
    ),
  ),
]

export const composedStreams: readonly Composed[] = [...chatStreams, ...responsesStreams, ...messagesStreams]
