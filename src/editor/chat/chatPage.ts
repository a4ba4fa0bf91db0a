// `ChatPage`: a page of the chat in its webview; what it sends before there is a panel waits for that.
import type { Uri, Webview } from 'vscode'
import type { Disposable } from '../../base/disposable.ts'
import type { ToPage } from '../../protocol/panel.ts'
import { type PageFiles, pageFolder } from './pageFiles.ts'
import { pageHtml } from './pageHtml.ts'

/** `formers`: the ids of pages that have lost the extension, one of which it replaces. */
export interface ChatPageOptions {
  readonly extensionUri: Uri
  readonly files: PageFiles
  readonly formers?: readonly string[]
  /** The messages that its HTML holds. */
  readonly first?: readonly ToPage[]
}

/** The page loads while the code of the panel does, so this file needs little of it. */
export class ChatPage {
  readonly id = crypto.randomUUID()
  readonly #webview: Webview
  readonly #early: Disposable
  #waiting: unknown[] = []

  constructor(webview: Webview, { extensionUri, files, formers = [], first = [] }: ChatPageOptions) {
    this.#webview = webview
    webview.options = {
      enableScripts: true,
      enableCommandUris: false,
      enableForms: false,
      localResourceRoots: [pageFolder(extensionUri)],
    }
    this.#early = webview.onDidReceiveMessage(message => void this.#waiting.push(message))
    webview.html = pageHtml(webview, { extensionUri, files, page: this.id, formers, first })
  }

  /** Passes on what waits, once the caller is done, and then each message as it comes. */
  receive(listener: (message: unknown) => void): Disposable {
    this.#early.dispose()
    queueMicrotask(() => {
      for (const message of this.#waiting.splice(0)) listener(message)
    })
    return this.#webview.onDidReceiveMessage(listener)
  }

  /** A page that is not ready loses the message. */
  post(message: unknown): void {
    void this.#webview.postMessage(message)
  }
}
