// `Redactor`: removes secrets and email addresses from text.

import { clip } from '../../base/text.ts'
import { encodedForms } from './encodedForms.ts'

/** Shapes of secrets, for those that were not registered; `…` is in place of the secret in what is written instead. */
export const secretShapes: readonly [RegExp, string][] = [
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
/** In any script (RFC 6531). The lookbehind keeps a long word from being matched anew from each of its letters. */
const email =
  /(?<![\p{L}\p{M}\p{N}._%+-])[\p{L}\p{M}\p{N}._%+-]+@[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)*\.\p{L}[\p{L}\p{M}\p{N}-]+/gu

/** Shorter values could be part of ordinary words. */
const SHORTEST_VALUE = 6

/**
 * Finds the secrets of this session by value and others by their shape. Each secret is registered where it is received,
 * before anything can log it.
 */
export class Redactor {
  #forms: string[] = []

  /** From now on `secret` is removed, also where it is encoded for a URL, as base64 or inside JSON. */
  register(secret: string): void {
    if (secret.length < SHORTEST_VALUE) return
    // The longest first, because replacing a shorter one inside it would leave the rest.
    const forms = new Set([...this.#forms, ...encodedForms(secret)])
    this.#forms = [...forms].sort((a, b) => b.length - a.length)
  }

  /** `text` without secrets and email addresses, at most `limit` characters of it. */
  redact(text: string, limit = Number.POSITIVE_INFINITY): string {
    // Before the cut, because half a secret would not be found.
    const unknown = this.#forms.reduce((rest, form) => rest.replaceAll(form, '…'), text)
    // Shapes too, except far behind the cut, to save time.
    const near = clip(unknown, limit * 4)
    const shapeless = secretShapes.reduce((rest, [pattern, instead]) => rest.replace(pattern, instead), near)
    return clip(shapeless.replace(email, '…@…'), limit)
  }
}
