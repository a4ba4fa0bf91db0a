// What becomes of a key that the service has handed out: it is kept, or held in memory, or given back.
import { window } from 'vscode'
import type { Disposable } from '../../base/disposable.ts'
import type { Account } from '../../core/account/account.ts'
import { AnotherSignInError } from '../../core/account/credentialStore.ts'
import type { Service } from '../../core/account/discovery.ts'
import type { Log } from '../../core/log/log.ts'
import type { Credential } from '../../protocol/stored.ts'
import { sanitize } from '../ui/sanitize.ts'
import { explainKeyring } from './keyringTrouble.ts'
import { type OpenDashboard, sayUnrevoked } from './unrevoked.ts'

export interface IssuedKeysOptions {
  readonly account: Account
  readonly log: Log
  readonly openDashboard: OpenDashboard
}

/** The service hands a key out once, so each that comes is in somebody's hands until it is stored or revoked. */
export class IssuedKeys implements Disposable {
  readonly #options: IssuedKeysOptions
  /** Answers that may carry a key, and keys that are being stored or given back. */
  readonly #underWay = new Set<Promise<unknown>>()
  #isKeeping = false
  #isDisposed = false

  constructor(options: IssuedKeysOptions) {
    this.#options = options
  }

  /** A key is being stored; the news that somebody is signed in are then our own. */
  get isKeeping(): boolean {
    return this.#isKeeping
  }

  /**
   * `overtaken`: another window was faster, and this key has been given up. Where the key cannot be stored it works from
   * memory until the user has decided.
   */
  keep(credential: Credential, isOvertaken: boolean): Promise<'kept' | 'overtaken'> {
    return this.note(this.#keepOrHold(credential, isOvertaken))
  }

  async #keepOrHold(credential: Credential, isOvertaken: boolean): Promise<'kept' | 'overtaken'> {
    const { account, log, openDashboard } = this.#options
    this.#isKeeping = true
    try {
      if (!isOvertaken) {
        await account.accept(credential)
        return 'kept'
      }
    } catch (fault) {
      if (!(fault instanceof AnotherSignInError)) {
        log.error('The key could not be kept', fault)
        await account.hold(credential)
        void explainKeyring(fault, { account, credential, openDashboard })
        return 'kept'
      }
    } finally {
      this.#isKeeping = false
    }
    await this.#giveUp(credential)
    return 'overtaken'
  }

  /** A key that was made for this sign-in is given back. One that the user has made is the user's: it stays as it is. */
  async #giveUp(credential: Credential): Promise<void> {
    if (credential.origin === 'pasted') {
      void window.showInformationMessage('Another window has signed in meanwhile; the pasted key was not stored.')
      return
    }
    if ((await this.#options.account.giveUp(credential, new AbortController().signal)) === 'revoked') return
    const text = `Another window has signed in meanwhile, and ${sanitize(credential.service)} did not confirm that the second key was revoked. It may still work: try again, or revoke the newest key under API Keys on the dashboard.`
    void sayUnrevoked(text, { ...this.#options, issuer: credential.issuer })
  }

  /** A key that came although the sign-in had ended already. */
  giveBack(credential: Credential): void {
    const { account, log } = this.#options
    const given = account.giveUp(credential, new AbortController().signal).then(revocation => {
      log.info('A key that nobody waits for was given back', { revocation })
      if (revocation === 'revoked') return
      const text = `${sanitize(credential.service)} had made a key for the sign-in that has ended, and did not confirm that it was revoked. It may still work: try again, or revoke the newest key under API Keys on the dashboard.`
      void sayUnrevoked(text, { ...this.#options, issuer: credential.issuer })
    })
    void this.note(given)
  }

  /** Of a sign-in that has ended already: there is nothing to give back, and nothing to begin again. */
  sayLost(service: string): void {
    this.#sayOnDashboard(
      `The sign-in has ended, but ${service} may have made a key for it that was lost on the way. If so, revoke it on the dashboard under API Keys.`,
    )
  }

  /** Of a sign-in that has succeeded, at the second answer with a key. */
  saySecond(service: string): void {
    this.#sayOnDashboard(
      `You are signed in, but ${service} may have made a key before this one that was lost on the way. If the dashboard shows two new ones under API Keys, revoke the older.`,
    )
  }

  #sayOnDashboard(text: string): void {
    if (this.#isDisposed) return
    void window.showWarningMessage(text, 'Open Dashboard').then(chosen => chosen && this.#options.openDashboard())
  }

  /** Remembers `work`, which may bring a key or take one away, until it has ended. */
  note<T>(work: Promise<T>): Promise<T> {
    this.#underWay.add(work)
    const forget = () => this.#underWay.delete(work)
    work.then(forget, forget)
    return work
  }

  /** Resolves when no key is on its way any more, to or from the service. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay)
  }

  dispose(): void {
    this.#isDisposed = true
  }
}

/** What the ways in come back with. */
export type Got = Pick<Credential, 'key' | 'email' | 'origin' | 'id'>

export function credentialOf({ name, resource, issuer, revocationEndpoint }: Service, got: Got): Credential {
  return { version: 1, resource, issuer, revocationEndpoint, service: name, ...got }
}
