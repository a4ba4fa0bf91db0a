// What is made of measured times: milliseconds of one work, and what many of them come to.

export async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** The value that this part of all, from 0 to 1, does not exceed. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(Math.floor(sorted.length * part), sorted.length - 1)] ?? 0
}

export const median = (values: readonly number[]): number => percentile(values, 0.5)
