// Text in which what was hidden stands out.
import { splitMarks } from '../markdown/visible.ts'

export function Marked({ text }: { text: string }) {
  const parts = splitMarks(text)
  if (parts.length === 1) return text
  return parts.map((part, at) => (at % 2 === 1 ? <span class="k-mark">{part}</span> : part))
}
