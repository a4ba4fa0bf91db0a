// `DraftContexts`: what is attached to the unsent message of each conversation and to questions that are being changed, kept with the draft; and what goes along with a message by itself.
import { isAbort } from '../../base/abort.ts'
import { type Disposable, DisposableStore } from '../../base/disposable.ts'
import { Emitter, type Event } from '../../base/event.ts'
import { AutomaticContext, type AutomaticContextOptions, type Question } from '../../core/context/automaticContext.ts'
import { DraftContext, type DraftContextOptions, type Taken } from '../../core/context/draftContext.ts'
import { sentAttachments } from '../../core/context/sentAttachments.ts'
import { sentParts } from '../../core/conversation/sentTurns.ts'
import { type ConversationState, type Turn, turnOf } from '../../protocol/conversationState.ts'
import type { DraftMemory } from './draftMemory.ts'

export interface DraftContextsOptions {
  readonly drafts: DraftMemory
  readonly context: DraftContextOptions
  readonly automatic: AutomaticContextOptions
  /** The conversations with which nothing about the workspace goes along. */
  readonly withoutSurroundings: Set<string>
  readonly report: (fault: unknown) => void
}

/** Panels that show the same conversation share what is attached. */
export class DraftContexts implements Disposable {
  readonly #options: DraftContextsOptions
  readonly #changed = new Emitter<string>()
  readonly #disposables = new DisposableStore()
  readonly #contexts = new Map<string, DraftContext>()
  /** Of questions that are being changed, by their turn. */
  readonly #edits = new Map<string, DraftContext>()
  readonly #automatic = new Map<string, AutomaticContext>()

  constructor(options: DraftContextsOptions) {
    this.#options = options
  }

  /** The conversation whose attachments have changed. */
  readonly onDidChange: Event<string> = this.#changed.event

  of(conversation: string): DraftContext {
    const known = this.#contexts.get(conversation)
    if (known) return known
    const { context, drafts, report } = this.#options
    const made = this.#disposables.add(new DraftContext(context))
    this.#contexts.set(conversation, made)
    const attached = drafts.saved(conversation)?.attached ?? []
    this.#disposables.add(
      made.onDidChange(() => {
        drafts.saveAttached(conversation, made.kept)
        this.#changed.fire(conversation)
      }),
    )
    made.restore(attached).catch(report)
    return made
  }

  /** What is attached to a question that is being changed: at first what was sent with it, read again. */
  ofEdit(conversation: string, { id: turn, prompt }: Turn): DraftContext {
    const known = this.#edits.get(turn)
    if (known) return known
    const { context, drafts, report } = this.#options
    const made = this.#disposables.add(new DraftContext(context))
    this.#edits.set(turn, made)
    const kept = drafts.saved(conversation)?.attachedToEdits?.[turn]
    this.#disposables.add(
      made.onDidChange(() => {
        if (this.#edits.get(turn) !== made) return
        drafts.saveAttachedToEdit(conversation, turn, made.kept)
        this.#changed.fire(conversation)
      }),
    )
    const attaching = kept ? made.restore(kept) : made.attachAgain(sentAttachments(prompt))
    attaching.catch(fault => isAbort(fault) || report(fault))
    return made
  }

  /** The turns of the conversation whose questions are being changed. */
  editsIn(state: ConversationState): readonly Turn[] {
    return [...this.#edits.keys()].flatMap(turn => turnOf(state, turn) ?? [])
  }

  /** It was asked, or is as it was. */
  endEdit(conversation: string, turn: string): void {
    this.#edits.get(turn)?.dispose()
    this.#edits.delete(turn)
    this.#options.drafts.saveAttachedToEdit(conversation, turn, undefined)
  }

  /** What the chip belongs to, among what is attached to messages of the conversation. */
  holding(state: ConversationState, chip: string): DraftContext {
    const current = this.of(state.conversation)
    const edits = this.editsIn(state).map(turn => this.ofEdit(state.conversation, turn))
    return edits.find(({ chips }) => chips.some(({ id }) => id === chip)) ?? current
  }

  /** What goes along with a question in the conversation by itself. */
  automatic(conversation: string): AutomaticContext {
    const known = this.#automatic.get(conversation)
    if (known) return known
    const { automatic, drafts } = this.#options
    const made = this.#disposables.add(new AutomaticContext(automatic, drafts.saved(conversation)?.declined ?? []))
    this.#automatic.set(conversation, made)
    if (made.declinesSurroundings) this.#options.withoutSurroundings.add(conversation)
    this.#disposables.add(made.onDidChange(() => this.#changed.fire(conversation)))
    return made
  }

  /** Removes a chip, of what is attached or of what goes along by itself. */
  remove(state: ConversationState, chip: string): void {
    const { conversation } = state
    const { drafts, withoutSurroundings } = this.#options
    const automatic = this.automatic(conversation)
    if (!automatic.remove(chip)) return this.holding(state, chip).remove(chip)
    drafts.saveDeclined(conversation, automatic.declined)
    if (automatic.declinesSurroundings) withoutSurroundings.add(conversation)
  }

  /** Brings the chips of what goes along by itself up to date. */
  async refresh(state: ConversationState): Promise<void> {
    await this.#quietly(this.automatic(state.conversation).refresh(this.#question(state)))
  }

  /** Only that of the workspace and what the user looks at. */
  async refreshSurroundings(conversation: string, signal: AbortSignal): Promise<void> {
    await this.#quietly(this.automatic(conversation).refreshSurroundings({ conversation }, signal))
  }

  async #quietly(work: Promise<void>): Promise<void> {
    try {
      await work
    } catch (fault) {
      if (!isAbort(fault)) this.#options.report(fault)
    }
  }

  /** All that is sent with the message beside its text, as it is now. `message`: the one that was sent; else the unsent one. */
  async take(state: ConversationState, signal: AbortSignal, message?: string): Promise<Taken> {
    const question = this.#question(state, message)
    const taken = await this.of(state.conversation).take(signal, message)
    if (taken.is !== 'ready') return taken
    const automatic = await this.#takeAutomatic(state, question, signal)
    return { is: 'ready', parts: [...taken.parts, ...automatic] }
  }

  /** What cannot be read is no reason not to send the message. */
  async #takeAutomatic({ conversation }: ConversationState, question: Question, signal: AbortSignal) {
    try {
      return await this.automatic(conversation).take(question, signal)
    } catch (fault) {
      signal.throwIfAborted()
      this.#options.report(fault)
      return []
    }
  }

  #question(state: ConversationState, message?: string): Question {
    const queued = state.queued.flatMap(({ parts }) => parts)
    const { conversation } = state
    const attached = this.of(conversation).urisOf(message)
    return { conversation, attached, sent: [...sentParts(state), ...queued] }
  }

  dispose(): void {
    this.#changed.dispose()
    this.#disposables.dispose()
  }
}
