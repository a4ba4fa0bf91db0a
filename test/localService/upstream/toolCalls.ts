// Puts the pieces of tool calls in order: one call after the other, however they were mixed.
import { randomUUID } from 'node:crypto'
import { isObject, isString, type JsonObject } from '../json.ts'
import type { ModelEvent } from '../modelEvent.ts'

interface Slot {
  readonly index: number | undefined
  id: string
  name: string
  text: string
  /** How much of the text is out. */
  sentChars: number
  isSent: boolean
}

export class ToolCalls {
  readonly #slots: Slot[] = []
  /** The call that is being sent; those before it are complete. */
  #current = 0

  get count(): number {
    return this.#slots.length
  }

  /** True while a call is being sent that may not be complete. */
  get isOpen(): boolean {
    const slot = this.#slots[this.#current]
    return slot !== undefined && !isWhole(slot.text)
  }

  /** Takes one entry of `tool_calls` and gives what can be sent now. */
  take(delta: unknown): ModelEvent[] {
    if (!isObject(delta)) return []
    const called = isObject(delta['function']) ? delta['function'] : {}
    const slot = this.#slotFor(delta, called)
    if (slot.id === '' && isString(delta['id'])) slot.id = delta['id']
    if (slot.name === '' && isString(called['name'])) slot.name = called['name']
    slot.text += argumentsText(called['arguments'])
    return this.#flush(false)
  }

  /** What has waited for a call before it. */
  finish(): ModelEvent[] {
    return this.#flush(true)
  }

  /** Keys differ between servers: an index, an id, neither, or one index for all. */
  #slotFor(delta: JsonObject, called: JsonObject): Slot {
    const index = typeof delta['index'] === 'number' ? delta['index'] : undefined
    const id = isString(delta['id']) ? delta['id'] : ''
    const known = this.#slots.findLast(slot =>
      index === undefined ? id !== '' && slot.id === id : slot.index === index,
    )
    const candidate = known ?? (index === undefined && id === '' ? this.#slots.at(-1) : undefined)
    const isOther =
      candidate !== undefined &&
      ((id !== '' && candidate.id !== '' && id !== candidate.id) ||
        (isString(called['name']) && called['name'] !== '' && candidate.name !== '' && isWhole(candidate.text)))
    if (candidate && !isOther) return candidate
    const slot: Slot = { index, id: '', name: '', text: '', sentChars: 0, isSent: false }
    this.#slots.push(slot)
    return slot
  }

  #flush(isLast: boolean): ModelEvent[] {
    const events: ModelEvent[] = []
    for (;;) {
      const slot = this.#slots[this.#current]
      if (!slot) return events
      events.push(...newsOf(slot))
      const hasNext = this.#current < this.#slots.length - 1
      if (!hasNext || !(isLast || isWhole(slot.text))) return events
      this.#current += 1
    }
  }
}

function newsOf(slot: Slot): ModelEvent[] {
  if (slot.name === '') return []
  const events: ModelEvent[] = []
  if (!slot.isSent) events.push({ kind: 'call', id: slot.id || `call_${randomUUID()}`, name: slot.name })
  const text = slot.text.slice(slot.sentChars)
  if (text !== '') events.push({ kind: 'arguments', text })
  slot.isSent = true
  slot.sentChars = slot.text.length
  return events
}

function argumentsText(value: unknown): string {
  if (isString(value)) return value
  return isObject(value) ? JSON.stringify(value) : ''
}

function isWhole(text: string): boolean {
  try {
    return isObject(JSON.parse(text))
  } catch {
    return false
  }
}
