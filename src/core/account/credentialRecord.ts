// Converts a credential into the record that is stored, and back.
import { parsedJson } from '../../protocol/json.ts'
import { storedCredential } from '../../protocol/stored.ts'
import { Credential, credentialText } from '../http/credential.ts'
import type { Redactor } from '../log/redact.ts'

/** The record contains the key, so it is only for the secret storage. */
export function recordOf(credential: Credential): string {
  const { resource, issuer, revocationEndpoint, service, email, origin, id } = credential
  const facts = { resource, issuer, revocationEndpoint, service, email, origin, id }
  return JSON.stringify({ version: 1, key: credentialText(credential), ...facts })
}

/** Undefined where the record has a form that this version does not know. */
export function credentialIn(record: string, redactor: Redactor): Credential | undefined {
  const read = storedCredential.safeParse(parsedJson(record))
  return read.success ? new Credential(read.data.key, read.data, redactor) : undefined
}
