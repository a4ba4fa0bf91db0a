// `modelText`: the text of a file as the model is shown it: control and invisible characters marked, hidden text left out.
import { markInvisible } from './invisibleText.ts'

export interface ModelText {
  readonly text: string
  /** How many characters are shown by a mark such as `\x1b`. */
  readonly marked: number
  /** How many characters of hidden text were left out. */
  readonly hidden: number
}

/** Tabs and line feeds stay. */
export function modelText(text: string): ModelText {
  let [marked, hidden] = [0, 0]
  const shown = markInvisible(text, {
    hidden(found) {
      hidden += [...found].length
      return ''
    },
    invisible(found) {
      marked++
      const number = (found.codePointAt(0) ?? 0).toString(16)
      return number.length > 4 ? `\\u{${number}}` : `\\u${number.padStart(4, '0')}`
    },
    control(found) {
      marked++
      return `\\x${found.charCodeAt(0).toString(16).padStart(2, '0')}`
    },
  })
  return { text: shown, marked, hidden }
}

/** What follows a text in which something is not as in the file; empty where everything is. */
export function marksNote({ marked, hidden }: Pick<ModelText, 'marked' | 'hidden'>): string {
  const notes: string[] = []
  if (marked > 0) notes.push(`${marked} control or invisible characters are shown as \\x1b or \\u200b.`)
  if (hidden > 0) notes.push(`${hidden} characters of hidden text were left out.`)
  return notes.join(' ')
}
