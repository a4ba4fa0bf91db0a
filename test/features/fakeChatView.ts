// The chat's view as the editor hands it to the extension, for a page that is elsewhere.
import type { WebviewView } from 'vscode'
import type { FromPage, ToPage } from '../../src/protocol/panel.ts'
import { EventEmitter, recorder } from './recordedEditor.ts'

const never = () => ({ dispose() {} })

/** Shows the chat; `post` receives what is sent to the page. Returns the way from the page. */
export function showChat(post: (message: ToPage) => void): (message: FromPage) => void {
  const fromPage = new EventEmitter<FromPage>()
  const webview = {
    options: {},
    html: '',
    cspSource: 'page:',
    asWebviewUri: (uri: unknown) => uri,
    onDidReceiveMessage: fromPage.event,
    postMessage: async (message: ToPage) => post(message),
  }
  const view = { webview, visible: true, onDidChangeVisibility: never, onDidDispose: never, show() {} }
  const chat = recorder.providers.get('view kourier.chat') as { resolveWebviewView(view: WebviewView): unknown }
  const resolved = Promise.resolve(chat.resolveWebviewView(view as unknown as WebviewView)) // the parts that the chat uses
  // A page sends nothing before it is loaded.
  return message => void resolved.then(() => fromPage.fire(message))
}
