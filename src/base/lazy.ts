// What is made at its first use.

/** Makes it once, at the first call; one that could not be made is tried again at the next. */
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
