// Ports for storing the credential, their faults, and a store in memory.
import { type Disposable, onEnd } from '../../base/disposable.ts'
import { Emitter, type Event } from '../../base/event.ts'
import type { Credential } from '../http/credential.ts'
import { Fault, type FaultName } from '../http/fault.ts'

/**
 * Why there is no credential although there was a sign-in. `elsewhere`: another window signed in, and this one can read
 * the key only after it has been reloaded. `lost`: the key was stored before this window opened, or this window has read
 * it, and it is missing now.
 */
export type Absence = 'elsewhere' | 'lost'

export interface CredentialStore {
  /** Undefined when nothing usable is stored; that is no reason to revoke a key. */
  load(): Promise<Credential | undefined>
  /** Resolves only when the credential has been written and read back. */
  save(credential: Credential): Promise<void>
  clear(): Promise<void>
  /** Fires when another window may have changed what is stored. */
  readonly onDidChange: Event<void>
}

/** A store that all windows share, and by which they notify each other. */
export interface SharedStore extends CredentialStore {
  /** Rejects with `AnotherSignInError` where it would overwrite a sign-in that this window has not read. */
  save(credential: Credential): Promise<void>
  /** Forgets `credential`, in other windows too. */
  clear(credential?: Credential): Promise<void>
  /** Records for all windows that the service no longer accepts this credential. */
  refuse(credential: Credential): Promise<void>
  /** Whether another window has recorded that the service no longer accepts this credential. */
  isRefused(credential: Credential): boolean
  /**
   * Runs `write`, which stores something else in the same secret storage, while no other window writes. Does not run it
   * where that would overwrite a sign-in that this window has not read, because in a browser a window writes all secrets
   * at once. Resolves with whether it ran.
   */
  writeIfSafe(write: () => Promise<void>): Promise<boolean>
  /** Whether some window has stored the key of this sign-in, which may be gone again. As of the last `load`. */
  wasStored(id: string): boolean
  /** As of the last `load`. */
  absence(resource: string): Absence | undefined
  /**
   * API origins of the sign-ins in other windows that this one has not read, as of the last `load`. `save` rejects until
   * they are acknowledged.
   */
  readonly unread: readonly string[]
  /**
   * The user knows of the sign-ins in other windows and wants one here as well: they count as read until the returned
   * disposable is disposed.
   */
  acknowledgeUnread(): Disposable
}

/** The keyring failed, did not answer, or did not store what it was given. */
export class KeyringError extends Fault {
  override readonly name = 'KeyringError'
  readonly why: FaultName<'keyring'>

  constructor(why: KeyringError['why'], cause?: unknown) {
    super(`keyring: ${why}`, `The keyring ${why === 'silent' ? 'does not answer' : why}`, { cause })
    this.why = why
  }
}

/** Another window has signed in meanwhile: its key stays, and the key of this window is not needed. */
export class AnotherSignInError extends Error {
  override readonly name = 'AnotherSignInError'
}

export class MemoryCredentialStore implements SharedStore {
  #kept: Credential | undefined
  readonly changed = new Emitter<void>()
  readonly onDidChange = this.changed.event
  readonly unread: readonly string[] = []

  async load(): Promise<Credential | undefined> {
    return this.#kept
  }

  async save(credential: Credential): Promise<void> {
    this.#kept = credential
  }

  async clear(): Promise<void> {
    this.#kept = undefined
  }

  async refuse(_credential: Credential): Promise<void> {}

  isRefused(_credential: Credential): boolean {
    return false
  }

  async writeIfSafe(write: () => Promise<void>): Promise<boolean> {
    await write()
    return true
  }

  wasStored(id: string): boolean {
    return this.#kept?.id === id
  }

  absence(_resource: string): Absence | undefined {
    return undefined
  }

  acknowledgeUnread(): Disposable {
    return onEnd(() => {})
  }
}
