// The granted model in the editor's own model picker and for other extensions.
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
import { nativeRequest, ours } from './nativeMessages.ts'

/** As the manifest contributes it. */
export const nativeVendor = 'kourier'

export interface NativeModelsOptions {
  readonly models: ModelClient
  /** Where the waits of its requests are told. */
  readonly waits: Waits
  /** What may be offered now, without asking anybody. */
  readonly offered: () => readonly Model[]
  /** Asks the service what there is; only where the user waits for it. */
  readonly ask: (signal: AbortSignal) => Promise<unknown>
  readonly countTokens: (model: string, said: string | readonly ModelMessage[]) => number
  readonly names: () => Names
  /** What may change the offer. */
  readonly changes: readonly Event<unknown>[]
}

/**
 * Registers itself. The editor asks a provider only when something resolves its vendor, so the change is told once at
 * the start; that costs no request.
 */
export class NativeModels implements LanguageModelChatProvider, Disposable {
  readonly #options: NativeModelsOptions
  readonly #life = new DisposableStore()
  readonly #changed = this.#life.add(new EventEmitter<void>())
  readonly onDidChangeLanguageModelChatInformation = this.#changed.event
  #told: string | undefined

  constructor(options: NativeModelsOptions) {
    this.#options = options
    this.#life.add(lm.registerLanguageModelChatProvider(nativeVendor, this))
    for (const onDidChange of options.changes) this.#life.add(onDidChange(() => this.#tellChange()))
    this.#tellChange()
  }

  async provideLanguageModelChatInformation(
    { silent }: { readonly silent: boolean },
    token: CancellationToken,
  ): Promise<LanguageModelChatInformation[]> {
    if (!silent && this.#options.offered().length === 0) await this.#askFor(token)
    return this.#offer()
  }

  async provideLanguageModelChatResponse(
    { id }: LanguageModelChatInformation,
    messages: readonly LanguageModelChatRequestMessage[],
    options: ProvideLanguageModelChatResponseOptions,
    progress: Progress<LanguageModelResponsePart>,
    token: CancellationToken,
  ): Promise<void> {
    const stop = signalOf(token)
    const waiting = this.#options.waits.begin(stop.signal)
    const request: QueuedRequest = { ...nativeRequest(id, messages, options), ...waiting.told }
    try {
      let said = ''
      let isCalling = false
      const calls: ToolCall[] = []
      for await (const event of this.#options.models.stream(request, waiting.signal)) {
        if (event.kind === 'text-delta') said += event.text
        if (event.kind === 'tool-input-start') isCalling = true
        if (event.kind === 'tool-call') calls.push(event)
        // Calls come together, right before the end: none is given where one of them cannot be run.
        const parts = event.kind === 'finish' ? [...callParts(calls), ...usageParts(event.usage)] : textParts(event)
        for (const part of parts) progress.report(part)
        if (event.kind === 'finish') this.#refuseUnlessWhole(event.why, said, isCalling)
      }
    } catch (fault) {
      throw isAbort(fault) ? new CancellationError() : this.#asSentence(fault, id)
    } finally {
      waiting.dispose()
      stop.dispose()
    }
  }

  /** Called thousands of times for one exchange: an estimate, without waiting for anything. */
  provideTokenCount(
    { id }: LanguageModelChatInformation,
    text: string | LanguageModelChatRequestMessage,
  ): Promise<number> {
    return Promise.resolve(this.#options.countTokens(id, typeof text === 'string' ? text : ours(text)))
  }

  dispose(): void {
    this.#life.dispose()
  }

  #offer(): LanguageModelChatInformation[] {
    const { service } = this.#options.names()
    return this.#options.offered().map(model => informationOf(model, service))
  }

  /** The editor asks for all models again each time, so it is told only of an offer that is another one. */
  #tellChange(): void {
    const offer = JSON.stringify(this.#offer())
    if (offer === this.#told) return
    this.#told = offer
    this.#changed.fire()
  }

  async #askFor(token: CancellationToken): Promise<void> {
    const stop = signalOf(token)
    try {
      await this.#options.ask(stop.signal)
    } finally {
      stop.dispose()
    }
  }

  /** Whoever asked sees only that an answer has ended, not how: one that is not whole has to fail. */
  #refuseUnlessWhole(why: FinishReason, said: string, isCalling: boolean): void {
    if (why === 'cut-off') throw sentence('The answer broke off. What arrived is kept; try again for the rest.')
    if (why === 'refused' && said && !isCalling) throw sentence('The model declined to go on. What arrived is kept.')
    if (why === 'refused') throw sentence('The model declined to answer this.')
    if (why !== 'length') return
    if (!said) throw sentence('The model reached its longest answer before it said anything.')
    throw sentence('The model reached its longest answer. What arrived is kept; ask it to go on.')
  }

  #asSentence(fault: unknown, model: string): Error {
    if (fault instanceof Error && fault.stack === '') return fault
    return sentence(noticeOf(fault, { ...this.#options.names(), model, isAnswer: true }).text)
  }
}

const textParts = (event: ModelEvent): readonly LanguageModelResponsePart[] =>
  event.kind === 'text-delta' ? [new LanguageModelTextPart(event.text)] : []

/** An empty object in place of what cannot be read would be another call than the one that the model meant. */
function callParts(calls: readonly ToolCall[]): readonly LanguageModelResponsePart[] {
  return calls.map(({ id: call, name, input }) => {
    if (typeof input === 'object' && input !== null && !Array.isArray(input))
      return new LanguageModelToolCallPart(call, name, input)
    throw sentence('The model called a tool in a form that cannot be read, so no tool was run. Try again.')
  })
}

/** In the form of the editor's own providers; it fills the picture of the context in use. */
function usageParts(counted: Usage | undefined): readonly LanguageModelResponsePart[] {
  if (!counted) return []
  const { input, output } = counted
  const usage = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output }
  return [new LanguageModelDataPart(new TextEncoder().encode(JSON.stringify(usage)), 'usage')]
}

/** The editor's chat prints the whole stack of what is thrown; without one it prints the sentence. */
function sentence(text: string): Error {
  return Object.assign(new Error(text), { stack: '' })
}
