// Signing in with a code, as one state machine that someone else draws.
import { isAbort, linkedAbort, raceAbort, sleep, throwIfAborted } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'
import { Emitter, type Event } from '../../base/event.ts'
import { faultText } from '../../base/fault.ts'
import type { Problem } from '../../protocol/wire/problem.ts'
import { ContractError } from '../http/errors.ts'
import type { Http } from '../http/http.ts'
import type { Log } from '../log/log.ts'
import { askNewCode, leavesOldCode } from './claim.ts'
import { askWhole, type PollEnd, type PollOptions, pollClaim, SLOW_DOWN_MS } from './claimPoll.ts'
import { type Answer, deviceFlowTable } from './deviceFlowTable.ts'
import type { Service } from './discovery.ts'
import { type Code, readRegistration, registrationRequest } from './registration.ts'
import { signInEnd } from './signInEnd.ts'
import { SignInError } from './signInError.ts'
import { brokeOff, isAboutAsking, mayHideKey, poll, readFault } from './token.ts'

/** The steps of `deviceFlowTable.ts`, with what there is to draw. */
export type DeviceFlowStep = { readonly is: 'asking' | 'registering' | 'storing' | 'done' | 'failed' } | CodeStep

/** There is a code. */
export interface CodeStep {
  readonly is: 'showing' | 'polling' | 'renewing'
  readonly code: Code
  /** On the clock's `elapsed` scale. */
  readonly endsAt: number
  readonly status: CodeStatus
}

export type CodeStatus =
  | 'live'
  /** It works, but the service cannot be reached at the moment; the sign-in goes on. */
  | 'unreachable'
  /** Another code was asked for and there is none; this one still works. */
  | 'not replaced'
  /** The user has typed it; the key is still to come. */
  | 'used'
  | 'expired'
  /** Another code was asked for and there is none. */
  | 'expired, not replaced'

/** Whether the code has run out, as the service or its own time says. */
export function isExpired({ status }: CodeStep): boolean {
  return status === 'expired' || status === 'expired, not replaced'
}

export interface DeviceFlowOptions {
  readonly http: Http
  readonly service: Service
  /** The email that the user agrees to send; undefined when the user does not. Nothing is sent before it resolves. */
  readonly agree: (signal: AbortSignal) => Promise<string | undefined>
  /** Keeps the key, or throws. */
  readonly store: (key: string, email: string) => Promise<void>
  /** Has a key revoked that came after all and that nobody waits for: it must not stay valid unowned. */
  readonly giveBack: (key: string) => void
  /** The sign-in had ended when the answer that may have carried the key was lost: nobody can give that key back. */
  readonly onLost?: () => void
  /** The key is kept, and the service had most likely made another one before, whose answer broke off. */
  readonly onSecond?: () => void
  /** Told of each poll: whoever ends this process waits for its answer, which may carry the key. */
  readonly onAsked?: (answer: Promise<unknown>) => void
  /** Shown by the service's page; holds the tag by which the user knows that the page is about this editor. */
  readonly clientName: string
  readonly clock: Clock
  readonly log: Log
}

/** One registration, as long as it lives. The token is a secret and gone with the attempt. */
interface Registration {
  readonly email: string
  readonly claimToken: string
  readonly endsAt: number
}

/** One attempt, from the first question to the key that is kept. */
export class DeviceFlow {
  readonly #options: DeviceFlowOptions
  readonly #changed = new Emitter<DeviceFlowStep>()
  #step: DeviceFlowStep = { is: 'asking' }
  #wantsNewCode = linkedAbort()
  #lastPoll: Promise<Answer> | undefined
  #lastPollAt = Number.NEGATIVE_INFINITY
  /** Least time between two polls; a service that asked for more gets it to the end, with every code. */
  #intervalMs = 0
  /**
   * What answers that did not arrive may have carried. `a key`: nothing has been heard since that says otherwise. `surely
   * a key`: one with a status of success broke off, so that a key that comes then is a second one.
   */
  #lost: 'nothing' | 'a key' | 'surely a key' = 'nothing'
  /** Set for a service that insists on being told which API the key is for. */
  #resource: string | undefined

  constructor(options: DeviceFlowOptions) {
    this.#options = options
  }

  readonly onDidChange: Event<DeviceFlowStep> = this.#changed.event

  get step(): DeviceFlowStep {
    return this.#step
  }

  /** An answer that may have carried the key did not arrive, and nothing has been heard since that says otherwise. */
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
      // Nobody is asked for consent to what cannot be.
      if (!this.#options.service.isRegistrationOffered) throw new SignInError('not offered')
      const email = await this.#options.agree(signal)
      throwIfAborted(signal)
      if (email === undefined) {
        this.#move({ is: 'failed' })
        return undefined
      }
      const key = await this.#waitForKey(await this.#register(email, signal), signal)
      this.#options.log.redactor.register(key)
      this.#move({ is: 'storing' })
      await this.#options.store(key, email)
      this.#move({ is: 'done' })
      if (this.#lost === 'surely a key') this.#options.onSecond?.()
      return { email, key }
    } catch (fault) {
      this.#move({ is: 'failed' })
      throw this.mayHaveLostKey && leavesOpen(fault) ? new SignInError('lost', problemIn(fault)) : fault
    }
  }

  async #register(email: string, signal: AbortSignal): Promise<{ registration: Registration; code: Code }> {
    const { http, service, clientName, clock } = this.#options
    this.#move({ is: 'registering' })
    const answer = await registrationRequest(http, service, { login_hint: email, client_name: clientName }, signal)
      .then(sent => readRegistration(sent, service, clock))
      .catch(readFault)
    if (answer.is !== 'code' || answer.claimToken === undefined) throw signInEnd('registering', answer)
    const { claimToken, code, validMs } = answer
    this.#options.log.redactor.register(claimToken)
    return { registration: { email, claimToken, endsAt: clock.elapsed() + validMs }, code }
  }

  async #waitForKey(begun: { registration: Registration; code: Code }, signal: AbortSignal): Promise<string> {
    const { clock } = this.#options
    let { registration, code } = begun
    this.#show(code)
    for (;;) {
      const end = await this.#pollUnlessRenewed(code, registration, signal)
      if (end.is === 'granted') return end.key
      if (end.is === 'code expired') {
        if (clock.elapsed() >= registration.endsAt) throw new SignInError('run out')
        this.#drawExpired()
        await this.#newCodeWanted(registration, signal)
      } else if (end.is !== 'renewed') throw signInEnd('polling', end)
      const renewed = await this.#renew(registration, code, signal)
      if (typeof renewed === 'string') return renewed
      // The old code stays, and whoever approves it is heard.
      if (!renewed) continue
      code = renewed.code
      registration = { ...registration, claimToken: renewed.claimToken ?? registration.claimToken }
      this.#options.log.redactor.register(registration.claimToken)
      this.#show(code)
    }
  }

  /** Polls until the code's end, or until the user wants another code. */
  async #pollUnlessRenewed(
    code: Code,
    registration: Registration,
    signal: AbortSignal,
  ): Promise<PollEnd | { is: 'renewed' }> {
    const wanted = linkedAbort(signal)
    this.#wantsNewCode = wanted
    try {
      return await this.#pollFor(this.#codeLeftMs, code, registration, signal, wanted.signal)
    } catch (stopped) {
      if (signal.aborted || !isAbort(stopped)) throw stopped
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
        this.#drawReach(fault === undefined ? 'live' : 'unreachable')
      },
    }
    return pollClaim({ ...code, validMs, intervalMs: this.#intervalMs }, options, until)
  }

  /** A poll has a time limit but no stop: its answer may be the only one that carries the key. */
  #ask(registration: Registration): Promise<Answer> {
    this.#lastPollAt = this.#options.clock.elapsed()
    this.#lastPoll = this.#poll(registration)
    this.#options.onAsked?.(this.#lastPoll)
    return this.#lastPoll
  }

  async #poll({ claimToken }: Registration): Promise<Answer> {
    const { http, service, clock } = this.#options
    if (this.#step.is === 'showing') this.#draw({ is: 'polling' })
    const resource = this.#resource && { resource: this.#resource }
    const answer = await poll(http, service, { claim_token: claimToken, ...resource }, clock)
    if (this.#step.is === 'polling') this.#draw({ is: 'showing' })
    if (mayHideKey(answer) && this.#lost === 'nothing') this.#lost = 'a key'
    if (brokeOff(answer)) this.#lost = 'surely a key'
    if (answer.is === 'pending' || answer.is === 'denied' || isAboutAsking(answer)) this.#lost = 'nothing'
    if (answer.is === 'slow down') this.#intervalMs += SLOW_DOWN_MS
    if (answer.is !== 'refused') return answer
    const { problem, key } = answer
    if (key !== undefined) this.#giveBack(key)
    // The vendor's word in the grant may be a guess of ours: whoever reads the refusal has to know it.
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

  /** No poll while no code is live: it could only waste the service's patience. */
  async #newCodeWanted(registration: Registration, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options
    const wanted = linkedAbort(signal)
    this.#wantsNewCode = wanted
    try {
      await sleep(clock, Math.max(registration.endsAt - clock.elapsed(), 0), wanted.signal)
    } catch (stopped) {
      if (signal.aborted) throw stopped
      return
    } finally {
      wanted.unlink()
    }
    throw new SignInError('run out')
  }

  /**
   * Asks until there is a new code, as often as the user wants while nobody knows what became of the old one. Or the key
   * comes. Undefined where there is no new code and the old one is still polled for.
   */
  async #renew(
    registration: Registration,
    code: Code,
    signal: AbortSignal,
  ): Promise<string | { code: Code; claimToken: string | undefined } | undefined> {
    for (;;) {
      this.#drawRenewing()
      const answer = await this.#renewOnce(registration, signal)
      switch (deviceFlowTable.renewing[answer.is]) {
        case 'keep':
          if (answer.is === 'granted') return answer.key
          break
        case 'show':
          if (answer.is === 'code') return answer
          break
        case 'collect':
          this.#showClaimed(registration, code)
          return undefined
        case 'end':
          throw answer.is === 'lost' ? new SignInError('lost', answer.problem) : signInEnd('renewing', answer)
        case 'offer again':
          break
      }
      if (answer.is === 'unclear') this.#options.log.warn('There is no new code', { fault: faultText(answer.fault) })
      const isOldCodeLive = leavesOldCode(answer) && this.#codeLeftMs > 0
      this.#draw({ is: 'showing', status: isOldCodeLive ? 'not replaced' : 'expired, not replaced' })
      if (isOldCodeLive) return undefined
      await this.#newCodeWanted(registration, signal)
    }
  }

  /** A new code kills the old one, so the claim is looked at once more: the user may just have approved. */
  async #renewOnce(registration: Registration, signal: AbortSignal): Promise<Answer> {
    const { http, service, clock } = this.#options
    // Whoever asked for it hears it to its end, also after a stop: heard twice, its key would be given back twice.
    const heard = this.#lastPoll && (await raceAbort(this.#lastPoll, signal))
    if (heard?.is === 'granted') return heard
    await this.#untilNextPoll(signal)
    const onLate = (answer: Answer) => this.#onLate(answer, signal)
    const last = await askWhole({ ask: () => this.#ask(registration), onLate }, signal)
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

  #giveBack(key: string): void {
    this.#options.log.redactor.register(key)
    this.#options.giveBack(key)
  }

  #onLate(answer: Answer, signal: AbortSignal): void {
    // A renewal hears the same answer itself.
    if (!signal.aborted) return
    if (answer.is === 'granted') this.#giveBack(answer.key)
    else if (mayHideKey(answer)) this.#options.onLost?.()
  }

  /** Milliseconds for which the code that is shown still works; 0 when it has run out. */
  get #codeLeftMs(): number {
    const step = this.#step
    return 'code' in step && !isExpired(step) ? Math.max(step.endsAt - this.#options.clock.elapsed(), 0) : 0
  }

  #show(code: Code): void {
    this.#intervalMs = Math.max(this.#intervalMs, code.intervalMs)
    const endsAt = this.#options.clock.elapsed() + code.validMs
    this.#move({ is: 'showing', code, endsAt, status: 'live' })
  }

  #drawExpired(): void {
    const isUnreplaced = 'code' in this.#step && this.#step.status === 'not replaced'
    this.#draw({ is: 'showing', status: isUnreplaced ? 'expired, not replaced' : 'expired' })
  }

  /** What was asked for before says more than whether the service answers now. */
  #drawReach(status: 'live' | 'unreachable'): void {
    const step = this.#step
    if ('code' in step && (step.status === 'live' || step.status === 'unreachable')) this.#draw({ status })
  }

  #drawRenewing(): void {
    const hasEnded = 'code' in this.#step && isExpired(this.#step)
    this.#draw({ is: 'renewing', status: hasEnded ? 'expired' : 'live' })
  }

  /**
   * The user has typed the code, and may have more to do on the page, such as to choose a plan. As much time as for a code
   * is left for that, also where the code's own is over.
   */
  #showClaimed(registration: Registration, code: Code): void {
    const now = this.#options.clock.elapsed()
    const endsAt = Math.min(now + code.validMs, registration.endsAt)
    this.#draw({ is: 'showing', endsAt, status: 'used' })
  }

  /** Changes what stands beside the code, if there is one. The same again is no change. */
  #draw(change: Partial<CodeStep>): void {
    const step = this.#step
    if (!('code' in step)) return
    const isNew = Object.entries(change).some(([name, value]) => step[name as keyof CodeStep] !== value)
    if (isNew) this.#move({ ...step, ...change })
  }

  #move(step: DeviceFlowStep): void {
    this.#step = step
    this.#changed.fire(step)
  }
}

/** An end that does not say whether there is a key: that the claim was used up may be said with any word, or with none. */
function leavesOpen(fault: unknown): boolean {
  return fault instanceof SignInError ? fault.reason !== 'denied' : fault instanceof ContractError
}

/** The service's own words about it, as far as it said any. */
function problemIn(fault: unknown): Problem {
  return fault instanceof SignInError ? fault.problem : {}
}
