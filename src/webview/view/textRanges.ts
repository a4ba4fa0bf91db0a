// `textRanges`: where a pattern matches the text of an element, as ranges of the document.

const BLOCKS = 'p, li, td, th, h1, h2, h3, h4, h5, h6, pre'
/** The text of messages; not that of their buttons and labels. */
const CONTENT = '.blocks, .plain'
const LABELS = 'button, .code-head'

/** In the order of the text. A match may go over the elements of one block, and not over its end. */
export function textRanges(root: Element, pattern: RegExp): Range[] {
  return blockTexts(root).flatMap(nodes => rangesIn(nodes, pattern))
}

/** The text nodes of each block. */
function blockTexts(root: Element): Text[][] {
  const groups: Text[][] = []
  let block: Element | null | undefined
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement
    if (!(node instanceof Text) || !parent?.closest(CONTENT) || parent.closest(LABELS)) continue
    const its = parent.closest(BLOCKS)
    if (its === null || its !== block) groups.push([])
    block = its
    groups.at(-1)?.push(node)
  }
  return groups
}

function rangesIn(nodes: readonly Text[], pattern: RegExp): Range[] {
  const text = nodes.map(node => node.data).join('')
  return Array.from(text.matchAll(pattern), match => {
    const range = new Range()
    const [start, end] = [pointAt(nodes, match.index), pointAt(nodes, match.index + match[0].length)]
    if (start) range.setStart(...start)
    if (end) range.setEnd(...end)
    return range
  })
}

function pointAt(nodes: readonly Text[], offset: number): [node: Text, offset: number] | undefined {
  let left = offset
  for (const node of nodes) {
    if (left <= node.length) return [node, left]
    left -= node.length
  }
  return undefined
}
