// Bodies that came compressed: read as they come, cut where they were cut, and never more than we hold.
import assert from 'node:assert/strict'
import type { Transform } from 'node:stream'
import { test } from 'node:test'
import {
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createDeflate,
  createGzip,
  deflateSync,
  gzipSync,
} from 'node:zlib'
import { readText } from '../../../src/core/http/body.ts'
import { ContractError, TooLargeError, TransportError } from '../../../src/core/http/errors.ts'
import { decoded } from '../../../src/node/http/decoded.ts'
import { answerOf, type Scripted } from '../../support/scriptedHttp.ts'
import { eventually, faultOf, never, peer, Wire } from '../../support/wire.ts'

const text = 'Grüße an die 🌍 '.repeat(5)
const half = gzipSync(text).subarray(0, 40)
const packed = (encoding: string, bytes: Uint8Array, more: Scripted = {}) =>
  decoded(answerOf({ headers: { 'content-encoding': encoding }, body: [bytes], ...more }))

test('each encoding that servers use, in any case, and none', async () => {
  assert.equal(await readText(packed('gzip', gzipSync(text)), 1e6), text)
  assert.equal(await readText(packed(' X-GZIP', gzipSync(text)), 1e6), text)
  assert.equal(await readText(packed('deflate', deflateSync(text)), 1e6), text)
  assert.equal(await readText(packed('br', brotliCompressSync(text)), 1e6), text)
  assert.equal(await readText(packed('identity', new TextEncoder().encode(text)), 1e6), text)
})

test('what the server has flushed is given before the next piece comes, however the bytes are cut', async () => {
  const packers = {
    gzip: () => createGzip({ flush: constants.Z_SYNC_FLUSH }),
    deflate: () => createDeflate({ flush: constants.Z_SYNC_FLUSH }),
    br: () => createBrotliCompress({ flush: constants.BROTLI_OPERATION_FLUSH }),
  }
  for (const [encoding, packer] of Object.entries(packers)) {
    for (const size of [1, 7, 100_000]) {
      let [sent, given] = ['', '']
      async function* flushed(stream: Transform) {
        for (const chunk of ['a', 'data: {"n":1}\n\n', text, 'a', 'ä'.repeat(9_000), '.']) {
          sent += chunk
          await new Promise(resolve => stream.write(chunk, resolve))
          const bytes: Buffer = stream.read()
          for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
          await eventually(`${encoding} by ${size}: all is given that was sent`, () => given === sent)
        }
        stream.end()
        yield* stream
      }
      const answer = { ...answerOf({ headers: { 'content-encoding': encoding } }), body: flushed(packer()) }
      const letters = new TextDecoder()
      for await (const chunk of decoded(answer).body) given += letters.decode(chunk, { stream: true })
      assert.equal(given, sent)
    }
  }
})

test('a packed body that is cut, or is none, breaks off', async () => {
  const cut = await faultOf(readText(packed('gzip', half), 1e6))
  assert.ok(cut instanceof TransportError && cut.where === 'during the answer')
  const junk = await faultOf(readText(packed('gzip', new TextEncoder().encode('no gzip at all')), 1e6))
  assert.ok(junk instanceof TransportError)
  const reset = new TransportError('h', 'during', 'silence')
  assert.equal(await faultOf(readText(packed('gzip', half, { brokenBy: reset }), 1e6)), reset)
})

test('what unpacks to more than we hold is given up', async () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000))
  assert.ok((await faultOf(readText(packed('gzip', bomb), 100_000))) instanceof TooLargeError)
})

test('an encoding nobody knows, or one upon another, is not read', async () => {
  for (const encoding of ['zstd', 'gzip, gzip', Array(1_000).fill('gzip').join(', '), 'constructor']) {
    const fault = await faultOf(readText(packed(encoding, gzipSync(text)), 1e6))
    assert.ok(fault instanceof ContractError && fault.message.endsWith('content-encoding'), encoding.slice(0, 20))
  }
})

test('over the wire', async () => {
  await using server = await peer((_, answer) => {
    answer.writeHead(200, { 'content-encoding': 'gzip' })
    answer.end(gzipSync(text))
  })
  using wire = new Wire()
  const answer = await wire.send({ method: 'GET', url: server.origin, signal: never })
  assert.equal(await readText(answer, 1e6), text)
  assert.equal(wire.clock.waiting, 0)
})
