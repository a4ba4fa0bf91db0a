// What wraps a request: a name, more tries, a line in the log.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AbortedError } from '../../../src/base/abort.ts'
import { TransportError, type TransportFailure } from '../../../src/core/http/errors.ts'
import type { HttpRequest } from '../../../src/core/http/http.ts'
import { layered, logged, retried, userAgent } from '../../../src/core/http/layers.ts'
import { Log } from '../../../src/core/log/log.ts'
import { FakeClock, settled } from '../../support/fakeClock.ts'
import { ScriptedHttp } from '../../support/scriptedHttp.ts'
import { faultOf, never } from '../../support/wire.ts'

const asked: HttpRequest = { method: 'POST', url: 'https://h.test/v1/x?code=abc123', signal: never, mayRepeat: true }
const broken = (stage: 'before' | 'during' = 'before', why: TransportFailure = 'reset') => ({
  fault: new TransportError('h.test', stage, why),
})

test('the first layer named is the innermost', async () => {
  const http = new ScriptedHttp({})
  const order: string[] = []
  const layer = (name: string) => (next: typeof http.send) => (request: HttpRequest) => {
    order.push(name)
    return next(request)
  }
  await layered(http.send, layer('inner'), layer('outer'))(asked)
  assert.deepEqual(order, ['outer', 'inner'])
})

test('the product says its name', async () => {
  const http = new ScriptedHttp({})
  await userAgent('Kourier/1')(http.send)({ ...asked, headers: { accept: 'x' } })
  assert.deepEqual(http.requests[0]?.headers, { 'user-agent': 'Kourier/1', accept: 'x' })
})

test('[R01] what may be repeated is sent once more, after a moment', async () => {
  const clock = new FakeClock()
  const http = new ScriptedHttp(broken())
  const fault = faultOf(retried(clock)(http.send)(asked))
  await clock.advance(399)
  assert.equal(http.requests.length, 1)
  await clock.advance(1)
  assert.ok((await fault) instanceof TransportError)
  assert.deepEqual([http.requests.length, clock.waiting], [2, 0])
})

test('one stumble goes unnoticed', async () => {
  const clock = new FakeClock()
  const http = new ScriptedHttp(broken(), { status: 200 })
  const answer = retried(clock)(http.send)(asked)
  await clock.advance(400)
  assert.equal((await answer).status, 200)
})

test('nothing is sent twice that must not be, or that would meet the same again', async () => {
  const { mayRepeat: _, ...once } = asked
  const cases: [HttpRequest, ReturnType<typeof broken>][] = [
    [once, broken()],
    [asked, broken('during')],
    [asked, broken('before', 'certificate')],
    [asked, broken('before', 'proxy')],
  ]
  for (const [request, script] of cases) {
    const http = new ScriptedHttp(script)
    await faultOf(retried(new FakeClock())(http.send)(request))
    assert.equal(http.requests.length, 1)
  }
  const refused = new ScriptedHttp({ status: 503 })
  assert.equal((await retried(new FakeClock())(refused.send)(asked)).status, 503)
  assert.equal(refused.requests.length, 1)
})

test('a stop ends the pause with its reason', async () => {
  const clock = new FakeClock()
  const stop = new AbortController()
  const http = new ScriptedHttp(broken())
  const fault = faultOf(retried(clock)(http.send)({ ...asked, signal: stop.signal }))
  await settled()
  const reason = new AbortedError()
  stop.abort(reason)
  assert.equal(await fault, reason)
  assert.equal(clock.waiting, 0)
})

test('the log says what was asked and what came, and no query, header or body', async () => {
  const log = new Log()
  const lines: string[] = []
  log.open({ write: (_, line) => lines.push(line) })
  const http = new ScriptedHttp({ status: 204, body: 'b0dy' }, broken())
  const send = logged(log, new FakeClock())(http.send)
  const secretive = { ...asked, headers: { 'x-odd': 'h3ader' }, body: 'b0dy' }
  await send(secretive)
  await faultOf(send(secretive))
  assert.deepEqual(lines, [
    'POST answered {"host":"h.test","path":"/v1/x","ms":0,"status":204}',
    'POST failed {"host":"h.test","path":"/v1/x","ms":0,"fault":"TransportError: h.test: reset (before the answer)"}',
  ])
  const stopped = logged(log, new FakeClock())(() => Promise.reject(new AbortedError('Stopped')))
  await faultOf(stopped(asked))
  assert.equal(lines.at(-1), 'POST stopped {"host":"h.test","path":"/v1/x","ms":0}')
})
