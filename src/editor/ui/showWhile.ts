// `showWhile`: a progress notification with a text that changes, for a sign-in or a wait.
import { ProgressLocation, window } from 'vscode'

export interface ProgressNotification {
  /** The editor puts it before each text, with a colon. */
  readonly title?: string
  /** The text now; empty for none. */
  readonly text: () => string
  readonly onCancel: () => void
  /** The notification stays until this settles; an information message would hide after some seconds. */
  readonly until: Promise<unknown>
}

/** Reports the text when it has changed. The user may close it: status bar and chat page show the same. */
export async function showWhile({ title, text, onCancel, until }: ProgressNotification): Promise<void> {
  await window.withProgress(
    { location: ProgressLocation.Notification, cancellable: true, ...(title && { title }) },
    async (progress, token) => {
      token.onCancellationRequested(onCancel)
      let shown = ''
      const draw = () => {
        const now = text()
        if (now && now !== shown) progress.report({ message: now })
        shown = now
      }
      draw()
      const interval = setInterval(draw, 250)
      await until.catch(() => {})
      clearInterval(interval)
    },
  )
}
