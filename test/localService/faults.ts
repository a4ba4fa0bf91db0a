// What shall go wrong next: a status, a cut, a crawl, a wrong shape.
import { isObject, isString, isWhole } from './json.ts'

export type Trouble =
  /** Any answer that a proxy or the service might give instead. */
  | {
      readonly kind: 'status'
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: unknown
    }
  /** The connection is reset before a single header. */
  | { readonly kind: 'reset' }
  /** Accepted and never answered. */
  | { readonly kind: 'silence' }
  /** A page with status 200, as a captive portal sends it. */
  | { readonly kind: 'html' }
  /** The right answer, late. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** The right answer, until the connection breaks. */
  | { readonly kind: 'cut'; readonly afterBytes: number }
  /** The right answer, until nothing more comes; the connection stays. */
  | { readonly kind: 'stall'; readonly afterBytes?: number }
  /** The right answer, one byte at a time. */
  | { readonly kind: 'drip' }

export type Fault = Trouble & {
  /** Method and path prefix (`POST /v1/chat`), or only a path prefix; without it every call. */
  readonly on?: string
  /** How many calls; without it one. */
  readonly times?: number | 'always'
}

export class Faults {
  #waiting: { fault: Fault; left: number }[] = []

  add(...faults: readonly Fault[]): void {
    for (const fault of faults) this.#waiting.push({ fault, left: timesOf(fault) })
  }

  clear(): void {
    this.#waiting = []
  }

  /** The first fault meant for this call, used up by one. */
  take(method: string, path: string): Fault | undefined {
    const entry = this.#waiting.find(({ fault }) => isMeant(fault.on ?? '/', method, path))
    if (!entry) return undefined
    entry.left -= 1
    if (entry.left <= 0) this.#waiting = this.#waiting.filter(other => other !== entry)
    return entry.fault
  }
}

const timesOf = ({ times = 1 }: Fault) => (times === 'always' ? Number.POSITIVE_INFINITY : times)

function isMeant(on: string, method: string, path: string): boolean {
  const [first = '', second] = on.split(' ', 2)
  return second === undefined ? path.startsWith(first) : first === method && path.startsWith(second)
}

const isStatus = (value: unknown) => isWhole(value, 200) && value <= 599

const kinds = ['status', 'reset', 'silence', 'html', 'delay', 'cut', 'stall', 'drip']

/** A fault that came as JSON, or one sentence on what is wrong with it. */
export function readFault(value: unknown): Fault | string {
  if (!isObject(value)) return 'A fault is an object.'
  const { kind, on, times } = value
  if (!isString(kind) || !kinds.includes(kind)) return `A fault's kind is one of ${kinds.join(', ')}.`
  if (on !== undefined && !isString(on)) return 'A fault names its route in `on`, a text.'
  if (times !== undefined && times !== 'always' && !isWhole(times, 1)) return '`times` is a number or "always".'
  if (kind === 'status' && !isStatus(value['status'])) return 'This fault needs a `status` from 200 to 599.'
  if (kind === 'delay' && !isWhole(value['ms'], 0)) return 'This fault needs `ms`.'
  if (kind === 'cut' && !isWhole(value['afterBytes'], 0)) return 'This fault needs `afterBytes`.'
  return value as Fault
}
