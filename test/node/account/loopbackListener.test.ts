// The door for the browser's answer: one answer, and nothing for anybody else.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { AbortedError } from '../../../src/base/abort.ts'
import { LoopbackListener } from '../../../src/node/account/loopbackListener.ts'
import { faultOf, never } from '../../support/wire.ts'

const state = 'right-state'

/** A listener that waits for its answer. */
async function waiting(signal: AbortSignal = never) {
  const listener = await LoopbackListener.open()
  const url = new URL(listener.redirectUri)
  const answer = listener.answer(state, signal)
  return {
    listener,
    url,
    answer,
    visit: (query: string, init?: RequestInit) => fetch(`${url}${query}`, init),
    /** Bytes as they are, for what no browser would send. */
    async raw(text: string): Promise<string> {
      const socket = connect(Number(url.port), '127.0.0.1')
      let received = ''
      socket.on('data', bytes => {
        received += String(bytes)
      })
      socket.end(text)
      await once(socket, 'close')
      return received
    },
    [Symbol.dispose]: () => listener.dispose(),
  }
}

test('[T25] stands at the literal address, on a port of the system, at one path', async () => {
  using door = await waiting()
  assert.match(door.url.href, /^http:\/\/127\.0\.0\.1:\d+\/callback$/)
  using other = await waiting()
  assert.notEqual(other.url.port, door.url.port)
})

test('[T25] takes the answer that carries the state, and shows a page that gives nothing away', async () => {
  using door = await waiting()
  const page = await door.visit(`?code=secret-code&state=${state}&iss=https%3A%2F%2Fauth.example.com`)
  assert.deepEqual(await door.answer, { code: 'secret-code', state, iss: 'https://auth.example.com' })
  assert.equal(page.status, 200)
  const text = await page.text()
  assert.doesNotMatch(text, /secret-code|right-state|<script|https?:/)
  assert.match(text, /close this page/)
  assert.match(page.headers.get('content-security-policy') ?? '', /^default-src 'none'; style-src 'sha256-/)
  assert.equal(page.headers.get('cache-control'), 'no-store')
  assert.equal(page.headers.get('referrer-policy'), 'no-referrer')
})

test('[T25] an error is an answer too, and is not reflected', async () => {
  using door = await waiting()
  const page = await door.visit(`?error=access_denied&error_description=%3Cb%3Eno%3C%2Fb%3E&state=${state}`)
  assert.deepEqual(await door.answer, { error: 'access_denied', error_description: '<b>no</b>', state })
  assert.doesNotMatch(await page.text(), /<b>/)
})

test('[T25] is used once', async () => {
  using door = await waiting()
  await door.visit(`?code=first&state=${state}`)
  assert.equal((await door.visit(`?code=second&state=${state}`)).status, 400)
  assert.equal((await door.answer).code, 'first')
})

test('[T25] whatever does not belong gets an error page, and the waiting goes on', async () => {
  using door = await waiting()
  const invalidQueries = [
    '?code=x',
    '?code=x&state=',
    '?code=x&state=right-stat',
    '?code=x&state=right-state2',
    `?code=x&state=${state}&state=${state}`,
    `?code=x&code=y&state=${state}`,
    '',
  ]
  for (const query of invalidQueries) assert.equal((await door.visit(query)).status, 400, query)
  assert.equal((await door.visit(`/?code=x&state=${state}`)).status, 404)
  for (const method of ['POST', 'HEAD', 'PUT', 'OPTIONS']) {
    const refused = await door.visit(`?code=x&state=${state}`, { method })
    assert.deepEqual([refused.status, refused.headers.get('allow')], [405, 'GET'], method)
  }
  const query = `code=x&state=${state}`
  const host = door.url.host
  const lines: readonly [string, string, RegExp][] = [
    [`GET /callback?${query}`, 'evil.test', /^HTTP\/1\.1 404/],
    [`GET /callback?${query}`, `localhost:${door.url.port}`, /^HTTP\/1\.1 404/],
    [`GET /callback?${query}`, '127.0.0.1', /^HTTP\/1\.1 404/],
    [`GET http://${host}/callback?${query}`, host, /^HTTP\/1\.1 404/],
    [`GET /../callback?${query}`, host, /^HTTP\/1\.1 404/],
    [`GET /%63allback?${query}`, host, /^HTTP\/1\.1 404/],
    [`GET //callback?${query}`, host, /^HTTP\/1\.1 404/],
    [`GET /callback?${query}&x=${'y'.repeat(20_000)}`, host, /^HTTP\/1\.1 431/],
    ['nonsense', host, /^HTTP\/1\.1 400/],
  ]
  for (const [line, name, expected] of lines) {
    assert.match(await door.raw(`${line} HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`), expected, line)
  }
  await door.visit(`?code=good&state=${state}`)
  assert.equal((await door.answer).code, 'good')
})

test('a stop ends the waiting, and the end closes the port', async () => {
  const stop = new AbortController()
  const door = await waiting(stop.signal)
  const reason = new AbortedError()
  stop.abort(reason)
  assert.equal(await faultOf(door.answer), reason)
  assert.equal((await door.visit(`?code=late&state=${state}`)).status, 400, 'nobody waits any more')
  door.listener.dispose()
  await assert.rejects(fetch(door.url))
})
