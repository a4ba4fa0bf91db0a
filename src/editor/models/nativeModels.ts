// `NativeModels`: provides the models to the editor's own chat and to other extensions.
import {
  CancellationError,
  type CancellationToken,
  EventEmitter,
  type LanguageModelChatInformation,
  type LanguageModelChatProvider,
  type LanguageModelChatRequestMessage,
  LanguageModelDataPart,
  type LanguageModelResponsePart,
  LanguageModelTextPart,
  LanguageModelToolCallPart,
  l10n,
  lm,
  type Progress,
  type ProvideLanguageModelChatResponseOptions,
} from 'vscode'
import { isAbort } from '../../base/abort.ts'
import { type Disposable, DisposableStore } from '../../base/disposable.ts'
import type { Event } from '../../base/event.ts'
import type { Model } from '../../core/model/catalog.ts'
import type {
  FinishReason,
  ModelClient,
  ModelEvent,
  ModelMessage,
  ToolCall,
  Usage,
} from '../../core/model/modelClient.ts'
import type { QueuedRequest } from '../../core/model/queuedClient.ts'
import type { Waits } from '../../core/model/waits.ts'
import { signalOf } from '../ui/cancellation.ts'
import type { Names } from '../ui/faultSentence.ts'
import { noticeOf } from '../ui/notices.ts'
import { informationOf } from './modelInformation.ts'
import { nativeRequest, toModelMessages } from './nativeMessages.ts'

/** The vendor in `contributes.languageModelChatProviders` of the manifest. */
export const nativeVendor = 'kourier'

export interface NativeModelsOptions {
  readonly models: ModelClient
  /** Reports the waits of its requests. */
  readonly waits: Waits
  /** The models that can be used now, without a request. */
  readonly available: () => readonly Model[]
  /** Asks the service for its list; only called where the user waits for it. */
  readonly refresh: (signal: AbortSignal) => Promise<unknown>
  readonly countTokens: (model: string, content: string | readonly ModelMessage[]) => number
  readonly names: () => Names
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
    const cancellation = signalOf(token)
    const waiting = this.#options.waits.begin(cancellation.signal)
    const request: QueuedRequest = { ...nativeRequest(id, messages, options), ...waiting.callbacks }
    try {
      let answer = ''
      let hasToolCall = false
      const calls: ToolCall[] = []
      for await (const event of this.#options.models.stream(request, waiting.signal)) {
        if (event.kind === 'text-delta') answer += event.text
        if (event.kind === 'tool-input-start') hasToolCall = true
        if (event.kind === 'tool-call') calls.push(event)
        // All calls are reported together at the end, so that none is run where one of them is invalid.
        const parts = event.kind === 'finish' ? [...callParts(calls), ...usageParts(event.usage)] : textParts(event)
        for (const part of parts) progress.report(part)
        if (event.kind === 'finish') this.#requireWholeAnswer(event.why, answer, hasToolCall)
      }
    } catch (fault) {
      throw isAbort(fault) ? new CancellationError() : this.#toSentence(fault, id)
    } finally {
      waiting.dispose()
      cancellation.dispose()
    }
  }

  /** An estimate without a request, because the editor calls this very often. */
  provideTokenCount(
    { id }: LanguageModelChatInformation,
    text: string | LanguageModelChatRequestMessage,
  ): Promise<number> {
    return Promise.resolve(this.#options.countTokens(id, typeof text === 'string' ? text : toModelMessages(text)))
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

  /** Throws where the answer is incomplete, because the editor's API has no finish reason. */
  #requireWholeAnswer(why: FinishReason, answer: string, hasToolCall: boolean): void {
    if (why === 'cut-off') throw sentence(l10n.t('The answer broke off. What arrived is kept; try again for the rest.'))
    if (why === 'refused' && answer && !hasToolCall)
      throw sentence(l10n.t('The model declined to go on. What arrived is kept.'))
    if (why === 'refused') throw sentence(l10n.t('The model declined to answer this.'))
    if (why !== 'length') return
    if (!answer) throw sentence(l10n.t('The model reached its longest answer before it said anything.'))
    throw sentence(l10n.t('The model reached its longest answer. What arrived is kept; ask it to go on.'))
  }

  #toSentence(fault: unknown, model: string): Error {
    if (fault instanceof Error && fault.stack === '') return fault
    return sentence(noticeOf(fault, { ...this.#options.names(), model, isAnswer: true }).text)
  }
}

const textParts = (event: ModelEvent): readonly LanguageModelResponsePart[] =>
  event.kind === 'text-delta' ? [new LanguageModelTextPart(event.text)] : []

/** Throws where the input of a call is not an object, because a call with an empty input would be a different call. */
function callParts(calls: readonly ToolCall[]): readonly LanguageModelResponsePart[] {
  return calls.map(({ id: call, name, input }) => {
    if (typeof input === 'object' && input !== null && !Array.isArray(input))
      return new LanguageModelToolCallPart(call, name, input)
    throw sentence(l10n.t('The model called a tool in a form that cannot be read, so no tool was run. Try again.'))
  })
}

/** The data part by which the editor's own providers report usage; the editor's chat shows the used context from it. */
function usageParts(counted: Usage | undefined): readonly LanguageModelResponsePart[] {
  if (!counted) return []
  const { input, output } = counted
  const usage = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output }
  return [new LanguageModelDataPart(new TextEncoder().encode(JSON.stringify(usage)), 'usage')]
}

/** An error without a stack, because the editor's chat shows the stack in place of the message. */
function sentence(text: string): Error {
  return Object.assign(new Error(text), { stack: '' })
}
