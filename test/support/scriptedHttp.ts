// An `Http` that answers from a list, for tests in which the bytes on the wire do not matter.
import type { Http, HttpAnswer, HttpRequest } from '../../src/core/http/http.ts'

export interface Scripted {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Objects are sent as JSON, lists as the pieces of a body. */
  readonly body?: unknown
  /** Thrown in place of an answer. */
  readonly fault?: unknown
  /** Thrown after the body. */
  readonly brokenBy?: unknown
}

export type Script = Scripted | ((request: HttpRequest) => Scripted | Promise<Scripted>)

export class ScriptedHttp {
  readonly requests: HttpRequest[] = []
  /** How many answers were let go of. */
  closed = 0
  readonly #script: Script[]

  constructor(...script: readonly Script[]) {
    this.#script = [...script]
  }

  /** The last entry is used for all that come after it. */
  readonly send: Http = async request => {
    this.requests.push(request)
    const entry = this.#script.length > 1 ? this.#script.shift() : this.#script[0]
    if (!entry) throw new Error(`No answer was scripted for ${request.method} ${request.url}`)
    const scripted = typeof entry === 'function' ? await entry(request) : entry
    if (request.signal.aborted) throw request.signal.reason
    if (scripted.fault !== undefined) throw scripted.fault
    return answerOf(scripted, new URL(request.url).host, () => this.closed++)
  }
}

export function answerOf(scripted: Scripted, host = 'service.test', close: () => void = () => {}): HttpAnswer {
  const { status = 200, headers = {}, body = '', brokenBy } = scripted
  return { host, status, headers: { ...typeOf(body), ...headers }, body: chunks(body, brokenBy), close }
}

const typeOf = (body: unknown) =>
  typeof body === 'string' || Array.isArray(body) ? {} : { 'content-type': 'application/json' }

async function* chunks(body: unknown, brokenBy: unknown): AsyncIterable<Uint8Array> {
  for (const chunk of Array.isArray(body) ? body : [body]) yield bytesOf(chunk)
  if (brokenBy !== undefined) throw brokenBy
}

function bytesOf(chunk: unknown): Uint8Array {
  if (chunk instanceof Uint8Array) return chunk
  return new TextEncoder().encode(typeof chunk === 'string' ? chunk : JSON.stringify(chunk))
}
