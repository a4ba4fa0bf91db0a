// The view of a webview as the editor hands it to the extension, for a page that is elsewhere.
import type { WebviewView } from 'vscode'
import { Emitter } from '../../src/base/event.ts'
import type { FromPage, ToPage } from '../../src/protocol/panel.ts'

export interface FakeWebviewView {
  readonly view: WebviewView
  /** What the page sends. */
  readonly send: (message: FromPage) => void
}

/** `post` receives what is sent to the page. The view is visible and stays so. */
export function fakeWebviewView(post: (message: ToPage) => unknown): FakeWebviewView {
  const fromPage = new Emitter<FromPage>()
  const never = new Emitter<never>().event
  const webview = {
    options: {},
    html: '',
    cspSource: 'page:',
    asWebviewUri: (uri: unknown) => uri,
    onDidReceiveMessage: fromPage.event,
    postMessage: async (message: ToPage) => post(message),
  }
  const view = { webview, visible: true, onDidChangeVisibility: never, onDidDispose: never, show() {} }
  return {
    view: view as unknown as WebviewView, // the parts that the chat uses
    send: message => fromPage.fire(message),
  }
}
