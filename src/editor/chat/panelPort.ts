// `PanelPort`: posts messages to the page, and passes on those from it that match the protocol.
import { type Disposable, DisposableStore } from '../../base/disposable.ts'
import type { Log } from '../../core/log/log.ts'
import { type FromPage, fromPage, type ToPage } from '../../protocol/panel.ts'
import type { ChatPage } from './chatPage.ts'

/** The extension's side of the page protocol; the page's side is `webview/state/port.ts`. */
export class PanelPort implements Disposable {
  readonly #page: Pick<ChatPage, 'post' | 'receive'>
  readonly #disposables = new DisposableStore()
  /** How many messages of the page were not in the protocol. */
  #dropped = 0

  constructor(page: Pick<ChatPage, 'post' | 'receive'>, log: Log, onMessage: (message: FromPage) => void) {
    this.#page = page
    this.#disposables.add(
      page.receive(raw => {
        const message = fromPage.safeParse(raw)
        if (message.success) onMessage(message.data)
        else this.#drop(log)
      }),
    )
  }

  /** Logged ever less often, so that a page cannot fill the log. */
  #drop(log: Log): void {
    this.#dropped++
    const count = this.#dropped
    if (Number.isInteger(Math.log2(count))) log.warn('The chat page sent what is not in the protocol', { count })
  }

  /** A page that is not ready loses the message, because it receives everything when it sends `ready`. */
  send(message: ToPage): void {
    this.#page.post(message)
  }

  dispose(): void {
    this.#disposables.dispose()
  }
}
