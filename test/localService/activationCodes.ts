// Omega activation codes: made by an administrator, shown once, good once, kept only as a hash.
import { randomBytes } from 'node:crypto'
import type { Clock } from './clock.ts'
import { sha256 } from './fingerprint.ts'
import { freeName } from './freeName.ts'

export interface ActivationCode {
  readonly id: string
  /** What the administrator wrote beside it: whom it is for. */
  readonly label: string
  readonly createdAt: number
  withdrawnAt: number | undefined
  usedAt: number | undefined
  usedBy: string | undefined
}

export type Redemption = 'done' | 'unknown' | 'used' | 'withdrawn' | 'too many guesses'

const guessesAllowed = 5
const guessWindowMs = 60 * 60_000

export class ActivationCodes {
  readonly #clock: Clock
  readonly byHash = new Map<string, ActivationCode>()
  /** By account: when a code was typed that is none. */
  readonly #wrongGuesses = new Map<string, number[]>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get all(): readonly ActivationCode[] {
    return [...this.byHash.values()]
  }

  /** The only moment at which the code exists in clear. */
  issue(wanted: string): string {
    const label = freeName(
      wanted,
      this.all.map(one => one.label),
    )
    const code = `OMEGA-${newLetters().match(/.{5}/g)?.join('-')}`
    const id = `act_${randomBytes(6).toString('hex')}`
    const unused = { withdrawnAt: undefined, usedAt: undefined, usedBy: undefined }
    this.byHash.set(sha256(asTyped(code)), { id, label, createdAt: this.#clock.now(), ...unused })
    return code
  }

  redeem(typed: string, email: string): Redemption {
    if (this.msToWait(email) > 0) return 'too many guesses'
    const code = this.byHash.get(sha256(asTyped(typed)))
    if (!code) return this.#guessedWrong(email)
    if (code.usedAt !== undefined) return 'used'
    if (code.withdrawnAt !== undefined) return 'withdrawn'
    code.usedAt = this.#clock.now()
    code.usedBy = email
    return 'done'
  }

  /** A code that nobody has used yet is good for nothing from now on. */
  withdraw(code: ActivationCode): void {
    if (code.usedAt === undefined) code.withdrawnAt ??= this.#clock.now()
  }

  /** How long this account types no more codes, after too many wrong ones; 0 where it may. */
  msToWait(email: string): number {
    const since = this.#clock.now() - guessWindowMs
    const first = (this.#wrongGuesses.get(email) ?? []).filter(at => at > since).at(-guessesAllowed)
    return first === undefined ? 0 : first - since
  }

  #guessedWrong(email: string): Redemption {
    const now = this.#clock.now()
    const recent = (this.#wrongGuesses.get(email) ?? []).filter(at => at > now - guessWindowMs)
    this.#wrongGuesses.set(email, [...recent, now])
    return 'unknown'
  }
}

/** Without the letters that are taken for others: 20 of these are 100 bits. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

const newLetters = () => [...randomBytes(20)].map(byte => alphabet[byte % alphabet.length]).join('')

/** As people type it: any case, any dashes and spaces, O for 0, I and L for 1. */
const asTyped = (code: string) =>
  code
    .toUpperCase()
    .replace(/^[\s-]*OMEGA/, '')
    .replace(/[\s-]/g, '')
    .replace(/O/g, '0')
    .replace(/[IL]/g, '1')
