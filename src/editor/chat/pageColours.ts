// `PageColours`: passes on a page's requests for colours; what answers them is loaded at the first one.
import { type Disposable, DisposableStore } from '../../base/disposable.ts'
import { lazy } from '../../base/lazy.ts'
import type { Log } from '../../core/log/log.ts'
import type { FromPage, ToPage } from '../../protocol/panel.ts'

type Request = Extract<FromPage, { kind: 'colour' }>

/** What answers the requests of all pages. */
export interface ColourSource {
  attach(send: (message: ToPage) => void): Disposable & { receive(message: Request): void }
}

export class PageColours implements Disposable {
  readonly #disposables = new DisposableStore()
  readonly #attached: () => Promise<{ receive(message: Request): void }>
  readonly #log: Log

  constructor(load: () => Promise<ColourSource>, send: (message: ToPage) => void, log: Log) {
    this.#log = log
    this.#attached = lazy(async () => this.#disposables.add((await load()).attach(send)))
  }

  receive(message: Request): void {
    this.#attached().then(
      page => page.receive(message),
      fault => this.#log.warn('Code has no colours', { reason: String(fault) }),
    )
  }

  dispose(): void {
    this.#disposables.dispose()
  }
}
