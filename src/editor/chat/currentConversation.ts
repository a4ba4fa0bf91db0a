// Which conversation is in front in a workspace, over windows that are reloaded.
import type { Memento } from 'vscode'

const KEY = 'kourier.conversation'

export class CurrentConversation {
  readonly #state: Memento

  /** `state` is that of the workspace. */
  constructor(state: Memento) {
    this.#state = state
  }

  /** Its id; it may have no events yet, and then nothing of it is on disk. */
  get kept(): string | undefined {
    const id = this.#state.get(KEY)
    return typeof id === 'string' ? id : undefined
  }

  keep(id: string): void {
    if (id !== this.kept) void this.#state.update(KEY, id)
  }
}
