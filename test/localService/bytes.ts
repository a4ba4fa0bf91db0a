// Bodies on their way out, as pieces that come when they are asked for.
export type Bytes = AsyncIterable<Uint8Array>

export async function* bytesOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  if (body) yield* body
}

/** The first bytes, whatever the pieces. */
export async function* upTo(body: Bytes, count: number): AsyncGenerator<Uint8Array> {
  let left = count
  if (left === 0) return
  for await (const chunk of body) {
    yield chunk.subarray(0, left)
    left -= chunk.length
    if (left <= 0) return
  }
}

/** Pieces of this size; the last one may be smaller. */
export async function* inChunks(body: Bytes, size: number): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) for (let at = 0; at < chunk.length; at += size) yield chunk.subarray(at, at + size)
}

export async function collected(body: Bytes): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks)
}
