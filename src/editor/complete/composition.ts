// `Composition`: whether the latest change is a step in which an input method composes text from several keys, as for Chinese.
import type { TextDocument, TextDocumentChangeEvent } from 'vscode'

/** What one more key adds, with a separator before it; an item of the suggestion list adds more. */
const MOST_GROWTH = 2

interface Insertion {
  readonly document: TextDocument
  readonly version: number
  readonly offset: number
  readonly length: number
  readonly isStep: boolean
}

/** The editor does not report that; but each step replaces exactly what the one before has inserted. */
export class Composition {
  #latest: Insertion | undefined

  record({ document, contentChanges: [change, another] }: TextDocumentChangeEvent): void {
    if (!change) return
    const { version } = document
    const { rangeOffset: offset, rangeLength, text } = change
    const before = this.#latest
    const isNext = before?.document === document && before.version === version - 1
    const isAgain = isNext && before.offset === offset && before.length === rangeLength && rangeLength > 0
    const isStep = isAgain && text !== '' && text.length <= rangeLength + MOST_GROWTH
    this.#latest = another ? undefined : { document, version, offset, length: text.length, isStep }
  }

  isIn(document: TextDocument): boolean {
    const latest = this.#latest
    return latest?.document === document && latest.version === document.version && latest.isStep
  }
}
