// Where an authorization code may be sent: this machine, by its number, at any port.

const loopback = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::\d{1,5})?(\/[^\s#\\]*)?$/

/** Literal addresses only: what `localhost` means is up to the machine (RFC 8252 8.3). */
export const isLoopbackRedirect = (uri: string): boolean => loopback.test(uri) && URL.canParse(uri)

/** The port is free, since a program gets it from the system at the last moment (RFC 8252 7.3); the rest is exact. */
export const fitsRedirect = (asked: string, registered: string): boolean =>
  isLoopbackRedirect(asked) && withoutPort(asked) === withoutPort(registered)

const withoutPort = (uri: string) => uri.replace(loopback, (_, origin, path = '') => origin + path)

export function withParameters(uri: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const url = new URL(uri)
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) url.searchParams.append(name, value)
  }
  return url.href
}
