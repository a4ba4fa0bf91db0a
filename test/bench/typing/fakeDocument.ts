// A document with one cursor that is typed at, with the editor's help for brackets and quotes, and exact change events.
import { Emitter, type Event } from '../../../src/base/event.ts'
import { BRACKETS, closerFor } from './closingPairs.ts'

/** One change, as the editor reports it: `inserted` took the place of `deletedLength` characters at `offset`. */
export interface DocumentChange {
  readonly offset: number
  readonly deletedLength: number
  readonly inserted: string
  /** Of the document after the change. */
  readonly version: number
}

export interface FakeDocumentOptions {
  readonly text: string
  readonly cursor: number
  readonly language: string
  /** Close brackets and quotes, and type over what was closed. */
  readonly closesPairs: boolean
}

export class FakeDocument {
  readonly language: string
  readonly #closesPairs: boolean
  readonly #changed = new Emitter<DocumentChange>()
  readonly #moved = new Emitter<void>()
  #text: string
  #cursor: number
  #version = 1
  /** Offsets of the closers that the editor put in and that nobody has typed over. */
  #closers: readonly number[] = []

  constructor({ text, cursor, language, closesPairs }: FakeDocumentOptions) {
    this.#text = text
    this.#cursor = cursor
    this.language = language
    this.#closesPairs = closesPairs
  }

  readonly onDidChange: Event<DocumentChange> = this.#changed.event
  /** The cursor was moved without a change. */
  readonly onDidMove: Event<void> = this.#moved.event

  get text(): string {
    return this.#text
  }

  get cursor(): number {
    return this.#cursor
  }

  get version(): number {
    return this.#version
  }

  /** True if the character right of the cursor was put in by the editor and nobody has typed over it. */
  get isBeforeOwnCloser(): boolean {
    return this.isOwnCloser(this.#cursor)
  }

  /** How many closers the editor put in that nobody has typed over. */
  get ownClosers(): number {
    return this.#closers.length
  }

  isOwnCloser(offset: number): boolean {
    return this.#closers.includes(offset)
  }

  type(character: string): void {
    if (this.isBeforeOwnCloser && this.#text[this.#cursor] === character) return this.#typeOver(character)
    const at = this.#cursor
    const closer = this.#closesPairs ? closerFor(character, this.#text, at, this.language) : ''
    this.#change(at, 0, character + closer, at + 1)
    if (closer !== '') this.#closers = [...this.#closers, at + 1]
  }

  /** Enter and the indentation in one step; between the brackets of a pair the closer goes on a line of its own. */
  enter(indent: string): void {
    const at = this.#cursor
    const isInPair = this.isBeforeOwnCloser && BRACKETS[this.#text[at - 1] ?? ''] === this.#text[at]
    const line = this.#text.slice(this.#text.lastIndexOf('\n', at - 1) + 1, at)
    const below = isInPair ? `\n${/^[ \t]*/.exec(line)?.[0] ?? ''}` : ''
    this.#change(at, 0, `\n${indent}${below}`, at + 1 + indent.length)
  }

  backspace(): void {
    const at = this.#cursor
    const opener = this.#text[at - 1] ?? ''
    const isPair = this.isBeforeOwnCloser && (BRACKETS[opener] ?? opener) === this.#text[at]
    this.#change(at - 1, isPair ? 2 : 1, '', at - 1)
  }

  deleteRight(length = 1): void {
    this.#change(this.#cursor, length, '', this.#cursor)
  }

  /** Without a change, by hand. */
  moveTo(offset: number): void {
    this.#cursor = offset
    this.#moved.fire()
  }

  /** The cursor ends up behind the new text. */
  replace(start: number, end: number, text: string): void {
    this.#change(start, end - start, text, start + text.length)
  }

  #typeOver(character: string): void {
    const at = this.#cursor
    this.#change(at, 1, character, at + 1)
  }

  #change(offset: number, deletedLength: number, inserted: string, cursor: number): void {
    const end = offset + deletedLength
    const grown = inserted.length - deletedLength
    // Flat, as the editor's text is: a joined string is copied where it is read first.
    this.#text = [this.#text.slice(0, offset), inserted, this.#text.slice(end)].join('')
    this.#closers = this.#closers.filter(at => at < offset || at >= end).map(at => (at >= end ? at + grown : at))
    this.#cursor = cursor
    this.#version++
    this.#changed.fire({ offset, deletedLength, inserted, version: this.#version })
  }
}
