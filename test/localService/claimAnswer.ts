// What an agent receives about its registration and about each code, in the words of the dialect.
import type { Parts } from './parts.ts'
import { codeLifeMs, type Registration } from './registrations.ts'

export interface Tokens {
  readonly claimToken: string
  readonly attemptToken: string
}

type AnswerFields = Record<string, unknown>

/** Service description, Registration. */
export function registrationAnswer(registration: Registration, tokens: Tokens, parts: Parts): AnswerFields {
  const { dialect, addresses } = parts
  const end = new Date(registration.expiresAt).toISOString()
  const claim = {
    ...(dialect.claimTokenPlace === 'claim.token' ? { token: tokens.claimToken } : {}),
    ...(dialect.registrationEnd === 'claim.expires_at' ? { expires_at: end } : {}),
    ...codeAnswer(registration, tokens.attemptToken, parts),
  }
  return {
    registration_id: registration.id,
    registration_type: 'service_auth',
    claim_url: `${addresses.authUrl}/agent/identity/claim`,
    ...(dialect.claimTokenPlace === 'claim_token' ? { claim_token: tokens.claimToken } : {}),
    ...(dialect.registrationEnd === 'claim_token_expires' ? { claim_token_expires: end } : {}),
    ...(dialect.scopesPlace === 'post_claim_scopes'
      ? { post_claim_scopes: ['inference'] }
      : { scopes: { post_claim: ['inference'] } }),
    claim,
  }
}

/** Service description, Claim object. */
function codeAnswer(registration: Registration, attemptToken: string, parts: Parts): AnswerFields {
  const code = codeField(registration, parts)
  const life = lifeField(registration, parts)
  const link = linkField(registration, attemptToken, parts)
  const interval = intervalField(registration, parts)
  return parts.dialect.verificationLink === 'claim.attempt'
    ? { ...code, attempt: { ...link, ...life }, ...interval }
    : { ...code, ...life, ...link, ...interval }
}

function codeField({ attempt: { code } }: Registration, { dialect }: Parts): AnswerFields {
  switch (dialect.userCode) {
    case 'absent':
      return {}
    case 'number':
      return { user_code: Number(code) }
    case 'hyphen':
      return { user_code: `${code.slice(0, 4)}-${code.slice(4)}` }
    default:
      return { user_code: code }
  }
}

function lifeField({ attempt }: Registration, { dialect }: Parts): AnswerFields {
  switch (dialect.codeLife) {
    case 'absent':
      return {}
    case 'text':
      return { expires_in: String(codeLifeMs / 1000) }
    case 'expires_at':
      return { expires_at: new Date(attempt.expiresAt).toISOString() }
    default:
      return { expires_in: codeLifeMs / 1000 }
  }
}

function linkField(
  { email, attempt }: Registration,
  attemptToken: string,
  { dialect, addresses }: Parts,
): AnswerFields {
  const link = `${addresses.authUrl}/claim?claim_attempt_token=${attemptToken}`
  if (dialect.verificationLink === 'fragment')
    return { verification_uri: `${link}#login_hint=${encodeURIComponent(email)}` }
  return dialect.verificationLink === 'verification_uri_complete'
    ? { verification_uri: link, verification_uri_complete: `${link}&user_code=${attempt.code}` }
    : { verification_uri: link }
}

function intervalField({ intervalMs }: Registration, { dialect }: Parts): AnswerFields {
  const seconds = intervalMs / 1000
  const values = { number: seconds, zero: 0, negative: -seconds, text: String(seconds), hour: 3600 }
  return dialect.interval === 'absent' ? {} : { interval: values[dialect.interval] }
}

/** The description does not show this answer, so each family of services is a choice. */
export function newCodeAnswer(registration: Registration, tokens: Tokens, parts: Parts): AnswerFields {
  const { attempt } = registration
  const code = () => codeAnswer(registration, tokens.attemptToken, parts)
  const expiresAt = new Date(attempt.expiresAt).toISOString()
  switch (parts.dialect.newCodeAnswer) {
    case 'claim_attempt-only':
      return { claim_attempt: code() }
    case 'without-code':
      return { attempt: { ...linkField(registration, tokens.attemptToken, parts), expires_at: expiresAt } }
    case 'by-mail':
      return { status: 'pending', message: 'A code is on its way by mail.' }
    case 'assertion':
      return { status: 'claimed', identity_assertion: 'e30.e30.', assertion_expires: expiresAt }
    case 'registration':
      return registrationAnswer(registration, tokens, parts)
    default:
      return {
        registration_id: registration.id,
        claim_attempt_id: attempt.id,
        status: 'initiated',
        expires_at: expiresAt,
        claim_attempt: code(),
      }
  }
}
