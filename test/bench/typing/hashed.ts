// Numbers that depend on a name alone, so that an event keeps its chance when events before it change.
import { randomFrom } from '../../support/random.ts'

/** A generator of numbers from 0 to 1 that is the same for the same parts of the name. */
export function hashedRandom(...name: readonly (string | number)[]): () => number {
  const random = randomFrom(hashOf(name.join('\n')))
  // Names that differ in one character begin alike.
  random()
  return random
}

/** A number from 0 to 1. */
export function hashed(...name: readonly (string | number)[]): number {
  return hashedRandom(...name)()
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash
}
