// `LoopDetector`: detects tool calls that repeat with the same results.
import type { ToolResult } from '../../protocol/conversation.ts'

/** A call with its result; `repeatKey` is compared in place of its content; `revision` counts the writes of the turn, so that a call after a write is no repetition. */
export interface CompletedCall {
  readonly name: string
  readonly input: unknown
  readonly result: ToolResult
  readonly repeatKey?: string | undefined
  readonly revision: number
}

/** `note`: a text is added to the result for the model. `pause`: the user is asked whether to continue. */
export type Repetition =
  | { readonly is: 'none' }
  | { readonly is: 'note' | 'pause'; readonly rounds: number; readonly calls: number }

const NOTE_ROUNDS = 3
const PAUSE_ROUNDS = 5
const LONGEST_CYCLE = 4

export class LoopDetector {
  #seen: string[] = []

  /** Adds a call that was carried out and returns whether it repeats, alone or in a cycle of up to four calls. */
  add({ name, input, result, repeatKey, revision }: CompletedCall): Repetition {
    const { outcome, content } = result
    this.#seen = [...this.#seen, JSON.stringify([revision, name, input, outcome, repeatKey ?? content])].slice(
      -MOST_REMEMBERED,
    )
    let most: Repetition = { is: 'none' }
    for (let calls = LONGEST_CYCLE; calls >= 1; calls--) {
      const rounds = this.#roundsOf(calls)
      if (rounds >= PAUSE_ROUNDS) most = { is: 'pause', rounds, calls }
      else if (rounds >= NOTE_ROUNDS && most.is === 'none') most = { is: 'note', rounds, calls }
    }
    return most
  }

  /** The user has allowed the turn to continue. */
  reset(): void {
    this.#seen = []
  }

  /** How often in a row the last `calls` calls occur. */
  #roundsOf(calls: number): number {
    const seen = this.#seen
    let same = 0
    while (same + calls < seen.length && seen.at(-1 - same) === seen.at(-1 - same - calls)) same++
    return Math.floor(same / calls) + 1
  }
}

const MOST_REMEMBERED = LONGEST_CYCLE * PAUSE_ROUNDS
