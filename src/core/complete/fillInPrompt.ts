// `fillInPrompt`: the prompt for models that were trained to fill in text between tokens of their own.
import type { PromptParts } from './prompt.ts'

/** In the order in which such models were trained: the other files, the text above, the text below. */
export function fillInPrompt({ path, snippets, before, restOfLine, below }: PromptParts): string {
  const others = snippets.map(snippet => `<|file_sep|>${snippet.path}\n${snippet.text}\n`)
  const after = below === '' ? restOfLine : `${restOfLine}\n${below}`
  return `${others.join('')}<|file_sep|>${path}\n<|fim_prefix|>${before}<|fim_suffix|>${after}<|fim_middle|>`
}

export const fillInSystem = 'You are a code completion assistant.'

/** A server may send them as text. */
export const fillInStops = ['<|fim_', '<|file_sep|>', '<|endoftext|>'] as const

/** The text of a document would be mistaken for the prompt's own tokens, or for another control token of the model. */
export function holdControlTokens(texts: readonly string[]): boolean {
  return texts.some(text => /<[|｜][\w▁]+[|｜]>/.test(text))
}
