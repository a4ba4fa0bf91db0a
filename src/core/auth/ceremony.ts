// Signing in with a code, as steps someone else draws.
import { isStop, linkStop, sleep } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'
import { Emitter, type Event } from '../../base/event.ts'
import { faultText } from '../../base/fault.ts'
import type { Problem } from '../../protocol/problem.ts'
import { ContractError, ProblemError, TransportError } from '../http/errors.ts'
import type { Http } from '../http/http.ts'
import { verdictOf } from '../http/verdict.ts'
import type { Log } from '../log/log.ts'
import { type NewCode, newCodeRequest, readNewCode } from './claim.ts'
import { askWhole, type PollEnd, type PollOptions, pollClaim, SLOW_DOWN_MS } from './claimPoll.ts'
import type { Service } from './discovery.ts'
import { type Code, type Registered, readRegistration, registrationRequest } from './registration.ts'
import { isRevoked, revocationRequest } from './revocation.ts'
import { type PollAnswer, poll } from './token.ts'

/** The ceremony ended without an account. */
export class SignInError extends Error {
  override readonly name = 'SignInError'
  readonly reason: 'denied' | 'refused' | 'run out' | 'lost'
  readonly problem: Problem

  constructor(reason: SignInError['reason'], problem: Problem = {}) {
    super(`Sign-in ${reason}`)
    this.reason = reason
    this.problem = problem
  }
}

export type CeremonyStep =
  | { readonly is: 'registering' }
  | {
      readonly is: 'showing'
      readonly code: Code
      /** On the clock's `elapsed` scale. */
      readonly endsAt: number
      readonly isExpired: boolean
      readonly isRenewing: boolean
      /** The service cannot be reached at the moment; the ceremony goes on. */
      readonly isTroubled: boolean
    }
  | { readonly is: 'finishing' }

export interface CeremonyOptions {
  readonly http: Http
  readonly service: Service
  readonly email: string
  /** Shown by the service's page; holds the tag by which the user knows that the page is about this editor. */
  readonly clientName: string
  readonly clock: Clock
  readonly log: Log
}

/** A claim that the service calls approved already is asked for so long. */
const COLLECT_MS = 60_000

/** Words with which a service says that a registration is over, whatever the status. */
const overWords = ['expired_token', 'invalid_claim_token', 'invalid_grant', 'claim_expired', 'claim_superseded']

/**
 * One attempt: register, show the code, poll, and answer with the key. The claim token stays inside and is gone with
 * the attempt.
 */
export class Ceremony {
  readonly #options: CeremonyOptions
  readonly #changed = new Emitter<CeremonyStep>()
  #step: CeremonyStep = { is: 'registering' }
  #wantsNewCode = linkStop()
  #lastPoll: Promise<PollAnswer> | undefined
  #lastPollAt = Number.NEGATIVE_INFINITY
  /** Least time between two polls; a service that asked for more gets it to the end, with every code. */
  #intervalMs = 0

  constructor(options: CeremonyOptions) {
    this.#options = options
  }

  readonly onDidChange: Event<CeremonyStep> = this.#changed.event

  get step(): CeremonyStep {
    return this.#step
  }

  /** The user asks for a new code; the old one stops working. */
  renew(): void {
    if (this.#step.is === 'showing') this.#wantsNewCode.stop()
  }

  /** Resolves with the key. Throws a fault, a `SignInError`, or the signal's reason. */
  async run(signal: AbortSignal): Promise<string> {
    const { http, service, email, clientName, clock, log } = this.#options
    const answer = await registrationRequest(http, service, { login_hint: email, client_name: clientName }, signal)
    const registered = await readRegistration(answer, service, clock)
    log.redactor.register(registered.claimToken)
    const key = await this.#waitForKey(registered, signal)
    log.redactor.register(key)
    this.#move({ is: 'finishing' })
    return key
  }

  async #waitForKey(registered: Registered, signal: AbortSignal): Promise<string> {
    const { clock } = this.#options
    const registrationEndsAt = clock.elapsed() + registered.validMs
    let { code, claimToken } = registered
    for (;;) {
      this.#show(code)
      const end = await this.#pollUnlessRenewed(code, claimToken, signal)
      if (end.is === 'granted') return end.key
      if (end.is === 'denied' || end.is === 'refused') throw new SignInError(end.is, end.problem)
      if (end.is === 'lost') throw new SignInError('lost')
      if (end.is === 'code expired') {
        if (clock.elapsed() >= registrationEndsAt) throw new SignInError('run out')
        this.#update({ isExpired: true })
        await this.#newCodeWanted(registrationEndsAt, signal)
      }
      const renewed = await this.#renew(code, claimToken, registrationEndsAt, signal)
      if ('key' in renewed) return renewed.key
      code = renewed.code
      claimToken = renewed.claimToken ?? claimToken
      this.#options.log.redactor.register(claimToken)
    }
  }

  /** Polls until the code's end, or until the user wants another code. */
  async #pollUnlessRenewed(code: Code, claimToken: string, signal: AbortSignal): Promise<PollEnd | { is: 'renewed' }> {
    const wanted = linkStop(signal)
    this.#wantsNewCode = wanted
    try {
      return await this.#pollFor(code.validMs, code, claimToken, signal, wanted.signal)
    } catch (stopped) {
      if (signal.aborted || !isStop(stopped)) throw stopped
      return { is: 'renewed' }
    } finally {
      wanted.unlink()
    }
  }

  #pollFor(
    validMs: number,
    code: Code,
    claimToken: string,
    signal: AbortSignal,
    until: AbortSignal = signal,
  ): Promise<PollEnd> {
    const { clock, log } = this.#options
    const options: PollOptions = {
      clock,
      ask: () => this.#ask(claimToken),
      onStray: key => this.#onStray(key, signal),
      onTrouble: fault => {
        if (fault) log.warn('The service could not be asked for the key', { fault: faultText(fault) })
        this.#update({ isTroubled: fault !== undefined })
      },
    }
    return pollClaim({ ...code, validMs, intervalMs: this.#intervalMs }, options, until)
  }

  /** A poll has a time limit but no stop: its answer may be the only one that carries the key. */
  #ask(claimToken: string): Promise<PollAnswer> {
    this.#lastPollAt = this.#options.clock.elapsed()
    this.#lastPoll = this.#poll(claimToken)
    return this.#lastPoll
  }

  async #poll(claimToken: string): Promise<PollAnswer> {
    const { http, service, clock } = this.#options
    const answer = await poll(http, service, claimToken, clock, new AbortController().signal)
    if (answer.is === 'slow down') this.#intervalMs += SLOW_DOWN_MS
    if (answer.is === 'refused' && answer.key !== undefined) this.#giveBack(answer.key)
    return answer
  }

  /** No poll while no code is live: it could only waste the service's patience. */
  async #newCodeWanted(registrationEndsAt: number, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options
    const wanted = linkStop(signal)
    this.#wantsNewCode = wanted
    try {
      await sleep(clock, Math.max(registrationEndsAt - clock.elapsed(), 0), wanted.signal)
    } catch (stopped) {
      if (signal.aborted) throw stopped
      return
    } finally {
      wanted.unlink()
    }
    throw new SignInError('run out')
  }

  /** Asks until there is a new code, as often as the user wants while the service cannot be reached. */
  async #renew(
    code: Code,
    claimToken: string,
    registrationEndsAt: number,
    signal: AbortSignal,
  ): Promise<NewCode | { key: string }> {
    for (;;) {
      this.#update({ isRenewing: true, isTroubled: false })
      try {
        return await this.#renewOnce(code, claimToken, signal)
      } catch (fault) {
        if (!isPassing(fault)) throw fault
        this.#options.log.warn('The service could not be asked for a new code', { fault: faultText(fault) })
        this.#update({ isRenewing: false, isExpired: true, isTroubled: true })
        await this.#newCodeWanted(registrationEndsAt, signal)
      }
    }
  }

  /** A new code kills the old one, so the claim is looked at once more: the user may just have approved. */
  async #renewOnce(code: Code, claimToken: string, signal: AbortSignal): Promise<NewCode | { key: string }> {
    const { http, service, email, clock } = this.#options
    const onStray = (key: string) => this.#onStray(key, signal)
    const underway =
      this.#lastPoll && (await askWhole({ ask: () => this.#lastPoll ?? this.#ask(claimToken), onStray }, signal))
    if (underway?.is === 'granted') return { key: underway.key }
    await this.#untilNextPoll(signal)
    const last = await askWhole({ ask: () => this.#ask(claimToken), onStray }, signal)
    if (last.is === 'granted') return { key: last.key }
    if (last.is === 'denied') throw new SignInError('denied', last.problem)
    try {
      const answer = await newCodeRequest(http, service, { claim_token: claimToken, email }, signal)
      return await readNewCode(answer, service, clock)
    } catch (fault) {
      if (!(fault instanceof ProblemError)) throw fault
      if (fault.status === 409) return this.#collect(code, claimToken, signal)
      const isOver = [401, 404, 410].includes(fault.status) || overWords.includes(fault.problem.code ?? '')
      throw isOver ? new SignInError('run out') : fault
    }
  }

  /** The user has approved meanwhile: the key is on its way, at the pace that the service allows. */
  async #collect(code: Code, claimToken: string, signal: AbortSignal): Promise<{ key: string }> {
    const end = await this.#pollFor(COLLECT_MS, code, claimToken, signal)
    if (end.is === 'granted') return { key: end.key }
    if (end.is === 'denied' || end.is === 'refused') throw new SignInError(end.is, end.problem)
    throw new SignInError('lost')
  }

  async #untilNextPoll(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options
    const waitMs = this.#lastPollAt + this.#intervalMs - clock.elapsed()
    if (waitMs > 0) await sleep(clock, waitMs, signal)
  }

  #onStray(key: string, signal: AbortSignal): void {
    // A renewal hears the same answer itself.
    if (signal.aborted) this.#giveBack(key)
  }

  /** Nobody waits for this key any more: it must not stay valid unowned. */
  #giveBack(key: string): void {
    const { http, service, log } = this.#options
    log.redactor.register(key)
    revocationRequest(http, service.revocationEndpoint, key, new AbortController().signal).then(
      answer => log.info('A key that nobody waits for was given back', { isRevoked: isRevoked(answer) }),
      fault => log.error('A key that nobody waits for could not be given back', fault),
    )
  }

  #show(code: Code): void {
    this.#intervalMs = Math.max(this.#intervalMs, code.intervalMs)
    const endsAt = this.#options.clock.elapsed() + code.validMs
    this.#move({ is: 'showing', code, endsAt, isExpired: false, isRenewing: false, isTroubled: false })
  }

  #update(change: Partial<Extract<CeremonyStep, { is: 'showing' }>>): void {
    if (this.#step.is === 'showing') this.#move({ ...this.#step, ...change })
  }

  #move(step: CeremonyStep): void {
    this.#step = step
    this.#changed.fire(step)
  }
}

/** What may be gone in a moment. Only the user ends a ceremony over it. */
function isPassing(fault: unknown): boolean {
  if (fault instanceof TransportError) return true
  // A network's login page, or a gateway's.
  if (fault instanceof ContractError) return fault.what !== 'shape'
  const { ask } = verdictOf(fault)
  return ask === 'retry' || ask === 'wait'
}
