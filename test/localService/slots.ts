// The plan's limit, seen from the other side: how many inference requests are open.
import type { Account, Plan } from './accounts.ts'

/** The description names Pro and Max only; Omega's number is our own guess, and Free never gets this far. */
export const defaultLimits: Readonly<Record<Plan, number>> = { free: 0, pro: 3, max: 7, omega: 16 }

/** The two forms of RFC 9110 10.2.3. */
export type RetryAfterForm = 'seconds' | 'date'

export const isRetryAfterForm = (value: unknown): value is RetryAfterForm => value === 'seconds' || value === 'date'

const retryAfterSeconds = 2

export class Slots {
  readonly limits: Record<Plan, number>
  retryAfterForm: RetryAfterForm
  readonly #openOf = new Map<string, number>()

  constructor(limits: Partial<Record<Plan, number>> = {}, retryAfterForm: RetryAfterForm = 'seconds') {
    this.limits = { ...defaultLimits, ...limits }
    this.retryAfterForm = retryAfterForm
  }

  /** The `Retry-After` for a caller for whom there is no place; `now` is the service's time. */
  retryAfter(now: number): string {
    if (this.retryAfterForm === 'seconds') return String(retryAfterSeconds)
    // A date has whole seconds only, so it is rounded up: never too early.
    return new Date(Math.ceil(now / 1000 + retryAfterSeconds) * 1000).toUTCString()
  }

  get open(): number {
    return [...this.#openOf.values()].reduce((sum, count) => sum + count, 0)
  }

  openOf(email: string): number {
    return this.#openOf.get(email) ?? 0
  }

  limitOf({ plan, omegaRequests }: Account): number {
    return plan === 'omega' ? (omegaRequests ?? this.limits.omega) : this.limits[plan]
  }

  /** Gives what ends the request (harmless when called twice), or undefined where the plan is full. */
  take(account: Account): (() => void) | undefined {
    const { email } = account
    if (this.openOf(email) >= this.limitOf(account)) return undefined
    this.#openOf.set(email, this.openOf(email) + 1)
    let isOpen = true
    return () => {
      if (isOpen) this.#openOf.set(email, this.openOf(email) - 1)
      isOpen = false
    }
  }
}
