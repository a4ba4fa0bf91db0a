// `SurfaceClient`: the `ModelClient` that sends requests to the service, on the surface that is set.
import type { Clock } from '../../base/clock.ts'
import { throwUnlessOk } from '../http/body.ts'
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

/** Sends a request without the members that the service has refused before. */
export class SurfaceClient implements ModelClient {
  readonly #options: SurfaceClientOptions
  /** The members that the service has refused, as `url member`. */
  readonly #refused = new Set<string>()
  /** The URLs that accepted a request: a later refusal has another reason than an unknown member. */
  readonly #accepting = new Set<string>()
  /** The largest token limit that a model accepts according to a refusal, by `url model`. */
  readonly #mostTokens = new Map<string, number>()

  constructor(options: SurfaceClientOptions) {
    this.#options = options
  }

  /** The body as the first attempt would send it now. */
  bodyOf(request: ModelRequest): object {
    const surface = surfaces[this.#options.surface()]
    const { asked, omitted } = this.#prepared(surface, request)
    return without(surface.write(asked), omitted)
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
    const surface = surfaces[this.#options.surface()]
    const answer = await this.#ask(surface, request, signal)
    try {
      yield* readResponse(answer, surface.reader, {
        clock: this.#options.clock,
        log: this.#options.log,
        // A completion may be empty; an empty answer to a question is a fault.
        mayBeEmpty: request.lane === 'completion',
      })
    } finally {
      // A server that keeps the body open after the answer's end would hold a slot of the plan:
      // https://github.com/ltmoerdani/opencode-copilot-chat/pull/170
      answer.close()
    }
  }

  /**
   * Sends the request and repeats it without the member that a refusal names. The member is remembered once a request
   * without it is accepted, except if its value was only too large for this request.
   */
  async #ask(surface: Surface, request: ModelRequest, signal: AbortSignal): Promise<HttpAnswer> {
    const { url, omitted, ...prepared } = this.#prepared(surface, request)
    const tooMuch = new Set<string>()
    let { asked } = prepared
    let lowered = 0
    for (;;) {
      const body = without(surface.write(asked), omitted)
      const answer = await this.#send(url, surface, body, signal)
      try {
        await throwUnlessOk(answer, this.#options.clock)
        this.#accepting.add(url)
        for (const member of omitted) if (!tooMuch.has(member)) this.#refused.add(`${url} ${member}`)
        return answer
      } catch (fault) {
        answer.close()
        const lower = lowered++ < MAX_LOWERINGS ? lowerLimit(fault, surface, body) : undefined
        if (lower) {
          asked = { ...asked, maxTokens: lower.limit }
          if (lower.isOfModel) this.#mostTokens.set(`${url} ${request.model}`, lower.limit)
          continue
        }
        const member = this.#refusedMember(fault, url, surface, body)
        if (member === undefined) throw await this.#explained(fault, surface, signal)
        omitted.add(member)
        if (isTooMuch(fault)) tooMuch.add(member)
      }
    }
  }

  /** By what the service has refused before. */
  #prepared(surface: Surface, request: ModelRequest) {
    const url = this.#options.baseUrl() + surface.path
    const omitted = new Set(surface.dispensable.filter(member => this.#refused.has(`${url} ${member}`)))
    const most = this.#mostTokens.get(`${url} ${request.model}`)
    const asked = most === undefined ? request : { ...request, maxTokens: Math.min(request.maxTokens ?? most, most) }
    return { url, omitted, asked }
  }

  #send(url: string, { headers }: Surface, body: object, signal: AbortSignal): Promise<HttpAnswer> {
    return this.#options.http({
      method: 'POST',
      url,
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream, application/json',
        // A proxy that compresses the response delays small frames.
        'accept-encoding': 'identity',
        ...headers,
      },
      body: JSON.stringify(body),
      signal,
    })
  }

  /** The member that a refusal names; if it names none and its reason is unclear, the `extra` member, once. */
  #refusedMember(fault: unknown, url: string, surface: Surface, body: object): string | undefined {
    if (!isBadRequest(fault)) return undefined
    const refusal = `${fault.problem.code} ${fault.problem.text}`
    const named = surface.dispensable.find(member => member in body && new RegExp(`\\b${member}\\b`).test(refusal))
    if (named !== undefined) return named
    const isUnclear = !this.#accepting.has(url) && fault.kind === 'problem: not accepted'
    return isUnclear && surface.extra !== undefined && surface.extra in body ? surface.extra : undefined
  }

  /** `NotOfferedError` if the path is missing but that of chat completions is not. */
  async #explained(fault: unknown, surface: Surface, signal: AbortSignal): Promise<unknown> {
    const usual = surfaces['chat-completions']
    if (!(fault instanceof ProblemError) || surface === usual) return fault
    if ((fault.status !== 404 && fault.status !== 405) || fault.remedy === 'select-model') return fault
    // A request without a model is refused and costs nothing.
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

/** The value was refused because of its size and may be accepted in another request. */
function isTooMuch(fault: unknown): boolean {
  const refusal = fault instanceof ProblemError ? (fault.problem.text ?? '') : ''
  return SIZE_WORDS.test(refusal) && !UNKNOWN_WORDS.test(refusal)
}

/** How often one request is repeated with a lower limit. */
const MAX_LOWERINGS = 2
/** The limits to try if the refusal states none. */
const FALLBACK_LIMITS = [16_384, 4_096, 1_024]
const MIN_STATED_LIMIT = 256

/** The limit to send after one was refused as too large: the one that the refusal states, else a fallback. */
function lowerLimit(fault: unknown, surface: Surface, body: object): { limit: number; isOfModel: boolean } | undefined {
  if (!surface.limit || !isBadRequest(fault)) return
  const refusal = fault.problem.text ?? ''
  const sent = Number(Reflect.get(body, surface.limit))
  if (!new RegExp(`\\b${surface.limit}\\b`).test(refusal) || !isTooMuch(fault)) return
  const numbers = refusal.match(/\d[\d,_]*/g)?.map(text => Number(text.replace(/[,_]/g, ''))) ?? []
  const stated = Math.max(...numbers.filter(number => number >= MIN_STATED_LIMIT && number < sent))
  // A limit that depends on the length of the input is not that of the model.
  if (stated > 0) return { limit: stated, isOfModel: !/\b(context|input|prompt)\b/i.test(refusal) }
  const limit = FALLBACK_LIMITS.find(modest => modest < sent)
  return limit === undefined ? undefined : { limit, isOfModel: false }
}

function without(body: object, omitted: ReadonlySet<string>): object {
  return Object.fromEntries(Object.entries(body).filter(([member]) => !omitted.has(member)))
}
