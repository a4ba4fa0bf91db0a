// Tells of requests of the editor's own chat and of other extensions that wait, where nothing else would.
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import type { Waits } from '../../core/model/waits.ts'
import { showWhile } from '../ui/showWhile.ts'
import { waitingText } from '../ui/waitText.ts'

/** A shorter wait is not worth a notification; the status bar shows it anyway. */
const UNNOTICED_MS = 3_000

/** One notification for all that wait, with *Retry now* and *Cancel*, as long as any of them does. */
export function notifyWaits(waits: Waits, clock: Clock): Disposable {
  let callOff: (() => void) | undefined
  let over: (() => void) | undefined
  const show = () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    over = resolve
    const text = () => (waits.current ? waitingText(waits.current, waits.count, clock.elapsed()) : '')
    void showWhile({ title: 'Kourier', text, onCancel: () => waits.stop(), until: promise })
  }
  const look = () => {
    if (waits.count > 0) {
      if (!over) callOff ??= clock.later(UNNOTICED_MS, show)
      return
    }
    callOff?.()
    over?.()
    callOff = undefined
    over = undefined
  }
  const listening = waits.onDidChange(look)
  return {
    dispose() {
      listening.dispose()
      callOff?.()
      over?.()
    },
  }
}
