// Both steps of discovery, without a question about the sign-in server between them.
import type { Clock } from '../../src/base/clock.ts'
import { findApi, findService, type Service } from '../../src/core/account/discovery.ts'
import type { Http } from '../../src/core/http/http.ts'

/** Throws a fault when there is no service there, or when its documents contradict each other. */
export async function discover(http: Http, baseUrl: URL, clock: Clock, signal: AbortSignal): Promise<Service> {
  return findService(http, await findApi(http, baseUrl, clock, signal), clock, signal)
}
