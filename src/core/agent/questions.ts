// `Questions`: what a turn is asking the user: whether a call may be carried out, and whether the turn continues.
import { raceAbort } from '../../base/abort.ts'
import { Emitter, type Event } from '../../base/event.ts'
import type { Approval, Approvals, PendingCall } from '../tools/approvals.ts'
import type { PauseReason, Pauses } from './turnPorts.ts'

/** `id`: random, so that only who was shown the question can answer it. `part`: the call. */
export type Question =
  | { readonly id: string; readonly is: 'call'; readonly turn: string; readonly part: string }
  | { readonly id: string; readonly is: 'continue'; readonly reason: PauseReason }

/** `reason`: the user's own words. A question whether to continue is answered by `allow` or `deny`. */
export interface QuestionAnswer {
  readonly question: string
  readonly is: 'allow' | 'allow-for-conversation' | 'deny'
  readonly reason?: string | undefined
}

interface OpenQuestion {
  readonly question: Question
  readonly call?: PendingCall
  readonly settle: (answer: QuestionAnswer) => void
}

/** Those of one conversation, in the order in which they were asked. */
export class Questions implements Approvals, Pauses {
  readonly #newId: () => string
  readonly #changed = new Emitter<void>()
  readonly #open = new Map<string, OpenQuestion>()

  constructor(newId: () => string) {
    this.#newId = newId
  }

  /** `open` has changed. */
  readonly onDidChange: Event<void> = this.#changed.event

  get open(): readonly Question[] {
    return [...this.#open.values()].map(({ question }) => question)
  }

  /** The call that an open question is about. */
  callOf(part: string): PendingCall | undefined {
    return [...this.#open.values()].find(({ call }) => call?.part === part)?.call
  }

  async ask(call: PendingCall, signal: AbortSignal): Promise<Approval> {
    const { turn, part, prepared } = call
    const { is, reason } = await this.#answerOf({ id: this.#newId(), is: 'call', turn, part }, signal, call)
    if (is === 'deny') return { is: 'denied', ...(reason && { reason }) }
    const isLasting = is === 'allow-for-conversation' && prepared.remembered !== undefined
    return { is: 'allowed', scope: isLasting ? 'conversation' : 'once' }
  }

  async confirmContinue(reason: PauseReason, signal: AbortSignal): Promise<boolean> {
    const { is } = await this.#answerOf({ id: this.#newId(), is: 'continue', reason }, signal)
    return is !== 'deny'
  }

  /** Answers questions; those that are not open any more are left out. */
  answer(answers: readonly QuestionAnswer[]): void {
    for (const answer of answers) this.#open.get(answer.question)?.settle(answer)
  }

  async #answerOf(question: Question, signal: AbortSignal, call?: PendingCall): Promise<QuestionAnswer> {
    const { promise, resolve } = Promise.withResolvers<QuestionAnswer>()
    this.#open.set(question.id, { question, settle: resolve, ...(call && { call }) })
    this.#changed.fire()
    try {
      return await raceAbort(promise, signal)
    } finally {
      this.#open.delete(question.id)
      this.#changed.fire()
    }
  }

  dispose(): void {
    this.#changed.dispose()
  }
}
