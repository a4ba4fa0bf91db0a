// What of an answer is offered at the cursor now.

import type { DocumentSnapshot } from '../workspace/documentSnapshot.ts'
import type { Answer } from './answer.ts'
import type { CompletionSettings } from './completionSettings.ts'
import { type CursorContext, isBlank } from './cursorContext.ts'
import type { Shape } from './trigger.ts'
import { type Fit, fitTo, mergedLine } from './trim.ts'

/** What the suggestion list would put in. */
export interface Selected {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** One call of the editor, with what was found out about it. */
export interface CompletionContext {
  readonly snapshot: DocumentSnapshot
  readonly spot: CursorContext
  readonly shape: Shape
  readonly settings: CompletionSettings
  readonly isExplicit: boolean
  readonly selected: Selected | undefined
}

/** Replaces `range` by `text`. */
export interface Replacement {
  readonly text: string
  /** Offsets in the snapshot's text: the cursor's line, or what the suggestion list would replace and the line's rest. */
  readonly range: { readonly start: number; readonly end: number }
}

export interface Candidate {
  readonly answer: Answer
  /** Where in the answer's `whole` what is offered ends. */
  readonly end: number
  readonly fit: Fit
  readonly replacement: Replacement
}

/** So many lines beyond the cursor are wanted; with them the stream is stopped. */
const linesOf: Readonly<Record<Shape, number>> = { rest: 1, line: 3, block: 6 }
const LINES_ON_REQUEST = 12

export function wantedLines({ shape, isExplicit }: CompletionContext): number {
  return isExplicit && shape === 'block' ? LINES_ON_REQUEST : linesOf[shape]
}

/** How many lines beyond the cursor the answer holds; undefined while its text does not reach so far. */
export function linesBeyond(answer: Answer, { snapshot }: CompletionContext): number | undefined {
  const agreement = answer.agreement(snapshot)
  if (agreement.kind !== 'agrees') return undefined
  const lines = answer.whole.slice(agreement.from).split('\n')
  return lines.filter(line => !isBlank(line)).length
}

/** `leastEnd`: so much of it is on screen already and has to stay. */
export function candidateOf(answer: Answer, moment: CompletionContext, leastEnd = 0): Candidate | undefined {
  const agreement = answer.agreement(moment.snapshot)
  if (agreement.kind !== 'agrees') return undefined
  const rest = answer.whole.slice(agreement.from)
  const end = Math.max(leastEnd, agreement.from + visibleLength(rest, moment.shape))
  const fit = fitTo(agreement.reindent(rest.slice(0, end - agreement.from)), moment.spot)
  const replacement = fit.insert === '' ? undefined : replacementOf(fit, moment)
  return replacement && { answer, end, fit, replacement }
}

/** Up to the end of the first line that has something to say, or all of it. */
function visibleLength(text: string, shape: Shape): number {
  return shape === 'block' ? text.length : (/^(?:[ \t]*\n)*[^\n]*/.exec(text)?.[0].length ?? 0)
}

/**
 * The whole line, because a range that ends at the cursor blinks on a correction and doubles an auto-closed bracket.
 * Beside the suggestion list only text is seen that begins where its item begins and goes on from it.
 */
function replacementOf(fit: Fit, { snapshot, spot, selected }: CompletionContext): Replacement | undefined {
  const lineStart = snapshot.offset - spot.lineBefore.length
  const text = mergedLine(fit, spot)
  const end = snapshot.offset + spot.lineAfter.length
  if (!selected) return { text, range: { start: lineStart, end } }
  const tail = text.slice(selected.start - lineStart)
  const isBeyond = selected.start >= lineStart && tail.startsWith(selected.text) && tail.length > selected.text.length
  return isBeyond ? { text: tail, range: { start: selected.start, end } } : undefined
}
