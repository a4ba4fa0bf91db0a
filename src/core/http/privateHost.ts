// Which hosts are addresses of this machine or of the network around it, written as numbers.
import { BlockList, isIP } from 'node:net'
import { isLoopbackHost } from './loopbackHost.ts'

const reserved = new BlockList()
// This network, private use, shared use behind a provider, this machine, and this link (RFC 6890 2.2.2).
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  reserved.addSubnet(net, prefix, 'ipv4')
}
// None, this machine, unique local, and this link (RFC 6890 2.2.3).
for (const [net, prefix] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
] as const) {
  reserved.addSubnet(net, prefix, 'ipv6')
}

/** `host` is a URL's `hostname`. A name says nothing about where it leads; only loopback names are known. */
export function isPrivateHost(host: string): boolean {
  if (isLoopbackHost(host)) return true
  const address = host.replace(/^\[|\]$/g, '')
  const version = isIP(address)
  return version !== 0 && reserved.check(address, version === 6 ? 'ipv6' : 'ipv4')
}
