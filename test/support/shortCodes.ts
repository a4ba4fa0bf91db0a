// Codes that run out soon, for what happens by the clocks of the machine.
import type { Service } from '../localService/server.ts'

/** From now on, and until it is disposed, a registration has a code that lives so long; a new code has its usual life. */
export function shortCodes({ state: { registrations }, clock, dialect }: Service, lifeMs: number): Disposable {
  const { codeLife } = dialect
  const open = registrations.open.bind(registrations)
  Object.assign(dialect, { codeLife: 'expires_at' })
  registrations.open = (...given) => {
    const made = open(...given)
    Object.assign(made.registration.attempt, { expiresAt: clock.now() + lifeMs })
    return made
  }
  return {
    [Symbol.dispose]() {
      registrations.open = open
      Object.assign(dialect, { codeLife })
    },
  }
}
