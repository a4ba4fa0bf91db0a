// Reads an answer of the chat completions surface.
import { type JsonObject, listOf, objectOf, textOf } from '../../protocol/json.ts'
import type { FinishReason } from './modelClient.ts'
import type { ResponseAccumulator } from './responseAccumulator.ts'
import { faultIn, partsOf, type StreamDecoder, tokens } from './streamDecoder.ts'
import { ThinkTag } from './thinkTag.ts'

/** Frames of `chat.completion.chunk`, or one whole `chat.completion` with `message` in place of `delta`. */
export class ChatCompletionsReader implements StreamDecoder {
  readonly #said: ResponseAccumulator
  readonly #think = new ThinkTag()
  #finish = ''
  /** After the end a frame came that holds nothing but the usage. Before it, both the end and the usage may repeat. */
  #isOver = false
  #hasDelta = false
  /** Some servers send the whole so far with each frame; it counts only where nothing else was sent. */
  #message: JsonObject | undefined

  constructor(said: ResponseAccumulator) {
    this.#said = said
  }

  get stage() {
    if (!this.#finish) return 'open'
    return this.#isOver ? 'over' : 'ended'
  }

  get reason(): FinishReason | undefined {
    switch (this.#finish) {
      case '':
        return undefined
      case 'length':
        return 'length'
      case 'content_filter':
        return 'refused'
      case 'tool_calls':
      case 'function_call':
        return 'tools'
      default:
        return 'done'
    }
  }

  get oddReason(): string | undefined {
    return this.reason === 'done' && this.#finish !== 'stop' ? this.#finish : undefined
  }

  take(frame: JsonObject): void {
    const fault = faultIn(this.#said.host, frame)
    if (fault) throw fault
    const { choices, usage } = frame
    for (const choice of listOf(choices)) this.#takeChoice(objectOf(choice))
    const counted = objectOf(usage)
    if (!counted) return
    this.#said.usage = { input: tokens(counted, 'prompt_tokens'), output: tokens(counted, 'completion_tokens') }
    this.#isOver ||= this.#finish !== '' && listOf(choices).length === 0
  }

  flush(): void {
    if (!this.#hasDelta && this.#message) this.#say(this.#message)
    this.#message = undefined
    const { reasoning, text } = this.#think.flush(this.#finish !== '')
    this.#said.reasoning(reasoning)
    this.#said.text(text)
  }

  #takeChoice(choice: JsonObject | undefined): void {
    if (!choice || (choice['index'] ?? 0) !== 0) return
    const delta = objectOf(choice['delta'])
    if (delta && this.#say(delta)) this.#hasDelta = true
    this.#message = objectOf(choice['message']) ?? this.#message
    const finish = choice['finish_reason']
    if (typeof finish === 'string' && finish) this.#finish = finish
  }

  /** True if anything was said. */
  #say(said: JsonObject): boolean {
    const { content, tool_calls } = said
    const text = typeof content === 'string' ? content : partsOf(content, 'text', 'output_text')
    const reasoning = reasoningOf(said)
    const refusal = text ? '' : textOf(said['refusal'])
    if (reasoning) this.#said.reasoning(reasoning)
    if (text) this.#split(text)
    if (refusal) this.#said.text(refusal)
    const pieces = listOf(tool_calls)
    for (const piece of pieces) this.#said.told(this.#said.calls.take(piece))
    return Boolean(text || reasoning || refusal || pieces.length > 0)
  }

  #split(text: string): void {
    const split = this.#think.take(text)
    this.#said.reasoning(split.reasoning)
    this.#said.text(split.text)
  }
}

/** Servers name it differently, and some send it under several names at once: the first that says anything counts. */
function reasoningOf(said: JsonObject): string {
  const { reasoning_content, reasoning, reasoning_details, content } = said
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
