// `DraftMemory`: keeps the unsent text of each conversation for when the window is reloaded or crashes.
import type { Memento } from 'vscode'
import * as z from 'zod/mini'
import type { Immutable } from '../../base/immutable.ts'
import type { KeyText } from '../../core/log/keyText.ts'
import { type KeptAttachment, keptAttachment } from '../../protocol/draft.ts'

const KEY = 'kourier.drafts'
/** Where version 0.1.0 kept the only one. */
const FORMER_KEY = 'kourier.draft'
/** The newest are kept: an old one has been forgotten by its author, and the editor reads all of them at its start. */
const MOST_DRAFTS = 50

const draft = z.object({
  text: z.string(),
  at: z.number(),
  attached: z.optional(z.array(keptAttachment)),
  /** Texts that are being changed in their place, of questions by their turn and of summaries by their id. */
  edits: z.optional(z.record(z.string(), z.string())),
  /** What goes along by itself and was removed by the user. */
  declined: z.optional(z.array(z.string())),
})
const drafts = z.record(z.string(), draft)
export type Draft = Immutable<z.infer<typeof draft>>

/**
 * The editor persists a page's state with a delay, so a reloaded window may restore an old draft. The page therefore sends
 * its draft to the extension as well, and the one written later is used. So an empty draft is kept as well.
 */
export class DraftMemory {
  readonly #state: Memento
  readonly #keys: KeyText

  /** `state` is that of the workspace. */
  constructor(state: Memento, keys: KeyText) {
    this.#state = state
    this.#keys = keys
  }

  saved(conversation: string): Draft | undefined {
    return this.#all.get(conversation)
  }

  /**
   * Keeps the texts, without API keys, and leaves the attachments as they are, and without `edits` those too. A draft
   * that was written before the saved one is ignored.
   */
  save(conversation: string, { text, at, edits }: Pick<Draft, 'text' | 'at' | 'edits'>): void {
    const all = this.#all
    const before = all.get(conversation)
    if ((before?.at ?? 0) > at) return
    const changed = { text: this.#keys.without(text), at, ...(edits && { edits: this.#keys.withoutIn(edits) }) }
    all.set(conversation, { ...before, ...changed })
    this.#write(all)
  }

  saveAttached(conversation: string, given: readonly KeptAttachment[]): void {
    const all = this.#all
    const attached = this.#keys.withoutIn(given)
    const { attached: _, text = '', at = 0, ...rest } = all.get(conversation) ?? {}
    all.set(conversation, { text, at, ...rest, ...(attached.length > 0 && { attached }) })
    this.#write(all)
  }

  saveDeclined(conversation: string, declined: readonly string[]): void {
    const all = this.#all
    const { text = '', at = 0, ...rest } = all.get(conversation) ?? {}
    all.set(conversation, { text, at, ...rest, declined })
    this.#write(all)
  }

  /** Something is written or attached. */
  hasContent(conversation: string): boolean {
    const { text = '', attached = [] } = this.saved(conversation) ?? {}
    return text.trim() !== '' || attached.length > 0
  }

  /** The names of all contents that a draft has attached. */
  get contents(): ReadonlySet<string> {
    const kept = [...this.#all.values()].flatMap(({ attached = [] }) => attached)
    return new Set(kept.flatMap(one => ('content' in one ? [one.content] : [])))
  }

  remove(conversation: string): void {
    const all = this.#all
    if (all.delete(conversation)) this.#write(all)
  }

  /** Gives the draft of version 0.1.0, which belonged to no conversation, to this one. */
  takeOver(conversation: string): void {
    const former = draft.safeParse(this.#state.get(FORMER_KEY))
    if (!former.success) return
    void this.#state.update(FORMER_KEY, undefined)
    if (this.saved(conversation) === undefined) this.save(conversation, former.data)
  }

  get #all(): Map<string, Draft> {
    const read = drafts.safeParse(this.#state.get(KEY))
    return new Map(read.success ? Object.entries(read.data) : [])
  }

  #write(all: ReadonlyMap<string, Draft>): void {
    const newest = [...all].sort(([, a], [, b]) => b.at - a.at).slice(0, MOST_DRAFTS)
    void this.#state.update(KEY, Object.fromEntries(newest))
  }
}
