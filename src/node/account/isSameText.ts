// Compares two secrets.
import { createHash, timingSafeEqual } from 'node:crypto'

/** Compares in full, in a time that tells nothing about where they differ. */
export function isSameText(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}
