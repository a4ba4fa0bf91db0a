// Compares two secrets in constant time.
import { createHash, timingSafeEqual } from 'node:crypto'

/** Compares digests, because `timingSafeEqual` requires equal lengths. */
export function isSameText(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}
