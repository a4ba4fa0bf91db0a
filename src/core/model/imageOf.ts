// `imageOf`: makes the image part of a message from bytes.
import { base64 } from '../../base/base64.ts'
import type { ImagePart } from './modelClient.ts'

/** Encodes at each access of `base64`, because token counting reads the part often and needs no encoding. */
export const imageOf = (mediaType: string, bytes: Uint8Array): ImagePart => ({
  kind: 'image',
  mediaType,
  get base64() {
    return base64(bytes)
  },
})
