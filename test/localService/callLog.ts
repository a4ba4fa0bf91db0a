// Keeps every call for a test to read, without the secrets in it.
import type { IncomingHttpHeaders } from 'node:http'
import type { Trouble } from './faults.ts'
import { fingerprint } from './fingerprint.ts'
import { isObject } from './json.ts'

export interface Call {
  readonly sequence: number
  /** When it began, by the service's clock. */
  readonly at: string
  readonly method: string
  readonly host: string
  readonly path: string
  /** Secrets stand as `sha256:` and eight digits. */
  readonly headers: Readonly<Record<string, string>>
  /** Open inference requests when it began, this one not counted. */
  readonly openAtStart: number
  /** JSON or form fields. Word for word for inference calls; elsewhere with secrets as fingerprints. */
  body: unknown
  status: number | undefined
  /** True where the client went away before it had the whole answer. */
  isAborted: boolean
  /** Milliseconds to the end of the connection's work; undefined while it goes on. */
  durationMs: number | undefined
  /** Which fault the call has met, reported when it begins to do its work. */
  fault: Trouble['kind'] | undefined
  /** What went wrong inside the service, where that happened. */
  failure: string | undefined
}

export interface CallStart {
  readonly at: number
  readonly method: string
  readonly host: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly openAtStart: number
}

/** Old calls are forgotten, so that a service left running for days does not grow. */
const callsKept = 2000
/** Bodies with pictures in them are large: of older calls only that there was one is kept. */
const bodyBytesKept = 64 * 1024 * 1024

export class CallLog {
  #calls: Call[] = []
  #sequence = 0
  #bodies: { readonly call: Call; readonly bytes: number }[] = []
  #bodyBytes = 0
  readonly #waiting = new Set<{ isMet: (call: Call) => boolean; resolve: (call: Call) => void }>()

  get calls(): readonly Call[] {
    return this.#calls
  }

  clear(): void {
    this.#calls = []
    this.#bodies = []
    this.#bodyBytes = 0
  }

  /** Keeps what came as so many bytes with its call, at the cost of the oldest bodies. */
  keepBody(call: Call, body: unknown, bytes: number): void {
    call.body = body
    this.#bodies.push({ call, bytes })
    this.#bodyBytes += bytes
    while (this.#bodyBytes > bodyBytesKept || this.#bodies.length > callsKept) {
      const oldest = this.#bodies.shift()
      if (!oldest) return
      oldest.call.body = `forgotten, ${oldest.bytes} bytes`
      this.#bodyBytes -= oldest.bytes
    }
  }

  begin(start: CallStart): Call {
    const call: Call = {
      sequence: ++this.#sequence,
      at: new Date(start.at).toISOString(),
      method: start.method,
      host: start.host,
      path: start.path.replace(
        /((?:claim_attempt_token|user_code|sign_in_token)=)([^&]+)/g,
        (_, name, token) => name + fingerprint(token),
      ),
      headers: redactHeaders(start.headers),
      openAtStart: start.openAtStart,
      body: undefined,
      status: undefined,
      isAborted: false,
      durationMs: undefined,
      fault: undefined,
      failure: undefined,
    }
    this.#calls.push(call)
    if (this.#calls.length > callsKept) this.#calls.shift()
    this.changed(call)
    return call
  }

  /** Notifies those who wait for it that something in a call has changed. */
  changed(call: Call): void {
    for (const waiter of this.#waiting) {
      if (!waiter.isMet(call)) continue
      this.#waiting.delete(waiter)
      waiter.resolve(call)
    }
  }

  /** The first call that meets the condition, now or later: how a test waits without sleeping. */
  until(isMet: (call: Call) => boolean): Promise<Call> {
    const met = this.#calls.find(isMet)
    if (met) return Promise.resolve(met)
    return new Promise(resolve => this.#waiting.add({ isMet, resolve }))
  }
}

const secretHeaders = ['x-api-key', 'cookie', 'proxy-authorization']
const secretFields = [
  'claim_token',
  'claim_attempt_token',
  'sign_in_token',
  'activation_code',
  'token',
  'access_token',
  'code',
  'user_code',
  'code_verifier',
  'client_secret',
  'csrf',
]

function redactHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name, redactHeader(name, String(value))])
  return Object.fromEntries(entries)
}

function redactHeader(name: string, value: string): string {
  if (secretHeaders.includes(name)) return fingerprint(value)
  if (name === 'referer') return value.split('?')[0] ?? ''
  if (name !== 'authorization') return value
  const [scheme = '', secret] = value.split(/\s+/, 2)
  return secret === undefined ? fingerprint(value) : `${scheme} ${fingerprint(secret)}`
}

/** The fields of a body outside inference, with the secrets among them replaced. */
export function redactFields(body: unknown): unknown {
  if (!isObject(body)) return body
  const entries = Object.entries(body).map(([name, value]) =>
    secretFields.includes(name) ? [name, fingerprint(String(value))] : [name, value],
  )
  return Object.fromEntries(entries)
}
