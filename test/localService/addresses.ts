// Where the service answers, and under which names.
import { randomBytes } from 'node:crypto'
import type { Options } from './options.ts'

export interface Addresses {
  readonly port: number
  readonly publicName: string | undefined
  /** This and the next two are origins: a port that the scheme has anyway is not named. */
  readonly baseUrl: string
  readonly authUrl: string
  readonly siteUrl: string
  readonly controlPath: string
  readonly controlUrl: string
}

export function addressesAt(port: number, { https, publicName }: Pick<Options, 'https' | 'publicName'>): Addresses {
  const scheme = https ? 'https' : 'http'
  const ownUrl = new URL(`${scheme}://127.0.0.1:${port}`).origin
  const baseUrl = publicName === undefined ? ownUrl : `${scheme}://${publicName}`
  const authUrl =
    publicName === undefined ? new URL(`${scheme}://auth.localhost:${port}`).origin : `${scheme}://auth.${publicName}`
  // Unguessable, so that no page in a browser can find the door.
  const controlPath = `/_control/${randomBytes(16).toString('hex')}`
  return { port, publicName, baseUrl, authUrl, siteUrl: authUrl, controlPath, controlUrl: ownUrl + controlPath }
}

/** `host`: a `Host` header in small letters. Clients leave out a port that the scheme has anyway. */
export function isOwnHost(host: string, { baseUrl, port, publicName }: Addresses): boolean {
  if (publicName !== undefined && [publicName, `auth.${publicName}`].includes(host.replace(/:443$/, ''))) return true
  const isUsual = port === (baseUrl.startsWith('https:') ? 443 : 80)
  const [, name = '', named] = /^(.*?)(?::(\d+))?$/.exec(host) ?? []
  if (named === undefined ? !isUsual : named !== String(port)) return false
  return ['127.0.0.1', 'localhost', '[::1]'].includes(name) || /^[a-z0-9-]+(\.[a-z0-9-]+)*\.localhost$/.test(name)
}
