// Whether to request a completion, how long to wait before it, and how much of it to show.
import type { AccessPolicy, Refusal } from '../workspace/accessPolicy.ts'
import { type DocumentSnapshot, factsOf } from '../workspace/documentSnapshot.ts'
import type { LoggedEdit } from '../workspace/editLog.ts'
import { type CompletionSettings, isEnabledFor } from './completionSettings.ts'
import { type CursorContext, isBlank, isClosing } from './cursorContext.ts'
import { LINE_LIMIT_CHARS } from './lineLimit.ts'

/** How much to complete: the rest of this line; this line and the next ones, shown line by line; a block, shown whole. */
export type Shape = 'rest' | 'line' | 'block'

/**
 * `pasted`: more text than one types at once, or a version whose edits are not known. `elsewhere`: an undo or redo, an edit
 * in several places, or away from the cursor, or one of the file on the disk.
 */
export type Change = 'typed' | 'deleted' | 'pasted' | 'elsewhere' | 'none'

export type Decision = { readonly ask: true; readonly waitMs: number } | { readonly ask: false; readonly why: string }

export interface Situation {
  readonly isExplicit: boolean
  readonly change: Change
  /** The service reported its limit lately, so fewer requests are sent while typing. */
  readonly isRateLimited: boolean
  /** Usual time between two keys. */
  readonly keyMs: number
  readonly settings: CompletionSettings
}

const SHORTEST_FILE_CHARS = 10

const AFTER_PASTE_MS = 500
const AFTER_DELETION_MS = 400
const BEFORE_CODE_MS = 300
const LONGEST_RATE_LIMITED_MS = 250

/** Why there are no completions in this document or line, not even on request; undefined where there are. */
export function unavailableReason(
  snapshot: DocumentSnapshot,
  settings: CompletionSettings,
  access: Pick<AccessPolicy, 'refusalOf'>,
): string | undefined {
  if (lineLength(snapshot) > LINE_LIMIT_CHARS) return 'line too long'
  if (!isEnabledFor(snapshot.language, settings)) return 'language switched off'
  const refusal = access.refusalOf(factsOf(snapshot), 'completion')
  return refusal && refusalText[refusal.reason]
}

const refusalText: Readonly<Record<Refusal['reason'], string>> = {
  untrusted: 'workspace not trusted',
  outside: 'file outside the workspace',
  excluded: 'file excluded',
  secret: 'file looks secret',
  ignored: 'file ignored by git',
  binary: 'file is binary',
  'too large': 'file too large',
}

function lineLength({ text, offset }: DocumentSnapshot): number {
  const end = text.indexOf('\n', offset)
  return (end < 0 ? text.length : end) - (text.lastIndexOf('\n', offset - 1) + 1)
}

/** Whether to start a request. Applies neither to candidates that exist already nor to a request that is open. */
export function decide(snapshot: DocumentSnapshot, cursor: CursorContext, situation: Situation): Decision {
  if (situation.isExplicit) return { ask: true, waitMs: 0 }
  const why =
    situation.change === 'elsewhere' ? 'changed elsewhere' : reasonNotToAsk(snapshot, cursor, situation.settings)
  if (why) return { ask: false, why }
  return { ask: true, waitMs: Math.max(positionWaitMs(cursor, situation), situation.settings.delayMs ?? 0) }
}

function reasonNotToAsk(
  { text, path }: DocumentSnapshot,
  cursor: CursorContext,
  { mode }: CompletionSettings,
): string | undefined {
  const { lineBefore, lineAfter, inside } = cursor
  if (mode === 'subtle') return 'only on request'
  if (isAlmostEmpty(text) && !path.includes('.')) return 'nothing to go by'
  if (/^[\p{L}\p{N}_$]/u.test(lineAfter)) return 'inside a word'
  if (inside.kind === 'string' && /[^\s"'`]{21,}$/.test(lineBefore)) return 'inside an opaque string'
  const isStatementDone = inside.kind === 'code' && !cursor.isProse && /[;}]\s*$/.test(lineBefore)
  return isStatementDone && isClosing(lineAfter) ? 'after a statement' : undefined
}

function isAlmostEmpty(text: string): boolean {
  return text.length < 10_000 && text.replace(/\s+/g, '').length < SHORTEST_FILE_CHARS
}

function positionWaitMs({ lineBefore, lineAfter }: CursorContext, { change, isRateLimited, keyMs }: Situation): number {
  if (change === 'pasted') return AFTER_PASTE_MS
  if (change === 'deleted') return AFTER_DELETION_MS
  if (!isClosing(lineAfter)) return BEFORE_CODE_MS
  if (isRateLimited && isInWord(lineBefore)) return Math.min(LONGEST_RATE_LIMITED_MS, 0.6 * keyMs)
  return 0
}

export const isInWord = (lineBefore: string) => /[\p{L}\p{N}_$]$/u.test(lineBefore)

/** Several lines only where a block begins, because elsewhere they are seldom right and move the code below. */
export function shapeOf(cursor: CursorContext, isExplicit: boolean): Shape {
  const { lineBefore, lineAfter, inside, above } = cursor
  if (inside.kind !== 'code' || !isClosing(lineAfter)) return 'rest'
  if (isExplicit) return 'block'
  const opener = isBlank(lineBefore) ? (above.findLast(line => !isBlank(line)) ?? '') : lineBefore
  return !cursor.isProse && opensBlock(opener, cursor) ? 'block' : 'line'
}

function opensBlock(line: string, { endsByIndentation }: CursorContext): boolean {
  if (/(?:[{([]|=>)\s*$/.test(line)) return true
  return endsByIndentation ? /:\s*$/.test(line) : /\b(?:do|then|else)\s*$/.test(line)
}

/**
 * How long a call of the editor may wait for an answer: the editor delays its suggestion list until the call returns.
 * 0 means that the answer is not expected in time.
 */
export function waitLimitMs({ lineBefore }: CursorContext, isExplicit: boolean, expectedMs: number): number {
  if (isExplicit) return 15_000
  if (!isInWord(lineBefore)) return 2_500
  return expectedMs > 400 ? 0 : 650
}

const PASTE_CHARS = 200

/** What changed between two calls of the editor. An accepted suggestion of this extension counts as typed. */
export function changeBetween(before: DocumentSnapshot | undefined, after: DocumentSnapshot): Change {
  if (!before || before.id !== after.id || before.version === after.version) return 'none'
  const edits = after.log.editsBetween(before.version, after.version)
  const last = edits?.findLast(({ edit }) => !edit.isEmpty) ?? edits?.at(-1)
  if (!edits || !last) return 'pasted'
  if (last.origin === 'own') return 'typed'
  if (['undo', 'redo', 'reload'].includes(last.origin) || !isAtCursor(last, after.offset)) return 'elsewhere'
  if (edits.reduce((sum, edit) => sum + insertedCharsOf(edit), 0) > PASTE_CHARS) return 'pasted'
  return isRemoval(last) || (isShorter(edits) && edits.some(isRemoval)) ? 'deleted' : 'typed'
}

function isAtCursor({ edit: { replacements } }: LoggedEdit, offset: number): boolean {
  const [one, another] = replacements
  return one !== undefined && !another && offset >= one.start && offset <= one.start + one.text.length
}

const isRemoval = (edit: LoggedEdit) => !edit.edit.isEmpty && insertedCharsOf(edit) === 0

const isShorter = (edits: readonly LoggedEdit[]) =>
  edits.reduce((grown, { edit }) => grown + edit.lengthAfter - edit.lengthBefore, 0) < 0

function insertedCharsOf({ edit }: LoggedEdit): number {
  return edit.replacements.reduce((sum, { text }) => sum + text.length, 0)
}
