// The plan's limit, seen from the other side: how many inference requests are open.
import type { Account, Plan } from './accounts.ts'

/** The description names Pro and Max only; Omega's number is our own guess, and Free never gets this far. */
export const defaultLimits: Readonly<Record<Plan, number>> = { free: 0, pro: 3, max: 7, omega: 16 }

export class Slots {
  readonly limits: Record<Plan, number>
  readonly #openOf = new Map<string, number>()

  constructor(limits: Partial<Record<Plan, number>> = {}) {
    this.limits = { ...defaultLimits, ...limits }
  }

  get open(): number {
    return [...this.#openOf.values()].reduce((sum, count) => sum + count, 0)
  }

  openOf(email: string): number {
    return this.#openOf.get(email) ?? 0
  }

  /** Gives what ends the request (harmless when called twice), or undefined where the plan is full. */
  take(account: Account): (() => void) | undefined {
    const { email } = account
    if (this.openOf(email) >= this.limits[account.plan]) return undefined
    this.#openOf.set(email, this.openOf(email) + 1)
    let isOpen = true
    return () => {
      if (isOpen) this.#openOf.set(email, this.openOf(email) - 1)
      isOpen = false
    }
  }
}
