// `addReferenceRule`: definitions of links such as `[1]: https://example.com`, each on a line of its own.
import type { MarkdownIt, StateBlock, Token } from 'markdown-it'

/** What the links of an answer refer to: addresses by their labels, as the parser compares these. */
export type References = Readonly<Record<string, { readonly href: string; readonly title: string }>>

export const noReferences: References = {}

const maxReferences = 500
const maxLineChars = 4_000

/**
 * In place of the parser's own rule, whose title may be on the next line: a line that is complete is a definition or is
 * none, so that no later text can change a block that is settled. A note such as `[^1]: text` is none.
 */
export function addReferenceRule(parser: MarkdownIt): void {
  parser.block.ruler.at('reference', definition)
  parser.renderer.rules['k_reference'] = () => ''
}

const pattern =
  /^\[(?!\^)([^[\]]*[^[\]\s][^[\]]*)\]:[ \t]*(?:<([^<>]*)>|([^\s<]\S*))(?:[ \t]+(?:"[^"]*"|'[^']*'|\([^()]*\)))?[ \t]*$/

function definition(state: StateBlock, start: number, _end: number, silent: boolean): boolean {
  const from = (state.bMarks[start] ?? 0) + (state.tShift[start] ?? 0)
  const to = state.eMarks[start] ?? 0
  const isIndented = (state.sCount[start] ?? 0) - state.blkIndent >= 4
  if (silent || isIndented || state.src[from] !== '[' || to - from > maxLineChars) return false
  const [, label = '', bracketed, bare = ''] = pattern.exec(state.src.slice(from, to)) ?? []
  const href = state.md.normalizeLink(bracketed ?? bare)
  if (label === '' || href === '' || !state.md.validateLink(href)) return false
  state.line = start + 1
  const token = state.push('k_reference', '', 0)
  token.map = [start, state.line]
  token.meta = { label: state.md.utils.normalizeReference(label), href }
  return true
}

/** With those that the tokens define; of several with one label the first counts. */
export function withDefinitions(known: References, tokens: readonly Token[]): References {
  const found = tokens.filter(({ type }) => type === 'k_reference')
  if (found.length === 0) return known
  const all: Record<string, { href: string; title: string }> = { ...known }
  let count = Object.keys(all).length
  for (const { meta } of found) {
    const { label, href } = meta as { label: string; href: string } // as: the rule above makes them.
    if (Object.hasOwn(all, label) || count >= maxReferences) continue
    all[label] = { href, title: '' }
    count++
  }
  return all
}

/** The labels whose address is another one, or is new or gone. */
export function changedLabels(before: References, after: References): ReadonlySet<string> {
  if (before === after) return new Set()
  const labels = new Set([...Object.keys(before), ...Object.keys(after)])
  return new Set([...labels].filter(label => before[label]?.href !== after[label]?.href))
}

/** The labels that the text may refer to. */
function labelsIn(text: string, normalized: Normalized): string[] {
  return Array.from(text.matchAll(/\[([^[\]]+)\]/g), ([, label = '']) => normalized(label))
}

type Normalized = (label: string) => string

export function refersTo(text: string, labels: ReadonlySet<string>, normalized: Normalized): boolean {
  return labels.size > 0 && labelsIn(text, normalized).some(label => labels.has(label))
}

/** Those that the text refers to. */
export function referencesOf(text: string, all: References, normalized: Normalized): References {
  if (all === noReferences) return all
  const own = new Set(labelsIn(text, normalized))
  return Object.fromEntries(Object.entries(all).filter(([label]) => own.has(label)))
}
