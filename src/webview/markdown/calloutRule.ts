// `markCallouts`, `drawCallout`: quotes that begin with `[!NOTE]` or another of GitHub's five kinds, drawn with a title.
import type { Token } from 'markdown-it'
import type { Words } from '../words.ts'

const titles = {
  note: 'calloutNote',
  tip: 'calloutTip',
  important: 'calloutImportant',
  warning: 'calloutWarning',
  caution: 'calloutCaution',
} as const

const marker = /^\[!(\w+)\][ \t]*(?:\n|$)/

/** Takes the line with the kind out of the first paragraph of each quote and puts the kind into the class of the quote. */
export function markCallouts(tokens: readonly Token[]): void {
  tokens.forEach((token, at) => {
    const [quote, paragraph] = [tokens[at - 2], tokens[at - 1]]
    if (token.type !== 'inline' || quote?.type !== 'blockquote_open') return
    const [line = '', name = ''] = marker.exec(token.content) ?? []
    const kind = name.toLowerCase()
    if (!Object.hasOwn(titles, kind)) return
    quote.attrSet('class', `k-${kind}`)
    token.content = token.content.slice(line.length)
    if (token.content !== '' || !paragraph) return
    paragraph.hidden = true
    const end = tokens[at + 1]
    if (end) end.hidden = true
  })
}

export function drawCallout(quote: Token | undefined, words: Words): string {
  const kind = String(quote?.attrGet('class') ?? '').slice('k-'.length)
  if (!isKind(kind)) return '<blockquote>\n'
  return [`<blockquote class="k-${kind}">`, `<p class="k-title">${words.of(titles[kind])}</p>`, ''].join('\n')
}

const isKind = (kind: string): kind is keyof typeof titles => Object.hasOwn(titles, kind)
