// Bodies are read up to a limit and judged; each malformed one fails with its kind.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as z from 'zod/mini'
import { AbortedError } from '../../../src/base/abort.ts'
import { problemOf, readJson, readText, throwUnlessOk } from '../../../src/core/http/body.ts'
import { ContractError, ProblemError, TooLargeError, TransportError } from '../../../src/core/http/errors.ts'
import { FakeClock } from '../../support/fakeClock.ts'
import { answerOf, type Scripted } from '../../support/scriptedHttp.ts'
import { eventually, faultOf, never, peer, Wire } from '../../support/wire.ts'

const clock = new FakeClock()
const schema = z.object({ a: z.object({ b: z.number() }) })
const read = (scripted: Scripted, limit?: number) => readJson(answerOf(scripted), schema, clock, limit)

async function contractFault(scripted: Scripted): Promise<string> {
  const fault = await faultOf(read(scripted))
  assert.ok(fault instanceof ContractError, String(fault))
  return `${fault.what}: ${fault.message}`
}

test('letters that lie across two reads are read whole, a byte order mark is not', async () => {
  const bytes = new TextEncoder().encode('\ufeff{"a":{"b":1},"c":"🌍"}')
  for (let at = 0; at <= bytes.length; at++) {
    const chunks = [bytes.subarray(0, at), bytes.subarray(at)]
    assert.equal(await readText(answerOf({ body: chunks }), 100), '{"a":{"b":1},"c":"🌍"}')
  }
})

test('a body of the wrong type but the right shape is taken', async () => {
  const body = '\ufeff{"a":{"b":1}}'
  assert.deepEqual(await read({ body, headers: { 'content-type': 'text/html' } }), { a: { b: 1 } })
})

test('what is too large is not held, only told', async () => {
  const fault = await faultOf(read({ body: ['x'.repeat(60), 'x'.repeat(60)] }, 100))
  assert.ok(fault instanceof TooLargeError && fault.limit === 100)
})

test('a wrong shape is named by its place, without the body', async () => {
  assert.match(await contractFault({ body: { a: { b: 'secret' } } }), /^shape: .*a\.b$/)
  assert.doesNotMatch(await contractFault({ body: { a: { b: 'secret' } } }), /secret/)
  assert.match(await contractFault({ body: 'oh no' }), /^not json/)
  assert.match(await contractFault({ status: 204 }), /^not json/)
  const page = '<!doctype html><title>Hotel</title>'
  assert.match(await contractFault({ body: page, headers: { 'content-type': 'Text/HTML; charset=utf-8' } }), /^html/)
})

test('a web page is one, also when it is larger than any answer of ours', async () => {
  const large = { body: `<html>${'x'.repeat(70_000)}`, headers: { 'content-type': 'text/html' } }
  assert.match(await contractFault(large), /^html/)
})

test('a redirect is not followed, and its target’s host is named', async () => {
  for (const status of [301, 302, 303, 307, 308]) {
    const headers = { location: 'https://evil.test/steal?key=1' }
    assert.match(await contractFault({ status, headers }), /^redirect: service\.test: redirect at evil\.test$/)
  }
  assert.match(await contractFault({ status: 302, headers: { location: '/here' } }), /: redirect$/)
})

test('an error answer carries its words, its wait and its challenge', async () => {
  const headers = { 'retry-after': '7', 'www-authenticate': 'Bearer x="y"' }
  const body = { error: { message: 'Slower.', code: 'rate' } }
  const fault = await problemOf(answerOf({ status: 429, headers, body }), clock)
  assert.ok(fault instanceof ProblemError)
  assert.deepEqual(
    [fault.status, fault.problem, fault.retryAfterMs, fault.challenge],
    [429, { code: 'rate', text: 'Slower.' }, 7_000, 'Bearer x="y"'],
  )
})

test('a wait until a date is measured by the clock of who named it, where it tells its time', async () => {
  const there = Date.UTC(2026, 10, 22, 8)
  const until = new Date(there + 9_000).toUTCString()
  const waitMs = async (offMs: number, date: Record<string, string>) => {
    const wrong = new FakeClock()
    wrong.jump(there + offMs - wrong.now())
    const headers = { 'retry-after': until, ...date }
    return (await problemOf(answerOf({ status: 429, headers }), wrong)).retryAfterMs
  }
  const hour = 3_600_000
  for (const offMs of [-hour, 0, hour]) {
    assert.equal(await waitMs(offMs, { date: new Date(there).toUTCString() }), 9_000)
  }
  for (const date of [{}, { date: 'today' }, { date: '' }]) {
    assert.deepEqual(await Promise.all([waitMs(0, date), waitMs(1_000, date)]), [9_000, 8_000])
  }
})

test('an error page, an endless error and one that breaks off say nothing but their status', async () => {
  const silent: Scripted[] = [
    { status: 502, body: '<html><h1>Bad gateway</h1>', headers: { 'content-type': 'text/html' } },
    { status: 502, body: '  <!doctype html>' },
    { status: 500, body: 'x'.repeat(70_000) },
    { status: 500, body: 'half', brokenBy: new TransportError('service.test', 'during', 'reset') },
    { status: 500, body: '' },
  ]
  for (const scripted of silent) {
    assert.deepEqual((await problemOf(answerOf(scripted), clock)).problem, {}, JSON.stringify(scripted).slice(0, 60))
  }
  assert.deepEqual((await problemOf(answerOf({ status: 500, body: 'oh no' }), clock)).problem, { text: 'oh no' })
})

test('a stop while an error is read stays a stop', async () => {
  const stop = new AbortedError()
  assert.equal(await faultOf(throwUnlessOk(answerOf({ status: 500, body: 'half', brokenBy: stop }), clock)), stop)
})

for (const status of [200, 500]) {
  test(`an answer of ${status} that comes byte by byte without an end is given up after ten seconds in all`, async () => {
    using wire = new Wire()
    let isClosed = false
    let drip = () => {}
    await using slow = await peer((_, outgoing) => {
      outgoing.on('close', () => {
        isClosed = true
      })
      outgoing.writeHead(status, { 'content-type': 'application/json' })
      drip = () => void outgoing.write(' ')
      drip()
    })
    const limits = { firstByteMs: 15_000, silenceMs: 10_000 }
    const answer = await wire.send({ method: 'GET', url: slow.origin, limits, signal: never })
    let bytes = 0
    async function* counted() {
      for await (const chunk of answer.body) {
        bytes += chunk.byteLength
        yield chunk
      }
    }
    let fault: unknown
    const reading = faultOf(readJson({ ...answer, body: counted() }, schema, wire.clock)).then(thrown => {
      fault = thrown
    })
    for (let drops = 1; drops <= 14; drops++) {
      await eventually('the byte has come', () => bytes === drops)
      assert.equal(fault, undefined)
      await wire.clock.advance(700)
      drip()
    }
    await wire.clock.advance(200)
    await eventually('nobody waits any longer', () => fault !== undefined)
    await reading
    if (status === 200) assert.ok(fault instanceof TransportError && fault.why === 'silence', String(fault))
    else assert.ok(fault instanceof ProblemError && fault.status === 500, 'its status says enough')
    await eventually('the connection is closed', () => isClosed)
    assert.equal(wire.clock.waiting, 0, 'no timer is left')
  })
}
