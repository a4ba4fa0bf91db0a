// `Marked`: renders text with the marks of invisible characters highlighted.
import { splitMarks } from '../markdown/visible.ts'
import { useWords } from './wordsContext.ts'

export function Marked({ text }: { text: string }) {
  const parts = splitMarks(text, useWords())
  if (parts.length === 1) return text
  return parts.map((part, at) => (at % 2 === 1 ? <span class="k-mark">{part}</span> : part))
}
