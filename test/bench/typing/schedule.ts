// When each key of a file is pressed, and which wrong keys are pressed before it.
import { hashedRandom } from './hashed.ts'
import type { Source } from './source.ts'

export interface Typing {
  /** Median time between two characters of a line, in milliseconds. */
  readonly medianMs: number
  /** Spread of the logarithm of that time; 0 for a steady typist who never pauses. */
  readonly sigma: number
  /** Chance of a wrong character at each offset. */
  readonly mistakes: number
}

export interface Mistake {
  /** Typed in place of the right character. */
  readonly wrong: string
  /** So many characters are typed until it is noticed, the wrong one included. */
  readonly noticedAfter: number
}

export interface Schedule {
  /** Milliseconds from the key before to the key that is pressed at this offset of the file. */
  gapMs(offset: number): number
  /** The same for the n-th key that corrects a mistake at this offset. */
  correctionGapMs(offset: number, n: number): number
  mistakeAt(offset: number): Mistake | undefined
}

const LONGEST_GAP_MS = 4_000
const AFTER_ENTER_MS = 250
const AT_LINE_START_MS = 700
const AFTER_PAUSE_CHARACTER_MS = 350
const PAUSE_CHANCE = 0.25
const LATEST_NOTICE = 3

/**
 * Every gap depends on file, seed and offset alone: two pipelines are typed at by the same typist, whatever they show.
 */
export function scheduleOf({ path, text }: Source, seed: number, typing: Typing): Schedule {
  const gap = (...name: readonly (string | number)[]) => keyMs(hashedRandom(path, seed, ...name), typing)
  return {
    gapMs: offset => {
      const pause = typing.sigma === 0 ? 0 : pauseMs(text, offset, hashedRandom(path, seed, 'pause', offset))
      return Math.min(LONGEST_GAP_MS, gap('gap', offset) + pause)
    },
    correctionGapMs: (offset, n) => gap('correction', offset, n),
    mistakeAt: offset => mistakeAt(text, offset, hashedRandom(path, seed, 'mistake', offset), typing.mistakes),
  }
}

function keyMs(random: () => number, { medianMs, sigma }: Typing): number {
  return medianMs * Math.exp(sigma * normal(random))
}

/** Normally distributed, mean 0 and variance 1 (Box and Muller). */
export function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

function pauseMs(text: string, offset: number, random: () => number): number {
  const exponential = (meanMs: number) => -meanMs * Math.log(1 - random())
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset)
  if (line.trim() === '')
    return exponential(AFTER_ENTER_MS) + (text[offset] === '\n' ? 0 : exponential(AT_LINE_START_MS))
  const mayPause = ' (,.='.includes(text[offset - 1] ?? '\n')
  return mayPause && random() < PAUSE_CHANCE ? exponential(AFTER_PAUSE_CHARACTER_MS) : 0
}

/** Noticed before the line ends at the latest. */
function mistakeAt(text: string, offset: number, random: () => number, chance: number): Mistake | undefined {
  const line = (text.slice(offset).split('\n', 1)[0] ?? '').length
  if (line === 0 || random() >= chance) return undefined
  const letters = [...'abcdefghijklmnopqrstuvwxyz'].filter(letter => letter !== text[offset])
  const wrong = letters[Math.floor(random() * letters.length)] ?? 'q'
  return { wrong, noticedAfter: Math.min(line, 1 + Math.floor(random() * LATEST_NOTICE)) }
}
