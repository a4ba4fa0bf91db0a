// The notification that holds a sign-in while it is under way.
import { ProgressLocation, window } from 'vscode'

export interface LivingNotification {
  readonly title: string
  /** What stands behind the title now; empty where nothing does. */
  readonly text: () => string
  readonly onCancel: () => void
  /** It stays until this settles; an information toast would hide after some seconds. */
  readonly until: Promise<unknown>
}

/** Draws itself again each second. A user who closes it loses nothing: status bar and chat page go on. */
export async function showWhile({ title, text, onCancel, until }: LivingNotification): Promise<void> {
  await window.withProgress(
    { location: ProgressLocation.Notification, title, cancellable: true },
    async (progress, token) => {
      token.onCancellationRequested(onCancel)
      let shown = ''
      const draw = () => {
        const now = text()
        if (now && now !== shown) progress.report({ message: now })
        shown = now
      }
      draw()
      const ticking = setInterval(draw, 250)
      await until.catch(() => {})
      clearInterval(ticking)
    },
  )
}
