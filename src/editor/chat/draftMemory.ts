// `DraftMemory`: keeps the unsent text of each conversation for when the window is reloaded or crashes.
import type { Memento } from 'vscode'
import * as z from 'zod/mini'
import type { KeyText } from '../../core/log/keyText.ts'
import type { KeptAttachment } from '../../protocol/draft.ts'
import { type Draft, draft } from './draft.ts'
import type { DraftFiles } from './draftFiles.ts'

const KEY = 'kourier.drafts'
/** Where version 0.1.0 kept the only one. */
const FORMER_KEY = 'kourier.draft'
/** The newest are kept: an old one has been forgotten by its author, and the editor reads all of them at its start. */
const MOST_DRAFTS = 50

const drafts = z.record(z.string(), draft)

/**
 * The editor persists a page's state with a delay, so a reloaded window may restore an old draft. The page therefore sends
 * its draft to the extension as well, and the one written later is used. So an empty draft is kept as well. What another
 * window has that is open is its own.
 */
export class DraftMemory {
  readonly #state: Memento
  readonly #keys: KeyText
  readonly #files: DraftFiles | undefined
  /** The conversations whose drafts this window has written. */
  readonly #own = new Set<string>()

  /** `state` is that of the workspace. Without `files` the drafts are kept there alone. */
  constructor(state: Memento, keys: KeyText, files?: DraftFiles) {
    this.#state = state
    this.#keys = keys
    this.#files = files
  }

  saved(conversation: string): Draft | undefined {
    if (this.#own.has(conversation) || !this.#files?.has(conversation)) return this.#all.get(conversation)
    return this.#files.left(conversation)
  }

  /**
   * Keeps the texts, without API keys, and leaves the attachments as they are, and without `edits` those too. A draft
   * that was written before the saved one is ignored.
   */
  save(conversation: string, { text, at, edits }: Pick<Draft, 'text' | 'at' | 'edits'>): void {
    const before = this.saved(conversation)
    if ((before?.at ?? 0) > at) return
    const changed = { text: this.#keys.without(text), at, ...(edits && { edits: this.#keys.withoutIn(edits) }) }
    this.#keep(conversation, { ...before, ...changed })
  }

  saveAttached(conversation: string, given: readonly KeptAttachment[]): void {
    const attached = this.#keys.withoutIn(given)
    const { attached: _, text = '', at = 0, ...rest } = this.saved(conversation) ?? {}
    this.#keep(conversation, { text, at, ...rest, ...(attached.length > 0 && { attached }) })
  }

  saveDeclined(conversation: string, declined: readonly string[]): void {
    const { text = '', at = 0, ...rest } = this.saved(conversation) ?? {}
    this.#keep(conversation, { text, at, ...rest, declined })
  }

  /** Another window that is open has its draft. */
  isElsewhere(conversation: string): boolean {
    const files = this.#files
    if (!files || this.#own.has(conversation)) return false
    return files.has(conversation) && files.left(conversation) === undefined
  }

  /**
   * The conversation that a window shows which was closed or loaded again, if `saved`, which all windows on the folder
   * write, is shown in another one.
   */
  resumable(saved: string | undefined): string | undefined {
    return saved !== undefined && this.isElsewhere(saved) ? this.#files?.lastLeft : saved
  }

  /** Something is written or attached. */
  hasContent(conversation: string): boolean {
    const { text = '', attached = [] } = this.saved(conversation) ?? {}
    return text.trim() !== '' || attached.length > 0
  }

  /** The names of all contents that a draft has attached, in any window. */
  get contents(): ReadonlySet<string> {
    const kept = [...this.#all.values(), ...(this.#files?.all ?? [])].flatMap(({ attached = [] }) => attached)
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

  #keep(conversation: string, now: Draft): void {
    this.#own.add(conversation)
    this.#write(new Map([...this.#all, [conversation, now]]))
    this.#files?.write(conversation, now)
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
