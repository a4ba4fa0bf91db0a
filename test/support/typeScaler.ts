// `typeScaler`: an image scaler that leaves images as they are, and knows them by their first bytes.
import { base64 } from '../../src/base/base64.ts'
import { imageTypeOf } from '../../src/core/context/imageFile.ts'
import type { ImageScaler } from '../../src/core/context/imageScaler.ts'

export const typeScaler: ImageScaler = {
  async scaled(bytes) {
    const mediaType = imageTypeOf(bytes)
    return mediaType && { mediaType, base64: base64(bytes), width: 2, height: 1 }
  },
}
