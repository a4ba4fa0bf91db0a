// `coalesced`: several calls in one task of the event loop, such as those of several events, become one.

/** Runs `work` once after the current task, however often the function is called before. */
export function coalesced(work: () => void): () => void {
  let isScheduled = false
  const run = () => {
    isScheduled = false
    work()
  }
  return () => {
    if (isScheduled) return
    isScheduled = true
    void Promise.resolve().then(run)
  }
}
