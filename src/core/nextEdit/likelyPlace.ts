// `likelyPlace`: where an edit of the user may have to be followed by another, for which a model is asked.
import { lineBlocks, linesOf } from '../workspace/lineHunks.ts'

export interface LinePlace {
  /** Lines of the text after the edit, counted from 0; the end is not included. */
  readonly first: number
  readonly end: number
}

/** The model sees so many lines. */
const REGION_LINES = 24
/** Shorter lines are like others by chance. */
const LEAST_SHAPE_CHARS = 6
const MOST_LINES = 5_000

/**
 * Around the nearest line, below the edit first, that uses a name whose declaration is gone, calls what has other parameters
 * now, is like lines that were changed in the same way, or has a new problem. Undefined without one.
 */
export function likelyPlace(before: string, after: string, problemLines: readonly number[]): LinePlace | undefined {
  const [left, right] = [linesOf(before), linesOf(after)]
  if (right.length > MOST_LINES) return undefined
  const blocks = lineBlocks(left, right)
  const [first, last] = [blocks[0], blocks.at(-1)]
  if (!first || !last) return undefined
  const removed = blocks.flatMap(({ fromBefore, toBefore }) => left.slice(fromBefore, toBefore))
  const added = blocks.flatMap(({ fromAfter, toAfter }) => right.slice(fromAfter, toAfter))
  const isLikely = likelyLines(removed, added)
  const isEdited = (line: number) => blocks.some(({ fromAfter, toAfter }) => line >= fromAfter && line < toAfter)
  const lines = right.flatMap((line, at) =>
    !isEdited(at) && (problemLines.includes(at) || isLikely(line)) ? [at] : [],
  )
  const line = lines.find(at => at >= last.toAfter) ?? lines.findLast(at => at < first.fromAfter)
  if (line === undefined) return undefined
  const start = Math.max(0, Math.min(line - REGION_LINES / 4, right.length - REGION_LINES))
  return { first: start, end: Math.min(right.length, start + REGION_LINES) }
}

function likelyLines(removed: readonly string[], added: readonly string[]): (line: string) => boolean {
  const left = wordsOf(added)
  const gone = removed.flatMap(declaredIn).filter(word => !left.includes(word))
  const before = removed.flatMap(signatureIn)
  const after = added.flatMap(signatureIn)
  const changed = before.filter(([name, inside]) => after.some(([other, now]) => other === name && now !== inside))
  const callNames = changed.map(([name]) => name)
  const shapes = removed.map(shapeOf).filter(shape => shape.length >= LEAST_SHAPE_CHARS)
  const isRepeated = removed.length === added.length && removed.length >= 2 && new Set(shapes).size === 1
  const replaced = wordsOf(removed).filter(word => !left.includes(word))
  return line =>
    wordsOf([line]).some(word => gone.includes(word)) ||
    callNames.some(name => new RegExp(`(?<![\\p{L}\\p{N}_$])${name.replaceAll('$', '\\$')}\\s*\\(`, 'u').test(line)) ||
    (isRepeated && shapes.includes(shapeOf(line)) && wordsOf([line]).some(word => replaced.includes(word)))
}

const wordsOf = (lines: readonly string[]): readonly string[] =>
  lines.join('\n').match(/[\p{L}_$][\p{L}\p{N}_$]{2,}/gu) ?? []

const functionWord = /\b(?:function|def|fn|func|fun)\s+([\p{L}_$][\p{L}\p{N}_$]*)\s*(?:<[^>]*>)?\(([^)]*)\)/u
/** As in C: a type, a name and parameters, and the line ends with the beginning of the body. */
const typedFunction = /^\s*(?:[\p{L}_][\p{L}\p{N}_<>[\],.*&]*\s+)+\**([\p{L}_][\p{L}\p{N}_]*)\s*\(([^)]*)\)[^;]*\{\s*$/u
const statementWord = /^\s*(?:return|if|else|for|while|switch|new|await|throw|case|do)\b/

/** The function that the line declares, with its parameters. */
function signatureIn(line: string): (readonly [name: string, inside: string])[] {
  const match = functionWord.exec(line) ?? (statementWord.test(line) ? null : typedFunction.exec(line))
  return match ? [[match[1] ?? '', match[2] ?? '']] : []
}

/** Names that the line declares. */
function declaredIn(line: string): readonly string[] {
  const variable = /([\p{L}_$][\p{L}\p{N}_$]{2,})\s*(?::[^=()]*)?:?=(?![=>])/u.exec(line)?.[1]
  const type = /\b(?:class|struct|interface|enum|trait|type)\s+([\p{L}_$][\p{L}\p{N}_$]{2,})/u.exec(line)?.[1]
  return [...signatureIn(line).map(([name]) => name), ...[variable, type].filter(name => name !== undefined)]
}

/** A line without its names, numbers and texts. */
function shapeOf(line: string): string {
  return line
    .trim()
    .replace(/"[^"]*"|'[^']*'|`[^`]*`/g, 's')
    .replace(/[\p{L}_$][\p{L}\p{N}_$]*/gu, 'w')
    .replace(/\d[\d_.]*/g, '0')
    .replace(/\s+/g, ' ')
}
