// Credentials of tests: made from records, and read again.
import type { CredentialSource } from '../../src/core/http/bearer.ts'
import { Credential, credentialText } from '../../src/core/http/credential.ts'
import { Redactor } from '../../src/core/log/redact.ts'
import type { StoredCredential } from '../../src/protocol/stored.ts'

/** What a sign-in by registration stores. */
export const storedExample: StoredCredential = {
  version: 1,
  key: 'sk-bf-0123456789',
  resource: 'https://api.example.com',
  issuer: 'https://auth.example.com',
  revocationEndpoint: 'https://auth.example.com/oauth2/revoke',
  service: 'Example',
  email: 'ada@example.com',
  origin: 'registration',
}

export function made(record: StoredCredential, redactor = new Redactor()): Credential {
  return new Credential(record.key, record, redactor)
}

/** A key of whichever service. */
export function madeOf(key: string): Credential {
  return new Credential(
    key,
    { resource: 'https://api.example.com', service: 'Example', origin: 'pasted' },
    new Redactor(),
  )
}

export function textOf(credential: Credential | undefined): string | undefined {
  return credential && credentialText(credential)
}

/** Has this key for every origin, and never another. */
export function holding(key: () => string): CredentialSource {
  return { credential: () => madeOf(key()), onUnauthorized: async () => undefined }
}
