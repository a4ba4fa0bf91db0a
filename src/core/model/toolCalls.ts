// Tool-call pieces into whole calls, whole only at the end.
import { countOf, objectOf, parsedJson, textOf } from '../../protocol/json.ts'
import type { ModelEvent } from './modelClient.ts'

interface Open {
  /** What the service calls it; servers may give two calls the same. */
  readonly id: string
  /** What we call it: one of its kind. */
  call: string
  /** What we called it where it began. */
  readonly startedAs: string
  name: string
  readonly slot: number | undefined
  text: string
  /** Some servers send the arguments as an object in place of text. */
  object: unknown
  isWhole: boolean
}

/** Collects the calls of one answer, in the two ways in which surfaces send them. */
export class ToolCalls {
  #open: Open[] = []

  get count(): number {
    return this.#open.length
  }

  get wholeCount(): number {
    return this.#open.filter(({ isWhole }) => isWhole).length
  }

  /**
   * A piece of `delta.tool_calls`. It belongs to the call of its index; without an index to the call of its id, else to
   * the last one. A new id under the same index begins a new call, and so does a name where the call before is whole:
   * some servers count wrongly and give no ids. Nothing says where such a call ends but the end of the answer.
   */
  *take(piece: unknown): Iterable<ModelEvent> {
    const given = objectOf(piece)
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
    yield* this.#grow(open, called?.['arguments'])
  }

  /** A call that has a slot of its own from the beginning, and an end of its own. */
  *start(slot: number, id: string, name: string): Iterable<ModelEvent> {
    if (!name || this.#at(slot)) return
    const { call } = this.#begin(slot, id, name)
    yield { kind: 'tool-input-start', id: call, name }
  }

  *append(slot: number, text: unknown): Iterable<ModelEvent> {
    const open = this.#at(slot)
    if (open && !open.isWhole) yield* this.#grow(open, text)
  }

  /** The call is whole; `given` replaces what was collected. */
  *close(slot: number, given?: unknown): Iterable<ModelEvent> {
    const open = this.#at(slot)
    if (!open) return
    open.isWhole = true
    if (typeof given === 'object' && given !== null) open.object = given
    if (typeof given !== 'string' || given === open.text) return
    // What was shown so far is a beginning of it, or the service has changed its mind.
    const rest = given.startsWith(open.text) ? given.slice(open.text.length) : ''
    open.text = given
    if (rest) yield { kind: 'tool-input-delta', id: open.startedAs, text: rest }
  }

  /** What the end of a call says about its beginning. */
  correct(slot: number, id: string, name: string): void {
    const open = this.#at(slot)
    if (!open) return
    if (name) open.name = name
    if (id && id !== open.id && !this.#isTaken(id)) open.call = id
  }

  /** The whole calls. One whose arguments are no JSON object comes as a text: whoever runs tools refuses it. */
  *finish(): Iterable<ModelEvent> {
    for (const { call, startedAs, name, text, object, isWhole } of this.#open) {
      if (!isWhole) continue
      const input = object ?? readArguments(text)
      yield { kind: 'tool-call', id: call, name, input, ...(startedAs !== call && { startedAs }) }
    }
  }

  #at(slot: number): Open | undefined {
    return this.#open.findLast(open => open.slot === slot)
  }

  #isTaken(id: string): boolean {
    return this.#open.some(open => open.id === id || open.call === id)
  }

  #begin(slot: number | undefined, id: string, name: string): Open {
    // Unlike any id of the service, in this answer and in those before.
    const call = id && !this.#isTaken(id) ? id : `call_${crypto.randomUUID()}`
    const open = { id, call, startedAs: call, name, slot, text: '', object: undefined, isWhole: false }
    this.#open.push(open)
    return open
  }

  *#grow(open: Open, given: unknown): Iterable<ModelEvent> {
    if (typeof given === 'string' && given) {
      open.text += given
      yield { kind: 'tool-input-delta', id: open.startedAs, text: given }
    } else if (typeof given === 'object' && given !== null) {
      open.object = given
    }
  }

  #find(slot: number | undefined, id: string, name: string, given: unknown): Open | undefined {
    const candidates = slot === undefined ? this.#open : this.#open.filter(open => open.slot === slot)
    const last = candidates.at(-1)
    if (id) {
      // Another id is another call, even where the server counts wrongly; without a name it can only go on.
      return candidates.find(open => open.id === id) ?? (name ? undefined : last)
    }
    return last && name && beginsAnother(last, name, given) ? undefined : last
  }
}

/** Some servers repeat the name with each piece; only one that follows a whole call, or is another, begins a call. */
function beginsAnother(last: Open, name: string, given: unknown): boolean {
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
