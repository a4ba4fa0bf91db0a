// Where the credential is kept: a port, and one in memory.
import { Emitter, type Event } from '../../base/event.ts'
import type { Credential } from '../../protocol/stored.ts'

export interface CredentialStore {
  /** Undefined when nothing usable is stored; that means "ask again calmly", never "revoke". */
  load(): Promise<Credential | undefined>
  /** Resolves only when the credential has been written and read back. */
  save(credential: Credential): Promise<void>
  clear(): Promise<void>
  /** Fires when another window may have changed what is stored. */
  readonly onDidChange: Event<void>
}

/** The keyring did not do what it was asked for: it failed, hung or forgot. */
export class KeyringError extends Error {
  override readonly name = 'KeyringError'
}

export class MemoryCredentialStore implements CredentialStore {
  #kept: Credential | undefined
  readonly changed = new Emitter<void>()
  readonly onDidChange = this.changed.event

  async load(): Promise<Credential | undefined> {
    return this.#kept
  }

  async save(credential: Credential): Promise<void> {
    this.#kept = credential
  }

  async clear(): Promise<void> {
    this.#kept = undefined
  }
}
