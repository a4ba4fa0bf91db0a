// Keeps the credential in the editor's storage for secrets, as one record.
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { Emitter, type Event } from '../../base/event.ts'
import { objectOf, parsedJson } from '../../protocol/json.ts'
import type { Credential } from '../http/credential.ts'
import type { Log } from '../log/log.ts'
import { credentialIn, recordOf } from './credentialRecord.ts'
import { type CredentialStore, KeyringError } from './credentialStore.ts'
import { inTime, type Secrets } from './keyring.ts'

const NAME = 'kourier.credential'
/** The record of a later version, where this one had to write its own. */
const ASIDE = 'kourier.credential.later'
/**
 * A keyring that is locked asks the user for its password, which takes a while: one that answers after ten seconds
 * works. What lasts much longer is a question that nobody sees.
 */
const PATIENCE_MS = 15_000

/**
 * One record under one name, written only when somebody signs in or out. That of a later version, which this one cannot
 * read, stands aside while somebody is signed in here, and comes back when they sign out.
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
    this.#listening = secrets.onDidChange(({ key }) => key === NAME && this.#changed.fire())
  }

  readonly onDidChange: Event<void> = this.#changed.event

  /** A record that cannot be read counts as nothing stored; it is left where it is. */
  async load(): Promise<Credential | undefined> {
    const text = await this.#inTime(this.#secrets.get(NAME))
    if (!text) return undefined
    const credential = credentialIn(text, this.#log.redactor)
    if (!credential) this.#log.warn('The stored key has a form that this version does not know')
    return credential
  }

  async save(credential: Credential): Promise<void> {
    const text = recordOf(credential)
    const before = await this.#inTime(this.#secrets.get(NAME))
    if (isOfLater(before)) await this.#putAside(before)
    await this.#write(NAME, text)
  }

  async clear(): Promise<void> {
    const [now, aside] = await Promise.all([this.#found(NAME), this.#found(ASIDE)])
    if (isOfLater(now)) return
    await this.#inTime(this.#secrets.delete(NAME))
    if (isOfLater(aside)) await this.#bringBack(aside)
  }

  async #putAside(before: string): Promise<void> {
    await this.#write(ASIDE, before)
    this.#log.info('The key of a later version stands aside until the next sign-out')
  }

  /** Where that fails, it stays aside for the next time; what had to be forgotten is. */
  async #bringBack(aside: string): Promise<void> {
    try {
      await this.#write(NAME, aside)
      await this.#inTime(this.#secrets.delete(ASIDE))
    } catch (fault) {
      this.#log.warn('The key of a later version could not be put back', { fault: String(fault) })
    }
  }

  /** A keyring that cannot be read may still be told to forget. */
  #found(name: string): Promise<string | undefined> {
    return this.#inTime(this.#secrets.get(name)).catch(() => undefined)
  }

  async #write(name: string, text: string): Promise<void> {
    await this.#inTime(this.#secrets.store(name, text))
    // Without a keyring the editor forgets silently.
    if ((await this.#inTime(this.#secrets.get(name))) !== text) throw new KeyringError('forgot')
  }

  #inTime<T>(asked: PromiseLike<T>): Promise<T> {
    return inTime(asked, this.#clock, PATIENCE_MS)
  }

  dispose(): void {
    this.#listening.dispose()
    this.#changed.dispose()
  }
}

/** Only the version that wrote it knows what stands in it. */
function isOfLater(text: string | undefined): text is string {
  const record = objectOf(parsedJson(text ?? ''))
  return typeof record?.['version'] === 'number' && record['version'] > 1
}
