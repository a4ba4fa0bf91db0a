// `editPreview`: what is drawn of a change that is not made yet: what goes, and the line that comes.
import type { TrackedDocument } from '../workspace/documents.ts'
import { lineBlocks, linesOf } from '../workspace/lineHunks.ts'
import type { TextRange } from '../workspace/replacement.ts'
import { type PlannedEdit, textAfter } from './plannedEdit.ts'

export interface EditPreview {
  /** The line beside which it is drawn, counted from 0. */
  readonly line: number
  /** The first line that comes, without its indentation; empty where lines only go. */
  readonly text: string
  /** How many lines come after that one. */
  readonly more: number
  /** What goes. */
  readonly removed: readonly TextRange[]
}

const LONGEST_TEXT_CHARS = 200
/** Of a line that is changed far from its beginning, so much is drawn before the change. */
const MOST_CHARS_BEFORE = 24

export function editPreview(document: TrackedDocument, planned: PlannedEdit): EditPreview {
  const [before, after] = [linesOf(document.text), linesOf(textAfter(document, planned))]
  const [block] = lineBlocks(before, after)
  const { fromBefore = 0, fromAfter = 0, toAfter = 0 } = block ?? {}
  const lines = after.slice(fromAfter, toAfter).map(line => line.trim())
  const old = before.slice(fromBefore, block?.toBefore).map(line => line.trim())
  const filled = lines.filter(line => line !== '')
  return {
    line: Math.min(fromBefore, Math.max(0, before.length - 1)),
    text: fromChange(filled[0] ?? '', old[0] ?? '').slice(0, LONGEST_TEXT_CHARS),
    more: Math.max(0, filled.length - 1),
    removed: planned.replacements.filter(({ start, end }) => start < end).map(({ start, end }) => ({ start, end })),
  }
}

function fromChange(line: string, old: string): string {
  let shared = 0
  while (shared < Math.min(line.length, old.length) && line[shared] === old[shared]) shared++
  const start = shared - MOST_CHARS_BEFORE
  return start > 0 ? `…${line.slice(start)}` : line
}
