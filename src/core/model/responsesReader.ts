// `ResponsesReader`: the `StreamDecoder` of the responses surface.
import { countOf, type JsonObject, listOf, objectOf, textOf } from '../../protocol/json.ts'
import type { ProblemError } from '../http/errors.ts'
import type { FinishReason } from './modelClient.ts'
import type { ResponseAccumulator } from './responseAccumulator.ts'
import { faultIn, isNothing, type StreamDecoder, tokens } from './streamDecoder.ts'

type Form = 'delta' | 'done'
/** The member with the index of a part in its item. */
type Index = 'content_index' | 'summary_index'

const noPart = { slot: -1, part: -1, index: undefined }

/**
 * Reads the events of a response, or one complete response. `type` in the data determines which, because the event name
 * may be missing. Items are identified by their indexes, because GitHub Copilot changes their ids with every event
 * (fixture `no-event-names-type-last-one-item-under-changing-ids.sse`).
 */
export class ResponsesReader implements StreamDecoder {
  readonly #response: ResponseAccumulator
  #reason: FinishReason | undefined
  #isRefusal = false
  /** The output items, as `item`, and parts, as `index/item/part`, with content that was already received. */
  readonly #received = new Set<string>()
  /**
   * The first form in which an item's reasoning was received; the other one is ignored, because it repeats the content.
   */
  readonly #reasoningForms = new Map<number, Index>()
  /** The slots of calls without `output_index`, by `call_id` and by the item's `id`. */
  readonly #unplaced = new Map<string, number>()
  #lastUnplaced = 0
  /** The part of the last delta. */
  #openPart: { readonly slot: number; readonly part: number; readonly index: Index | undefined } = noPart
  #lastSummary: string | undefined
  /** A failure without a message, which the next event may have. */
  #failure: ProblemError | undefined

  constructor(response: ResponseAccumulator) {
    this.#response = response
  }

  get stage() {
    if (this.#reason !== undefined) return 'over'
    return this.#failure ? 'ended' : 'open'
  }

  get failure(): ProblemError | undefined {
    return this.#failure
  }

  get reason(): FinishReason | undefined {
    return this.#isRefusal && this.#reason === 'done' ? 'refused' : this.#reason
  }

  flush(): void {}

  take(event: JsonObject): void {
    switch (event['type']) {
      case 'response.output_text.delta':
        return this.#text(event, event['delta'], 'delta')
      case 'response.output_text.done':
        return this.#text(event, event['text'], 'done')
      case 'response.refusal.delta':
        return this.#refusal(event, event['delta'], 'delta')
      case 'response.refusal.done':
        return this.#refusal(event, event['refusal'], 'done')
      case 'response.reasoning_text.delta':
        return this.#reasoning(event, 'content_index', event['delta'], 'delta')
      case 'response.reasoning_text.done':
        return this.#reasoning(event, 'content_index', event['text'], 'done')
      case 'response.reasoning_summary_text.delta':
        return this.#reasoning(event, 'summary_index', event['delta'], 'delta')
      case 'response.reasoning_summary_text.done':
        return this.#reasoning(event, 'summary_index', event['text'], 'done')
      case 'response.function_call_arguments.delta':
        return this.#response.addCallEvents(this.#response.calls.append(this.#callSlot(event), event['delta']))
      case 'response.function_call_arguments.done':
        return this.#response.addCallEvents(this.#response.calls.close(this.#callSlot(event), event['arguments']))
      case 'response.output_item.added':
        return this.#itemBegins(this.#callSlot(event), objectOf(event['item']))
      case 'response.output_item.done':
        return this.#itemEnds(this.#callSlot(event), objectOf(event['item']))
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        return this.#end(objectOf(event['response']) ?? {}, event['type'])
      case 'error':
        return this.#fail(event)
      default:
        return this.#other(event)
    }
  }

  /** A complete response, or an error of a gateway without `type` (maximhq/bifrost 6783); other events are ignored. */
  #other(event: JsonObject): void {
    if (event['object'] === 'response' || Array.isArray(event['output'])) this.#end(event, undefined)
    else this.#fail(event)
  }

  #text(event: JsonObject, text: unknown, form: Form): void {
    if (typeof text === 'string' && text && this.#isNew(event, 'content_index', form)) this.#response.text(text)
  }

  #refusal(event: JsonObject, text: unknown, form: Form): void {
    this.#isRefusal = true
    this.#text(event, text, form)
  }

  #reasoning(event: JsonObject, index: Index, text: unknown, form: Form): void {
    if (typeof text !== 'string' || !text) return
    const slot = slotOf(event)
    const first = this.#reasoningForms.get(slot)
    if (first !== undefined && first !== index) return
    if (!this.#isNew(event, index, form)) return
    this.#reasoningForms.set(slot, index)
    this.#paragraph(`${slot}/${countOf(event['summary_index'])}`)
    this.#response.reasoning(text)
  }

  /** Separates the parts of a summary by an empty line. */
  #paragraph(part: string): void {
    if (this.#lastSummary !== undefined && this.#lastSummary !== part) this.#response.reasoning('\n\n')
    this.#lastSummary = part
  }

  /**
   * A `done` event repeats the text of its part, so it counts only if there was no `delta` (LM Studio sends `done`
   * alone).
   */
  #isNew(event: JsonObject, index: Index, form: Form): boolean {
    const slot = slotOf(event)
    const part = countOf(event[index]) ?? 0
    // A shortcut, because almost every event continues the part of the one before.
    const growing = this.#openPart
    if (form === 'delta' && growing.slot === slot && growing.part === part && growing.index === index) return true
    const name = `${index}/${slot}/${part}`
    if (form === 'done' && this.#received.has(name)) return false
    this.#received.add(name).add(`${slot}`)
    this.#openPart = { slot, part, index }
    return true
  }

  /** Without `output_index`, a new `call_id` starts a new call, and an event without an id continues the last call. */
  #callSlot(event: JsonObject): number {
    const item = objectOf(event['item'])
    if (countOf(event['output_index']) !== undefined || (item && item['type'] !== 'function_call')) return slotOf(event)
    const id = textOf(item?.['call_id'])
    const itemId = textOf((item ?? event)[item ? 'id' : 'item_id'])
    const known = this.#unplaced.get(`call ${id}`) ?? (id ? undefined : this.#unplaced.get(`item ${itemId}`))
    const isNew = id !== '' && known === undefined
    // Negative, so that it differs from every `output_index`.
    const slot = isNew && this.#unplaced.size > 0 ? -1 - this.#unplaced.size : (known ?? this.#lastUnplaced)
    if (id) this.#unplaced.set(`call ${id}`, slot)
    if (item && itemId) this.#unplaced.set(`item ${itemId}`, slot)
    this.#lastUnplaced = slot
    return slot
  }

  #itemBegins(slot: number, item: JsonObject | undefined): void {
    if (item?.['type'] !== 'function_call') return
    this.#response.addCallEvents(this.#response.calls.start(slot, idOf(item), textOf(item['name'])))
  }

  #itemEnds(slot: number, item: JsonObject | undefined): void {
    if (!item) return
    switch (item['type']) {
      case 'function_call':
        this.#itemBegins(slot, item)
        this.#response.calls.correct(slot, idOf(item), textOf(item['name']))
        // `incomplete`: the token limit has cut the call.
        if (item['status'] !== 'incomplete')
          this.#response.addCallEvents(this.#response.calls.close(slot, item['arguments']))
        return
      case 'reasoning':
        return this.#reasoningEnds(slot, item)
      case 'message':
        if (!this.#received.has(`${slot}`)) this.#whole(item)
        this.#received.add(`${slot}`)
    }
  }

  #reasoningEnds(slot: number, item: JsonObject): void {
    const { summary, content, encrypted_content } = item
    if (!this.#received.has(`${slot}`)) {
      const parts = listOf(summary).length > 0 ? listOf(summary) : listOf(content)
      for (const [index, part] of parts.entries()) {
        this.#paragraph(`${slot}/${index}`)
        this.#response.reasoning(textOf(objectOf(part)?.['text']))
      }
    }
    this.#received.add(`${slot}`)
    if (typeof encrypted_content !== 'string' || !encrypted_content) return
    this.#response.reasoningBlock({
      surface: 'responses',
      item: { type: 'reasoning', summary: listOf(summary), encrypted_content },
    })
  }

  #whole(message: JsonObject): void {
    for (const part of listOf(message['content']).map(objectOf)) {
      const refusal = textOf(part?.['refusal'])
      if (refusal) this.#isRefusal = true
      this.#response.text(refusal || textOf(part?.['text']))
    }
  }

  #end(response: JsonObject, type: string | undefined): void {
    const { status, error, usage, output } = response
    if (type === 'response.failed' || status === 'failed') return this.#fail({ type: 'error', error: error ?? {} })
    if (!isNothing(error)) return this.#fail({ error })
    const counted = objectOf(usage)
    if (counted)
      this.#response.usage = { input: tokens(counted, 'input_tokens'), output: tokens(counted, 'output_tokens') }
    this.#addMissing(listOf(output).map(objectOf))
    this.#reason = type === 'response.incomplete' || status === 'incomplete' ? reasonOf(response) : 'done'
  }

  /**
   * Adds the items that are only in the final event (fixtures `nothing-but-the-end-which-holds-it-all.sse`,
   * `call-that-only-the-whole-response-has.sse`).
   */
  #addMissing(output: readonly (JsonObject | undefined)[]): void {
    const { hasAny, hasReceivedText, calls } = this.#response
    const wasReceived: Readonly<Record<string, boolean>> = { message: hasReceivedText, function_call: calls.count > 0 }
    for (const [slot, item] of output.entries()) {
      if (!(wasReceived[textOf(item?.['type'])] ?? hasAny)) this.#itemEnds(slot, item)
    }
  }

  /** One failure may be reported twice, and only one of the two has a message (maximhq/bifrost 6419). */
  #fail(frame: JsonObject): void {
    const fault = faultIn(this.#response.host, frame)
    if (!fault) return
    if (fault.problem.text) throw fault
    this.#failure ??= fault
  }
}

/** 0 if the index is missing. */
const slotOf = (event: JsonObject) => countOf(event['output_index']) ?? 0

/** A result refers to `call_id`; `id` identifies only the item. */
const idOf = (item: JsonObject) => textOf(item['call_id']) || textOf(item['id'])

function reasonOf(response: JsonObject): FinishReason {
  switch (objectOf(response['incomplete_details'])?.['reason']) {
    case 'max_output_tokens':
      return 'length'
    case 'content_filter':
      return 'filtered'
    default:
      return 'cut-off'
  }
}
