// The key that the environment holds: used where nothing is stored, and copied to no place.
import { Credential } from '../http/credential.ts'
import type { Redactor } from '../log/redact.ts'

export const ENVIRONMENT_NAME = 'KOURIER_API_KEY'

/**
 * For the service in use, which whoever set the variable has named too. Text that could not stand in a header is no key;
 * a line end after it is what a file leaves behind.
 */
export function environmentCredential(
  value: string | undefined,
  service: URL | undefined,
  redactor: Redactor,
): Credential | undefined {
  const key = value?.trim() ?? ''
  if (!service || !/^[\x21-\x7e]{8,2048}$/.test(key)) return undefined
  return new Credential(key, { resource: service.origin, service: service.host, origin: 'environment' }, redactor)
}

/** The API origins that may have the key, kept beyond the window: no key, and nothing made from one. */
export interface AllowedOrigins {
  readonly read: () => readonly string[]
  readonly write: (origins: readonly string[]) => void
}

/** Asks whether a key that `has` may have may go to `wants` as well; both are hosts. */
export type AskForKey = (has: string, wants: string) => Promise<boolean>

/**
 * The variable does not say whose key it holds, and the address may change without its owner, so the key belongs to the
 * service for which it is found first. Another one gets it only when the user agrees.
 */
export class EnvironmentKey {
  readonly #value: string | undefined
  readonly #allowed: AllowedOrigins
  readonly #redactor: Redactor
  #offeredTo: string | undefined

  constructor(value: string | undefined, allowed: AllowedOrigins, redactor: Redactor) {
    this.#value = value
    this.#allowed = allowed
    this.#redactor = redactor
  }

  /** Undefined also where another service has it. */
  for(service: URL | undefined): Credential | undefined {
    const credential = this.#credentialFor(service)
    if (!credential) return undefined
    if (this.#allowed.read().length === 0) this.#allowed.write([credential.resource])
    return this.#allowed.read().includes(credential.resource) ? credential : undefined
  }

  #credentialFor(service: URL | undefined): Credential | undefined {
    return environmentCredential(this.#value, service, this.#redactor)
  }

  /** Asks where `service` may not have the key, once each time that the address leads there. Resolves with a yes. */
  async offer(service: URL | undefined, ask: AskForKey): Promise<boolean> {
    const isSame = service?.origin === this.#offeredTo
    this.#offeredTo = service?.origin
    const [first] = this.#allowed.read()
    if (isSame || !service || !first || this.for(service) || !this.#credentialFor(service)) return false
    if (!(await ask(new URL(first).host, service.host))) return false
    this.#allowed.write([...new Set([...this.#allowed.read(), service.origin])])
    return true
  }
}
