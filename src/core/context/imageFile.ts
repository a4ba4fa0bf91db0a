// `isImagePath`, `imageTypeOf`: which files are attached as images, and what type their bytes have.
import type { imageTypes } from '../../protocol/draft.ts'

/** As base64 it is less than 5 MB, the most that services accept for one image. */
export const MOST_IMAGE_BYTES = 3_700_000

/** Of a file, which is scaled before it is sent. */
export const MOST_IMAGE_FILE_BYTES = 15_000_000

/** By the ending of a path or an address. */
export const isImagePath = (path: string): boolean => /\.(?:png|jpe?g|gif|webp|bmp|avif|ico)$/i.test(path)

/** By the first bytes, because services refuse an image whose type is not that of its bytes. */
export function imageTypeOf(bytes: Uint8Array): (typeof imageTypes)[number] | undefined {
  const head = String.fromCharCode(...bytes.subarray(0, 12))
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (/^GIF8[79]a/.test(head)) return 'image/gif'
  return head.startsWith('RIFF') && head.slice(8) === 'WEBP' ? 'image/webp' : undefined
}
