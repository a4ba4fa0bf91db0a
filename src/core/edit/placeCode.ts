// `placeCode`: the text of a file with a code block of an answer in its place, found without a model.
import { diffLines } from '../workspace/lineHunks.ts'
import { bracketBalance, type CodeLine, codeLines, declaredName, isElision, isImport } from './codeLine.ts'
import { findLines } from './findLines.ts'
import { hasSections, placeSections } from './placeSections.ts'
import { placeUnits } from './placeUnits.ts'
import { applyUnifiedDiff, isUnifiedDiff } from './unifiedDiff.ts'

export type PlacementReason =
  | 'empty file'
  | 'diff'
  | 'whole file'
  | 'left-out code'
  | 'declarations'
  | 'same lines'
  | 'new code'

export interface Placement {
  readonly text: string
  /** From 0 to 1; from `SURE` on nobody is asked. */
  readonly confidence: number
  readonly why: PlacementReason
}

export const SURE = 0.8

/**
 * `text` with `\n` line ends; `language`: the editor's name of the file's language. Undefined where no place is found, or several. Tolerant of white space, never of content;
 * a line that the file and the block both have keeps the bytes of the file.
 */
export function placeCode(text: string, block: string, language = ''): Placement | undefined {
  const code = block
    .replace(/\r\n?/g, '\n')
    .replace(/^(?:[ \t]*\n)+/, '')
    .replace(/\s+$/, '')
  if (code === '') return undefined
  if (isUnifiedDiff(code, language)) return placedDiff(text, block.replace(/\r\n?/g, '\n'))
  const [file, lines] = [codeLines(text), codeLines(code)]
  const isComplete = !lines.some(isElision)
  if (text.trim() === '')
    return isComplete ? { text: withLastLine(text, code), confidence: 1, why: 'empty file' } : undefined
  if (findLines(file, lines, 0) !== undefined) return { text, confidence: 1, why: 'same lines' }
  if (isComplete && isWholeFile(file, lines)) return wholeFile(text, code)
  const placed = hasSections(language) ? placedSections(file, lines, language) : placeUnits(file, lines)
  if (!placed) return undefined
  const after = withOwnLines(text, placed.lines.map(({ raw }) => raw).join('\n'))
  return { text: after, confidence: placed.confidence, why: placed.why }
}

function placedSections(file: readonly CodeLine[], lines: readonly CodeLine[], language: string) {
  const placed = lines.some(isElision) ? undefined : placeSections(file, lines, language)
  return placed && { lines: placed, confidence: 0.9, why: 'declarations' as const }
}

function placedDiff(text: string, diff: string): Placement | undefined {
  const after = applyUnifiedDiff(text, diff)
  return after === undefined ? undefined : { text: after, confidence: 0.95, why: 'diff' }
}

function wholeFile(text: string, code: string): Placement {
  return { text: withOwnLines(text, withLastLine(text, code)), confidence: 0.9, why: 'whole file' }
}

/** The file ends with a line end if it did before, or was empty. */
function withLastLine(text: string, code: string): string {
  return text === '' || text.endsWith('\n') ? `${code}\n` : code
}

/**
 * Everything that the file declares is in the block too, and so is how the file begins. A block that could as well be a
 * part is none: code that it does not show would be lost.
 */
function isWholeFile(file: readonly CodeLine[], block: readonly CodeLine[]): boolean {
  if (bracketBalance(file) !== bracketBalance(block)) return false
  const names = topNames(file)
  const own = new Set(topNames(block))
  const isSameBeginning = firstLine(file)?.key === firstLine(block)?.key
  if (names.length === 0) return isSameBeginning && commonShare(file, block) >= 0.5 && isSameEnd(file, block)
  return (
    names.every(name => own.has(name)) &&
    (isSameBeginning || isLikeBeginning(file, block)) &&
    hasStatements(file, block)
  )
}

const isSameEnd = (file: readonly CodeLine[], block: readonly CodeLine[]) =>
  file.findLast(({ key }) => key !== '')?.key === block.findLast(({ key }) => key !== '')?.key

/** Both begin with imports, or the file with a declaration. */
function isLikeBeginning(file: readonly CodeLine[], block: readonly CodeLine[]): boolean {
  const [first, own] = [firstLine(file), firstLine(block)]
  if (!first || !own) return false
  return declaredName(first) !== undefined || (isImport(first) && isImport(own))
}

const isComment = ({ key }: CodeLine) => /^(?:\/\/|\/?\*|#(?!include)|<!--|"""|''')/.test(key)

/** The first one that is no comment. */
const firstLine = (lines: readonly CodeLine[]) => lines.find(line => line.key !== '' && !isComment(line))

const topNames = (lines: readonly CodeLine[]) =>
  lines.flatMap(line => (line.indent === 0 ? (declaredName(line) ?? []) : []))

const isTopStatement = (line: CodeLine) =>
  line.indent === 0 && line.key !== '' && declaredName(line) === undefined && /[\w"'`]/.test(line.key)

/** Most of what is neither declared nor indented, such as imports, is in the block too. */
function hasStatements(file: readonly CodeLine[], block: readonly CodeLine[]): boolean {
  const keys = new Set(block.map(({ key }) => key))
  const statements = file.filter(line => isTopStatement(line) && !isComment(line))
  return statements.filter(({ key }) => keys.has(key)).length >= statements.length / 2
}

/** Of the lines of the file that are not empty, how many the block has in the same order. */
function commonShare(file: readonly CodeLine[], block: readonly CodeLine[]): number {
  const keys = (lines: readonly CodeLine[]) => lines.flatMap(({ key }) => (key === '' ? [] : [`${key}\n`]))
  const [own, other] = [keys(file), keys(block)]
  const removed = diffLines(own.join(''), other.join('')).reduce(
    (sum, { before }) => sum + own.join('').slice(before.start, before.end).split('\n').length - 1,
    0,
  )
  return own.length === 0 ? 1 : (own.length - removed) / own.length
}

/** A line that differs only in white space at its end stays as it is in the file. */
function withOwnLines(text: string, after: string): string {
  const [own, lines] = [text.split('\n'), after.split('\n')]
  const trimmed = (texts: readonly string[]) => texts.map(line => `${line.trimEnd()}\n`)
  const [before, then] = [trimmed(own), trimmed(lines)]
  let [at, next] = [0, 0]
  const kept: string[] = []
  const offsets = lineOffsets(before)
  const afterOffsets = lineOffsets(then)
  for (const hunk of diffLines(before.join(''), then.join(''))) {
    const [from, to] = [offsets.get(hunk.before.start) ?? 0, offsets.get(hunk.before.end) ?? 0]
    kept.push(...own.slice(at, from))
    next = afterOffsets.get(hunk.after.end) ?? 0
    kept.push(...lines.slice(afterOffsets.get(hunk.after.start) ?? 0, next))
    at = to
  }
  return [...kept, ...own.slice(at)].join('\n')
}

function lineOffsets(lines: readonly string[]): Map<number, number> {
  let at = 0
  const offsets = new Map([[0, 0]])
  for (const [index, line] of lines.entries()) {
    at += line.length
    offsets.set(at, index + 1)
  }
  return offsets
}
