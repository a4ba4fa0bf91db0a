// `ThinkingSwitch`: learns from the answers whether a model thinks first, and which switch keeps it from thinking.
import type { Disposable } from '../../base/disposable.ts'
import { Emitter, type Event } from '../../base/event.ts'
import { listOf, objectOf, textOf } from '../../protocol/json.ts'
import { ProblemError } from '../http/errors.ts'
import type { FinishReason, ModelRequest } from '../model/modelClient.ts'
import type { SurfaceId } from '../model/surfaceIds.ts'
import { type ThinkingOff, thinkingOffMembers, waysToStopThinking } from '../model/thinkingOff.ts'
import type { ModelMemory } from './modelMemory.ts'

export interface ThinkingSwitchOptions {
  readonly memory: ModelMemory
  readonly surface: () => SurfaceId
  /** The address of the service. */
  readonly address: () => string
}

/** What came of one request. */
export interface Reception {
  readonly hasThought: boolean
  readonly hasText: boolean
  readonly end: FinishReason | 'stopped'
}

type Sent = Pick<ModelRequest, 'model' | 'thinkingOff'>

/** Of the last five answers so many decide. */
const MAJORITY = 3
const ANSWERS = 5

interface Known {
  /** Without a switch the model thinks. */
  readonly thinks: boolean
  readonly helps?: ThinkingOff
  /** The switches that the service refused, or with which the model thought all the same. */
  readonly failed: readonly ThinkingOff[]
}

const unknown: Known = { thinks: false, failed: [] }

/** The last answers of a model in this window, as far as they show whether it thinks with what is sent now. */
interface Sample {
  readonly sent: ThinkingOff | undefined
  readonly thoughts: readonly boolean[]
}

export class ThinkingSwitch implements Disposable {
  readonly #options: ThinkingSwitchOptions
  readonly #samples = new Map<string, Sample>()
  readonly #unstoppable = new Emitter<string>()

  constructor(options: ThinkingSwitchOptions) {
    this.#options = options
  }

  /** Nothing keeps this model from thinking, so it completes nothing by itself. */
  readonly onDidBecomeUnstoppable: Event<string> = this.#unstoppable.event

  /** What the next request to the model is to send. */
  for(model: string): ThinkingOff | undefined {
    const { thinks, helps, failed } = this.#known(model)
    if (!thinks) return undefined
    return helps ?? this.#ways.find(way => !failed.includes(way))
  }

  /** The model thinks whatever is sent. */
  isUnstoppable(model: string): boolean {
    return this.#known(model).thinks && this.for(model) === undefined
  }

  /** An answer has ended. A switch that helped before is judged again, because the service may have changed. */
  record({ model, thinkingOff: sent }: Sent, reception: Reception): void {
    const hasThought = judge(reception)
    if (hasThought === undefined || sent !== this.for(model)) return
    const sample = this.#samples.get(this.#key(model))
    const before = sample && sample.sent === sent ? sample.thoughts : []
    const thoughts = [...before, hasThought].slice(-ANSWERS)
    this.#samples.set(this.#key(model), { sent, thoughts })
    const count = thoughts.filter(Boolean).length
    if (count >= MAJORITY) this.#onThinks(model, sent)
    else if (thoughts.length - count >= MAJORITY) this.#onPlain(model, sent)
  }

  /** Whether the request failed because of the switch that it sent, which is never sent again then. */
  recordFault({ model, thinkingOff: sent }: Sent, fault: unknown): boolean {
    if (!sent || !(fault instanceof ProblemError) || (fault.status !== 400 && fault.status !== 422)) return false
    const members = Object.keys(thinkingOffMembers[this.#options.surface()][sent])
    const words = `${fault.problem.code} ${fault.problem.text}`
    const isNamed = members.some(member => new RegExp(`\\b${member}\\b`).test(words))
    // What has helped before is refused for another reason, unless it is named.
    if (!isNamed && this.#known(model).helps === sent) return false
    this.#onThinks(model, sent)
    return true
  }

  dispose(): void {
    this.#unstoppable.dispose()
  }

  get #ways(): readonly ThinkingOff[] {
    return waysToStopThinking(this.#options.surface())
  }

  #onThinks(model: string, sent: ThinkingOff | undefined): void {
    const { failed } = this.#known(model)
    const wasUnstoppable = this.isUnstoppable(model)
    this.#keep(model, { thinks: true, failed: sent && !failed.includes(sent) ? [...failed, sent] : failed })
    if (!wasUnstoppable && this.isUnstoppable(model)) this.#unstoppable.fire(model)
  }

  #onPlain(model: string, sent: ThinkingOff | undefined): void {
    const known = this.#known(model)
    if (sent && known.helps !== sent) this.#keep(model, { ...known, helps: sent })
    // The user has asked by hand, and the model no longer thinks.
    if (!sent && known.thinks) this.#options.memory.set(this.#key(model), undefined)
  }

  #keep(model: string, known: Known): void {
    this.#options.memory.set(this.#key(model), known)
  }

  #known(model: string): Known {
    const kept = objectOf(this.#options.memory.get(this.#key(model)))
    if (kept?.['thinks'] !== true) return unknown
    const isWay = (way: unknown) => this.#ways.find(one => one === way)
    const helps = isWay(textOf(kept['helps']))
    return { thinks: true, ...(helps && { helps }), failed: listOf(kept['failed']).flatMap(way => isWay(way) ?? []) }
  }

  #key(model: string): string {
    const { surface, address } = this.#options
    return `thinking ${surface()} ${address()} ${model}`
  }
}

/** Undefined where the answer shows nothing: it was stopped before anything came. */
function judge({ hasThought, hasText, end }: Reception): boolean | undefined {
  // The limit of a completion is too low for thoughts that are not sent.
  if (hasThought || (!hasText && end === 'length')) return true
  return hasText || end === 'done' ? false : undefined
}
