// Registrations and their codes: opened by an agent, decided by a person, collected once.
import { randomBytes, randomInt } from 'node:crypto'
import type { Clock } from './clock.ts'
import type { Dialect } from './dialect.ts'
import { sha256 } from './fingerprint.ts'

export const codeLifeMs = 10 * 60_000
export const registrationLifeMs = 60 * 60_000
const wrongCodesAllowed = 5
const registrationsPerHour = 10

/** One code with its link. A new code for the same registration ends the old one. */
export interface Attempt {
  readonly id: string
  /** To be shown once; empty where the attempt was read from the state file. */
  readonly code: string
  readonly codeHash: string
  readonly expiresAt: number
  wrongCodes: number
}

export interface Registration {
  readonly id: string
  readonly email: string
  readonly clientName: string | undefined
  readonly createdAt: number
  readonly expiresAt: number
  status: 'pending' | 'approved' | 'denied' | 'issued'
  /** Why it was denied; handed to the agent as `error_description`. */
  denial: string
  attempt: Attempt
  intervalMs: number
  lastPolledAt: number | undefined
}

/** What a link is worth now. */
export type LinkState = 'open' | 'used' | 'replaced' | 'blocked' | 'code expired' | 'registration expired'

export type DeadLink = Exclude<LinkState, 'open'>

export type Decision = 'done' | 'wrong email' | 'wrong code' | DeadLink

export class Registrations {
  readonly #clock: Clock
  readonly #intervalMs: number
  readonly #dialect: Dialect
  readonly byClaimTokenHash = new Map<string, Registration>()
  readonly byAttemptTokenHash = new Map<string, { registration: Registration; attempt: Attempt }>()

  constructor(clock: Clock, intervalMs: number, dialect: Dialect) {
    this.#clock = clock
    this.#dialect = dialect
    this.#intervalMs = intervalMs
  }

  get all(): readonly Registration[] {
    return [...this.byClaimTokenHash.values()]
  }

  /** Seconds until this email may register again; 0 where it may now. */
  secondsToWait(email: string): number {
    const since = this.#clock.now() - 60 * 60_000
    const recent = this.all.filter(one => one.email === email && one.createdAt > since)
    const first = recent.at(-registrationsPerHour)
    return first ? Math.ceil((first.createdAt - since) / 1000) : 0
  }

  open(email: string, clientName: string | undefined) {
    const now = this.#clock.now()
    const claimToken = token('clm_')
    const attempt = newAttempt(now, this.#dialect)
    const registration: Registration = {
      id: token('reg_'),
      email,
      clientName,
      createdAt: now,
      expiresAt: now + registrationLifeMs,
      status: 'pending',
      denial: '',
      attempt,
      intervalMs: this.#intervalMs,
      lastPolledAt: undefined,
    }
    this.byClaimTokenHash.set(sha256(claimToken), registration)
    return { registration, claimToken, attemptToken: this.#link(registration, attempt) }
  }

  /** A new code and a new link; from here on the old ones are dead. */
  renew(registration: Registration): string {
    registration.attempt = newAttempt(this.#clock.now(), this.#dialect)
    return this.#link(registration, registration.attempt)
  }

  byClaimToken(claimToken: string): Registration | undefined {
    return this.byClaimTokenHash.get(sha256(claimToken))
  }

  byAttemptToken(attemptToken: string) {
    return this.byAttemptTokenHash.get(sha256(attemptToken))
  }

  linkState(registration: Registration, attempt: Attempt = registration.attempt): LinkState {
    if (registration.attempt !== attempt) return 'replaced'
    if (registration.status !== 'pending') return 'used'
    const now = this.#clock.now()
    if (now >= registration.expiresAt) return 'registration expired'
    if (now >= attempt.expiresAt) return 'code expired'
    return attempt.wrongCodes >= wrongCodesAllowed ? 'blocked' : 'open'
  }

  approve(registration: Registration, attempt: Attempt, email: string, typedCode: string): Decision {
    const state = this.linkState(registration, attempt)
    if (state !== 'open') return state
    if (email !== registration.email) return 'wrong email'
    if (!isCodeOf(attempt, typedCode)) {
      attempt.wrongCodes += 1
      return this.linkState(registration, attempt) === 'blocked' ? 'blocked' : 'wrong code'
    }
    registration.status = 'approved'
    return 'done'
  }

  deny(registration: Registration, attempt: Attempt, email: string): Decision {
    const state = this.linkState(registration, attempt)
    if (state !== 'open') return state
    if (email !== registration.email) return 'wrong email'
    registration.status = 'denied'
    registration.denial = 'The user denied the request.'
    return 'done'
  }

  #link(registration: Registration, attempt: Attempt): string {
    const attemptToken = token('cla_')
    this.byAttemptTokenHash.set(sha256(attemptToken), { registration, attempt })
    return attemptToken
  }
}

const token = (prefix: string) => prefix + randomBytes(24).toString('base64url')

function newAttempt(now: number, { userCode }: Dialect): Attempt {
  const id = token('att_')
  const most = userCode === 'leading-zeros' ? 1_000_000 : 100_000_000
  const code = randomInt(most).toString().padStart(8, '0')
  return { id, code, codeHash: hashOf(id, code), expiresAt: now + codeLifeMs, wrongCodes: 0 }
}

export const isCodeOf = ({ id, codeHash }: Attempt, typed: string): boolean =>
  hashOf(id, typed.replace(/[\s-]/g, '')) === codeHash

/** Eight digits are soon guessed from a hash; but they are good for ten minutes, and for the owner of the email only. */
const hashOf = (id: string, code: string) => sha256(`${id} ${code}`)
