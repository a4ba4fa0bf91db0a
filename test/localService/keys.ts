// API keys: made once, shown once, kept only as a hash.
import { randomBytes } from 'node:crypto'
import { fingerprint, sha256 } from './fingerprint.ts'

export interface Key {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly fingerprint: string
  readonly createdAt: number
  revokedAt: number | undefined
}

export class Keys {
  readonly #byHash = new Map<string, Key>()

  /** The only moment at which the key exists in clear. */
  issue(email: string, name: string, createdAt: number): string {
    const secret = `sk-bf-${randomBytes(24).toString('base64url')}`
    const id = `key_${randomBytes(6).toString('hex')}`
    const key = { id, name, email, fingerprint: fingerprint(secret), createdAt, revokedAt: undefined }
    this.#byHash.set(sha256(secret), key)
    return secret
  }

  find(secret: string): Key | undefined {
    return this.#byHash.get(sha256(secret))
  }

  revoke(key: Key, at: number): void {
    key.revokedAt ??= at
  }

  get all(): readonly Key[] {
    return [...this.#byHash.values()]
  }

  of(email: string): readonly Key[] {
    return this.all.filter(key => key.email === email)
  }
}
