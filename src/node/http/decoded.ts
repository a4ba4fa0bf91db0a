// `decoded`: decompresses a response body, which a server may compress although the request does not ask for it.
import { pipeline, Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { ContractError, TransportError } from '../../core/http/errors.ts'
import type { HttpAnswer } from '../../core/http/http.ts'

/** Each passes on at once what a chunk decodes to, without an option: the `flush` options matter only to compressors. */
const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/** Supports one encoding (RFC 9110 8.4). The reader of the body has to limit the decoded bytes. */
export function decoded(answer: HttpAnswer): HttpAnswer {
  const encoding = answer.headers['content-encoding']?.trim().toLowerCase()
  if (!encoding || encoding === 'identity') return answer
  const decoder = Object.hasOwn(decoders, encoding) ? decoders[encoding]?.() : undefined
  return { ...answer, body: decoder ? unpack(answer, decoder) : refuse(answer) }
}

async function* unpack({ host, body }: HttpAnswer, decoder: Transform): AsyncIterable<Uint8Array> {
  let broken: { readonly thrown: unknown } | undefined
  async function* packed() {
    try {
      yield* body
    } catch (thrown) {
      broken = { thrown }
      throw thrown
    }
  }
  try {
    yield* pipeline(Readable.from(packed(), { objectMode: false, highWaterMark: 1 }), decoder, () => {})
  } catch (thrown) {
    // A truncated compressed body is one that broke off; the connection's own fault, if there is one, is more exact.
    throw broken ? broken.thrown : new TransportError(host, 'during', 'reset', { cause: thrown })
  }
}

// biome-ignore lint/correctness/useYield: it throws only when the body is read
async function* refuse({ host, close }: HttpAnswer): AsyncIterable<Uint8Array> {
  close()
  throw new ContractError(host, 'shape', 'content-encoding')
}
