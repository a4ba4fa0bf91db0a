// A notification for as long as something lasts, once it has lasted long enough to wonder.
import { ProgressLocation, window } from 'vscode'
import type { Clock } from '../../base/clock.ts'

export interface LongWork<T> {
  readonly title: string
  readonly done: Promise<T>
  /** Milliseconds until it is shown; what has settled by then is not. */
  readonly afterMs: number
  /** Without it there is no Cancel. */
  readonly onCancel?: () => void
}

/** Settles as `done` does. The notification takes no keyboard focus, and goes when `done` settles. */
export async function showIfLong<T>({ title, done, afterMs, onCancel }: LongWork<T>, clock: Clock): Promise<T> {
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
    await window.withProgress(options, async (_, token) => {
      if (onCancel) token.onCancellationRequested(onCancel)
      await settled
    })
  }
  return done
}
