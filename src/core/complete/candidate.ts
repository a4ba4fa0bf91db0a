// `candidateOf`: the part of an answer that can be shown at the cursor, as a replacement.

import type { DocumentSnapshot } from '../workspace/documentSnapshot.ts'
import type { Replacement } from '../workspace/replacement.ts'
import type { Answer } from './answer.ts'
import type { CompletionSettings } from './completionSettings.ts'
import { type CursorContext, isBlank } from './cursorContext.ts'
import type { Shape } from './trigger.ts'
import { type Fit, fitTo, mergedLine } from './trim.ts'

/** One call of the editor for a completion, with what was derived from it. */
export interface CompletionContext {
  readonly snapshot: DocumentSnapshot
  readonly cursor: CursorContext
  readonly shape: Shape
  readonly settings: CompletionSettings
  readonly isExplicit: boolean
  /** What the selected item of the open suggestion list would insert. */
  readonly selected: Replacement | undefined
}

export interface Candidate {
  readonly answer: Answer
  /** Where in the answer's `whole` the candidate ends. */
  readonly end: number
  readonly fit: Fit
  /** Of the cursor's line, or of what the suggestion list would replace with the rest of the line. */
  readonly replacement: Replacement
}

/** The stream is cancelled once the answer has so many lines beyond the cursor. */
const lineCounts: Readonly<Record<Shape, number>> = { rest: 1, line: 3, block: 6 }
const LINES_ON_REQUEST = 12

export function wantedLines({ shape, isExplicit }: CompletionContext): number {
  return isExplicit && shape === 'block' ? LINES_ON_REQUEST : lineCounts[shape]
}

/** How many lines beyond the cursor the answer has; undefined unless it agrees with the snapshot. */
export function linesBeyond(answer: Answer, { snapshot }: CompletionContext): number | undefined {
  const agreement = answer.agreement(snapshot)
  if (agreement.kind !== 'agrees') return undefined
  const lines = answer.whole.slice(agreement.from).split('\n')
  return lines.filter(line => !isBlank(line)).length
}

/** `leastEnd`: the end of what is visible already, which must not become shorter. */
export function candidateOf(answer: Answer, context: CompletionContext, leastEnd = 0): Candidate | undefined {
  const agreement = answer.agreement(context.snapshot)
  if (agreement.kind !== 'agrees') return undefined
  const rest = answer.whole.slice(agreement.from)
  const end = Math.max(leastEnd, agreement.from + visibleLength(rest, context.shape))
  const fit = fitTo(agreement.reindent(rest.slice(0, end - agreement.from)), context.cursor)
  const replacement = fit.insert === '' ? undefined : replacementOf(fit, context)
  return replacement && { answer, end, fit, replacement }
}

/** Up to the end of the first line that is not blank; of a block, all of it. */
function visibleLength(text: string, shape: Shape): number {
  return shape === 'block' ? text.length : (/^(?:[ \t]*\n)*[^\n]*/.exec(text)?.[0].length ?? 0)
}

/**
 * Replaces the whole line, because a range that ends at the cursor blinks on a correction and doubles an auto-closed
 * bracket. While the suggestion list is open the editor shows only text that starts with the selected item.
 */
function replacementOf(fit: Fit, { snapshot, cursor, selected }: CompletionContext): Replacement | undefined {
  const lineStart = snapshot.offset - cursor.lineBefore.length
  const text = mergedLine(fit, cursor)
  const end = snapshot.offset + cursor.lineAfter.length
  if (!selected) return { start: lineStart, end, text }
  const tail = text.slice(selected.start - lineStart)
  const isBeyond = selected.start >= lineStart && tail.startsWith(selected.text) && tail.length > selected.text.length
  return isBeyond ? { start: selected.start, end, text: tail } : undefined
}
