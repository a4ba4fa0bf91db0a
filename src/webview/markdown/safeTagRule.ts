// `addSafeTagRule`: the tags of HTML that Markdown has no sign for: `<br>`, `<kbd>`, `<sub>` and `<sup>`, without attributes.
import type { MarkdownIt, StateInline } from 'markdown-it'

const names = ['kbd', 'sub', 'sup'] as const
const maxChars = 1_000

/** All other tags stay text, as does one that has no end: it may still come. */
export function addSafeTagRule(parser: MarkdownIt): void {
  parser.inline.ruler.before('autolink', 'safe_tag', safeTag)
}

function safeTag(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state
  if (src[pos] !== '<') return false
  const lineBreak = /^<br *\/?>/i.exec(src.slice(pos, pos + 10))?.[0]
  if (lineBreak) {
    if (!silent) state.push('hardbreak', 'br', 0)
    state.pos += lineBreak.length
    return true
  }
  const opening = src.slice(pos, pos + 5).toLowerCase()
  const name = names.find(name => opening === `<${name}>`)
  if (!name) return false
  const start = pos + opening.length
  const rest = src.slice(start, Math.min(posMax, start + maxChars))
  const length = rest.toLowerCase().indexOf(`</${name}>`)
  if (length < 1) return false
  if (!silent) {
    state.push(`${name}_open`, name, 1)
    state.pos = start
    state.posMax = start + length
    state.md.inline.tokenize(state)
    state.posMax = posMax
    state.push(`${name}_close`, name, -1)
  }
  state.pos = start + length + opening.length + 1
  return true
}
