// Which proxy a request goes through: the editor's setting, else the environment, and who is excepted.
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

export function routeOf(url: URL, settings: ProxySettings, environment: Environment): Route {
  const proxy = proxyOf(url, settings, environment)
  const isEditors = proxy !== undefined && proxy === settings.url
  return {
    proxy: proxy && withScheme(proxy),
    authorization: isEditors ? settings.authorization : undefined,
    strictTls: settings.strictTls,
    systemCertificates: settings.systemCertificates,
  }
}

function proxyOf(url: URL, settings: ProxySettings, environment: Environment): string | undefined {
  if (settings.isOff || isLoopbackHost(url.hostname)) return undefined
  if (settings.url) return isExcepted(url, settings.except) ? undefined : settings.url
  const read = (name: string) => environment[name.toLowerCase()] || environment[name.toUpperCase()] || undefined
  // `HTTP_PROXY` in upper case is left out where a web server could have set it from a request header.
  const proxy = url.protocol === 'https:' ? read('https_proxy') : environment['http_proxy'] || undefined
  const chosen = proxy ?? read('all_proxy')
  return chosen && !isExcepted(url, (read('no_proxy') ?? '').split(/[\s,]+/)) ? chosen : undefined
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
function withScheme(proxy: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(proxy) ? proxy : `http://${proxy}`
}
