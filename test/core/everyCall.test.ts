// One call after the other fails, the first, the second, the third …, until a whole afternoon passes without a fault.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { isAbort } from '../../src/base/abort.ts'
import { Account } from '../../src/core/account/account.ts'
import { isExpired } from '../../src/core/account/codeStep.ts'
import { MemoryCredentialStore } from '../../src/core/account/credentialStore.ts'
import { DeviceFlow } from '../../src/core/account/deviceFlow.ts'
import { SignInError } from '../../src/core/account/signInError.ts'
import {
  ContractError,
  NotOfferedError,
  ProblemError,
  TooLargeError,
  TransportError,
} from '../../src/core/http/errors.ts'
import { layered, logged, retried } from '../../src/core/http/layers.ts'
import { Log } from '../../src/core/log/log.ts'
import type { AnswerPart, ModelMessage } from '../../src/core/model/modelClient.ts'
import { type SurfaceId, surfaceIds } from '../../src/core/model/surfaceIds.ts'
import type { Fault, Trouble } from '../localService/faults.ts'
import type { Reply } from '../localService/replies.ts'
import { type Service, startService } from '../localService/server.ts'
import { CoreWindow, email } from '../support/coreWindow.ts'
import { made } from '../support/credential.ts'
import { discover } from '../support/discover.ts'
import { messagesIn } from '../support/memorySession.ts'
import { resultMessage, userMessage } from '../support/messages.ts'
import { revoking, Traffic } from '../support/signIn.ts'
import { findSecrets } from '../support/sweep.ts'
import { closedPort, direct, eventually, never, Wire } from '../support/wire.ts'

const troubles = {
  'a refused connection': 'refused',
  'a reset': { kind: 'reset' },
  'a reset in the answer': { kind: 'reset', afterBytes: 40 },
  'an answer that is cut': { kind: 'cut', afterBytes: 40 },
  'an answer that ends early': { kind: 'truncate', afterBytes: 300 },
  'a failure of the service': { kind: 'status', status: 500, body: { error: { message: 'Down' } } },
  'a gateway’s page': { kind: 'html', status: 502 },
  'a login page': { kind: 'html' },
  'a full plan': { kind: 'status', status: 429, headers: { 'retry-after': '1' }, body: { error: { message: 'Full' } } },
  'a refused key': { kind: 'status', status: 401, body: { error: { message: 'No' } } },
  'nothing at all': { kind: 'status', status: 204 },
} as const satisfies Readonly<Record<string, Trouble | 'refused'>>

type Times = 1 | 'always'

/** The surfaces differ in how an answer breaks off, and hardly in what else can go wrong. */
const breaks: readonly string[] = ['a reset in the answer', 'an answer that ends early', 'nothing at all']

/** Of those that are alike, one represents all where nothing works any more. */
const lasting: readonly string[] = [
  'a refused connection',
  'a reset',
  'an answer that ends early',
  'a failure of the service',
  'a full plan',
  'a refused key',
]

const timesOf = (name: string): readonly Times[] => (lasting.includes(name) ? [1, 'always'] : [1])

/** A network on which the call of this number fails, the first being 1, or it and all after it. */
class FailingWire implements Disposable {
  readonly wire: Wire
  readonly hosts = new Set<string>()
  #calls = 0
  #isRepaired = false

  constructor(service: Service, trouble: Trouble | 'refused', at: number, times: Times, nowhere: number) {
    this.wire = new Wire(url => {
      this.hosts.add(url.host)
      this.#calls++
      const isDue = this.#calls === at || (times === 'always' && this.#calls > at)
      const isRefused = trouble === 'refused' && isDue && !this.#isRepaired
      return isRefused ? { ...direct, proxy: `http://127.0.0.1:${nowhere}` } : direct
    })
    service.log.clear()
    const fault: Fault[] = trouble === 'refused' ? [] : [{ ...trouble, at, times }]
    service.faults.add(...fault)
  }

  get calls(): number {
    return this.#calls
  }

  repair(service: Service): void {
    this.#isRepaired = true
    service.faults.clear()
  }

  [Symbol.dispose](): void {
    this.wire[Symbol.dispose]()
  }
}

/** Fails each call of a scenario in turn, until one passes in which it had nothing to fail. */
async function failEach(
  trouble: Trouble | 'refused',
  times: Times,
  leastCalls: number,
  scenario: (service: Service, failing: FailingWire) => Promise<void>,
): Promise<void> {
  await using service = await startService({ plan: 'pro', interval: 1 })
  const nowhere = await closedPort()
  let calls: number
  let at = 0
  do {
    at++
    using failing = new FailingWire(service, trouble, at, times, nowhere)
    await scenario(service, failing)
    calls = failing.calls
    assert.deepEqual(
      [...failing.hosts].filter(
        host => host !== new URL(service.baseUrl).host && host !== new URL(service.authUrl).host,
      ),
      [],
      'nobody else was asked',
    )
    assert.equal(failing.wire.clock.waiting, 0, 'no timer is left')
  } while (at <= calls)
  assert.ok(at > leastCalls, `only ${at - 1} calls`)
}

/** What a sentence can be made of; anything else would be a mistake of ours. */
function assertKnown(faults: readonly unknown[], secrets: readonly string[]): void {
  const known = [TransportError, ContractError, ProblemError, NotOfferedError, TooLargeError, SignInError]
  for (const fault of faults) {
    assert.ok(
      known.some(type => fault instanceof type),
      inspect(fault),
    )
    assert.deepEqual(findSecrets('fault', inspect(fault, { depth: 6, showHidden: true }), secrets), [])
  }
}

// Chatting.

for (const surface of surfaceIds) {
  const isFirst = surface === 'chat-completions'
  const chosen = Object.entries(troubles).filter(([name]) => isFirst || breaks.includes(name))
  for (const [name, trouble] of chosen) {
    for (const times of isFirst ? timesOf(name) : [1 as const]) {
      const when = times === 1 ? 'once' : 'from then on'
      test(`${name} ${when} at any call over ${surface} loses nothing, is said once and sticks nowhere`, () =>
        failEach(trouble, times, 4, (service, failing) => afternoon(service, failing, surface)))
    }
  }
}

/** The models are listed, a question and one with a tool are asked; then all is repaired, and both go on. */
async function afternoon(service: Service, failing: FailingWire, surface: SurfaceId): Promise<void> {
  const { wire } = failing
  const window = new CoreWindow(service, wire, surface)
  const { session, states } = window
  const key = service.state.issueKey(email, 'Test')
  await window.signIn(key)
  await window.passingPauses(window.catalog.refresh(never))
  answerWith(service)
  await window.ask('First question')
  const failed = states.filter(({ is }) => is === 'failed')
  assert.ok(session.state.is === 'idle' || session.state.is === 'failed', session.state.is)
  assert.equal(failed.length, session.state.is === 'failed' ? 1 : 0, 'one message, and none without a fault')
  assert.ok(messagesIn(session).some(({ role, text }) => role === 'user' && text === 'First question'))
  await nothingHeld(window, service)

  const history: ModelMessage[] = [userMessage('Second question')]
  const toolCalls = ['x', 'y'].map(at => ({ name: 'look', arguments: { at } }))
  answerWith(service, { text: 'Let me look.', reasoning: 'Hm.', toolCalls })
  const thrown = await agentTurn(window, service, history)
  await nothingHeld(window, service)

  failing.repair(service)
  answerWith(service)
  await window.signIn(key)
  await window.ask('Third question')
  assert.equal(session.state.is, 'idle', 'what came before does no harm to the next question')
  assert.equal(messagesIn(session).at(-1)?.state, 'whole')
  history.push(userMessage('Fourth question'))
  assert.deepEqual(await agentTurn(window, service, history), [], 'nor do half calls and results')
  assertKnown([...failed.map(state => state.is === 'failed' && state.fault), ...thrown], [key])
  assert.deepEqual(findSecrets('log', window.lines.join('\n'), [key]), [])
}

/** These first, then short ones: the pretend model's own are long. */
function answerWith({ replies }: Service, ...first: readonly Reply[]): void {
  replies.clear()
  replies.add(...first, ...Array.from({ length: 10 }, () => ({ tokens: ['That', ' is', ' it.'] })))
}

async function nothingHeld(window: CoreWindow, service: Service): Promise<void> {
  await eventually('no slot is held here', () => window.line.state.holders.length === 0)
  await eventually('no slot is held at the service', () => service.slots.open === 0)
}

/** Asks, runs the tools and asks again until there is an answer. Gives what was thrown: once at most. */
async function agentTurn(window: CoreWindow, { model }: Service, history: ModelMessage[]): Promise<unknown[]> {
  const tools = [{ name: 'look', description: 'Looks.', parameters: { type: 'object' } }]
  for (let round = 0; round < 3; round++) {
    const parts: AnswerPart[] = []
    const stop = new AbortController()
    const listen = async () => {
      const request = { model, messages: [...history], tools, lane: 'agent' as const }
      for await (const event of window.models.stream(request, stop.signal)) {
        if (event.kind === 'text-delta') parts.push({ kind: 'text', text: event.text })
        else if (event.kind === 'reasoning-block') parts.push({ kind: 'reasoning', sealed: event.sealed })
        else if (event.kind === 'tool-call') parts.push(event)
      }
    }
    const thrown = await window.passingPauses(
      listen().then(
        () => undefined,
        (fault: unknown) => fault,
      ),
      () => stop.abort(),
    )
    history.push({ role: 'assistant', parts })
    const calls = parts.filter(part => part.kind === 'tool-call')
    if (thrown !== undefined) return isAbort(thrown) || stop.signal.aborted ? [] : [thrown]
    if (calls.length === 0) return []
    // The last of them is never carried out, as when somebody stops: the history is repaired for it.
    for (const { id: call } of calls.slice(0, -1)) history.push(resultMessage(call, 'A dot.'))
  }
  return []
}

// Signing in.

for (const [name, trouble] of Object.entries(troubles)) {
  for (const times of timesOf(name)) {
    const when = times === 1 ? 'once' : 'from then on'
    test(`${name} ${when} at any call of a sign-in is said once, and the next one works`, () =>
      failEach(trouble, times, 4, signingIn))
  }
}

/** Signs in with a code, and lists the models; then all is repaired, and where the sign-in failed, it is tried again. */
async function signingIn(service: Service, failing: FailingWire): Promise<void> {
  const { clock, send } = failing.wire
  const lines: string[] = []
  const log = new Log()
  log.open({ write: (_, line) => lines.push(line) })
  const traffic = new Traffic()
  const http = layered(send, traffic.layer, logged(log, clock), retried(clock))
  const account = new Account(http, new MemoryCredentialStore(), () => service.baseUrl, log)
  const secrets: string[] = []

  const attempt = async () => {
    const found = await discover(http, new URL(service.baseUrl), clock, never)
    const { resource, issuer, revocationEndpoint, name } = found
    const store = async (key: string, owner: string) => {
      secrets.push(key)
      const origin = 'registration' as const
      await account.accept(
        made({
          version: 1,
          key,
          resource,
          issuer,
          revocationEndpoint,
          service: name,
          email: owner,
          origin,
        }),
      )
    }
    const revoke = revoking(http, found)
    const agree = async () => email
    const flow = new DeviceFlow({
      http,
      service: found,
      agree,
      store,
      revoke,
      clientName: 'x',
      clock,
      log,
    })
    flow.onDidChange(step => {
      if (step.is !== 'showing') return
      const registration = service.state.registrations.all.at(-1)
      if (registration?.attempt.code === step.code.text)
        service.state.registrations.approve(registration, registration.attempt, email, step.code.text)
      // A code that has run out is not renewed here: the user walks away.
      if (isExpired(step)) stop.abort()
    })
    const stop = new AbortController()
    await flow.run(stop.signal)
  }

  const tried = async () => {
    let outcome: { fault: unknown } | 'done' | undefined
    attempt().then(
      () => {
        outcome = 'done'
      },
      fault => {
        outcome = { fault }
      },
    )
    while (outcome === undefined) {
      await traffic.quiet()
      const seconds = clock.elapsed() > 60_000 ? 60 : 1
      service.clock.advance(seconds * 1_000)
      await clock.advance(seconds * 1_000)
    }
    await traffic.quiet()
    return outcome
  }

  const first = await tried()
  assert.equal(account.state.is, first === 'done' ? 'in' : 'unknown')
  const faults = first === 'done' || isAbort(first.fault) ? [] : [first.fault]
  const isWalkedAway = first !== 'done' && faults.length === 0
  assert.ok(first === 'done' || isWalkedAway || faults.length === 1, 'one message')
  failing.repair(service)
  if (first !== 'done') assert.equal(await tried(), 'done', 'the next one works')
  const [key = ''] = secrets.slice(-1)
  assert.equal(service.state.keys.find(key)?.email, email)
  assertKnown(faults, secrets)
  assert.deepEqual(findSecrets('log', lines.join('\n'), secrets), [])
}
