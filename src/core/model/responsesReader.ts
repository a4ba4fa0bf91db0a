// Reads an answer of the responses surface.
import { countOf, type JsonObject, listOf, objectOf, textOf } from '../../protocol/json.ts'
import type { ProblemError } from '../http/errors.ts'
import type { FinishReason } from './modelClient.ts'
import type { ResponseAccumulator } from './responseAccumulator.ts'
import { faultIn, isNothing, type StreamDecoder, tokens } from './streamDecoder.ts'

type Form = 'delta' | 'done'
/** Which member counts the parts of an item. */
type Index = 'content_index' | 'summary_index'

const nowhere = { slot: -1, part: -1, index: undefined }

/**
 * Events of a response, or one whole response. They are told apart by `type` in the data: the event's name is missing
 * on some servers. Parts are known by their indexes: some servers give an item another id with each event.
 */
export class ResponsesReader implements StreamDecoder {
  readonly #said: ResponseAccumulator
  #reason: FinishReason | undefined
  #isRefusal = false
  /** Output items and their parts, as `item/part`, that were said in pieces already. */
  readonly #heard = new Set<string>()
  /** Which of its two forms an item's reasoning is told in: servers that send both mean the same by them. */
  readonly #reasoningForms = new Map<number, Index>()
  /** Calls whose place is not named, by `call_id` and by the item's `id`. */
  readonly #unplaced = new Map<string, number>()
  #lastUnplaced = 0
  #growing: { readonly slot: number; readonly part: number; readonly index: Index | undefined } = nowhere
  #lastSummary: string | undefined
  /** A failure without words: the next event may have them. */
  #failure: ProblemError | undefined

  constructor(said: ResponseAccumulator) {
    this.#said = said
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
        return this.#said.told(this.#said.calls.append(this.#callSlot(event), event['delta']))
      case 'response.function_call_arguments.done':
        return this.#said.told(this.#said.calls.close(this.#callSlot(event), event['arguments']))
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

  /** A whole response, or a gateway's error, whose `type` is no event's or missing; else an event that is not for us. */
  #other(event: JsonObject): void {
    if (event['object'] === 'response' || Array.isArray(event['output'])) this.#end(event, undefined)
    else this.#fail(event)
  }

  #text(event: JsonObject, text: unknown, form: Form): void {
    if (typeof text === 'string' && text && this.#isNew(event, 'content_index', form)) this.#said.text(text)
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
    this.#said.reasoning(text)
  }

  /** Each part of a summary is a paragraph of its own. */
  #paragraph(part: string): void {
    if (this.#lastSummary !== undefined && this.#lastSummary !== part) this.#said.reasoning('\n\n')
    this.#lastSummary = part
  }

  /** What a `done` repeats counts only where no `delta` came before. */
  #isNew(event: JsonObject, index: Index, form: Form): boolean {
    const slot = slotOf(event)
    const part = countOf(event[index]) ?? 0
    // Almost every event goes on where the one before it stood.
    const growing = this.#growing
    if (form === 'delta' && growing.slot === slot && growing.part === part && growing.index === index) return true
    const name = `${index}/${slot}/${part}`
    if (form === 'done' && this.#heard.has(name)) return false
    this.#heard.add(name).add(`${slot}`)
    this.#growing = { slot, part, index }
    return true
  }

  /** Where a server names no place, a new `call_id` begins a new call, and what names no call goes on with the last. */
  #callSlot(event: JsonObject): number {
    const item = objectOf(event['item'])
    if (countOf(event['output_index']) !== undefined || (item && item['type'] !== 'function_call')) return slotOf(event)
    const id = textOf(item?.['call_id'])
    const itemId = textOf((item ?? event)[item ? 'id' : 'item_id'])
    const known = this.#unplaced.get(`call ${id}`) ?? (id ? undefined : this.#unplaced.get(`item ${itemId}`))
    const isNew = id !== '' && known === undefined
    // Below any place that a server names.
    const slot = isNew && this.#unplaced.size > 0 ? -1 - this.#unplaced.size : (known ?? this.#lastUnplaced)
    if (id) this.#unplaced.set(`call ${id}`, slot)
    if (item && itemId) this.#unplaced.set(`item ${itemId}`, slot)
    this.#lastUnplaced = slot
    return slot
  }

  #itemBegins(slot: number, item: JsonObject | undefined): void {
    if (item?.['type'] !== 'function_call') return
    this.#said.told(this.#said.calls.start(slot, idOf(item), textOf(item['name'])))
  }

  #itemEnds(slot: number, item: JsonObject | undefined): void {
    if (!item) return
    switch (item['type']) {
      case 'function_call':
        this.#itemBegins(slot, item)
        this.#said.calls.correct(slot, idOf(item), textOf(item['name']))
        // A call that the answer's limit has cut says so here.
        if (item['status'] !== 'incomplete') this.#said.told(this.#said.calls.close(slot, item['arguments']))
        return
      case 'reasoning':
        return this.#reasoningEnds(slot, item)
      case 'message':
        if (!this.#heard.has(`${slot}`)) this.#whole(item)
        this.#heard.add(`${slot}`)
    }
  }

  #reasoningEnds(slot: number, item: JsonObject): void {
    const { summary, content, encrypted_content } = item
    if (!this.#heard.has(`${slot}`)) {
      const parts = listOf(summary).length > 0 ? listOf(summary) : listOf(content)
      for (const [index, part] of parts.entries()) {
        this.#paragraph(`${slot}/${index}`)
        this.#said.reasoning(textOf(objectOf(part)?.['text']))
      }
    }
    this.#heard.add(`${slot}`)
    if (typeof encrypted_content !== 'string' || !encrypted_content) return
    this.#said.reasoningBlock({
      surface: 'responses',
      item: { type: 'reasoning', summary: listOf(summary), encrypted_content },
    })
  }

  #whole(message: JsonObject): void {
    for (const part of listOf(message['content']).map(objectOf)) {
      const refusal = textOf(part?.['refusal'])
      if (refusal) this.#isRefusal = true
      this.#said.text(refusal || textOf(part?.['text']))
    }
  }

  #end(response: JsonObject, type: string | undefined): void {
    const { status, error, usage, output } = response
    if (type === 'response.failed' || status === 'failed') return this.#fail({ type: 'error', error: error ?? {} })
    if (!isNothing(error)) return this.#fail({ error })
    const counted = objectOf(usage)
    if (counted) this.#said.usage = { input: tokens(counted, 'input_tokens'), output: tokens(counted, 'output_tokens') }
    this.#tellUntold(listOf(output).map(objectOf))
    this.#reason = type === 'response.incomplete' || status === 'incomplete' ? reasonOf(response) : 'done'
  }

  /** Some servers say only at the end what they never said in pieces: all of it, or the items of a kind. */
  #tellUntold(output: readonly (JsonObject | undefined)[]): void {
    const { hasAny, hasText, calls } = this.#said
    const isTold: Readonly<Record<string, boolean>> = { message: hasText, function_call: calls.count > 0 }
    for (const [slot, item] of output.entries()) {
      if (!(isTold[textOf(item?.['type'])] ?? hasAny)) this.#itemEnds(slot, item)
    }
  }

  /** Servers report one failure twice, in either order, and one of the two may be bare. */
  #fail(frame: JsonObject): void {
    const fault = faultIn(this.#said.host, frame)
    if (!fault) return
    if (fault.problem.text) throw fault
    this.#failure ??= fault
  }
}

/** Missing on some servers where there is only one item. */
const slotOf = (event: JsonObject) => countOf(event['output_index']) ?? 0

/** `call_id` is what the result answers to; `id` names the item only. */
const idOf = (item: JsonObject) => textOf(item['call_id']) || textOf(item['id'])

function reasonOf(response: JsonObject): FinishReason {
  switch (objectOf(response['incomplete_details'])?.['reason']) {
    case 'max_output_tokens':
      return 'length'
    case 'content_filter':
      return 'refused'
    default:
      return 'cut-off'
  }
}
