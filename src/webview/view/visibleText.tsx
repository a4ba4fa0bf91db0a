// `VisibleText`: untrusted text in which every character is seen, also those that are usually hidden.
import { visible } from '../markdown/visible.ts'
import { Marked } from './marked.tsx'
import { useWords } from './wordsContext.ts'

export function VisibleText({ text }: { text: string }) {
  return <Marked text={visible(text, useWords())} />
}
