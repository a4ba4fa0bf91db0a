// A webview as the editor hands it to the extension, for a page that is elsewhere.
import { Emitter } from '../../src/base/event.ts'
import type { FromPage, ToPage } from '../../src/protocol/panel.ts'

/** `post` receives what is sent to the page; `send` is what the page sends. */
export function fakeWebview(post: (message: ToPage) => unknown) {
  const fromPage = new Emitter<FromPage>()
  const webview = {
    options: {},
    html: '',
    cspSource: 'page:',
    asWebviewUri: (uri: unknown) => uri,
    onDidReceiveMessage: fromPage.event,
    postMessage: async (message: ToPage) => post(message),
  }
  return { webview, send: (message: FromPage) => fromPage.fire(message) }
}
