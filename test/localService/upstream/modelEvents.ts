// Reads the answer of the server behind us, whole or streamed, as the events that every surface can write.
import { isObject, isString, type JsonObject } from '../json.ts'
import type { ModelEvent, ModelEvents, Usage } from '../modelEvent.ts'
import type { ModelRequest } from '../modelRequest.ts'
import { inputTokensOf, tokensOf } from '../tokens.ts'
import { jsonIn, readEvents } from './events.ts'
import { brokenOff, emptyAnswer, failureIn } from './refusal.ts'
import type { Answer } from './send.ts'
import { ToolCalls } from './toolCalls.ts'

export async function* streamEvents(answer: Answer, request: ModelRequest, ended: AbortSignal): ModelEvents {
  const reader = new ChunkReader(request)
  try {
    for await (const event of readEvents(answer)) {
      if (event.kind === 'comment') continue
      if (event.data === '[DONE]') {
        yield* reader.end(true)
        return
      }
      const json = jsonIn(event.data)
      const failure = failureIn(json, answer.key)
      if (failure) {
        yield { kind: 'failure', failure }
        return
      }
      if (isObject(json)) yield* reader.take(json)
    }
  } catch {
    if (!ended.aborted) yield { kind: 'failure', failure: brokenOff() }
    return
  }
  yield* reader.end(false)
}

/** A completion that came at once: one chunk that has everything. */
export async function* completionEvents(json: JsonObject, request: ModelRequest, key: string | undefined): ModelEvents {
  const reader = new ChunkReader(request)
  const failure = failureIn(json, key)
  if (failure) yield { kind: 'failure', failure }
  else {
    yield* reader.take(json)
    yield* reader.end(false)
  }
}

class ChunkReader {
  readonly #request: ModelRequest
  readonly #calls = new ToolCalls()
  /** Text that came while a call was open: it follows the calls. */
  #late = ''
  #text = ''
  #reason: string | undefined
  #stop: string | undefined
  #usage: JsonObject | undefined

  constructor(request: ModelRequest) {
    this.#request = request
  }

  *take(json: JsonObject): Generator<ModelEvent> {
    if (isObject(json['usage'])) this.#usage = json['usage']
    const choice: unknown = Array.isArray(json['choices']) ? json['choices'][0] : undefined
    if (!isObject(choice)) return
    const delta = choice['delta'] ?? choice['message']
    if (isObject(delta)) yield* this.#eventsOf(delta)
    const { finish_reason: reason, stop_reason: stop } = choice
    if (isString(reason) && reason !== '') this.#reason = reason
    // vLLM names the stop string that it met.
    if (isString(stop) && this.#request.stops.includes(stop)) this.#stop = stop
  }

  /** What is left to send; `isDone` where the server gave its end signal. */
  *end(isDone: boolean): Generator<ModelEvent> {
    yield* this.#calls.finish()
    if (this.#late !== '') yield { kind: 'text', text: this.#late }
    const isEmpty = this.#text === '' && this.#calls.count === 0
    if (this.#reason === undefined && !isDone) yield { kind: 'failure', failure: brokenOff() }
    else if (this.#reason === undefined && isEmpty) yield { kind: 'failure', failure: emptyAnswer() }
    else {
      const stop = this.#stop === undefined ? {} : { stop: this.#stop }
      yield { kind: 'end', reason: this.#why(), ...stop, usage: this.#usageOf() }
    }
  }

  *#eventsOf(delta: JsonObject): Generator<ModelEvent> {
    // vLLM sends both, with equal text: https://github.com/vllm-project/vllm/pull/34030
    const reasoning = [delta['reasoning_content'], delta['reasoning']].find(text => isString(text) && text !== '')
    if (isString(reasoning)) yield* this.#emit('reasoning', reasoning)
    yield* this.#emit('text', textOf(delta['content']))
    yield* this.#emit('refusal', textOf(delta['refusal']))
    for (const call of Array.isArray(delta['tool_calls']) ? delta['tool_calls'] : []) yield* this.#calls.take(call)
  }

  *#emit(kind: 'text' | 'reasoning' | 'refusal', text: string): Generator<ModelEvent> {
    if (text === '') return
    this.#text += text
    if (!this.#calls.isOpen) yield { kind, text }
    else if (kind === 'text') this.#late += text
  }

  #why(): string {
    const reason = this.#reason ?? 'stop'
    if (reason === 'stop' && this.#calls.count > 0) return 'tool_calls'
    return reason === 'tool_calls' && this.#calls.count === 0 ? 'stop' : reason
  }

  #usageOf(): Usage {
    const usage = this.#usage ?? {}
    const prompt = numberIn(usage, 'prompt_tokens') ?? inputTokensOf(this.#request)
    const completion = numberIn(usage, 'completion_tokens') ?? tokensOf(this.#text).length
    const cached = numberIn(usage['prompt_tokens_details'], 'cached_tokens')
    const reasoning = numberIn(usage['completion_tokens_details'], 'reasoning_tokens')
    return {
      prompt_tokens: prompt,
      completion_tokens: completion,
      // It may exceed the sum of the two, because reasoning may be counted into it alone.
      total_tokens: numberIn(usage, 'total_tokens') ?? prompt + completion,
      ...(cached === undefined ? {} : { cached_tokens: cached }),
      ...(reasoning === undefined ? {} : { reasoning_tokens: reasoning }),
    }
  }
}

function numberIn(fields: unknown, name: string): number | undefined {
  const value = isObject(fields) ? fields[name] : undefined
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined
}

function textOf(content: unknown): string {
  if (isString(content)) return content
  if (!Array.isArray(content)) return ''
  return content.map(part => (isObject(part) && isString(part['text']) ? part['text'] : '')).join('')
}
