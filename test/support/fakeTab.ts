// The tab of a webview as the editor hands it to the extension, for a page that is elsewhere.
import type { WebviewPanel } from 'vscode'
import { Emitter } from '../../src/base/event.ts'
import type { FromPage, ToPage } from '../../src/protocol/panel.ts'
import { fakeWebview } from './fakeWebview.ts'

export interface FakeTab {
  readonly tab: WebviewPanel
  /** What the page sends. */
  readonly send: (message: FromPage) => void
  /** What was sent to the page. */
  readonly sent: ToPage[]
  readonly isOpen: boolean
  readonly revealed: number
  /** The user turns to it, or away from it. */
  activate(isActive: boolean): void
}

/** It is active until it is closed or the user turns away, and shown until it is closed. */
export function fakeTab(viewColumn = 1): FakeTab {
  const sent: ToPage[] = []
  const { webview, send } = fakeWebview(message => sent.push(message))
  const changed = new Emitter<void>()
  const disposed = new Emitter<void>()
  const now = { active: true, isOpen: true, revealed: 0 }
  const tab = {
    webview,
    viewColumn,
    get visible() {
      return now.isOpen
    },
    get active() {
      return now.active
    },
    onDidChangeViewState: changed.event,
    onDidDispose: disposed.event,
    reveal: () => now.revealed++,
    dispose: () => {
      Object.assign(now, { active: false, isOpen: false })
      disposed.fire()
    },
  }
  return {
    tab: tab as unknown as WebviewPanel, // as: the parts that the chat uses
    send,
    sent,
    get isOpen() {
      return now.isOpen
    },
    get revealed() {
      return now.revealed
    },
    activate: isActive => {
      now.active = isActive
      changed.fire()
    },
  }
}
