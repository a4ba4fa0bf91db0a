// `candidateOf`: the part of an answer that can be shown at the cursor, as a replacement.

import type { DocumentSnapshot } from '../workspace/documentSnapshot.ts'
import type { Replacement } from '../workspace/replacement.ts'
import type { Answer } from './answer.ts'
import { endOfRest, opensBracket } from './closedPairs.ts'
import type { CompletionSettings } from './completionSettings.ts'
import { type CursorContext, indentOf, isBlank } from './cursorContext.ts'
import type { Change, Shape } from './trigger.ts'
import { type Fit, fitTo, mergedLine } from './trim.ts'

/** A change of the document or a call of the editor, with what was derived from it. */
export interface CompletionContext {
  readonly snapshot: DocumentSnapshot
  readonly cursor: CursorContext
  readonly shape: Shape
  readonly settings: CompletionSettings
  readonly isExplicit: boolean
  /** What the selected item of the open suggestion list would insert. */
  readonly selected: Replacement | undefined
  /** What led to this snapshot. */
  readonly change: Change
  readonly model: string
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

export function wantedLines({ shape, isExplicit }: Pick<CompletionContext, 'shape' | 'isExplicit'>): number {
  return isExplicit && shape === 'block' ? LINES_ON_REQUEST : lineCounts[shape]
}

/**
 * The shape, now that text has come. Between brackets that the editor has closed, the first line decides: where it opens a
 * block, the line alone would be followed by these closers; where it closes them all, what comes below is another thing.
 */
export function shapeFor(answer: Answer, { snapshot, cursor, shape }: CompletionContext): Shape {
  const agreement = shape === 'rest' || isBlank(cursor.lineAfter) ? undefined : answer.agreement(snapshot)
  if (agreement?.kind !== 'agrees') return shape
  const rest = answer.whole.slice(agreement.from)
  const first = rest.slice(0, visibleLength(rest, 'line'))
  if (opensBracket(first, cursor)) return 'block'
  return endOfRest(first, cursor) === undefined ? shape : 'line'
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
  if (leavesBlock(answer, agreement.from, context.cursor)) return undefined
  const rest = answer.whole.slice(agreement.from)
  const end = Math.max(leastEnd, agreement.from + visibleLength(rest, shapeFor(answer, context)))
  const text = agreement.reindent(rest.slice(0, end - agreement.from))
  const fit = fitTo(text, context.cursor)
  if (isCutInPair(text, fit, context.cursor)) return undefined
  const replacement = fit.insert === '' ? undefined : replacementOf(fit, answer, context)
  return replacement && { answer, end, fit, replacement }
}

/**
 * The line at the cursor, which the editor has indented, is one behind the end of the answer's block: where indentation
 * ends blocks, it would be part of that.
 */
function leavesBlock(
  { whole, cursor }: Answer,
  from: number,
  { lineBefore, endsByIndentation }: CursorContext,
): boolean {
  if (!endsByIndentation || !isBlank(lineBefore) || isBlank(whole.slice(from).split('\n', 1)[0] ?? '')) return false
  const given = whole.slice(whole.lastIndexOf('\n', from - 1) + 1, from)
  return isBlank(given) && given.length < Math.min(lineBefore.length, indentOf(cursor.lineBefore).length)
}

/** A single line that opens a block between brackets that the editor has closed: the closers would follow it. */
function isCutInPair(text: string, { overwrittenChars }: Fit, cursor: CursorContext): boolean {
  const isFollowed = overwrittenChars < cursor.lineAfter.trimEnd().length
  return isFollowed && !text.trim().includes('\n') && opensBracket(text, cursor)
}

/** Up to the end of the first line that is not blank; of a block, all of it. */
function visibleLength(text: string, shape: Shape): number {
  return shape === 'block' ? text.length : (/^(?:[ \t]*\n)*[^\n]*/.exec(text)?.[0].length ?? 0)
}

/**
 * Replaces the line as far back as the answer may be followed, because a range that begins at the cursor blinks on a
 * correction, and to its end, because one that ends there doubles an auto-closed bracket. While the suggestion list is
 * open the editor shows only text that starts with the selected item.
 */
function replacementOf(
  fit: Fit,
  answer: Answer,
  { snapshot, cursor, selected }: CompletionContext,
): Replacement | undefined {
  const lineStart = snapshot.offset - cursor.lineBefore.length
  const text = mergedLine(fit, cursor)
  const end = snapshot.offset + cursor.lineAfter.length
  const kept =
    answer.cursor.lineBefore === cursor.lineBefore.slice(0, answer.cursor.lineBefore.length)
      ? Math.min(answer.leastTyped, cursor.lineBefore.length)
      : 0
  if (!selected) return { start: lineStart + kept, end, text: text.slice(kept) }
  const tail = text.slice(selected.start - lineStart)
  const isBeyond = selected.start >= lineStart && tail.startsWith(selected.text) && tail.length > selected.text.length
  return isBeyond ? { start: selected.start, end, text: tail } : undefined
}

/** The document with the candidate in it and the cursor behind it. No edit log leads there, hence the version. */
export function asIfAccepted(snapshot: DocumentSnapshot, { fit, replacement }: Candidate): DocumentSnapshot {
  const { text, offset } = snapshot
  const { start, end } = replacement
  return {
    ...snapshot,
    version: -1,
    text: text.slice(0, start) + replacement.text + text.slice(end),
    offset: offset + fit.insert.length,
  }
}

/** The same version of a document with the cursor at the same offset. */
export function isSamePlace(a: DocumentSnapshot, b: DocumentSnapshot): boolean {
  return a.id === b.id && a.version === b.version && a.offset === b.offset
}
