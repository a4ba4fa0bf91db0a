// Takes secrets out of text, headers and addresses.

/** Shapes of secrets, for those that nobody registered. */
const patterns: readonly [RegExp, string][] = [
  [/\bsk-[A-Za-z0-9_-]{8,}/g, 'sk-…'],
  [/\b(clm|cla)_[A-Za-z0-9._~-]{4,}/g, '$1_…'],
  [
    /\b(authorization|proxy-authorization|x-api-key)(["']?\s*[:=]\s*["']?)(?:(?:bearer|basic)\s+)?[^\s"',;]+/gi,
    '$1$2…',
  ],
  [/\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi, '$1 …'],
  [/([?&](?:code|state|claim_attempt_token|user_code|code_verifier)=)[^&#\s"']+/gi, '$1…'],
  [/\b(ghp|gho|ghu|ghs|ghr|github_pat|glpat|xox[abprs]|AKIA)[A-Za-z0-9_-]{8,}/g, '$1…'],
  [/:\/\/[^/\s:@]+:[^/\s@]+@/g, '://…@'],
]
const email = /[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}/g

/** Shorter values would take ordinary words out of the text. */
const SHORTEST_VALUE = 6

/**
 * Knows the secrets of this session by value and others by their shape. Secrets are registered at birth, before
 * anything could write them down.
 */
export class Redactor {
  #values = new Set<string>()

  /** From now on `secret` is taken out, also where it stands encoded for a URL, as base64 or inside JSON. */
  register(secret: string): void {
    if (secret.length < SHORTEST_VALUE) return
    for (const form of [secret, encodeURIComponent(secret), toBase64(secret), JSON.stringify(secret).slice(1, -1)]) {
      this.#values.add(form)
    }
  }

  /** `text` without secrets and email addresses. */
  redact(text: string): string {
    let clean = text
    for (const value of this.#values) clean = clean.replaceAll(value, '…')
    for (const [pattern, instead] of patterns) clean = clean.replace(pattern, instead)
    return clean.replace(email, '…@…')
  }
}

/** Without the padding, so that it is also found inside a longer encoding that starts with it. */
function toBase64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64').replace(/=+$/, '').slice(0, -1)
}
