// `addFoldRule`: what an answer folds away by `<details>` and `<summary>`, without attributes and each on a line of its own.
import type { MarkdownIt, StateBlock } from 'markdown-it'
import type { Words } from '../words.ts'

const opening = /^<details>[ \t]*(?:<summary>(.*)<\/summary>)?[ \t]*$/i
const summary = /^<summary>(.*)<\/summary>[ \t]*$/i
const closing = /^<\/details>[ \t]*$/i
const maxLineChars = 2_000
/** The `info` of a `summary` with a title. */
const NAMED = 'named'

/** Without its end it goes on to the end of the text, which may still come. All other spellings stay text. */
export function addFoldRule(parser: MarkdownIt): void {
  parser.renderer.rules['summary_open'] = (tokens, at, _options, env) => {
    const { words } = env as { words: Words } // as: `htmlOf` calls the renderer with it.
    return tokens[at]?.info === NAMED ? '<summary><span>' : `<summary><span>${words.of('folded')}`
  }
  parser.renderer.rules['summary_close'] = () => '</span></summary>\n'
  parser.block.ruler.before('fence', 'fold', fold, { alt: ['paragraph', 'reference', 'blockquote', 'list'] })
}

function fold(state: StateBlock, start: number, end: number, silent: boolean): boolean {
  const opened = opening.exec(lineAt(state, start))
  if (!opened) return false
  if (silent) return true
  const named = opened[1] === undefined ? namedBelow(state, start + 1, end) : { title: opened[1], line: start + 1 }
  const last = endOf(state, start, end)
  const line = Math.min(last + 1, end)

  const box = state.push('details_open', 'details', 1)
  box.map = [start, line]
  box.attrSet('class', 'k-fold')
  state.push('summary_open', 'summary', 1).info = named.title.trim() === '' ? '' : NAMED
  const title = state.push('inline', '', 0)
  title.content = named.title.trim()
  title.children = []
  state.push('summary_close', 'summary', -1)
  const { lineMax, parentType } = state
  state.lineMax = last
  state.parentType = 'root'
  state.md.block.tokenize(state, Math.min(named.line, last), last)
  state.lineMax = lineMax
  state.parentType = parentType
  state.push('details_close', 'details', -1)
  state.line = line
  return true
}

function namedBelow(state: StateBlock, from: number, end: number): { title: string; line: number } {
  const title = from < end ? summary.exec(lineAt(state, from))?.[1] : undefined
  return { title: title ?? '', line: title === undefined ? from : from + 1 }
}

/** The line with its end, behind those of the folds and outside of the code within it. */
function endOf(state: StateBlock, start: number, end: number): number {
  let depth = 1
  let fence: string | undefined
  for (let line = start + 1; line < end; line++) {
    const text = lineAt(state, line)
    const [mark] = /^(?:`{3,}|~{3,})/.exec(text) ?? []
    if (fence !== undefined) {
      if (mark?.startsWith(fence) && text.trim() === mark) fence = undefined
    } else if (mark !== undefined) fence = mark
    else if (opening.test(text)) depth++
    else if (closing.test(text) && --depth === 0) return line
  }
  return end
}

function lineAt(state: StateBlock, line: number): string {
  const from = (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0)
  const isIndented = (state.sCount[line] ?? 0) - state.blkIndent >= 4
  return isIndented ? '' : state.src.slice(from, Math.min(state.eMarks[line] ?? 0, from + maxLineChars))
}
