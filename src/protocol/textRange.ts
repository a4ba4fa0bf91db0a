// `textRange`: a place in a text.
import * as z from 'zod/mini'

const count = z.int().check(z.minimum(0))

/** Zero-based lines and UTF-16 characters; `end` is exclusive. */
export const textRange = z.object({ startLine: count, startCharacter: count, endLine: count, endCharacter: count })
