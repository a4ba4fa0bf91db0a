// The chat's view as the editor shows it, for a page that is elsewhere.
import type { WebviewView } from 'vscode'
import type { FromPage, ToPage } from '../../src/protocol/panel.ts'
import { fakeWebviewView } from '../support/fakeWebviewView.ts'
import { recorder } from './recordedEditor.ts'

/** Shows the chat; `post` receives what is sent to the page. Returns the way from the page. */
export function showChat(post: (message: ToPage) => void): (message: FromPage) => void {
  const { view, send } = fakeWebviewView(post)
  const chat = recorder.providers.get('view kourier.chat') as { resolveWebviewView(view: WebviewView): unknown }
  const resolved = Promise.resolve(chat.resolveWebviewView(view))
  // A page sends nothing before it is loaded.
  return message => void resolved.then(() => send(message))
}
