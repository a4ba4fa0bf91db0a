// `AnswerWriter`: appends the model's answer of one step to the log, as events of the conversation.
import type { SealedReasoning } from '../../protocol/conversation.ts'
import type { ModelEvent } from '../model/modelClient.ts'
import type { TurnLog } from './turnPorts.ts'

type AnswerEvent = Exclude<ModelEvent, { kind: 'finish' }>

/** A tool call of the answer; `part` is its id in the conversation. */
export interface StreamedCall {
  readonly part: string
  readonly name: string
  /** Undefined until the answer has ended as one whose calls may be carried out. */
  readonly written: { readonly input: unknown } | undefined
  readonly inputText: string
}

interface OpenPart {
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

/** A change of the kind of part starts a new part, so that the parts have the order of the answer. */
export class AnswerWriter {
  readonly #log: TurnLog
  readonly #turn: string
  readonly #newId: () => string
  #openPart: OpenPart | undefined
  readonly #calls: Call[] = []
  #hasBegun = false

  constructor(log: TurnLog, turn: string, newId: () => string) {
    this.#log = log
    this.#turn = turn
    this.#newId = newId
  }

  /** At least one event of the answer has arrived. */
  get hasBegun(): boolean {
    return this.#hasBegun
  }

  get calls(): readonly StreamedCall[] {
    return this.#calls
  }

  async write(event: AnswerEvent): Promise<void> {
    this.#hasBegun = true
    switch (event.kind) {
      case 'text-delta':
        return this.#appendText('text', event.text)
      case 'reasoning-delta':
        return this.#appendText('reasoning', event.text)
      case 'reasoning-block':
        return this.#seal(event.sealed)
      case 'tool-input-start':
        await this.#startCall(event.id, event.name)
        return
      case 'tool-input-delta':
        return this.#appendInput(event.id, event.text)
      case 'tool-call':
        return this.#endCall(event)
    }
  }

  /** Ends the open part. */
  async close(sealed?: SealedReasoning): Promise<void> {
    const { part, kind } = this.#openPart ?? {}
    this.#openPart = undefined
    if (part === undefined || kind !== 'reasoning') return
    await this.#log.append({ kind: 'part-ended', turn: this.#turn, part, ...(sealed && { sealed }) })
  }

  async #appendText(kind: OpenPart['kind'], text: string): Promise<void> {
    const growing = this.#openPart?.kind === kind ? this.#openPart : await this.#openTextPart(kind)
    const offset = growing.chars
    growing.chars += text.length
    await this.#log.append({ kind: `${kind}-delta`, turn: this.#turn, part: growing.part, offset, text })
  }

  async #openTextPart(kind: OpenPart['kind']): Promise<OpenPart> {
    await this.close()
    const growing: OpenPart = { kind, part: this.#newId(), chars: 0 }
    this.#openPart = growing
    await this.#log.append({ kind: 'part-started', turn: this.#turn, value: { kind, id: growing.part, text: '' } })
    return growing
  }

  /** A sealed block without visible reasoning before it becomes a part of its own. */
  async #seal(sealed: SealedReasoning): Promise<void> {
    if (this.#openPart?.kind === 'reasoning') return this.close(sealed)
    await this.close()
    const value = { kind: 'reasoning', id: this.#newId(), text: '', sealed } as const
    await this.#log.append({ kind: 'part-started', turn: this.#turn, value })
    await this.#log.append({ kind: 'part-ended', turn: this.#turn, part: value.id })
  }

  async #startCall(id: string, name: string): Promise<Call> {
    await this.close()
    const call: Call = { part: this.#newId(), startedAs: id, name, inputText: '', written: undefined }
    this.#calls.push(call)
    const value = { kind: 'tool-call', id: call.part, call: id, name, inputText: '', isWritten: false } as const
    await this.#log.append({ kind: 'part-started', turn: this.#turn, value })
    return call
  }

  async #appendInput(id: string, text: string): Promise<void> {
    const call = this.#calls.find(({ startedAs }) => startedAs === id)
    if (!call) return
    const offset = call.inputText.length
    call.inputText += text
    await this.#log.append({ kind: 'tool-input-delta', turn: this.#turn, part: call.part, offset, text })
  }

  async #endCall({ id, name, input, startedAs = id }: ModelEvent & { kind: 'tool-call' }): Promise<void> {
    const call = this.#calls.find(begun => begun.startedAs === startedAs) ?? (await this.#startCall(id, name))
    const corrected = { ...(id !== call.startedAs && { call: id }), ...(name !== call.name && { name }) }
    call.name = name
    call.written = { input }
    await this.#log.append({ kind: 'tool-call', turn: this.#turn, part: call.part, input, ...corrected })
  }
}
