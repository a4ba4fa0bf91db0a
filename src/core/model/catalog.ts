// `Catalog`: the list of models of the service, and the token limits of each.
import { raceAbort } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { Emitter, type Event } from '../../base/event.ts'
import { SingleFlight } from '../../base/singleFlight.ts'
import { readJson } from '../http/body.ts'
import { ContractError, ProblemError, TransportError } from '../http/errors.ts'
import type { Http } from '../http/http.ts'
import type { Log } from '../log/log.ts'
import type { Limits } from './tokenBudgetClient.ts'

export interface Model {
  readonly id: string
  /** The most tokens of a request. */
  readonly inputLimit: number
  /** The most tokens of a request and its answer together, and of an answer alone, if the service reports them. */
  readonly totalLimit?: number
  readonly outputLimit?: number
}

type TemporaryFault = TransportError | ProblemError | ContractError

/** Service description, Limits. */
export const INPUT_LIMIT = 262_144
const TOTAL_LIMIT = 278_528
/** The tokens left for the answer to the longest request. */
export const OUTPUT_LIMIT = TOTAL_LIMIT - INPUT_LIMIT
const LIST_LIMIT_BYTES = 1024 * 1024
/** After a request that brought no model, background work does not repeat it for this long. */
const RETRY_AFTER_MS = 10_000

/** The limits of a model; the defaults are those of the service description. */
export function limitsOf({ inputLimit, totalLimit, outputLimit }: Partial<Model> = {}): Limits {
  const total = totalLimit ?? TOTAL_LIMIT
  const input = Math.min(inputLimit ?? INPUT_LIMIT, total)
  return { input, total, ...(outputLimit && { output: outputLimit }) }
}

/**
 * The models that the key may use. After an empty list or a refusal the user has to enter the id of the model, because
 * inference may still work. A temporary fault does not change the known models.
 */
export class Catalog implements Disposable {
  readonly #http: Http
  readonly #baseUrl: () => string
  readonly #clock: Clock
  readonly #log: Log
  readonly #requests = new SingleFlight<number, readonly Model[]>()
  readonly #changed = new Emitter<readonly Model[] | undefined>()
  #models: readonly Model[] | undefined
  #refusal: ProblemError | undefined
  #temporaryFault: TemporaryFault | undefined
  #emptyAt = Number.NEGATIVE_INFINITY
  /** Increases with each change of the account, so that a response for the previous account is dropped. */
  #generation = 0
  readonly #subscription: Disposable | undefined

  /** `onDidChangeAccount`: the list is forgotten, because it belongs to the previous account. */
  constructor(http: Http, baseUrl: () => string, clock: Clock, log: Log, onDidChangeAccount?: Event<unknown>) {
    this.#http = http
    this.#baseUrl = baseUrl
    this.#clock = clock
    this.#log = log
    this.#subscription = onDidChangeAccount?.(() => this.#forget())
  }

  /** Fires with the new list, or with undefined when the list is forgotten. */
  readonly onDidChange: Event<readonly Model[] | undefined> = this.#changed.event

  /** The last list; undefined before the first response. */
  get known(): readonly Model[] | undefined {
    return this.#models
  }

  /** The last request was refused because of the key or the plan: entering a model would not help. */
  get refusal(): ProblemError | undefined {
    return this.#refusal
  }

  /** The fault of the last request if it was temporary: the service may have a list all the same. */
  get temporaryFault(): TemporaryFault | undefined {
    return this.#temporaryFault
  }

  /**
   * Requests the list if no model is known, such as before the plan was changed. For background work: after a failure or
   * an empty list it waits `RETRY_AFTER_MS`.
   */
  async loadIfUnknown(): Promise<void> {
    if (this.#models?.length || this.#clock.elapsed() - this.#emptyAt < RETRY_AFTER_MS) return
    await this.refresh(new AbortController().signal)
  }

  /** Requests the list again. Resolves with the known models; a refused list counts as empty. */
  refresh(signal: AbortSignal): Promise<readonly Model[]> {
    // The request has no signal of a caller, because an abort by one caller must not end it for the others.
    return raceAbort(
      this.#requests.join(this.#generation, () => this.#load(this.#generation)),
      signal,
    )
  }

  #forget(): void {
    this.#generation++
    this.#models = undefined
    this.#refusal = undefined
    this.#temporaryFault = undefined
    this.#emptyAt = Number.NEGATIVE_INFINITY
    this.#changed.fire(undefined)
  }

  dispose(): void {
    this.#subscription?.dispose()
    this.#changed.dispose()
  }

  async #load(generation: number): Promise<readonly Model[]> {
    const { models, fault } = await this.#ask(new AbortController().signal)
    if (generation !== this.#generation) return models
    this.#temporaryFault = isTemporary(fault) ? fault : undefined
    if (models.length === 0) this.#emptyAt = this.#clock.elapsed()
    if (fault && !isDefinitive(fault)) return this.#models ?? []
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
      const { modelList } = await import('../../protocol/wire/models.ts')
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

/** The service refused the list, and repeating the request would not help. */
function isDefinitive(fault: unknown): boolean {
  return fault instanceof ProblemError && !fault.mayRepeat
}

/**
 * The network or the service failed, or a captive portal answered in its place with a page or a redirect. Any other
 * response that cannot be read does not count, because the service may always send it.
 */
function isTemporary(fault: unknown): fault is TemporaryFault {
  if (fault instanceof ContractError) return fault.what === 'html' || fault.what === 'redirect'
  return fault instanceof TransportError || (fault instanceof ProblemError && !isDefinitive(fault))
}

function isRefusal(fault: unknown): fault is ProblemError {
  return fault instanceof ProblemError && (fault.remedy === 'open-dashboard' || fault.remedy === 'sign-in')
}
