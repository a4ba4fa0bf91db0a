// `isPrivateHost`: whether a host is this machine or a numeric address of a private network.
import { isLoopbackHost } from './loopbackHost.ts'

/** This network, private use, shared use behind a provider, this machine, and this link (RFC 6890 2.2.2). */
const reservedV4: readonly (readonly [network: string, prefixBits: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
]

/** `host` is a URL's `hostname`, canonical. Names are not resolved, so of these only loopback names count. */
export function isPrivateHost(host: string): boolean {
  if (isLoopbackHost(host)) return true
  if (host.startsWith('[')) return isReservedV6(host.slice(1, -1))
  return isV4(host) && isReservedV4(numberOfV4(host))
}

const isV4 = (host: string) => /^\d{1,3}(\.\d{1,3}){3}$/.test(host)

const numberOfV4 = (address: string) => address.split('.').reduce((number, part) => number * 256 + Number(part), 0)

function isReservedV4(address: number): boolean {
  return reservedV4.some(([network, prefixBits]) => {
    const size = 2 ** (32 - prefixBits)
    return Math.floor(address / size) === Math.floor(numberOfV4(network) / size)
  })
}

/** Unspecified, this machine, unique local, and this link (RFC 6890 2.2.3); and those that map a reserved IPv4 one. */
function isReservedV6(address: string): boolean {
  const groups = groupsOfV6(address)
  const [first = 0] = groups
  if (first >> 9 === 0xfc >> 1 || first >> 6 === 0xfe80 >> 6) return true
  const isLow = groups.slice(0, 5).every(group => group === 0)
  const [sixth = 0, seventh = 0, eighth = 0] = groups.slice(5)
  if (isLow && sixth === 0xffff) return isReservedV4(seventh * 65_536 + eighth)
  return isLow && sixth === 0 && seventh === 0 && eighth <= 1
}

/** The eight groups as numbers; `address` is as `URL` writes it, which never has an IPv4 part in dots. */
function groupsOfV6(address: string): readonly number[] {
  const [head = '', tail] = address.split('::')
  const read = (text: string) => (text === '' ? [] : text.split(':').map(group => Number.parseInt(group, 16)))
  const before = read(head)
  const after = read(tail ?? '')
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after]
}
