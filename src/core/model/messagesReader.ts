// `MessagesReader`: the `StreamDecoder` of the messages surface.

import { countOf, type JsonObject, listOf, objectOf, textOf } from '../../protocol/json.ts'
import type { MessagesThinkingBlock } from '../../protocol/wire/messages.ts'
import { ContractError } from '../http/errors.ts'
import type { FinishReason } from './modelClient.ts'
import type { ResponseAccumulator } from './responseAccumulator.ts'
import { faultIn, type StreamDecoder, tokens } from './streamDecoder.ts'

interface Thinking {
  readonly type: 'thinking'
  thinking: string
  signature: string
}

/** Reads the events of a message, or one complete message. `type` in the data determines which. */
export class MessagesReader implements StreamDecoder {
  readonly #response: ResponseAccumulator
  #id: string | undefined
  #hasStarted = false
  #stopReason = ''
  #isStopped = false
  /** Open thinking blocks by index; their signature arrives after their text. */
  readonly #thinking = new Map<number, Thinking>()
  /** The input of calls whose start event contains it complete (earendil-works/pi PR 2593, Kimi), by index. */
  readonly #whole = new Map<number, JsonObject>()
  #usage: JsonObject = {}

  constructor(response: ResponseAccumulator) {
    this.#response = response
  }

  get stage() {
    if (this.#isStopped) return 'over'
    return this.#stopReason ? 'ended' : 'open'
  }

  get reason(): FinishReason | undefined {
    switch (this.#stopReason) {
      case '':
        return this.#isStopped ? 'done' : undefined
      case 'max_tokens':
      case 'model_context_window_exceeded':
        return 'length'
      case 'refusal':
        return 'refused'
      case 'tool_use':
        return 'tools'
      // Only occurs with server tools, which the request does not offer, so the turn is not continued.
      case 'pause_turn':
        return 'cut-off'
      default:
        return 'done'
    }
  }

  get unknownReason(): string | undefined {
    const isKnown = ['', 'end_turn', 'stop_sequence'].includes(this.#stopReason)
    return this.reason === 'done' && !isKnown ? this.#stopReason : undefined
  }

  flush(): void {}

  take(event: JsonObject): void {
    switch (event['type']) {
      case 'content_block_delta':
        return this.#delta(slotOf(event), objectOf(event['delta']))
      case 'content_block_start':
        return this.#begin(slotOf(event), objectOf(event['content_block']))
      case 'content_block_stop':
        return this.#end(slotOf(event))
      case 'message_start':
        return this.#start(objectOf(event['message']))
      case 'message_delta':
        this.#count(event['usage'])
        this.#stopReason = textOf(objectOf(event['delta'])?.['stop_reason']) || this.#stopReason
        return
      case 'message_stop':
        this.#isStopped = true
        return
      case 'message':
        return this.#message(event)
      default: {
        const fault = faultIn(this.#response.host, event)
        if (fault) throw fault
      }
    }
  }

  /**
   * Ignores a repeated start (maximhq/bifrost 4556). Throws for the start of another message, because the events after
   * it could not be assigned to one of the two (vercel/ai PR 18402).
   */
  #start(message: JsonObject | undefined): void {
    const id = textOf(message?.['id']) || undefined
    if (id && this.#id && id !== this.#id) throw new ContractError(this.#response.host, 'shape', 'message_start')
    if (this.#hasStarted) return
    this.#hasStarted = true
    this.#id = id
    this.#count(message?.['usage'])
  }

  #begin(slot: number, block: JsonObject | undefined): void {
    switch (block?.['type']) {
      case 'text':
        return this.#response.text(textOf(block['text']))
      case 'thinking':
        this.#thinking.set(slot, { type: 'thinking', thinking: '', signature: textOf(block['signature']) })
        return this.#think(slot, textOf(block['thinking']))
      case 'redacted_thinking':
        return this.#seal({ type: 'redacted_thinking', data: textOf(block['data']) })
      case 'tool_use': {
        const input = objectOf(block['input'])
        if (input && Object.keys(input).length > 0) this.#whole.set(slot, input)
        return this.#response.addCallEvents(
          this.#response.calls.start(slot, textOf(block['id']), textOf(block['name'])),
        )
      }
    }
  }

  #delta(slot: number, delta: JsonObject | undefined): void {
    switch (delta?.['type']) {
      case 'text_delta':
        return this.#response.text(textOf(delta['text']))
      case 'thinking_delta':
        return this.#think(slot, textOf(delta['thinking']))
      case 'signature_delta': {
        const block = this.#thinking.get(slot)
        const signature = textOf(delta['signature'])
        this.#response.countChars(signature.length)
        if (block) block.signature += signature
        return
      }
      case 'input_json_delta':
        if (delta['partial_json']) this.#whole.delete(slot)
        return this.#response.addCallEvents(this.#response.calls.append(slot, delta['partial_json']))
    }
  }

  #think(slot: number, text: string): void {
    const block = this.#thinking.get(slot)
    if (block) block.thinking += text
    this.#response.reasoning(text)
  }

  #end(slot: number): void {
    this.#response.addCallEvents(this.#response.calls.close(slot, this.#whole.get(slot)))
    const block = this.#thinking.get(slot)
    // The service rejects a thinking block without a signature.
    if (block?.signature) this.#seal(block)
    this.#thinking.delete(slot)
  }

  #seal(item: MessagesThinkingBlock): void {
    this.#response.reasoningBlock({ surface: 'messages', item })
  }

  /**
   * Later counts replace earlier ones, except that a zero does not replace a count (fixture
   * `usage-with-a-zero-at-the-end-where-a-gateway.sse`). Cached tokens are part of the input.
   */
  #count(usage: unknown): void {
    const isReported = ([name, count]: [string, unknown]) =>
      countOf(count) !== undefined && (count !== 0 || this.#usage[name] === undefined)
    const given = Object.entries(objectOf(usage) ?? {}).filter(isReported)
    if (given.length === 0) return
    this.#usage = { ...this.#usage, ...Object.fromEntries(given) }
    const cached = tokens(this.#usage, 'cache_read_input_tokens') + tokens(this.#usage, 'cache_creation_input_tokens')
    this.#response.usage = {
      input: tokens(this.#usage, 'input_tokens') + cached,
      output: tokens(this.#usage, 'output_tokens'),
    }
  }

  #message(message: JsonObject): void {
    this.#start(message)
    for (const [slot, block] of listOf(message['content']).entries()) {
      this.#begin(slot, objectOf(block))
      this.#end(slot)
    }
    this.#stopReason = textOf(message['stop_reason'])
    this.#isStopped = true
  }
}

const slotOf = (event: JsonObject) => countOf(event['index']) ?? 0
