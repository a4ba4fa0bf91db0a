// Whether to ask at all, and how long to wait first.
import type { AccessPolicy, Refusal } from '../workspace/accessPolicy.ts'
import { type DocumentSnapshot, factsOf } from '../workspace/documentSnapshot.ts'
import type { LoggedEdit } from '../workspace/editLog.ts'
import { type CompletionSettings, isEnabledFor } from './completionSettings.ts'
import { type CursorContext, isBlank, isClosing } from './cursorContext.ts'

/** How much is wanted: the rest of this line; the line and what follows it soon; a block, shown whole. */
export type Shape = 'rest' | 'line' | 'block'

/** `pasted`: more than is typed at once, undone, redone, or a text whose edits are not known. */
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

export const LINE_LIMIT_CHARS = 2_000
const SHORTEST_FILE_CHARS = 10

const AFTER_PASTE_MS = 500
const AFTER_DELETION_MS = 400
const BEFORE_CODE_MS = 300
const LONGEST_STRAINED_MS = 250

/** Why nothing may be said here at all, asked for or not. */
export function whyClosed(
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

/** What happened between two calls of the editor. A suggestion of ours that was accepted counts as typed. */
export function changeBetween(before: DocumentSnapshot | undefined, after: DocumentSnapshot): Change {
  if (!before || before.id !== after.id || before.version === after.version) return 'none'
  const edits = after.log.editsBetween(before.version, after.version)
  const last = edits?.at(-1)
  if (!edits || !last) return 'pasted'
  if (last.origin === 'own') return 'typed'
  if (last.origin === 'undo' || last.origin === 'redo') return 'pasted'
  if (edits.reduce((sum, edit) => sum + insertedCharsOf(edit), 0) > PASTE_CHARS) return 'pasted'
  return isRemoval(last) || (isShorter(edits) && edits.some(isRemoval)) ? 'deleted' : 'typed'
}

const isRemoval = (edit: LoggedEdit) => !edit.edit.isEmpty && insertedCharsOf(edit) === 0

const isShorter = (edits: readonly LoggedEdit[]) =>
  edits.reduce((grown, { edit }) => grown + edit.lengthAfter - edit.lengthBefore, 0) < 0

function insertedCharsOf({ edit }: LoggedEdit): number {
  return edit.replacements.reduce((sum, { text }) => sum + text.length, 0)
}
