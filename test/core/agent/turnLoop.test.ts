// A turn with scripted tools against the local service, over the wire.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { raceAbort, until } from '../../../src/base/abort.ts'
import type { PauseReason } from '../../../src/core/agent/turnPorts.ts'
import { UnofferedCallError } from '../../../src/core/agent/unofferedCallError.ts'
import { endMark } from '../../../src/core/conversation/resultMarks.ts'
import { ProblemError, TransportError } from '../../../src/core/http/errors.ts'
import { surfaceIds } from '../../../src/core/model/surfaceIds.ts'
import { surfaces } from '../../../src/core/model/surfaces.ts'
import { AllowedActions, type PendingCall } from '../../../src/core/tools/approvals.ts'
import { type Mode, modes } from '../../../src/core/tools/modes.ts'
import type { PreparedCall, Tool, ToolInput } from '../../../src/core/tools/tool.ts'
import type { PartOf } from '../../../src/protocol/conversation.ts'
import { answerParts } from '../../../src/protocol/conversationPath.ts'
import { sealed, sealOf } from '../../localService/surface/seal.ts'
import { callOf, echo, piecesOf, scriptedTool, TurnFixture, text } from '../../support/turnFixture.ts'
import { eventually } from '../../support/wire.ts'

const ready = { is: 'ready', concerns: [] } as const

const changed: PartOf<'change-set'> = {
  ...{ kind: 'change-set', id: 'set' },
  files: [{ uri: 'file:///w/a.ts', change: 'modified', hunks: 1, addedLines: 1, removedLines: 0, review: 'open' }],
}

/** Far enough into an answer that some of its words have come. */
const cutAfterBytes = { 'chat-completions': 700, responses: 2_400, messages: 700 } as const

for (const surface of surfaceIds) {
  const cut = { kind: 'truncate', afterBytes: cutAfterBytes[surface], on: `POST ${surfaces[surface].path}` } as const

  describe(surface, () => {
    test('a question, calls side by side, their results and the answer', async () => {
      await using turn = await TurnFixture.start({ surface, tools: [echo('read'), echo('list')] })
      turn.service.replies.add(
        {
          reasoning: 'I look.',
          text: 'One moment.',
          toolCalls: [callOf('read', { path: 'a.ts' }), callOf('list', { path: 'src' })],
        },
        { text: 'Done.' },
      )
      assert.deepEqual(await turn.ask('What is it?'), { state: 'done', model: turn.service.model, withdrawn: [] })
      assert.deepEqual(
        turn.turn.steps.map(({ why, parts }) => [why, parts.map(({ kind }) => kind)]),
        [
          ['tools', ['reasoning', 'text', 'tool-call', 'tool-call']],
          ['done', ['text']],
        ],
      )
      assert.deepEqual(turn.results, [
        ['ok', 'read {"path":"a.ts"}'],
        ['ok', 'list {"path":"src"}'],
      ])
      const sent = turn.lastBody
      assert.ok(sent.indexOf('read {') > 0 && sent.indexOf('read {') < sent.indexOf('list {'))
      assert.equal(turn.turn.state, 'done')
      assert.ok(turn.turn.steps.every(({ usage }) => usage && usage.input > 0))
    })

    test('a request repeats the one before it byte for byte and only appends', async () => {
      await using turn = await TurnFixture.start({ surface, tools: [echo('read'), echo('list')] })
      turn.service.replies.add(
        { reasoning: 'Hm.', text: 'First.', toolCalls: [callOf('read'), callOf('list')] },
        { reasoning: 'So.', toolCalls: [callOf('nothing', 'half {')] },
        { text: 'Once more.', toolCalls: [callOf('list', { path: 'x' })] },
        { text: 'Done.' },
      )
      turn.log.onDidAppend(event => {
        if (event.kind === 'tool-result' && turn.bodies.length === 2)
          void turn.queueMessage(`And ${event.part}, please.`)
      })
      await turn.ask('What is it?')
      assert.equal(turn.bodies.length, 4)
      for (const [at, body] of turn.bodies.entries()) {
        if (at === 0) continue
        const before = piecesOf(turn.bodies[at - 1])
        assert.deepEqual(piecesOf(body).slice(0, before.length), before, `request ${at + 1}`)
        assert.ok(piecesOf(body).length > before.length)
      }
      assert.match(turn.lastBody, /And \d+, please/)
      assert.ok(turn.lastBody.includes(`up to ${endMark('chat')}:\\nread {`), 'what a tool returned is marked')
      if (surface !== 'chat-completions') assert.match(turn.lastBody, /signature|encrypted_content/)
    })

    test('[A02] [T54] an answer that its limit cut: none of its calls is carried out, and the model is told', async () => {
      const run: string[] = []
      const read = scriptedTool('read', 'read', async ({ path }) => text(String(run.push(String(path)))))
      await using turn = await TurnFixture.start({ surface, tools: [read] })
      turn.service.replies.add(
        { text: 'I look.', toolCalls: [callOf('read'), callOf('read', '{"path": "b')], finishReason: 'length' },
        { text: 'Done.' },
      )
      assert.equal((await turn.ask('q')).state, 'done')
      assert.deepEqual(run, [])
      assert.deepEqual(
        turn.results.map(([outcome]) => outcome),
        ['refused', 'refused'],
      )
      assert.match(
        turn.lastBody,
        /Your answer was cut before its end, so none of its calls was carried out\. Write less/,
      )
      assert.equal(turn.turn.steps[0]?.why, 'length')
    })

    test('[A02] [T54] an answer that ended without a reason: none of its calls is carried out', async () => {
      const run: string[] = []
      const read = scriptedTool('read', 'read', async ({ path }) => text(String(run.push(String(path)))))
      await using turn = await TurnFixture.start({ surface, tools: [read] })
      turn.service.replies.add({ toolCalls: [callOf('read')], finishReason: null }, { text: 'Done.' })
      await turn.ask('q')
      assert.deepEqual(run, [])
      assert.equal(turn.calls.length, 1)
      assert.notEqual(turn.results[0]?.[0], 'ok')
    })

    test('[A03] [R30] arguments that do not fit are answered with what is wrong and what the tool takes', async () => {
      await using turn = await TurnFixture.start({ surface, tools: [echo('read')] })
      turn.service.replies.add(
        { toolCalls: [callOf('read', 'half {'), callOf('read', { file: 'a' }), callOf('write'), callOf('read')] },
        { text: 'Done.' },
      )
      assert.equal((await turn.ask('q')).state, 'done')
      assert.deepEqual(turn.results, [
        ['refused', 'The arguments are no JSON object: "half {".\nread takes:\n- path: text (required)'],
        ['refused', 'There is no parameter "file".\nread takes:\n- path: text (required)'],
        ['refused', 'There is no tool "write". The tools are: read.'],
        ['ok', 'read {"path":"a.ts"}'],
      ])
      assert.match(turn.lastBody, /There is no parameter/)
    })

    test('[A14] an answer to results that broke off is asked for again at most twice, and none of its calls is carried out', async () => {
      await using turn = await TurnFixture.start({ surface, tools: [echo('read')] })
      const reply = { text: 'one two three four five six seven eight nine ten', toolCalls: [callOf('read')] }
      let times = 2
      turn.log.onDidAppend(event => event.kind === 'tool-result' && turn.service.faults.add({ ...cut, times }))
      turn.service.replies.add({ toolCalls: [callOf('read')] }, reply, reply, { text: 'Done.' })
      assert.equal((await turn.ask('q')).state, 'done')
      assert.deepEqual(
        turn.turn.steps.map(({ why }) => why),
        ['tools', 'broken', 'broken', 'done'],
      )
      assert.equal(turn.results.filter(([outcome]) => outcome).length, 1)
      assert.doesNotMatch(turn.lastBody, /one/, 'what broke off is not sent')
      assert.match(JSON.stringify(turn.turn.steps[1]?.parts), /one/, 'and stays to be seen')
      times = 3
      turn.service.replies.add({ toolCalls: [callOf('read')] }, reply, reply, reply)
      const { state, fault } = await turn.ask('q')
      assert.equal(state, 'interrupted')
      assert.ok(fault instanceof TransportError)
      assert.equal(turn.turn.fault?.name, 'TransportError')
      assert.equal(turn.turn.steps.length, 4)
    })

    test('a model that cannot call tools is asked without them, and from then on at once', async () => {
      await using turn = await TurnFixture.start({ surface, tools: [echo('read')] })
      const error = { message: 'registry.example/gemma does not support tools', type: 'invalid_request_error' }
      const on = `POST ${surfaces[surface].path}`
      // Where a request has optional members, it is first repeated without them.
      const times = surface === 'messages' ? 1 : 2
      turn.service.faults.add({ kind: 'status', status: 400, body: JSON.stringify({ error }), on, times })
      turn.service.replies.add({ text: 'Hello.' }, { text: 'Again.' })
      assert.equal((await turn.ask('q')).state, 'done')
      assert.equal((await turn.ask('again')).state, 'done')
      assert.deepEqual(
        turn.bodies.slice(-3).map(body => 'tools' in body),
        [true, false, false],
      )
    })

    test('[R02] an answer to a question is asked for again only when the person wants it', async () => {
      await using turn = await TurnFixture.start({ surface, tools: [echo('read')] })
      turn.service.replies.add({ text: 'one two three four five six seven eight nine ten' })
      turn.service.faults.add(cut)
      assert.equal((await turn.ask('q')).state, 'interrupted')
      assert.equal(turn.bodies.length, 1)
    })
  })
}

/** Thinking between text and a call, and between two calls, as a service of the surface streams it. */
const interleaved = {
  messages: [
    { type: 'message_start', message: { id: 'm', usage: { input_tokens: 1, output_tokens: 1 } } },
    ...block(0, { type: 'text', text: '' }, { type: 'text_delta', text: 'I look.' }),
    ...block(
      1,
      { type: 'thinking', thinking: '', signature: '' },
      { type: 'thinking_delta', thinking: 'Hm.' },
      { type: 'signature_delta', signature: sealOf('Hm.') },
    ),
    ...block(2, { type: 'tool_use', id: 'a', name: 'read', input: {} }, json('{"path": "a"}')),
    ...block(
      3,
      { type: 'thinking', thinking: '', signature: '' },
      { type: 'thinking_delta', thinking: 'So.' },
      { type: 'signature_delta', signature: sealOf('So.') },
    ),
    ...block(4, { type: 'tool_use', id: 'b', name: 'read', input: {} }, json('{"path": "b"}')),
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 9 } },
    { type: 'message_stop' },
  ],
  responses: [
    { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'I look.' },
    item(1, { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: sealed('Hm.') }),
    // The id that results answer to may come with the end of a call alone.
    {
      type: 'response.output_item.added',
      output_index: 2,
      item: { type: 'function_call', id: 'fc_1', name: 'read', arguments: '' },
    },
    item(2, { type: 'function_call', id: 'fc_1', call_id: 'a', name: 'read', arguments: '{"path": "a"}' }),
    item(3, { type: 'reasoning', id: 'rs_2', summary: [], encrypted_content: sealed('So.') }),
    item(4, { type: 'function_call', id: 'fc_2', call_id: 'b', name: 'read', arguments: '{"path": "b"}' }),
    { type: 'response.completed', response: { status: 'completed', output: [] } },
  ],
}

function block(index: number, content: object, ...deltas: readonly object[]) {
  return [
    { type: 'content_block_start', index, content_block: content },
    ...deltas.map(delta => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]
}

function json(partial: string) {
  return { type: 'input_json_delta', partial_json: partial }
}

function item(at: number, content: object) {
  return { type: 'response.output_item.done', output_index: at, item: content }
}

for (const surface of ['messages', 'responses'] as const)
  test(`${surface}: sealed reasoning between text and calls is kept in its place and sent back exactly`, async () => {
    await using turn = await TurnFixture.start({ surface, tools: [echo('read')] })
    const raw = interleaved[surface].map(event => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    turn.service.replies.add({ raw }, { text: 'Done.' })
    assert.equal((await turn.ask('q')).state, 'done')
    assert.deepEqual(
      turn.turn.steps[0]?.parts.map(({ kind }) => kind),
      ['text', 'reasoning', 'tool-call', 'reasoning', 'tool-call'],
    )
    const { messages, input } = turn.bodies[1] as { messages?: { content: unknown[] }[]; input?: unknown[] }
    const sent = surface === 'messages' ? messages?.[1]?.content : input?.slice(1, 6)
    const expected = {
      messages: [
        { type: 'text', text: 'I look.' },
        { type: 'thinking', thinking: 'Hm.', signature: sealOf('Hm.') },
        { type: 'tool_use', id: 'a', name: 'read', input: { path: 'a' } },
        { type: 'thinking', thinking: 'So.', signature: sealOf('So.') },
        { type: 'tool_use', id: 'b', name: 'read', input: { path: 'b' } },
      ],
      responses: [
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'I look.' }] },
        { type: 'reasoning', summary: [], encrypted_content: sealed('Hm.') },
        { type: 'function_call', call_id: 'a', name: 'read', arguments: '{"path":"a"}' },
        { type: 'reasoning', summary: [], encrypted_content: sealed('So.') },
        { type: 'function_call', call_id: 'b', name: 'read', arguments: '{"path":"b"}' },
      ],
    }
    assert.deepEqual(sent, expected[surface])
  })

describe('what is kept, and when', () => {
  test('[A01] [T84] a call stands in the log before it is carried out, and its result after it', async () => {
    const seen: unknown[] = []
    const read = scriptedTool('read', 'read', async (_, { part }) => {
      seen.push(turn.calls.find(({ id }) => id === part)?.isWritten, turn.results)
      return text('r')
    })
    await using turn = await TurnFixture.start({ tools: [read] })
    turn.service.replies.add({ toolCalls: [callOf('read')] }, { text: 'Done.' })
    await turn.ask('q')
    assert.deepEqual(seen, [true, [[undefined, '']]])
    assert.deepEqual(turn.results, [['ok', 'r']])
    assert.equal(turn.events.at(-1)?.kind, 'turn-ended')
  })

  test('a log that this window may not write any more ends the turn', async () => {
    const lose = scriptedTool('lose', 'write', async () => {
      turn.log.append = () => Promise.reject(new Error('another window writes'))
      return text('done')
    })
    await using turn = await TurnFixture.start({ tools: [lose] })
    turn.service.replies.add({ toolCalls: [callOf('lose')] })
    await assert.rejects(turn.ask('q'), /another window writes/)
    assert.equal(turn.bodies.length, 1)
  })

  test('the questions of an answer come in the order of its calls, however long each is looked up', async () => {
    const asked: unknown[] = []
    const allowed = new AllowedActions()
    const has = allowed.has.bind(allowed)
    const lookedUp = Promise.withResolvers<boolean>()
    allowed.has = async call => {
      if (call.input['path'] === 'a') return lookedUp.promise
      const isAllowed = await has(call)
      setImmediate(() => lookedUp.resolve(false))
      return isAllowed
    }
    await using turn = await TurnFixture.start({
      tools: [echo('run', 'run')],
      allowed,
      ask: async ({ input }) => {
        asked.push(input['path'])
        return { is: 'denied' }
      },
    })
    turn.service.replies.add({ toolCalls: [callOf('run', { path: 'a' }), callOf('run', { path: 'b' })] })
    await turn.ask('q')
    assert.deepEqual(asked, ['a', 'b'])
  })

  test('a question that cannot be asked ends the turn, and withdraws those beside it', async () => {
    const questions: AbortSignal[] = []
    await using turn = await TurnFixture.start({
      tools: [echo('run', 'run')],
      ask: async ({ input }, signal) => {
        questions.push(signal)
        if (input['path'] === 'b') throw new Error('the page is gone')
        return new Promise(() => {})
      },
    })
    turn.service.replies.add({ toolCalls: [callOf('run', { path: 'a' }), callOf('run', { path: 'b' })] })
    const { state, fault } = await turn.ask('q')
    assert.deepEqual([state, String(fault)], ['failed', 'Error: the page is gone'])
    assert.deepEqual(
      questions.map(({ aborted }) => aborted),
      [true, false],
    )
    assert.deepEqual(
      turn.results.map(([outcome]) => outcome),
      ['interrupted', 'interrupted'],
    )
  })
})

describe('carrying out', () => {
  test('[A05] reads run together, six at most; a write waits for them, and they for it; results are in order', async () => {
    const running = new Set<string>()
    const most: Record<string, number> = {}
    const begun: string[] = []
    const run = async (kind: string, path: unknown) => {
      const id = `${kind} ${path}`
      begun.push(id)
      running.add(id)
      most[kind] = Math.max(most[kind] ?? 0, running.size)
      await new Promise(resolve => setImmediate(resolve))
      if (kind === 'write') assert.equal(running.size, 1, 'a write runs alone')
      running.delete(id)
      return text(id)
    }
    const read = scriptedTool('read', 'read', ({ path }) => run('read', path))
    const write = scriptedTool('write', 'write', ({ path }) => run('write', path))
    await using turn = await TurnFixture.start({ tools: [read, write] })
    const paths = (name: string, ...of: string[]) => of.map(path => callOf(name, { path }))
    const calls = [
      ...paths('read', ...'12345678'),
      ...paths('write', 'a', 'b'),
      ...paths('read', '9'),
      ...paths('write', 'c'),
    ]
    turn.service.replies.add({ toolCalls: calls }, { text: 'Done.' })
    await turn.ask('q')
    assert.deepEqual(most, { read: 6, write: 1 })
    const asked = calls.map(({ name, arguments: given }) => `${name} ${(given as { path: string }).path}`)
    assert.deepEqual(begun, asked)
    assert.deepEqual(
      turn.results.map(([, words]) => words),
      asked,
    )
    const order = turn.events.flatMap(event => (event.kind === 'tool-result' ? [event.part] : []))
    assert.deepEqual(
      order,
      turn.calls.map(({ id }) => id),
    )
  })

  test('[A06] a write that failed stops only those of the same file', async () => {
    const prepare = async ({ path }: ToolInput): Promise<PreparedCall> => {
      const { href } = new URL(String(path), 'file:///work/')
      return { is: 'ready', concerns: [], changes: [{ uri: href, path: 'a' }] }
    }
    const write = scriptedTool(
      'write',
      'write',
      async ({ path }) => ({ ...text(`wrote ${path}`), isError: path === 'a' }),
      { prepare },
    )
    await using turn = await TurnFixture.start({ tools: [write] })
    const of = (path: string) => callOf('write', { path })
    turn.service.replies.add({ toolCalls: [of('a'), of('b'), of('a'), of('./x/../a')] }, { text: 'Done.' })
    await turn.ask('q')
    assert.deepEqual(
      turn.results.map(([outcome]) => outcome),
      ['error', 'ok', 'refused', 'refused'],
    )
    assert.match(turn.results[2]?.[1] ?? '', /an earlier call of this answer failed to change a/)
  })

  test('a tool that throws is an error for the model, and the turn goes on', async () => {
    const broken = scriptedTool('broken', 'read', async () => {
      throw new Error('no such thing')
    })
    await using turn = await TurnFixture.start({ tools: [broken] })
    turn.service.replies.add({ toolCalls: [callOf('broken')] }, { text: 'Done.' })
    assert.equal((await turn.ask('q')).state, 'done')
    assert.deepEqual(turn.results, [['error', 'broken failed: Error: no such thing']])
  })

  test('no slot is held while a tool runs or the user is asked', async () => {
    const held: (readonly [number, number])[] = []
    const note = () => held.push([turn.service.slots.open, turn.window.line.state.holders.length])
    const read = scriptedTool('read', 'read', async () => {
      note()
      return text('r')
    })
    await using turn = await TurnFixture.start({
      tools: [read, echo('run', 'run')],
      maxRequests: 2,
      ask: async () => {
        note()
        return { is: 'allowed', scope: 'once' }
      },
      goOn: async () => {
        note()
        return true
      },
    })
    turn.service.replies.add({ toolCalls: [callOf('read')] }, { toolCalls: [callOf('run')] }, { text: 'Done.' })
    await turn.ask('q')
    assert.deepEqual(held, Array(3).fill([0, 0]))
  })

  test('the first request is a person’s, those after results are the agent’s, unless the person said something', async () => {
    await using turn = await TurnFixture.start({ tools: [echo('read')] })
    const gate = turn.service.replies.hold()
    turn.service.replies.add({ toolCalls: [callOf('read')] }, { toolCalls: [callOf('read')] }, { text: 'Done.' })
    const asking = turn.ask('q')
    await gate.reached
    await turn.queueMessage('And this.')
    gate.release()
    await asking
    assert.deepEqual(turn.lanes, ['chat', 'chat', 'agent'])
  })
})

describe('what the user says', () => {
  test('a call that is denied is not carried out, and the model gets the words', async () => {
    const run: unknown[] = []
    const write = scriptedTool('write', 'write', async ({ path }) => text(String(run.push(path))))
    const asked: PendingCall[] = []
    await using turn = await TurnFixture.start({
      tools: [write],
      mode: modes.ask,
      ask: async call => {
        asked.push(call)
        return call.input['path'] === 'a' ? { is: 'denied', reason: 'not that file' } : { is: 'allowed', scope: 'once' }
      },
    })
    turn.service.replies.add(
      { toolCalls: [callOf('write', { path: 'a' }), callOf('write', { path: 'b' })] },
      { text: 'Done.' },
    )
    await turn.ask('q')
    assert.deepEqual(run, ['b'])
    assert.equal(turn.results[0]?.[0], 'denied')
    assert.match(turn.lastBody, /The user declined this call\. Do not try it another way\.\\nThey said: not that file/)
    assert.deepEqual(
      turn.calls.map(({ approval }) => approval),
      [
        { state: 'denied', reason: 'not that file' },
        { state: 'allowed', scope: 'once' },
      ],
    )
    assert.equal(asked.length, 2)
  })

  test('[T55] what is allowed for the conversation is the exact action, and nothing else', async () => {
    const asked: unknown[] = []
    await using turn = await TurnFixture.start({
      tools: [{ ...echo('run', 'run'), prepare: async ({ path }) => ({ ...ready, remembered: String(path) }) }],
      ask: async ({ input }) => {
        asked.push(input['path'])
        return { is: 'allowed', scope: 'conversation' }
      },
    })
    const run = (path: string) => ({ toolCalls: [callOf('run', { path })] })
    turn.service.replies.add(run('make'), run('make'), run('make '), { text: 'Done.' })
    await turn.ask('q')
    turn.service.replies.add(run('make'), { text: 'Done.' })
    await turn.ask('again')
    assert.deepEqual(asked, ['make', 'make '])
  })

  test('a concern of the call is asked about where the mode does not ask, with what the call would do', async () => {
    const asked: PendingCall[] = []
    const read: Tool = {
      ...echo('read'),
      prepare: async ({ path }) => ({ ...ready, concerns: path === '.env' ? [{ is: 'secret', target: '.env' }] : [] }),
    }
    await using turn = await TurnFixture.start({
      tools: [read],
      mode: modes.edit,
      ask: async call => {
        asked.push(call)
        return { is: 'denied' }
      },
    })
    turn.service.replies.add(
      { toolCalls: [callOf('read', { path: '.env' }), callOf('read', { path: 'a' })] },
      { text: 'Done.' },
    )
    const questions: unknown[] = []
    turn.log.onDidAppend(event => event.kind === 'tool-approval' && questions.push(event.approval))
    await turn.ask('q')
    assert.deepEqual(
      asked.map(({ input }) => input['path']),
      ['.env'],
    )
    assert.deepEqual(questions, [{ state: 'asked', concerns: [{ is: 'secret', target: '.env' }] }, { state: 'denied' }])
    assert.deepEqual(
      turn.results.map(([outcome]) => outcome),
      ['denied', 'ok'],
    )
  })

  test('[A62] what the settings of the user allow is not asked about, but for a concern and where the mode refuses it', async () => {
    const asked: unknown[] = []
    const run: Tool = {
      ...echo('run', 'run'),
      prepare: async ({ path }) => ({
        ...ready,
        concerns: path === 'curl' ? [{ is: 'network' }] : [],
        isAllowedBySetting: path !== 'make',
      }),
    }
    const outcomes = async (mode: Mode) => {
      await using turn = await TurnFixture.start({
        tools: [run],
        mode,
        ask: async ({ input }) => {
          asked.push(input['path'])
          return { is: 'denied' }
        },
      })
      const toolCalls = ['make', 'ls', 'curl'].map(path => callOf('run', { path }))
      turn.service.replies.add({ toolCalls }, { text: 'Done.' })
      await turn.ask('q')
      return turn.results.map(([outcome]) => outcome)
    }
    assert.deepEqual(await outcomes(modes.edit), ['denied', 'ok', 'denied'])
    assert.deepEqual(asked, ['make', 'curl'])
    assert.deepEqual(await outcomes(modes.plan), ['refused', 'refused', 'refused'])
  })

  test('a call that its tool refuses is asked about by nobody, and says why', async () => {
    const write: Tool = {
      ...echo('write', 'write'),
      prepare: async () => ({ is: 'refused', output: 'It is not there.' }),
    }
    await using turn = await TurnFixture.start({ tools: [write], mode: modes.ask })
    turn.service.replies.add({ toolCalls: [callOf('write')] }, { text: 'Done.' })
    await turn.ask('q')
    assert.deepEqual(turn.results, [['refused', 'It is not there.']])
  })

  test('[A28] what has changed since it was approved is asked about again, with what it is now', async () => {
    const asked: unknown[] = []
    let version = 1
    const write = scriptedTool('write', 'write', async () => text('written'))
    const bound: Tool = {
      ...write,
      prepare: async () => ({ ...ready, boundTo: `v${version}` }),
      run: async (input, context, signal) => {
        if (context.boundTo !== `v${version}`) return { content: [], isOutdated: true }
        return write.run(input, context, signal)
      },
    }
    await using turn = await TurnFixture.start({
      tools: [bound],
      mode: modes.ask,
      ask: async ({ prepared }) => {
        if (asked.push(prepared.boundTo) === 1) version = 2
        return { is: 'allowed', scope: 'once' }
      },
    })
    turn.service.replies.add({ toolCalls: [callOf('write')] }, { text: 'Done.' })
    await turn.ask('q')
    assert.deepEqual(asked, ['v1', 'v2'])
    assert.deepEqual(turn.results, [['ok', 'written']])
  })

  test('a mode that refuses says so to the model and asks nobody', async () => {
    await using turn = await TurnFixture.start({ tools: [echo('read'), echo('write', 'write')], mode: modes.plan })
    turn.service.replies.add({ toolCalls: [callOf('write'), callOf('read')] }, { text: 'The plan.' })
    await turn.ask('q')
    assert.deepEqual(
      turn.results.map(([outcome]) => outcome),
      ['refused', 'ok'],
    )
    assert.match(turn.lastBody, /Plan mode: not carried out/)
    assert.match(JSON.stringify(turn.bodies.at(-1)?.['tools']), /"name":"write"/, 'the tool stays declared')
  })

  test('[A13] stop while the user is asked: the model is not told that it may have been carried out', async () => {
    await using turn = await TurnFixture.start({
      tools: [echo('write', 'write')],
      mode: modes.ask,
      ask: async (_, signal) => {
        turn.stop.abort()
        return raceAbort(new Promise(() => {}), signal)
      },
    })
    turn.service.replies.add({ toolCalls: [callOf('write')] })
    assert.equal((await turn.ask('q')).state, 'stopped')
    assert.deepEqual(turn.results, [['stopped', 'Stopped by the user, who had not allowed it.']])
  })

  test('[A13] stop during a tool: it ends at once, unfinished calls say so, what waits goes back', async () => {
    const begun = Promise.withResolvers<void>()
    const hang = scriptedTool('hang', 'write', () => {
      begun.resolve()
      return new Promise(() => {})
    })
    const edit = scriptedTool('edit', 'write', async (_, { record }) => {
      await record(changed)
      return text('edited')
    })
    await using turn = await TurnFixture.start({ tools: [edit, hang] })
    turn.service.replies.add({ toolCalls: [callOf('edit'), callOf('hang'), callOf('hang', { path: 'b' })] })
    const asking = turn.ask('q')
    await begun.promise
    await turn.queueMessage('One more thing')
    turn.stop.abort()
    const { state, withdrawn } = await asking
    assert.equal(state, 'stopped')
    assert.deepEqual(
      turn.results.map(([outcome]) => outcome),
      ['ok', 'stopped', 'stopped'],
    )
    assert.match(turn.results[1]?.[1] ?? '', /^Stopped by the user/)
    assert.deepEqual(
      answerParts(turn.turn).filter(({ kind }) => kind === 'change-set'),
      [changed],
      'what was changed stays',
    )
    assert.deepEqual(
      withdrawn.map(({ parts }) => parts.map(part => part.kind === 'text' && part.text)),
      [['One more thing']],
    )
    assert.deepEqual([turn.log.state.queued, turn.turn.state, turn.bodies.length], [[], 'stopped', 1])
  })

  test('one call is stopped alone: the model is told, the others and the turn go on', async () => {
    const hanging = scriptedTool('explore', 'read', (_, { part }, signal) => {
      turn.running.stop(part)
      return until(signal, () => () => {})
    })
    await using turn = await TurnFixture.start({ tools: [hanging, echo('read')] })
    turn.service.replies.add({ toolCalls: [callOf('explore'), callOf('read')] }, { text: 'Then without it.' })
    assert.equal((await turn.ask('Look around')).state, 'done')
    assert.deepEqual(
      turn.results.map(([outcome]) => outcome),
      ['stopped', 'ok'],
    )
    assert.match(turn.lastBody, /The user has stopped this call alone\. Go on without it/)
  })

  test('[A13] stop in the middle of an answer keeps what came and closes the request', async () => {
    await using turn = await TurnFixture.start({ tools: [echo('read')] })
    const gate = turn.service.replies.hold(2)
    turn.service.replies.add({ text: 'one two three', toolCalls: [callOf('read')] })
    const asking = turn.ask('q')
    await gate.reached
    await eventually('the words came', () => turn.turn.steps[0]?.parts.length === 1)
    turn.stop.abort()
    assert.equal((await asking).state, 'stopped')
    assert.deepEqual([turn.turn.steps[0]?.why, turn.turn.state], ['stopped', 'stopped'])
  })

  test('[A13] stop while the user is asked withdraws the question', async () => {
    const asked = Promise.withResolvers<AbortSignal>()
    await using turn = await TurnFixture.start({
      tools: [echo('write', 'write')],
      mode: modes.ask,
      ask: (_, signal) => {
        asked.resolve(signal)
        return new Promise(() => {})
      },
    })
    turn.service.replies.add({ toolCalls: [callOf('write')] })
    const asking = turn.ask('q')
    const question = await asked.promise
    turn.stop.abort()
    assert.equal((await asking).state, 'stopped')
    assert.ok(question.aborted)
    assert.equal(turn.results[0]?.[0], 'stopped')
  })

  test('[A11] a message sent while it works goes in behind the results, before the next request', async () => {
    const read = scriptedTool('read', 'read', async () => {
      await turn.queueMessage('Look at b.ts as well.')
      return text('r')
    })
    await using turn = await TurnFixture.start({ tools: [read] })
    turn.service.replies.add({ toolCalls: [callOf('read')] }, { text: 'Done.' })
    await turn.ask('q')
    const { messages } = turn.bodies[1] as { messages: { role: string; content: unknown }[] }
    assert.deepEqual(
      messages.slice(-2).map(({ role, content }) => [role, content]),
      [
        ['tool', `Data from read "a.ts", up to ${endMark('chat')}:\nr\n${endMark('chat')}`],
        ['user', 'Look at b.ts as well.'],
      ],
    )
    assert.deepEqual(turn.log.state.queued, [])
  })

  test('a message that comes too late for the turn is left for the next one', async () => {
    await using turn = await TurnFixture.start({ tools: [echo('read')] })
    const gate = turn.service.replies.hold(1)
    turn.service.replies.add({ text: 'one two' })
    const asking = turn.ask('q')
    await gate.reached
    await turn.queueMessage('And then?')
    gate.release()
    assert.deepEqual([(await asking).state, turn.log.state.queued.length], ['done', 1])
  })

  test('[A12] a message sent while the user is asked declines what waits, and is sent as well', async () => {
    const questions: AbortSignal[] = []
    await using turn = await TurnFixture.start({
      tools: [echo('write', 'write')],
      mode: modes.ask,
      ask: async (_, signal) => {
        questions.push(signal)
        if (questions.length === 2) await turn.queueMessage('Use b.ts instead.')
        return new Promise(() => {})
      },
    })
    const toolCalls = [callOf('write'), callOf('write', { path: 'c.ts' })]
    turn.service.replies.add({ toolCalls }, { text: 'Done.' })
    assert.equal((await turn.ask('q')).state, 'done')
    assert.deepEqual(
      questions.map(({ aborted }) => aborted),
      [true, true],
    )
    for (const [outcome, words] of turn.results) {
      assert.equal(outcome, 'denied')
      assert.match(words, /They said: Use b\.ts instead\./)
    }
    assert.match(turn.lastBody, /"role":"user","content":"Use b\.ts instead\."/)
  })
})

describe('when it does not get on', () => {
  test('[A03] three answers in a row of which no call fits end the turn', async () => {
    await using turn = await TurnFixture.start({ tools: [echo('read')] })
    const wrong = { toolCalls: [callOf('read', 'half {')] }
    turn.service.replies.add(wrong, wrong, { toolCalls: [callOf('read')] }, wrong, wrong, wrong)
    const { state, fault } = await turn.ask('q')
    assert.equal(state, 'failed')
    assert.ok(fault instanceof UnofferedCallError && fault.hasTools)
    assert.deepEqual([turn.bodies.length, turn.turn.fault], [6, { name: 'UnofferedCallError' }])
  })

  test('[A07] at the limit of requests the user is asked, and goes on with half as many again', async () => {
    const asked: PauseReason[] = []
    await using turn = await TurnFixture.start({
      tools: [echo('read')],
      maxRequests: 4,
      goOn: async reason => asked.push(reason) === 1,
    })
    turn.service.replies.add(...'12345678'.split('').map(path => ({ toolCalls: [callOf('read', { path })] })))
    assert.equal((await turn.ask('q')).state, 'stopped')
    assert.deepEqual(asked, [
      { is: 'requests', requests: 4 },
      { is: 'requests', requests: 6 },
    ])
    assert.equal(turn.bodies.length, 6)
  })

  test('[A08] the same call with the same result: a note at the third, a question at the fifth', async () => {
    const asked: PauseReason[] = []
    await using turn = await TurnFixture.start({
      tools: [echo('read')],
      goOn: async reason => asked.push(reason) < 0,
    })
    turn.service.replies.add(...Array(6).fill({ toolCalls: [callOf('read')] }))
    assert.equal((await turn.ask('q')).state, 'stopped')
    assert.deepEqual(asked, [{ is: 'repetition', rounds: 5, calls: 1 }])
    assert.deepEqual(
      turn.results.map(([, words]) => /You have had this result (\d) times/.exec(words)?.[1]),
      [undefined, undefined, '3', '4', '5'],
    )
  })

  test('[A08] the same call after a write is no repetition', async () => {
    await using turn = await TurnFixture.start({ tools: [echo('read'), echo('write', 'write')] })
    const round = [{ toolCalls: [callOf('read')] }, { toolCalls: [callOf('write')] }]
    turn.service.replies.add(...Array(6).fill(round).flat(), { text: 'Done.' })
    assert.equal((await turn.ask('q')).state, 'done')
    assert.ok(turn.results.every(([, words]) => !words.includes('You have had')))
  })

  test('a model that is refused before its first word: the other is asked once', async () => {
    const refusals: (string | undefined)[] = []
    let good = ''
    await using turn = await TurnFixture.start({
      model: async (_, refused) => {
        refusals.push(refused)
        return refused === undefined ? 'gone-1' : good
      },
    })
    good = turn.service.model
    turn.service.replies.add({ text: 'Done.' })
    assert.deepEqual(await turn.ask('q'), { state: 'done', model: good, withdrawn: [] })
    assert.deepEqual(refusals, [undefined, 'gone-1'])
    good = 'gone-2'
    const { state, fault } = await turn.ask('q')
    assert.equal(state, 'failed')
    assert.ok(fault instanceof ProblemError)
    assert.equal(refusals.length, 4)
  })

  test('a model that calls a tool in a chat without any: its words stand, and without words that is a failure', async () => {
    await using turn = await TurnFixture.start()
    turn.service.replies.add({ text: 'I look.', toolCalls: [callOf('read')] }, { toolCalls: [callOf('read')] })
    assert.equal((await turn.ask('q')).state, 'done')
    const { state, fault } = await turn.ask('q')
    assert.equal(state, 'failed')
    assert.ok(fault instanceof UnofferedCallError)
    assert.equal(turn.bodies.length, 2)
  })

  test('an answer that a filter ends, and one at its limit, end the turn as what they are', async () => {
    await using turn = await TurnFixture.start()
    turn.service.replies.add({ text: 'one', finishReason: 'length' }, { text: 'no', finishReason: 'content_filter' })
    assert.equal((await turn.ask('q')).state, 'length')
    assert.equal((await turn.ask('q')).state, 'filtered')
  })
})
