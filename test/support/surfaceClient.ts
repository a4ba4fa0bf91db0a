// A `SurfaceClient` for a test.
import type { Clock } from '../../src/base/clock.ts'
import type { Http } from '../../src/core/http/http.ts'
import { Log } from '../../src/core/log/log.ts'
import { SurfaceClient } from '../../src/core/model/surfaceClient.ts'
import type { SurfaceId } from '../../src/core/model/surfaceIds.ts'

export function surfaceClient(
  http: Http,
  baseUrl: string,
  clock: Clock,
  surface: SurfaceId = 'chat-completions',
): SurfaceClient {
  return new SurfaceClient({ http, baseUrl: () => baseUrl, surface: () => surface, clock, log: new Log() })
}
