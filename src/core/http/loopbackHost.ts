// `isLoopbackHost`: whether a host name means this machine.

/**
 * 127.0.0.0/8, `[::1]`, and `localhost` with every name below it (RFC 6761 6.3: such names never leave the machine).
 * `host` is a URL's `hostname`, so IPv4 is already in its canonical form.
 */
export function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '')
  return (
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    name === '[::1]' ||
    /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(name)
  )
}
