// `lazy`: creates a value asynchronously at its first use.

/** Calls `make` once, at the first call; after a rejection the next call tries again. */
export function lazy<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make().catch(fault => {
      made = undefined
      throw fault
    })
    return made
  }
}
