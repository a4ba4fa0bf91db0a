// Whether to ask at all, and how long to wait first.

import type { DocumentSnapshot } from '../workspace/documentSnapshot.ts'
import { isExcluded } from '../workspace/exclude.ts'
import { type CompletionSettings, isEnabledFor } from './completionSettings.ts'
import { type CursorContext, isBlank, isClosing } from './cursorContext.ts'

/** How much is wanted: the rest of this line; the line and what follows it soon; a block, shown whole. */
export type Shape = 'rest' | 'line' | 'block'

export type Change = 'typed' | 'deleted' | 'pasted' | 'none'

export type Decision = { readonly ask: true; readonly waitMs: number } | { readonly ask: false; readonly why: string }

export interface Situation {
  readonly isExplicit: boolean
  readonly change: Change
  /** The service refused us lately: spare it. */
  readonly isStrained: boolean
  /** Usual time between two keys. */
  readonly keyMs: number
  readonly settings: CompletionSettings
}

export const FILE_LIMIT_CHARS = 1_000_000
export const LINE_LIMIT_CHARS = 2_000
const SHORTEST_FILE_CHARS = 10

const AFTER_PASTE_MS = 500
const AFTER_DELETION_MS = 400
const BEFORE_CODE_MS = 300
const LONGEST_STRAINED_MS = 250

/** Why nothing may be said here at all, asked for or not. */
export function whyClosed(snapshot: DocumentSnapshot, settings: CompletionSettings): string | undefined {
  if (snapshot.text.length > FILE_LIMIT_CHARS) return 'file too large'
  if (lineLength(snapshot) > LINE_LIMIT_CHARS) return 'line too long'
  if (!isEnabledFor(snapshot.language, settings)) return 'language switched off'
  return isExcluded(snapshot, settings.exclude) ? 'file excluded' : undefined
}

function lineLength({ text, offset }: DocumentSnapshot): number {
  const end = text.indexOf('\n', offset)
  return (end < 0 ? text.length : end) - (text.lastIndexOf('\n', offset - 1) + 1)
}

/** Whether to start a request. What is known already or under way is shown whatever this says. */
export function decide(snapshot: DocumentSnapshot, spot: CursorContext, situation: Situation): Decision {
  if (situation.isExplicit) return { ask: true, waitMs: 0 }
  const why = whyQuiet(snapshot, spot, situation.settings)
  if (why) return { ask: false, why }
  return { ask: true, waitMs: Math.max(positionWaitMs(spot, situation), situation.settings.delayMs ?? 0) }
}

function whyQuiet(
  { text, path }: DocumentSnapshot,
  spot: CursorContext,
  { mode }: CompletionSettings,
): string | undefined {
  const { lineBefore, lineAfter, inside } = spot
  if (mode === 'subtle') return 'only on request'
  if (isAlmostEmpty(text) && !path.includes('.')) return 'nothing to go by'
  if (/^[\p{L}\p{N}_$]/u.test(lineAfter)) return 'inside a word'
  if (inside.kind === 'string' && /[^\s"'`]{21,}$/.test(lineBefore)) return 'inside an opaque string'
  const isStatementDone = inside.kind === 'code' && !spot.isProse && /[;}]\s*$/.test(lineBefore)
  return isStatementDone && isClosing(lineAfter) ? 'after a statement' : undefined
}

function isAlmostEmpty(text: string): boolean {
  return text.length < 10_000 && text.replace(/\s+/g, '').length < SHORTEST_FILE_CHARS
}

function positionWaitMs({ lineBefore, lineAfter }: CursorContext, { change, isStrained, keyMs }: Situation): number {
  if (change === 'pasted') return AFTER_PASTE_MS
  if (change === 'deleted') return AFTER_DELETION_MS
  if (!isClosing(lineAfter)) return BEFORE_CODE_MS
  if (isStrained && isInWord(lineBefore)) return Math.min(LONGEST_STRAINED_MS, 0.6 * keyMs)
  return 0
}

export const isInWord = (lineBefore: string) => /[\p{L}\p{N}_$]$/u.test(lineBefore)

/** Many lines only where a block begins: elsewhere they are seldom right and push the code about. */
export function shapeOf(spot: CursorContext, isExplicit: boolean): Shape {
  const { lineBefore, lineAfter, inside, above } = spot
  if (inside.kind !== 'code' || !isClosing(lineAfter)) return 'rest'
  if (isExplicit) return 'block'
  const opener = isBlank(lineBefore) ? (above.findLast(line => !isBlank(line)) ?? '') : lineBefore
  return !spot.isProse && opensBlock(opener, spot) ? 'block' : 'line'
}

function opensBlock(line: string, { endsByIndentation }: CursorContext): boolean {
  if (/(?:[{([]|=>)\s*$/.test(line)) return true
  return endsByIndentation ? /:\s*$/.test(line) : /\b(?:do|then|else)\s*$/.test(line)
}

/**
 * While the suggestion list may want to open, it waits for us: no longer than this. 0 means that the answer is not
 * expected in time, and then it need not wait at all.
 */
export function holdMs({ lineBefore }: CursorContext, isExplicit: boolean, expectedMs: number): number {
  if (isExplicit) return 15_000
  if (!isInWord(lineBefore)) return 2_500
  return expectedMs > 400 ? 0 : 650
}

const PASTE_CHARS = 200

/** What happened between two snapshots, told by lengths: comparing whole texts on each key would be felt. */
export function changeBetween(before: DocumentSnapshot | undefined, after: DocumentSnapshot): Change {
  if (!before || before.id !== after.id || before.version === after.version) return 'none'
  const grown = after.text.length - before.text.length
  if (grown > PASTE_CHARS) return 'pasted'
  return grown < 0 ? 'deleted' : 'typed'
}
