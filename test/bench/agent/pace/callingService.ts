// The service in a process of its own, whose model calls a tool in each answer; it sends how long each next request took to come.

import { subscribe } from 'node:diagnostics_channel'
import { ServerResponse } from 'node:http'
import process from 'node:process'
import { startService } from '../../../localService/server.ts'
import { callOf } from '../../../support/turnFixture.ts'

export interface CallingService {
  readonly url: string
  readonly key: string
}

if (import.meta.main) {
  const rounds = Number(process.argv[2])
  const service = await startService({ plan: 'omega', limits: { omega: 10_000 } })
  const calls = Array.from({ length: rounds }, (_, at) => ({ toolCalls: [callOf('look', { path: `a${at}` })] }))
  service.replies.add(...calls, { text: 'Done.' })
  const pauses: number[] = []
  let endedAt = Number.NaN
  const { end } = ServerResponse.prototype
  ServerResponse.prototype.end = function (this: ServerResponse, ...given: unknown[]) {
    endedAt = performance.now()
    return Reflect.apply(end, this, given)
  } as typeof end // as: it takes what the original takes
  subscribe('http.server.request.start', () => {
    pauses.push(performance.now() - endedAt)
    if (pauses.length === rounds + 1) process.send?.(pauses.slice(1))
  })
  const ready: CallingService = { url: service.baseUrl, key: service.state.issueKey('bench@example.com', 'bench') }
  process.send?.(ready)
  process.on('disconnect', () => process.exit(0))
}
