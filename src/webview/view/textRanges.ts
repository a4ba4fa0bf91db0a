// `textRanges`: where a pattern matches the text of a drawn message, as ranges of the document.
import { joinedText, textNodes } from './textNodes.ts'

/** The text of messages; not that of their buttons and labels. */
const CONTENT = '.blocks, .plain'

/** In the order of the text. A match may go over the elements of one block, and not over its end. */
export function textRanges(root: Element, pattern: RegExp): Range[] {
  return textNodes(root, parent => parent.closest(CONTENT) !== null).flatMap(nodes => rangesIn(nodes, pattern))
}

function rangesIn(nodes: readonly Text[], pattern: RegExp): Range[] {
  return Array.from(joinedText(nodes).matchAll(pattern), match => {
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
