// Signing in to services that speak otherwise: every choice of the local service's dialect, one by one, to its end.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AbortedError } from '../../../src/base/abort.ts'
import { signInWithBrowser } from '../../../src/core/account/browserSignIn.ts'
import { DeviceFlow } from '../../../src/core/account/deviceFlow.ts'
import { isRevoked, revocationRequest } from '../../../src/core/account/revocation.ts'
import { offersBrowser } from '../../../src/core/account/serviceFinder.ts'
import { SignInError } from '../../../src/core/account/signInError.ts'
import { ContractError } from '../../../src/core/http/errors.ts'
import { layered } from '../../../src/core/http/layers.ts'
import { Log } from '../../../src/core/log/log.ts'
import { LoopbackListener } from '../../../src/node/account/loopbackListener.ts'
import { type Choice, choices, type Dialect } from '../../localService/dialect.ts'
import { startService } from '../../localService/server.ts'
import { Browser } from '../../service/browser.ts'
import { madeOf } from '../../support/credential.ts'
import { discover } from '../../support/discover.ts'
import { Traffic } from '../../support/signIn.ts'
import { eventually, never, Wire } from '../../support/wire.ts'

const email = 'ada@example.com'

async function begin(dialect: Partial<Dialect>) {
  const local = await startService({ plan: 'pro', dialect })
  const wire = new Wire()
  const traffic = new Traffic()
  const http = layered(wire.send, traffic.layer)
  const end = async () => {
    await traffic.quiet()
    wire[Symbol.dispose]()
    await local.close()
  }
  return { local, wire, traffic, http, [Symbol.asyncDispose]: end }
}

/** How a sign-in by code ends: `signed in`, or why not. On the way a new code is asked for where `renews` is set. */
async function byCode(
  dialect: Partial<Dialect>,
  { renews = false, slows = false, fails = false } = {},
): Promise<string> {
  await using fixture = await begin(dialect)
  const { local, wire, traffic, http } = fixture
  const { clock } = wire
  const stop = new AbortController()
  try {
    const service = await discover(http, new URL(local.baseUrl), clock, never)
    const [agree, store] = [async () => email, async () => {}]
    const revoke = assert.fail
    const flow = new DeviceFlow({
      http,
      service,
      agree,
      store,
      revoke,
      clientName: 'x',
      clock,
      log: new Log(),
    })
    let outcome: { done: unknown } | { fault: unknown } | undefined
    flow.run(stop.signal).then(
      done => {
        outcome = { done }
      },
      fault => {
        outcome = { fault }
      },
    )
    const pass = (seconds: number) => traffic.pass(seconds, clock, local)
    await eventually('there is a code', () => 'code' in flow.step || outcome !== undefined)
    if (!outcome) await pass(6)
    if (renews && !outcome) {
      flow.renew()
      await pass(12)
    }
    if (slows && !outcome) {
      const [registration] = local.state.registrations.all
      assert.ok(registration)
      registration.intervalMs = 20_000
      await pass(70)
    }
    const registration = local.state.registrations.all.at(-1)
    if (registration && !outcome) {
      local.state.keyCreationFails = fails
      local.state.registrations.approve(registration, registration.attempt, email, registration.attempt.code)
      await pass(75)
    }
    assert.ok(outcome, 'it ended')
    if ('fault' in outcome) throw outcome.fault
    return 'signed in'
  } catch (fault) {
    if (fault instanceof SignInError) return fault.reason
    if (fault instanceof ContractError) return fault.message.replace(/^\S+: /, '')
    throw fault
  } finally {
    stop.abort(new AbortedError())
  }
}

/** What is not named here ends with a key. */
const ends: { readonly [Name in Choice]?: { readonly [Value in Dialect[Name]]?: string } } = {
  identityEndpointName: { null: 'not offered', manual: 'not offered' },
  identityTypes: { none: 'not offered' },
  issuer: { foreign: 'shape at issuer' },
  serviceAuth: { 'refused-with-400': 'not offered', 'refused-with-403': 'not offered' },
  registrationFields: { strict: 'refused' },
  userCode: { absent: 'no code' },
  // Nothing names the server, or its vendor's word for the grant.
  metadataDocuments: { 'no-protected-resource': 'no service', 'no-authorization-server': 'refused' },
}

/** Where a new code is asked for in between. */
const renewedEnds: typeof ends = {
  newCodeRequest: { 'type-service_auth': 'refused' },
  newCodeAnswer: { 'without-code': 'run out', 'by-mail': 'run out', 'not-offered': 'run out' },
}

const names = Object.keys(choices) as Choice[]
const isOfBrowser = (name: Choice) =>
  ['browserSignIn', 'issParameter', 'clientRegistration', 'redirectPort'].includes(name)
const isOfRenewal = (name: Choice) => name.startsWith('newCode') || name.startsWith('claimEndpoint')

describe('signing in with a code', { concurrency: 4 }, () => {
  for (const name of names.filter(name => !isOfBrowser(name))) {
    for (const value of choices[name]) {
      const expected = (ends[name] as Record<string, string> | undefined)?.[value] ?? 'signed in'
      it(`${name}=${value}: ${expected}`, async () => {
        const way = { slows: name === 'slowDownStatus', fails: name === 'keyCreationError' }
        assert.equal(await byCode({ [name]: value }, way), way.fails ? 'denied' : expected)
      })
    }
  }
})

describe('with a new code in between', { concurrency: 4 }, () => {
  for (const name of names.filter(isOfRenewal)) {
    for (const value of choices[name]) {
      const expected = (renewedEnds[name] as Record<string, string> | undefined)?.[value] ?? 'signed in'
      it(`${name}=${value}: ${expected}`, async () => {
        assert.equal(await byCode({ [name]: value }, { renews: true }), expected)
      })
    }
  }
})

/** How a sign-in with the browser ends. */
async function byBrowser(dialect: Partial<Dialect>, clientId: string): Promise<string> {
  await using fixture = await begin(dialect)
  const { local, wire, http } = fixture
  const service = await discover(http, new URL(local.baseUrl), wire.clock, never)
  if (!offersBrowser(service, clientId)) return 'not offered'
  const open = async (url: string) => {
    const browser = new Browser()
    await browser.open(url)
    await browser.press('Sign in', { Email: email })
    await fetch((await browser.press('Allow')).headers.location ?? '')
  }
  const [onAnswered, revoke] = [() => {}, assert.fail]
  const listen = () => LoopbackListener.open()
  const options = { http, service, clientId, clock: wire.clock, log: new Log(), listen, open, onAnswered, revoke }
  try {
    const key = await signInWithBrowser(options, never)
    assert.equal(local.state.keys.find(key)?.email, email)
    return 'signed in'
  } catch (fault) {
    if (fault instanceof SignInError) return fault.reason
    throw fault
  }
}

describe('signing in with the browser', { concurrency: 4 }, () => {
  const own = 'kourier-vscode'
  const table: readonly [Partial<Dialect>, string, string][] = [
    [{}, own, 'signed in'],
    [{}, '', 'not offered'],
    [{ browserSignIn: 'absent' }, own, 'not offered'],
    [{ issParameter: 'unannounced' }, own, 'signed in'],
    [{ issParameter: 'absent' }, own, 'signed in'],
    [{ issParameter: 'missing' }, own, 'mixed up'],
    [{ issParameter: 'foreign' }, own, 'mixed up'],
    [{ clientRegistration: 'open' }, '', 'signed in'],
    [{ clientRegistration: 'open', redirectPort: 'registered' }, '', 'signed in'],
    [{ clientRegistration: 'secret' }, '', 'signed in'],
    [{ tokenAnswer: 'lower-case-type' }, own, 'signed in'],
    [{ tokenAnswer: 'without-scope' }, own, 'signed in'],
    [{ issuer: 'path' }, own, 'signed in'],
  ]
  for (const [dialect, clientId, expected] of table) {
    it(`${JSON.stringify(dialect)}${clientId ? '' : ' without a client id'}: ${expected}`, async () => {
      assert.equal(await byBrowser(dialect, clientId), expected)
    })
  }
})

describe('giving the key back', () => {
  for (const value of choices.revokeAnswer) {
    const isConfirmed = value !== '503' && value !== 'unsupported_token_type'
    it(`${value}: ${isConfirmed ? 'confirmed' : 'not confirmed'}`, async () => {
      await using fixture = await begin({ revokeAnswer: value })
      const { local, wire, http } = fixture
      local.state.accounts.of(email)
      const service = await discover(http, new URL(local.baseUrl), wire.clock, never)
      const key = local.state.issueKey(email, 'x')
      assert.equal(
        isRevoked(await revocationRequest(http, service.revocationEndpoint, madeOf(key), never)),
        isConfirmed,
      )
    })
  }
})
