// A credential store whose windows agree: what one did, the others know, also where the secret storage does not tell.
import { type Disposable, onEnd } from '../../base/disposable.ts'
import { Emitter, type Event } from '../../base/event.ts'
import type { SignInNote } from '../../protocol/stored.ts'
import type { Credential } from '../http/credential.ts'
import {
  type Absence,
  AnotherSignInError,
  type CredentialStore,
  KeyringError,
  type SharedStore,
} from './credentialStore.ts'
import type { SignInRecords, WriteNote } from './signInRecords.ts'

/**
 * Joins the secret storage with the notes. A sign-in that the notes call over is over, whatever an old copy of the
 * secret storage still holds; and nothing is written over a sign-in that this window has not read.
 */
export class SharedCredentialStore implements SharedStore, Disposable {
  readonly #kept: CredentialStore
  readonly #notes: SignInRecords
  readonly #changed = new Emitter<void>()
  readonly #listening: readonly Disposable[]
  /** Once over, always over: the file may have been damaged or cut since. */
  readonly #over = new Set<string>()
  /** Of records that name no sign-in. */
  readonly #overWithoutId: Credential[] = []
  /** What the notes said when this window began, by id; a refusal of that time may have been a passing one. */
  #first: ReadonlyMap<string, SignInNote> | undefined
  /** Sign-ins whose key this window has stored or read. Where it is gone since, a reload does not bring it back. */
  readonly #seen = new Set<string>()
  /** Sign-ins of other windows that the user wants no part of. */
  readonly #acknowledged = new Set<string>()
  #loaded: Credential | undefined

  constructor(kept: CredentialStore, notes: SignInRecords) {
    this.#kept = kept
    this.#notes = notes
    this.#listening = [kept.onDidChange(() => this.#changed.fire()), notes.onDidChange(() => this.#changed.fire())]
  }

  readonly onDidChange: Event<void> = this.#changed.event

  async load(): Promise<Credential | undefined> {
    await this.#look()
    const credential = await this.#kept.load().catch(fault => {
      if (this.#loaded && this.#isOver(this.#loaded)) return undefined
      throw fault
    })
    // Whoever signs out notes it before the key goes, but that may have been after the first look.
    if (this.#loaded && !this.#loaded.hasTextOf(credential)) await this.#look()
    this.#take(credential && !this.#isOver(credential) ? credential : undefined)
    return this.#loaded
  }

  #take(credential: Credential | undefined): void {
    this.#loaded = credential
    if (credential?.id) this.#seen.add(credential.id)
  }

  save(credential: Credential): Promise<void> {
    return this.#notes.alone(async write => {
      await this.#look()
      const before = await this.#kept.load().catch(fault => {
        // It would be waited for once more.
        if (fault instanceof KeyringError && fault.why === 'silent') throw fault
        return undefined
      })
      if (this.#isUnread(credential.resource, before)) {
        this.#changed.fire()
        throw new AnotherSignInError('Another window has signed in meanwhile')
      }
      await this.#kept.save(credential)
      const others = this.#live(credential.resource).map(({ id }) => id)
      if (credential.id) await write({ id: credential.id, resource: credential.resource, is: 'in' }, others)
      if (before?.id && before.id !== credential.id)
        await write({ id: before.id, resource: before.resource, is: 'out' })
      this.#take(credential)
    })
  }

  /** The notes first: they work also while the keyring does not. */
  clear(credential?: Credential): Promise<void> {
    return this.#notes.alone(async write => {
      await this.#look()
      if (credential?.id) {
        const ended = this.#live(credential.resource).filter(note => !this.#isNew(note) && note.id !== credential.id)
        const drop = ended.map(({ id }) => id)
        await write({ id: credential.id, resource: credential.resource, is: 'out' }, drop)
        this.#over.add(credential.id)
      }
      if (credential) await this.#endStored(credential, write)
      const other = credential && (await this.#storedForAnother(credential))
      this.#take(other)
      // In a browser every window writes all secrets as it knows them: that would undo what another one stored.
      if (!other && this.#unread().length === 0) await this.#kept.clear()
    })
  }

  /**
   * Beside a key in memory the keyring may hold another one of the same service, which the service has refused. It is over
   * as well, also where the keyring does not let go of it.
   */
  async #endStored(credential: Credential, write: WriteNote): Promise<void> {
    const stored = this.#loaded
    if (!stored || stored.resource !== credential.resource || stored.hasTextOf(credential)) return
    if (stored.id === undefined) return void this.#overWithoutId.push(stored)
    this.#over.add(stored.id)
    await write({ id: stored.id, resource: stored.resource, is: 'out' })
  }

  /** Beside a key in memory, that of another service may be stored. A keyring that fails holds what it held last. */
  async #storedForAnother(credential: Credential): Promise<Credential | undefined> {
    if (credential.hasTextOf(this.#loaded)) return undefined
    const stored = await this.#kept.load().catch(() => this.#loaded)
    return stored?.resource === credential.resource ? undefined : stored
  }

  async refuse({ id, resource }: Credential): Promise<void> {
    if (id) await this.#notes.note({ id, resource, is: 'refused' })
  }

  isRefused({ id }: Credential): boolean {
    const note = this.#notes.all.find(other => other.id === id)
    const before = this.#first?.get(note?.id ?? '')
    return note?.is === 'refused' && !(before?.is === 'refused' && before.at === note.at)
  }

  writeBeside(write: () => Promise<void>): Promise<boolean> {
    return this.#notes.alone(async () => {
      await this.#look()
      if (this.#unread().length > 0) return false
      await write()
      return true
    })
  }

  wasStored(id: string): boolean {
    return this.#loaded?.id === id || this.#notes.all.some(note => note.id === id)
  }

  absence(resource: string): Absence | undefined {
    const live = this.#live(resource)
    if (live.length === 0) return undefined
    return live.some(note => this.#isNew(note) && !this.#acknowledged.has(note.id)) ? 'elsewhere' : 'lost'
  }

  get unread(): readonly string[] {
    return this.#unread().flatMap(({ id, resource }) => (this.#acknowledged.has(id) ? [] : [resource]))
  }

  acknowledge(): Disposable {
    const added = this.#notes.all.map(({ id }) => id).filter(id => !this.#acknowledged.has(id))
    for (const id of added) this.#acknowledged.add(id)
    return onEnd(() => {
      for (const id of added) this.#acknowledged.delete(id)
    })
  }

  /**
   * Of the time of this window, and never seen: a storage that does not reach other windows does not have it here. One
   * that was seen may have ended without a note, by a window that shares the storage and not the file: a remote window
   * keeps its file on the remote machine.
   */
  #isNew({ id }: SignInNote): boolean {
    return !this.#first?.has(id) && !this.#seen.has(id)
  }

  async #look(): Promise<void> {
    const notes = await this.#notes.read()
    this.#first ??= new Map(notes.map(note => [note.id, note]))
    for (const { id, is } of notes) if (is === 'out') this.#over.add(id)
  }

  #isOver(credential: Credential): boolean {
    const { id } = credential
    return id === undefined ? this.#overWithoutId.some(one => one.isSame(credential)) : this.#over.has(id)
  }

  /** Sign-ins that are not over, as far as the notes know. */
  #live(resource?: string): readonly SignInNote[] {
    return this.#notes.all.filter(
      note => (resource === undefined || note.resource === resource) && note.is !== 'out' && !this.#over.has(note.id),
    )
  }

  /** Sign-ins of other windows, to whichever service, whose key this window may not see. */
  #unread(): readonly SignInNote[] {
    return this.#live().filter(note => this.#isNew(note))
  }

  #isUnread(resource: string, stored: Credential | undefined): boolean {
    const isStoredUnread =
      stored !== undefined && stored.resource === resource && !this.#isOver(stored) && !stored.hasTextOf(this.#loaded)
    return isStoredUnread || this.unread.length > 0
  }

  dispose(): void {
    for (const listening of this.#listening) listening.dispose()
    this.#changed.dispose()
  }
}
