// What a page of the chat is made of in tests whose page is elsewhere: its options, and the page in a webview.
import type { Uri, Webview } from 'vscode'
import type { ChatPageOptions } from '../../src/editor/chat/chatPage.ts'
import { Uri as FakeUri, withFakeVscode } from './fakeVscode.ts'

const { ChatPage } = await withFakeVscode(() => import('../../src/editor/chat/chatPage.ts'))

export const pageOptions: ChatPageOptions = {
  extensionUri: FakeUri.parse('/extension') as unknown as Uri, // as: the parts that a page uses
  files: { script: 'draw("</p>")', styles: 'p { color: red }' },
}

export const pageIn = (webview: Webview) => new ChatPage(webview, pageOptions)
