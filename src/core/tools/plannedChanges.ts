// `PlannedChanges`: what the calls of one answer will have made of the files before the next of them is prepared.
import { Queue } from '../../base/singleFlight.ts'
import type { CallContext } from './tool.ts'

interface Entry {
  readonly part: string
  readonly uri: string
  /** Null where there will be no file. */
  readonly text: string | null
}

interface Answer {
  readonly id: string
  entries: Entry[]
  /** The first call is carried out, so that from now on only what is there counts. */
  isRunning: boolean
}

/** All calls are prepared before the first is carried out, also one that edits what another has just written. */
export class PlannedChanges {
  readonly #work = new Queue()
  readonly #answers = new Map<string, Answer>()
  /** Files that were changed and not saved yet, by conversation. */
  readonly #unsaved = new Map<string, Set<string>>()

  /** Prepares calls in their order, one at a time. */
  inOrder<T>(work: () => Promise<T>): Promise<T> {
    return this.#work.add(work)
  }

  /** Undefined where no earlier call of the answer changes the file. */
  textOf(context: CallContext, uri: string): { readonly text: string | null } | undefined {
    const answer = this.#answer(context)
    return answer.isRunning ? undefined : answer.entries.findLast(one => one.uri === uri)
  }

  /** The files that the earlier calls of the answer will change. */
  urisOf(context: CallContext): readonly string[] {
    const answer = this.#answer(context)
    return answer.isRunning ? [] : [...new Set(answer.entries.map(({ uri }) => uri))]
  }

  add(context: CallContext, uri: string, text: string | null): void {
    const answer = this.#answer(context)
    if (!answer.isRunning) answer.entries.push({ part: context.part, uri, text })
  }

  /** A call is being carried out. */
  begin(context: CallContext): void {
    this.#answer(context).isRunning = true
  }

  /** A later call of the answer changes the same file. */
  hasLater(context: CallContext, uri: string): boolean {
    const answer = this.#answer(context)
    const at = answer.entries.findIndex(({ part }) => part === context.part)
    return answer.entries.slice(at + 1).some(one => one.uri === uri && one.part !== context.part)
  }

  markUnsaved({ conversation }: CallContext, uri: string, isUnsaved: boolean): void {
    const uris = this.#unsaved.get(conversation) ?? new Set()
    if (isUnsaved) uris.add(uri)
    else uris.delete(uri)
    this.#unsaved.set(conversation, uris)
  }

  /** The answer is done; returns the files that are to be saved. */
  finish(conversation: string): readonly string[] {
    const uris = [...(this.#unsaved.get(conversation) ?? [])]
    this.#unsaved.delete(conversation)
    this.#answers.delete(conversation)
    return uris
  }

  #answer({ conversation, answer }: CallContext): Answer {
    const known = this.#answers.get(conversation)
    if (known?.id === answer) return known
    const made = { id: answer, entries: [], isRunning: false }
    this.#answers.set(conversation, made)
    return made
  }
}
