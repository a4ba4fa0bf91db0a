// A document as the editor holds it, with its change events.
import type * as vscode from 'vscode'
import { fakeEditor } from './fakeVscode.ts'

interface Position {
  readonly line: number
  readonly character: number
}

/** A document as the editor holds it: lines and one line end. It counts how often its whole text is put together. */
export class FakeTextDocument {
  readonly uri: { readonly scheme: string; readonly path: string; toString(): string }
  readonly languageId = 'typescript'
  isDirty = true
  version = 1
  eol = 1
  reads = 0
  #lines: string[]

  constructor(path: string, text: string) {
    const [scheme, rest] = path.includes(':') ? (path.split(':') as [string, string]) : ['file', path]
    this.uri = { scheme, path: rest, toString: () => `${scheme}://${rest}` }
    if (text.includes('\r\n')) this.eol = 2
    this.#lines = text.split(/\r?\n/)
  }

  get lineCount(): number {
    return this.#lines.length
  }

  get lineEnd(): string {
    return this.eol === 2 ? '\r\n' : '\n'
  }

  get text(): string {
    return this.#lines.join(this.lineEnd)
  }

  getText(): string {
    this.reads++
    return this.text
  }

  lineAt(line: number) {
    const text = this.#lines[line] ?? ''
    return { text, range: { end: { line, character: text.length } } }
  }

  /** As the editor's own type, of which it has what is read. */
  get asDocument(): vscode.TextDocument {
    return this as unknown as vscode.TextDocument
  }

  offsetAt({ line, character }: Position): number {
    return this.#lines.slice(0, line).reduce((sum, text) => sum + text.length + this.lineEnd.length, character)
  }

  positionAt(offset: number): Position {
    const before = this.text.slice(0, offset).split(this.lineEnd)
    return { line: before.length - 1, character: before.at(-1)?.length ?? 0 }
  }

  /** Replaces a range and fires the event, as the editor does. */
  change(from: readonly [number, number], to: readonly [number, number], text: string, reason?: number): void {
    const [start, end] = [from, to].map(([line, character]) => ({ line, character })) as [Position, Position]
    const rangeOffset = this.offsetAt(start)
    const rangeLength = this.offsetAt(end) - rangeOffset
    const whole = this.text
    this.version++
    this.#lines = (whole.slice(0, rangeOffset) + text + whole.slice(rangeOffset + rangeLength)).split(/\r?\n/)
    this.fire([{ range: { start, end }, rangeOffset, rangeLength, text }], reason)
  }

  fire(contentChanges: readonly object[], reason?: number): void {
    // The fake has of a document and its changes what the owner reads.
    fakeEditor.documentChanged.fire({
      document: this,
      contentChanges,
      reason,
    } as unknown as vscode.TextDocumentChangeEvent)
  }
}
