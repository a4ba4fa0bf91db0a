// `Credential`: an API key as a value, whose text only the files that send or store it can read.
import type { Redactor } from '../log/redact.ts'

/** Where it came from: agent registration, the browser, the user who pasted it, or the environment. */
export type CredentialOrigin = 'registration' | 'browser' | 'pasted' | 'environment'

/** The facts about a credential that are not secret. */
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
  /** Names this sign-in among windows. Random, so that nothing about the key can be read from it. */
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

  /** Registers `text` with the redactor. */
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

  /** `text` with `mask` in place of the key, unless the key is so short that it could be part of ordinary words. */
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

  /** For Node's console and assertions, which would print the email. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return this.toString()
  }
}

/** The key itself. Only the files that `test/layers.test.ts` names may call it. */
export function credentialText(credential: Credential): string {
  return texts.get(credential) ?? ''
}
