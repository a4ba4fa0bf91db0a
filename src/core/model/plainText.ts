// `plainText`: the texts of the parts of a message as one text.
import type { UserPart } from './modelClient.ts'

/** One line or more for each text; images are left out. */
export function plainText(parts: readonly UserPart[]): string {
  return parts.flatMap(part => (part.kind === 'text' ? [part.text] : [])).join('\n')
}
