// `inferences`: the requests to the model that the user has caused, without those for titles and those that probe a model.
import type { Call } from '../localService/callLog.ts'
import type { Service } from '../localService/server.ts'
import { withoutSurroundings } from '../localService/surroundings.ts'
import { probeRequest } from '../support/probeRequest.ts'
import { titleRequest } from '../support/titleRequest.ts'

export function inferences(service: Service): Call[] {
  const isOwn = (body: string) => !body.includes(titleRequest) && !body.includes(probeRequest)
  return service.log.calls.filter(
    ({ path, body }) => path === '/v1/chat/completions' && isOwn(JSON.stringify(body ?? '')),
  )
}

/** The role and the text of a message, without what the extension adds about the window. */
export function writtenIn({ role, content }: { readonly role: string; readonly content: unknown }): [string, string] {
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  return [role, withoutSurroundings(text)]
}
