// `ModelClient` over one surface at a time.
import type { Clock } from '../../base/clock.ts'
import { refuseUnlessOk } from '../http/body.ts'
import { NotOfferedError, ProblemError } from '../http/errors.ts'
import type { Http, HttpAnswer } from '../http/http.ts'
import type { Log } from '../log/log.ts'
import type { ModelClient, ModelEvent, ModelRequest } from './modelClient.ts'
import { readResponse } from './responseReader.ts'
import type { SurfaceId } from './surfaceIds.ts'
import { type Surface, surfaces } from './surfaces.ts'

export interface SurfaceClientOptions {
  readonly http: Http
  /** The service's address, without a trailing slash. */
  readonly baseUrl: () => string
  /** The surface to use now. */
  readonly surface: () => SurfaceId
  readonly clock: Clock
  readonly log: Log
}

/** Writes the request, reads the answer, and keeps in mind what the service does not take. */
export class SurfaceClient implements ModelClient {
  readonly #options: SurfaceClientOptions
  /** Members of a body that the service has refused, as `url member`. */
  readonly #refused = new Set<string>()
  /** Where a request was taken whole: what is refused there from now on is refused for another reason. */
  readonly #accepting = new Set<string>()
  /** The largest limit of an answer that a model takes, as the service has said, by `url model`. */
  readonly #mostTokens = new Map<string, number>()

  constructor(options: SurfaceClientOptions) {
    this.#options = options
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
    const surface = surfaces[this.#options.surface()]
    const answer = await this.#ask(surface, request, signal)
    try {
      yield* readResponse(answer, surface.reader, {
        clock: this.#options.clock,
        log: this.#options.log,
        // A completion may have nothing to add; a question wants an answer.
        mayBeEmpty: request.lane === 'completion',
      })
    } finally {
      // After the end signal some servers keep the connection open; it would hold a slot of the plan.
      answer.close()
    }
  }

  /**
   * Leaves out what the service refuses, one member after the other, and remembers it once that has helped, but for what
   * was only too much beside this one request.
   */
  async #ask(surface: Surface, request: ModelRequest, signal: AbortSignal): Promise<HttpAnswer> {
    const url = this.#options.baseUrl() + surface.path
    const left = new Set(surface.dispensable.filter(member => this.#refused.has(`${url} ${member}`)))
    const tooMuch = new Set<string>()
    const most = this.#mostTokens.get(`${url} ${request.model}`)
    let asked = most === undefined ? request : { ...request, maxTokens: Math.min(request.maxTokens ?? most, most) }
    let lowered = 0
    for (;;) {
      const body = without(surface.write(asked), left)
      const answer = await this.#send(url, surface, body, signal)
      try {
        await refuseUnlessOk(answer, this.#options.clock)
        this.#accepting.add(url)
        for (const member of left) if (!tooMuch.has(member)) this.#refused.add(`${url} ${member}`)
        return answer
      } catch (fault) {
        answer.close()
        const lesser = lowered++ < MOST_LOWERED ? lesserLimit(fault, surface, body) : undefined
        if (lesser) {
          asked = { ...asked, maxTokens: lesser.limit }
          if (lesser.isOfModel) this.#mostTokens.set(`${url} ${request.model}`, lesser.limit)
          continue
        }
        const member = this.#refusedMember(fault, url, surface, body)
        if (member === undefined) throw await this.#explained(fault, surface, signal)
        left.add(member)
        if (isTooMuch(fault)) tooMuch.add(member)
      }
    }
  }

  #send(url: string, { headers }: Surface, body: object, signal: AbortSignal): Promise<HttpAnswer> {
    return this.#options.http({
      method: 'POST',
      url,
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream, application/json',
        // A compressing proxy holds small frames back.
        'accept-encoding': 'identity',
        ...headers,
      },
      body: JSON.stringify(body),
      signal,
    })
  }

  /** The member that a refusal names. Where it names none and nothing else is wrong, the extra one, once. */
  #refusedMember(fault: unknown, url: string, surface: Surface, body: object): string | undefined {
    if (!isBadRequest(fault)) return undefined
    const said = `${fault.problem.code} ${fault.problem.text}`
    const named = surface.dispensable.find(member => member in body && new RegExp(`\\b${member}\\b`).test(said))
    if (named !== undefined) return named
    const isUnclear = !this.#accepting.has(url) && fault.kind === 'problem: not accepted'
    return isUnclear && surface.extra !== undefined && surface.extra in body ? surface.extra : undefined
  }

  /** A path that is missing while another is there: the service does not offer this surface. */
  async #explained(fault: unknown, surface: Surface, signal: AbortSignal): Promise<unknown> {
    const usual = surfaces['chat-completions']
    if (!(fault instanceof ProblemError) || surface === usual) return fault
    if ((fault.status !== 404 && fault.status !== 405) || fault.remedy === 'select-model') return fault
    // Without a model it is refused before it costs anything.
    const probe = await this.#send(this.#options.baseUrl() + usual.path, usual, {}, signal)
    probe.close()
    const isOffered = probe.status !== 404 && probe.status !== 405
    return isOffered ? new NotOfferedError(fault.host, surface.path) : fault
  }
}

function isBadRequest(fault: unknown): fault is ProblemError {
  return fault instanceof ProblemError && (fault.status === 400 || fault.status === 422)
}

const SIZE_WORDS =
  /\b(too (large|long|high|big|many|much)|exceed\w*|at most|less than|maximum|context (length|window))\b/i
const UNKNOWN_WORDS = /\b(unsupported|not supported|unknown|unrecogni[sz]ed|unexpected|not permitted)\b/i

/** What was refused for its size may be taken in another request. */
function isTooMuch(fault: unknown): boolean {
  const said = fault instanceof ProblemError ? (fault.problem.text ?? '') : ''
  return SIZE_WORDS.test(said) && !UNKNOWN_WORDS.test(said)
}

/** How often one request is sent with a lesser limit. */
const MOST_LOWERED = 2
/** What models take that take little, for a refusal that tells no number. */
const MODEST_LIMITS = [16_384, 4_096, 1_024]
const LEAST_TOLD = 256

/** What to send in place of a limit that was too much: what the refusal tells, else a modest one. */
function lesserLimit(
  fault: unknown,
  surface: Surface,
  body: object,
): { limit: number; isOfModel: boolean } | undefined {
  if (!surface.limit || !isBadRequest(fault)) return
  const said = fault.problem.text ?? ''
  const sent = Number(Reflect.get(body, surface.limit))
  if (!new RegExp(`\\b${surface.limit}\\b`).test(said) || !isTooMuch(fault)) return
  const numbers = said.match(/\d[\d,_]*/g)?.map(text => Number(text.replace(/[,_]/g, ''))) ?? []
  const told = Math.max(...numbers.filter(number => number >= LEAST_TOLD && number < sent))
  // Beside a long question there is less room than the model takes otherwise.
  if (told > 0) return { limit: told, isOfModel: !/\b(context|input|prompt)\b/i.test(said) }
  const limit = MODEST_LIMITS.find(modest => modest < sent)
  return limit === undefined ? undefined : { limit, isOfModel: false }
}

function without(body: object, left: ReadonlySet<string>): object {
  return Object.fromEntries(Object.entries(body).filter(([member]) => !left.has(member)))
}
