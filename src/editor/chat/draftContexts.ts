// `DraftContexts`: what is attached to the unsent message of each conversation, kept with its draft; and what goes along with it by itself.
import { isAbort } from '../../base/abort.ts'
import { type Disposable, DisposableStore } from '../../base/disposable.ts'
import { Emitter, type Event } from '../../base/event.ts'
import { AutomaticContext, type AutomaticContextOptions, type Question } from '../../core/context/automaticContext.ts'
import { DraftContext, type DraftContextOptions, type Taken } from '../../core/context/draftContext.ts'
import { sentParts } from '../../core/conversation/sentTurns.ts'
import type { ConversationState } from '../../protocol/conversationState.ts'
import type { DraftMemory } from './draftMemory.ts'

export interface DraftContextsOptions {
  readonly drafts: DraftMemory
  readonly context: DraftContextOptions
  readonly automatic: AutomaticContextOptions
  readonly report: (fault: unknown) => void
}

/** Panels that show the same conversation share what is attached. */
export class DraftContexts implements Disposable {
  readonly #options: DraftContextsOptions
  readonly #changed = new Emitter<string>()
  readonly #disposables = new DisposableStore()
  readonly #contexts = new Map<string, DraftContext>()
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

  /** What goes along with a question in the conversation by itself. */
  automatic(conversation: string): AutomaticContext {
    const known = this.#automatic.get(conversation)
    if (known) return known
    const { automatic, drafts } = this.#options
    const made = this.#disposables.add(new AutomaticContext(automatic, drafts.saved(conversation)?.declined ?? []))
    this.#automatic.set(conversation, made)
    this.#disposables.add(made.onDidChange(() => this.#changed.fire(conversation)))
    return made
  }

  /** Removes a chip, of what is attached or of what goes along by itself. */
  remove(conversation: string, chip: string): void {
    const automatic = this.automatic(conversation)
    if (automatic.remove(chip)) this.#options.drafts.saveDeclined(conversation, automatic.declined)
    else this.of(conversation).remove(chip)
  }

  /** Brings the chips of what goes along by itself up to date. */
  async refresh(state: ConversationState): Promise<void> {
    try {
      await this.automatic(state.conversation).refresh(this.#question(state))
    } catch (fault) {
      if (!isAbort(fault)) this.#options.report(fault)
    }
  }

  /** All that is sent with the message beside its text, as it is now. */
  async take(state: ConversationState, signal: AbortSignal): Promise<Taken> {
    const question = this.#question(state)
    const taken = await this.of(state.conversation).take(signal)
    if (taken.is === 'blocked') return taken
    const { before, after } = await this.#takeAutomatic(state, question, signal)
    return { is: 'ready', parts: [...before, ...taken.parts, ...after] }
  }

  /** What cannot be read is no reason not to send the message. */
  async #takeAutomatic({ conversation }: ConversationState, question: Question, signal: AbortSignal) {
    try {
      return await this.automatic(conversation).take(question, signal)
    } catch (fault) {
      signal.throwIfAborted()
      this.#options.report(fault)
      return { before: [], after: [] }
    }
  }

  #question(state: ConversationState): Question {
    const queued = state.queued.flatMap(({ parts }) => parts)
    return { attached: this.of(state.conversation).uris, sent: [...sentParts(state), ...queued] }
  }

  dispose(): void {
    this.#changed.dispose()
    this.#disposables.dispose()
  }
}
