// `foldedTexts`: the text of a part of an answer that is shown once the part is unfolded.
import type { Part, PartOf } from './conversation.ts'
import { objectOf } from './json.ts'

/** A member's name, such as `path:`, or what is between two names. */
export interface InputChunk {
  readonly text: string
  readonly isName: boolean
}

/** Each is searched by itself; empty for a part that is not folded. */
export function foldedTexts(part: Part): readonly string[] {
  if (part.kind === 'reasoning') return [part.text.trim()]
  if (part.kind !== 'tool-call') return []
  const input = searchedInput(part)
  const output = callOutput(part)
  return output === undefined ? [input] : [input, output]
}

/** The arguments of a call, for people; until they are written whole, as far as the model has written them. */
export const callInput = (part: PartOf<'tool-call'>): string => textOfChunks(inputChunks(part))

/** Undefined until the call has ended. */
export const callOutput = ({ result }: PartOf<'tool-call'>): string | undefined =>
  result?.content.map(one => (one.kind === 'text' ? one.text : '')).join('\n')

export function inputChunks({ input, inputText }: PartOf<'tool-call'>): readonly InputChunk[] {
  if (input === undefined) return [{ text: inputText, isName: false }]
  const [first, ...more] = valueChunks(input, '')
  // What begins on the line of a name begins here on a line of its own.
  const chunks = first ? [{ ...first, text: first.text.trimStart() }, ...more] : more
  return chunks.filter(({ text }) => text !== '')
}

/** Without the names of members: each call has the same ones, so that `from` would be found in most of them. */
const searchedInput = (part: PartOf<'tool-call'>) => textOfChunks(inputChunks(part).filter(({ isName }) => !isName))

export const textOfChunks = (chunks: readonly InputChunk[]): string => chunks.map(({ text }) => text).join('')

/** A text has its own lines, without quotes and escapes; what has members is indented below its name. */
function valueChunks(value: unknown, indent: string): InputChunk[] {
  const entries = Object.entries(objectOf(value) ?? {})
  if (entries.length === 0) return [between(typeof value === 'string' ? ownLines(value, indent) : ` ${json(value)}`)]
  const isList = Array.isArray(value)
  return entries.flatMap(([name, member]) => {
    const before = between(`\n${indent}${isList ? '-' : ''}`)
    return [before, ...(isList ? [] : [{ text: `${name}:`, isName: true }]), ...valueChunks(member, `${indent}  `)]
  })
}

const between = (text: string): InputChunk => ({ text, isName: false })

const ownLines = (text: string, indent: string) =>
  text.includes('\n') ? `\n${text.replace(/\n$/, '').replace(/^(?=.)/gm, indent)}` : ` ${text}`

const json = (value: unknown) => JSON.stringify(value) ?? ''
