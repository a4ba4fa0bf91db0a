// Which models there are, and what each can hold.
import { raceAbort } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { Emitter, type Event } from '../../base/event.ts'
import { SingleFlight } from '../../base/singleFlight.ts'
import { modelList } from '../../protocol/wire/models.ts'
import { readJson } from '../http/body.ts'
import { ContractError, ProblemError, TransportError } from '../http/errors.ts'
import type { Http } from '../http/http.ts'
import type { Log } from '../log/log.ts'
import type { Limits } from './tokenBudgetClient.ts'

export interface Model {
  readonly id: string
  /** Tokens that a request may hold. */
  readonly inputLimit: number
  /** Tokens that a request and its answer may hold together, and an answer alone, where the service says so. */
  readonly totalLimit?: number
  readonly outputLimit?: number
}

type Stumble = TransportError | ProblemError | ContractError

/** Service description, Limits. */
export const INPUT_LIMIT = 262_144
const TOTAL_LIMIT = 278_528
/** What is left for the answer to the longest request. */
export const OUTPUT_LIMIT = TOTAL_LIMIT - INPUT_LIMIT
const LIST_LIMIT_BYTES = 1024 * 1024
/** After a question in vain, the background asks again no sooner. */
const PAUSE_MS = 10_000

/** What the model is held to; what the service has not told is as the service description says. */
export function limitsOf({ inputLimit, totalLimit, outputLimit }: Partial<Model> = {}): Limits {
  const total = totalLimit ?? TOTAL_LIMIT
  const input = Math.min(inputLimit ?? INPUT_LIMIT, total)
  return { input, total, ...(outputLimit && { output: outputLimit }) }
}

/**
 * The models that the key may use, as far as the service tells. An empty list or a failed question means only that the
 * user has to name the model; inference may work all the same. A network or a service that stumbles says nothing about
 * models: what was known stays.
 */
export class Catalog implements Disposable {
  readonly #http: Http
  readonly #baseUrl: () => string
  readonly #clock: Clock
  readonly #log: Log
  readonly #flight = new SingleFlight<number, readonly Model[]>()
  readonly #changed = new Emitter<readonly Model[] | undefined>()
  #models: readonly Model[] | undefined
  #refusal: ProblemError | undefined
  #stumble: Stumble | undefined
  #askedInVainAt = Number.NEGATIVE_INFINITY
  /** Counts the accounts: an answer for the one before is not kept. */
  #age = 0
  readonly #listening: Disposable | undefined

  /** `onDidChangeAccount`: what was listed is another account's then. */
  constructor(http: Http, baseUrl: () => string, clock: Clock, log: Log, onDidChangeAccount?: Event<unknown>) {
    this.#http = http
    this.#baseUrl = baseUrl
    this.#clock = clock
    this.#log = log
    this.#listening = onDidChangeAccount?.(() => this.#forget())
  }

  /** What is listed now; undefined once it is forgotten. */
  readonly onDidChange: Event<readonly Model[] | undefined> = this.#changed.event

  /** What is known now; undefined while the service has told nothing. */
  get known(): readonly Model[] | undefined {
    return this.#models
  }

  /** The service refused the key or its plan when it was asked last: naming a model would help nobody. */
  get refusal(): ProblemError | undefined {
    return this.#refusal
  }

  /** The network or the service stumbled when it was asked last: it may have a list all the same. */
  get stumble(): Stumble | undefined {
    return this.#stumble
  }

  /** Asks where nothing is known yet, for work in the background: not with each key while there is no network. */
  async look(): Promise<void> {
    if (this.#models || this.#clock.elapsed() - this.#askedInVainAt < PAUSE_MS) return
    await this.refresh(new AbortController().signal)
  }

  /** Asks the service anew. Resolves with what is known then; a service that keeps no list has an empty one. */
  refresh(signal: AbortSignal): Promise<readonly Model[]> {
    // One caller's stop is not the others': the question goes on for those who still wait.
    return raceAbort(
      this.#flight.join(this.#age, () => this.#load(this.#age)),
      signal,
    )
  }

  #forget(): void {
    this.#age++
    this.#models = undefined
    this.#refusal = undefined
    this.#stumble = undefined
    this.#askedInVainAt = Number.NEGATIVE_INFINITY
    this.#changed.fire(undefined)
  }

  dispose(): void {
    this.#listening?.dispose()
    this.#changed.dispose()
  }

  async #load(age: number): Promise<readonly Model[]> {
    const { models, fault } = await this.#ask(new AbortController().signal)
    if (age !== this.#age) return models
    this.#stumble = isStumble(fault) ? fault : undefined
    if (fault && !isAnswer(fault)) {
      this.#askedInVainAt = this.#clock.elapsed()
      return this.#models ?? []
    }
    this.#models = models
    this.#refusal = isRefusal(fault) ? fault : undefined
    this.#changed.fire(models)
    return models
  }

  async #ask(signal: AbortSignal): Promise<{ models: readonly Model[]; fault?: unknown }> {
    try {
      const answer = await this.#http({
        method: 'GET',
        url: `${this.#baseUrl()}/v1/models`,
        headers: { accept: 'application/json' },
        mayRepeat: true,
        limits: { firstByteMs: 15_000, silenceMs: 10_000 },
        signal,
      })
      const { data } = await readJson(answer, modelList, this.#clock, LIST_LIMIT_BYTES)
      const models = data.map(({ id, max_input_tokens, context_length, max_output_tokens }) => ({
        id,
        inputLimit: max_input_tokens ?? INPUT_LIMIT,
        ...(context_length && { totalLimit: context_length }),
        ...(max_output_tokens && { outputLimit: max_output_tokens }),
      }))
      return { models }
    } catch (fault) {
      this.#log.warn('The list of models could not be read', { fault: String(fault) })
      return { models: [], fault }
    }
  }
}

/** The service said no, and would say so again. */
function isAnswer(fault: unknown): boolean {
  return fault instanceof ProblemError && !fault.mayRepeat
}

/**
 * The service has not spoken: nobody was there, it has trouble, or somebody else answered, such as a network that wants a
 * sign-in. What else cannot be read may be all that it has to say of its models.
 */
function isStumble(fault: unknown): fault is Stumble {
  if (fault instanceof ContractError) return fault.what === 'html' || fault.what === 'redirect'
  return fault instanceof TransportError || (fault instanceof ProblemError && !isAnswer(fault))
}

function isRefusal(fault: unknown): fault is ProblemError {
  return fault instanceof ProblemError && (fault.remedy === 'open-dashboard' || fault.remedy === 'sign-in')
}
