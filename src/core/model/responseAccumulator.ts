// What one answer has said so far, on whichever surface, and what its end makes of it.

import type { SealedReasoning } from '../../protocol/conversation.ts'
import { ContractError, TooLargeError } from '../http/errors.ts'
import type { FinishReason, ModelEvent, Usage } from './modelClient.ts'
import { ToolCalls } from './toolCalls.ts'

/** Far beyond the longest answer that a model gives. */
const ANSWER_LIMIT_CHARS = 4 * 1024 * 1024
/** What each call counts, so that calls without arguments have an end as well. */
const CALL_CHARS = 1_024

type Growing =
  | { kind: 'text-delta' | 'reasoning-delta'; text: string }
  | { kind: 'tool-input-delta'; id: string; text: string }

/** Pieces of the same kind that came in one read are given as one: a reader shows them in one stroke anyway. */
export class ResponseAccumulator {
  readonly host: string
  readonly calls = new ToolCalls()
  usage: Usage | undefined
  #events: ModelEvent[] = []
  #growing: Growing | undefined
  #textLength = 0
  #size = 0

  constructor(host: string) {
    this.host = host
  }

  get hasText(): boolean {
    return this.#textLength > 0
  }

  /** Something that a person sees was said. */
  get hasAny(): boolean {
    return this.#size > 0 || this.calls.count > 0
  }

  text(text: string): void {
    if (!text) return
    this.#textLength += text.length
    this.#grow('text-delta', text)
  }

  reasoning(text: string): void {
    if (text) this.#grow('reasoning-delta', text)
  }

  reasoningBlock(sealed: SealedReasoning): void {
    this.hold(JSON.stringify(sealed.item).length)
    this.#add({ kind: 'reasoning-block', sealed })
  }

  /** What `calls` told while it took a piece in. */
  told(events: Iterable<ModelEvent>): void {
    for (const event of events) {
      if (event.kind === 'tool-input-delta') this.#growInput(event.id, event.text)
      else {
        this.hold(CALL_CHARS)
        this.#add(event)
      }
    }
  }

  /** The events since the last time. */
  take(): readonly ModelEvent[] {
    this.#settle()
    const events = this.#events
    this.#events = []
    return events
  }

  /**
   * Closes the answer. `reason` is what the service called its end, undefined where it only closed the stream. No call
   * of an answer that was cut is given: it may be half of one.
   */
  end(reason: FinishReason | undefined, mayBeEmpty: boolean): void {
    const why = this.#why(reason, mayBeEmpty)
    if (why === 'tools') this.told(this.calls.finish())
    this.#add({ kind: 'finish', why, ...(this.usage && { usage: this.usage }) })
  }

  #why(reason: FinishReason | undefined, mayBeEmpty: boolean): FinishReason {
    if (reason === 'length' || reason === 'refused') return reason
    const isOver = reason === 'done' || reason === 'tools'
    if (isOver && this.calls.wholeCount > 0) return 'tools'
    const isWhole = reason === 'done' && this.calls.count === 0
    if (isWhole && (this.hasText || mayBeEmpty)) return 'done'
    if (this.hasText || this.calls.count > 0) return 'cut-off'
    throw new ContractError(this.host, 'empty', 'stream')
  }

  #grow(kind: 'text-delta' | 'reasoning-delta', text: string): void {
    this.hold(text.length)
    if (this.#growing?.kind === kind) {
      this.#growing.text += text
      return
    }
    this.#settle()
    this.#growing = { kind, text }
  }

  #growInput(call: string, text: string): void {
    this.hold(text.length)
    if (this.#growing?.kind === 'tool-input-delta' && this.#growing.id === call) {
      this.#growing.text += text
      return
    }
    this.#settle()
    this.#growing = { kind: 'tool-input-delta', id: call, text }
  }

  #add(event: ModelEvent): void {
    this.#settle()
    this.#events.push(event)
  }

  #settle(): void {
    if (this.#growing) this.#events.push(this.#growing)
    this.#growing = undefined
  }

  /** Counts what is kept: an answer without end would fill the memory. Throws where it is too much. */
  hold(length: number): void {
    this.#size += length
    if (this.#size > ANSWER_LIMIT_CHARS) throw new TooLargeError(this.host, ANSWER_LIMIT_CHARS)
  }
}
