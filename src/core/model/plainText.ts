// `plainText`: the words of what is read by the model, as one text.
import type { UserPart } from './modelClient.ts'

/** Texts side by side stand on lines of their own; images say nothing in words. */
export function plainText(parts: readonly UserPart[]): string {
  return parts.flatMap(part => (part.kind === 'text' ? [part.text] : [])).join('\n')
}
