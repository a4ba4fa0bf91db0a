// What the service knows: accounts, keys, registrations, clients and their codes, sessions and models.
import { Accounts } from './accounts.ts'
import { ActivationCodes } from './activationCodes.ts'
import { AuthorizationCodes } from './authorizationCodes.ts'
import { Clients } from './clients.ts'
import type { Clock } from './clock.ts'
import type { Dialect } from './dialect.ts'
import { freeName } from './freeName.ts'
import { type KeyOrigin, Keys } from './keys.ts'
import type { Options } from './options.ts'
import { Registrations } from './registrations.ts'
import { Sessions } from './sessions.ts'
import { SignInLinks } from './signInLinks.ts'

export class State {
  readonly clock: Clock
  readonly accounts: Accounts
  readonly keys = new Keys()
  readonly registrations: Registrations
  readonly clients: Clients
  readonly authorizationCodes: AuthorizationCodes
  readonly activationCodes: ActivationCodes
  readonly signInLinks: SignInLinks
  readonly sessions = new Sessions()

  /** The models that inference accepts. */
  grantedModels: readonly string[]
  /** The models that `/v1/models` names; undefined where the service has no such list (404). */
  listedModels: readonly string[] | undefined
  /** While true, an approved registration ends in `access_denied`: the key could not be created. */
  keyCreationFails = false

  constructor(options: Options, clock: Clock, dialect: Dialect) {
    this.clock = clock
    this.accounts = new Accounts(options.plan)
    this.registrations = new Registrations(clock, options.interval * 1000, dialect)
    this.clients = new Clients(options.clientId)
    this.authorizationCodes = new AuthorizationCodes(clock)
    this.activationCodes = new ActivationCodes(clock)
    this.signInLinks = new SignInLinks(clock)
    this.grantedModels = [options.model]
    this.listedModels = [options.model]
    for (const email of [options.seedUser, options.admin]) if (email !== undefined) this.accounts.of(email)
  }

  /** `name` is what the user called the key, or the program that asked for it. */
  issueKey(email: string, name: string, origin: KeyOrigin = 'dashboard'): string {
    const client = origin === 'dashboard' ? undefined : name
    const owner = this.accounts.of(email).email
    const taken = this.keys.of(owner).map(key => key.name)
    return this.keys.issue({ email: owner, name: freeName(name, taken), origin, client }, this.clock.now())
  }
}
