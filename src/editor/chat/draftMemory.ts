// `DraftMemory`: keeps the unsent text of each conversation for when the window is reloaded or crashes.
import type { Memento } from 'vscode'
import * as z from 'zod/mini'
import { withoutOtherKeys } from '../../base/otherKeys.ts'
import type { KeyText } from '../../core/log/keyText.ts'
import type { KeptAttachment } from '../../protocol/draft.ts'
import { type Draft, draft, hasContent } from './draft.ts'
import type { DraftFiles } from './draftFiles.ts'

/** Where they were before they were files. */
const MEMENTO_KEY = 'kourier.drafts'
/** Where version 0.1.0 kept the only one. */
const FORMER_KEY = 'kourier.draft'

const drafts = z.record(z.string(), draft)

/** `DraftFiles`, as far as it is used here. */
export type DraftStore = Pick<DraftFiles, 'all' | 'write' | 'isInUse' | 'take'>

/**
 * The editor persists a page's state with a delay, so a reloaded window may restore an old draft. The page therefore sends
 * its draft to the extension as well, and the one written later is used. So an empty draft is kept as well.
 */
export class DraftMemory {
  readonly #state: Memento
  readonly #keys: KeyText
  readonly #files: DraftStore
  readonly #all: Map<string, Draft>
  /** What was found at the start and is not this window's yet. */
  readonly #foreign: Set<string>
  /** What the user has deleted, until that is undone. */
  readonly #deleted = new Map<string, Draft>()

  /** `state` is that of the workspace. */
  constructor(state: Memento, keys: KeyText, files: DraftStore) {
    this.#state = state
    this.#keys = keys
    this.#files = files
    this.#all = new Map(files.all)
    this.#foreign = new Set(files.all.keys())
    this.#takeOverMemento()
  }

  saved(conversation: string): Draft | undefined {
    return this.#all.get(conversation)
  }

  /**
   * Keeps the texts, without keys of any service, and leaves the attachments as they are, and without `edits` those too.
   * A draft that was written before the saved one is ignored.
   */
  save(conversation: string, { text, at, edits }: Pick<Draft, 'text' | 'at' | 'edits'>): void {
    const before = this.#all.get(conversation)
    if ((before?.at ?? 0) > at) return
    const kept = (written: string) => withoutOtherKeys(this.#keys.without(written))
    const keptEdits = edits && Object.fromEntries(Object.entries(edits).map(([turn, edit]) => [turn, kept(edit)]))
    const changed = { text: kept(text), at, ...(keptEdits && { edits: keptEdits }) }
    void this.#keep(conversation, { ...before, ...changed })
  }

  saveAttached(conversation: string, given: readonly KeptAttachment[]): void {
    const attached = this.#keys.withoutIn(given)
    const { attached: _, text = '', at = 0, ...rest } = this.#all.get(conversation) ?? {}
    void this.#keep(conversation, { text, at, ...rest, ...(attached.length > 0 && { attached }) })
  }

  /** Of a question that is being changed; undefined once it is no longer. */
  saveAttachedToEdit(conversation: string, turn: string, given: readonly KeptAttachment[] | undefined): void {
    const { attachedToEdits = {}, text = '', at = 0, ...rest } = this.#all.get(conversation) ?? {}
    const { [turn]: _, ...others } = attachedToEdits
    const now = given ? { ...others, [turn]: this.#keys.withoutIn(given) } : others
    const kept = Object.keys(now).length > 0 && { attachedToEdits: now }
    void this.#keep(conversation, { text, at, ...rest, ...kept })
  }

  saveDeclined(conversation: string, declined: readonly string[]): void {
    const { text = '', at = 0, ...rest } = this.#all.get(conversation) ?? {}
    void this.#keep(conversation, { text, at, ...rest, declined })
  }

  /** Something is written or attached. */
  hasContent(conversation: string): boolean {
    const known = this.saved(conversation)
    return known !== undefined && hasContent(known)
  }

  /** The conversations in which something is unsent that no other window may be about to send. */
  get unsent(): readonly (readonly [conversation: string, draft: Draft])[] {
    return [...this.#all].filter(([conversation, known]) => hasContent(known) && !this.#files.isInUse(conversation))
  }

  /** Makes what another window has left the user's own here. False where another window has done so before. */
  async take(conversation: string): Promise<boolean> {
    if (!this.#foreign.has(conversation)) return this.#all.has(conversation)
    const taken = await this.#files.take(conversation)
    this.#foreign.delete(conversation)
    if (!taken) this.#all.delete(conversation)
    else await this.#keep(conversation, { ...taken, at: taken.at + 1 })
    return taken !== undefined
  }

  /** Forgets what is unsent in the conversation, or brings it back. */
  async setDeleted(conversation: string, value: boolean): Promise<void> {
    const known = value ? this.saved(conversation) : this.#deleted.get(conversation)
    this.#deleted.delete(conversation)
    if (!known || (value && !(hasContent(known) && (await this.take(conversation))))) return
    const { at } = this.saved(conversation) ?? known
    if (value) this.#deleted.set(conversation, known)
    await this.#keep(conversation, value ? { text: '', at: at + 1 } : { ...known, at: at + 1 })
  }

  /** The names of all contents that a draft has attached. */
  get contents(): ReadonlySet<string> {
    const kept = [...this.#all.values(), ...this.#deleted.values()].flatMap(
      ({ attached = [], attachedToEdits = {} }) => [...attached, ...Object.values(attachedToEdits).flat()],
    )
    return new Set(kept.flatMap(one => ('content' in one ? [one.content] : [])))
  }

  /** Gives the draft of version 0.1.0, which belonged to no conversation, to this one. */
  takeOver(conversation: string): void {
    const former = draft.safeParse(this.#state.get(FORMER_KEY))
    if (!former.success) return
    void this.#state.update(FORMER_KEY, undefined)
    if (this.saved(conversation) === undefined) this.save(conversation, former.data)
  }

  #takeOverMemento(): void {
    const read = drafts.safeParse(this.#state.get(MEMENTO_KEY))
    if (!read.success) return
    const newer = Object.entries(read.data).filter(([id, { at }]) => (this.saved(id)?.at ?? -1) < at)
    const kept = Promise.all(newer.map(([conversation, found]) => this.#keep(conversation, found)))
    void kept.then(() => this.#state.update(MEMENTO_KEY, undefined))
  }

  /** Where nothing has changed, nothing is written, so that a window that only shows it does not make it its own. */
  async #keep(conversation: string, now: Draft): Promise<void> {
    const before = this.#all.get(conversation)
    if (JSON.stringify(before) === JSON.stringify(now)) return
    this.#foreign.delete(conversation)
    this.#all.set(conversation, now)
    await this.#files.write(conversation, now)
  }
}
