// SharedStore made of the secret storage and the sign-in records, which notify other windows where the secret storage does not.
import { type Disposable, onEnd } from '../../base/disposable.ts'
import { Emitter, type Event } from '../../base/event.ts'
import type { SignInRecord } from '../../protocol/stored.ts'
import type { Credential } from '../http/credential.ts'
import {
  type Absence,
  AnotherSignInError,
  type CredentialStore,
  KeyringError,
  type SharedStore,
} from './credentialStore.ts'
import type { SignInRecords, WriteRecord } from './signInRecords.ts'

/**
 * A sign-in whose record is `out` has ended, even if a stale copy of the secret storage still holds its key. Nothing is
 * written over a sign-in that this window has not read.
 */
export class SharedCredentialStore implements SharedStore, Disposable {
  readonly #secretStore: CredentialStore
  readonly #records: SignInRecords
  readonly #changed = new Emitter<void>()
  readonly #listening: readonly Disposable[]
  /** Ids of ended sign-ins. They are remembered here because the file may lose the record. */
  readonly #ended = new Set<string>()
  /** Ended sign-ins whose credentials have no id. */
  readonly #endedWithoutId: Credential[] = []
  /** The records when this window started, by id. A refusal in them is ignored, because it may have been temporary. */
  #recordsAtStart: ReadonlyMap<string, SignInRecord> | undefined
  /** Sign-ins whose key this window has stored or read. If the key is missing now, a reload does not restore it. */
  readonly #seenIds = new Set<string>()
  /** Sign-ins of other windows that the user knows of, see `acknowledgeUnread`. */
  readonly #acknowledgedIds = new Set<string>()
  #loaded: Credential | undefined

  constructor(secretStore: CredentialStore, records: SignInRecords) {
    this.#secretStore = secretStore
    this.#records = records
    this.#listening = [
      secretStore.onDidChange(() => this.#changed.fire()),
      records.onDidChange(() => this.#changed.fire()),
    ]
  }

  readonly onDidChange: Event<void> = this.#changed.event

  async load(): Promise<Credential | undefined> {
    await this.#readRecords()
    const credential = await this.#secretStore.load().catch(fault => {
      if (this.#loaded && this.#isEnded(this.#loaded)) return undefined
      throw fault
    })
    // Another window records its sign-out before it deletes the key, but that may have been after the first read.
    if (this.#loaded && !this.#loaded.hasTextOf(credential)) await this.#readRecords()
    this.#setLoaded(credential && !this.#isEnded(credential) ? credential : undefined)
    return this.#loaded
  }

  #setLoaded(credential: Credential | undefined): void {
    this.#loaded = credential
    if (credential?.id) this.#seenIds.add(credential.id)
  }

  save(credential: Credential): Promise<void> {
    return this.#records.withLock(async write => {
      await this.#readRecords()
      const before = await this.#secretStore.load().catch(fault => {
        // The write would wait for the same timeout again.
        if (fault instanceof KeyringError && fault.why === 'silent') throw fault
        return undefined
      })
      if (this.#isUnread(credential.resource, before)) {
        this.#changed.fire()
        throw new AnotherSignInError('Another window has signed in meanwhile')
      }
      await this.#secretStore.save(credential)
      const replaced = this.#liveRecords(credential.resource).map(({ id }) => id)
      if (credential.id) await write({ id: credential.id, resource: credential.resource, is: 'in' }, replaced)
      if (before?.id && before.id !== credential.id)
        await write({ id: before.id, resource: before.resource, is: 'out' })
      this.#setLoaded(credential)
    })
  }

  /** Writes the records first, because they work also while the keyring does not. */
  clear(credential?: Credential): Promise<void> {
    return this.#records.withLock(async write => {
      await this.#readRecords()
      if (credential?.id) {
        const ended = this.#liveRecords(credential.resource).filter(
          record => !this.#isNew(record) && record.id !== credential.id,
        )
        const drop = ended.map(({ id }) => id)
        await write({ id: credential.id, resource: credential.resource, is: 'out' }, drop)
        this.#ended.add(credential.id)
      }
      if (credential) await this.#endStored(credential, write)
      const other = credential && (await this.#storedForOtherService(credential))
      this.#setLoaded(other)
      // In a browser a window writes all secrets at once, which would overwrite what another one has stored.
      if (!other && this.#unreadRecords().length === 0) await this.#secretStore.clear()
    })
  }

  /**
   * While a key in memory is in use, the keyring may hold another one of the same service, which the service has refused.
   * Its sign-in ends as well, even if the keyring does not delete it.
   */
  async #endStored(credential: Credential, write: WriteRecord): Promise<void> {
    const stored = this.#loaded
    if (!stored || stored.resource !== credential.resource || stored.hasTextOf(credential)) return
    if (stored.id === undefined) return void this.#endedWithoutId.push(stored)
    this.#ended.add(stored.id)
    await write({ id: stored.id, resource: stored.resource, is: 'out' })
  }

  /** While a key in memory is in use, one of another service may be stored. Uses the last read where the keyring fails. */
  async #storedForOtherService(credential: Credential): Promise<Credential | undefined> {
    if (credential.hasTextOf(this.#loaded)) return undefined
    const stored = await this.#secretStore.load().catch(() => this.#loaded)
    return stored?.resource === credential.resource ? undefined : stored
  }

  /** Does not overwrite `out` with `refused`, because that would restore an ended sign-in in the next window. */
  async refuse({ id, resource }: Credential): Promise<void> {
    if (!id) return
    await this.#records.withLock(async write => {
      await this.#readRecords()
      if (!this.#ended.has(id)) await write({ id, resource, is: 'refused' })
    })
  }

  isRefused({ id }: Credential): boolean {
    const record = this.#records.all.find(other => other.id === id)
    const before = this.#recordsAtStart?.get(record?.id ?? '')
    return record?.is === 'refused' && !(before?.is === 'refused' && before.at === record.at)
  }

  writeIfSafe(write: () => Promise<void>): Promise<boolean> {
    return this.#records.withLock(async () => {
      await this.#readRecords()
      if (this.#unreadRecords().length > 0) return false
      await write()
      return true
    })
  }

  wasStored(id: string): boolean {
    return this.#loaded?.id === id || this.#records.all.some(record => record.id === id)
  }

  absence(resource: string): Absence | undefined {
    const live = this.#liveRecords(resource)
    if (live.length === 0) return undefined
    return live.some(record => this.#isNew(record) && !this.#acknowledgedIds.has(record.id)) ? 'elsewhere' : 'lost'
  }

  get unread(): readonly string[] {
    return this.#unreadRecords().flatMap(({ id, resource }) => (this.#acknowledgedIds.has(id) ? [] : [resource]))
  }

  acknowledgeUnread(): Disposable {
    const added = this.#records.all.map(({ id }) => id).filter(id => !this.#acknowledgedIds.has(id))
    for (const id of added) this.#acknowledgedIds.add(id)
    return onEnd(() => {
      for (const id of added) this.#acknowledgedIds.delete(id)
    })
  }

  /**
   * Whether the sign-in was recorded after this window started and its key was never read here, so that the secret
   * storage may not be shared. A key that was read and is missing now may have been deleted by a remote window, which
   * shares the secret storage but keeps its records on the remote machine.
   */
  #isNew({ id }: SignInRecord): boolean {
    return !this.#recordsAtStart?.has(id) && !this.#seenIds.has(id)
  }

  async #readRecords(): Promise<void> {
    const records = await this.#records.read()
    this.#recordsAtStart ??= new Map(records.map(record => [record.id, record]))
    for (const { id, is } of records) if (is === 'out') this.#ended.add(id)
  }

  #isEnded(credential: Credential): boolean {
    const { id } = credential
    return id === undefined ? this.#endedWithoutId.some(one => one.isSame(credential)) : this.#ended.has(id)
  }

  /** Records of the sign-ins that have not ended. */
  #liveRecords(resource?: string): readonly SignInRecord[] {
    return this.#records.all.filter(
      record =>
        (resource === undefined || record.resource === resource) && record.is !== 'out' && !this.#ended.has(record.id),
    )
  }

  /** Records of the sign-ins in other windows, at any service, whose key this window may not be able to read. */
  #unreadRecords(): readonly SignInRecord[] {
    return this.#liveRecords().filter(record => this.#isNew(record))
  }

  #isUnread(resource: string, stored: Credential | undefined): boolean {
    const isStoredUnread =
      stored !== undefined && stored.resource === resource && !this.#isEnded(stored) && !stored.hasTextOf(this.#loaded)
    return isStoredUnread || this.unread.length > 0
  }

  dispose(): void {
    for (const listening of this.#listening) listening.dispose()
    this.#changed.dispose()
  }
}
