// `NativeModels`: provides the models to the editor's own chat and to other extensions.
import {
  type CancellationToken,
  EventEmitter,
  type LanguageModelChatInformation,
  type LanguageModelChatProvider,
  type LanguageModelChatRequestMessage,
  type LanguageModelResponsePart,
  lm,
  type Progress,
  type ProvideLanguageModelChatResponseOptions,
} from 'vscode'
import { type Disposable, DisposableStore } from '../../base/disposable.ts'
import type { Event } from '../../base/event.ts'
import type { Model } from '../../core/model/catalog.ts'
import type { ModelMessage } from '../../core/model/modelClient.ts'
import { signalOf } from '../ui/cancellation.ts'
import { informationOf } from './modelInformation.ts'
import type { NativeAnswerOptions } from './nativeAnswer.ts'

/** The vendor in `contributes.languageModelChatProviders` of the manifest. */
export const nativeVendor = 'kourier'

export interface NativeModelsOptions extends NativeAnswerOptions {
  /** The models that can be used now, without a request. */
  readonly available: () => readonly Model[]
  /** Asks the service for its list; only called where the user waits for it. */
  readonly refresh: (signal: AbortSignal) => Promise<unknown>
  readonly countTokens: (model: string, content: string | readonly ModelMessage[]) => Promise<number>
  /** Events after which `available` or `names` may return something else. */
  readonly changes: readonly Event<unknown>[]
}

/**
 * Registers itself. The editor asks a provider for its models only when something resolves its vendor, so the change
 * event is fired once at the start; that makes no request.
 */
export class NativeModels implements LanguageModelChatProvider, Disposable {
  readonly #options: NativeModelsOptions
  readonly #disposables = new DisposableStore()
  readonly #changed = this.#disposables.add(new EventEmitter<void>())
  readonly onDidChangeLanguageModelChatInformation = this.#changed.event
  #notified: string | undefined

  constructor(options: NativeModelsOptions) {
    this.#options = options
    this.#disposables.add(lm.registerLanguageModelChatProvider(nativeVendor, this))
    for (const onDidChange of options.changes) this.#disposables.add(onDidChange(() => this.#notifyChange()))
    this.#notifyChange()
  }

  async provideLanguageModelChatInformation(
    { silent }: { readonly silent: boolean },
    token: CancellationToken,
  ): Promise<LanguageModelChatInformation[]> {
    if (!silent && this.#options.available().length === 0) await this.#refresh(token)
    return this.#modelInformation()
  }

  async provideLanguageModelChatResponse(
    { id }: LanguageModelChatInformation,
    messages: readonly LanguageModelChatRequestMessage[],
    options: ProvideLanguageModelChatResponseOptions,
    progress: Progress<LanguageModelResponsePart>,
    token: CancellationToken,
  ): Promise<void> {
    const { answerNatively } = await import('./nativeAnswer.ts')
    await answerNatively(this.#options, { model: id, messages, options, progress, token })
  }

  /** An estimate without a request, because the editor calls this very often. */
  async provideTokenCount(
    { id }: LanguageModelChatInformation,
    text: string | LanguageModelChatRequestMessage,
  ): Promise<number> {
    const { toModelMessages } = await import('./nativeMessages.ts')
    return this.#options.countTokens(id, typeof text === 'string' ? text : toModelMessages(text))
  }

  dispose(): void {
    this.#disposables.dispose()
  }

  #modelInformation(): LanguageModelChatInformation[] {
    const { service } = this.#options.names()
    return this.#options.available().map(model => informationOf(model, service))
  }

  /** Fires only where the models differ, because the editor asks for all of them again each time. */
  #notifyChange(): void {
    const information = JSON.stringify(this.#modelInformation())
    if (information === this.#notified) return
    this.#notified = information
    this.#changed.fire()
  }

  async #refresh(token: CancellationToken): Promise<void> {
    const cancellation = signalOf(token)
    try {
      await this.#options.refresh(cancellation.signal)
    } finally {
      cancellation.dispose()
    }
  }
}
