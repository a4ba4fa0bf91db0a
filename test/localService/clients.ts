// Programs that may send their user to the authorize page: the extension, known from the start, and who registers.
import { randomBytes } from 'node:crypto'
import type { Dialect } from './dialect.ts'
import { sha256 } from './fingerprint.ts'
import { fitsRedirect } from './redirectUri.ts'

export interface Client {
  readonly id: string
  readonly name: string
  readonly redirectUris: readonly string[]
  /** Where it registered itself: nobody has checked its name. */
  readonly isSelfMade: boolean
  /** Where it was given a secret, it must show it at the token endpoint. */
  readonly secretHash: string | undefined
}

export class Clients {
  readonly byId = new Map<string, Client>()

  constructor(extensionId: string) {
    this.#add({
      id: extensionId,
      name: 'Kourier for VS Code',
      redirectUris: ['http://127.0.0.1/callback', 'http://[::1]/callback'],
      isSelfMade: false,
      secretHash: undefined,
    })
  }

  find(id: string): Client | undefined {
    return this.byId.get(id)
  }

  /** The only moment at which the secret exists in clear. */
  register(name: string | undefined, redirectUris: readonly string[], hasSecret: boolean) {
    const secret = hasSecret ? randomBytes(24).toString('base64url') : undefined
    const secretHash = secret === undefined ? undefined : sha256(secret)
    const id = `client_${randomBytes(12).toString('hex')}`
    return {
      client: this.#add({
        id,
        name: name ?? 'A program that gave no name',
        redirectUris,
        isSelfMade: true,
        secretHash,
      }),
      secret,
    }
  }

  #add(client: Client): Client {
    this.byId.set(client.id, client)
    return client
  }
}

/** With any port, or where the dialect wants it, as the client registered itself. */
export function mayRedirect({ redirectUris, isSelfMade }: Client, uri: string, { redirectPort }: Dialect): boolean {
  if (isSelfMade && redirectPort === 'registered') return redirectUris.includes(uri)
  return redirectUris.some(registered => fitsRedirect(uri, registered))
}
