// `LineStates`: remembers where the tokenizer is in each block, so that further lines can follow.
import { Lru } from '../../base/lru.ts'

interface Entry<State> {
  readonly scope: string
  readonly line: number
  readonly state: State
}

export class LineStates<State> {
  readonly #entries: Lru<string, Entry<State>>

  constructor(limit: number) {
    this.#entries = new Lru(limit)
  }

  /** The state before line `line`; undefined if it is not the line that follows the last one. */
  at(block: string, scope: string, line: number): State | undefined {
    const entry = this.#entries.get(block)
    return entry?.scope === scope && entry.line === line ? entry.state : undefined
  }

  set(block: string, entry: Entry<State>): void {
    this.#entries.set(block, entry)
  }

  clear(): void {
    this.#entries.clear()
  }
}
