// Asks the server behind us, in its own form, and gives its answer as one of ours.
import { Failure, requestIdHeaders } from '../failure.ts'
import { isObject, type JsonObject } from '../json.ts'
import type { ModelEvents } from '../modelEvent.ts'
import type { ModelRequest } from '../modelRequest.ts'
import type { Upstream } from '../options.ts'
import type { Surface } from '../surface/surface.ts'
import { chatBody } from './chatBody.ts'
import { completionEvents, streamEvents } from './modelEvents.ts'
import { passOn } from './passOn.ts'
import { emptyAnswer, failureIn, refusalOf } from './refusal.ts'
import { jsonOf, send } from './send.ts'

export interface Question {
  readonly surface: Surface
  readonly request: ModelRequest
  /** Frees the caller's slot. */
  readonly release: () => void
  readonly ended: AbortSignal
}

/** A chat completion goes out as it came, but for the model's name; the other surfaces are translated. */
export async function askUpstream(upstream: Upstream, question: Question): Promise<Response | Failure | ModelEvents> {
  const { surface, request, ended } = question
  const isChat = surface.path === '/v1/chat/completions'
  const body = isChat ? { ...request.json, model: upstream.model } : chatBody(request, upstream.model)
  const answer = await send(upstream, body, ended)
  if (answer instanceof Failure) return answer
  if (answer.status < 200 || answer.status > 299) return refusalOf(answer)
  if (answer.type === 'text/event-stream') {
    return isChat && request.isStream ? passOn(answer, question) : streamEvents(answer, request, ended)
  }
  const json = await jsonOf(answer)
  if (!isObject(json)) return new Failure(502, 'upstream_failed', 'The upstream server did not answer in JSON.')
  if (!isChat || request.isStream) return completionEvents(json, request, answer.key)
  return failureIn(json, answer.key) ?? (hasChoice(json) ? passedOn(json, question) : emptyAnswer())
}

const hasChoice = ({ choices }: JsonObject) => Array.isArray(choices) && isObject(choices[0])

function passedOn(json: JsonObject, { surface, request, release }: Question): Response {
  release()
  return Response.json({ ...json, model: request.model }, { headers: requestIdHeaders(surface.path) })
}
