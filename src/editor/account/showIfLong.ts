// A notification for as long as something lasts, once it has lasted long enough to wonder.
import { ProgressLocation, window } from 'vscode'
import type { Clock } from '../../base/clock.ts'

export interface LongWork<T> {
  readonly title: string
  readonly done: Promise<T>
  /** Milliseconds until it is shown; what has settled by then is not. */
  readonly afterMs: number
  /** Said behind the title when it has lasted longer than a person waits without a word. */
  readonly still?: string
  /** Without it there is no Cancel. */
  readonly onCancel?: () => void
}

const STILL_MS = 4_000

/** Settles as `done` does. The notification takes no keyboard focus, and goes when `done` settles. */
export async function showIfLong<T>(work: LongWork<T>, clock: Clock): Promise<T> {
  const { title, done, afterMs, still, onCancel } = work
  const settled = done.then(
    () => true,
    () => true,
  )
  const { promise: late, resolve } = Promise.withResolvers<boolean>()
  const callOff = clock.later(afterMs, () => resolve(false))
  const isQuick = await Promise.race([settled, late])
  callOff()
  if (!isQuick) {
    const options = { location: ProgressLocation.Notification, title, cancellable: onCancel !== undefined }
    await window.withProgress(options, async (progress, token) => {
      if (onCancel) token.onCancellationRequested(onCancel)
      const callOffStill = clock.later(STILL_MS, () => still && progress.report({ message: still }))
      await settled
      callOffStill()
    })
  }
  return done
}
