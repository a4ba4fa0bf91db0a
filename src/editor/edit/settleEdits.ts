// `settleEdits`: has changes count as undone when the user has taken them out of a file, some time after the last key.
import { workspace } from 'vscode'
import type { Clock } from '../../base/clock.ts'
import { type Disposable, DisposableStore, onEnd } from '../../base/disposable.ts'
import type { Changes } from '../../core/tools/changes.ts'

const AFTER_MS = 500

export function settleEdits(changes: Changes, clock: Clock): Disposable {
  const timers = new Map<string, () => void>()
  const isOpen = (uri: string) =>
    changes.openConversations.some(conversation => changes.openFiles(conversation).includes(uri))
  const disposables = new DisposableStore()
  disposables.add(
    workspace.onDidChangeTextDocument(({ document }) => {
      const uri = document.uri.toString()
      timers.get(uri)?.()
      timers.delete(uri)
      if (isOpen(uri))
        timers.set(
          uri,
          clock.later(AFTER_MS, () => void changes.settle(uri)),
        )
    }),
  )
  disposables.add(
    onEnd(() => {
      for (const cancel of timers.values()) cancel()
    }),
  )
  return disposables
}
