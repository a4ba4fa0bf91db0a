// Places of a file that cannot be guessed from what comes before them, and what a model writes there instead.
import { hashed, hashedRandom } from './hashed.ts'
import type { Source } from './source.ts'

/** At symbols other than words the chance is this part of the chance at a word. */
const SYMBOL_PART = 0.25

/**
 * Offsets, in order. They depend on the file alone: a model that is asked again is wrong again at the same place.
 */
export function surprisesIn({ path, text }: Source, chance: number): number[] {
  if (chance === 0) return []
  return [...text.matchAll(/[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu)]
    .filter(({ 0: symbol, index }) => {
      const isWord = /^[\p{L}\p{N}_$]/u.test(symbol)
      return hashed(path, 'surprise', index) < (isWord ? chance : chance * SYMBOL_PART)
    })
    .map(({ index }) => index)
}

/** Plausible text that differs from the file in its first character: other names of the file. */
export function wrongTextAt({ path, text }: Source, offset: number, length: number): string {
  const names = [...new Set(text.match(/[\p{L}_$][\p{L}\p{N}_$]{2,}/gu))].sort()
  const random = hashedRandom(path, 'wrong', offset)
  const pick = (all: readonly string[]) => all[Math.floor(random() * all.length)] ?? 'value'
  const isOther = (candidate: string) => candidate[0] !== text[offset]
  const isWord = /[\p{L}\p{N}_$]/u.test(text[offset] ?? '')
  const indent = /[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1))?.[0] ?? ''
  let wrong = isWord ? pick(names.filter(isOther)) : pick(['.', ', ', ' + '].filter(isOther)) + pick(names)
  while (wrong.length < length) wrong += `(${pick(names)})\n${indent}${pick(names)}.${pick(names)}`
  return wrong.slice(0, length)
}
