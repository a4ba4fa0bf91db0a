// How far a mean over files depends on which files there are.
import { randomFrom } from '../../support/random.ts'
import { percentile } from '../numbers.ts'

export interface Estimate {
  readonly mean: number
  /** The mean lies between them for four of five samples of the files. */
  readonly p10: number
  readonly p90: number
}

const SAMPLES = 1_000

/** Draws as many values as there are, with repetition, again and again. The same values give the same estimate. */
export function bootstrap(values: readonly number[]): Estimate {
  const random = randomFrom(values.length)
  const draw = () => values[Math.floor(random() * values.length)] ?? 0
  const means = Array.from({ length: SAMPLES }, () => meanOf(values.map(draw)))
  return { mean: meanOf(values), p10: percentile(means, 0.1), p90: percentile(means, 0.9) }
}

export function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
}
