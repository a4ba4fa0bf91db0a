// The table of a claim: every state meets every call, and each pair has its answer and its next state.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Attempt, Registration } from '../localService/registrations.ts'
import { type Service, startService } from '../localService/server.ts'
import { email, type Json, poll, postJson, register } from './caller.ts'

interface ClaimFixture {
  readonly service: Service
  readonly registered: Json
  readonly registration: Registration
  /** The code at the start; a new code replaces it. */
  readonly attempt: Attempt
}

const minute = 60_000

/** What a state is called, from what the service keeps. */
function stateOf({ service, registration }: ClaimFixture): string {
  const { registrations } = service.state
  if (registration.status === 'issued') return 'issued'
  if (service.clock.now() >= registration.expiresAt) return 'over'
  if (registration.status !== 'pending') return registration.status
  const link = registrations.linkState(registration)
  return link === 'open' ? 'pending' : link
}

const calls = {
  poll: async ({ service, registered }: ClaimFixture) => {
    const { status, json } = await poll(service, registered.claim_token)
    return json.error ?? status
  },
  'new code': async ({ service, registered }: ClaimFixture) => {
    const body = { claim_token: registered.claim_token, email }
    const { status, json } = await postJson(`${service.baseUrl}/agent/identity/claim`, body)
    return json.error ?? status
  },
  approve: ({ service, registration, attempt }: ClaimFixture) =>
    service.state.registrations.approve(registration, attempt, email, attempt.code),
  deny: ({ service, registration, attempt }: ClaimFixture) =>
    service.state.registrations.deny(registration, attempt, email),
  'wrong code': ({ service, registration, attempt }: ClaimFixture) =>
    service.state.registrations.approve(registration, attempt, email, 'wrong'),
  'register again': async ({ service }: ClaimFixture) => (await register(service)).claim.user_code.length,
  '10 minutes': ({ service }: ClaimFixture) => service.clock.advance(10 * minute),
  'an hour': ({ service }: ClaimFixture) => service.clock.advance(60 * minute),
}

type Call = keyof typeof calls

const approve = (fixture: ClaimFixture) => void calls.approve(fixture)

/** How each state comes about. */
const states = {
  pending: () => {},
  'code expired': ({ service }: ClaimFixture) => service.clock.advance(10 * minute),
  blocked: ({ attempt }: ClaimFixture) => {
    attempt.wrongCodes = 5
  },
  approved: approve,
  denied: (fixture: ClaimFixture) => void calls.deny(fixture),
  issued: async (fixture: ClaimFixture) => {
    approve(fixture)
    assert.equal(await calls.poll(fixture), 200)
  },
  over: ({ service }: ClaimFixture) => service.clock.advance(60 * minute),
}

type State = keyof typeof states

/** `answer > next state`; only time has no answer. Another registration never changes this one. */
const table: Readonly<Record<State, Readonly<Record<Call, string>>>> = {
  pending: {
    poll: 'authorization_pending > pending',
    'new code': '200 > pending',
    approve: 'done > approved',
    deny: 'done > denied',
    'wrong code': 'wrong code > pending',
    'register again': '8 > pending',
    '10 minutes': '> code expired',
    'an hour': '> over',
  },
  'code expired': {
    poll: 'expired_token > code expired',
    'new code': '200 > pending',
    approve: 'code expired > code expired',
    deny: 'code expired > code expired',
    'wrong code': 'code expired > code expired',
    'register again': '8 > code expired',
    '10 minutes': '> code expired',
    'an hour': '> over',
  },
  blocked: {
    poll: 'expired_token > blocked',
    'new code': '200 > pending',
    approve: 'blocked > blocked',
    deny: 'blocked > blocked',
    'wrong code': 'blocked > blocked',
    'register again': '8 > blocked',
    '10 minutes': '> code expired',
    'an hour': '> over',
  },
  approved: {
    poll: '200 > issued',
    'new code': 'claimed_or_in_flight > approved',
    approve: 'used > approved',
    deny: 'used > approved',
    'wrong code': 'used > approved',
    'register again': '8 > approved',
    // The code is dead by then, the approval is not.
    '10 minutes': '> approved',
    'an hour': '> over',
  },
  denied: {
    poll: 'access_denied > denied',
    'new code': 'claim_expired > denied',
    approve: 'used > denied',
    deny: 'used > denied',
    'wrong code': 'used > denied',
    'register again': '8 > denied',
    '10 minutes': '> denied',
    'an hour': '> over',
  },
  issued: {
    poll: 'invalid_grant > issued',
    'new code': 'claimed_or_in_flight > issued',
    approve: 'used > issued',
    deny: 'used > issued',
    'wrong code': 'used > issued',
    'register again': '8 > issued',
    '10 minutes': '> issued',
    'an hour': '> issued',
  },
  over: {
    poll: 'expired_token > over',
    'new code': 'claim_expired > over',
    approve: 'registration expired > over',
    deny: 'registration expired > over',
    'wrong code': 'registration expired > over',
    'register again': '8 > over',
    '10 minutes': '> over',
    'an hour': '> over',
  },
}

async function worldIn(service: Service, state: State): Promise<ClaimFixture> {
  const registered = await register(service)
  const registration = service.state.registrations.all.at(-1)
  if (!registration) throw new Error('Nothing was registered.')
  const fixture = { service, registered, registration, attempt: registration.attempt }
  await states[state](fixture)
  assert.equal(stateOf(fixture), state)
  return fixture
}

describe('a claim', () => {
  for (const state of Object.keys(table) as State[])
    for (const call of Object.keys(calls) as Call[])
      it(`[token.every-state] ${state}, ${call}: ${table[state][call]}`, async () => {
        await using service = await startService({ plan: 'pro' })
        const fixture = await worldIn(service, state)
        const answer = await calls[call](fixture)
        assert.equal(`${answer ?? ''} > ${stateOf(fixture)}`.trim(), table[state][call])
      })

  it('[token.every-state] a code that was replaced is good for nothing, whatever becomes of the new one', async () => {
    await using service = await startService({ plan: 'pro' })
    const fixture = await worldIn(service, 'pending')
    await calls['new code'](fixture)
    assert.deepEqual(
      [await calls.approve(fixture), await calls.deny(fixture), stateOf(fixture)],
      ['replaced', 'replaced', 'pending'],
    )
  })

  it('[token.every-state] an approval is over after the hour too, and gives no key', async () => {
    await using service = await startService({ plan: 'pro' })
    const fixture = await worldIn(service, 'approved')
    service.clock.advance(60 * minute)
    assert.deepEqual([await calls.poll(fixture), await calls['new code'](fixture)], ['expired_token', 'claim_expired'])
    assert.deepEqual(service.state.keys.all, [])
  })
})
