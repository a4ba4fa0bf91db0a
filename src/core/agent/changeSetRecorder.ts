// `ChangeSetRecorder`: writes the changes of a turn, and their review, into its conversation.
import { type Disposable, DisposableStore } from '../../base/disposable.ts'
import { Queue } from '../../base/singleFlight.ts'
import type { PartOf } from '../../protocol/conversation.ts'
import { answerParts } from '../../protocol/conversationPath.ts'
import { turnOf } from '../../protocol/conversationState.ts'
import type { Changes } from '../tools/changes.ts'
import type { Session } from './session.ts'
import type { Sessions } from './sessions.ts'

/**
 * `Changes` has the truth; the conversation has a copy for its readers. A conversation that is not open, or that another
 * window writes, gets it when it is opened here, or when that window has left it.
 */
export class ChangeSetRecorder implements Disposable {
  readonly #changes: Changes
  readonly #sessions: Sessions
  readonly #work = new Queue()
  readonly #disposables = new DisposableStore()
  /** The open conversations that do not have all yet, because another window wrote them. */
  readonly #behind = new Set<string>()

  constructor(changes: Changes, sessions: Sessions) {
    this.#changes = changes
    this.#sessions = sessions
    this.#disposables.add(changes.onDidChange(conversation => this.#update(conversation)))
    this.#disposables.add(sessions.onDidOpen(({ id }) => this.#update(id)))
    this.#disposables.add(sessions.onDidChangeState(({ id }) => this.#behind.has(id) && this.#update(id)))
  }

  /** Brings the open conversations up to date; resolves when it is done. */
  async recordAll(): Promise<void> {
    await Promise.all(this.#sessions.all.map(session => this.#work.add(() => this.#record(session))))
  }

  #update(conversation: string): void {
    const session = this.#sessions.all.find(({ id }) => id === conversation)
    if (session) void this.#work.add(() => this.#record(session)).catch(() => this.#behind.add(conversation))
  }

  async #record(session: Session): Promise<void> {
    this.#behind.delete(session.id)
    for (const turn of this.#changes.turns(session.id)) {
      const value = await this.#changes.changeSet(session.id, turn)
      const known = turnOf(session.conversation, turn)
      if (!value || !known) continue
      const before = answerParts(known).find((part): part is PartOf<'change-set'> => part.id === value.id)
      if (JSON.stringify(before?.files) !== JSON.stringify(value.files)) {
        if (!(await session.record({ kind: 'change-set', turn, value }))) this.#behind.add(session.id)
      }
    }
  }

  dispose(): void {
    this.#disposables.dispose()
  }
}
