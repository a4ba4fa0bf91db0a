// `AnswerWriter`: what a model says in one step, as events of the conversation.
import type { SealedReasoning } from '../../protocol/conversation.ts'
import type { ModelEvent } from '../model/modelClient.ts'
import type { TurnLog } from './turnPorts.ts'

type AnswerEvent = Exclude<ModelEvent, { kind: 'finish' }>

/** A call as its answer has it, in the order of the answer. */
export interface BegunCall {
  readonly part: string
  readonly name: string
  /** Undefined until the answer has ended as one whose calls may be carried out. */
  readonly written: { readonly input: unknown } | undefined
  readonly inputText: string
}

interface Growing {
  readonly kind: 'text' | 'reasoning'
  readonly part: string
  chars: number
}

interface Call {
  readonly part: string
  readonly startedAs: string
  name: string
  inputText: string
  written: { readonly input: unknown } | undefined
}

/** Each kind of part that follows another begins a part of its own, so that their order is that of the answer. */
export class AnswerWriter {
  readonly #log: TurnLog
  readonly #turn: string
  readonly #newId: () => string
  #growing: Growing | undefined
  readonly #calls: Call[] = []
  #hasBegun = false

  constructor(log: TurnLog, turn: string, newId: () => string) {
    this.#log = log
    this.#turn = turn
    this.#newId = newId
  }

  /** Anything of the answer has come. */
  get hasBegun(): boolean {
    return this.#hasBegun
  }

  get calls(): readonly BegunCall[] {
    return this.#calls
  }

  async write(event: AnswerEvent): Promise<void> {
    this.#hasBegun = true
    switch (event.kind) {
      case 'text-delta':
        return this.#grow('text', event.text)
      case 'reasoning-delta':
        return this.#grow('reasoning', event.text)
      case 'reasoning-block':
        return this.#seal(event.sealed)
      case 'tool-input-start':
        await this.#begin(event.id, event.name)
        return
      case 'tool-input-delta':
        return this.#growInput(event.id, event.text)
      case 'tool-call':
        return this.#endCall(event)
    }
  }

  /** Ends the part that is growing. */
  async close(sealed?: SealedReasoning): Promise<void> {
    const { part, kind } = this.#growing ?? {}
    this.#growing = undefined
    if (part === undefined || kind !== 'reasoning') return
    await this.#log.append({ kind: 'part-ended', turn: this.#turn, part, ...(sealed && { sealed }) })
  }

  async #grow(kind: Growing['kind'], text: string): Promise<void> {
    const growing = this.#growing?.kind === kind ? this.#growing : await this.#beginText(kind)
    const offset = growing.chars
    growing.chars += text.length
    await this.#log.append({ kind: `${kind}-delta`, turn: this.#turn, part: growing.part, offset, text })
  }

  async #beginText(kind: Growing['kind']): Promise<Growing> {
    await this.close()
    const growing: Growing = { kind, part: this.#newId(), chars: 0 }
    this.#growing = growing
    await this.#log.append({ kind: 'part-started', turn: this.#turn, value: { kind, id: growing.part, text: '' } })
    return growing
  }

  /** A block without visible reasoning before it is a part of its own. */
  async #seal(sealed: SealedReasoning): Promise<void> {
    if (this.#growing?.kind === 'reasoning') return this.close(sealed)
    await this.close()
    const value = { kind: 'reasoning', id: this.#newId(), text: '', sealed } as const
    await this.#log.append({ kind: 'part-started', turn: this.#turn, value })
    await this.#log.append({ kind: 'part-ended', turn: this.#turn, part: value.id })
  }

  async #begin(id: string, name: string): Promise<Call> {
    await this.close()
    const call: Call = { part: this.#newId(), startedAs: id, name, inputText: '', written: undefined }
    this.#calls.push(call)
    const value = { kind: 'tool-call', id: call.part, call: id, name, inputText: '', isWritten: false } as const
    await this.#log.append({ kind: 'part-started', turn: this.#turn, value })
    return call
  }

  async #growInput(id: string, text: string): Promise<void> {
    const call = this.#calls.find(({ startedAs }) => startedAs === id)
    if (!call) return
    const offset = call.inputText.length
    call.inputText += text
    await this.#log.append({ kind: 'tool-input-delta', turn: this.#turn, part: call.part, offset, text })
  }

  async #endCall({ id, name, input, startedAs = id }: ModelEvent & { kind: 'tool-call' }): Promise<void> {
    const call = this.#calls.find(begun => begun.startedAs === startedAs) ?? (await this.#begin(id, name))
    const corrected = { ...(id !== call.startedAs && { call: id }), ...(name !== call.name && { name }) }
    call.name = name
    call.written = { input }
    await this.#log.append({ kind: 'tool-call', turn: this.#turn, part: call.part, input, ...corrected })
  }
}
