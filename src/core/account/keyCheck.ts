// Asks the service whether it accepts a key, before the key is kept.
import * as z from 'zod/mini'
import type { Clock } from '../../base/clock.ts'
import { type Problem, readProblem } from '../../protocol/wire/problem.ts'
import { bearerHeader } from '../http/bearer.ts'
import { isHtml, problemOf, readJson } from '../http/body.ts'
import type { Credential } from '../http/credential.ts'
import { ContractError, ProblemError, TransportError } from '../http/errors.ts'
import type { Http, HttpAnswer } from '../http/http.ts'
import { QUICK, type Service } from './discovery.ts'

/** A list in whatever form; what answers with anything else has not looked at the key. */
const anyList = z.union([z.looseObject({}), z.array(z.unknown())])
const LONGEST_LIST_BYTES = 4 * 1024 * 1024

/**
 * The list of models costs nothing. Where the service itself says that there is none the key is accepted, because the
 * service has not objected to it. Throws the fault when the service could not be asked.
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
    limits: QUICK,
    signal,
  })
  if (answer.status < 400) {
    // The login page of a network accepts every key.
    if (isHtml(answer) && answer.status < 300) {
      answer.close()
      throw new ContractError(answer.host, 'html', 'body')
    }
    return judgeList(await readJson(answer, anyList, clock, LONGEST_LIST_BYTES), answer)
  }
  // Of a proxy that stands in the way unasked; one that is set says so before there is an answer.
  if (answer.status === 407) {
    answer.close()
    throw new TransportError(answer.host, 'before', 'proxy sign-in')
  }
  return judgeRefusal(await problemOf(answer, clock), answer)
}

/** A gateway may say no with a status of success. Some members beside a list are no such word. */
function judgeList(list: z.output<typeof anyList>, { host, status }: HttpAnswer): boolean {
  if (Array.isArray(list) || !list['error'] || Array.isArray(list['data'])) return true
  const problem = readProblem(list)
  if (isAboutKey(problem)) return false
  throw new ProblemError(host, status, problem)
}

function judgeRefusal(problem: ProblemError, answer: HttpAnswer): boolean {
  if (problem.mayRepeat) throw problem
  if (problem.remedy === 'sign-in' || isAboutKey(problem.problem)) return false
  // A page says nothing about the list or the key: it may be that of a firewall, or of a web site at a wrong address.
  if (isHtml(answer)) throw new ContractError(answer.host, 'html', 'body')
  return true
}

const KEY_WORDS = /\b(invalid|incorrect)[ _](api[ _])?key\b|\bapi[ _]key[ _](is[ _])?(not[ _]valid|invalid)\b/i

/** As gateways say it that have no policy word for it. */
function isAboutKey({ code = '', type = '', text = '' }: Problem): boolean {
  return KEY_WORDS.test(`${code} ${type} ${text}`)
}
