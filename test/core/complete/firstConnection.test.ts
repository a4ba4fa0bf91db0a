// The local service and a real connection: opened with the first edit, and used by the first completion.
import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { systemClock } from '../../../src/base/clock.ts'
import { Completer } from '../../../src/core/complete/completer.ts'
import { KindCounts } from '../../../src/core/complete/kindCounts.ts'
import { ModelPace } from '../../../src/core/complete/modelPace.ts'
import { ThinkingSwitch } from '../../../src/core/complete/thinkingSwitch.ts'
import type { Http } from '../../../src/core/http/http.ts'
import { WarmConnection } from '../../../src/core/http/warmConnection.ts'
import { AccessPolicy } from '../../../src/core/workspace/accessPolicy.ts'
import { UndiciHttp } from '../../../src/node/http/undiciHttp.ts'
import { startService } from '../../localService/server.ts'
import { surfaceClient } from '../../support/surfaceClient.ts'
import { bytePeer, direct, eventually } from '../../support/wire.ts'
import { FollowedDocuments } from './followedDocuments.ts'
import { holeMode, noSources } from './holeMode.ts'

test('one connection is opened with the first edit, sends nothing by itself, and carries the first completion', async () => {
  await using service = await startService({ plan: 'pro' })
  const sockets: Socket[] = []
  let sentBytes = 0
  await using between = await bytePeer(socket => {
    sockets.push(socket)
    const onward = connect(Number(new URL(service.baseUrl).port), '127.0.0.1')
    socket.on('data', chunk => (sentBytes += chunk.length))
    socket.pipe(onward).pipe(socket)
    onward.on('error', () => socket.destroy())
    socket.on('close', () => onward.destroy())
  })
  const address = service.baseUrl.replace(/:\d+/, `:${between.port}`)
  const key = service.state.issueKey('ada@example.com', 'test')
  const http = new UndiciHttp(() => direct, systemClock)
  // The service knows itself by its own port.
  const { host } = new URL(service.baseUrl)
  const send: Http = request =>
    http.send({ ...request, headers: { ...request.headers, host, authorization: `Bearer ${key}` } })
  const memory = new Map<string, unknown>()
  const shared = { memory, address: () => 'a' }
  const log = { debug: () => {} }
  const followed = new FollowedDocuments()
  let model: string | undefined
  const completer = new Completer({
    models: surfaceClient(send, address, systemClock),
    model: () => model,
    clock: systemClock,
    neighbours: () => [],
    settings: () => ({ enabled: {}, delayMs: null, mode: 'eager', exclude: [] }),
    access: new AccessPolicy({ isTrusted: () => true, excludedGlobs: () => [], ignoredOf: async () => new Set() }),
    documents: followed.documents,
    thinking: new ThinkingSwitch({ ...shared, surface: () => 'chat-completions' }),
    modes: holeMode,
    kinds: new KindCounts(shared),
    modelPace: new ModelPace(shared),
    hasFreeSlot: () => true,
    hasExtraSlot: () => true,
    connection: new WarmConnection({ connect: http.connect, address: () => address, clock: systemClock, log }),
    sources: noSources,
    log,
  })
  const text = 'const first = paint(wall)'
  try {
    completer.changed(followed.change(`${text}|`))
    completer.changed(followed.change(`${text};|`))
    assert.equal(sockets.length, 0, 'nobody is signed in')
    model = 'kourier-1-0815'
    completer.changed(followed.change(`${text} ;|`))
    await eventually('a connection is open', () => sockets.length === 1)
    assert.deepEqual([sentBytes, service.log.calls.length], [0, 0])
    const snapshot = followed.change(`${text} ;\nconst second = paint(|`)
    completer.changed(snapshot)
    const [suggestion] = await completer.complete(snapshot, { isExplicit: false }, new AbortController().signal)
    assert.match(suggestion?.text ?? '', /^wall\)/)
    assert.equal(service.log.calls.length, 1)
    assert.equal(sockets.length, 1)
  } finally {
    completer.dispose()
    http.dispose()
  }
})
