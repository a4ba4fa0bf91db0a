// Bodies packed in a content encoding, once or many times over, or so that little becomes very much.
import { pipeline, Readable, type Transform } from 'node:stream'
import {
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createDeflate,
  createGzip,
  deflateSync,
  gzipSync,
} from 'node:zlib'
import { type Bytes, collected } from './bytes.ts'

export type Encoding = 'gzip' | 'deflate' | 'br'

const packers = {
  gzip: { open: () => createGzip({ flush: constants.Z_SYNC_FLUSH }), whole: gzipSync },
  deflate: { open: () => createDeflate({ flush: constants.Z_SYNC_FLUSH }), whole: deflateSync },
  br: { open: () => createBrotliCompress({ flush: constants.BROTLI_OPERATION_FLUSH }), whole: brotliCompressSync },
} as const

/** One layer is packed piece by piece, so that a stream stays one; more of them only as a whole. */
export async function* packed(body: Bytes, encoding: Encoding, layers: number): AsyncGenerator<Uint8Array> {
  if (layers === 0) yield* body
  if (layers === 1) yield* through(body, packers[encoding].open())
  if (layers < 2) return
  let bytes = await collected(body)
  for (let layer = 0; layer < layers; layer += 1) bytes = packers[encoding].whole(bytes)
  yield bytes
}

/** Blank space by the megabyte, which gzip makes a thousand times smaller. */
export const bomb = (bytes: number): AsyncGenerator<Uint8Array> => through(blanks(bytes), createGzip({ level: 9 }))

async function* blanks(count: number): AsyncGenerator<Uint8Array> {
  const chunk = Buffer.alloc(64 * 1024, ' ')
  for (let left = count; left > 0; left -= chunk.length) yield chunk.subarray(0, left)
}

async function* through(body: Bytes, transform: Transform): AsyncGenerator<Uint8Array> {
  // What goes wrong comes out of the iteration; ending that early ends the source as well.
  pipeline(Readable.from(body, { objectMode: false }), transform, () => {})
  for await (const chunk of transform) if (chunk instanceof Uint8Array) yield chunk
}
