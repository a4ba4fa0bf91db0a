// `routeOf`: the proxy for a request, from the editor's settings, else from the environment.
import { TransportError } from './errors.ts'
import { isLoopbackHost } from './loopbackHost.ts'

/** The values of the editor's own settings (`http.*`). Only those of the user level may be used. */
export interface ProxySettings {
  /** `http.proxy`; empty when not set. */
  readonly url: string
  /** `http.proxyAuthorization`, a whole `Proxy-Authorization` value. */
  readonly authorization: string | undefined
  /** `http.noProxy`. */
  readonly except: readonly string[]
  /** `http.proxySupport` is `off`: no proxy, not even one of the environment. */
  readonly isOff: boolean
  /** `http.proxyStrictSSL`. */
  readonly strictTls: boolean
  /** `http.systemCertificates`. */
  readonly systemCertificates: boolean
}

export type Environment = Readonly<Record<string, string | undefined>>

/** How to reach one host. Two equal routes may share their connections. */
export interface Route {
  readonly proxy: string | undefined
  readonly authorization: string | undefined
  readonly strictTls: boolean
  readonly systemCertificates: boolean
}

/** Throws a `TransportError` where the setting is no proxy, because a direct connection could reveal the request. */
export function routeOf(url: URL, settings: ProxySettings, environment: Environment): Route {
  const chosen = proxyOf(url, settings, environment)
  return {
    proxy: chosen && addressOf(chosen, url),
    authorization: chosen?.setting === EDITOR_SETTING ? settings.authorization : undefined,
    strictTls: settings.strictTls,
    systemCertificates: settings.systemCertificates,
  }
}

const EDITOR_SETTING = 'http.proxy'

/** A proxy as it was written, and where. */
interface Chosen {
  readonly setting: string
  readonly value: string
}

function proxyOf(url: URL, settings: ProxySettings, environment: Environment): Chosen | undefined {
  if (settings.isOff || isLoopbackHost(url.hostname)) return undefined
  const read = (setting: string) => ({ setting, value: environment[setting]?.trim() ?? '' })
  // As in the editor, the proxy for http is used for https where there is no other. For http, `HTTP_PROXY` in upper
  // case is left out: a web server could have set it from a request header.
  const own = url.protocol === 'https:' ? ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'] : ['http_proxy']
  const named = [...own, 'all_proxy', 'ALL_PROXY'].map(read)
  const found = [{ setting: EDITOR_SETTING, value: settings.url.trim() }, ...named].find(({ value }) => value !== '')
  // As in the editor, its own exceptions hold for every proxy, and those of the environment where it has none.
  const ofAll = read('no_proxy').value || read('NO_PROXY').value
  const except = settings.except.length > 0 ? settings.except : ofAll.split(/[\s,]+/)
  return found && !isExcepted(url, except) ? found : undefined
}

/** `example.com` and `.example.com` except the host and all below it; `host:port` only that port; `*` everything. */
function isExcepted(url: URL, except: readonly string[]): boolean {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  const host = url.hostname.toLowerCase()
  return except.some(entry => {
    const [, name, wantedPort] = /^(?:\*?\.)?(.*?)(?::(\d+))?$/.exec(entry.trim().toLowerCase()) ?? []
    if (entry.trim() === '*') return true
    if (!name || (wantedPort && wantedPort !== port)) return false
    return host === name || host.endsWith(`.${name}`)
  })
}

/** Accepts an address without a protocol, such as `proxy.example:8080`. */
function addressOf({ setting, value }: Chosen, { host }: URL): string {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`
  if (!isProxy(address)) throw new TransportError(host, 'before', 'proxy address', { setting })
  return address
}

const protocols: readonly string[] = ['http:', 'https:', 'socks5:', 'socks5h:']

function isProxy(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, username, password } = new URL(address)
  return protocols.includes(protocol) && isEncoded(username) && isEncoded(password)
}

/** Whether each percent sign begins an encoded byte (RFC 3986 2.1). */
function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
