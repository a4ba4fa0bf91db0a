// `FinishedAnswers`: the conversations whose answer has ended while the user did not see it.
import type { Clock } from '../../base/clock.ts'
import { type Disposable, DisposableStore } from '../../base/disposable.ts'
import { Emitter, type Event } from '../../base/event.ts'
import type { Session } from './session.ts'
import type { Sessions } from './sessions.ts'

export interface FinishedAnswersOptions {
  readonly sessions: Pick<Sessions, 'onDidChangeState' | 'onDidChangeFacts'>
  /** The window has the focus, and a panel that is visible shows the conversation. */
  readonly isSeen: (conversation: string) => boolean
  /** The user looks at another window. */
  readonly isAway: () => boolean
  /** Called once for what has ended, until the user is back. */
  readonly notify: (conversation: string) => void
  readonly clock: Clock
}

/** Who looks only for a moment elsewhere is not disturbed. */
const NOTIFY_AFTER_MS = 10_000

export class FinishedAnswers implements Disposable {
  readonly #options: FinishedAnswersOptions
  readonly #disposables = new DisposableStore()
  readonly #changed = new Emitter<void>()
  readonly #busy = new Set<string>()
  readonly #unseen = new Set<string>()
  #cancelTimer: (() => void) | undefined

  constructor(options: FinishedAnswersOptions) {
    this.#options = options
    this.#disposables.add(options.sessions.onDidChangeState(session => this.#follow(session)))
    this.#disposables.add(options.sessions.onDidChangeFacts(session => this.#forgetDeleted(session)))
  }

  readonly onDidChange: Event<void> = this.#changed.event

  get count(): number {
    return this.#unseen.size
  }

  /** Call it when the user may see more than before. */
  look(): void {
    const { isSeen, isAway } = this.#options
    if (!isAway()) this.#stopTimer()
    const seen = [...this.#unseen].filter(isSeen)
    for (const conversation of seen) this.#unseen.delete(conversation)
    if (seen.length > 0) this.#changed.fire()
  }

  /** Nobody comes to see the answer of a conversation that is deleted. */
  #forgetDeleted({ id, conversation }: Session): void {
    if (conversation.isDeleted && this.#unseen.delete(id)) this.#changed.fire()
  }

  #follow({ id, state: { is }, conversation }: Session): void {
    if (is === 'waiting' || is === 'answering') {
      this.#busy.add(id)
      if (this.#unseen.delete(id)) this.#changed.fire()
      return
    }
    if (!this.#busy.delete(id) || is === 'following' || conversation.isDeleted || this.#options.isSeen(id)) return
    this.#unseen.add(id)
    this.#changed.fire()
    if (this.#options.isAway()) this.#notifyLater(id)
  }

  #notifyLater(conversation: string): void {
    const { clock, isAway, notify } = this.#options
    this.#cancelTimer ??= clock.later(NOTIFY_AFTER_MS, () => {
      if (isAway() && this.#unseen.has(conversation)) notify(conversation)
    })
  }

  #stopTimer(): void {
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
  }

  dispose(): void {
    this.#stopTimer()
    this.#disposables.dispose()
    this.#changed.dispose()
  }
}
