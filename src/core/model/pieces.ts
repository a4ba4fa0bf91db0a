// An assistant's message as text, calls and sealed thoughts in the order in which they came.
import type { ModelMessage, ReasoningBlock, ToolCall } from './modelClient.ts'

export type MessagePiece<S> =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'call'; readonly call: ToolCall }
  | { readonly is: 'thought'; readonly thought: Extract<ReasoningBlock, { surface: S }> }

/**
 * Text comes before calls; the thoughts of `surface` stand where they stood, those of others are none of its business.
 * Text that is only white space is left out.
 */
export function piecesOf<S extends ReasoningBlock['surface']>(
  message: Extract<ModelMessage, { role: 'assistant' }>,
  surface: S,
): MessagePiece<S>[] {
  const { text, calls = [], thoughts = [] } = message
  const pieces: MessagePiece<S>[] = []
  let atText = 0
  let atCall = 0
  const goTo = (textEnd: number, callEnd: number) => {
    const part = text.slice(atText, textEnd)
    if (part.trim()) pieces.push({ is: 'text', text: part })
    for (const call of calls.slice(atCall, callEnd)) pieces.push({ is: 'call', call })
    atText = Math.max(atText, textEnd)
    atCall = Math.max(atCall, callEnd)
  }
  for (const thought of thoughts.filter(isOf(surface))) {
    // A thought behind a call stands behind all of the text, too: an answer's text does not go on after its calls.
    goTo(thought.afterCalls > 0 ? text.length : thought.afterText, thought.afterCalls)
    pieces.push({ is: 'thought', thought })
  }
  goTo(text.length, calls.length)
  return pieces
}

const isOf =
  <S extends ReasoningBlock['surface']>(surface: S) =>
  (thought: ReasoningBlock): thought is Extract<ReasoningBlock, { surface: S }> =>
    thought.surface === surface
