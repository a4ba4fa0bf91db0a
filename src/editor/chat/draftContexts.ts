// `DraftContexts`: what is attached to the unsent message of each conversation, kept with its draft.
import { type Disposable, DisposableStore } from '../../base/disposable.ts'
import { Emitter, type Event } from '../../base/event.ts'
import { DraftContext, type DraftContextOptions } from '../../core/context/draftContext.ts'
import type { DraftMemory } from './draftMemory.ts'

export interface DraftContextsOptions {
  readonly drafts: DraftMemory
  readonly context: DraftContextOptions
  readonly report: (fault: unknown) => void
}

/** Panels that show the same conversation share what is attached. */
export class DraftContexts implements Disposable {
  readonly #options: DraftContextsOptions
  readonly #changed = new Emitter<string>()
  readonly #disposables = new DisposableStore()
  readonly #contexts = new Map<string, DraftContext>()

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

  dispose(): void {
    this.#changed.dispose()
    this.#disposables.dispose()
  }
}
