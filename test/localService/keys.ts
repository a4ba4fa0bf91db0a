// API keys: made once, shown once, kept only as a hash.
import { randomBytes } from 'node:crypto'
import { fingerprint, sha256 } from './fingerprint.ts'

/** How a key came to be: with the code of a registration, through the sign-in in the browser, or on the dashboard. */
export type KeyOrigin = 'registration' | 'browser' | 'dashboard'

export interface KeyRequest {
  readonly email: string
  readonly name: string
  readonly origin: KeyOrigin
  /** The program that the key was made for, by its own word; undefined for a key of the dashboard. */
  readonly client: string | undefined
}

export interface Key extends KeyRequest {
  readonly id: string
  readonly fingerprint: string
  readonly createdAt: number
  lastUsedAt: number | undefined
  revokedAt: number | undefined
}

export class Keys {
  readonly byHash = new Map<string, Key>()

  /** The only moment at which the key exists in clear. */
  issue(request: KeyRequest, createdAt: number): string {
    const secret = `sk-bf-${randomBytes(24).toString('base64url')}`
    const id = `key_${randomBytes(6).toString('hex')}`
    const unused = { lastUsedAt: undefined, revokedAt: undefined }
    this.byHash.set(sha256(secret), { ...request, ...unused, id, fingerprint: fingerprint(secret), createdAt })
    return secret
  }

  find(secret: string): Key | undefined {
    return this.byHash.get(sha256(secret))
  }

  used(key: Key, at: number): void {
    key.lastUsedAt = at
  }

  revoke(key: Key, at: number): void {
    key.revokedAt ??= at
  }

  get all(): readonly Key[] {
    return [...this.byHash.values()]
  }

  of(email: string): readonly Key[] {
    return this.all.filter(key => key.email === email)
  }
}
