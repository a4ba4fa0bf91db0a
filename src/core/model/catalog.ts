// Which models there are, and what each can hold.
import { orStop } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'
import { Emitter, type Event } from '../../base/event.ts'
import { Flight } from '../../base/flight.ts'
import { modelList } from '../../protocol/inference/models.ts'
import { readJson } from '../http/body.ts'
import type { Http } from '../http/http.ts'
import type { Log } from '../log/log.ts'

export interface Model {
  readonly id: string
  /** Tokens that a request may hold (service description, Limits). */
  readonly inputLimit: number
}

const INPUT_LIMIT = 262_144
const LIST_LIMIT_BYTES = 1024 * 1024

/**
 * The models that the key may use, as far as the service tells. An empty list or a failed question means only that the
 * user has to name the model; inference may work all the same.
 */
export class Catalog {
  readonly #http: Http
  readonly #baseUrl: () => string
  readonly #clock: Clock
  readonly #log: Log
  readonly #flight = new Flight<number, readonly Model[]>()
  readonly #changed = new Emitter<readonly Model[]>()
  #models: readonly Model[] | undefined
  /** Counts the accounts: an answer for the one before is not kept. */
  #age = 0

  constructor(http: Http, baseUrl: () => string, clock: Clock, log: Log) {
    this.#http = http
    this.#baseUrl = baseUrl
    this.#clock = clock
    this.#log = log
  }

  readonly onDidChange: Event<readonly Model[]> = this.#changed.event

  /** What is known now; undefined when nobody has asked yet. */
  get known(): readonly Model[] | undefined {
    return this.#models
  }

  /** Asks the service anew. An answer that is no list counts as an empty one. */
  refresh(signal: AbortSignal): Promise<readonly Model[]> {
    // One caller's stop is not the others': the question goes on for those who still wait.
    return orStop(
      this.#flight.join(this.#age, () => this.#load(this.#age)),
      signal,
    )
  }

  forget(): void {
    this.#age++
    this.#models = undefined
  }

  async #load(age: number): Promise<readonly Model[]> {
    const models = await this.#ask(new AbortController().signal)
    if (age !== this.#age) return models
    this.#models = models
    this.#changed.fire(models)
    return models
  }

  async #ask(signal: AbortSignal): Promise<readonly Model[]> {
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
      return data.map(({ id, max_input_tokens }) => ({ id, inputLimit: max_input_tokens ?? INPUT_LIMIT }))
    } catch (fault) {
      this.#log.warn('The list of models could not be read', { fault: String(fault) })
      return []
    }
  }
}
