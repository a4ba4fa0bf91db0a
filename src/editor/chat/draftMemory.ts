// The unsent text of the chat, over windows that are reloaded or end without a word.
import type { Memento } from 'vscode'
import * as z from 'zod/mini'
import type { KeyText } from '../../core/log/keyText.ts'

const KEY = 'kourier.draft'

const draft = z.object({ text: z.string(), at: z.number() })
export type Draft = z.infer<typeof draft>

/**
 * The editor keeps a page's state itself, but writes it down at times of its own: a window that is reloaded brings back
 * an old one. So the page tells the extension too, and what was written later counts.
 */
export class DraftMemory {
  readonly #state: Memento
  readonly #keys: KeyText

  /** `state` is that of the workspace. */
  constructor(state: Memento, keys: KeyText) {
    this.#state = state
    this.#keys = keys
  }

  get kept(): Draft | undefined {
    const read = draft.safeParse(this.#state.get(KEY))
    return read.success ? read.data : undefined
  }

  /** An API key in it is not kept. */
  keep({ text, at }: Draft): void {
    void this.#state.update(KEY, { text: this.#keys.without(text), at })
  }
}
