// `composeReplacements`: two lists of replacements that are applied one after the other, as one list.
import type { Replacement } from './replacement.ts'

/**
 * The offsets of `second` are in the text that `first` produces, which has `lengthBetween` code units. The text itself is
 * not needed, because what `second` keeps of the insertions of `first` is part of `first`.
 */
export function composeReplacements(
  first: readonly Replacement[],
  second: readonly Replacement[],
  lengthBetween: number,
): readonly Replacement[] {
  const builder = new ReplacementBuilder()
  const between = new TextBetween(first, builder)
  let at = 0
  for (const { start, end, text } of second) {
    between.keep(start - at)
    between.remove(end - start)
    builder.insert(text)
    at = end
  }
  between.keep(lengthBetween - at)
  return builder.finish()
}

/** Collects what is kept, removed and inserted from the beginning of a text to its end. */
class ReplacementBuilder {
  #replacements: Replacement[] = []
  #at = 0
  #removed = 0
  #inserted: string[] = []

  keep(length: number): void {
    if (length === 0) return
    this.#close()
    this.#at += length
  }

  remove(length: number): void {
    this.#removed += length
  }

  insert(text: string): void {
    if (text !== '') this.#inserted.push(text)
  }

  finish(): readonly Replacement[] {
    this.#close()
    return this.#replacements
  }

  #close(): void {
    if (this.#removed === 0 && this.#inserted.length === 0) return
    const end = this.#at + this.#removed
    this.#replacements.push({ start: this.#at, end, text: this.#inserted.join('') })
    this.#at = end
    this.#removed = 0
    this.#inserted = []
  }
}

/** The text between two edits, read once from its beginning; what is kept or removed of it goes to the builder. */
class TextBetween {
  readonly #replacements: readonly Replacement[]
  readonly #builder: ReplacementBuilder
  #next = 0
  #sourceAt = 0
  #inserted = ''
  #insertedAt = 0

  constructor(replacements: readonly Replacement[], builder: ReplacementBuilder) {
    this.#replacements = replacements
    this.#builder = builder
  }

  keep(length: number): void {
    this.#read(
      length,
      text => this.#builder.insert(text),
      kept => this.#builder.keep(kept),
    )
  }

  remove(length: number): void {
    this.#read(
      length,
      () => {},
      removed => this.#builder.remove(removed),
    )
  }

  #read(length: number, onInserted: (text: string) => void, onSource: (length: number) => void): void {
    for (let left = length; ; ) {
      this.#enterReplacement()
      if (left === 0) return
      const inserted = Math.min(left, this.#inserted.length - this.#insertedAt)
      const source = Math.min(left, (this.#replacements[this.#next]?.start ?? Number.MAX_VALUE) - this.#sourceAt)
      if (inserted > 0) {
        onInserted(this.#inserted.slice(this.#insertedAt, this.#insertedAt + inserted))
        this.#insertedAt += inserted
      } else {
        onSource(source)
        this.#sourceAt += source
      }
      left -= inserted > 0 ? inserted : source
    }
  }

  /** What the first edit removes is not in the text between; the builder gets it when its offset is reached. */
  #enterReplacement(): void {
    const next = this.#replacements[this.#next]
    if (this.#insertedAt < this.#inserted.length || next?.start !== this.#sourceAt) return
    this.#builder.remove(next.end - next.start)
    this.#sourceAt = next.end
    this.#inserted = next.text
    this.#insertedAt = 0
    this.#next++
  }
}
