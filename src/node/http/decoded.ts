// Unpacks a body that came compressed although nobody asked for it.
import { pipeline, Readable, type Transform } from 'node:stream'
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { ContractError, TransportError } from '../../core/http/errors.ts'
import type { HttpAnswer } from '../../core/http/http.ts'

/** What is there is given at once: a stream's next piece may be minutes away. */
const eager = { flush: constants.Z_SYNC_FLUSH }

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip(eager),
  'x-gzip': () => createGunzip(eager),
  deflate: () => createInflate(eager),
  br: () => createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH }),
}

/** At most one encoding (RFC 9110 8.4); whoever reads the body counts the bytes that come out. */
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
    // Half a packed body is one that broke off; what the connection itself said is more exact.
    throw broken ? broken.thrown : new TransportError(host, 'during', 'reset', { cause: thrown })
  }
}

// biome-ignore lint/correctness/useYield: it throws to whoever reads, not to whoever only looks at the status
async function* refuse({ host, close }: HttpAnswer): AsyncIterable<Uint8Array> {
  close()
  throw new ContractError(host, 'shape', 'content-encoding')
}
