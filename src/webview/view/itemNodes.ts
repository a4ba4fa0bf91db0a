// `ItemNodes`: the items of a block's lists and the rows of its tables, which are sanitized and drawn again only where they change.
import type { ComponentChild } from 'preact'

interface Item {
  readonly html: string
  /** Undefined until it is drawn. Preact does not look into the same element again. */
  node?: ComponentChild
}

/** Our renderer escapes these characters everywhere else. */
const TAG = /<(\/?)(li|tr)(?=[\s>])[^>]*>/g

/** Those that are in another one belong to it. One that has code is drawn again each time, because the code is not in its HTML. */
export class ItemNodes {
  #items: readonly Item[] = []
  #at = 0

  /** The HTML with an empty item in the place of each that is as before. */
  begin(html: string): string {
    const before = this.#items
    const items: Item[] = []
    const parts: string[] = []
    let end = 0
    for (const { from, to, tag } of placesOf(html)) {
      const known = before[items.length]
      const own = html.slice(from, to)
      const isKnown = known?.node !== undefined && known.html === own
      parts.push(html.slice(end, from), isKnown ? `<${tag}></${tag}>` : own)
      items.push(isKnown ? known : { html: own })
      end = to
    }
    this.#items = items
    this.#at = 0
    return parts.join('') + html.slice(end)
  }

  /** The next item, in the order of the HTML. */
  next(draw: () => ComponentChild): ComponentChild {
    const item = this.#items[this.#at++]
    if (item?.node !== undefined) return item.node
    const node = draw()
    if (item && !item.html.includes('<pre')) item.node = node
    return node
  }
}

function placesOf(html: string): { from: number; to: number; tag: string }[] {
  const found: { from: number; to: number; tag: string }[] = []
  let depth = 0
  let from = 0
  for (const { 0: text, 1: slash, 2: tag = '', index } of html.matchAll(TAG)) {
    if (slash === '') {
      if (depth++ === 0) from = index
    } else if (--depth === 0) found.push({ from, to: index + text.length, tag })
  }
  return found
}
