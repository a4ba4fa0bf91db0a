// Reads an answer of the messages surface.

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

/** Events of a message, or one whole message. They are told apart by `type` in the data. */
export class MessagesReader implements StreamDecoder {
  readonly #said: ResponseAccumulator
  #id: string | undefined
  #hasStarted = false
  #stopReason = ''
  #isStopped = false
  /** Thinking blocks whose signature is still to come, by their index. */
  readonly #thinking = new Map<number, Thinking>()
  /** Calls that arrived whole where they began. */
  readonly #whole = new Map<number, JsonObject>()
  #usage: JsonObject = {}

  constructor(said: ResponseAccumulator) {
    this.#said = said
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
      // The service paused tools of its own; we offer none, so nothing goes on from here.
      case 'pause_turn':
        return 'cut-off'
      default:
        return 'done'
    }
  }

  get oddReason(): string | undefined {
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
        const fault = faultIn(this.#said.host, event)
        if (fault) throw fault
      }
    }
  }

  /** Some gateways say the beginning twice. Another message in the middle of one is not to be told from it any more. */
  #start(message: JsonObject | undefined): void {
    const id = textOf(message?.['id']) || undefined
    if (id && this.#id && id !== this.#id) throw new ContractError(this.#said.host, 'shape', 'message_start')
    if (this.#hasStarted) return
    this.#hasStarted = true
    this.#id = id
    this.#count(message?.['usage'])
  }

  #begin(slot: number, block: JsonObject | undefined): void {
    switch (block?.['type']) {
      case 'text':
        return this.#said.text(textOf(block['text']))
      case 'thinking':
        this.#thinking.set(slot, { type: 'thinking', thinking: '', signature: textOf(block['signature']) })
        return this.#think(slot, textOf(block['thinking']))
      case 'redacted_thinking':
        return this.#seal({ type: 'redacted_thinking', data: textOf(block['data']) })
      case 'tool_use': {
        const input = objectOf(block['input'])
        if (input && Object.keys(input).length > 0) this.#whole.set(slot, input)
        return this.#said.told(this.#said.calls.start(slot, textOf(block['id']), textOf(block['name'])))
      }
    }
  }

  #delta(slot: number, delta: JsonObject | undefined): void {
    switch (delta?.['type']) {
      case 'text_delta':
        return this.#said.text(textOf(delta['text']))
      case 'thinking_delta':
        return this.#think(slot, textOf(delta['thinking']))
      case 'signature_delta': {
        const block = this.#thinking.get(slot)
        const signature = textOf(delta['signature'])
        this.#said.hold(signature.length)
        if (block) block.signature += signature
        return
      }
      case 'input_json_delta':
        if (delta['partial_json']) this.#whole.delete(slot)
        return this.#said.told(this.#said.calls.append(slot, delta['partial_json']))
    }
  }

  #think(slot: number, text: string): void {
    const block = this.#thinking.get(slot)
    if (block) block.thinking += text
    this.#said.reasoning(text)
  }

  #end(slot: number): void {
    this.#said.told(this.#said.calls.close(slot, this.#whole.get(slot)))
    const block = this.#thinking.get(slot)
    // Without its signature the service would not take it back.
    if (block?.signature) this.#seal(block)
    this.#thinking.delete(slot)
  }

  #seal(item: MessagesThinkingBlock): void {
    this.#said.reasoningBlock({ surface: 'messages', item })
  }

  /**
   * Later numbers replace earlier ones, but for a zero, which some gateways put where they count nothing. What the
   * service had in its cache is part of the input.
   */
  #count(usage: unknown): void {
    const isTold = ([name, count]: [string, unknown]) =>
      countOf(count) !== undefined && (count !== 0 || this.#usage[name] === undefined)
    const given = Object.entries(objectOf(usage) ?? {}).filter(isTold)
    if (given.length === 0) return
    this.#usage = { ...this.#usage, ...Object.fromEntries(given) }
    const cached = tokens(this.#usage, 'cache_read_input_tokens') + tokens(this.#usage, 'cache_creation_input_tokens')
    this.#said.usage = {
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
