// The credential in SecretStorage; notices other windows.
import type { SecretStorage } from 'vscode'
import type { Disposable } from '../../base/disposable.ts'
import { Emitter, type Event } from '../../base/event.ts'
import { type CredentialStore, KeyringError } from '../../core/auth/credentialStore.ts'
import type { Log } from '../../core/log/log.ts'
import { type Credential, storedCredential } from '../../protocol/stored.ts'

const NAME = 'kourier.credential'
const PATIENCE_MS = 5_000

/** One record under one name, written only when somebody signs in or out. */
export class SecretCredentialStore implements CredentialStore, Disposable {
  readonly #secrets: SecretStorage
  readonly #log: Log
  readonly #changed = new Emitter<void>()
  readonly #listening: Disposable

  constructor(secrets: SecretStorage, log: Log) {
    this.#secrets = secrets
    this.#log = log
    this.#listening = secrets.onDidChange(({ key }) => key === NAME && this.#changed.fire())
  }

  readonly onDidChange: Event<void> = this.#changed.event

  /** A record that cannot be read counts as nothing stored; it is left where it is. */
  async load(): Promise<Credential | undefined> {
    const text = await inTime(this.#secrets.get(NAME))
    if (!text) return undefined
    const read = storedCredential.safeParse(parse(text))
    if (!read.success) this.#log.warn('The stored key has a form that this version does not know')
    return read.data
  }

  async save(credential: Credential): Promise<void> {
    const text = JSON.stringify(credential)
    await inTime(this.#secrets.store(NAME, text))
    // Without a keyring the editor forgets silently.
    if ((await inTime(this.#secrets.get(NAME))) !== text) throw new KeyringError('What was written is not what is read')
  }

  async clear(): Promise<void> {
    await inTime(this.#secrets.delete(NAME))
  }

  dispose(): void {
    this.#listening.dispose()
    this.#changed.dispose()
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A locked keyring can wait for a window that nobody sees. */
function inTime<T>(asked: Thenable<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new KeyringError('The keyring does not answer')), PATIENCE_MS)
    asked
      .then(resolve, fault => reject(new KeyringError('The keyring failed', { cause: fault })))
      .then(() => clearTimeout(timer))
  })
}
