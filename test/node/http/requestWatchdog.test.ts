// What the system's own words for a failure mean for a request.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CertificateFailure, TransportError } from '../../../src/core/http/errors.ts'
import { RequestWatchdog } from '../../../src/node/http/requestWatchdog.ts'
import { FakeClock } from '../../support/fakeClock.ts'
import { never } from '../../support/wire.ts'

function explained(system: { readonly code: string; readonly syscall?: string }): TransportError {
  const limits = { firstByteMs: 1_000, silenceMs: 1_000 }
  const watchdog = new RequestWatchdog(new FakeClock(), 'api.example', limits, never)
  const fault = watchdog.explain(new Error('x', { cause: Object.assign(new Error('secret detail'), system) }))
  assert.ok(fault instanceof TransportError)
  return fault
}

const certificates: readonly [string, CertificateFailure][] = [
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'untrusted'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'untrusted'],
  ['CERT_HAS_EXPIRED', 'expired'],
  ['CERT_NOT_YET_VALID', 'not yet valid'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'other host'],
  ['EPROTO', 'no agreement'],
  ['ERR_SSL_UNSUPPORTED_PROTOCOL', 'no agreement'],
]

for (const [code, wanted] of certificates) {
  test(`${code}: nothing was sent, and the certificate is ${wanted}`, () => {
    const { why, certificate, wasSent, message } = explained({ code, syscall: 'write' })
    assert.deepEqual([why, certificate, wasSent], ['certificate', wanted, false])
    assert.doesNotMatch(message, /secret/)
  })
}

test('a connection that the system gives up later may have carried the request', () => {
  for (const code of ['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH']) {
    for (const syscall of ['read', 'write']) {
      const { why, wasSent } = explained({ code, syscall })
      assert.deepEqual([why, wasSent], ['reset', true], `${code} in ${syscall}`)
    }
    assert.equal(explained({ code, syscall: 'connect' }).wasSent, false, code)
  }
})

test('the time that the reader takes for a chunk does not count as silence of the peer', async () => {
  const clock = new FakeClock()
  const watchdog = new RequestWatchdog(clock, 'api.example', { firstByteMs: 1_000, silenceMs: 1_000 }, never)
  async function* chunks() {
    yield Uint8Array.of(1)
    yield Uint8Array.of(2)
  }
  let count = 0
  for await (const chunk of watchdog.watch(Object.assign(chunks(), { destroy: () => {} }))) {
    for (let second = 0; second < 3; second++) await clock.advance(1_000)
    count += chunk.length
  }
  assert.deepEqual([count, watchdog.signal.aborted, clock.waiting], [2, false, 0])
})
