// Who has an account, and on which plan.
import { email } from './schema/email.ts'

export const plans = ['free', 'pro', 'max', 'omega'] as const
export type Plan = (typeof plans)[number]

export interface Account {
  readonly email: string
  plan: Plan
  /** Requests at a time, where an administrator gave a number of its own with Omega. */
  omegaRequests: number | undefined
}

export class Accounts {
  readonly #byEmail = new Map<string, Account>()
  readonly #planOfNew: Plan

  constructor(planOfNew: Plan) {
    this.#planOfNew = planOfNew
  }

  /** Signing in is signing up here: there is no password to know, so an unknown email gets an account. */
  of(email: string): Account {
    const known = this.#byEmail.get(email)
    if (known) return known
    const account: Account = { email, plan: this.#planOfNew, omegaRequests: undefined }
    this.#byEmail.set(email, account)
    return account
  }

  find(email: string): Account | undefined {
    return this.#byEmail.get(email)
  }

  get all(): readonly Account[] {
    return [...this.#byEmail.values()]
  }
}

export const isPlan = (value: unknown): value is Plan => plans.some(plan => plan === value)

/** An email in the one form in which it is compared. */
export const plainEmail = (email: string): string => email.trim().toLowerCase()

/** The same for a value that may be none, which is then undefined. */
export function readEmail(value: unknown): string | undefined {
  const { data } = email('').safeParse(value)
  return data === undefined ? undefined : plainEmail(data)
}
