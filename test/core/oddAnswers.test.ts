// What a person gets of answers that are odd, broken or hostile: over http, over https, and through a company's proxy.

import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { ContractError, ProblemError, TooLargeError, TransportError } from '../../src/core/http/errors.ts'
import { meaningOf } from '../../src/core/http/fault.ts'
import { collect } from '../../src/core/model/collect.ts'
import type { ModelMessage } from '../../src/core/model/modelClient.ts'
import { surfaceIds } from '../../src/core/model/surfaceIds.ts'
import type { Fault } from '../localService/faults.ts'
import { messagesIn } from '../support/memorySession.ts'
import { answerMessage, resultMessage, userMessage } from '../support/messages.ts'
import {
  answered,
  ask,
  asked,
  cutOff,
  fault,
  inEveryWay,
  path,
  type Rows,
  status,
  windowOn,
  words,
} from '../support/scenario.ts'
import { eventually, faultOf, never } from '../support/wire.ts'

const data = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`
const endOfStream = `${data({ choices: [{ delta: {}, finish_reason: 'stop' }] })}data: [DONE]\n\n`
/** These bytes in place of an answer. */
const stream = { on: path, kind: 'status', status: 200, headers: { 'content-type': 'text/event-stream' } } as const
const question: ModelMessage = userMessage('How are you?')
const tools = ['f', 'g', 'h'].map(name => ({ name, description: 'Does it.', parameters: { type: 'object' } }))

/** A fault that nobody foresaw: its sentence could only report that something went wrong inside. */
const isOurOwn = (thrown: unknown) => thrown instanceof RangeError || thrown instanceof TypeError

const rows: Rows = {
  '[R21] an answer without a body is no answer': async scenario => {
    const empty = { headers: { 'content-type': 'text/event-stream' }, body: '' }
    for (const answer of [{ status: 204 }, { status: 200 }, { status: 200, ...empty }]) {
      await ask(scenario, { kind: 'status', ...answer, times: 'always' })
      const thrown = fault(scenario)
      assert.ok(thrown instanceof ContractError && thrown.what === 'empty', String(thrown))
      scenario.service.faults.clear()
    }
  },
  '[R22] a whole answer in place of a stream is read': async scenario => {
    await ask(scenario, { kind: 'whole' })
    answered(scenario)
    assert.equal(asked(scenario), 1)
  },
  '[R22] a whole answer under the content type of a stream, or none, is read at once': async scenario => {
    for (const type of ['text/event-stream', null]) {
      scenario.service.log.clear()
      await ask(scenario, { kind: 'whole', also: [{ kind: 'content-type', type }] })
      answered(scenario)
      assert.equal(asked(scenario), 1)
    }
  },
  '[R22] a stream under another content type is read': async scenario => {
    await ask(scenario, { kind: 'content-type', type: 'text/plain' })
    answered(scenario)
    assert.equal(asked(scenario), 1)
  },
  '[R23] an event that breaks off in the middle keeps what came before it': async scenario => {
    await ask(scenario, { kind: 'truncate', afterBytes: 700 })
    cutOff(scenario, /^One/)
    assert.ok(fault(scenario) instanceof TransportError)
  },
  '[R24] an end without a blank line is an end': async scenario => {
    await ask(scenario, { kind: 'framing', unterminated: true })
    answered(scenario)
  },
  '[R24] an end without [DONE] is an end': async scenario => {
    await ask(scenario, { kind: 'drop', events: ['[DONE]'] })
    answered(scenario)
  },
  '[R24] an end without a reason is none': async scenario => {
    await ask(scenario, { kind: 'drop', events: ['"finish_reason":"stop"', '[DONE]'] })
    cutOff(scenario, words.join(''))
  },
  '[R25] every spelling of the stream says the same': async scenario => {
    const spellings: Fault[] = [
      { kind: 'framing', lineEnd: '\r\n', byteOrderMark: true },
      { kind: 'framing', lineEnd: '\r', tight: true },
      { kind: 'framing', lineEnd: '\r\n', also: [{ kind: 'drip' }] },
    ]
    for (const spelling of spellings) {
      await ask(scenario, spelling)
      answered(scenario)
    }
  },
  '[R26] bytes that are no text are marked, and the next question can be sent': async scenario => {
    const { service, window } = scenario
    const frame = Buffer.from(`data: {"choices":[{"delta":{"content":"a~b\\u0000\\ud83c"}}]}\n\n${endOfStream}`)
    frame[frame.indexOf('~')] = 0xff
    await ask(scenario, { ...stream, base64: frame.toString('base64') })
    answered(scenario, 'a\ufffdb\u0000\ud83c')
    await ask(scenario)
    answered(scenario)
    const body = JSON.stringify(service.log.calls.at(-1)?.body)
    assert.match(body, /a\ufffdb\\u0000\ufffd/)
    assert.deepEqual(JSON.parse(JSON.stringify(messagesIn(window.session))), messagesIn(window.session))
  },
  '[R27] a failure in mid-stream keeps what came, on each surface': async scenario => {
    const shapes = {
      'chat-completions': ['bifrost', 'text'],
      responses: ['responses-twice'],
      messages: ['messages'],
    } as const
    for (const surface of surfaceIds) {
      for (const shape of shapes[surface]) {
        const window = await windowOn(scenario, surface)
        scenario.service.log.clear()
        scenario.service.replies.add({ tokens: words })
        scenario.service.faults.add({ kind: 'error-event', shape, after: surface === 'chat-completions' ? 2 : 6 })
        await window.ask('How are you?')
        const { state } = window.session
        const messages = messagesIn(window.session)
        assert.ok(state.is === 'failed' && state.fault instanceof ProblemError, `${surface} ${shape}`)
        assert.equal(state.fault.problem.text, 'The model has failed.')
        assert.match(messages.at(-1)?.text ?? '', /^One/)
        assert.equal(messages.at(-1)?.state, 'failed')
        assert.equal(scenario.service.log.calls.length, 1, 'what was shown is not asked for again')
      }
    }
  },
  '[R27] the plan’s limit in mid-stream is no fault: what came is kept, and the next try is the user’s':
    async scenario => {
      const { service } = scenario
      const reports = {
        'chat-completions': [
          data({ error: { message: 'Slower.', type: 'rate_limit_error', code: 429 } }),
          data({ is_bifrost_error: false, status_code: 429, type: 'rate_limited', error: { message: 'Slower.' } }),
        ],
        responses: [`event: error\n${data({ type: 'error', code: 'rate_limit_exceeded', message: 'Slower.' })}`],
        messages: [`event: error\n${data({ type: 'error', error: { type: 'rate_limit_error', message: 'Slower.' } })}`],
      }
      for (const surface of surfaceIds) {
        for (const text of reports[surface]) {
          const window = await windowOn(scenario, surface)
          service.log.clear()
          service.replies.add({ tokens: words })
          service.faults.add({ kind: 'insert', before: surface === 'chat-completions' ? 2 : 6, text })
          await window.ask('How are you?')
          assert.equal(window.session.state.is, 'held', surface)
          assert.match(messagesIn(window.session).at(-1)?.text ?? '', /^One/)
          assert.equal(messagesIn(window.session).at(-1)?.state, 'failed')
          assert.equal(service.log.calls.length, 1, 'what was shown is not asked for again')
          service.replies.add({ tokens: words })
          await window.passingPauses(window.session.retry())
          assert.deepEqual([window.session.state.is, messagesIn(window.session).at(-1)?.text], ['idle', words.join('')])
        }
      }
    },
  '[R28] [T70] a line, an answer or a header without end is given up, and fills no memory': async scenario => {
    const { service, window } = scenario
    const before = process.memoryUsage().rss
    const frame = `data: {"choices":[{"delta":{"content":"${'x'.repeat(200_000)}"}}]}\n\n`
    for (const chunk of ['x'.repeat(1_000_000), frame]) {
      service.faults.add({ on: path, kind: 'flood', chunk, after: 2 })
      await window.session.ask('How are you?')
      assert.ok(fault(scenario) instanceof TooLargeError, String(fault(scenario)))
      await eventually('the service counts nobody any more', () => service.slots.open === 0)
    }
    const header = `HTTP/1.1 200 OK\r\nx-large: ${'x'.repeat(1_000_000)}\r\n\r\n`
    await ask(scenario, { kind: 'raw', base64: btoa(header) })
    assert.ok(fault(scenario) instanceof TooLargeError, String(fault(scenario)))
    assert.ok(process.memoryUsage().rss - before < 200_000_000)
  },
  '[R29] events that nobody knows, for others, or with an unknown end pass': async scenario => {
    const news = 'event: news\ndata: {"type":"news","of":[1]}\n\n'
    const other = 'data: {"choices":[{"index":1,"delta":{"content":"no"}},{"index":7,"finish_reason":"stop"}]}\n\n'
    await ask(scenario, { kind: 'insert', before: 1, text: news + other })
    answered(scenario)
    const odd = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"eos_token"}]}\n\ndata: [DONE]\n\n'
    await ask(scenario, { kind: 'events', order: [0, 1, 2, 3, odd] })
    answered(scenario)
  },
  '[R31] what came packed is unpacked': async scenario => {
    for (const encoding of ['gzip', 'deflate', 'br'] as const) {
      await ask(scenario, { kind: 'packed', encoding })
      answered(scenario)
    }
  },
  '[R31] what came packed and was cut is cut off': async scenario => {
    await ask(scenario, { kind: 'packed', also: [{ kind: 'cut', afterBytes: 100 }], times: 'always' })
    assert.ok(fault(scenario) instanceof TransportError, String(fault(scenario)))
    assert.ok(messagesIn(scenario.window.session).every(({ text }) => text === 'How are you?' || /^One/.test(text)))
  },
  '[R31] [T70] of many wrappings none is undone': async scenario => {
    for (const trouble of [{ layers: 2 }, { layers: 1, announced: 1_000 }]) {
      await ask(scenario, { kind: 'packed', ...trouble })
      assert.ok(fault(scenario) instanceof ContractError, String(fault(scenario)))
      assert.equal(asked(scenario), 1)
      scenario.service.log.clear()
    }
  },
  '[R31] [T70] a bomb is given up': async scenario => {
    scenario.service.faults.add({ on: path, kind: 'gzip-bomb', bytes: 100_000_000, type: 'text/event-stream' })
    await scenario.window.session.ask('How are you?')
    assert.ok(fault(scenario) instanceof TooLargeError)
  },
  '[R29] events of messages and responses in another order break nothing': async scenario => {
    for (const surface of ['responses', 'messages'] as const) {
      for (const order of [
        [-1, 0, 1, 2, 3],
        [3, 2, 1, 0, -1],
        [4, 4, 4, -2, -1],
      ]) {
        const window = await windowOn(scenario, surface)
        const reply = { tokens: words }
        scenario.service.replies.add(reply, reply, reply)
        scenario.service.faults.add({ kind: 'events', order, times: 'always' })
        await window.ask('How are you?')
        assert.ok(['idle', 'failed'].includes(window.session.state.is))
        assert.ok(
          messagesIn(window.session).every(
            ({ text }) => text === 'How are you?' || /^(One| two| three\.)*$/.test(text),
          ),
        )
        scenario.service.replies.clear()
        scenario.service.faults.clear()
      }
    }
  },
  '[R30] calls get ids of their own, half ones never run, and the model is told': async scenario => {
    const { service, window } = scenario
    const call = (index: number, id: string | undefined, name: string | undefined, args: string) =>
      data({ choices: [{ delta: { tool_calls: [{ index, id, function: { name, arguments: args } }] } }] })
    const end = (reason: string) => data({ choices: [{ delta: {}, finish_reason: reason }] })
    const interleaved = [call(0, 'c', 'f', '{"x"'), call(1, 'c', 'g', '{'), call(0, undefined, undefined, ':1}')]
    const rest = [call(1, undefined, undefined, '}'), call(2, undefined, 'h', 'half {')]
    const run = async (frames: readonly string[], messages: readonly ModelMessage[] = [question]) => {
      service.faults.add({ ...stream, base64: Buffer.from(frames.join('')).toString('base64') })
      const request = { model: service.model, messages, tools, lane: 'agent' as const }
      return collect(window.models.stream(request, never))
    }
    const { calls } = await run([...interleaved, ...rest, end('tool_calls')])
    assert.deepEqual(
      calls.map(({ name, input }) => [name, input]),
      [
        ['f', { x: 1 }],
        ['g', {}],
        ['h', 'half {'],
      ],
    )
    assert.equal(new Set(calls.map(({ id: call }) => call)).size, 3)
    assert.deepEqual((await run([...interleaved, ...rest, end('length')])).calls, [])
    assert.ok((await faultOf(run([...interleaved, ...rest]))) instanceof TransportError)
    // The service judges the history as strictly as any: each call has its id and its result.
    service.replies.add({ text: 'Fine.' })
    const messages: ModelMessage[] = [question, answerMessage('', ...calls)]
    const results = calls.map(({ id: call }): ModelMessage => resultMessage(call, 'That was no JSON.', true))
    const request = { model: service.model, messages: [...messages, ...results], tools, lane: 'agent' as const }
    assert.equal((await collect(window.models.stream(request, never))).text, 'Fine.')
    assert.match(JSON.stringify(service.log.calls.at(-1)?.body), /half \{/)
  },
}

/** What does not depend on the way by which it comes. */
const rowsOfAnyWay: Rows = {
  '[T70] JSON that is nested without end is no answer, and breaks nothing': async scenario => {
    const nested = '['.repeat(100_000) + ']'.repeat(100_000)
    await ask(scenario, { ...status(200, nested), times: 'always' })
    assert.ok(!isOurOwn(fault(scenario)), String(fault(scenario)))
    scenario.service.faults.clear()
    await ask(scenario, { kind: 'insert', before: 1, text: `data: {"choices":${nested}}\n\n` })
    answered(scenario)
    const deep = `data: {"choices":[{"delta":{"content":${nested}}}]}\n\n`
    await ask(scenario, { kind: 'insert', before: 1, text: deep })
    answered(scenario)
    await ask(scenario, { ...status(400, `{"error":${nested}}`), times: 'always' })
    assert.ok(!isOurOwn(fault(scenario)), String(fault(scenario)))
  },
  '[T71] names that objects inherit change nothing': async scenario => {
    const { service, window } = scenario
    const hostile = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'
    await ask(scenario, { kind: 'insert', before: 1, text: `data: ${hostile.replace('{', '{"choices":null,')}\n\n` })
    answered(scenario)
    const call = { index: 0, id: 'a', function: { name: '__proto__', arguments: hostile } }
    const frames = [{ delta: { tool_calls: [call] } }, { delta: {}, finish_reason: 'tool_calls' }]
    const body = frames.map(frame => data({ choices: [frame] })).join('')
    service.faults.add({ ...stream, base64: Buffer.from(body).toString('base64') })
    const request = { model: service.model, messages: [question], tools, lane: 'agent' as const }
    const { calls } = await collect(window.models.stream(request, never))
    assert.deepEqual([calls[0]?.name, JSON.stringify(calls[0]?.input)], ['__proto__', hostile])
    service.faults.add({ on: '/v1/models', ...status(200, `{"data":[{"id":"m","__proto__":{"polluted":1}}]}`) })
    assert.deepEqual(
      (await window.catalog.refresh(never)).map(({ id }) => id),
      ['m'],
    )
    assert.equal(Reflect.get({}, 'polluted'), undefined)
  },
  '[R21] of reasoning and a call of a tool that nobody offered only the reasoning is shown, on each surface alike':
    async scenario => {
      const outcomes = []
      for (const surface of surfaceIds) {
        const window = await windowOn(scenario, surface)
        scenario.service.replies.add({ text: '', reasoning: 'Hm.', toolCalls: [{ name: 'f', arguments: { x: 1 } }] })
        await window.ask('How are you?')
        const { state } = window.session
        const messages = messagesIn(window.session)
        assert.ok(state.is === 'failed', `${surface} ${state.is}`)
        outcomes.push([meaningOf(state.fault).kind, messages.map(({ role, text }) => [role, text])])
      }
      const expected = [
        'request: unoffered call',
        [
          ['user', 'How are you?'],
          ['assistant', ''],
        ],
      ]
      assert.deepEqual(outcomes, [expected, expected, expected])
    },
  '[T73] a text that looks like events is a text, on each surface': async scenario => {
    const text = 'x\n\ndata: {"choices":[{"delta":{"content":"evil"}}]}\n\nevent: error\r\rdata: [DONE]\n\n: y'
    for (const surface of surfaceIds) {
      const window = await windowOn(scenario, surface)
      scenario.service.replies.add({ text })
      await window.ask('How are you?')
      assert.deepEqual([window.session.state.is, messagesIn(window.session).at(-1)?.text], ['idle', text], surface)
    }
  },
}

describe('odd answers', () => {
  inEveryWay(rows)
})

describe('odd answers, whichever way', () => {
  inEveryWay(rowsOfAnyWay, ['http'])
})
