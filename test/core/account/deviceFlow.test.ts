// Signing in with a code, against the local service, from the first request to the key.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AbortedError } from '../../../src/base/abort.ts'
import { type CodeStep, isExpired } from '../../../src/core/account/codeStep.ts'
import { DeviceFlow, type DeviceFlowStep } from '../../../src/core/account/deviceFlow.ts'
import { SignInError } from '../../../src/core/account/signInError.ts'
import { ContractError, TransportError } from '../../../src/core/http/errors.ts'
import { layered, logged } from '../../../src/core/http/layers.ts'
import { Log } from '../../../src/core/log/log.ts'
import type { ServiceOptions } from '../../localService/options.ts'
import { type Service as LocalService, startService } from '../../localService/server.ts'
import { DeviceFlowHarness, spoken } from '../../support/deviceFlowHarness.ts'
import { discover } from '../../support/discover.ts'
import { FakeClock, settled } from '../../support/fakeClock.ts'
import { type Script, ScriptedHttp } from '../../support/scriptedHttp.ts'
import { revoking, someService, Traffic } from '../../support/signIn.ts'
import { eventually, faultOf, never, Wire } from '../../support/wire.ts'

const email = 'ada@example.com'

class Attempt implements AsyncDisposable {
  readonly local: LocalService
  readonly steps: DeviceFlowStep[] = []
  readonly lines: string[] = []
  readonly stored: string[] = []
  readonly flow: DeviceFlow
  readonly stop = new AbortController()
  /** How often it was notified, after the end, that a key may have been lost. */
  lost = 0
  readonly traffic = new Traffic()
  readonly #wire: Wire
  outcome: { key: string } | { fault: unknown } | undefined

  constructor(local: LocalService, wire: Wire, service: Awaited<ReturnType<typeof discover>>) {
    this.local = local
    this.#wire = wire
    const log = new Log()
    log.open({ write: (_, line) => this.lines.push(line) })
    const http = layered(wire.send, this.traffic.layer, logged(log, wire.clock))
    this.flow = new DeviceFlow({
      http,
      service,
      agree: async () => email,
      store: async key => void this.stored.push(key),
      revoke: revoking(http, service),
      onKeyLost: () => void this.lost++,
      clientName: 'Kourier (test)',
      clock: wire.clock,
      log,
    })
    this.flow.onDidChange(step => this.steps.push(step))
  }

  static async begin(options: ServiceOptions = {}): Promise<Attempt> {
    const local = await startService({ plan: 'pro', ...options })
    const wire = new Wire()
    const attempt = new Attempt(local, wire, await discover(wire.send, new URL(local.baseUrl), wire.clock, never))
    attempt.flow.run(attempt.stop.signal).then(
      done => {
        assert.ok(done)
        attempt.outcome = { key: done.key }
      },
      fault => {
        attempt.outcome = { fault }
      },
    )
    await eventually('there is a code', () => 'code' in attempt.flow.step || attempt.outcome !== undefined)
    return attempt
  }

  get showing(): CodeStep {
    const { step } = this.flow
    assert.ok('code' in step, step.is)
    return step
  }

  get registration() {
    const found = this.local.state.registrations.all.at(-1)
    assert.ok(found)
    return found
  }

  approve(code = this.showing.code.text): string {
    const { registrations } = this.local.state
    return registrations.approve(this.registration, this.registration.attempt, email, code)
  }

  pass(seconds: number): Promise<void> {
    return this.traffic.pass(seconds, this.#wire.clock, this.local)
  }

  /** The wall clock here, as when somebody sets it. */
  jump(ms: number): void {
    this.#wire.clock.jump(ms)
  }

  get timers(): number {
    return this.#wire.clock.waiting
  }

  callsTo(path: string) {
    return this.local.log.calls.filter(call => call.path === path)
  }

  /** Seconds between two polls, as the service saw them. */
  get gaps(): number[] {
    const times = this.callsTo('/oauth2/token').map(({ at }) => Date.parse(at))
    return times.slice(1).map((time, index) => Math.round((time - (times[index] ?? 0)) / 1000))
  }

  get reason(): string | undefined {
    const fault = this.outcome && 'fault' in this.outcome ? this.outcome.fault : undefined
    return fault instanceof SignInError ? fault.reason : undefined
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stop.abort(new AbortedError())
    await this.traffic.quiet()
    this.#wire[Symbol.dispose]()
    await this.local.close()
  }
}

test('approved: one registration, polls at the pace, a key that works', async () => {
  await using attempt = await Attempt.begin()
  assert.equal(attempt.showing.code.text, attempt.registration.attempt.code)
  assert.equal(attempt.registration.clientName, 'Kourier (test)')
  await attempt.pass(12)
  assert.equal(attempt.approve(), 'done')
  await attempt.pass(5)
  assert.ok(attempt.outcome && 'key' in attempt.outcome)
  const { key } = attempt.outcome
  assert.equal(attempt.local.state.keys.find(key)?.email, email)
  assert.deepEqual(attempt.gaps, [5, 5])
  assert.equal(attempt.callsTo('/agent/identity').length, 1)
  assert.equal(attempt.flow.step.is, 'done')
  assert.deepEqual(attempt.stored, [key])
  await attempt.pass(60)
  assert.equal(attempt.callsTo('/oauth2/token').length, 3, 'nobody polls on')
  assert.equal(attempt.timers, 0)
})

test('denied, and a key that could not be made: said so, with the service’s words', async () => {
  for (const isDenied of [true, false]) {
    await using attempt = await Attempt.begin()
    const { registrations } = attempt.local.state
    attempt.local.state.keyCreationFails = !isDenied
    if (isDenied) registrations.deny(attempt.registration, attempt.registration.attempt, email)
    else attempt.approve()
    await attempt.pass(5)
    assert.equal(attempt.reason, 'denied')
    const fault = (attempt.outcome as { fault: SignInError }).fault
    assert.match(fault.problem.text ?? '', isDenied ? /denied/ : /could not be created/)
    assert.equal(attempt.timers, 0)
  }
})

test('a registration that is refused keeps its words', async () => {
  const local = await startService({ plan: 'pro' })
  for (let times = 0; times < 10; times++) local.state.registrations.open(email, undefined)
  using wire = new Wire()
  const service = await discover(wire.send, new URL(local.baseUrl), wire.clock, never)
  const [agree, store] = [async () => email, async () => {}]
  const options = { http: wire.send, service, agree, store, clientName: 'x', clock: wire.clock, log: new Log() }
  const flow = new DeviceFlow({ ...options, revoke: assert.fail })
  const fault = await faultOf(flow.run(never))
  assert.ok(fault instanceof SignInError && fault.reason === 'too often' && (fault.retryAfterMs ?? 0) > 0)
  await local.close()
})

test('slow down: five seconds more, for good, also with the next code', async () => {
  await using attempt = await Attempt.begin()
  attempt.local.faults.add({
    kind: 'status',
    status: 400,
    body: { error: 'slow_down' },
    on: 'POST /oauth2/token',
    times: 2,
  })
  await attempt.pass(61)
  assert.deepEqual(attempt.gaps, [10, 15, 15, 15])
  attempt.flow.renew()
  await attempt.pass(60)
  assert.equal(attempt.callsTo('/agent/identity/claim').length, 1)
  assert.ok(
    attempt.gaps.every((gap, index) => gap >= (index === 0 ? 10 : 15)),
    `${attempt.gaps}`,
  )
})

test('slow down, ten times: the pace goes on falling, and the approval is collected', async () => {
  await using attempt = await Attempt.begin()
  const slow = { error: 'slow_down' }
  attempt.local.faults.add({ kind: 'status', status: 400, body: slow, on: 'POST /oauth2/token', times: 10 })
  await attempt.pass(360)
  assert.deepEqual(attempt.gaps, [10, 15, 20, 25, 30, 35, 40, 45, 50, 55])
  assert.equal(attempt.approve(), 'done')
  await attempt.pass(60)
  assert.ok(attempt.outcome && 'key' in attempt.outcome)
})

test('[R34] a machine that slept past the end of the code: one poll, and the offer of a new one', async () => {
  await using attempt = await Attempt.begin()
  await attempt.pass(6)
  const polls = attempt.callsTo('/oauth2/token').length
  // A clock that counts awake time only does not advance meanwhile.
  attempt.local.clock.advance(20 * 60_000)
  await attempt.pass(5)
  assert.equal(attempt.callsTo('/oauth2/token').length, polls + 1)
  assert.ok(isExpired(attempt.showing))
  attempt.flow.renew()
  await attempt.pass(6)
  assert.equal(attempt.approve(), 'done')
  await attempt.pass(6)
  assert.ok(attempt.outcome && 'key' in attempt.outcome)
})

test('[R34] a machine that slept past the end of the registration is told so by the service', async () => {
  await using attempt = await Attempt.begin()
  attempt.local.clock.advance(2 * 3_600_000)
  await attempt.pass(6)
  assert.ok(isExpired(attempt.showing))
  attempt.flow.renew()
  await attempt.pass(6)
  assert.equal(attempt.reason, 'run out')
})

test('[R34] approved while the machine slept: one poll after it woke, and the key', async () => {
  await using attempt = await Attempt.begin()
  await attempt.pass(6)
  const polls = attempt.callsTo('/oauth2/token').length
  assert.equal(attempt.approve(), 'done')
  attempt.local.clock.advance(20 * 60_000)
  await attempt.pass(5)
  assert.ok(attempt.outcome && 'key' in attempt.outcome)
  assert.equal(attempt.callsTo('/oauth2/token').length, polls + 1)
  assert.equal(attempt.timers, 0)
})

for (const hours of [1, -1]) {
  test(`[R33] a clock that jumps ${hours > 0 ? 'ahead' : 'back'} an hour changes neither the pace nor the end`, async () => {
    await using attempt = await Attempt.begin()
    attempt.jump(hours * 3_600_000)
    await attempt.pass(16)
    assert.deepEqual(attempt.gaps, [5, 5])
    assert.ok(!isExpired(attempt.showing))
    await attempt.pass(583)
    assert.ok(!isExpired(attempt.showing), 'a second before its end it still counts')
    await attempt.pass(7)
    assert.ok(isExpired(attempt.showing), 'ten minutes are ten minutes')
    assert.ok(
      attempt.gaps.every(gap => gap === 5),
      `${attempt.gaps}`,
    )
    attempt.jump(-hours * 3_600_000)
    attempt.flow.renew()
    await attempt.pass(6)
    assert.equal(attempt.approve(), 'done')
    await attempt.pass(6)
    assert.ok(attempt.outcome && 'key' in attempt.outcome)
  })
}

test('a code that runs out waits for the user, without a poll, and a new one works', async () => {
  await using attempt = await Attempt.begin()
  const first = attempt.showing.code.text
  await attempt.pass(606)
  assert.ok(isExpired(attempt.showing))
  const polls = attempt.callsTo('/oauth2/token').length
  await attempt.pass(120)
  assert.equal(attempt.callsTo('/oauth2/token').length, polls)
  assert.equal(attempt.outcome, undefined)
  attempt.flow.renew()
  await attempt.pass(1)
  assert.deepEqual([attempt.showing.status, attempt.showing.is], ['live', 'showing'])
  assert.notEqual(attempt.showing.code.text, first)
  assert.equal(attempt.approve(), 'done')
  await attempt.pass(6)
  assert.ok(attempt.outcome && 'key' in attempt.outcome)
  assert.equal(attempt.callsTo('/agent/identity').length, 1, 'the same registration')
})

test('an approval in the last moment of a code is collected after it', async () => {
  await using attempt = await Attempt.begin()
  // On a slow machine the service's time would be ahead of ours by the end of the code.
  attempt.local.clock.hold()
  await attempt.pass(596)
  assert.equal(attempt.approve(), 'done')
  await attempt.pass(7)
  assert.ok(attempt.outcome && 'key' in attempt.outcome)
})

test('a new code while the old one lives: asked for once, and no poll too fast for it', async () => {
  await using attempt = await Attempt.begin()
  await attempt.pass(11)
  attempt.flow.renew()
  attempt.flow.renew()
  await attempt.traffic.quiet()
  assert.equal(attempt.showing.is, 'renewing')
  await attempt.pass(10)
  assert.notEqual(attempt.showing.is, 'renewing')
  assert.equal(attempt.callsTo('/agent/identity/claim').length, 1)
  assert.ok(
    attempt.gaps.every(gap => gap >= 5),
    `${attempt.gaps}`,
  )
  assert.equal(attempt.showing.code.text, attempt.registration.attempt.code)
})

test('who approves and asks for a new code all the same is signed in', async () => {
  await using attempt = await Attempt.begin()
  await attempt.pass(6)
  assert.equal(attempt.approve(), 'done')
  attempt.flow.renew()
  await attempt.pass(5)
  assert.ok(attempt.outcome && 'key' in attempt.outcome)
  assert.equal(attempt.callsTo('/agent/identity/claim').length, 0)
})

test('a registration that is over ends the attempt', async () => {
  await using attempt = await Attempt.begin()
  await attempt.pass(606)
  attempt.local.clock.advance(3_600_000)
  attempt.flow.renew()
  await attempt.pass(6)
  assert.equal(attempt.reason, 'run out')
  assert.equal(attempt.timers, 0)
})

test('nobody waits longer than the registration lives', async () => {
  await using attempt = await Attempt.begin()
  await attempt.pass(3_601)
  assert.equal(attempt.reason, 'run out')
  assert.equal(attempt.timers, 0)
})

test('a service that is down for a while is told, and found again', async () => {
  await using attempt = await Attempt.begin()
  attempt.local.faults.add(
    { kind: 'reset', on: 'POST /oauth2/token' },
    { kind: 'status', status: 503, on: 'POST /oauth2/token' },
    { kind: 'html', on: 'POST /oauth2/token' },
  )
  await attempt.pass(36)
  assert.equal(attempt.showing.status, 'unreachable')
  assert.equal(attempt.outcome, undefined)
  attempt.approve()
  await attempt.pass(60)
  assert.ok(attempt.outcome && 'key' in attempt.outcome)
  assert.deepEqual(attempt.gaps, [10, 20, 30], 'the longer the trouble, the longer the pause')
})

test('a new code that cannot be had now can be asked for again', async () => {
  for (const kind of ['reset', 'html'] as const) {
    await using attempt = await Attempt.begin()
    await attempt.pass(606)
    attempt.local.faults.add({ kind, on: 'POST /agent/identity/claim' })
    attempt.local.faults.add({ kind: 'status', status: 503, on: 'POST /agent/identity/claim' })
    for (let times = 0; times < 2; times++) {
      attempt.flow.renew()
      await attempt.pass(6)
      assert.ok(attempt.showing.status.endsWith('not replaced') && attempt.showing.is === 'showing')
    }
    attempt.flow.renew()
    await attempt.pass(6)
    assert.equal(attempt.showing.status, 'live')
  }
})

test('the service is too busy for a new code: the old one stays, to its own end and no longer', async () => {
  await using attempt = await Attempt.begin()
  await attempt.pass(11)
  const { code, endsAt } = attempt.showing
  attempt.local.faults.add({ kind: 'status', status: 503, on: 'POST /agent/identity/claim', times: 2 })
  for (let times = 0; times < 2; times++) {
    attempt.flow.renew()
    await attempt.pass(10)
    const { showing } = attempt
    assert.deepEqual([showing.is, showing.status], ['showing', 'not replaced'])
    assert.deepEqual([showing.code, showing.endsAt], [code, endsAt])
  }
  assert.ok(
    attempt.gaps.every(gap => gap >= 5),
    `${attempt.gaps}`,
  )
  await attempt.pass(580)
  assert.ok(isExpired(attempt.showing), 'ten minutes after it was given')
  attempt.flow.renew()
  await attempt.pass(6)
  assert.equal(attempt.showing.status, 'live')
  assert.notEqual(attempt.showing.code.text, code.text)
})

test('who approves the old code after there was no new one is signed in', async () => {
  await using attempt = await Attempt.begin()
  await attempt.pass(11)
  attempt.local.faults.add({ kind: 'status', status: 503, on: 'POST /agent/identity/claim' })
  attempt.flow.renew()
  await attempt.pass(10)
  assert.equal(attempt.approve(), 'done')
  await attempt.pass(6)
  assert.ok(attempt.outcome && 'key' in attempt.outcome)
})

test('a code that is used already when another is asked for: it is polled for as long as its user needs', async () => {
  await using attempt = await Attempt.begin()
  await attempt.pass(590)
  attempt.local.faults.add({
    kind: 'status',
    status: 409,
    body: { error: 'claimed_or_in_flight' },
    on: 'POST /agent/identity/claim',
    times: 'always',
  })
  attempt.flow.renew()
  await attempt.pass(5)
  assert.equal(attempt.showing.status, 'used')
  const body = { error: 'authorization_pending' }
  attempt.local.faults.add({ kind: 'status', status: 400, body, on: 'POST /oauth2/token', times: 'always' })
  await attempt.pass(300)
  assert.deepEqual([attempt.showing.status, attempt.outcome], ['used', undefined], 'somebody chooses a plan')
  await attempt.pass(320)
  assert.equal(attempt.showing.status, 'expired', 'nothing was lost')
  const polls = attempt.callsTo('/oauth2/token').length
  await attempt.pass(60)
  assert.equal(attempt.callsTo('/oauth2/token').length, polls, 'no code is live')
  attempt.flow.renew()
  await attempt.pass(5)
  assert.equal(attempt.showing.status, 'used')
  attempt.local.faults.clear()
  attempt.registration.status = 'approved'
  await attempt.pass(6)
  assert.ok(attempt.outcome && 'key' in attempt.outcome)
})

test('a code that is used already, and whose registration runs out: nothing is called lost', async () => {
  const harness = await new DeviceFlowHarness().goTo('showing')
  harness.usual = { ...harness.usual, claim: spoken.claimed }
  for (let minute = 0; minute < 65 && !harness.outcome; minute++) {
    harness.flow.renew()
    await harness.clock.advance(60_000)
  }
  assert.ok(harness.fault instanceof SignInError)
  assert.equal(harness.fault.reason, 'run out')
})

test('a new code whose answer was lost: the old one may be dead, so another is offered', async () => {
  await using attempt = await Attempt.begin()
  await attempt.pass(11)
  attempt.local.faults.add({ kind: 'cut', afterBytes: 10, on: 'POST /agent/identity/claim' })
  attempt.flow.renew()
  await attempt.pass(10)
  assert.equal(attempt.showing.status, 'expired, not replaced')
})

test('cancelled while the key is on its way: the stray key is revoked', async () => {
  await using attempt = await Attempt.begin()
  attempt.approve()
  attempt.local.faults.add({ kind: 'delay', ms: 1, on: 'POST /oauth2/token' })
  const passing = attempt.pass(5)
  await eventually('the poll is on its way', () => attempt.callsTo('/oauth2/token').length === 1)
  const reason = new AbortedError()
  attempt.stop.abort(reason)
  await passing
  await eventually('the key is given back', () => attempt.callsTo('/oauth2/revoke').some(call => call.status === 200))
  await attempt.traffic.quiet()
  assert.deepEqual(attempt.outcome, { fault: reason })
  assert.equal(attempt.local.state.keys.all.length, 1)
  assert.notEqual(attempt.local.state.keys.all[0]?.revokedAt, undefined)
  assert.equal(attempt.timers, 0)
})

test('cancelled after a new code was asked for, with a poll on its way: its key is revoked, once', async () => {
  const harness = await new DeviceFlowHarness().goTo('polling')
  harness.flow.renew()
  await settled()
  assert.equal(harness.step.is, 'renewing')
  harness.stop.abort(new AbortedError())
  await settled()
  await harness.give(spoken.granted)
  assert.equal(harness.asked.filter(endpoint => endpoint === 'revoke').length, 1)
  assert.deepEqual(harness.stored, [])
})

test('cancelled while a new code waits for the last look at the old one: its key is revoked, once', async () => {
  const harness = await new DeviceFlowHarness().goTo('renewing', 'granted')
  assert.ok(harness.isHeld)
  harness.stop.abort(new AbortedError())
  await settled()
  await harness.give(spoken.granted)
  assert.equal(harness.asked.filter(endpoint => endpoint === 'revoke').length, 1)
})

test('a key that comes with the poll that was on its way when a new code was asked for is kept', async () => {
  const harness = await new DeviceFlowHarness().goTo('polling')
  harness.flow.renew()
  await settled()
  await harness.give(spoken.granted)
  assert.deepEqual([harness.stored.length, harness.asked.includes('revoke')], [1, false])
})

test('cancelled while waiting: nothing more is asked', async () => {
  await using attempt = await Attempt.begin()
  await attempt.pass(7)
  const reason = new AbortedError()
  attempt.stop.abort(reason)
  await attempt.pass(60)
  assert.deepEqual(attempt.outcome, { fault: reason })
  assert.equal(attempt.callsTo('/oauth2/token').length, 1)
  assert.equal(attempt.timers, 0)
})

test('[R38] a key whose answer was lost: said so', async () => {
  await using attempt = await Attempt.begin()
  attempt.approve()
  attempt.local.faults.add({ kind: 'cut', afterBytes: 10, on: 'POST /oauth2/token' })
  await attempt.pass(30)
  assert.equal(attempt.reason, 'lost')
})

test('[R38] an answer that was cut is in doubt until the service says that there is no key', async () => {
  await using attempt = await Attempt.begin()
  await attempt.pass(6)
  attempt.local.faults.add({ kind: 'cut', afterBytes: 10, on: 'POST /oauth2/token' })
  await attempt.pass(5)
  assert.ok(attempt.flow.mayHaveLostKey)
  attempt.local.faults.add({ kind: 'status', status: 503, on: 'POST /oauth2/token' })
  await attempt.pass(10)
  assert.ok(attempt.flow.mayHaveLostKey, 'an error page says nothing about it')
  await attempt.pass(30)
  assert.ok(!attempt.flow.mayHaveLostKey, 'it is pending')
})

test('[R38] cancelled after an answer was cut: the key may live', async () => {
  await using attempt = await Attempt.begin()
  attempt.approve()
  attempt.local.faults.add({ kind: 'cut', afterBytes: 10, on: 'POST /oauth2/token' })
  await attempt.pass(6)
  attempt.stop.abort(new AbortedError())
  await attempt.pass(1)
  assert.equal(attempt.local.state.keys.all[0]?.revokedAt, undefined)
  assert.ok(attempt.flow.mayHaveLostKey)
  assert.equal(attempt.lost, 0, 'whoever cancels is told by that')
})

test('[R38] cancelled while an answer is on its way that is cut then: told', async () => {
  await using attempt = await Attempt.begin()
  attempt.approve()
  attempt.local.faults.add({
    kind: 'delay',
    ms: 1,
    on: 'POST /oauth2/token',
    also: [{ kind: 'cut', afterBytes: 10 }],
  })
  const passing = attempt.pass(5)
  await eventually('the poll is on its way', () => attempt.callsTo('/oauth2/token').length === 1)
  attempt.stop.abort(new AbortedError())
  await passing
  await eventually('it is told', () => attempt.lost === 1)
})

test('[T10] no secret and no email in the log', async () => {
  await using attempt = await Attempt.begin()
  attempt.local.faults.add({ kind: 'reset', on: 'POST /oauth2/token' })
  await attempt.pass(20)
  attempt.approve()
  await attempt.pass(20)
  assert.ok(attempt.outcome && 'key' in attempt.outcome)
  assert.ok(attempt.lines.length > 3)
  const text = attempt.lines.join('\n')
  assert.doesNotMatch(text, /clm_|cla_[A-Za-z0-9]|sk-bf|ada@|claim_token/)
})

/** A service that speaks as other implementations do. */
async function scripted(claimAnswer: Script, ...polls: Script[]) {
  const clock = new FakeClock()
  const log = new Log()
  const lines: string[] = []
  log.open({ write: (_, line) => lines.push(line) })
  const attempt = { user_code: '12345678', verification_uri: '/claim', expires_in: 600, interval: 5 }
  const polling = new ScriptedHttp(...polls)
  const others = new ScriptedHttp(async request => {
    if (request.url === someService.identityEndpoint) return { body: { claim_token: 'clm_first-one', claim: attempt } }
    if (request.url === someService.revocationEndpoint) return {}
    return typeof claimAnswer === 'function' ? claimAnswer(request) : claimAnswer
  })
  const reported = { seconds: 0 }
  const flow = new DeviceFlow({
    http: request => (request.url === someService.tokenEndpoint ? polling : others).send(request),
    service: someService,
    revoke: revoking(others.send, someService),
    agree: async () => email,
    store: async () => {},
    onSecondKey: () => void reported.seconds++,
    clientName: 'x',
    clock,
    log,
  })
  const outcome = flow.run(never).then(
    done => ({ key: done?.key }),
    fault => ({ fault }),
  )
  return { clock, flow, outcome, polling, others, reported, log, lines, attempt }
}

const pending: Script = { status: 400, body: { error: 'authorization_pending' } }
const granted: Script = { body: { access_token: 'sk-bf-0123456789', token_type: 'Bearer' } }

test('“claimed or in flight” means: poll on, at the pace', async () => {
  const slow: Script = { status: 400, body: { error: 'slow_down' } }
  const conflict = { status: 409, body: { error: 'claimed_or_in_flight' } }
  const { clock, flow, outcome, polling } = await scripted(conflict, pending, pending, slow, granted)
  await clock.advance(6_000)
  flow.renew()
  await clock.advance(40_000)
  assert.deepEqual(await outcome, { key: 'sk-bf-0123456789' })
  assert.equal(polling.requests.length, 4)
})

test('a claim token that came with the new code is used from then on', async () => {
  const code = { user_code: '87654321', verification_uri: '/claim', expires_in: 600, interval: 5 }
  const answer = { body: { claim_token: 'clm_second-one', claim: code } }
  const { clock, flow, outcome, polling, log } = await scripted(answer, pending, pending, granted)
  await clock.advance(6_000)
  flow.renew()
  await clock.advance(30_000)
  await outcome
  const sent = polling.requests.map(({ body }) => new URLSearchParams(body).get('claim_token'))
  assert.deepEqual(sent, ['clm_first-one', 'clm_first-one', 'clm_second-one'])
  assert.doesNotMatch(log.redactor.redact('x second-one clm_second-one'), /clm_second/)
})

const odd = [
  'javascript:alert(1)',
  'vscode://kourier.kourier/x',
  'blob:https://auth.example.com/1',
  'http://auth.example.com/claim',
  'https://auth.example.com@evil.test/claim',
  'https://evil.test\\@auth.example.com/',
  'https://auth.example.com.evil.test/',
  'https://auth.example.com/\u0007',
]
for (const verification_uri of odd) {
  test(`[T21] ${JSON.stringify(verification_uri)}: no code is shown, and nothing polled for`, async () => {
    const page = { user_code: '12345678', verification_uri, expires_in: 600, interval: 5 }
    const http = new ScriptedHttp({ body: { claim_token: 'clm_first-one', claim: page } })
    const [agree, store] = [async () => email, async () => {}]
    const clock = new FakeClock()
    const options = { http: http.send, service: someService, agree, store, clientName: 'x', clock, log: new Log() }
    const flow = new DeviceFlow({ ...options, revoke: assert.fail })
    const steps: string[] = []
    flow.onDidChange(({ is }) => steps.push(is))
    const fault = await faultOf(flow.run(never))
    assert.ok(
      fault instanceof ContractError && fault.message.endsWith('the address of the page for the code'),
      String(fault),
    )
    assert.deepEqual(steps, ['registering', 'failed'])
    assert.deepEqual([http.requests.length, clock.waiting], [1, 0])

    const renewed = await scripted({ body: { claim: page } }, pending)
    await renewed.clock.advance(6_000)
    renewed.flow.renew()
    await renewed.clock.advance(60_000)
    assert.ok('code' in renewed.flow.step && renewed.flow.step.code.uri === 'https://auth.example.com/claim')
    assert.equal(renewed.flow.step.status, 'expired, not replaced', 'the new one is not taken')
  })
}

test('every way to say that the registration is over', async () => {
  const ways = [{ status: 401 }, { status: 404 }, { status: 410 }]
  const words = ['invalid_claim_token', 'claim_expired', 'claim_superseded', 'expired_token', 'invalid_grant']
  for (const way of [...ways, ...words.map(error => ({ status: 400, body: { error } }))]) {
    const { clock, flow, outcome } = await scripted(way, pending)
    await clock.advance(6_000)
    flow.renew()
    await clock.advance(10_000)
    const { fault } = (await outcome) as { fault: unknown }
    assert.ok(fault instanceof SignInError && fault.reason === 'run out', JSON.stringify(way))
  }
})

const broken: Script = { body: '{"access', brokenBy: new TransportError('h', 'during', 'reset') }

test('[R38] nobody is told that nothing was changed where an answer was lost before', async () => {
  const errorAnswer = (error: string): Script => ({ status: 400, body: { error } })
  const silent: Script = { fault: new TransportError('h', 'before', 'reset') }
  const gateway: Script = { status: 504, body: '<html>', headers: { 'content-type': 'text/html' } }
  for (const [first, last, expected] of [
    [broken, errorAnswer('claim_expired'), 'lost'],
    [silent, errorAnswer('claim_expired'), 'lost'],
    [gateway, errorAnswer('claim_expired'), 'lost'],
    [pending, errorAnswer('claim_expired'), 'run out'],
    [broken, errorAnswer('invalid_request'), 'lost'],
    [broken, errorAnswer('already_issued'), 'lost'],
    [broken, { body: {} }, 'lost'],
    // The user did not approve, or whatever was sent was refused for what it was.
    [broken, errorAnswer('access_denied'), 'denied'],
    [broken, errorAnswer('unsupported_grant_type'), 'refused'],
    [broken, errorAnswer('invalid_target'), 'refused'],
  ] as const) {
    const { clock, outcome } = await scripted({}, first, last)
    await clock.advance(60_000)
    const { fault } = (await outcome) as { fault: unknown }
    assert.ok(fault instanceof SignInError && fault.reason === expected, `${JSON.stringify(last)}: ${fault}`)
  }
})

test('[R38] a key that comes after an answer that broke off is most likely the second one: told', async () => {
  for (const [before, times] of [
    [[broken], 1],
    [[broken, broken], 1],
    [[broken, pending], 0],
    // A network that fails for a moment, most likely before the service had anything to hand out.
    [[{ fault: new TransportError('h', 'before', 'reset') }], 0],
    [[], 0],
  ] as const) {
    const { clock, outcome, reported } = await scripted({}, ...before, granted)
    await clock.advance(60_000)
    assert.deepEqual(await outcome, { key: 'sk-bf-0123456789' })
    assert.deepEqual(reported, { seconds: times }, JSON.stringify(before))
  }
})

test('a key for something else is given back and not kept', async () => {
  const other: Script = { body: { access_token: 'sk-bf-0123456789', token_type: 'Bearer', scope: 'billing' } }
  const { clock, outcome, others } = await scripted({}, other)
  await clock.advance(6_000)
  const { fault } = (await outcome) as { fault: unknown }
  assert.ok(fault instanceof SignInError && fault.reason === 'refused')
  const [, revocation] = others.requests
  assert.deepEqual([revocation?.url, revocation?.body], [someService.revocationEndpoint, 'token=sk-bf-0123456789'])
})

test('a service that wants to know the API is told, from the next poll on', async () => {
  const { clock, outcome, polling } = await scripted({}, { status: 400, body: { error: 'invalid_target' } }, granted)
  await clock.advance(11_000)
  assert.deepEqual(await outcome, { key: 'sk-bf-0123456789' })
  const sent = polling.requests.map(({ body }) => new URLSearchParams(body).get('resource'))
  assert.deepEqual(sent, [null, someService.baseUrl])
})

test('a service that knows no API by that name ends it', async () => {
  const { clock, outcome, polling } = await scripted({}, { status: 400, body: { error: 'invalid_target' } })
  await clock.advance(16_000)
  const { fault } = (await outcome) as { fault: unknown }
  assert.ok(fault instanceof SignInError && fault.problem.code === 'invalid_target')
  assert.equal(polling.requests.length, 2)
})

test('a grant that the service does not know is named', async () => {
  const { clock, outcome } = await scripted({}, { status: 400, body: { error: 'unsupported_grant_type' } })
  await clock.advance(6_000)
  const { fault } = (await outcome) as { fault: unknown }
  assert.ok(fault instanceof SignInError && fault.problem.text?.includes(someService.claimGrantType))
})

test('a service that does not register agents is not asked, and neither is the user', async () => {
  const http = new ScriptedHttp()
  const agree = async () => assert.fail('there is nothing to agree to')
  const options = { http: http.send, agree, store: async () => {}, clientName: 'x', log: new Log() }
  const service = { ...someService, isRegistrationOffered: false }
  const flow = new DeviceFlow({ ...options, service, clock: new FakeClock(), revoke: assert.fail })
  const fault = await faultOf(flow.run(never))
  assert.ok(fault instanceof SignInError && fault.reason === 'not offered')
  assert.deepEqual([http.requests.length, flow.step.is], [0, 'failed'])
})
