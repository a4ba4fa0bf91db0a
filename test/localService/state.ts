// What the service knows: accounts, keys, registrations, sessions and models.
import { Accounts } from './accounts.ts'
import type { Clock } from './clock.ts'
import { Keys } from './keys.ts'
import type { Options } from './options.ts'
import { Registrations } from './registrations.ts'
import { Sessions } from './sessions.ts'

export class State {
  readonly clock: Clock
  readonly accounts: Accounts
  readonly keys = new Keys()
  readonly registrations: Registrations
  readonly sessions = new Sessions()

  /** The models that inference accepts. */
  grantedModels: readonly string[]
  /** The models that `/v1/models` names; undefined where the service has no such list (404). */
  listedModels: readonly string[] | undefined
  /** While true, an approved registration ends in `access_denied`: the key could not be created. */
  keyCreationFails = false

  constructor(options: Options, clock: Clock) {
    this.clock = clock
    this.accounts = new Accounts(options.plan)
    this.registrations = new Registrations(clock, options.interval * 1000)
    this.grantedModels = [options.model]
    this.listedModels = [options.model]
    if (options.seedUser !== undefined) this.accounts.of(options.seedUser)
  }

  issueKey(email: string, name: string): string {
    return this.keys.issue(this.accounts.of(email).email, this.#freeName(email, name), this.clock.now())
  }

  /** On the dashboard a key is known by its name, so no two of an account share one. */
  #freeName(email: string, name: string): string {
    const taken = new Set(this.keys.of(email).map(key => key.name))
    let number = 1
    const candidate = () => (number === 1 ? name : `${name} (${number})`)
    while (taken.has(candidate())) number += 1
    return candidate()
  }
}
