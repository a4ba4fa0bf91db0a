// A key goes to its own origin, and after a 401 there is one more try.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AbortedError, isAbort } from '../../../src/base/abort.ts'
import { bearer, type CredentialSource } from '../../../src/core/http/bearer.ts'
import { madeOf, textOf } from '../../support/credential.ts'
import { type Scripted, ScriptedHttp } from '../../support/scriptedHttp.ts'
import { faultOf, never } from '../../support/wire.ts'

const home = 'https://api.example.com'
const get = (url: string) => ({ method: 'GET', url, signal: never }) as const

function keyOf(origin: string, key: string, another?: () => string | undefined): CredentialSource {
  let current = madeOf(key)
  return {
    credential: asked => (asked === origin ? current : undefined),
    async onUnauthorized() {
      const next = another?.()
      if (next === undefined) return undefined
      current = madeOf(next)
      return current
    },
  }
}

const sentKeys = (http: ScriptedHttp) => http.requests.map(({ headers }) => headers?.['authorization'])

test('[T06] a request to the key’s origin carries it, one to any other does not', async () => {
  const http = new ScriptedHttp({})
  const send = bearer(http.send, keyOf(home, 'k1'))
  const others = [
    'http://api.example.com',
    'https://api.example.com:8443',
    'https://auth.example.com',
    'https://api.example.com.evil.test',
  ]
  for (const origin of [home, ...others]) await send(get(`${origin}/v1/models`))
  assert.deepEqual(sentKeys(http), ['Bearer k1', ...others.map(() => undefined)])
})

test('without a key the request leaves without one', async () => {
  const http = new ScriptedHttp({ status: 401 })
  assert.equal((await bearer(http.send, keyOf('https://elsewhere.test', 'k1'))(get(home))).status, 401)
  assert.deepEqual(sentKeys(http), [undefined])
})

test('a refused key is tried no second time', async () => {
  for (const another of [() => undefined, () => 'k1']) {
    const http = new ScriptedHttp({ status: 401 })
    assert.equal((await bearer(http.send, keyOf(home, 'k1', another))(get(home))).status, 401)
    assert.equal(http.requests.length, 1)
  }
})

test('another key is tried once, and the first answer is let go', async () => {
  const http = new ScriptedHttp({ status: 401 }, { status: 401 }, { status: 200 } satisfies Scripted)
  const source = keyOf(home, 'k1', () => 'k2')
  const reported: string[] = []
  const answer = await bearer(http.send, {
    ...source,
    onUnauthorized: refused => {
      reported.push(textOf(refused) ?? '')
      return source.onUnauthorized(refused)
    },
  })(get(home))
  assert.equal(answer.status, 401)
  assert.deepEqual(reported, ['k1', 'k2'], 'the refusal of the second is told as well')
  assert.deepEqual(sentKeys(http), ['Bearer k1', 'Bearer k2'])
  assert.equal(http.closed, 1)
})

test('a stop does not wait for whoever looks for another key, and the refused answer is let go', async () => {
  const stop = new AbortController()
  const http = new ScriptedHttp({ status: 401 })
  const source: CredentialSource = {
    credential: () => madeOf('k1'),
    onUnauthorized() {
      stop.abort(new AbortedError())
      return new Promise(() => {})
    },
  }
  const sent = bearer(http.send, source)({ ...get(home), signal: stop.signal })
  assert.ok(isAbort(await faultOf(sent)))
  assert.equal(http.closed, 1)
})

test('a stop while the second key is reported is heard as well', async () => {
  const stop = new AbortController()
  const http = new ScriptedHttp({ status: 401 })
  const source = keyOf(home, 'k1', () => 'k2')
  const sent = bearer(http.send, {
    ...source,
    onUnauthorized(refused) {
      if (textOf(refused) === 'k1') return source.onUnauthorized(refused)
      stop.abort(new AbortedError())
      return new Promise(() => {})
    },
  })({ ...get(home), signal: stop.signal })
  assert.ok(isAbort(await faultOf(sent)))
  assert.equal(http.closed, 2)
})

test('[T06] a key of another service that is in use by then does not go to the old one', async () => {
  const http = new ScriptedHttp({ status: 401 })
  let isMoved = false
  const source: CredentialSource = {
    credential: origin => (origin === (isMoved ? 'https://other.test' : home) ? madeOf('k1') : undefined),
    async onUnauthorized() {
      isMoved = true
      return madeOf('key of the other service')
    },
  }
  assert.equal((await bearer(http.send, source)(get(home))).status, 401)
  assert.deepEqual(sentKeys(http), ['Bearer k1'])
})
