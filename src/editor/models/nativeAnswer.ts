// `answerNatively`: answers one request of the editor's own chat or of another extension.
import {
  CancellationError,
  type CancellationToken,
  type LanguageModelChatRequestMessage,
  LanguageModelDataPart,
  type LanguageModelResponsePart,
  LanguageModelTextPart,
  LanguageModelToolCallPart,
  l10n,
  type Progress,
  type ProvideLanguageModelChatResponseOptions,
} from 'vscode'
import { isAbort } from '../../base/abort.ts'
import type { FinishReason, ModelClient, ModelEvent, ToolCall, Usage } from '../../core/model/modelClient.ts'
import type { QueuedRequest } from '../../core/model/queuedClient.ts'
import type { Waits } from '../../core/model/waits.ts'
import { signalOf } from '../ui/cancellation.ts'
import { faultNotice } from '../ui/faultNotice.ts'
import type { Names } from '../ui/faultSentence.ts'
import { nativeRequest } from './nativeMessages.ts'

export interface NativeAnswerOptions {
  readonly models: ModelClient
  /** Reports the waits of its requests. */
  readonly waits: Waits
  readonly names: () => Names
}

export interface NativeRequest {
  readonly model: string
  readonly messages: readonly LanguageModelChatRequestMessage[]
  readonly options: ProvideLanguageModelChatResponseOptions
  readonly progress: Progress<LanguageModelResponsePart>
  readonly token: CancellationToken
}

/** Rejects with an error whose message is a sentence for the user, or with `CancellationError`. */
export async function answerNatively(
  { models, waits, names }: NativeAnswerOptions,
  { model, messages, options, progress, token }: NativeRequest,
): Promise<void> {
  const cancellation = signalOf(token)
  const waiting = waits.begin(cancellation.signal)
  const request: QueuedRequest = { ...nativeRequest(model, messages, options), ...waiting.callbacks }
  try {
    let answer = ''
    let hasToolCall = false
    const calls: ToolCall[] = []
    for await (const event of models.stream(request, waiting.signal)) {
      if (event.kind === 'text-delta') answer += event.text
      if (event.kind === 'tool-input-start') hasToolCall = true
      if (event.kind === 'tool-call') calls.push(event)
      // All calls are reported together at the end, so that none is run where one of them is invalid.
      const parts = event.kind === 'finish' ? [...callParts(calls), ...usageParts(event.usage)] : textParts(event)
      for (const part of parts) progress.report(part)
      if (event.kind === 'finish') requireWholeAnswer(event.why, answer, hasToolCall)
    }
  } catch (fault) {
    throw isAbort(fault) ? new CancellationError() : toSentence(fault, { ...names(), model, isAnswer: true })
  } finally {
    waiting.dispose()
    cancellation.dispose()
  }
}

/** Throws where the answer is incomplete, because the editor's API has no finish reason. */
function requireWholeAnswer(why: FinishReason, answer: string, hasToolCall: boolean): void {
  if (why === 'cut-off') throw sentence(l10n.t('The answer broke off. What arrived is kept; try again for the rest.'))
  const isRefused = why === 'refused' || why === 'filtered'
  if (isRefused && answer && !hasToolCall) throw sentence(l10n.t('The model declined to go on. What arrived is kept.'))
  if (isRefused) throw sentence(l10n.t('The model declined to answer this.'))
  if (why !== 'length') return
  if (!answer) throw sentence(l10n.t('The model reached its length limit before it wrote anything.'))
  throw sentence(l10n.t('The model reached its length limit. What arrived is kept; ask it to continue.'))
}

function toSentence(fault: unknown, names: Names): Error {
  if (fault instanceof Error && fault.stack === '') return fault
  return sentence(faultNotice(fault, names).text)
}

const textParts = (event: ModelEvent): readonly LanguageModelResponsePart[] =>
  event.kind === 'text-delta' ? [new LanguageModelTextPart(event.text)] : []

/** Throws where the input of a call is not an object, because a call with an empty input would be a different call. */
function callParts(calls: readonly ToolCall[]): readonly LanguageModelResponsePart[] {
  return calls.map(({ id: call, name, input }) => {
    if (typeof input === 'object' && input !== null && !Array.isArray(input))
      return new LanguageModelToolCallPart(call, name, input)
    throw sentence(l10n.t('The model tried to use a tool in a way that cannot be read, so no tool was run. Try again.'))
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
