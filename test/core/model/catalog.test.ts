// Which models there are, as far as the service tells.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Stopped } from '../../../src/base/abort.ts'
import { bearer } from '../../../src/core/http/bearer.ts'
import { TransportError } from '../../../src/core/http/errors.ts'
import { Log } from '../../../src/core/log/log.ts'
import { Catalog } from '../../../src/core/model/catalog.ts'
import { startService } from '../../localService/server.ts'
import { FakeClock } from '../../support/fakeClock.ts'
import { type Script, ScriptedHttp } from '../../support/scriptedHttp.ts'
import { faultOf, never, Wire } from '../../support/wire.ts'

function catalogOf(...script: Script[]) {
  const http = new ScriptedHttp(...script)
  const catalog = new Catalog(http.send, () => 'https://api.example.com', new FakeClock(), new Log())
  const told: string[][] = []
  catalog.onDidChange(models => told.push(models.map(({ id }) => id)))
  return { http, catalog, told }
}

const idsOf = ({ known = [] }: Catalog) => known.map(({ id }) => id)

const listed = (...ids: string[]) => ({ body: { object: 'list', data: ids.map(id => ({ id })) } })

test('over the wire: one model, several, none, no list, a key that is refused', async () => {
  await using local = await startService({ plan: 'pro' })
  using wire = new Wire()
  const key = local.state.issueKey('ada@example.com', 'x')
  const http = bearer(wire.send, { token: () => key, onUnauthorized: async () => undefined })
  const catalog = new Catalog(http, () => local.baseUrl, wire.clock, new Log())
  assert.equal(catalog.known, undefined)
  assert.deepEqual(await catalog.refresh(never), [{ id: local.model, inputLimit: 262_144 }])
  local.state.listedModels = ['a', 'b/c']
  const ids = (await catalog.refresh(never)).map(({ id }) => id)
  assert.deepEqual(ids, ['a', 'b/c'])
  local.state.listedModels = []
  assert.deepEqual(await catalog.refresh(never), [])
  local.state.listedModels = undefined
  assert.deepEqual(await catalog.refresh(never), [])
  const [only] = local.state.keys.all
  assert.ok(only)
  local.state.keys.revoke(only, 0)
  assert.deepEqual(await catalog.refresh(never), [])
})

test('junk entries are left out, a limit that is told is kept', async () => {
  const data = [null, { id: 5 }, { id: 'a', max_input_tokens: 1_000 }, 'b', { id: 'c', max_input_tokens: 'many' }]
  const { catalog } = catalogOf({ body: { data } })
  assert.deepEqual(await catalog.refresh(never), [
    { id: 'a', inputLimit: 1_000 },
    { id: 'c', inputLimit: 262_144 },
  ])
})

test('an answer that is no list counts as an empty one, and is told', async () => {
  const scripts: Script[] = [
    { body: '<html>' },
    { body: {} },
    { status: 403, body: {} },
    { fault: new TransportError('h', 'before', 'reset') },
    { body: { data: ['x'.repeat(2 * 1024 * 1024)] } },
  ]
  for (const script of scripts) {
    const { catalog, told } = catalogOf(script)
    assert.deepEqual(await catalog.refresh(never), [])
    assert.deepEqual(told, [[]])
    assert.deepEqual(catalog.known, [])
  }
})

test('who asks at once shares the question; one who stops does not stop the others', async () => {
  const gate = Promise.withResolvers<void>()
  const { catalog, http } = catalogOf(async () => {
    await gate.promise
    return listed('a')
  })
  const stop = new AbortController()
  const reason = new Stopped()
  const first = faultOf(catalog.refresh(stop.signal))
  const second = catalog.refresh(never)
  stop.abort(reason)
  assert.equal(await first, reason)
  gate.resolve()
  assert.equal((await second)[0]?.id, 'a')
  assert.equal(http.requests.length, 1)
})

test('an answer for the account before is not kept', async () => {
  const gate = Promise.withResolvers<void>()
  const { catalog, http, told } = catalogOf(async () => {
    await gate.promise
    return listed('old')
  }, listed('new'))
  const old = catalog.refresh(never)
  catalog.forget()
  assert.ok(!catalog.known)
  await catalog.refresh(never)
  gate.resolve()
  await old
  assert.deepEqual(idsOf(catalog), ['new'])
  assert.deepEqual(told, [['new']])
  assert.equal(http.requests.length, 2)
})
