// `textRange`: a place in a text.
import * as z from 'zod/mini'

const count = z.int().check(z.minimum(0))

/** Zero-based lines and UTF-16 characters; `end` is exclusive. */
export const textRange = z.object({ startLine: count, startCharacter: count, endLine: count, endCharacter: count })

/** The number of the last line of which the range has something; the first line is 1. */
export function lastLineNumber({ startLine, endLine, endCharacter }: z.infer<typeof textRange>): number {
  return endCharacter === 0 && endLine > startLine ? endLine : endLine + 1
}
