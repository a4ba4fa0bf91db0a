// The view of a webview as the editor hands it to the extension, for a page that is elsewhere.
import type { WebviewView } from 'vscode'
import { Emitter } from '../../src/base/event.ts'
import type { FromPage, ToPage } from '../../src/protocol/panel.ts'
import { fakeWebview } from './fakeWebview.ts'

export interface FakeWebviewView {
  readonly view: WebviewView
  /** What the page sends. */
  readonly send: (message: FromPage) => void
}

/** `post` receives what is sent to the page. The view is visible and stays so. */
export function fakeWebviewView(post: (message: ToPage) => unknown): FakeWebviewView {
  const { webview, send } = fakeWebview(post)
  const never = new Emitter<never>().event
  const view = { webview, visible: true, onDidChangeVisibility: never, onDidDispose: never, show() {} }
  return { view: view as unknown as WebviewView, send } // as: the parts that the chat uses
}
