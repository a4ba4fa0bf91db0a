// The two setups in which a client meets the service: its own model, and one behind it.
import type { Replies } from '../localService/replies.ts'
import { type Service, startService } from '../localService/server.ts'
import { serviceWithKey } from '../service/caller.ts'

export interface Setup extends AsyncDisposable {
  readonly service: Service
  readonly key: string
  /** What the model will answer, wherever it is. */
  readonly replies: Replies
}

async function direct(): Promise<Setup> {
  const { service, key } = await serviceWithKey()
  return { service, key, replies: service.replies, [Symbol.asyncDispose]: () => service.close() }
}

/** A second service plays the server behind the first. */
async function behind(): Promise<Setup> {
  const upstream = await startService({ plan: 'omega', model: 'other-7b' })
  const upstreamKey = upstream.state.issueKey('up@example.com', 'Upstream')
  const { service, key } = await serviceWithKey({
    upstream: { url: `${upstream.baseUrl}/v1`, model: 'other-7b', key: upstreamKey },
  })
  const close = async () => {
    await service.close()
    await upstream.close()
  }
  return { service, key, replies: upstream.replies, [Symbol.asyncDispose]: close }
}

export const setups: readonly [string, () => Promise<Setup>][] = [
  ['with the service alone', direct],
  ['with a server behind the service', behind],
]
