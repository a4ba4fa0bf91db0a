// Which models there are, as far as the service lists them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AbortedError } from '../../../src/base/abort.ts'
import { Emitter } from '../../../src/base/event.ts'
import { bearer } from '../../../src/core/http/bearer.ts'
import { TransportError } from '../../../src/core/http/errors.ts'
import { Log } from '../../../src/core/log/log.ts'
import { Catalog, limitsOf } from '../../../src/core/model/catalog.ts'
import { startService } from '../../localService/server.ts'
import { holding } from '../../support/credential.ts'
import { FakeClock } from '../../support/fakeClock.ts'
import { type Script, ScriptedHttp } from '../../support/scriptedHttp.ts'
import { faultOf, never, Wire } from '../../support/wire.ts'

function catalogOf(...script: Script[]) {
  const http = new ScriptedHttp(...script)
  const clock = new FakeClock()
  const account = new Emitter<void>()
  const catalog = new Catalog(http.send, () => 'https://api.example.com', clock, new Log(), account.event)
  const reported: string[][] = []
  catalog.onDidChange(models => models && reported.push(models.map(({ id }) => id)))
  return { http, catalog, clock, reported, account }
}

const idsOf = ({ known = [] }: Catalog) => known.map(({ id }) => id)
const limitsIn = ({ known }: Catalog, model: string) => limitsOf(known?.find(({ id }) => id === model))

const listed = (...ids: string[]) => ({ body: { object: 'list', data: ids.map(id => ({ id })) } })

test('over the wire: one model, several, none, no list, a key that is refused', async () => {
  await using local = await startService({ plan: 'pro' })
  using wire = new Wire()
  const key = local.state.issueKey('ada@example.com', 'x')
  const http = bearer(
    wire.send,
    holding(() => key),
  )
  const account = new Emitter<void>()
  const catalog = new Catalog(http, () => local.baseUrl, wire.clock, new Log(), account.event)
  assert.equal(catalog.known, undefined)
  assert.deepEqual(await catalog.refresh(never), [{ id: local.model, inputLimit: 262_144, totalLimit: 278_528 }])
  local.state.listedModels = ['a', 'b/c']
  const ids = (await catalog.refresh(never)).map(({ id }) => id)
  assert.deepEqual(ids, ['a', 'b/c'])
  local.state.listedModels = []
  assert.deepEqual(await catalog.refresh(never), [])
  local.state.listedModels = undefined
  assert.deepEqual(await catalog.refresh(never), [])
  const [only] = local.state.keys.all
  assert.ok(only)
  const refusal = () => catalog.refusal
  assert.equal(refusal(), undefined, 'no list is no refusal')
  local.state.listedModels = [local.model]
  local.state.accounts.of('ada@example.com').plan = 'free'
  assert.deepEqual(await catalog.refresh(never), [])
  assert.match(refusal()?.problem.text ?? '', /^The Free plan has no API access/)
  local.state.keys.revoke(only, 0)
  assert.deepEqual(await catalog.refresh(never), [])
  assert.equal(refusal()?.status, 401)
  account.fire()
  assert.equal(refusal(), undefined)
})

test('junk entries are left out, a limit that is told is kept', async () => {
  const data = [null, { id: 5 }, { id: 'a', max_input_tokens: 1_000 }, 'b', { id: 'c', max_input_tokens: 'many' }]
  const { catalog } = catalogOf({ body: { data } })
  assert.deepEqual(await catalog.refresh(never), [
    { id: 'a', inputLimit: 1_000 },
    { id: 'c', inputLimit: 262_144 },
  ])
})

test('limits: as they were reported, else as the service description says', async () => {
  const data = [
    { id: 'a', max_input_tokens: 1_000, context_length: 1_500, max_output_tokens: 400 },
    { id: 'b', context_length: 8_000 },
  ]
  const { catalog } = catalogOf({ body: { data } })
  assert.deepEqual(limitsIn(catalog, 'a'), { input: 262_144, total: 278_528 })
  await catalog.refresh(never)
  assert.deepEqual(limitsIn(catalog, 'a'), { input: 1_000, total: 1_500, output: 400 })
  assert.deepEqual(limitsIn(catalog, 'b'), { input: 8_000, total: 8_000 })
  assert.deepEqual(limitsIn(catalog, 'unlisted'), { input: 262_144, total: 278_528 })
})

test('a service that says no has an empty list, and is reported', async () => {
  const { catalog, reported } = catalogOf(listed('a'), { status: 403, body: {} })
  await catalog.refresh(never)
  assert.deepEqual(await catalog.refresh(never), [])
  assert.deepEqual(reported, [['a'], []])
  assert.deepEqual(catalog.known, [])
})

const failures: Readonly<Record<string, Script>> = {
  'a connection that is reset': { fault: new TransportError('h', 'before', 'reset') },
  'a proxy that wants a password': { fault: new TransportError('h', 'before', 'proxy sign-in') },
  'a service that stumbles': { status: 503, body: {} },
  'too many requests': { status: 429, body: {} },
  'the login page of a network': { body: '<html>', headers: { 'content-type': 'text/html' } },
  'a way that leads elsewhere': { status: 302, headers: { location: 'https://elsewhere.test/' } },
  'an answer that is no JSON': { body: 'Hello' },
  'an answer of another shape': { body: {} },
  'a list without end': { body: { data: ['x'.repeat(2 * 1024 * 1024)] } },
}

for (const [name, failure] of Object.entries(failures)) {
  test(`[R56] ${name} leaves the list and its limits as they were`, async () => {
    const data = [{ id: 'a', max_input_tokens: 1_000 }]
    const { catalog, reported } = catalogOf({ body: { data } }, failure)
    await catalog.refresh(never)
    assert.deepEqual(await catalog.refresh(never), [{ id: 'a', inputLimit: 1_000 }])
    assert.deepEqual(idsOf(catalog), ['a'])
    assert.equal(limitsIn(catalog, 'a').input, 1_000)
    assert.deepEqual(reported, [['a']])
  })

  test(`[R56] ${name} at the start: nothing is known, and a later look asks again, but not with each key`, async () => {
    const { catalog, clock, http } = catalogOf(failure, listed('a'))
    await catalog.loadIfUnknown()
    assert.equal(catalog.known, undefined)
    await catalog.loadIfUnknown()
    assert.equal(http.requests.length, 1)
    await clock.advance(10_000)
    await catalog.loadIfUnknown()
    assert.deepEqual(idsOf(catalog), ['a'])
    await catalog.loadIfUnknown()
    assert.equal(http.requests.length, 2)
  })
}

test('a key for which no model is listed is asked about again later, because the plan may have changed', async () => {
  const { catalog, clock, http } = catalogOf({ status: 403, body: {} }, listed(), listed('a'))
  await catalog.loadIfUnknown()
  await catalog.loadIfUnknown()
  assert.equal(http.requests.length, 1)
  for (const _ of ['an empty list', 'a model']) {
    await clock.advance(10_000)
    await catalog.loadIfUnknown()
  }
  assert.deepEqual(idsOf(catalog), ['a'])
  assert.equal(catalog.refusal, undefined)
})

test('who asks at once shares the question; one who stops does not stop the others', async () => {
  const gate = Promise.withResolvers<void>()
  const { catalog, http } = catalogOf(async () => {
    await gate.promise
    return listed('a')
  })
  const stop = new AbortController()
  const reason = new AbortedError()
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
  const { catalog, http, reported, account } = catalogOf(async () => {
    await gate.promise
    return listed('old')
  }, listed('new'))
  const old = catalog.refresh(never)
  account.fire()
  assert.ok(!catalog.known)
  await catalog.refresh(never)
  gate.resolve()
  await old
  assert.deepEqual(idsOf(catalog), ['new'])
  assert.deepEqual(reported, [['new']])
  assert.equal(http.requests.length, 2)
})

test('after a switch of accounts nobody is left with the list of the one before, whoever listens first', async () => {
  const seen: (readonly string[] | undefined)[] = []
  const account = new Emitter<void>()
  const http = new ScriptedHttp(listed('old'))
  // What shows the list may listen to the account before the list itself does.
  account.event(() => seen.push(shown()))
  const catalog = new Catalog(http.send, () => 'https://api.example.com', new FakeClock(), new Log(), account.event)
  const shown = () => catalog.known?.map(({ id }) => id)
  catalog.onDidChange(() => seen.push(shown()))
  await catalog.refresh(never)
  account.fire()
  assert.deepEqual(seen, [['old'], ['old'], undefined])
})
