// `NewProblems`: which problems an edit of the user has caused.
import type { Clock } from '../../base/clock.ts'
import type { Problem } from './languageServer.ts'

/** A language may look at an edit so late. */
const AFTER_EDIT_MS = 10_000
/** A problem of the edit is at most so far from it. */
const NEAR_LINES = 1

export class NewProblems {
  readonly #clock: Clock
  #documentId = ''
  #known: readonly Problem[] = []
  #new: readonly Problem[] = []
  #edit: { readonly line: number; readonly at: number } | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The nearest to the last edit comes first. */
  get current(): readonly Problem[] {
    return this.#new
  }

  /** Another document is in front, with these problems. */
  reset(documentId: string, problems: readonly Problem[]): void {
    this.#documentId = documentId
    this.#known = problems
    this.#new = []
    this.#edit = undefined
  }

  edited(documentId: string, line: number): void {
    if (documentId === this.#documentId) this.#edit = { line, at: this.#clock.elapsed() }
  }

  /** All problems of the document. */
  update(documentId: string, problems: readonly Problem[]): void {
    if (documentId !== this.#documentId) return
    const edit = this.#edit
    const isKnown = (problem: Problem) => this.#known.some(known => known.message === problem.message)
    const wasNew = (problem: Problem) => this.#new.some(one => one.message === problem.message)
    const isOfEdit = (problem: Problem) =>
      edit !== undefined &&
      this.#clock.elapsed() - edit.at < AFTER_EDIT_MS &&
      Math.abs(problem.range.startLine - edit.line) <= NEAR_LINES
    this.#new = problems.filter(problem => wasNew(problem) || (!isKnown(problem) && isOfEdit(problem)))
    this.#known = problems
  }
}
