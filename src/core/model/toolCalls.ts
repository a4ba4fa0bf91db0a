// `ToolCalls`: joins the deltas of tool calls to complete calls.
import { countOf, objectOf, parsedJson, textOf } from '../../protocol/json.ts'
import type { ModelEvent } from './modelClient.ts'

interface OpenCall {
  /** The id of the service; two calls may have the same (fixture `two-calls-under-the-same-id.sse`). */
  readonly id: string
  /** The id in our events, which is unique. */
  call: string
  /** `call` at the start of the call. */
  readonly startedAs: string
  name: string
  readonly slot: number | undefined
  text: string
  /** The arguments if they are sent as an object in place of a text (ggml-org/llama.cpp 20198). */
  object: unknown
  isWhole: boolean
}

/**
 * Collects the calls of one answer: by `take` for chat completions, by `start`, `append` and `close` for the others.
 */
export class ToolCalls {
  #open: OpenCall[] = []

  get count(): number {
    return this.#open.length
  }

  get wholeCount(): number {
    return this.#open.filter(({ isWhole }) => isWhole).length
  }

  /**
   * Adds an entry of `delta.tool_calls`. It belongs to the call with its index; without an index to the call with its
   * id, else to the last one. A new id with the same index starts a new call, and so does a name if the last call is
   * complete, because a server may use index 0 for every call (ollama/ollama 15457). Such calls end only with the
   * answer.
   */
  *take(delta: unknown): Iterable<ModelEvent> {
    const given = objectOf(delta)
    const called = objectOf(given?.['function'])
    const id = textOf(given?.['id'])
    const name = textOf(called?.['name'])
    const slot = countOf(given?.['index'])
    let open = this.#find(slot, id, name, called?.['arguments'])
    if (!open) {
      if (!name) return
      open = this.#begin(slot, id, name)
      open.isWhole = true
      yield { kind: 'tool-input-start', id: open.call, name }
    }
    yield* this.#appendArguments(open, called?.['arguments'])
  }

  /** Starts a call with its own slot, which `close` ends. */
  *start(slot: number, id: string, name: string): Iterable<ModelEvent> {
    if (!name || this.#at(slot)) return
    const { call } = this.#begin(slot, id, name)
    yield { kind: 'tool-input-start', id: call, name }
  }

  *append(slot: number, text: unknown): Iterable<ModelEvent> {
    const open = this.#at(slot)
    if (open && !open.isWhole) yield* this.#appendArguments(open, text)
  }

  /** Completes a call; `given` replaces the collected arguments. */
  *close(slot: number, given?: unknown): Iterable<ModelEvent> {
    const open = this.#at(slot)
    if (!open) return
    open.isWhole = true
    if (typeof given === 'object' && given !== null) open.object = given
    if (typeof given !== 'string' || given === open.text) return
    // Only the part of the arguments that was not yet sent; none if they differ from those sent before.
    const rest = given.startsWith(open.text) ? given.slice(open.text.length) : ''
    open.text = given
    if (rest) yield { kind: 'tool-input-delta', id: open.startedAs, text: rest }
  }

  /** Replaces the id and the name by those at the end of the call. */
  correct(slot: number, id: string, name: string): void {
    const open = this.#at(slot)
    if (!open) return
    if (name) open.name = name
    if (id && id !== open.id && !this.#isTaken(id)) open.call = id
  }

  /** The complete calls. Arguments that are no JSON object come as a text, and `checkArguments` refuses them. */
  *finish(): Iterable<ModelEvent> {
    for (const { call, startedAs, name, text, object, isWhole } of this.#open) {
      if (!isWhole) continue
      const input = object ?? readArguments(text)
      yield { kind: 'tool-call', id: call, name, input, ...(startedAs !== call && { startedAs }) }
    }
  }

  #at(slot: number): OpenCall | undefined {
    return this.#open.findLast(open => open.slot === slot)
  }

  #isTaken(id: string): boolean {
    return this.#open.some(open => open.id === id || open.call === id)
  }

  #begin(slot: number | undefined, id: string, name: string): OpenCall {
    // Unique in this answer and all earlier ones.
    const call = id && !this.#isTaken(id) ? id : `call_${crypto.randomUUID()}`
    const open = { id, call, startedAs: call, name, slot, text: '', object: undefined, isWhole: false }
    this.#open.push(open)
    return open
  }

  *#appendArguments(open: OpenCall, given: unknown): Iterable<ModelEvent> {
    if (typeof given === 'string' && given) {
      open.text += given
      yield { kind: 'tool-input-delta', id: open.startedAs, text: given }
    } else if (typeof given === 'object' && given !== null) {
      open.object = given
    }
  }

  #find(slot: number | undefined, id: string, name: string, given: unknown): OpenCall | undefined {
    const candidates = slot === undefined ? this.#open : this.#open.filter(open => open.slot === slot)
    const last = candidates.at(-1)
    if (id) {
      // Another id is another call, even with the same index; without a name it continues the last call.
      return candidates.find(open => open.id === id) ?? (name ? undefined : last)
    }
    return last && name && beginsAnother(last, name, given) ? undefined : last
  }
}

/**
 * A repeated name starts a call only after a complete one, because each delta may have the name (fixture
 * `name-in-full-with-each-piece.sse`).
 */
function beginsAnother(last: OpenCall, name: string, given: unknown): boolean {
  const isWhole = last.object !== undefined || typeof readArguments(last.text) === 'object'
  if (!isWhole) return false
  const isEmpty = last.object === undefined && !last.text.trim()
  return last.name !== name || (!isEmpty && given !== undefined && given !== '')
}

function readArguments(text: string): unknown {
  if (!text.trim()) return {}
  const parsed = parsedJson(text)
  return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? parsed : text
}
