// `scaledImage`: an image in a size and a format that models take.

import type { FromPage } from '../../protocol/panel.ts'

export interface ScaledImage {
  readonly mediaType: 'image/png' | 'image/jpeg'
  readonly base64: string
  readonly width: number
  readonly height: number
}

/** Services scale down to this, so more costs time and slots and shows the model nothing. */
const maxSidePx = 1_568
/** Above it, a photograph is sent as JPEG. */
const maxPngBytes = 1_500_000
const jpegQuality = 0.88

/** Undefined if the browser cannot read it. An animation becomes its first frame. */
export async function scaledImage(file: Blob | HTMLImageElement): Promise<ScaledImage | undefined> {
  try {
    const bitmap = await createImageBitmap(file)
    const scale = Math.min(1, maxSidePx / Math.max(bitmap.width, bitmap.height))
    const width = Math.max(1, Math.round(bitmap.width * scale))
    const height = Math.max(1, Math.round(bitmap.height * scale))
    const canvas = new OffscreenCanvas(width, height)
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0, width, height)
    bitmap.close()
    const png = await canvas.convertToBlob({ type: 'image/png' })
    const isLarge = png.size > maxPngBytes
    const blob = isLarge ? await canvas.convertToBlob({ type: 'image/jpeg', quality: jpegQuality }) : png
    return { mediaType: isLarge ? 'image/jpeg' : 'image/png', base64: await base64Of(blob), width, height }
  } catch {
    return undefined
  }
}

/** The image in the bytes, by what they are: the browser does not look at the type of an image's address. */
export async function answerScaling(request: number, base64: string, send: (message: FromPage) => void): Promise<void> {
  const picture = new Image()
  picture.src = `data:image/png;base64,${base64}`
  const image = await picture.decode().then(
    () => scaledImage(picture),
    () => undefined,
  )
  send({ kind: 'scaled-image', request, ...(image && { image }) })
}

function base64Of(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onerror = () => reject(reader.error)
    // A data URL: the text after its comma.
    reader.onload = () => resolve(String(reader.result).split(',')[1] ?? '')
    reader.readAsDataURL(blob)
  })
}
