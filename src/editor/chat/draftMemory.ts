// `DraftMemory`: keeps the unsent text of the chat for when its window is reloaded or crashes.
import type { Memento } from 'vscode'
import * as z from 'zod/mini'
import type { KeyText } from '../../core/log/keyText.ts'

const KEY = 'kourier.draft'

const draft = z.object({ text: z.string(), at: z.number() })
export type Draft = z.infer<typeof draft>

/**
 * The editor persists a page's state with a delay, so a reloaded window may restore an old draft. The page therefore sends
 * its draft to the extension as well, and the one written later is used.
 */
export class DraftMemory {
  readonly #state: Memento
  readonly #keys: KeyText

  /** `state` is that of the workspace. */
  constructor(state: Memento, keys: KeyText) {
    this.#state = state
    this.#keys = keys
  }

  get saved(): Draft | undefined {
    const read = draft.safeParse(this.#state.get(KEY))
    return read.success ? read.data : undefined
  }

  /** Removes API keys from the text. */
  save({ text, at }: Draft): void {
    void this.#state.update(KEY, { text: this.#keys.without(text), at })
  }
}
