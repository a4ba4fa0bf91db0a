// Account: the owner of the credential in use and of its state (signed in, signed out, refused); other components read it or subscribe.
import { type Clock, systemClock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { Emitter, type Event } from '../../base/event.ts'
import { Queue } from '../../base/singleFlight.ts'
import type { CredentialSource } from '../http/bearer.ts'
import { Credential, type CredentialOrigin, credentialText } from '../http/credential.ts'
import { meaningOf } from '../http/fault.ts'
import type { Http } from '../http/http.ts'
import type { Log } from '../log/log.ts'
import { type Absence, AnotherSignInError, type SharedStore } from './credentialStore.ts'
import { isRevoked, revocationRequest } from './revocation.ts'

/** Who is signed in, without the secret. */
export interface SignedIn {
  readonly service: string
  readonly resource: string
  readonly issuer: string | undefined
  readonly email: string | undefined
  /** From where the key is. One of the environment is not ours to store, to revoke or to sign out of. */
  readonly origin: CredentialOrigin
}

/**
 * Why the account is signed out after it was signed in. `left`: another window signed out. `unreadable`: the keyring
 * failed, so it is not known. `moved`: the stored key is for another address than the one in use. Else see `Absence`.
 */
export type OutReason = 'left' | 'unreadable' | 'moved' | Absence

export type AccountState =
  | { readonly is: 'unknown' }
  /** `from`: who is signed in at the other address. */
  | { readonly is: 'out'; readonly why?: OutReason; readonly from?: SignedIn }
  | { readonly is: 'in'; readonly account: SignedIn }
  /** The service no longer accepts the key. It is kept until the user decides. */
  | { readonly is: 'refused'; readonly account: SignedIn }

/**
 * What became of the key at the service after signing out. `not confirmed`: it may still work; one retry is possible.
 * `not forgotten`: the keyring did not delete it, and it was not revoked either.
 */
export type Revocation = 'revoked' | 'not confirmed' | 'not tried' | 'not forgotten'

/**
 * A key that another one replaced. It may still work, and no component uses it any more. `by`: a sign-in in this window;
 * a second sign-in at a service that had refused the key, perhaps only temporarily; or a sign-in in another window, which
 * was stored while this key was in memory only.
 */
export interface Replaced {
  readonly credential: Credential
  readonly by: 'this window' | 'this window, after a refusal' | 'another window'
}

/** A sign-out waits this long for the store before it revokes the key, so that other windows learn of it before the key fails. */
const CLEAR_WAIT_MS = 1_000

/** What this window uses. */
type InUse =
  | Extract<AccountState, { is: 'unknown' | 'out' }>
  | { readonly is: 'in' | 'refused'; readonly credential: Credential }

/**
 * The keyring, as far as this window knows. `lastRead`: what it held when it was read last, whichever service it is for.
 * `deleting`: this window signs out and the store has not deleted the key yet; until then what it holds is not used.
 */
interface Keyring {
  readonly is: 'settled' | 'deleting'
  readonly lastRead: Credential | undefined
}

export class Account implements CredentialSource {
  readonly #http: Http
  readonly #store: SharedStore
  readonly #log: Log
  readonly #origin: () => string | undefined
  readonly #environment: () => Credential | undefined
  readonly #clock: Clock
  readonly #changed = new Emitter<AccountState>()
  readonly #refused = new Emitter<SignedIn>()
  readonly #replaced = new Emitter<Replaced>()
  readonly #work = new Queue()
  #inUse: InUse = { is: 'unknown' }
  #keyring: Keyring = { is: 'settled', lastRead: undefined }
  /** Keys whose revocation the service did not confirm: kept for one retry. */
  #unrevoked: readonly Credential[] = []
  /** A key that the keyring did not store. It may be for another address than the one in use. */
  #held: Credential | undefined
  readonly #known = Promise.withResolvers<void>()

  /**
   * `http` must be the one without credential: signing out sends the key in a form and nowhere else. `origin` is that of
   * the service in use; a credential of another one reads as nothing stored. `environment` is used where nothing is.
   */
  constructor(
    http: Http,
    store: SharedStore,
    origin: () => string | undefined,
    log: Log,
    environment: () => Credential | undefined = () => undefined,
    clock: Clock = systemClock,
  ) {
    this.#http = http
    this.#store = store
    this.#origin = origin
    this.#environment = environment
    this.#clock = clock
    this.#log = log
    store.onDidChange(() => void this.restore())
  }

  readonly onDidChange: Event<AccountState> = this.#changed.event

  /** A request of this window was rejected because the key is no longer accepted. */
  readonly onDidRefuse: Event<SignedIn> = this.#refused.event

  readonly onDidReplace: Event<Replaced> = this.#replaced.event

  get state(): AccountState {
    const use = this.#inUse
    return 'credential' in use ? { is: use.is, account: accountOf(use.credential) } : use
  }

  /** Of the service in use, accepted or refused. */
  get #credential(): Credential | undefined {
    return 'credential' in this.#inUse ? this.#inUse.credential : undefined
  }

  /** Resolves after the first read of the store. A request that is sent before carries no key. */
  get whenKnown(): Promise<void> {
    return this.#known.promise
  }

  /** Reads what is stored; makes no request. Another window's change, or another address, is seen the same way. */
  restore(): Promise<void> {
    const restored = this.#work.add(async () => {
      let isReadable = true
      const read = await this.#store.load().catch(fault => {
        // The credential in use stays, because a keyring may be locked only for a while.
        this.#log.error('The stored key could not be read', fault)
        isReadable = false
        return this.#credential
      })
      if (this.#keyring.is === 'deleting') return
      if (isReadable) this.#keyring = { is: 'settled', lastRead: read }
      // A keyring that cannot be read counts as empty only where no credential is in use.
      const environmentKey = isReadable || !this.#credential ? this.#environment() : undefined
      const stored = [read, this.#held, environmentKey].find(credential => credential?.resource === this.#origin())
      if (stored?.isSame(this.#credential)) this.#applyStoredRefusal(stored)
      else if (stored) this.#setCredential(stored)
      else this.#setSignedOut(isReadable ? this.#outReason() : 'unreadable', read ?? this.#held)
      if (isReadable && stored && stored === read) this.#dropHeld(read, 'another window')
    })
    return restored.finally(() => this.#known.resolve())
  }

  /** Reports the key that is in memory only as replaced, because it still works and is lost with the window. */
  #dropHeld(instead: Credential, by: Replaced['by']): void {
    const held = this.#held
    if (!held || (by === 'another window' && held.resource !== instead.resource)) return
    this.#held = undefined
    if (!held.hasTextOf(instead)) this.#replaced.fire({ credential: held, by })
  }

  /** For the same key as before: another window may have recorded that the service refused it. */
  #applyStoredRefusal(credential: Credential): void {
    if (this.#inUse.is === 'in' && credential.origin !== 'environment' && this.#store.isRefused(credential))
      this.#setState({ is: 'refused', credential: this.#inUse.credential })
  }

  #outReason(): OutReason | undefined {
    const origin = this.#origin()
    const absence = origin && this.#store.absence(origin)
    if (absence) return absence
    const wasHere = this.#credential !== undefined && this.#credential.resource === origin
    const isLeft = wasHere || (this.#inUse.is === 'out' && this.#inUse.why === 'left')
    if (isLeft) return 'left'
    return origin && (this.#keyring.lastRead ?? this.#held) ? 'moved' : undefined
  }

  #setSignedOut(why: OutReason | undefined, other: Credential | undefined): void {
    const from = why === 'moved' && other ? accountOf(other) : undefined
    const use = this.#inUse
    if (use.is === 'out' && use.why === why && use.from?.resource === from?.resource) return
    this.#setState({ is: 'out', ...(why && { why }), ...(from && { from }) })
  }

  /**
   * Stores the credential before it reports the sign-in, because a sign-in that was reported must outlive the window.
   * Throws when it could not be stored, and an `AnotherSignInError` when another window was faster: one key is enough.
   */
  accept(credential: Credential): Promise<void> {
    return this.#work.add(async () => {
      const isReplaceable = this.#credential === this.#held || this.#credential?.origin === 'environment'
      if (this.#inUse.is === 'in' && !isReplaceable)
        throw new AnotherSignInError('Another window has signed in meanwhile')
      const before = this.#keyring.lastRead
      const refused = this.#inUse.is === 'refused' ? this.#inUse.credential : undefined
      const named = this.#withId(credential)
      await this.#store.save(named)
      this.#keyring = { ...this.#keyring, lastRead: named }
      this.#forgetUnrevoked(named)
      this.#setCredential(named)
      this.#dropHeld(named, 'this window')
      if (before) this.#reportReplaced(before, named, refused)
    })
  }

  #withId(credential: Credential): Credential {
    if (credential.id) return credential
    const facts = { ...credential, id: crypto.randomUUID() }
    return new Credential(credentialText(credential), facts, this.#log.redactor)
  }

  /** A pasted key is the user's to revoke, and so is one that the user signed out of without revoking it. */
  #reportReplaced(before: Credential, instead: Credential, refused: Credential | undefined): void {
    if (before.resource !== instead.resource) return this.#replaced.fire({ credential: before, by: 'this window' })
    const isOurs = before.isSame(refused) && !before.hasTextOf(instead) && before.origin !== 'pasted'
    if (isOurs) this.#replaced.fire({ credential: before, by: 'this window, after a refusal' })
  }

  /** A key that is in use again must not be revoked by a retry. */
  #forgetUnrevoked(credential: Credential): void {
    this.#unrevoked = this.#unrevoked.filter(other => !other.hasTextOf(credential))
  }

  /** API origins of sign-ins in other windows whose keys this window cannot read before it has been reloaded. */
  get unread(): readonly string[] {
    return this.#store.unread
  }

  /** See `SharedStore.writeIfSafe`. */
  writeIfSafe(write: () => Promise<void>): Promise<boolean> {
    return this.#store.writeIfSafe(write)
  }

  /** The user knows that another window is signed in with a key that this one cannot read, and wants one here as well. */
  acknowledgeUnread(): Disposable {
    return this.#store.acknowledgeUnread()
  }

  /** Whether this key is in memory only, so that it is lost with the window. */
  isHeld(credential: Credential): boolean {
    return credential.hasTextOf(this.#held)
  }

  /** Whether the key of the sign-in attempt with this id was stored. */
  wasStored(id: string): boolean {
    return this.#store.wasStored(id)
  }

  /** For a refused sign-in that the user was replacing when the window closed: the stored key is still refused. */
  stayRefused(id: string): void {
    if (this.#inUse.is === 'in' && this.signInId === id) this.#setState({ ...this.#inUse, is: 'refused' })
  }

  /** Uses a key from memory in this window only, because the keyring could not store it; the user is notified. */
  hold(credential: Credential): Promise<void> {
    return this.#work.add(async () => {
      this.#dropHeld(credential, 'this window')
      this.#held = credential
      this.#forgetUnrevoked(credential)
      this.#setCredential(credential)
    })
  }

  /** A request with `sent` failed. If the service rejected that key and it is in use, the account becomes `refused`. */
  handleFault(fault: unknown, sent: Credential | undefined): void {
    if (meaningOf(fault).kind === 'problem: key rejected' && sent?.hasTextOf(this.#credential)) this.#refuse()
  }

  /** Revokes a key that will not be stored. One whose revocation the service does not confirm is kept for one retry. */
  async revoke(credential: Credential, signal: AbortSignal): Promise<Revocation> {
    const revocation = await this.#requestRevocation(credential, signal)
    if (revocation === 'not confirmed') this.#unrevoked = [...this.#unrevoked, credential]
    return revocation
  }

  /** Returns what became of the first. The second is one that the service has refused and that is probably invalid. */
  async #revokeBoth(first: Credential, second: Credential | undefined, signal: AbortSignal): Promise<Revocation> {
    const [revocation] = await Promise.all([this.revoke(first, signal), second && this.revoke(second, signal)])
    return revocation
  }

  async #requestRevocation(credential: Credential, signal: AbortSignal): Promise<Revocation> {
    if (!credential.revocationEndpoint) return 'not tried'
    try {
      const answer = await revocationRequest(this.#http, credential.revocationEndpoint, credential, signal)
      return isRevoked(answer) ? 'revoked' : 'not confirmed'
    } catch (fault) {
      this.#log.error('The key could not be revoked', fault)
      return 'not confirmed'
    }
  }

  /**
   * Signs out in this window at once, however long the store takes to delete the key. The revocation does not wait for a
   * keyring or for another window that hangs. A service that fails does not make it throw.
   */
  async signOut(revoke: boolean, signal: AbortSignal): Promise<Revocation> {
    const credential = this.#credential
    if (credential?.origin === 'environment') return 'not tried'
    const environmentKey = this.#environment()
    const refused = this.#storedRefused(credential)
    this.#keyring = { ...this.#keyring, is: 'deleting' }
    if (this.#held === credential) this.#held = undefined
    this.#setCredential(environmentKey)
    const cleared = this.#work.add(() => this.#clearStore(credential, environmentKey))
    await this.#waitBriefly(cleared)
    const revocation = revoke && credential ? await this.#revokeBoth(credential, refused, signal) : 'not tried'
    // Whether the keyring deleted a revoked key does not matter, because the key no longer works.
    if (revocation === 'revoked') return revocation
    return (await cleared) ? revocation : 'not forgotten'
  }

  /** A refused key that the keyring still holds while another one works from memory. A pasted key stays valid. */
  #storedRefused(credential: Credential | undefined): Credential | undefined {
    const { lastRead } = this.#keyring
    const isAnother = lastRead?.resource === credential?.resource && !lastRead?.hasTextOf(credential)
    return isAnother && lastRead?.origin !== 'pasted' ? lastRead : undefined
  }

  async #waitBriefly(work: Promise<unknown>): Promise<void> {
    const { promise: waited, resolve } = Promise.withResolvers<void>()
    const cancelTimer = this.#clock.later(CLEAR_WAIT_MS, resolve)
    await Promise.race([work, waited])
    cancelTimer()
  }

  /** The services that did not confirm the revocation of a key and that this window can ask once more. */
  get unrevoked(): readonly SignedIn[] {
    return this.#unrevoked.map(accountOf)
  }

  /** Requests the unconfirmed revocations once more, and then forgets the keys whatever the services answer. */
  async revokeAgain(signal: AbortSignal): Promise<Revocation> {
    const credentials = this.#unrevoked
    this.#unrevoked = []
    const ends = await Promise.all(credentials.map(credential => this.#requestRevocation(credential, signal)))
    return ends.find(end => end !== 'revoked') ?? (ends.length > 0 ? 'revoked' : 'not tried')
  }

  /** Ends signed out even where the keyring fails or a key was being stored. Returns whether the store was cleared. */
  async #clearStore(credential: Credential | undefined, environmentKey: Credential | undefined): Promise<boolean> {
    try {
      await this.#store.clear(credential)
      return true
    } catch (fault) {
      this.#log.error('The stored key could not be deleted', fault)
      return false
    } finally {
      this.#keyring = { ...this.#keyring, is: 'settled' }
      if (this.#credential !== environmentKey) this.#setCredential(environmentKey)
    }
  }

  credential(origin: string): Credential | undefined {
    return this.#credential?.resource === origin ? this.#credential : undefined
  }

  /** The same in every window of one account. It may hold the key, so only a keyed hash of it leaves the process. */
  get slotOwner(): string {
    const credential = this.#credential
    if (!credential) return ' '
    return `${credential.resource} ${credential.email ?? credentialText(credential)}`
  }

  /**
   * Identifies the sign-in without a secret, so that what is kept for one is not used for the next. An environment key
   * always has the same id. Undefined where nobody is signed in, and for a key without a stored id.
   */
  get signInId(): string | undefined {
    const { id, origin } = this.#credential ?? {}
    return id ?? (origin === 'environment' ? origin : undefined)
  }

  async onUnauthorized(refused: Credential): Promise<Credential | undefined> {
    // Another window may have signed in again in the meantime.
    await this.restore()
    const current = this.#credential
    if (!current) return undefined
    if (!current.hasTextOf(refused)) return current
    this.#refuse()
    return undefined
  }

  #refuse(): void {
    if (this.#inUse.is !== 'in') return
    const { credential } = this.#inUse
    if (credential.origin !== 'environment') void this.#store.refuse(credential)
    this.#setState({ is: 'refused', credential })
    this.#refused.fire(accountOf(credential))
  }

  #setCredential(credential: Credential | undefined): void {
    this.#setState(credential ? { is: 'in', credential } : { is: 'out' })
  }

  #setState(use: InUse): void {
    this.#inUse = use
    this.#changed.fire(this.state)
  }
}

function accountOf({ service, resource, issuer, email, origin }: Credential): SignedIn {
  return { service, resource, issuer, email, origin }
}
