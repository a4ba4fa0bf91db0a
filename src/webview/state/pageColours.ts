// `PageColours`: the code blocks of the page that have or request colours, and the styles that they use.
import type { Clock } from '../../base/clock.ts'
import { type Disposable, onEnd } from '../../base/disposable.ts'
import type { FromPage, ThemeKind, ToPage } from '../../protocol/panel.ts'
import { BlockColours, type BlockRequest } from './blockColours.ts'

export type ColourMessage = Extract<ToPage, { kind: 'colours' | 'theme' }>

/** The styles as the page draws them. */
export interface StyleRules {
  /** Makes the class of a style; font: the bits of the protocol; bracket: its level. */
  define(index: number, foreground: string, font: number, bracket?: number): void
  /** Removes all classes, so that coloured text has the default colour. */
  clear(): void
}

export interface PageColoursHost {
  readonly clock: Clock
  readonly rules: StyleRules
  send(message: FromPage): void
  /** The theme that the page is drawn in now. */
  theme(): { readonly id: string; readonly kind: ThemeKind }
}

export class PageColours {
  readonly #host: PageColoursHost
  readonly #blocks = new Map<number, BlockColours>()
  readonly #names = new Map<string, string>()
  readonly #defined = new Set<number>()
  #nextBlock = 0
  #nextRequest = 0

  constructor(host: PageColoursHost) {
    this.#host = host
  }

  open(): { readonly block: BlockColours } & Disposable {
    const { clock } = this.#host
    const id = this.#nextBlock++
    const block = new BlockColours({
      clock,
      names: this.#names,
      send: request => this.#request(id, request),
    })
    this.#blocks.set(id, block)
    const end = onEnd(() => {
      block.dispose()
      this.#blocks.delete(id)
    })
    return { block, dispose: () => end.dispose() }
  }

  /** Has the extension load what colours need, so that the first code block of an answer does not wait for it. */
  prepare(): void {
    this.#request(this.#nextBlock++, { label: 'json', from: 0, text: '{}', isOpen: false })
  }

  receive(message: ColourMessage): void {
    if (message.kind === 'theme') return this.restart()
    const { block: id, request, name, colours } = message
    const block = this.#blocks.get(id)
    if (!block?.awaits(request)) return
    if (colours.is === 'coloured') for (const style of colours.styles) this.#define(...style)
    block.receive(name, colours)
  }

  /** All blocks request their colours anew, for another theme. */
  restart(): void {
    this.#host.rules.clear()
    this.#defined.clear()
    for (const block of this.#blocks.values()) block.restart()
  }

  /** Its number. */
  #request(block: number, request: BlockRequest): number {
    const number = this.#nextRequest++
    this.#host.send({ kind: 'colour', block, request: number, theme: this.#host.theme(), ...request })
    return number
  }

  #define(index: number, foreground: string, font: number, bracket?: number): void {
    if (this.#defined.has(index)) return
    this.#defined.add(index)
    this.#host.rules.define(index, foreground, font, bracket)
  }
}
