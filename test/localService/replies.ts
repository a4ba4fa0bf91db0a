// What the pretend model answers next, and where a test makes it wait.
import { isObject, isString, isStrings, isWhole } from './json.ts'
import type { Usage } from './modelEvent.ts'
import { untilAborted } from './stream.ts'

export interface ToolCall {
  readonly name: string
  /** A text is sent as it is, also when it is no JSON. */
  readonly arguments: string | Readonly<Record<string, unknown>>
  readonly id?: string
}

export interface Reply {
  /** Cut into tokens by the service; `tokens` sets how to cut instead. */
  readonly text?: string
  readonly tokens?: readonly string[]
  /** Sent before the text. */
  readonly reasoning?: string
  /** Sent after the text, and marked as a refusal where the surface has a mark for it. */
  readonly refusal?: string
  /** Called side by side, after the text. */
  readonly toolCalls?: readonly ToolCall[]
  /**
   * A `finish_reason` of chat completions, which the other surfaces put into their own words; one that is unknown there
   * goes out as it is. Null: the stream ends without a reason, as a broken one does.
   */
  readonly finishReason?: string | null
  readonly usage?: Usage
  /** Before the first token. */
  readonly delayMs?: number
  readonly tokensPerSecond?: number
  /** The answer waits before this token until the gate is released. The first is 0; reasoning and calls count too. */
  readonly gate?: Gate
  /** Sent word for word instead of a stream of ours; the pieces one after the other. */
  readonly raw?: readonly string[]
  /** Only for a request whose JSON contains this text; others pass by. */
  readonly match?: string
}

/** A place in a stream where a test makes it wait. */
export class Gate {
  readonly atToken: number
  readonly #reached = Promise.withResolvers<void>()
  readonly #released = new AbortController()

  constructor(atToken: number) {
    this.atToken = atToken
  }

  /** Settles when a stream has come to the gate. */
  get reached(): Promise<void> {
    return this.#reached.promise
  }

  release(): void {
    this.#released.abort()
  }

  /** For the stream: wait here until released, or until nobody reads any more. */
  async pass(ended: AbortSignal): Promise<void> {
    this.#reached.resolve()
    await untilAborted(AbortSignal.any([this.#released.signal, ended]))
  }
}

export class Replies {
  #queue: Reply[] = []
  #held: Gate[] = []
  readonly #gates = new Set<Gate>()
  readonly #aside: Reply[] = []

  /** Answers every request that matches, for as long as the service lives, and leaves what is scripted to the others. */
  addAside(reply: Reply & { readonly match: string }): void {
    this.#aside.push(reply)
  }

  add(...replies: readonly Reply[]): void {
    for (const { gate } of replies) if (gate) this.#gates.add(gate)
    this.#queue.push(...replies)
  }

  /** Makes the next answer without a gate of its own, scripted or not, wait before this token. */
  hold(atToken = 0): Gate {
    const gate = new Gate(atToken)
    this.#gates.add(gate)
    this.#held.push(gate)
    return gate
  }

  /** Opens every gate, also those that no stream has come to yet. */
  releaseAll(): void {
    for (const gate of this.#gates) gate.release()
    this.#gates.clear()
    this.#held = []
  }

  clear(): void {
    this.#queue = []
    this.releaseAll()
  }

  /** The scripted reply for this request, where there is one, and the gate it has to pass. */
  next(request: unknown): { reply: Reply | undefined; gate: Gate | undefined } {
    const json = JSON.stringify(request)
    const aside = this.#aside.find(({ match = '' }) => json.includes(match))
    if (aside) return { reply: aside, gate: undefined }
    const index = this.#queue.findIndex(({ match }) => match === undefined || json.includes(match))
    const reply = index < 0 ? undefined : this.#queue.splice(index, 1)[0]
    return { reply, gate: reply?.gate ?? this.#held.shift() }
  }
}

/** A reply that came as JSON (`holdAt` makes its gate), or one sentence on what is wrong with it. */
export function readReply(value: unknown): Reply | string {
  if (!isObject(value)) return 'A reply is an object.'
  const { tokens, toolCalls, raw, holdAt, ...rest } = value
  const noText = textFields.find(name => value[name] !== undefined && !isString(value[name]))
  if (noText !== undefined) return `\`${noText}\` is a text.`
  if (tokens !== undefined && !isStrings(tokens)) return '`tokens` is a list of texts.'
  if (raw !== undefined && !isStrings(raw)) return '`raw` is a list of texts.'
  if (toolCalls !== undefined && !isToolCalls(toolCalls)) return '`toolCalls` is a list of {name, arguments}.'
  if (holdAt !== undefined && !isWhole(holdAt, 0)) return '`holdAt` is the number of a token.'
  const unknown = Object.keys(rest).find(name => ![...textFields, ...otherFields].includes(name))
  if (unknown !== undefined) return `A reply has no field '${unknown}'.`
  const { holdAt: _, ...reply } = value
  return (holdAt === undefined ? reply : { ...reply, gate: new Gate(holdAt) }) as Reply
}

const textFields = ['text', 'reasoning', 'refusal', 'match']
const otherFields = ['finishReason', 'usage', 'delayMs', 'tokensPerSecond']

const isToolCalls = (value: unknown) =>
  Array.isArray(value) &&
  value.every(
    call => isObject(call) && isString(call['name']) && (isString(call['arguments']) || isObject(call['arguments'])),
  )
