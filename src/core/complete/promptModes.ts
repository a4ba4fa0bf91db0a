// `PromptModes`: finds out once for each model how it is best asked for a completion, and remembers it.
import { isAbort, linkedAbort, sleep } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { faultText } from '../../base/fault.ts'
import { ContractError, ProblemError } from '../http/errors.ts'
import { collect } from '../model/collect.ts'
import type { ModelClient, ModelRequest } from '../model/modelClient.ts'
import type { SurfaceId } from '../model/surfaceIds.ts'
import type { ModelMemory } from './modelMemory.ts'
import { completionRequest, type PromptMode, type PromptParts, promptModes } from './prompt.ts'
import type { ThinkingSwitch } from './thinkingSwitch.ts'

export interface PromptModesOptions {
  readonly models: ModelClient
  readonly memory: ModelMemory
  readonly thinking: Pick<ThinkingSwitch, 'for'>
  readonly surface: () => SurfaceId
  /** The address of the service. */
  readonly address: () => string
  readonly clock: Clock
  readonly log: { debug(text: string): void }
}

/** Of so many last answers a part was not in the form that was asked for. */
const ANSWERS = 50
const MOST_ROUGH = 0.3 * ANSWERS
/** Between two requests of a probe, so that a completion and a chat go first. */
const PAUSE_MS = 1_000
/** After a fault that has another reason than the model. */
const AGAIN_AFTER_MS = 10 * 60_000

export class PromptModes implements Disposable {
  readonly #options: PromptModesOptions
  readonly #life = linkedAbort()
  /** Whether the last answers of a model were rough. */
  readonly #answers = new Map<string, readonly boolean[]>()
  /** Probed again already in this window. */
  readonly #again = new Set<string>()
  /** When the last probe of a model began that has not come to an end. */
  readonly #begun = new Map<string, number>()

  constructor(options: PromptModesOptions) {
    this.#options = options
  }

  /** How the next request to the model is written. A model that is not known yet is asked in the way that all answer. */
  for(model: string): PromptMode {
    return this.#known(this.#key(model)) ?? 'hole'
  }

  /** An answer with text has come. The first one begins the probe, and again too many rough ones, once in a window. */
  record(model: string, isRough: boolean): void {
    const key = this.#key(model)
    if (this.#known(key) === undefined) return this.#beginProbe(model, key)
    const answers = [...(this.#answers.get(key) ?? []), isRough].slice(-ANSWERS)
    this.#answers.set(key, answers)
    const isTooRough = answers.length === ANSWERS && answers.filter(Boolean).length > MOST_ROUGH
    if (!isTooRough || this.#again.has(key)) return
    this.#again.add(key)
    this.#beginProbe(model, key)
  }

  /** Whether the request failed because the service does not let a caller begin the answer; it is never sent again then. */
  recordFault({ model, continuesAnswer }: Pick<ModelRequest, 'model' | 'continuesAnswer'>, fault: unknown): boolean {
    if (!continuesAnswer || !isRefusal(fault)) return false
    this.#keep(this.#key(model), 'hole')
    return true
  }

  dispose(): void {
    this.#life.stop()
  }

  #beginProbe(model: string, key: string): void {
    const now = this.#options.clock.elapsed()
    const begun = this.#begun.get(key)
    if (begun !== undefined && now - begun < AGAIN_AFTER_MS) return
    this.#begun.set(key, now)
    void this.#probe(model, key)
  }

  async #probe(model: string, key: string): Promise<void> {
    const { log } = this.#options
    try {
      const mode = await this.#bestMode(model)
      this.#begun.delete(key)
      this.#answers.delete(key)
      this.#keep(key, mode)
      log.debug(`Completions of ${model} are requested in mode ${mode}`)
    } catch (fault) {
      if (!isAbort(fault)) log.debug(`Not known yet how to request completions of ${model}: ${faultText(fault)}`)
    }
  }

  /** The first that goes on exactly twice; three requests at most. */
  async #bestMode(model: string): Promise<PromptMode> {
    const [first, second] = probes
    if (await this.#goesOn(model, 'tokens', first))
      return (await this.#goesOn(model, 'tokens', second)) ? 'tokens' : 'hole'
    const isPrefill = (await this.#goesOn(model, 'prefill', first)) && (await this.#goesOn(model, 'prefill', second))
    return isPrefill ? 'prefill' : 'hole'
  }

  async #goesOn(model: string, mode: PromptMode, { parts, expected }: Probe): Promise<boolean> {
    const { clock, models, thinking } = this.#options
    const { signal } = this.#life
    await sleep(clock, PAUSE_MS, signal)
    const thinkingOff = thinking.for(model)
    const request = { ...completionRequest(model, parts, 'rest', { mode }), ...(thinkingOff && { thinkingOff }) }
    try {
      const { text } = await collect(models.stream({ ...request, lane: 'background' }, signal))
      return text.startsWith(expected)
    } catch (fault) {
      // An answer without text is one that does not go on.
      if (isRefusal(fault) || fault instanceof ContractError) return false
      throw fault
    }
  }

  #known(key: string): PromptMode | undefined {
    const kept = this.#options.memory.get(key)
    return promptModes.find(mode => mode === kept)
  }

  #keep(key: string, mode: PromptMode): void {
    this.#options.memory.set(key, mode)
  }

  #key(model: string): string {
    const { surface, address } = this.#options
    return `mode ${surface()} ${address()} ${model}`
  }
}

const isRefusal = (fault: unknown) => fault instanceof ProblemError && (fault.status === 400 || fault.status === 422)

interface Probe {
  readonly parts: PromptParts
  readonly expected: string
}

const area = 'function area(width, height) {\n  const size = width * height\n  return size\n}\n\n'
const volume = 'function volume(width, height, depth) {\n  '

function probeOf(before: string, below: string, expected: string): Probe {
  const parts = {
    path: 'sizes.js',
    language: 'javascript',
    snippets: [],
    before: area + volume + before,
    restOfLine: '',
    edits: [],
    problems: [],
    copied: '',
  }
  return { parts: { ...parts, below }, expected }
}

/** Two places with one thing that anybody would write there. */
const probes = [
  probeOf('const size = width * height * depth\n  return ', '}\n', 'size'),
  probeOf('const ', '  return size\n}\n', 'size = width * height'),
] as const
