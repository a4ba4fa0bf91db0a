// `foldedTexts`: the text of a part of an answer that is shown once the part is unfolded.
import type { Part, PartOf } from './conversation.ts'

/** Each is searched by itself; empty for a part that is not folded. */
export function foldedTexts(part: Part): readonly string[] {
  if (part.kind === 'reasoning') return [part.text.trim()]
  if (part.kind !== 'tool-call') return []
  const input = searchedInput(callInput(part))
  const output = callOutput(part)
  return output === undefined ? [input] : [input, output]
}

/** The arguments of a call; until they are written whole, as far as the model has written them. */
export const callInput = ({ input, inputText }: PartOf<'tool-call'>): string =>
  input === undefined ? inputText : JSON.stringify(input, undefined, 2)

/** Undefined until the call has ended. */
export const callOutput = ({ result }: PartOf<'tool-call'>): string | undefined =>
  result?.content.map(one => (one.kind === 'text' ? one.text : '')).join('\n')

/** The name of a member at the beginning of a line of `callInput`; a text has no line end there. */
const MEMBER = /^([ ]+"(?:[^"\\]|\\.)*":)/m

/** Every second chunk is the name of a member, such as `"path":`. */
export const inputChunks = (input: string): readonly string[] => input.split(new RegExp(MEMBER, 'gm'))

/** Without the names of members: each call has the same ones, so that `from` would be found in most of them. */
const searchedInput = (input: string) =>
  inputChunks(input)
    .filter((_, at) => at % 2 === 0)
    .join('')
