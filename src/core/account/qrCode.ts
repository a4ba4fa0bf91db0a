// Encodes a text as a QR code, as an SVG path.
import { correction, generate } from 'lean-qr'

export interface QrCode {
  /** Modules along one side, without a margin. */
  readonly size: number
  /** The dark modules as an SVG path in units of one module; `M`, `h`, `v`, `z` and numbers only. */
  readonly path: string
}

/** Undefined for a text that is too long to be scanned with ease. */
export function qrCode(text: string): QrCode | undefined {
  if (text.length > MAX_LENGTH) return undefined
  const code = generate(text, { minCorrectionLevel: correction.M })
  const rows = Array.from({ length: code.size }, (_, y) => rowPath(y, code.size, x => code.get(x, y)))
  return { size: code.size, path: rows.join('') }
}

/** Longer ones make modules too small for a phone at the size of a side bar. */
const MAX_LENGTH = 300

/** Neighbours in a row become one stroke. */
function rowPath(y: number, size: number, isDark: (x: number) => boolean): string {
  let path = ''
  for (let x = 0; x < size; x++) {
    if (!isDark(x)) continue
    const start = x
    while (x + 1 < size && isDark(x + 1)) x++
    path += `M${start} ${y}h${x + 1 - start}v1h-${x + 1 - start}z`
  }
  return path
}
