// `contentHash`: SHA-256 of bytes or of a text as UTF-8, in hexadecimal.

export async function contentHash(content: string | Uint8Array): Promise<string> {
  // A copy of bytes, because the digest takes no view of a shared buffer.
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content)
  const hash = await crypto.subtle.digest('SHA-256', bytes)
  return [...new Uint8Array(hash)].map(byte => byte.toString(16).padStart(2, '0')).join('')
}
