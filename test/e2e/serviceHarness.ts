// A local service that tests follow each other on: it is put in order for each, and may be away for a while.
import type { Call } from '../localService/callLog.ts'
import { plainDialect } from '../localService/dialect.ts'
import type { ServiceOptions } from '../localService/options.ts'
import { type Service, startService } from '../localService/server.ts'
import { probeRequest } from '../support/probeRequest.ts'
import { titleRequest } from '../support/titleRequest.ts'
import { email } from './signInSteps.ts'

export class ServiceHarness implements AsyncDisposable {
  readonly #options: ServiceOptions
  readonly #forgotten: Call[] = []
  #service: Service

  private constructor(service: Service, options: ServiceOptions) {
    this.#service = service
    this.#options = options
  }

  static async start(given: ServiceOptions = {}): Promise<ServiceHarness> {
    const options: ServiceOptions = { interval: 1, plan: 'pro', ...given }
    return new ServiceHarness(await started(options), options)
  }

  get service(): Service {
    return this.#service
  }

  /** Every call at any time, also those that a test has cleared from the log. */
  get calls(): readonly Call[] {
    return [...this.#forgotten, ...this.#service.log.calls]
  }

  clearLog(): void {
    this.#forgotten.push(...this.#service.log.calls)
    this.#service.log.clear()
  }

  /** Undoes what an earlier test has set; accounts and keys stay. Ten registrations in an hour are all that one email has. */
  reset(): void {
    const { faults, replies, state, dialect, model } = this.#service
    this.clearLog()
    faults.clear()
    replies.clear()
    Object.assign(dialect, plainDialect(), this.#options.dialect)
    Object.assign(state, { listedModels: [model], grantedModels: [model] })
    state.registrations.byClaimTokenHash.clear()
    state.registrations.byAttemptTokenHash.clear()
    state.accounts.of(email).plan = 'pro'
  }

  /** As when a machine goes down: its port answers nobody. */
  async stop(): Promise<void> {
    this.clearLog()
    await this.#service.close()
  }

  /** At the same address as before, with nothing remembered. */
  async startAgain(): Promise<void> {
    const port = Number(new URL(this.#service.baseUrl).port)
    this.#service = await started({ ...this.#options, port })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#service.close()
  }
}

/**
 * What asks for the title of a chat takes no answer that a test has scripted, and leaves the chat without a title; nor does
 * what finds out how a model is asked for completions, which leaves the usual way.
 */
async function started(options: ServiceOptions): Promise<Service> {
  const service = await startService(options)
  service.replies.addAside({ match: titleRequest, text: '' })
  service.replies.addAside({ match: probeRequest, text: 'No.' })
  return service
}
