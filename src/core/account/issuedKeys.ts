// IssuedKeys: stores each key that the service has issued, holds it in memory, or revokes it, and tracks what is under way.
import { Emitter, type Event } from '../../base/event.ts'
import type { Credential } from '../http/credential.ts'
import type { Log } from '../log/log.ts'
import type { Account } from './account.ts'
import { AnotherSignInError } from './credentialStore.ts'

/** What the user has to know about a key, in addition to how the sign-in ended. */
export type KeyReport =
  /** The keyring did not store it: it works from memory until the window closes or the user decides. */
  | { readonly is: 'held in memory'; readonly credential: Credential; readonly fault: unknown }
  /** Another window was faster; a pasted key is not revoked, because the user has made it. */
  | { readonly is: 'pasted key not stored' }
  /** Another window was faster, and the service did not confirm that this second key was revoked. */
  | { readonly is: 'second key not revoked'; readonly credential: Credential }
  /** It came when the sign-in had ended, and the service did not confirm that it was revoked. */
  | { readonly is: 'late key not revoked'; readonly credential: Credential }
  /** The sign-in has ended, and the answer that may have carried a key was lost. */
  | { readonly is: 'key lost'; readonly service: string }
  /** The user is signed in, and a key before this one may have been lost on the way. */
  | { readonly is: 'key before lost'; readonly service: string }

/** The service sends a key once, so each has an owner until it is stored or revoked. */
export class IssuedKeys {
  readonly #account: Account
  readonly #log: Log
  readonly #reported = new Emitter<KeyReport>()
  /** Answers that may carry a key, and keys that are being stored or revoked. */
  readonly #pending = new Set<Promise<unknown>>()

  constructor(account: Account, log: Log) {
    this.#account = account
    this.#log = log
  }

  readonly onDidReport: Event<KeyReport> = this.#reported.event

  report(report: KeyReport): void {
    this.#reported.fire(report)
  }

  /** `overtaken`: another window was faster, and this key has been revoked. One that cannot be stored works from memory. */
  keep(credential: Credential): Promise<'kept' | 'overtaken'> {
    return this.track(this.#keep(credential))
  }

  async #keep(credential: Credential): Promise<'kept' | 'overtaken'> {
    try {
      await this.#account.accept(credential)
      return 'kept'
    } catch (fault) {
      if (fault instanceof AnotherSignInError) return this.#discard(credential)
      this.#log.error('The key could not be stored', fault)
      await this.#account.hold(credential)
      this.report({ is: 'held in memory', credential, fault })
      return 'kept'
    }
  }

  /** For a key that is not needed, because another window was faster. */
  discard(credential: Credential): Promise<'overtaken'> {
    return this.track(this.#discard(credential))
  }

  /** Revokes a key that was issued for this sign-in. A pasted one stays valid. */
  async #discard(credential: Credential): Promise<'overtaken'> {
    if (credential.origin === 'pasted') this.report({ is: 'pasted key not stored' })
    else if ((await this.#account.revoke(credential, new AbortController().signal)) !== 'revoked')
      this.report({ is: 'second key not revoked', credential })
    return 'overtaken'
  }

  /** Revokes a key that arrived after the sign-in had ended. */
  revokeLate(credential: Credential): void {
    const revoked = this.#account.revoke(credential, new AbortController().signal).then(revocation => {
      this.#log.info('A key that came after its sign-in had ended was revoked', { revocation })
      if (revocation !== 'revoked') this.report({ is: 'late key not revoked', credential })
    })
    void this.track(revoked)
  }

  /** Makes `settled` wait for `work`, which may receive a key or revoke one. */
  track<T>(work: Promise<T>): Promise<T> {
    this.#pending.add(work)
    const forget = () => this.#pending.delete(work)
    work.then(forget, forget)
    return work
  }

  /** Resolves when no request is under way any more that may receive or revoke a key. */
  async settled(): Promise<void> {
    while (this.#pending.size > 0) await Promise.allSettled(this.#pending)
  }

  dispose(): void {
    this.#reported.dispose()
  }
}
