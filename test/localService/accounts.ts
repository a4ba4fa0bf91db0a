// Who has an account, and on which plan.
export const plans = ['free', 'pro', 'max', 'omega'] as const
export type Plan = (typeof plans)[number]

export interface Account {
  readonly email: string
  plan: Plan
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
    const account: Account = { email, plan: this.#planOfNew }
    this.#byEmail.set(email, account)
    return account
  }

  get all(): readonly Account[] {
    return [...this.#byEmail.values()]
  }
}

export const isPlan = (value: unknown): value is Plan => plans.some(plan => plan === value)

/** An email in the one form in which it is compared, or undefined where the value is none. */
export function readEmail(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 254) return undefined
  const email = value.trim().toLowerCase()
  return /^[^\s@<>"]+@[^\s@<>".]+(\.[^\s@<>".]+)*$/.test(email) ? email : undefined
}
