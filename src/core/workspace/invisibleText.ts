// `markInvisible`, `withoutInvisible`: characters that are not seen, or that control what shows them, marked by their kind or taken out.
import { replaceInvisible } from '../../base/invisible.ts'

/** What takes the place of characters that are not seen; `hidden`: text that is there for a model only. */
export interface InvisibleMarks {
  hidden(found: string): string
  invisible(found: string): string
  control(found: string): string
}

/** What repeats ASCII without being seen (tags), and variation selectors, of which several can hold a message; else one. */
const eachKind = /(?<hidden>[\u{e0000}-\u{e0fff}]+|[\ufe00-\ufe0f]{2,})|(?<control>\p{Cc})|./gsu

/** Tabs and line feeds stay. */
export function markInvisible(text: string, marks: InvisibleMarks): string {
  return replaceInvisible(text, run =>
    run.replace(eachKind, (found: string, hidden?: string, control?: string) => {
      if (hidden) return marks.hidden(found)
      return control ? marks.control(found) : marks.invisible(found)
    }),
  )
}

/** `removed`: how many characters. */
export function withoutInvisible(text: string): { readonly text: string; readonly removed: number } {
  let removed = 0
  const kept = replaceInvisible(text, run => {
    removed += [...run].length
    return ''
  })
  return { text: kept, removed }
}
