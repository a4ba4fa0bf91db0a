// `textNodes`: the text of messages as a search reads it: the text nodes of each block.

const BLOCKS = 'p, li, td, th, h1, h2, h3, h4, h5, h6, pre'
/** A formula is no text once it is typeset. */
const OTHERS = 'button, .code-head, .code-note, .k-math, .k-display, .reasoning, .attachment'

/** In the order of the text. `isText`: whether the text of an element is searched. */
export function textNodes(root: Node, isText: (parent: Element) => boolean = () => true): Text[][] {
  const groups: Text[][] = []
  let block: Element | null | undefined
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement
    if (!(node instanceof Text) || !parent || !isText(parent) || parent.closest(OTHERS)) continue
    const its = parent.closest(BLOCKS)
    if (its === null || its !== block) groups.push([])
    block = its
    groups.at(-1)?.push(node)
  }
  return groups
}

export const joinedText = (nodes: readonly Text[]) => nodes.map(node => node.data).join('')
