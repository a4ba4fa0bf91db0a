// `ChatCompletionsReader`: the `StreamDecoder` of the chat completions surface.
import { type JsonObject, listOf, objectOf, textOf } from '../../protocol/json.ts'
import type { FinishReason } from './modelClient.ts'
import type { ResponseAccumulator } from './responseAccumulator.ts'
import { faultIn, partsOf, type StreamDecoder, tokens } from './streamDecoder.ts'

/** Frames of `chat.completion.chunk`, or one whole `chat.completion` with `message` in place of `delta`. */
export class ChatCompletionsReader implements StreamDecoder {
  readonly #response: ResponseAccumulator
  #finish = ''
  /**
   * After the finish reason a frame arrived with the usage and no choices. Before it, reason and usage may be repeated.
   */
  #hasUsageFrame = false
  #hasDelta = false
  /**
   * The last `message`: the whole answer so far, used only without a delta (fixture
   * `whole-so-far-and-never-a-delta.sse`).
   */
  #message: JsonObject | undefined

  constructor(response: ResponseAccumulator) {
    this.#response = response
  }

  get stage() {
    if (!this.#finish) return 'open'
    return this.#hasUsageFrame ? 'over' : 'ended'
  }

  get reason(): FinishReason | undefined {
    switch (this.#finish) {
      case '':
        return undefined
      case 'length':
        return 'length'
      case 'content_filter':
        return 'filtered'
      case 'tool_calls':
      case 'function_call':
        return 'tools'
      default:
        return 'done'
    }
  }

  get unknownReason(): string | undefined {
    return this.reason === 'done' && this.#finish !== 'stop' ? this.#finish : undefined
  }

  take(frame: JsonObject): void {
    const fault = faultIn(this.#response.host, frame)
    if (fault) throw fault
    const { choices, usage } = frame
    for (const choice of listOf(choices)) this.#takeChoice(objectOf(choice))
    const counted = objectOf(usage)
    if (!counted) return
    this.#response.usage = { input: tokens(counted, 'prompt_tokens'), output: tokens(counted, 'completion_tokens') }
    this.#hasUsageFrame ||= this.#finish !== '' && listOf(choices).length === 0
  }

  flush(): void {
    if (!this.#hasDelta && this.#message) this.#addDelta(this.#message)
    this.#message = undefined
  }

  #takeChoice(choice: JsonObject | undefined): void {
    if (!choice || (choice['index'] ?? 0) !== 0) return
    const delta = objectOf(choice['delta'])
    if (delta && this.#addDelta(delta)) this.#hasDelta = true
    this.#message = objectOf(choice['message']) ?? this.#message
    const finish = choice['finish_reason']
    if (typeof finish === 'string' && finish) this.#finish = finish
  }

  /** Adds a `delta` or `message`. True if it has any content. */
  #addDelta(delta: JsonObject): boolean {
    const { content, tool_calls } = delta
    const text = typeof content === 'string' ? content : partsOf(content, 'text', 'output_text')
    const reasoning = reasoningOf(delta)
    const refusal = text ? '' : textOf(delta['refusal'])
    if (reasoning) this.#response.reasoning(reasoning)
    if (text) this.#response.text(text)
    if (refusal) this.#response.text(refusal)
    const calls = listOf(tool_calls)
    for (const call of calls) this.#response.addCallEvents(this.#response.calls.take(call))
    return Boolean(text || reasoning || refusal || calls.length > 0)
  }
}

/**
 * The first of the members with a text, because one frame may repeat it under two names (vllm-project/vllm PR 34030,
 * strands-agents/harness-sdk 2182). Parts in `content` are Mistral's.
 */
function reasoningOf(message: JsonObject): string {
  const { reasoning_content, reasoning, reasoning_details, content } = message
  const named = textOf(reasoning_content) || textOf(reasoning)
  if (named || (reasoning_details === undefined && typeof content !== 'object')) return named
  const details = listOf(reasoning_details).map(objectOf)
  const detailed = details.map(detail => textOf(detail?.['text']) || textOf(detail?.['summary'])).join('')
  if (detailed) return detailed
  const thinking = listOf(content)
    .map(objectOf)
    .filter(part => part?.['type'] === 'thinking')
  return thinking
    .map(part => textOf(part?.['thinking']) || partsOf(part?.['thinking'], 'text') || textOf(part?.['text']))
    .join('')
}
