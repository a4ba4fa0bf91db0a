// Asks the service whether it accepts a key, before the key is kept.
import * as z from 'zod/mini'
import type { Clock } from '../../base/clock.ts'
import { isHtml, problemOf, readJson } from '../http/body.ts'
import { ContractError } from '../http/errors.ts'
import type { Http } from '../http/http.ts'
import { verdictOf } from '../http/verdict.ts'
import { QUICK, type Service } from './discovery.ts'

/** A list in whatever form; what answers with anything else has not looked at the key. */
const anyList = z.union([z.looseObject({}), z.array(z.unknown())])
const LONGEST_LIST_BYTES = 4 * 1024 * 1024

/**
 * The list of models costs nothing. Where there is none the key is taken for good, for the service has not objected to
 * it. Throws the fault when the service could not be asked.
 */
export async function isKeyAccepted(
  http: Http,
  service: Service,
  key: string,
  clock: Clock,
  signal: AbortSignal,
): Promise<boolean> {
  const answer = await http({
    method: 'GET',
    url: `${service.baseUrl}/v1/models`,
    headers: { authorization: `Bearer ${key}`, accept: 'application/json' },
    limits: QUICK,
    signal,
  })
  if (answer.status < 400) {
    // The login page of a network accepts every key.
    if (isHtml(answer) && answer.status < 300) {
      answer.close()
      throw new ContractError(answer.host, 'html', 'body')
    }
    await readJson(answer, anyList, clock, LONGEST_LIST_BYTES)
    return true
  }
  const problem = await problemOf(answer, clock)
  const { ask } = verdictOf(problem)
  if (ask === 'retry' || ask === 'wait') throw problem
  return ask !== 'signIn'
}
