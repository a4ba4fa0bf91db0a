// An API key as a value: whose it is can be read by all, its text by the few that send or store it.
import type { Redactor } from '../log/redact.ts'

/** How it came: agent registration, the browser, pasted, or found in the environment. */
export type CredentialOrigin = 'registration' | 'browser' | 'pasted' | 'environment'

/** What may be known of a credential by everybody who has it. */
export interface CredentialFacts {
  /** The API origin that it may be sent to. It is never sent anywhere else. */
  readonly resource: string
  /** The sign-in server that issued it. */
  readonly issuer?: string | undefined
  readonly revocationEndpoint?: string | undefined
  /** The name of the service. */
  readonly service: string
  readonly email?: string | undefined
  readonly origin: CredentialOrigin
  /** Names this sign-in among windows. Made at random: it says nothing about the key. */
  readonly id?: string | undefined
}

const SHORTEST_MASKED = 8

const texts = new WeakMap<Credential, string>()

export class Credential implements CredentialFacts {
  readonly resource: string
  readonly issuer: string | undefined
  readonly revocationEndpoint: string | undefined
  readonly service: string
  readonly email: string | undefined
  readonly origin: CredentialOrigin
  readonly id: string | undefined

  /** From now on `redactor` takes `text` out of everything that it is given. */
  constructor(text: string, facts: CredentialFacts, redactor: Redactor) {
    redactor.register(text)
    texts.set(this, text)
    this.resource = facts.resource
    this.issuer = facts.issuer
    this.revocationEndpoint = facts.revocationEndpoint
    this.service = facts.service
    this.email = facts.email
    this.origin = facts.origin
    this.id = facts.id
  }

  hasTextOf(other: Credential | undefined): boolean {
    return other !== undefined && credentialText(this) === credentialText(other)
  }

  /** The same text for the same API. */
  isSame(other: Credential | undefined): boolean {
    return this.hasTextOf(other) && this.resource === other?.resource
  }

  /** `text` with `mask` in place of the key, unless it is so short that it would take ordinary words out. */
  maskIn(text: string, mask: string): string {
    const own = credentialText(this)
    return own.length >= SHORTEST_MASKED ? text.replaceAll(own, mask) : text
  }

  toString(): string {
    return `[Credential for ${this.resource}]`
  }

  toJSON(): string {
    return this.toString()
  }

  /** For consoles and assertions of Node, which would print the email. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return this.toString()
  }
}

/** The key itself. Only files that a test of the layers names may call it. */
export function credentialText(credential: Credential): string {
  return texts.get(credential) ?? ''
}
