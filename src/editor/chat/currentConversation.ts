// `CurrentConversation`: remembers which conversation a workspace shows, for when its window is reloaded.
import type { Memento } from 'vscode'

const KEY = 'kourier.conversation'

export class CurrentConversation {
  readonly #state: Memento

  /** `state` is that of the workspace. */
  constructor(state: Memento) {
    this.#state = state
  }

  /** Its id; a conversation without events has no file. */
  get saved(): string | undefined {
    const id = this.#state.get(KEY)
    return typeof id === 'string' ? id : undefined
  }

  save(id: string): void {
    if (id !== this.saved) void this.#state.update(KEY, id)
  }
}
