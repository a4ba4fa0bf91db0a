// A picture of a message from its bytes.
import { base64 } from '../../base/base64.ts'
import type { ImagePart } from './modelClient.ts'

/** Encodes when it is sent, each time: what is only counted, thousands of times in an exchange, costs nothing. */
export const imageOf = (mediaType: string, bytes: Uint8Array): ImagePart => ({
  kind: 'image',
  mediaType,
  get base64() {
    return base64(bytes)
  },
})
