// Owns who is signed in; everyone else asks or listens.
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
 * Why nobody is signed in although somebody was. `left`: another window signed out. `unreadable`: the keyring failed, so
 * nobody knows. `moved`: the key that is stored is for another address than the one in use. The others: see `Absence`.
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
 * `not forgotten`: the keyring did not let go of it, and it was not revoked either.
 */
export type Revocation = 'revoked' | 'not confirmed' | 'not tried' | 'not forgotten'

/**
 * A key that another one took the place of. It still works, and nobody uses it. `by`: a sign-in of this window, or one of
 * another window that was stored while this key lay in memory only.
 */
export interface Replaced {
  readonly credential: Credential
  readonly by: 'this window' | 'another window'
  /** The service had refused it, which may have been a passing word; the user has signed in again there. */
  readonly wasRefused?: true
}

/** Other windows hear of a sign-out before the key fails them, unless telling them takes longer than this. */
const TELLING_MS = 1_000

/** What this window uses. */
type InUse =
  | Extract<AccountState, { is: 'unknown' | 'out' }>
  | { readonly is: 'in' | 'refused'; readonly credential: Credential }

/**
 * The keyring, as far as this window knows. `lastRead`: what it held when it was read last, whichever service it is for.
 * `letting go`: this window signs out and the store still deletes; what it holds until then is nobody's.
 */
interface Keyring {
  readonly is: 'settled' | 'letting go'
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
  #use: InUse = { is: 'unknown' }
  #keyring: Keyring = { is: 'settled', lastRead: undefined }
  /** Given up here, but the service did not confirm that it revoked them: kept for one retry. */
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

  /** This window was the one to hear that the key is no longer accepted. */
  readonly onDidRefuse: Event<SignedIn> = this.#refused.event

  readonly onDidReplace: Event<Replaced> = this.#replaced.event

  get state(): AccountState {
    const use = this.#use
    return 'credential' in use ? { is: use.is, account: accountOf(use.credential) } : use
  }

  /** Of the service in use, accepted or refused. */
  get #credential(): Credential | undefined {
    return 'credential' in this.#use ? this.#use.credential : undefined
  }

  /** Settles when what is stored was read for the first time. Whoever asks before would ask without the key. */
  get whenKnown(): Promise<void> {
    return this.#known.promise
  }

  /** Reads what is stored; makes no request. Another window's change, or another address, is seen the same way. */
  restore(): Promise<void> {
    const restored = this.#work.add(async () => {
      let isReadable = true
      const read = await this.#store.load().catch(fault => {
        // A keyring that is locked for a moment is no reason to forget what is known.
        this.#log.error('The stored key could not be read', fault)
        isReadable = false
        return this.#credential
      })
      if (this.#keyring.is === 'letting go') return
      if (isReadable) this.#keyring = { is: 'settled', lastRead: read }
      // What is known goes on; where nothing is, a keyring that cannot be read is as good as an empty one.
      const spare = isReadable || !this.#credential ? this.#environment() : undefined
      const stored = [read, this.#held, spare].find(credential => credential?.resource === this.#origin())
      if (stored?.isSame(this.#credential)) this.#noteRefusal(stored)
      else if (stored) this.#become(stored)
      else this.#leave(isReadable ? this.#reasonToBeOut() : 'unreadable', read ?? this.#held)
      if (isReadable && stored && stored === read) this.#letGoOfHeld(read, 'another window')
    })
    return restored.finally(() => this.#known.resolve())
  }

  /** What works from memory is gone with the window, so it is not forgotten without a word. */
  #letGoOfHeld(instead: Credential, by: Replaced['by']): void {
    const held = this.#held
    if (!held || (by === 'another window' && held.resource !== instead.resource)) return
    this.#held = undefined
    if (!held.hasTextOf(instead)) this.#replaced.fire({ credential: held, by })
  }

  /** The same key as before; another window may have heard that it is refused. */
  #noteRefusal(credential: Credential): void {
    if (this.#use.is === 'in' && credential.origin !== 'environment' && this.#store.isRefused(credential))
      this.#move({ is: 'refused', credential: this.#use.credential })
  }

  #reasonToBeOut(): OutReason | undefined {
    const origin = this.#origin()
    const absence = origin && this.#store.absence(origin)
    if (absence) return absence
    const wasHere = this.#credential !== undefined && this.#credential.resource === origin
    const isLeft = wasHere || (this.#use.is === 'out' && this.#use.why === 'left')
    if (isLeft) return 'left'
    return origin && (this.#keyring.lastRead ?? this.#held) ? 'moved' : undefined
  }

  #leave(why: OutReason | undefined, other: Credential | undefined): void {
    const from = why === 'moved' && other ? accountOf(other) : undefined
    const use = this.#use
    if (use.is === 'out' && use.why === why && use.from?.resource === from?.resource) return
    this.#move({ is: 'out', ...(why && { why }), ...(from && { from }) })
  }

  /**
   * Stores first and tells then: what was told must survive the next moment. Throws when it could not be stored, and an
   * `AnotherSignInError` when another window was faster: of two keys one is enough.
   */
  accept(credential: Credential): Promise<void> {
    return this.#work.add(async () => {
      const isSpare = this.#credential === this.#held || this.#credential?.origin === 'environment'
      if (this.#use.is === 'in' && !isSpare) throw new AnotherSignInError('Another window has signed in meanwhile')
      const before = this.#keyring.lastRead
      const refused = this.#use.is === 'refused' ? this.#use.credential : undefined
      const named = this.#named(credential)
      await this.#store.save(named)
      this.#keyring = { ...this.#keyring, lastRead: named }
      this.#keepValid(named)
      this.#become(named)
      this.#letGoOfHeld(named, 'this window')
      if (before) this.#tellReplaced(before, named, refused)
    })
  }

  #named(credential: Credential): Credential {
    if (credential.id) return credential
    const facts = { ...credential, id: crypto.randomUUID() }
    return new Credential(credentialText(credential), facts, this.#log.redactor)
  }

  /** One that the user has made is the user's to revoke, and so is one that the user signed out of without doing so. */
  #tellReplaced(before: Credential, instead: Credential, refused: Credential | undefined): void {
    if (before.resource !== instead.resource) return this.#replaced.fire({ credential: before, by: 'this window' })
    const isOurs = before.isSame(refused) && !before.hasTextOf(instead) && before.origin !== 'pasted'
    if (isOurs) this.#replaced.fire({ credential: before, by: 'this window', wasRefused: true })
  }

  /** A key that is in use again is none to be revoked. */
  #keepValid(credential: Credential): void {
    this.#unrevoked = this.#unrevoked.filter(other => !other.hasTextOf(credential))
  }

  /** API origins of sign-ins in other windows whose keys this window cannot see before it has been reloaded. */
  get unread(): readonly string[] {
    return this.#store.unread
  }

  /** See `SharedStore.writeBeside`. */
  writeBeside(write: () => Promise<void>): Promise<boolean> {
    return this.#store.writeBeside(write)
  }

  /** The user knows that another window is signed in with a key that this one cannot see, and wants one here as well. */
  acknowledgeOthers(): Disposable {
    return this.#store.acknowledge()
  }

  /** This key works in this window only and is gone with it. */
  isHeld(credential: Credential): boolean {
    return credential.hasTextOf(this.#held)
  }

  /** Whether the sign-in with this id, which whoever signed in has chosen, came to its end: its key was stored. */
  wasStored(id: string): boolean {
    return this.#store.wasStored(id)
  }

  /** A window went away while the user was replacing this sign-in, which the service had refused: it is not `in` again. */
  stayRefused(id: string): void {
    if (this.#use.is === 'in' && this.signInId === id) this.#move({ ...this.#use, is: 'refused' })
  }

  /** For this window only: the keyring could not keep it and the user knows. */
  hold(credential: Credential): Promise<void> {
    return this.#work.add(async () => {
      this.#letGoOfHeld(credential, 'this window')
      this.#held = credential
      this.#keepValid(credential)
      this.#become(credential)
    })
  }

  /** A request with `sent` failed. When that is what the service objects to, and it is in use, everyone is told once. */
  learn(fault: unknown, sent: Credential | undefined): void {
    if (meaningOf(fault).kind === 'problem: key rejected' && sent?.hasTextOf(this.#credential)) this.#refuse()
  }

  /** Gives up a key that nobody will keep. Where the service does not confirm it, it is kept for one retry. */
  async giveUp(credential: Credential, signal: AbortSignal): Promise<Revocation> {
    const revocation = await this.#revoke(credential, signal)
    if (revocation === 'not confirmed') this.#unrevoked = [...this.#unrevoked, credential]
    return revocation
  }

  /** What became of the first. The second is one that the service has refused, and most likely dead. */
  async #giveUpBoth(first: Credential, second: Credential | undefined, signal: AbortSignal): Promise<Revocation> {
    const [revocation] = await Promise.all([this.giveUp(first, signal), second && this.giveUp(second, signal)])
    return revocation
  }

  async #revoke(credential: Credential, signal: AbortSignal): Promise<Revocation> {
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
   * Over here at once, whatever the store takes to let go. Then the key is given up at the service, which waits neither
   * for a keyring nor for another window that hangs. Never throws for the service's sake.
   */
  async signOut(revoke: boolean, signal: AbortSignal): Promise<Revocation> {
    const credential = this.#credential
    if (credential?.origin === 'environment') return 'not tried'
    const spare = this.#environment()
    const beside = this.#storedBeside(credential)
    this.#keyring = { ...this.#keyring, is: 'letting go' }
    if (this.#held === credential) this.#held = undefined
    this.#become(spare)
    const forgetting = this.#work.add(() => this.#forget(credential, spare))
    await this.#shortly(forgetting)
    const revocation = revoke && credential ? await this.#giveUpBoth(credential, beside, signal) : 'not tried'
    // What is worthless may lie where it lies.
    if (revocation === 'revoked') return revocation
    return (await forgetting) ? revocation : 'not forgotten'
  }

  /** A refused key that the keyring still holds while another one works from memory; one that the user made stays valid. */
  #storedBeside(credential: Credential | undefined): Credential | undefined {
    const { lastRead } = this.#keyring
    const isBeside = lastRead?.resource === credential?.resource && !lastRead?.hasTextOf(credential)
    return isBeside && lastRead?.origin !== 'pasted' ? lastRead : undefined
  }

  async #shortly(work: Promise<unknown>): Promise<void> {
    const { promise: waited, resolve } = Promise.withResolvers<void>()
    const callOff = this.#clock.later(TELLING_MS, resolve)
    await Promise.race([work, waited])
    callOff()
  }

  /** The services that did not confirm the end of a key that this window gave up, and that it can ask once more. */
  get unrevoked(): readonly SignedIn[] {
    return this.#unrevoked.map(accountOf)
  }

  /** Asks once more to revoke what was given up; the keys are forgotten then in any case. */
  async revokeAgain(signal: AbortSignal): Promise<Revocation> {
    const credentials = this.#unrevoked
    this.#unrevoked = []
    const ends = await Promise.all(credentials.map(credential => this.#revoke(credential, signal)))
    return ends.find(end => end !== 'revoked') ?? (ends.length > 0 ? 'revoked' : 'not tried')
  }

  /** A keyring that fails keeps nobody signed in, nor does a key that was on its way into it. */
  async #forget(credential: Credential | undefined, spare: Credential | undefined): Promise<boolean> {
    try {
      await this.#store.clear(credential)
      return true
    } catch (fault) {
      this.#log.error('The stored key could not be deleted', fault)
      return false
    } finally {
      this.#keyring = { ...this.#keyring, is: 'settled' }
      if (this.#credential !== spare) this.#become(spare)
    }
  }

  credential(origin: string): Credential | undefined {
    return this.#credential?.resource === origin ? this.#credential : undefined
  }

  /** The same in every window of one account, whatever the window is called. May be secret: only a keyed hash may leave. */
  get slotOwner(): string {
    const credential = this.#credential
    if (!credential) return ' '
    return `${credential.resource} ${credential.email ?? credentialText(credential)}`
  }

  /**
   * Which sign-in it is, without a secret; what is kept for one is not the next one's. That of the environment is one and
   * the same, whatever the variable holds. Undefined where nobody is signed in, and where nothing outlives the window.
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
    if (this.#use.is !== 'in') return
    const { credential } = this.#use
    if (credential.origin !== 'environment') void this.#store.refuse(credential)
    this.#move({ is: 'refused', credential })
    this.#refused.fire(accountOf(credential))
  }

  #become(credential: Credential | undefined): void {
    this.#move(credential ? { is: 'in', credential } : { is: 'out' })
  }

  #move(use: InUse): void {
    this.#use = use
    this.#changed.fire(this.state)
  }
}

function accountOf({ service, resource, issuer, email, origin }: Credential): SignedIn {
  return { service, resource, issuer, email, origin }
}
