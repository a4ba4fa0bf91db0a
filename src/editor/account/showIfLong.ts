// Shows a progress notification while work lasts, if it lasts longer than a given time.
import { ProgressLocation, window } from 'vscode'
import type { Clock } from '../../base/clock.ts'

export interface LongWork<T> {
  readonly text: string
  readonly done: Promise<T>
  /** Milliseconds until it is shown; not shown at all if `done` has settled by then. */
  readonly afterMs: number
  /** Shown in place of the text after `STILL_MS` more. */
  readonly still?: string
  /** Without it there is no Cancel button. */
  readonly onCancel?: () => void
}

const STILL_MS = 4_000

/** Settles as `done` does. The notification takes no keyboard focus, and closes when `done` settles. */
export async function showIfLong<T>(work: LongWork<T>, clock: Clock): Promise<T> {
  const { text, done, afterMs, still, onCancel } = work
  const settled = done.then(
    () => true,
    () => true,
  )
  const { promise: late, resolve } = Promise.withResolvers<boolean>()
  const cancelTimer = clock.later(afterMs, () => resolve(false))
  const isQuick = await Promise.race([settled, late])
  cancelTimer()
  if (!isQuick) {
    const options = { location: ProgressLocation.Notification, cancellable: onCancel !== undefined }
    await window.withProgress(options, async (progress, token) => {
      progress.report({ message: text })
      if (onCancel) token.onCancellationRequested(onCancel)
      const cancelStill = clock.later(STILL_MS, () => still && progress.report({ message: still }))
      await settled
      cancelStill()
    })
  }
  return done
}
