// Asks the service whether it accepts a key, before the key is kept.
import * as z from 'zod/mini'
import type { Clock } from '../../base/clock.ts'
import { type Problem, readProblem } from '../../protocol/wire/problem.ts'
import { bearerHeader } from '../http/bearer.ts'
import { isHtml, problemOf, readJson } from '../http/body.ts'
import type { Credential } from '../http/credential.ts'
import { ContractError, ProblemError, TransportError } from '../http/errors.ts'
import type { Http, HttpAnswer } from '../http/http.ts'
import type { Service } from './discovery.ts'
import { SIGN_IN_LIMITS } from './signInLimits.ts'

/** A list in any form. A server that answers with something else has not checked the key. */
const anyList = z.union([z.looseObject({}), z.array(z.unknown())])
const MAX_LIST_BYTES = 4 * 1024 * 1024

/**
 * Requests the list of models, which uses no tokens. Where the service has no such list the key is accepted, because it
 * was not rejected. Throws the fault when the service could not be asked.
 */
export async function isKeyAccepted(
  http: Http,
  service: Service,
  credential: Credential,
  clock: Clock,
  signal: AbortSignal,
): Promise<boolean> {
  const answer = await http({
    method: 'GET',
    url: `${service.baseUrl}/v1/models`,
    headers: { ...bearerHeader(credential), accept: 'application/json' },
    limits: SIGN_IN_LIMITS,
    signal,
  })
  if (answer.status < 400) {
    // The login page of a network answers with success whatever the key is.
    if (isHtml(answer) && answer.status < 300) {
      answer.close()
      throw new ContractError(answer.host, 'html', 'body')
    }
    return judgeList(await readJson(answer, anyList, clock, MAX_LIST_BYTES), answer)
  }
  // From a proxy that intercepts the connection. One that is configured causes a fault before there is an answer.
  if (answer.status === 407) {
    answer.close()
    throw new TransportError(answer.host, 'before', 'proxy sign-in')
  }
  return judgeRefusal(await problemOf(answer, clock), answer)
}

/** An answer with a status of success and an `error` member is a refusal, unless it has a list as well. */
function judgeList(list: z.output<typeof anyList>, { host, status }: HttpAnswer): boolean {
  if (Array.isArray(list) || !list['error'] || Array.isArray(list['data'])) return true
  const problem = readProblem(list)
  if (isAboutKey(problem)) return false
  throw new ProblemError(host, status, problem)
}

function judgeRefusal(problem: ProblemError, answer: HttpAnswer): boolean {
  if (problem.mayRepeat) throw problem
  if (problem.remedy === 'sign-in' || isAboutKey(problem.problem)) return false
  // A web page is no answer about the key: it may be that of a firewall, or of a web site at a wrong address.
  if (isHtml(answer)) throw new ContractError(answer.host, 'html', 'body')
  return true
}

const KEY_WORDS = /\b(invalid|incorrect)[ _](api[ _])?key\b|\bapi[ _]key[ _](is[ _])?(not[ _]valid|invalid)\b/i

/** Recognizes a rejected key by the text of an error whose code or status does not identify it. */
function isAboutKey({ code = '', type = '', text = '' }: Problem): boolean {
  return KEY_WORDS.test(`${code} ${type} ${text}`)
}
