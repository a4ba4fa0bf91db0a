// Where the credential is kept: a port, and one in memory.
import { type Disposable, onEnd } from '../../base/disposable.ts'
import { Emitter, type Event } from '../../base/event.ts'
import type { Credential } from '../http/credential.ts'
import { Fault, type FaultName } from '../http/fault.ts'

/**
 * Why there is no credential although there was a sign-in. `elsewhere`: another window signed in, and this one sees the
 * key only after it has been reloaded. `lost`: somebody signed in before this window opened, or this window has seen the
 * key, and it is not there now.
 */
export type Absence = 'elsewhere' | 'lost'

export interface CredentialStore {
  /** Undefined when nothing usable is stored; that means "ask again calmly", never "revoke". */
  load(): Promise<Credential | undefined>
  /** Resolves only when the credential has been written and read back. */
  save(credential: Credential): Promise<void>
  clear(): Promise<void>
  /** Fires when another window may have changed what is stored. */
  readonly onDidChange: Event<void>
}

/** A store that all windows share and talk through. */
export interface SharedStore extends CredentialStore {
  /** Rejects with `AnotherSignInError` rather than write over a sign-in that nobody here has read. */
  save(credential: Credential): Promise<void>
  /** Forgets `credential`, in other windows too. */
  clear(credential?: Credential): Promise<void>
  /** The service no longer accepts this credential; other windows hear of it. */
  refuse(credential: Credential): Promise<void>
  /** Another window has heard that the service no longer accepts this credential. */
  isRefused(credential: Credential): boolean
  /**
   * Runs a write of something else into the same secret storage, while no other window writes. Left undone where it would
   * write over a sign-in that nobody here has read: in a browser each write writes all. Resolves with whether it ran.
   */
  writeBeside(write: () => Promise<void>): Promise<boolean>
  /** Whether some window has stored the key of this sign-in, which may be gone again. As of the last `load`. */
  wasStored(id: string): boolean
  /** As of the last `load`. */
  absence(resource: string): Absence | undefined
  /**
   * API origins of the sign-ins in other windows that this one has not read, as of the last `load`: until the user knows
   * of them, nothing is saved.
   */
  readonly unread: readonly string[]
  /**
   * The user knows of the sign-ins in other windows and wants one here as well: from now on they count as read, until
   * what is returned is disposed.
   */
  acknowledge(): Disposable
}

/** The keyring did not do what it was asked for. */
export class KeyringError extends Fault {
  override readonly name = 'KeyringError'
  readonly why: FaultName<'keyring'>

  constructor(why: KeyringError['why'], cause?: unknown) {
    super(`keyring: ${why}`, `The keyring ${why === 'silent' ? 'does not answer' : why}`, { cause })
    this.why = why
  }
}

/** Another window has signed in meanwhile: its key stays, this one is not needed. */
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

  async writeBeside(write: () => Promise<void>): Promise<boolean> {
    await write()
    return true
  }

  wasStored(id: string): boolean {
    return this.#kept?.id === id
  }

  absence(_resource: string): Absence | undefined {
    return undefined
  }

  acknowledge(): Disposable {
    return onEnd(() => {})
  }
}
