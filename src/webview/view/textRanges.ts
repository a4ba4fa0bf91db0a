// `textRanges`: where a pattern matches the text of a drawn message, as ranges of the document.
import { joinedText, type TextUnit, textNodes, textOf } from './textNodes.ts'

/** The text of messages; not that of their buttons and labels. */
const CONTENT = '.blocks, .plain, .tool-content'

export interface TextRange {
  readonly range: Range
  /** The formulas that the match is in; it contains each of them whole. */
  readonly formulas: readonly Element[]
}

/** In the order of the text. A match may go over the elements of one block, and not over its end. */
export function textRanges(root: Element, pattern: RegExp): TextRange[] {
  return textNodes(root, parent => parent.closest(CONTENT) !== null).flatMap(units => rangesIn(units, pattern))
}

function rangesIn(units: readonly TextUnit[], pattern: RegExp): TextRange[] {
  return Array.from(joinedText(units).matchAll(pattern), match => rangeOf(units, match.index, match[0].length))
}

function rangeOf(units: readonly TextUnit[], start: number, length: number): TextRange {
  const range = new Range()
  const formulas: Element[] = []
  const end = start + length
  let from = 0
  for (const unit of units) {
    const to = from + textOf(unit).length
    if (from < end && to > start) {
      const isFirst = start >= from
      const isLast = end <= to
      if (unit instanceof Text) {
        if (isFirst) range.setStart(unit, start - from)
        if (isLast) range.setEnd(unit, end - from)
      } else {
        formulas.push(unit)
        if (isFirst) range.setStartBefore(unit)
        if (isLast) range.setEndAfter(unit)
      }
    }
    from = to
  }
  return { range, formulas }
}
