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

/** Of each so many in a row the least, because other work on the machine only adds to a time. */
export function leastOfEach(values: readonly number[], count: number): number[] {
  const groups = Array.from({ length: Math.floor(values.length / count) }, (_, at) => at * count)
  return groups.map(from => Math.min(...values.slice(from, from + count)))
}

export const median = (values: readonly number[]): number => percentile(values, 0.5)
