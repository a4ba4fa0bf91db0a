// Which proxy a request goes through: the editor's setting, else the environment, and who is excepted.
import { TransportError } from './errors.ts'
import { isLoopbackHost } from './loopbackHost.ts'

/** The editor's own settings (`http.*`), as values. Only user-level values may stand here. */
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

/** Throws a `TransportError` where what is set is no proxy: to go around it would tell the network what it must not. */
export function routeOf(url: URL, settings: ProxySettings, environment: Environment): Route {
  const chosen = proxyOf(url, settings, environment)
  return {
    proxy: chosen && addressOf(chosen, url),
    authorization: chosen?.setting === EDITORS ? settings.authorization : undefined,
    strictTls: settings.strictTls,
    systemCertificates: settings.systemCertificates,
  }
}

const EDITORS = 'http.proxy'

/** A proxy as it was written, and where. */
interface Chosen {
  readonly setting: string
  readonly value: string
}

function proxyOf(url: URL, settings: ProxySettings, environment: Environment): Chosen | undefined {
  if (settings.isOff || isLoopbackHost(url.hostname)) return undefined
  const read = (setting: string) => ({ setting, value: environment[setting]?.trim() ?? '' })
  // As in the editor, what is set for http holds for https where there is no other. For http, `HTTP_PROXY` in upper
  // case is left out: a web server could have set it from a request header.
  const own = url.protocol === 'https:' ? ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'] : ['http_proxy']
  const named = [...own, 'all_proxy', 'ALL_PROXY'].map(read)
  const found = [{ setting: EDITORS, value: settings.url.trim() }, ...named].find(({ value }) => value !== '')
  // As in the editor itself: its own exceptions hold for every proxy, those of the environment where it has none.
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

/** `proxy.example:8080` is how many write it. */
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

/** RFC 3986 2.1: a percent sign that stands for itself is written `%25`. */
function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
