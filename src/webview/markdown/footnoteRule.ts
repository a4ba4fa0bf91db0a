// `addFootnoteRule`: notes with a number, such as `[^1]` in the text and `[^1]: text` below it.
import type { MarkdownIt, StateInline } from 'markdown-it'

/** Only numbers, because `[^a-z]` is also a pattern. */
const note = /\[\^(\d{1,3})\](:?)/y

export function addFootnoteRule(parser: MarkdownIt): void {
  parser.inline.ruler.before('link', 'footnote', footnote)
}

function footnote(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state
  note.lastIndex = pos
  const [whole, number = '', colon = ''] = note.exec(src) ?? []
  if (!whole || src[pos + whole.length] === '(') return false
  const isAtStart = pos === 0 || src[pos - 1] === '\n'
  if (!silent) {
    if (isAtStart && colon && pos > 0) state.push('hardbreak', 'br', 0)
    state.push('sup_open', 'sup', 1)
    state.push('text', '', 0).content = number
    state.push('sup_close', 'sup', -1)
  }
  state.pos += whole.length - (isAtStart ? 0 : colon.length)
  return true
}
