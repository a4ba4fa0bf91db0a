// `modelOf`: a client for the model of a local service, which has a key of its own and sends each request at once.
import { systemClock } from '../../../src/base/clock.ts'
import type { Http } from '../../../src/core/http/http.ts'
import type { ModelClient } from '../../../src/core/model/modelClient.ts'
import { UndiciHttp } from '../../../src/node/http/undiciHttp.ts'
import type { Service } from '../../localService/server.ts'
import { email } from '../../support/coreWindow.ts'
import { surfaceClient } from '../../support/surfaceClient.ts'
import { direct } from '../../support/wire.ts'

export function modelOf({ state, baseUrl }: Service): ModelClient & Disposable {
  const http = new UndiciHttp(() => direct, systemClock)
  const key = state.issueKey(email, 'Completion quality')
  const asking: Http = request =>
    http.send({ ...request, headers: { ...request.headers, authorization: `Bearer ${key}` } })
  const client = surfaceClient(asking, baseUrl, systemClock)
  return { stream: (request, signal) => client.stream(request, signal), [Symbol.dispose]: () => http.dispose() }
}
