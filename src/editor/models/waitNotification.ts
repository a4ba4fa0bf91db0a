// `notifyWaits`: a notification while requests of the editor's own chat or of other extensions wait.
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import type { Waits } from '../../core/model/waits.ts'
import { showWhile } from '../ui/showWhile.ts'

/** A shorter wait is shown in the status bar only. */
const DELAY_MS = 3_000

/** One notification for all waiting requests, with *Retry now* and *Cancel*, until none waits. */
export function notifyWaits(waits: Waits, clock: Clock): Disposable {
  let clearTimer: (() => void) | undefined
  let close: (() => void) | undefined
  let isDisposed = false
  const show = async () => {
    const { waitingText } = await import('./waitingText.ts')
    // What was true when the timer ran may have changed since.
    if (waits.count === 0 || close || isDisposed) return
    const { promise, resolve } = Promise.withResolvers<void>()
    close = resolve
    const text = () => (waits.current ? waitingText(waits.current, waits.count, clock.elapsed()) : '')
    void showWhile({ title: 'Kourier', text, onCancel: () => waits.stop(), until: promise })
  }
  const update = () => {
    if (waits.count > 0) {
      if (!close) clearTimer ??= clock.later(DELAY_MS, () => void show())
      return
    }
    clearTimer?.()
    close?.()
    clearTimer = undefined
    close = undefined
  }
  const subscription = waits.onDidChange(update)
  return {
    dispose() {
      isDisposed = true
      subscription.dispose()
      clearTimer?.()
      close?.()
    },
  }
}
