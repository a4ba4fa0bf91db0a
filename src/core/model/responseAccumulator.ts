// `ResponseAccumulator`: collects the content of one answer of any surface as events, and determines its finish reason.

import type { SealedReasoning } from '../../protocol/conversation.ts'
import { ContractError, TooLargeError } from '../http/errors.ts'
import type { FinishReason, ModelEvent, Usage } from './modelClient.ts'
import { type Split, ThinkTag } from './thinkTag.ts'
import { ToolCalls } from './toolCalls.ts'

/** Longer than any answer of a model. */
const ANSWER_LIMIT_CHARS = 4 * 1024 * 1024
/** What each call counts, so that the number of calls without arguments is limited as well. */
const CALL_CHARS = 1_024

type OpenDelta =
  | { kind: 'text-delta' | 'reasoning-delta'; text: string }
  | { kind: 'tool-input-delta'; id: string; text: string }

/** Consecutive deltas of the same kind in one read are joined to one event. */
export class ResponseAccumulator {
  readonly host: string
  readonly calls = new ToolCalls()
  usage: Usage | undefined
  #events: ModelEvent[] = []
  #openDelta: OpenDelta | undefined
  readonly #think = new ThinkTag()
  #hasReceivedText = false
  #hasText = false
  #size = 0

  constructor(host: string) {
    this.host = host
  }

  /** Text has arrived, even if it was reasoning between tags. */
  get hasReceivedText(): boolean {
    return this.#hasReceivedText
  }

  /** The answer has any content. */
  get hasAny(): boolean {
    return this.#size > 0 || this.calls.count > 0
  }

  /** Models whose server does not separate their reasoning write it between tags before the text. */
  text(text: string): void {
    if (!text) return
    this.#hasReceivedText = true
    this.#addSplit(this.#think.take(text))
  }

  /** Adds what may have been the beginning of a tag. `isWhole`: the answer is complete. */
  flush(isWhole: boolean): void {
    this.#addSplit(this.#think.flush(isWhole))
  }

  reasoning(text: string): void {
    if (text) this.#appendDelta('reasoning-delta', text)
  }

  reasoningBlock(sealed: SealedReasoning): void {
    this.countChars(JSON.stringify(sealed.item).length)
    this.#add({ kind: 'reasoning-block', sealed })
  }

  /** Adds the events that a method of `calls` has yielded. */
  addCallEvents(events: Iterable<ModelEvent>): void {
    for (const event of events) {
      this.flush(true)
      if (event.kind === 'tool-input-delta') this.#appendInput(event.id, event.text)
      else {
        this.countChars(CALL_CHARS)
        this.#add(event)
      }
    }
  }

  /** The events since the last call of `take`. */
  take(): readonly ModelEvent[] {
    this.#closeDelta()
    const events = this.#events
    this.#events = []
    return events
  }

  /**
   * Ends the answer. `reason` is the finish reason of the service, undefined if it only closed the stream. The calls of
   * a cut answer are left out, because they may be incomplete.
   */
  end(reason: FinishReason | undefined, mayBeEmpty: boolean): void {
    const why = this.#why(reason, mayBeEmpty)
    if (why === 'tools') this.addCallEvents(this.calls.finish())
    this.#add({ kind: 'finish', why, ...(this.usage && { usage: this.usage }) })
  }

  #why(reason: FinishReason | undefined, mayBeEmpty: boolean): FinishReason {
    if (reason === 'length' || reason === 'filtered' || reason === 'refused') return reason
    const isOver = reason === 'done' || reason === 'tools'
    if (isOver && this.calls.wholeCount > 0) return 'tools'
    const isWhole = reason === 'done' && this.calls.count === 0
    if (isWhole && (this.#hasText || mayBeEmpty)) return 'done'
    if (this.#hasText || this.calls.count > 0) return 'cut-off'
    throw new ContractError(this.host, 'empty', 'stream')
  }

  #addSplit({ reasoning, text }: Split): void {
    this.reasoning(reasoning)
    if (!text) return
    this.#hasText = true
    this.#appendDelta('text-delta', text)
  }

  #appendDelta(kind: 'text-delta' | 'reasoning-delta', text: string): void {
    this.countChars(text.length)
    if (this.#openDelta?.kind === kind) {
      this.#openDelta.text += text
      return
    }
    this.#closeDelta()
    this.#openDelta = { kind, text }
  }

  #appendInput(call: string, text: string): void {
    this.countChars(text.length)
    if (this.#openDelta?.kind === 'tool-input-delta' && this.#openDelta.id === call) {
      this.#openDelta.text += text
      return
    }
    this.#closeDelta()
    this.#openDelta = { kind: 'tool-input-delta', id: call, text }
  }

  #add(event: ModelEvent): void {
    this.#closeDelta()
    this.#events.push(event)
  }

  #closeDelta(): void {
    if (this.#openDelta) this.#events.push(this.#openDelta)
    this.#openDelta = undefined
  }

  /**
   * Counts the characters of the answer and throws above the limit, so that an endless answer does not fill the memory.
   */
  countChars(length: number): void {
    this.#size += length
    if (this.#size > ANSWER_LIMIT_CHARS) throw new TooLargeError(this.host, ANSWER_LIMIT_CHARS)
  }
}
