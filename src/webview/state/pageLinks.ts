// `PageLinks`: which texts of answers name a file or a symbol of the workspace, as the extension has found.
import { type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { Clock } from '../../base/clock.ts'
import { type FromPage, type LinkKind, MAX_FILE_LINKS, MAX_SYMBOL_LINKS, type ToPage } from '../../protocol/panel.ts'

/** Others are asked for in the same batch. */
const batchMs = 100
/** A file that did not exist is asked for again when it is shown after this time. */
const retryMs = 20_000
const maxKnown = 5_000

interface Known {
  readonly kind: LinkKind
  readonly text: string
  readonly isLink: Signal<boolean>
  askedAt: number
}

export interface PageLinksHost {
  readonly clock: Clock
  send(message: FromPage): void
}

export class PageLinks {
  readonly #host: PageLinksHost
  readonly #known = new Map<string, Known>()
  readonly #waiting = new Set<Known>()
  #open: readonly Known[] = []
  #isPlanned = false

  constructor(host: PageLinksHost) {
    this.#host = host
  }

  /** Whether the text is a link; asks the extension if that is not known. */
  isLink(kind: LinkKind, text: string): ReadonlySignal<boolean> {
    const key = `${kind} ${text}`
    const known = this.#known.get(key) ?? this.#add(key, kind, text)
    const now = this.#host.clock.elapsed()
    if (!known.isLink.value && now - known.askedAt > retryMs) {
      known.askedAt = now
      this.#waiting.add(known)
      this.#plan()
    }
    return known.isLink
  }

  receive({ files, symbols }: Extract<ToPage, { kind: 'links' }>): void {
    const found = { file: new Set(files), symbol: new Set(symbols) }
    for (const known of this.#open) known.isLink.value = found[known.kind].has(known.text)
    this.#open = []
    this.#plan()
  }

  open(kind: LinkKind, text: string): void {
    this.#host.send({ kind: 'open-link', target: kind, text })
  }

  #add(key: string, kind: LinkKind, text: string): Known {
    if (this.#known.size >= maxKnown) this.#known.clear()
    const known = { kind, text, isLink: signal(false), askedAt: Number.NEGATIVE_INFINITY }
    this.#known.set(key, known)
    return known
  }

  #plan(): void {
    if (this.#isPlanned || this.#open.length > 0 || this.#waiting.size === 0) return
    this.#isPlanned = true
    this.#host.clock.later(batchMs, () => this.#ask())
  }

  /** One request at a time. */
  #ask(): void {
    this.#isPlanned = false
    const of = (kind: LinkKind, limit: number) => [...this.#waiting].filter(one => one.kind === kind).slice(0, limit)
    const files = of('file', MAX_FILE_LINKS)
    const symbols = of('symbol', MAX_SYMBOL_LINKS)
    this.#open = [...files, ...symbols]
    for (const one of this.#open) this.#waiting.delete(one)
    const textOf = ({ text }: Known) => text
    this.#host.send({ kind: 'find-links', files: files.map(textOf), symbols: symbols.map(textOf) })
  }
}
