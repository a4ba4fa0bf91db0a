// `encodedForms`: the forms in which a secret is found in a text.
import { base64 } from '../../base/base64.ts'

/** A secret as it is, as in JSON, in a URL and in base64; of base64 the characters that do not depend on what is beside it. */
export function encodedForms(secret: string): string[] {
  const text = secret.toWellFormed()
  const encoded = [0, 1, 2].map(before => toBase64(text, before))
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(text),
    new URLSearchParams({ '': text }).toString().slice(1),
    ...encoded,
    ...encoded.map(form => form.replaceAll('+', '-').replaceAll('/', '_')),
  ]
}

/** The characters of a longer base64 text that depend on `text` alone, which begins `before` bytes into a group of three. */
function toBase64(text: string, before: number): string {
  const encoded = base64(new TextEncoder().encode(`${' '.repeat(before)}${text}`)).replace(/=+$/, '')
  return encoded.slice(before > 0 ? before + 1 : 0, -1)
}
