// `BlockColours`: the colours of one code block, requested line by line while its text grows.
import { type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { Clock } from '../../base/clock.ts'
import type { BlockColours as Answer, FromPage } from '../../protocol/panel.ts'

/** Lines that never change again. */
export interface Chunk {
  /** Each line with its line end. */
  readonly text: string
  /** For each line: lengths and styles in turn. */
  readonly spans: readonly (readonly number[])[]
}

/** What can be drawn of a block; the rest of its text has no colours. */
export interface Coloured {
  readonly chunks: readonly Chunk[]
  /** The length of the chunks. */
  readonly chars: number
  /** The line after the chunks, as far as it had come when it was requested. */
  readonly open?: { readonly text: string; readonly spans: readonly number[] }
}

export type BlockRequest = Pick<Extract<FromPage, { kind: 'colour' }>, 'label' | 'from' | 'text' | 'isOpen'>

export interface BlockHost {
  readonly clock: Clock
  /** Sends a request; the result is its number. */
  send(request: BlockRequest): number
  /** The names of languages by label, as far as they are known; all blocks share it. */
  readonly names: Map<string, string>
}

interface Pending {
  readonly number: number
  readonly from: number
  /** The requested text without limits. */
  readonly text: string
  readonly isOpen: boolean
}

const maxRequestChars = 32_768
/** A longer line has no colours in the editor either. */
const maxLineChars = 20_000
const maxChars = 200_000
/** The minimum time between two requests for a line that is still growing. */
const openLineMs = 80

const none: Coloured = { chunks: [], chars: 0 }

export class BlockColours {
  readonly #host: BlockHost
  readonly #drawn: Signal<Coloured> = signal(none)
  readonly #name = signal<string | undefined>(undefined)
  #label = ''
  #text = ''
  #lineCount = 0
  #isNear = false
  #isPlain = false
  /** The colours are of another theme; the next answer replaces them. */
  #isStale = false
  #pending: Pending | undefined
  #askedAt = Number.NEGATIVE_INFINITY
  #cancelTimer: (() => void) | undefined

  constructor(host: BlockHost) {
    this.#host = host
  }

  get drawn(): ReadonlySignal<Coloured> {
    return this.#drawn
  }

  /** The editor's name of the language. */
  get name(): ReadonlySignal<string | undefined> {
    return this.#name
  }

  /** Takes the block's text as it is now. Colours are kept if the text has only grown. */
  follow(label: string, text: string): void {
    if (label !== this.#label || !text.startsWith(this.#text)) this.#forget()
    if (label !== this.#label) this.#name.value = this.#host.names.get(label)
    this.#isPlain &&= label === this.#label
    this.#label = label
    this.#text = text
  }

  /** Whether the block is in the viewport or near it. */
  setNear(isNear: boolean): void {
    this.#isNear = isNear
    this.request()
  }

  /** The colours of the theme have changed. */
  restart(): void {
    this.#isStale = true
    this.#isPlain = false
    this.#pending = undefined
    this.request()
  }

  /** Requests what has no colours yet, unless an answer is under way. */
  request(): void {
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
    if (!this.#isNear || this.#isPlain || !this.#label || this.#pending) return
    const next = this.#next()
    if (!next) return
    const { clock } = this.#host
    const isOneOpenLine = next.isOpen && !next.text.includes('\n')
    const waitMs = isOneOpenLine ? this.#askedAt + openLineMs - clock.elapsed() : 0
    if (waitMs > 0) {
      this.#cancelTimer = clock.later(waitMs, () => this.request())
      return
    }
    this.#askedAt = clock.elapsed()
    this.#pending = { ...next, number: this.#host.send({ ...next, label: this.#label, text: clipLines(next.text) }) }
  }

  /** The lines that have no colours yet, as many as one request may have. */
  #next(): Omit<Pending, 'number'> | undefined {
    const { chars, open } = this.#isStale ? none : this.#drawn.value
    const from = this.#isStale ? 0 : this.#lineCount
    const rest = this.#text.slice(chars, chars + maxRequestChars)
    if (rest === '' || rest === open?.text || chars > maxChars) return undefined
    if (chars + rest.length === this.#text.length) return { from, text: rest, isOpen: true }
    const end = rest.lastIndexOf('\n')
    if (end >= 0) return { from, text: rest.slice(0, end), isOpen: false }
    const endOfLongLine = this.#text.indexOf('\n', chars)
    return endOfLongLine < 0 ? undefined : { from, text: this.#text.slice(chars, endOfLongLine), isOpen: false }
  }

  /** Whether an answer to this request is still of use. */
  awaits(number: number): boolean {
    return this.#pending?.number === number
  }

  receive(name: string | undefined, answer: Answer): void {
    const pending = this.#pending
    if (!pending) return
    this.#pending = undefined
    if (name) this.#host.names.set(this.#label, name)
    this.#name.value = name ?? this.#name.value
    if (answer.is === 'plain') this.#makePlain()
    else if (answer.is === 'coloured') this.#add(pending, answer.lines)
    else if (pending.from === 0) return
    else this.#isStale = true
    this.request()
  }

  #add({ from, text, isOpen }: Pending, spans: readonly (readonly number[])[]): void {
    const before = from === 0 ? none : this.#drawn.value
    this.#isStale = false
    const count = text.split('\n').length - (isOpen ? 1 : 0)
    const end = lineStart(this.#text, before.chars, count)
    const chunk: Chunk = { text: this.#text.slice(before.chars, end), spans: spans.slice(0, count) }
    const open = { text: text.slice(text.lastIndexOf('\n') + 1), spans: spans[count] ?? [] }
    this.#lineCount = from + count
    this.#drawn.value = {
      chunks: count > 0 ? [...before.chunks, chunk] : before.chunks,
      chars: end,
      ...(isOpen && { open }),
    }
  }

  #makePlain(): void {
    this.#isPlain = true
    this.#isStale = false
    this.#lineCount = 0
    this.#drawn.value = none
  }

  #forget(): void {
    this.#pending = undefined
    this.#isStale = false
    this.#lineCount = 0
    if (this.#drawn.value !== none) this.#drawn.value = none
  }

  dispose(): void {
    this.#pending = undefined
    this.#isNear = false
    this.#cancelTimer?.()
  }
}

const clipLines = (text: string) =>
  text.length < maxLineChars
    ? text
    : text
        .split('\n')
        .map(line => line.slice(0, maxLineChars))
        .join('\n')

/** Where the line begins that is `count` lines after the one at `start`. */
function lineStart(text: string, start: number, count: number): number {
  let at = start
  for (let left = count; left > 0; left--) at = text.indexOf('\n', at) + 1 || text.length
  return at
}
