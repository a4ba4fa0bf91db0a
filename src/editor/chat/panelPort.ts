// Messages to and from the page, judged both ways, held while hidden.
import type { Webview } from 'vscode'
import { type Disposable, DisposableStore } from '../../base/disposable.ts'
import type { Log } from '../../core/log/log.ts'
import { type FromPage, fromPage, type ToPage } from '../../protocol/panel.ts'

/** The extension's end of the page protocol; its twin is `webview/port.ts`. */
export class PanelPort implements Disposable {
  readonly #webview: Webview
  readonly #life = new DisposableStore()

  constructor(webview: Webview, log: Log, hear: (message: FromPage) => void) {
    this.#webview = webview
    this.#life.add(
      webview.onDidReceiveMessage(raw => {
        const message = fromPage.safeParse(raw)
        if (message.success) hear(message.data)
        else log.warn('The chat page said something that is not in the protocol')
      }),
    )
  }

  /**
   * A page that is hidden or not ready loses it, and that is right: when it stands again it says `ready` and is told
   * everything anew.
   */
  send(message: ToPage): void {
    void this.#webview.postMessage(message)
  }

  dispose(): void {
    this.#life.dispose()
  }
}
