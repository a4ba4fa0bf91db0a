// What a person gets when the network or the service misbehaves: over http, over https, and through a company's proxy.

import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { isAbort } from '../../src/base/abort.ts'
import { ContractError, ProblemError } from '../../src/core/http/errors.ts'
import { type FaultPlace, meaningOf } from '../../src/core/http/fault.ts'
import { collect } from '../../src/core/model/collect.ts'
import type { QueuedRequest } from '../../src/core/model/queuedClient.ts'
import type { Fault } from '../localService/faults.ts'
import { ConnectProxy } from '../support/connectProxy.ts'
import { CoreWindow, email } from '../support/coreWindow.ts'
import { messagesIn } from '../support/memorySession.ts'
import { userMessage } from '../support/messages.ts'
import {
  answered,
  ask,
  asked,
  cutOff,
  failed,
  fault,
  inEveryWay,
  lastMessage,
  lost,
  path,
  type Rows,
  type Scenario,
  status,
  words,
} from '../support/scenario.ts'
import { direct, eventually, faultOf, never, Wire } from '../support/wire.ts'

/** The conversation waits for its next try, so long. */
async function waitsFor(scenario: Scenario, ms: number): Promise<void> {
  const { window, wire } = scenario
  const next = () => (window.session.state.is === 'waiting' ? window.session.state.wait : undefined)
  await eventually('it waits', () => next()?.is === 'trying again')
  const wait = next()
  assert.ok(wait?.is === 'trying again')
  assert.equal(Math.round(wait.at - wire.clock.elapsed()), ms)
}

const refusal = (retryAfter?: string, more: Record<string, string> = {}) =>
  status(
    429,
    { error: { message: 'Full' } },
    { ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }), ...more },
  )

/** A question that is refused at the plan's limit waits so long, and is answered after it. */
async function refused(
  scenario: Scenario,
  retryAfter: string | undefined,
  waitMs: number,
  more?: Record<string, string>,
): Promise<void> {
  const { service, window, wire } = scenario
  service.faults.add({ on: path, ...refusal(retryAfter, more) })
  service.replies.add({ tokens: words })
  const asking = window.session.ask('How are you?')
  await waitsFor(scenario, waitMs)
  await wire.clock.advance(waitMs - 1)
  assert.equal(asked(scenario), 1)
  await wire.clock.advance(1)
  await asking
  answered(scenario)
}

/** Until nine seconds from now, by the clock of a service that is so far ahead of this machine's. */
function refusedUntil(scenario: Scenario, aheadMs: number): Promise<void> {
  const there = scenario.wire.clock.now() + aheadMs
  const date = (at: number) => new Date(at).toUTCString()
  return refused(scenario, date(there + 9_000), 9_000, { date: date(there) })
}

/** A question whose answer stalls: reported after 20 s, aborted after 300 s. */
async function stalls(scenario: Scenario, given: Fault, where: FaultPlace): Promise<void> {
  const { service, window, wire } = scenario
  service.faults.add({ on: path, ...given, times: 'always' })
  service.replies.add({ tokens: words })
  const asking = window.session.ask('How are you?')
  await eventually('it was asked', () => asked(scenario) === 1)
  const hasText = 'afterBytes' in given
  if (hasText) await eventually('something came', () => lastMessage(scenario)?.role === 'assistant')
  else if (where === 'during the answer') await eventually('the headers came', () => window.statuses.length > 0)
  for (let second = 0; second < 25; second++) await wire.clock.advance(1_000)
  const { state } = window.session
  assert.ok(state.is === 'waiting' && state.wait.is === 'slow', 'it is told within 25 s')
  // A last byte may have come while the first seconds passed.
  await wire.clock.advance(300_000)
  await asking
  lost(scenario, where, where === 'while waiting' ? 'first byte timeout' : 'silence')
  assert.equal(asked(scenario), 1, 'after so long nobody asks again by himself')
  await eventually('the service counts nobody any more', () => service.slots.open === 0)
}

const bodyTooLong = {
  error: { message: 'This model’s maximum context length is 278528 tokens', code: 'context_length_exceeded' },
}

const completion = ({ service }: Scenario): QueuedRequest => ({
  model: service.model,
  messages: [userMessage('How are you?')],
  lane: 'completion',
})

const rows: Rows = {
  '[R01] a reset before the headers is repeated on a new connection': async scenario => {
    await ask(scenario, { kind: 'reset' })
    answered(scenario)
    assert.equal(asked(scenario), 2)
  },
  '[R01] resets without end are said': async scenario => {
    await ask(scenario, { kind: 'reset', times: 'always' })
    lost(scenario, 'while waiting', 'reset')
  },
  '[R02] a reset in mid-stream keeps what came and asks nobody again': async scenario => {
    scenario.service.replies.add({ tokens: words })
    const gate = scenario.service.replies.hold(1)
    scenario.service.faults.add({ on: path, kind: 'reset', afterBytes: 700 })
    const asking = scenario.window.ask('How are you?')
    await gate.reached
    await eventually('the first word came', () => lastMessage(scenario)?.text === 'One')
    gate.release()
    await asking
    cutOff(scenario, /^One/)
    lost(scenario, 'during the answer', 'reset')
  },
  '[R02] a reset after any number of bytes loses nothing that was shown': async scenario => {
    const { service, window } = scenario
    let cuts = 0
    for (let afterBytes = 0; afterBytes < 1_000; afterBytes += 37) {
      service.log.clear()
      const before = messagesIn(window.session).length
      await ask(scenario, { kind: 'reset', afterBytes, times: 'always' })
      const received = messagesIn(window.session).slice(before + 1)
      if (window.session.state.is === 'idle') assert.equal(received.at(-1)?.text, words.join(''))
      else assert.ok(received.every(({ text }) => text && words.join('').startsWith(text)))
      if (received.length > 0) assert.equal(asked(scenario), 1)
      if (received.at(-1)?.state === 'interrupted') cuts++
      service.faults.clear()
      service.replies.clear()
    }
    assert.ok(cuts > 5, `${cuts} answers were cut`)
  },
  '[R03] a peer that vanished is told of, and given up': scenario =>
    stalls(scenario, { kind: 'half-open' }, 'while waiting'),
  '[R03] a way that swallows everything in mid-stream is given up, and what came stays': async ({ service, proxy }) => {
    await using between = await ConnectProxy.start()
    using wire = new Wire({ ...direct, proxy: between.origin })
    const window = new CoreWindow(service, wire)
    await window.signIn(service.state.issueKey(email, 'Test'))
    service.replies.add({ tokens: words })
    const gate = service.replies.hold(1)
    const asking = window.session.ask('How are you?')
    const scenario = { service, wire, window, proxy }
    await eventually('the first word came', () => lastMessage(scenario)?.text === 'One')
    between.halt()
    gate.release()
    await wire.clock.advance(300_000)
    await asking
    cutOff(scenario, 'One')
    lost(scenario, 'during the answer', 'silence')
    between.cut()
  },
  '[R04] silence after the headers is told of, and given up': scenario =>
    stalls(scenario, { kind: 'stall' }, 'during the answer'),
  '[R04] silence in mid-stream is given up, and what came stays': async scenario => {
    await stalls(scenario, { kind: 'stall', afterBytes: 700 }, 'during the answer')
    cutOff(scenario, /^One/)
  },
  '[R05] a service that only shows that it is alive is waited for, and told of': async scenario => {
    const { service, window, wire } = scenario
    service.faults.add({ on: path, kind: 'comments', everyMs: 15_000 })
    service.replies.add({ tokens: words })
    const gate = service.replies.hold(0)
    const asking = window.session.ask('How are you?')
    await gate.reached
    for (let comments = 0; comments < 40; comments++) {
      const before = window.reads
      service.clock.advance(15_000)
      await eventually('a comment came', () => window.reads > before)
      await wire.clock.advance(15_000)
      const { state } = window.session
      if (comments > 0) assert.ok(state.is === 'waiting' && state.wait.is === 'slow', 'it is still working')
    }
    gate.release()
    await asking
    answered(scenario)
    assert.equal(asked(scenario), 1)
  },
  '[R06] bytes that come one by one are an answer': async scenario => {
    await ask(scenario, { kind: 'drip' })
    answered(scenario)
  },
  '[R06] bytes that come slowly are life, however long it takes': async scenario => {
    const { service, window, wire } = scenario
    service.faults.add({ on: path, kind: 'drip', bytes: 20, everyMs: 10_000 })
    service.replies.add({ tokens: words })
    const asking = window.session.ask('How are you?')
    const isOver = () => window.session.state.is === 'idle' || window.session.state.is === 'failed'
    for (await eventually('the headers came', () => window.statuses.length > 0); !isOver(); ) {
      const before = window.reads
      service.clock.advance(10_000)
      await eventually('more came', () => window.reads > before || isOver())
      await wire.clock.advance(10_000)
    }
    await asking
    answered(scenario)
    assert.ok(wire.clock.elapsed() > 300_000, 'longer than any silence may be')
  },
  '[R06] headers that come slowly have an end': async scenario => {
    const { service, window, wire } = scenario
    service.faults.add({ on: path, kind: 'slow-headers', everyMs: 5_000 })
    service.replies.add({ tokens: words })
    const asking = window.session.ask('How are you?')
    await eventually('it was asked', () => asked(scenario) === 1)
    for (let ms = 0; ms < 300_000; ms += 5_000) {
      service.clock.advance(5_000)
      await wire.clock.advance(5_000)
    }
    await asking
    lost(scenario, 'while waiting', 'first byte timeout')
    assert.equal(asked(scenario), 1)
    service.replies.clear()
  },
  '[R11] a gateway’s page is its status, not its text': async scenario => {
    for (const code of [502, 503, 504] as const) {
      await ask(scenario, { kind: 'html', status: code, times: 3 })
      const thrown = fault(scenario)
      assert.ok(thrown instanceof ProblemError)
      assert.deepEqual([thrown.status, thrown.problem.text], [code, undefined])
      assert.equal(thrown.host, new URL(scenario.service.baseUrl).host)
    }
  },
  '[R12] the login page of a network is known as one': async scenario => {
    await ask(scenario, { kind: 'html' })
    const thrown = fault(scenario)
    assert.ok(thrown instanceof ContractError && thrown.what === 'html')
    assert.equal(asked(scenario), 1)
  },
  '[R13] a wait in seconds is kept exactly': scenario => refused(scenario, '7', 7_000),
  '[R13] a wait until a date is kept exactly': scenario => refusedUntil(scenario, 0),
  '[R13] also where this machine is an hour behind': scenario => refusedUntil(scenario, 3_600_000),
  '[R13] also where this machine is an hour ahead': scenario => refusedUntil(scenario, -3_600_000),
  '[R13] who does not want to wait for it leaves': async scenario => {
    const { service, window, wire } = scenario
    service.faults.add({ on: path, ...refusal('7') })
    const asking = window.session.ask('How are you?')
    await waitsFor(scenario, 7_000)
    window.session.stop()
    await asking
    assert.equal(window.session.state.is, 'idle')
    await wire.clock.advance(10_000)
    assert.equal(asked(scenario), 1)
  },
  '[R14] without a wait it is one second': scenario => refused(scenario, undefined, 1_000),
  '[R14] a wait that is no wait counts as none': scenario => refused(scenario, 'soon', 1_000),
  '[R14] a negative wait counts as none': scenario => refused(scenario, '-5', 1_000),
  '[R14] a wait of zero counts as none': scenario => refused(scenario, '0', 1_000),
  '[R14] the wait grows with each refusal, up to eight seconds': async scenario => {
    const { service, window, wire } = scenario
    service.faults.add({ on: path, ...refusal(), times: 5 })
    service.replies.add({ tokens: words })
    const asking = window.session.ask('How are you?')
    for (const [already, seconds] of [1, 2, 4, 8, 8].entries()) {
      await eventually('it was asked', () => asked(scenario) === already + 1)
      await waitsFor(scenario, seconds * 1_000)
      await wire.clock.advance(seconds * 1_000)
    }
    await asking
    answered(scenario)
  },
  '[R15] a wait of years is shown, and not slept through': async scenario => {
    const { service, window, wire } = scenario
    service.faults.add({ on: path, ...refusal('99999999') })
    const asking = window.session.ask('How are you?')
    await waitsFor(scenario, 99_999_999_000)
    const { state } = window.session
    assert.ok(state.is === 'waiting' && state.wait.is === 'trying again' && !state.wait.isAutomatic)
    await wire.clock.advance(120_000)
    assert.equal(asked(scenario), 1)
    window.session.stop()
    await asking
  },
  '[R16] a chat takes the place of a completion, and the service never has more than the plan': async scenario => {
    const { service, window, wire } = scenario
    service.replies.add(...Array.from({ length: 3 }, () => ({ tokens: words })))
    const gates = Array.from({ length: 3 }, () => service.replies.hold(1))
    const completions = gates.map(() => collect(window.models.stream(completion(scenario), never)).catch(isAbort))
    await Promise.all(gates.map(gate => gate.reached))
    service.replies.add({ tokens: words })
    const asking = window.session.ask('How are you?')
    await wire.clock.advance(50)
    await asking
    answered(scenario)
    for (const gate of gates) gate.release()
    assert.equal((await Promise.all(completions)).filter(one => one === true).length, 1, 'one gave way')
    assert.ok(!window.states.some(({ is }) => is === 'failed'))
    assert.deepEqual(
      service.log.calls.filter(call => call.status === 429 || call.openAtStart > 2),
      [],
    )
  },
  '[R16] a completion that is refused says nothing, and a chat comes first after it': async scenario => {
    const { service, window } = scenario
    service.faults.add({ on: path, ...refusal('5') })
    const thrown = await faultOf(collect(window.models.stream(completion(scenario), never)))
    assert.equal(meaningOf(thrown).kind, 'problem: limit')
    assert.deepEqual([asked(scenario), window.states], [1, []], 'it is not asked again, and nobody is told')
    await ask(scenario)
    answered(scenario)
    assert.equal(asked(scenario), 2)
  },
  '[R17] a stumbling service is asked twice more and no more': async scenario => {
    const named = { 'x-request-id': 'req_4711' }
    await ask(scenario, { ...status(503, { error: { message: 'Down' } }, named), times: 'always' })
    failed(scenario, 'problem: trouble')
    assert.equal(asked(scenario), 3)
    assert.equal((fault(scenario) as ProblemError).requestId, 'req_4711', 'its support can look it up')
  },
  '[R17] two stumbles go unnoticed': async scenario => {
    await ask(scenario, status(502), status(529))
    answered(scenario)
    await ask(scenario, status(500), status(504))
    answered(scenario)
  },
  '[R17] nobody is asked again when it would be too late': async scenario => {
    const { service, window, wire } = scenario
    service.faults.add({ on: path, ...status(503, {}, { 'retry-after': '50' }), times: 'always' })
    const asking = window.session.ask('How are you?')
    await waitsFor(scenario, 50_000)
    await wire.clock.advance(50_000)
    await asking
    failed(scenario, 'problem: trouble')
    assert.equal(asked(scenario), 2, 'a third time would be after 90 s')
  },
  '[R17] nothing that was shown is asked for again': async scenario => {
    await ask(scenario, { kind: 'error-event', shape: 'messages', after: 2 })
    cutOff(scenario, 'One', 'failed')
    assert.equal((fault(scenario) as ProblemError).status, 529)
  },
  '[R18] too long is known in every spelling': async scenario => {
    for (const code of [400, 413, 422]) {
      scenario.service.log.clear()
      await ask(scenario, status(code, bodyTooLong))
      failed(scenario, 'problem: too long')
      assert.equal(asked(scenario), 1)
    }
  },
  '[R19] a key that was revoked asks for a new sign-in, once': async scenario => {
    const { service } = scenario
    for (const key of service.state.keys.of(email)) service.state.keys.revoke(key, service.clock.now())
    await ask(scenario)
    failed(scenario, 'problem: key rejected')
    assert.equal(asked(scenario), 1)
    assert.equal(messagesIn(scenario.window.session).at(-1)?.text, 'How are you?')
    service.replies.clear()
  },
  '[R19] a key that is revoked while an answer streams is missed at the next question': async scenario => {
    const { service, window } = scenario
    service.replies.add({ tokens: words })
    const gate = service.replies.hold(1)
    const asking = window.ask('How are you?')
    await gate.reached
    for (const key of service.state.keys.of(email)) service.state.keys.revoke(key, service.clock.now())
    gate.release()
    await asking
    answered(scenario)
    await ask(scenario)
    failed(scenario, 'problem: key rejected')
    assert.equal(window.states.filter(({ is }) => is === 'failed').length, 1)
    service.replies.clear()
  },
  '[R20] a model that the key is not granted asks for another, in the background as well': async scenario => {
    const { service, window } = scenario
    for (const code of [400, 403, 404]) {
      const words = { error: { message: `Model '${service.model}' is not available`, code: 'model_not_found' } }
      await ask(scenario, status(code, words))
      failed(scenario, 'problem: model not granted')
    }
    const reported: unknown[] = []
    window.models.onDidFail(({ fault }) => reported.push(fault))
    const background = { ...completion(scenario), lane: 'background' as const, model: 'another-model' }
    const thrown = await faultOf(collect(window.models.stream(background, never)))
    assert.deepEqual([meaningOf(thrown).remedy, reported], ['select-model', [thrown]])
    service.replies.clear()
  },
  '[R32] a connection that had gone stale is replaced without a word': async scenario => {
    for (const by of ['reset', 'close'] as const) {
      scenario.service.log.clear()
      await ask(scenario, { kind: 'stale', by })
      await ask(scenario)
      answered(scenario)
      assert.ok(asked(scenario) <= 3, 'one try more at most')
    }
  },
  '[R60] a slow first token is told of, and leaving frees the slot': async scenario => {
    const { service, window, wire } = scenario
    const gate = service.replies.hold(0)
    const asking = window.session.ask('How are you?')
    await gate.reached
    for (let second = 0; second < 60; second++) await wire.clock.advance(1_000)
    const { state } = window.session
    assert.ok(state.is === 'waiting' && state.wait.is === 'slow')
    assert.equal(wire.clock.elapsed() - state.wait.since, 60_000)
    window.session.stop()
    await asking
    await eventually('the service counts nobody any more', () => service.slots.open === 0)
    assert.equal(window.session.state.is, 'idle')
    gate.release()
  },
}

describe('what goes wrong', () => inEveryWay(rows))
