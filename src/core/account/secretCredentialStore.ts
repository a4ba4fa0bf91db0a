// CredentialStore in the editor's secret storage: one record, which is read back after each write.
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { Emitter, type Event } from '../../base/event.ts'
import { objectOf, parsedJson } from '../../protocol/json.ts'
import type { Credential } from '../http/credential.ts'
import type { Log } from '../log/log.ts'
import { type CredentialStore, KeyringError } from './credentialStore.ts'
import { type Secrets, withTimeout } from './keyring.ts'

const RECORD_NAME = 'kourier.credential'
/** The record of a later version, where this one had to write its own. */
const LATER_NAME = 'kourier.credential.later'

/**
 * One record under one name, written only on sign-in and sign-out. A record of a later version, which this one cannot
 * read, is kept under another name while the user is signed in with this version, and is restored on sign-out.
 */
export class SecretCredentialStore implements CredentialStore, Disposable {
  readonly #secrets: Secrets
  readonly #clock: Clock
  readonly #log: Log
  readonly #changed = new Emitter<void>()
  readonly #listening: Disposable

  constructor(secrets: Secrets, clock: Clock, log: Log) {
    this.#secrets = secrets
    this.#clock = clock
    this.#log = log
    this.#listening = secrets.onDidChange(({ key }) => key === RECORD_NAME && this.#changed.fire())
  }

  readonly onDidChange: Event<void> = this.#changed.event

  /** A record of an unknown form counts as nothing stored, and is not deleted. */
  async load(): Promise<Credential | undefined> {
    const text = await this.#withTimeout(this.#secrets.get(RECORD_NAME))
    if (!text) return undefined
    const { credentialIn } = await import('./credentialRecord.ts')
    const credential = credentialIn(text, this.#log.redactor)
    if (!credential) this.#log.warn('The stored key has a form that this version does not know')
    return credential
  }

  async save(credential: Credential): Promise<void> {
    const { recordOf } = await import('./credentialRecord.ts')
    const text = recordOf(credential)
    const before = await this.#withTimeout(this.#secrets.get(RECORD_NAME))
    if (isFromLaterVersion(before)) await this.#keepLaterRecord(before)
    await this.#write(RECORD_NAME, text)
  }

  async clear(): Promise<void> {
    const [now, later] = await Promise.all([this.#readIfPossible(RECORD_NAME), this.#readIfPossible(LATER_NAME)])
    if (isFromLaterVersion(now)) return
    await this.#withTimeout(this.#secrets.delete(RECORD_NAME))
    if (isFromLaterVersion(later)) await this.#restoreLaterRecord(later)
  }

  async #keepLaterRecord(before: string): Promise<void> {
    await this.#write(LATER_NAME, before)
    this.#log.info('The key of a later version stands aside until the next sign-out')
  }

  /** Does not throw, because the credential has been deleted: after a failure the next `clear` tries again. */
  async #restoreLaterRecord(later: string): Promise<void> {
    try {
      await this.#write(RECORD_NAME, later)
      await this.#withTimeout(this.#secrets.delete(LATER_NAME))
    } catch (fault) {
      this.#log.warn('The key of a later version could not be put back', { fault: String(fault) })
    }
  }

  /** Counts a read that fails as nothing found, because a keyring that cannot be read may still delete. */
  #readIfPossible(name: string): Promise<string | undefined> {
    return this.#withTimeout(this.#secrets.get(name)).catch(() => undefined)
  }

  async #write(name: string, text: string): Promise<void> {
    await this.#withTimeout(this.#secrets.store(name, text))
    // Without a keyring the editor drops the record and reports success.
    if ((await this.#withTimeout(this.#secrets.get(name))) !== text) throw new KeyringError('forgot')
  }

  #withTimeout<T>(operation: PromiseLike<T>): Promise<T> {
    return withTimeout(operation, this.#clock)
  }

  dispose(): void {
    this.#listening.dispose()
    this.#changed.dispose()
  }
}

/** Whether a later version wrote the record, so that this one must not overwrite it. */
function isFromLaterVersion(text: string | undefined): text is string {
  const record = objectOf(parsedJson(text ?? ''))
  return typeof record?.['version'] === 'number' && record['version'] > 1
}
