// The device flow: one attempt as a state machine, from the consent to the stored key. It reports its steps and draws nothing.
import { isAbort, linkedAbort, raceAbort, sleep, throwIfAborted } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'
import { Emitter, type Event } from '../../base/event.ts'
import { faultText } from '../../base/fault.ts'
import type { Problem } from '../../protocol/wire/problem.ts'
import { ContractError } from '../http/errors.ts'
import type { Http } from '../http/http.ts'
import type { Log } from '../log/log.ts'
import { askNewCode, leavesOldCode } from './claim.ts'
import { askOrReportLate, type PollEnd, type PollOptions, pollClaim, SLOW_DOWN_MS } from './claimPoll.ts'
import { type CodeStep, isExpired } from './codeStep.ts'
import { type Answer, deviceFlowTable } from './deviceFlowTable.ts'
import type { Service } from './discovery.ts'
import { type Code, readRegistration, registrationRequest } from './registration.ts'
import { signInEnd } from './signInEnd.ts'
import { SignInError } from './signInError.ts'
import { brokeOff, isRequestRefused, mayHideKey, poll, readFault } from './token.ts'

/** The steps of `deviceFlowTable.ts`, with the values that are shown. */
export type DeviceFlowStep = { readonly is: 'asking' | 'registering' | 'storing' | 'done' | 'failed' } | CodeStep

export interface DeviceFlowOptions {
  readonly http: Http
  readonly service: Service
  /** The email that the user agrees to send; undefined when the user does not. Nothing is sent before it resolves. */
  readonly agree: (signal: AbortSignal) => Promise<string | undefined>
  /** Stores the key, or throws. */
  readonly store: (key: string, email: string) => Promise<void>
  /** Revokes a key that arrived after the sign-in had ended, because it must not stay valid without an owner. */
  readonly revoke: (key: string) => void
  /** The sign-in had ended when the answer that may have carried the key was lost, so that key cannot be revoked. */
  readonly onKeyLost?: () => void
  /** The key is stored, and the service had probably issued another one before, in an answer that broke off. */
  readonly onSecondKey?: () => void
  /** Receives each poll, because the process must not end before its answer, which may carry the key. */
  readonly onTokenRequest?: (answer: Promise<unknown>) => void
  /** Shown by the service's page; holds the tag by which the user knows that the page is about this editor. */
  readonly clientName: string
  readonly clock: Clock
  readonly log: Log
}

/** One registration. The claim token is a secret, and is kept no longer than the attempt. */
interface Registration {
  readonly email: string
  readonly claimToken: string
  readonly endsAt: number
}

export class DeviceFlow {
  readonly #options: DeviceFlowOptions
  readonly #changed = new Emitter<DeviceFlowStep>()
  #step: DeviceFlowStep = { is: 'asking' }
  #wantsNewCode = linkedAbort()
  #lastPoll: Promise<Answer> | undefined
  #lastPollAt = Number.NEGATIVE_INFINITY
  /** Least time between two polls. It never decreases, because a `slow_down` counts for every later code too. */
  #intervalMs = 0
  /**
   * What answers that did not arrive may have carried. `a key`: no later answer has ruled it out. `surely a key`: an
   * answer with a status of success broke off, so that a key in a later answer is a second one.
   */
  #lost: 'nothing' | 'a key' | 'surely a key' = 'nothing'
  /** Set for a service that requires the API's address in the request (RFC 8707). */
  #resource: string | undefined

  constructor(options: DeviceFlowOptions) {
    this.#options = options
  }

  readonly onDidChange: Event<DeviceFlowStep> = this.#changed.event

  get step(): DeviceFlowStep {
    return this.#step
  }

  /** An answer that may have carried the key did not arrive, and no later answer has ruled that out. */
  get mayHaveLostKey(): boolean {
    return this.#lost !== 'nothing'
  }

  /** The user asks for a new code; the old one stops working. */
  renew(): void {
    if (this.#step.is === 'showing' || this.#step.is === 'polling') this.#wantsNewCode.stop()
  }

  /**
   * Resolves when the key is kept, or without one where the user did not agree. Throws a fault, a `SignInError`, or the
   * signal's reason.
   */
  async run(signal: AbortSignal): Promise<{ email: string; key: string } | undefined> {
    try {
      // The user is not asked for consent to a registration that is not offered.
      if (!this.#options.service.isRegistrationOffered) throw new SignInError('not offered')
      const email = await this.#options.agree(signal)
      throwIfAborted(signal)
      if (email === undefined) {
        this.#setStep({ is: 'failed' })
        return undefined
      }
      const key = await this.#waitForKey(await this.#register(email, signal), signal)
      this.#options.log.redactor.register(key)
      this.#setStep({ is: 'storing' })
      await this.#options.store(key, email)
      this.#setStep({ is: 'done' })
      if (this.#lost === 'surely a key') this.#options.onSecondKey?.()
      return { email, key }
    } catch (fault) {
      this.#setStep({ is: 'failed' })
      throw this.mayHaveLostKey && leavesOpen(fault) ? new SignInError('lost', problemIn(fault)) : fault
    }
  }

  async #register(email: string, signal: AbortSignal): Promise<{ registration: Registration; code: Code }> {
    const { http, service, clientName, clock } = this.#options
    this.#setStep({ is: 'registering' })
    const answer = await registrationRequest(http, service, { login_hint: email, client_name: clientName }, signal)
      .then(sent => readRegistration(sent, service, clock))
      .catch(readFault)
    if (answer.is !== 'code' || answer.claimToken === undefined) throw signInEnd('registering', answer)
    const { claimToken, code, validMs } = answer
    this.#options.log.redactor.register(claimToken)
    return { registration: { email, claimToken, endsAt: clock.elapsed() + validMs }, code }
  }

  async #waitForKey(started: { registration: Registration; code: Code }, signal: AbortSignal): Promise<string> {
    const { clock } = this.#options
    let { registration, code } = started
    this.#setCode(code)
    for (;;) {
      const end = await this.#pollUnlessRenewed(code, registration, signal)
      if (end.is === 'granted') return end.key
      if (end.is === 'code expired') {
        if (clock.elapsed() >= registration.endsAt) throw new SignInError('run out')
        this.#setExpired()
        await this.#untilNewCodeWanted(registration, signal)
      } else if (end.is !== 'renewed') throw signInEnd('polling', end)
      const renewed = await this.#renew(registration, code, signal)
      if (typeof renewed === 'string') return renewed
      // The old code may still be approved, so it is polled for again.
      if (!renewed) continue
      code = renewed.code
      registration = { ...registration, claimToken: renewed.claimToken ?? registration.claimToken }
      this.#options.log.redactor.register(registration.claimToken)
      this.#setCode(code)
    }
  }

  /** Polls until the code expires, or until the user asks for another code. */
  async #pollUnlessRenewed(
    code: Code,
    registration: Registration,
    signal: AbortSignal,
  ): Promise<PollEnd | { is: 'renewed' }> {
    const wanted = linkedAbort(signal)
    this.#wantsNewCode = wanted
    try {
      return await this.#pollFor(this.#codeLeftMs, code, registration, signal, wanted.signal)
    } catch (fault) {
      if (signal.aborted || !isAbort(fault)) throw fault
      return { is: 'renewed' }
    } finally {
      wanted.unlink()
    }
  }

  #pollFor(
    validMs: number,
    code: Code,
    registration: Registration,
    signal: AbortSignal,
    until: AbortSignal = signal,
  ): Promise<PollEnd> {
    const { clock, log } = this.#options
    const options: PollOptions = {
      clock,
      ask: () => this.#ask(registration),
      onLate: answer => this.#onLate(answer, signal),
      onTrouble: fault => {
        if (fault) log.warn('The service could not be asked for the key', { fault: faultText(fault) })
        this.#setReachability(fault === undefined ? 'live' : 'unreachable')
      },
    }
    return pollClaim({ ...code, validMs, intervalMs: this.#intervalMs }, options, until)
  }

  /** A poll has a time limit but is not aborted, because its answer may be the only one that carries the key. */
  #ask(registration: Registration): Promise<Answer> {
    this.#lastPollAt = this.#options.clock.elapsed()
    this.#lastPoll = this.#poll(registration)
    this.#options.onTokenRequest?.(this.#lastPoll)
    return this.#lastPoll
  }

  async #poll({ claimToken }: Registration): Promise<Answer> {
    const { http, service, clock } = this.#options
    if (this.#step.is === 'showing') this.#updateStep({ is: 'polling' })
    const resource = this.#resource && { resource: this.#resource }
    const answer = await poll(http, service, { claim_token: claimToken, ...resource }, clock)
    if (this.#step.is === 'polling') this.#updateStep({ is: 'showing' })
    if (mayHideKey(answer) && this.#lost === 'nothing') this.#lost = 'a key'
    if (brokeOff(answer)) this.#lost = 'surely a key'
    if (answer.is === 'pending' || answer.is === 'denied' || isRequestRefused(answer)) this.#lost = 'nothing'
    if (answer.is === 'slow down') this.#intervalMs += SLOW_DOWN_MS
    if (answer.is !== 'refused') return answer
    const { problem, key } = answer
    if (key !== undefined) this.#revoke(key)
    // The message names the grant type, because it may be the common one and not one that the service named.
    if (problem.code === 'unsupported_grant_type')
      return {
        is: 'refused',
        problem: { ...problem, text: `${problem.text ?? problem.code}: ${service.claimGrantType}` },
      }
    // RFC 8707 2: nothing was wrong with the claim. The next poll names the API.
    if (problem.code !== 'invalid_target' || resource) return answer
    this.#resource = service.baseUrl
    return { is: 'pending' }
  }

  /** Does not poll, because no code can be approved while this waits. */
  async #untilNewCodeWanted(registration: Registration, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options
    const wanted = linkedAbort(signal)
    this.#wantsNewCode = wanted
    try {
      await sleep(clock, Math.max(registration.endsAt - clock.elapsed(), 0), wanted.signal)
    } catch (fault) {
      if (signal.aborted) throw fault
      return
    } finally {
      wanted.unlink()
    }
    throw new SignInError('run out')
  }

  /**
   * Requests a new code, and again whenever the user asks for one, until there is one or the old code may still work.
   * Returns the key where it was granted meanwhile, and undefined where the old code is polled for again.
   */
  async #renew(
    registration: Registration,
    code: Code,
    signal: AbortSignal,
  ): Promise<string | { code: Code; claimToken: string | undefined } | undefined> {
    for (;;) {
      this.#setRenewing()
      const answer = await this.#renewOnce(registration, signal)
      switch (deviceFlowTable.renewing[answer.is]) {
        case 'keep':
          if (answer.is === 'granted') return answer.key
          break
        case 'show':
          if (answer.is === 'code') return answer
          break
        case 'collect':
          this.#setClaimed(registration, code)
          return undefined
        case 'end':
          throw answer.is === 'lost' ? new SignInError('lost', answer.problem) : signInEnd('renewing', answer)
        case 'offer again':
          break
      }
      if (answer.is === 'unclear') this.#options.log.warn('There is no new code', { fault: faultText(answer.fault) })
      const isOldCodeLive = leavesOldCode(answer) && this.#codeLeftMs > 0
      this.#updateStep({ is: 'showing', status: isOldCodeLive ? 'not replaced' : 'expired, not replaced' })
      if (isOldCodeLive) return undefined
      await this.#untilNewCodeWanted(registration, signal)
    }
  }

  /** Polls once before it requests the new code, which invalidates the old one: the user may just have approved. */
  async #renewOnce(registration: Registration, signal: AbortSignal): Promise<Answer> {
    const { http, service, clock } = this.#options
    // After an abort only the caller of that poll handles its answer, because a key must not be revoked twice.
    const previous = this.#lastPoll && (await raceAbort(this.#lastPoll, signal))
    if (previous?.is === 'granted') return previous
    await this.#untilNextPoll(signal)
    const onLate = (answer: Answer) => this.#onLate(answer, signal)
    const last = await askOrReportLate({ ask: () => this.#ask(registration), onLate }, signal)
    const move = deviceFlowTable.polling[last.is]
    if (move === 'keep' || (move === 'end' && last.is !== 'over')) return last
    const { claimToken, email } = registration
    return askNewCode(http, service, { claim_token: claimToken, email }, clock, signal)
  }

  async #untilNextPoll(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options
    const waitMs = this.#lastPollAt + this.#intervalMs - clock.elapsed()
    if (waitMs > 0) await sleep(clock, waitMs, signal)
  }

  #revoke(key: string): void {
    this.#options.log.redactor.register(key)
    this.#options.revoke(key)
  }

  #onLate(answer: Answer, signal: AbortSignal): void {
    // `#renewOnce` awaits the same answer itself.
    if (!signal.aborted) return
    if (answer.is === 'granted') this.#revoke(answer.key)
    else if (mayHideKey(answer)) this.#options.onKeyLost?.()
  }

  /** Milliseconds for which the code that is shown still works; 0 when it has run out. */
  get #codeLeftMs(): number {
    const step = this.#step
    return 'code' in step && !isExpired(step) ? Math.max(step.endsAt - this.#options.clock.elapsed(), 0) : 0
  }

  #setCode(code: Code): void {
    this.#intervalMs = Math.max(this.#intervalMs, code.intervalMs)
    const endsAt = this.#options.clock.elapsed() + code.validMs
    this.#setStep({ is: 'showing', code, endsAt, status: 'live' })
  }

  #setExpired(): void {
    const isUnreplaced = 'code' in this.#step && this.#step.status === 'not replaced'
    this.#updateStep({ is: 'showing', status: isUnreplaced ? 'expired, not replaced' : 'expired' })
  }

  /** Changes only `live` and `unreachable`, because the other statuses matter more to the user. */
  #setReachability(status: 'live' | 'unreachable'): void {
    const step = this.#step
    if ('code' in step && (step.status === 'live' || step.status === 'unreachable')) this.#updateStep({ status })
  }

  #setRenewing(): void {
    const hasEnded = 'code' in this.#step && isExpired(this.#step)
    this.#updateStep({ is: 'renewing', status: hasEnded ? 'expired' : 'live' })
  }

  /**
   * The user has typed the code, and may have more to do on the page, such as to choose a plan. The lifetime of a code
   * starts anew for that, up to the end of the registration.
   */
  #setClaimed(registration: Registration, code: Code): void {
    const now = this.#options.clock.elapsed()
    const endsAt = Math.min(now + code.validMs, registration.endsAt)
    this.#updateStep({ is: 'showing', endsAt, status: 'used' })
  }

  /** Does nothing where there is no code or nothing changes. */
  #updateStep(change: Partial<CodeStep>): void {
    const step = this.#step
    if (!('code' in step)) return
    const isNew = Object.entries(change).some(([name, value]) => step[name as keyof CodeStep] !== value)
    if (isNew) this.#setStep({ ...step, ...change })
  }

  #setStep(step: DeviceFlowStep): void {
    this.#step = step
    this.#changed.fire(step)
  }
}

/** Whether a key may exist after this fault: services report a claim that was used up with different errors. */
function leavesOpen(fault: unknown): boolean {
  return fault instanceof SignInError ? fault.reason !== 'denied' : fault instanceof ContractError
}

/** The problem that the service's answer contains; empty where it contains none. */
function problemIn(fault: unknown): Problem {
  return fault instanceof SignInError ? fault.problem : {}
}
