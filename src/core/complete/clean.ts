// What the model wrapped around its answer comes off: tags, thoughts, fences, preambles, repeats of what stands there.
import { type CursorContext, indentOf, isAmongWords, isBlank } from './cursorContext.ts'

type Step = (text: string, spot: CursorContext) => string

/** In this order: each step may rely on those before it. */
const steps: readonly Step[] = [
  unifyLineEnds,
  dropThoughts,
  dropTags,
  takeFromFence,
  dropPreamble,
  dropPathHeader,
  cutAtPlaceholder,
  dropSentence,
  dropRepeat,
  fitFirstIndent,
  useIndentOfFile,
]

/** The answer as text that goes at the cursor. It may still be longer than what belongs there. */
export function clean(raw: string, spot: CursorContext): string {
  return steps.reduce((text, step) => step(text, spot), raw)
}

/**
 * The same while the answer is still coming: whole lines only, and nothing while all that came so far stands above the
 * cursor too, since the model may be repeating its way to the cursor.
 */
export function cleanSoFar(raw: string, spot: CursorContext): string {
  const whole = raw.slice(0, raw.lastIndexOf('\n') + 1)
  const unwrapped = steps.slice(0, steps.indexOf(dropRepeat)).reduce((text, step) => step(text, spot), whole)
  if (isRunAbove(unwrapped, spot)) return ''
  return clean(whole, spot).replace(/\n$/, '')
}

/** True if nothing that may still come can matter. */
export function isAnswerClosed(raw: string): boolean {
  return /<\/insert>/.test(raw) || inventedTurn.test(raw)
}

export function unifyLineEnds(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/^[\ufeff\u200b-\u200d\u2060]+|[\ufeff\u200b-\u200d\u2060]+$/g, '')
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '')
}

export function dropThoughts(text: string): string {
  const rest = text.replace(/<(think(?:ing)?)>[\s\S]*?<\/\1>\n*/g, '')
  if (/^\s*<think(?:ing)?>/.test(rest)) return ''
  return rest.replace(/^[\s\S]*<\/think(?:ing)?>\n*/, '')
}

const inventedTurn = /\n(?:User|Human|Assistant): ?/
const controlToken = /<[|｜][\w▁]+[|｜]>/

export function dropTags(text: string): string {
  const inner = text.replace(/^\s*(?:<[|｜][\w▁]+[|｜]>\s*)+/, '')
  const tag = inner.indexOf('<insert>')
  // What stands before the tag is talk; a tag further down would be code about tags.
  const body = tag >= 0 && tag < 400 ? inner.slice(tag + '<insert>'.length) : inner
  return (
    body
      .split(/<\/?insert>|▮/, 1)[0]
      ?.split(controlToken, 1)[0]
      ?.split(inventedTurn, 1)[0] ?? ''
  )
}

export function takeFromFence(text: string, spot: CursorContext): string {
  if (isAmongWords(spot)) return text
  const fence = /(?:^|\n)[ \t]*(```+|~~~+)[^\n`]*\n([\s\S]*?)(?:\n[ \t]*\1[^\n]*(?=\n|$)|$)/.exec(text)
  if (fence && isTalk(text.slice(0, fence.index), spot)) return fence[2] ?? ''
  const lone = /^[ \t]*(?:```+|~~~+)[^\n`]*$/.test(text)
  if (lone) return ''
  const quoted = /^\s*`([^`\n]+)`\s*$/.exec(text)
  return quoted && !/script|^go$/.test(spot.language) ? (quoted[1] ?? '') : text
}

/** Code before a fence means that the fence belongs to the code. */
function isTalk(text: string, spot: CursorContext): boolean {
  return text.split('\n').every(line => isBlank(line) || isPreamble(line, spot) || isSentence(line))
}

const talkStart =
  /^\W{0,2}(?:sure|certainly|of course|okay|ok|here(?:'s| is| are)|the (?:code|completion|following|missing|text)|below|to complete|i(?:'ll| will|'ve| have)|you can|this (?:is|will|should)|based on)\b/i
const talkWord = /^\W{0,2}(?:answer|output|completion|result|solution)\W{0,2}:\W{0,2}$/i

function isPreamble(line: string, { language }: CursorContext): boolean {
  const said = line.trim()
  if (talkWord.test(said)) return language !== 'yaml'
  return (
    talkStart.test(said) && /[:.!]\W{0,2}$/.test(said) && said.split(/\s+/).length >= 2 && !/[;{}=]|\w\(/.test(said)
  )
}

export function dropPreamble(text: string, spot: CursorContext): string {
  if (isAmongWords(spot)) return text
  const at = text.search(/\S/)
  const end = text.indexOf('\n', at)
  if (at < 0 || !isPreamble(end < 0 ? text.slice(at) : text.slice(at, end), spot)) return text
  return end < 0 ? '' : text.slice(end + 1).replace(/^(?:[ \t]*\n)+/, '')
}

const commentStart = /^\s*(?:\/\/|#|--|;|%|\/\*|<!--)\s*/

/** `// src/a.ts` in front of the code. */
export function dropPathHeader(text: string, { path }: CursorContext): string {
  const [first = ''] = text.trimStart().split('\n', 1)
  const said = first.replace(commentStart, '').replace(/\s*(?:\*\/|-->)?\s*$/, '')
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (said === '' || said === first || name === '' || (said !== path && said !== name)) return text
  return text.trimStart().slice(first.length + 1)
}

const placeholder =
  /^\s*(?:\/\/|#|--|;|%|\/\*|<!--)\s*(?:\.{3}|…)?\s*(?:(?:the )?rest of|existing|remaining|previous|other|your)\b.*\b(?:code|file|implementation|function|class|methods?|logic|unchanged)\b.*$/i
const elision = /^\s*(?:\/\/|#|--|\/\*|<!--)\s*(?:\.{3}|…)\s*(?:\*\/|-->)?\s*$/

/** A line that stands for code left out: nothing after it can be right. */
export function cutAtPlaceholder(text: string, spot: CursorContext): string {
  if (isAmongWords(spot)) return text
  const lines = text.split('\n')
  const at = lines.findIndex(line => placeholder.test(line) || elision.test(line))
  return at < 0 ? text : lines.slice(0, at).join('\n')
}

function isSentence(line: string): boolean {
  const said = line.trim()
  return (
    said.split(/\s+/).length >= 5 && /^[A-Z"'“]/.test(said) && /[\p{L}\d)'"”][.!?]$/u.test(said) && !codeMark.test(said)
  )
}

const codeMark = /[{}[\];=<>$\\]|\w\(|->|::|^\s*(?:\/\/|#|--|\*|"""|''')/

/** The model talks instead of writing code. */
export function dropSentence(text: string, spot: CursorContext): string {
  if (isAmongWords(spot)) return text
  const first = text.split('\n').find(line => !isBlank(line))
  return first !== undefined && isSentence(first) ? '' : text
}

export function dropRepeat(text: string, spot: CursorContext): string {
  const lines = text.split('\n')
  const repeated = repeatedLines(lines, spot)
  if (repeated > 0) return lines.slice(repeated).join('\n')
  return dropPartialRepeat(dropRepeatedRun(lines, spot) ?? text, spot)
}

/** How many of the answer's first lines are the lines right above a cursor that stands on an empty line. */
function repeatedLines(lines: readonly string[], { above, lineBefore }: CursorContext): number {
  if (!isBlank(lineBefore)) return 0
  const filled = above.filter(line => !isBlank(line))
  const lead = lines.findIndex(line => !isBlank(line))
  for (let count = Math.min(filled.length, lines.length - lead); count > 0; count--) {
    const isSame = filled.slice(-count).every((line, at) => line.trim() === lines[lead + at]?.trim())
    if (isSame && /\p{L}/u.test(filled.slice(-count).join(''))) return lead + count
  }
  return 0
}

/** The answer begins some lines above the cursor and comes to it: what remains is the end of its last such line. */
function dropRepeatedRun(lines: readonly string[], { above, lineBefore }: CursorContext): string | undefined {
  if (isBlank(lineBefore)) return undefined
  for (let count = Math.min(above.length, lines.length - 1); count > 0; count--) {
    const last = lines[count]?.trimStart() ?? ''
    const isSame = above.slice(-count).every((line, at) => line.trim() === lines[at]?.trim())
    if (!isSame || !last.startsWith(lineBefore.trimStart())) continue
    return [last.slice(lineBefore.trimStart().length), ...lines.slice(count + 1)].join('\n')
  }
  return undefined
}

/** The line so far, or the word so far, again. */
function dropPartialRepeat(text: string, { lineBefore }: CursorContext): string {
  const line = lineBefore.trimStart()
  const start = text.trimStart()
  if (line.trimEnd().length >= 2 && start.startsWith(line)) return start.slice(line.length)
  if (line.trimEnd().length >= 2 && start.startsWith(line.trimEnd()))
    return start.slice(line.trimEnd().length).trimStart()
  const word = /[\p{L}\p{N}_$]{2,}$/u.exec(lineBefore)?.[0]
  return word && text.startsWith(word) ? text.slice(word.length) : text
}

/** Every line that came is a run of lines above the cursor, the last of which may be the cursor's own beginning. */
function isRunAbove(text: string, { above, lineBefore }: CursorContext): boolean {
  const lines = text.split('\n').filter(line => !isBlank(line))
  if (lines.length === 0) return false
  const before = [...above, lineBefore].filter(line => !isBlank(line))
  return before.some(
    (_, at) => at + lines.length < before.length && lines.every((line, to) => isSameLine(line, before[at + to])),
  )
}

const isSameLine = (a: string, b: string | undefined) => a.trim() === b?.trim()

/** On a line that is still empty the answer may bring the indentation along, whole or in part or too much of it. */
export function fitFirstIndent(text: string, spot: CursorContext): string {
  if (!isBlank(spot.lineBefore)) return text
  const lines = text.replace(/^(?:[ \t]*\n)+/, '').split('\n')
  const had = indentOf(lines[0] ?? '')
  const first = lines[0]?.slice(had.length) ?? ''
  const missing =
    had.startsWith(spot.lineBefore) && had.length <= expectedIndent(spot).length
      ? had.slice(spot.lineBefore.length)
      : ''
  const shifted = shiftLines(lines, had, spot)
  return [missing + first, ...shifted].join('\n')
}

function expectedIndent({ above, indent, lineBefore }: CursorContext): string {
  const last = above.findLast(line => !isBlank(line)) ?? ''
  const expected = indentOf(last) + (/[{([:]\s*$/.test(last) ? indent : '')
  return expected.startsWith(lineBefore) ? expected : lineBefore
}

/** The lines below the first go along with it: to the left if it stood too deep, to the right if it stood at none. */
function shiftLines([first = '', ...lines]: readonly string[], had: string, spot: CursorContext): readonly string[] {
  const goal = had.length > spot.lineBefore.length ? expectedIndent(spot) : spot.lineBefore
  if (had !== '' && had.length > goal.length && had.startsWith(goal)) {
    return lines.map(line => (line.startsWith(had) ? goal + line.slice(had.length) : line))
  }
  return isWrittenFromEdge(first, lines, goal, spot) ? lines.map(line => (isBlank(line) ? line : goal + line)) : lines
}

/** An answer of its own, written from the left edge: the block that its first line opens is not deeper than the cursor. */
function isWrittenFromEdge(first: string, lines: readonly string[], goal: string, { inside }: CursorContext): boolean {
  const second = lines.find(line => !isBlank(line))
  if (second === undefined || inside.kind !== 'code' || !/(?:[{([:]|=>)\s*$/.test(first)) return false
  return goal !== '' && indentOf(first) === '' && indentOf(second).length <= goal.length
}

/** Tabs where the file has tabs, spaces where it has spaces. The first line's own indentation stands there already. */
export function useIndentOfFile(text: string, { indent }: CursorContext): string {
  const [first = '', ...lines] = text.split('\n')
  const unit = indent === '\t' ? unitOf(lines) : indent
  const mapped = lines.map(line =>
    indent === '\t' ? toTabs(line, unit.length) : line.replace(/^\t+/, run => unit.repeat(run.length)),
  )
  return [first, ...mapped].join('\n')
}

function unitOf(lines: readonly string[]): string {
  const widths = lines.filter(line => !isBlank(line)).map(line => /^ */.exec(line)?.[0].length ?? 0)
  const unit = widths.filter(width => width > 0).reduce(greatestCommonDivisor, 0)
  return ' '.repeat(unit === 2 || unit === 3 ? unit : 4)
}

const greatestCommonDivisor = (a: number, b: number): number => (b === 0 ? a : greatestCommonDivisor(b, a % b))

function toTabs(line: string, width: number): string {
  const spaces = /^ */.exec(line)?.[0].length ?? 0
  const tabs = Math.floor(spaces / width)
  return tabs === 0 ? line : '\t'.repeat(tabs) + line.slice(tabs * width)
}
