// `surfaceParts`: the parts of an assistant message that one surface accepts.
import type { SealedReasoning } from '../../protocol/conversation.ts'
import type { ModelMessage, TextPart, ToolCallPart } from './modelClient.ts'

export type SurfacePart<S> =
  | TextPart
  | ToolCallPart
  | { readonly kind: 'reasoning'; readonly sealed: Extract<SealedReasoning, { surface: S }> }

/**
 * In order. Reasoning of other surfaces is left out, and the texts around it are joined; text that is only white space
 * is left out.
 */
export function surfaceParts<S extends SealedReasoning['surface']>(
  { parts }: Extract<ModelMessage, { role: 'assistant' }>,
  surface: S,
): SurfacePart<S>[] {
  const taken: SurfacePart<S>[] = []
  for (const part of parts) {
    const last = taken.at(-1)
    if (part.kind === 'text' && last?.kind === 'text')
      taken[taken.length - 1] = { kind: 'text', text: last.text + part.text }
    else if (part.kind !== 'reasoning') taken.push(part)
    else if (isOf(part.sealed, surface)) taken.push({ kind: 'reasoning', sealed: part.sealed })
  }
  return taken.filter(part => part.kind !== 'text' || part.text.trim() !== '')
}

const isOf = <S extends SealedReasoning['surface']>(
  sealed: SealedReasoning,
  surface: S,
): sealed is Extract<SealedReasoning, { surface: S }> => sealed.surface === surface
