// `RecalledContext`: what was attached to a past message, while that is in the composer again.
import type { DraftContext } from '../../core/context/draftContext.ts'
import { sentAttachments } from '../../core/context/sentAttachments.ts'
import type { PromptPart } from '../../protocol/conversation.ts'
import { added } from './commandContext.ts'

/** What the user has attached stays beside it. */
export class RecalledContext {
  readonly #report: (fault: unknown) => void
  #chips: readonly string[] = []
  /** How many were shown. */
  #latest = 0
  /** The number of the one that is written on. */
  #kept = 0

  constructor(report: (fault: unknown) => void) {
    this.#report = report
  }

  /** Attaches what was sent, as it is now, in the place of what was attached for the one before. */
  async show(context: DraftContext, sent: Promise<readonly PromptPart[]>): Promise<void> {
    const number = ++this.#latest
    const attachments = sentAttachments(await sent)
    if (number !== this.#latest) return
    for (const { id } of context.chips) if (this.#chips.includes(id)) context.remove(id)
    const missing = attachments.filter(one => 'kind' in one || !context.has(one))
    const chips = added(context, () => void context.attachAgain(missing).catch(this.#report))
    this.#chips = this.#kept === number ? [] : chips
  }

  /** It is written on, so that what is attached to it stays. */
  keep(): void {
    this.#kept = this.#latest
    this.#chips = []
  }
}
