// A sign-in whose service answers as usual until it is held; then the test decides when and what.
import assert from 'node:assert/strict'
import { AbortedError } from '../../src/base/abort.ts'
import { DeviceFlow, type DeviceFlowStep } from '../../src/core/account/deviceFlow.ts'
import type { AnswerName, StepName } from '../../src/core/account/deviceFlowTable.ts'
import type { HttpRequest } from '../../src/core/http/http.ts'
import { Log } from '../../src/core/log/log.ts'
import { FakeClock, settled } from './fakeClock.ts'
import { type Scripted, ScriptedHttp } from './scriptedHttp.ts'
import { revoking, someService } from './signIn.ts'

export const claim = { user_code: '12345678', verification_uri: '/claim', expires_in: 600, interval: 5 }
export const another = { ...claim, user_code: '87654321' }
export const word = (error: string, status = 400): Scripted => ({ status, body: { error } })
export const key = 'sk-bf-0123456789'

/** One form in which a service sends each answer; `Record` keeps the list complete. */
export const spoken: Readonly<Record<AnswerName, Scripted>> = {
  code: { body: { claim_token: 'clm_another', claim: another } },
  'no code': { body: { claim_token: 'clm_another', claim: { verification_uri: '/claim' } } },
  granted: { body: { access_token: key, token_type: 'Bearer' } },
  pending: word('authorization_pending'),
  'slow down': word('slow_down'),
  expired: word('expired_token'),
  denied: word('access_denied'),
  lost: word('invalid_grant'),
  claimed: word('claimed_or_in_flight', 409),
  over: word('claim_superseded', 410),
  refused: word('brand_new_word'),
  unclear: { status: 503 },
}

export type Endpoint = 'identity' | 'claim' | 'token' | 'revoke'
const endpoints: Readonly<Record<string, Endpoint>> = {
  [someService.identityEndpoint]: 'identity',
  [someService.claimEndpoint]: 'claim',
  [someService.tokenEndpoint]: 'token',
  [someService.revocationEndpoint]: 'revoke',
}

/** A device flow whose service answers as usual until it is held; then the test decides when and what. */
export class DeviceFlowHarness {
  readonly clock = new FakeClock()
  readonly asked: Endpoint[] = []
  readonly steps: StepName[] = ['asking']
  readonly stop = new AbortController()
  readonly agreed = Promise.withResolvers<string | undefined>()
  readonly kept = Promise.withResolvers<void>()
  readonly stored: string[] = []
  readonly flow: DeviceFlow
  outcome: { done: unknown } | { fault: unknown } | undefined
  usual: Readonly<Record<Endpoint, Scripted>> = {
    identity: { body: { claim_token: 'clm_first', claim } },
    claim: spoken.code,
    token: spoken.pending,
    revoke: {},
  }
  #hold: Endpoint | undefined
  #held: ((answer: Scripted) => void) | undefined

  constructor() {
    const http = new ScriptedHttp(request => this.#answer(request))
    this.flow = new DeviceFlow({
      http: http.send,
      service: someService,
      agree: () => this.agreed.promise,
      store: async stored => {
        this.stored.push(stored)
        await this.kept.promise
      },
      revoke: revoking(http.send, someService),
      clientName: 'x',
      clock: this.clock,
      log: new Log(),
    })
    this.flow.onDidChange(step => this.steps.push(step.is))
    this.flow.run(this.stop.signal).then(
      done => {
        this.outcome = { done }
      },
      fault => {
        this.outcome = { fault }
      },
    )
  }

  #answer({ url }: HttpRequest): Scripted | Promise<Scripted> {
    const endpoint = endpoints[url]
    assert.ok(endpoint, url)
    this.asked.push(endpoint)
    if (endpoint !== this.#hold) return this.usual[endpoint]
    this.#hold = undefined
    return new Promise(resolve => {
      this.#held = resolve
    })
  }

  /** The next request to this endpoint waits for `give`. */
  hold(endpoint: Endpoint): void {
    this.#hold = endpoint
  }

  get isHeld(): boolean {
    return this.#held !== undefined
  }

  async give(answer: Scripted): Promise<void> {
    assert.ok(this.#held, 'a request waits for its answer')
    this.#held(answer)
    this.#held = undefined
    await settled()
    await settled()
  }

  get step(): DeviceFlowStep {
    return this.flow.step
  }

  get shownCode(): string | undefined {
    return 'code' in this.step ? this.step.code.text : undefined
  }

  get fault(): unknown {
    return this.outcome && 'fault' in this.outcome ? this.outcome.fault : undefined
  }

  async agree(): Promise<void> {
    this.agreed.resolve('ada@example.com')
    await settled()
    await settled()
  }

  /** To the step, with a request on its way where the step has one. */
  async goTo(step: StepName, answer?: AnswerName): Promise<this> {
    if (step === 'asking') return this
    if (step === 'registering') this.hold('identity')
    await this.agree()
    if (step === 'registering' || step === 'showing') return this
    if (step === 'polling') this.hold('token')
    await this.clock.advance(5_000)
    if (step === 'polling') return this
    if (step === 'renewing') {
      // The last look at the old code is the only place where a renewal can meet the key.
      this.hold(answer === 'granted' ? 'token' : 'claim')
      this.flow.renew()
      await this.clock.advance(5_000)
      return this
    }
    if (step === 'failed') {
      // A poll is on its way when the user cancels.
      this.hold('token')
      await this.clock.advance(5_000)
      this.stop.abort(new AbortedError())
      await settled()
      return this
    }
    this.usual = { ...this.usual, token: spoken.granted }
    await this.clock.advance(5_000)
    if (step === 'done') this.kept.resolve()
    await settled()
    return this
  }
}
