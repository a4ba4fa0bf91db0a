// Time that passes no faster than a slow disk works.
import { type FakeClock, settled } from './fakeClock.ts'

/** So long a disk may take for one step of the clock; a time limit of half a minute is some seconds then. */
const STEP_TAKES_MS = 5
const STEP_MS = 50

/** Moves the clock on until `work` is over, which waits for files and for the clock in turn. */
export async function whileTimePasses<T>(work: Promise<T>, clock: FakeClock, stepMs = STEP_MS): Promise<T> {
  let isOver = false
  const end = () => {
    isOver = true
  }
  work.then(end, end)
  while (!isOver) {
    await new Promise(resolve => setTimeout(resolve, STEP_TAKES_MS))
    await clock.advance(stepMs)
  }
  return work
}

/** Moves the clock on until `work` is over, but only while so many wait for it: a file may take as long as it takes. */
export async function whileWaitedFor<T>(work: Promise<T>, clock: FakeClock, waiters: number): Promise<T> {
  let isOver = false
  const end = () => {
    isOver = true
  }
  work.then(end, end)
  while (!isOver) {
    await settled()
    if (clock.waiting >= waiters) await clock.advance(clock.nextInMs ?? 0)
  }
  return work
}
