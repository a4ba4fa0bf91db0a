// Ports: the questions that a sign-in asks the user, and the settings that it reads and writes.
import type { Service } from './discovery.ts'
import type { EmailSource } from './email.ts'

export type Consent = 'continue' | 'use another email' | 'stop'

/** A question that the user closes resolves with undefined or false. After an abort its answer is ignored. */
export interface SignInUi {
  /** Another window holds a key for `place`, an API origin, which this window cannot read before it is reloaded. */
  wantsSignInHere(place: string): Promise<boolean>
  /** The address of the service. `last`: the one that was typed last, or that of the settings. */
  askAddress(last: string, signal: AbortSignal): Promise<URL | undefined>
  /** Whether the sign-in server on `server`, named by the service on `api`, may be contacted; both are hosts. */
  mayContact(api: string, server: string): Promise<boolean>
  findEmails(search: EmailSearch): Promise<readonly EmailSource[]>
  askEmail(found: readonly EmailSource[], service: Service, signal: AbortSignal): Promise<string | undefined>
  askConsent(service: Service, email: string): Promise<Consent>
  askKey(service: Service, signal: AbortSignal): Promise<string | undefined>
  /** Opens the system's browser. */
  openPage(url: string): Promise<void>
  copy(text: string): Promise<void>
  /** Reveals the sign-in that is under way. */
  show(): void
}

export interface EmailSearch {
  /** The address of the last sign-in here. */
  readonly lastUsed: () => Promise<string | undefined>
  /** Asks GitHub for the email behind the token of a session. */
  readonly githubEmail: (token: string) => Promise<string | undefined>
}

/** The settings that name the service. */
export interface SignInSettings {
  /** Undefined until an address is known. */
  readonly service: URL | undefined
  /** As it is written there. */
  readonly baseUrl: string
  get(name: 'clientId'): string
  set(name: 'baseUrl', address: string): Promise<void>
}
