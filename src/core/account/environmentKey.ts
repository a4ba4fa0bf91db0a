// The environment key: used where no key is stored, stored nowhere, and sent only to the services that the user allows.
import { Credential } from '../http/credential.ts'
import type { Redactor } from '../log/redact.ts'

export const ENVIRONMENT_NAME = 'KOURIER_API_KEY'

/**
 * For the service in use. Text that cannot be a header value is no key; white space around it is removed, because a
 * variable that is read from a file ends with a line break.
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

/** The API origins that the key may be sent to. They outlive the window and hold no part of the key. */
export interface AllowedOrigins {
  readonly read: () => readonly string[]
  readonly write: (origins: readonly string[]) => void
}

/** Asks the user whether a key that may be sent to `has` may be sent to `wants` as well; both are hosts. */
export type AskForKey = (has: string, wants: string) => Promise<boolean>

/**
 * The variable does not name the service of its key, and the address in the settings may change, so the key belongs to
 * the service for which it is found first. It is sent to another one only when the user agrees.
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

  /** Undefined also where the key belongs to another service. */
  for(service: URL | undefined): Credential | undefined {
    const credential = this.#credentialFor(service)
    if (!credential) return undefined
    if (this.#allowed.read().length === 0) this.#allowed.write([credential.resource])
    return this.#allowed.read().includes(credential.resource) ? credential : undefined
  }

  #credentialFor(service: URL | undefined): Credential | undefined {
    return environmentCredential(this.#value, service, this.#redactor)
  }

  /** Asks the user once for each change of the address to a service that may not have the key. Resolves with the answer. */
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
