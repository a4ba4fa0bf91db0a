// `socketFilter`: a program for the kernel of Linux (seccomp) that keeps a command from the sockets of services of the machine.

/** Numbers of the system: of the architecture, and of its calls. */
interface Numbers {
  readonly architecture: number
  readonly socket: number
  readonly socketpair: number
}

const numbers: Readonly<Record<string, Numbers>> = {
  x64: { architecture: 0xc000003e, socket: 41, socketpair: 53 },
  arm64: { architecture: 0xc00000b7, socket: 198, socketpair: 199 },
}

/** The same number everywhere. It opens sockets without the calls for that. */
const IO_URING_SETUP = 425
/** Calls of another kind of programs (x32) have larger numbers. */
const FIRST_OTHER = 0x40000000

// Of bytes in the data of a call: its number, its architecture, and the lower half of its arguments.
const [NUMBER, ARCHITECTURE, FAMILY, TYPE] = [0, 4, 16, 24]
const [LOAD, AND, EQUAL, AT_LEAST, RETURN] = [0x20, 0x54, 0x15, 0x35, 0x06]
const [ALLOW, KILL, REFUSE, UNKNOWN] = [0x7fff0000, 0x80000000, 0x00050001, 0x00050026]
/** IPv4, IPv6 and what lists the network interfaces: in the sandbox they lead nowhere. */
const families = [2, 10, 16]
/** Of pairs, those that cannot be connected to something else: streams, and packets in sequence. */
const pairs = [1, 5]

/** Undefined for an architecture that is not known. `architecture`: as Node names it. */
export function socketFilter(architecture: string): Uint8Array | undefined {
  const own = numbers[architecture]
  if (!own) return undefined
  const oneOf = (wanted: readonly number[]) => [
    // Each jumps over the rest and over the refusal.
    ...wanted.map((value, at) => [EQUAL, wanted.length - at, 0, value]),
    [RETURN, 0, 0, REFUSE],
    [RETURN, 0, 0, ALLOW],
  ]
  const ofSocket = [[LOAD, 0, 0, FAMILY], ...oneOf(families)]
  const ofPair = [[LOAD, 0, 0, TYPE], [AND, 0, 0, 0xf], ...oneOf(pairs)]
  const steps = [
    [LOAD, 0, 0, ARCHITECTURE],
    [EQUAL, 1, 0, own.architecture],
    [RETURN, 0, 0, KILL],
    [LOAD, 0, 0, NUMBER],
    [AT_LEAST, 1, 0, FIRST_OTHER],
    [EQUAL, 0, 1, IO_URING_SETUP],
    [RETURN, 0, 0, UNKNOWN],
    [EQUAL, 0, ofSocket.length, own.socket],
    ...ofSocket,
    [EQUAL, 0, ofPair.length, own.socketpair],
    ...ofPair,
    [RETURN, 0, 0, ALLOW],
  ]
  const bytes = new DataView(new ArrayBuffer(8 * steps.length))
  for (const [at, [code = 0, ifSo = 0, ifNot = 0, value = 0]] of steps.entries()) {
    bytes.setUint16(8 * at, code, true)
    bytes.setUint8(8 * at + 2, ifSo)
    bytes.setUint8(8 * at + 3, ifNot)
    bytes.setUint32(8 * at + 4, value, true)
  }
  return new Uint8Array(bytes.buffer)
}
