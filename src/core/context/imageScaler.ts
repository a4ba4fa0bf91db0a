// `ImageScaler`: makes an image of a size and a format that models take.
import type { imageTypes } from '../../protocol/draft.ts'

export interface ScaledImage {
  readonly mediaType: (typeof imageTypes)[number]
  readonly base64: string
  readonly width: number
  readonly height: number
}

export interface ImageScaler {
  /** Undefined where the bytes are no image that can be read. */
  scaled(bytes: Uint8Array, signal: AbortSignal): Promise<ScaledImage | undefined>
}
