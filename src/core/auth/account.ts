// Owns who is signed in; everyone else asks or listens.
import { Emitter, type Event } from '../../base/event.ts'
import { Queue } from '../../base/flight.ts'
import type { Credential } from '../../protocol/stored.ts'
import type { TokenSource } from '../http/bearer.ts'
import type { Http } from '../http/http.ts'
import type { Verdict } from '../http/verdict.ts'
import type { Log } from '../log/log.ts'
import type { CredentialStore } from './credentialStore.ts'
import { isRevoked, revocationRequest } from './revocation.ts'

/** Who is signed in, without the secret. */
export interface SignedIn {
  readonly service: string
  readonly resource: string
  readonly issuer: string | undefined
  readonly email: string | undefined
}

export type AccountState =
  | { readonly is: 'unknown' }
  | { readonly is: 'out' }
  | { readonly is: 'in'; readonly account: SignedIn }
  /** The service no longer accepts the key. It is kept until the user decides. */
  | { readonly is: 'refused'; readonly account: SignedIn }

/** What became of the key at the service after signing out. */
export type Revocation = 'revoked' | 'not confirmed' | 'not tried'

export class Account implements TokenSource {
  readonly #http: Http
  readonly #store: CredentialStore
  readonly #log: Log
  readonly #origin: () => string | undefined
  readonly #changed = new Emitter<AccountState>()
  readonly #work = new Queue()
  #credential: Credential | undefined
  /** A key that the keyring could not keep. */
  #held: Credential | undefined
  #state: AccountState = { is: 'unknown' }

  /**
   * `http` must be the one without credential: signing out sends the key in a form and nowhere else. `origin` is that of
   * the service in use; a credential of another one reads as nothing stored.
   */
  constructor(http: Http, store: CredentialStore, origin: () => string | undefined, log: Log) {
    this.#http = http
    this.#store = store
    this.#origin = origin
    this.#log = log
    store.onDidChange(() => void this.restore())
  }

  readonly onDidChange: Event<AccountState> = this.#changed.event

  get state(): AccountState {
    return this.#state
  }

  /** Reads what is stored; makes no request. Another window's change, or another address, is seen the same way. */
  restore(): Promise<void> {
    return this.#work.add(async () => {
      const read = await this.#store.load().catch(fault => {
        // A keyring that is locked for a moment is no reason to forget what is known.
        this.#log.error('The stored key could not be read', fault)
        return this.#credential
      })
      const stored = [read, this.#held].find(credential => credential?.resource === this.#origin())
      if (stored?.key === this.#credential?.key && this.#state.is !== 'unknown') return
      this.#become(stored)
    })
  }

  /** Stores first and tells then: what was told must survive the next moment. Throws when it could not be stored. */
  accept(credential: Credential): Promise<void> {
    this.#log.redactor.register(credential.key)
    return this.#work.add(async () => {
      await this.#store.save(credential)
      this.#held = undefined
      this.#become(credential)
    })
  }

  /** For this window only: the keyring could not keep it and the user knows. */
  hold(credential: Credential): Promise<void> {
    this.#log.redactor.register(credential.key)
    return this.#work.add(async () => {
      this.#held = credential
      this.#become(credential)
    })
  }

  /** A request failed for good. When the key is what the service objects to, everyone is told once. */
  learn(verdict: Verdict): void {
    if (verdict.ask === 'signIn' && this.#state.is === 'in') this.#move({ is: 'refused', account: this.#state.account })
  }

  /** Gives up a key that nobody will keep. */
  async giveUp(credential: Credential, signal: AbortSignal): Promise<Revocation> {
    if (!credential.revocationEndpoint) return 'not tried'
    try {
      const answer = await revocationRequest(this.#http, credential.revocationEndpoint, credential.key, signal)
      return isRevoked(answer) ? 'revoked' : 'not confirmed'
    } catch (fault) {
      this.#log.error('The key could not be revoked', fault)
      return 'not confirmed'
    }
  }

  /** Clears here first, then gives the key up at the service. Never throws for the service's sake. */
  async signOut(revoke: boolean, signal: AbortSignal): Promise<Revocation> {
    const credential = this.#credential
    await this.#work.add(async () => {
      this.#held = undefined
      await this.#store.clear()
      this.#become(undefined)
    })
    return revoke && credential ? this.giveUp(credential, signal) : 'not tried'
  }

  token(origin: string): string | undefined {
    return this.#credential?.resource === origin ? this.#credential.key : undefined
  }

  async onUnauthorized(token: string): Promise<string | undefined> {
    // Another window may have signed in again in the meantime.
    await this.restore()
    const current = this.#credential
    if (!current) return undefined
    if (current.key !== token) return current.key
    if (this.#state.is === 'in') this.#move({ is: 'refused', account: this.#state.account })
    return undefined
  }

  #become(credential: Credential | undefined): void {
    if (credential) this.#log.redactor.register(credential.key)
    this.#credential = credential
    this.#move(credential ? { is: 'in', account: accountOf(credential) } : { is: 'out' })
  }

  #move(state: AccountState): void {
    this.#state = state
    this.#changed.fire(state)
  }
}

function accountOf({ service, resource, issuer, email }: Credential): SignedIn {
  return { service, resource, issuer, email }
}
