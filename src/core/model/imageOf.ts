// A picture of a message from its bytes.
import type { Image } from './modelClient.ts'

/** Encodes when it is sent, each time: what is only counted, thousands of times in an exchange, costs nothing. */
export const imageOf = (mediaType: string, bytes: Uint8Array): Image => ({
  mediaType,
  get base64() {
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
  },
})
