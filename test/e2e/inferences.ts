// `inferences`: the requests to the model that the user has caused, without those for titles.
import type { Call } from '../localService/callLog.ts'
import type { Service } from '../localService/server.ts'
import { titleRequest } from '../support/titleRequest.ts'

export function inferences(service: Service): Call[] {
  return service.log.calls.filter(
    ({ path, body }) => path === '/v1/chat/completions' && !JSON.stringify(body ?? '').includes(titleRequest),
  )
}
