// Encodes bytes as base64 and as base64url.

const CHUNK_BYTES = 32 * 1024

/** RFC 4648 section 4, padded. */
export function base64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
    text += String.fromCharCode(...bytes.subarray(at, at + CHUNK_BYTES))
  return btoa(text)
}

/** RFC 4648 section 5, without padding. */
export function base64Url(bytes: Uint8Array): string {
  return base64(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}
