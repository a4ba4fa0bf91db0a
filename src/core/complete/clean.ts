// `clean`: removes what a model adds around its answer: tags, reasoning, fences, preambles, repeats of the document.
import { type CursorContext, indentOf, isBlank, isInProse } from './cursorContext.ts'
import { dropTags, isHalfWrapped, withoutOwnTags } from './dropTags.ts'
import { dropLineBreak, putSpace } from './joinAtCursor.ts'
import { lex } from './lex.ts'
import { type PromptMarks, usualMarks } from './promptMarks.ts'

type Step = (text: string, cursor: CursorContext, marks: PromptMarks) => string

/** In this order, because each step may rely on those before it. */
const steps: readonly Step[] = [
  dropInvisible,
  dropReasoning,
  dropTags,
  takeFromFence,
  dropPreamble,
  dropPathHeader,
  cutAtPlaceholder,
  dropSentence,
  dropLineBreak,
  dropRepeat,
  fitFirstIndent,
  useIndentOfFile,
]

/** Those that have nothing to do where a model keeps to its prompt, by the name of what they take away. */
const roughSteps = new Map<Step, string>([
  [dropReasoning, 'thoughts'],
  [dropTags, 'tags'],
  [takeFromFence, 'fence'],
  [dropPreamble, 'preamble'],
  [dropLineBreak, 'line break'],
  [dropRepeat, 'repeat'],
])

/** Which of the rougher steps change the answer. */
export function roughStepsOf(raw: string, cursor: CursorContext, marks = usualMarks): readonly string[] {
  let text = raw
  return steps.flatMap(step => {
    const plain = step === dropTags ? withoutOwnTags(text, marks) : text
    text = step(text, cursor, marks)
    const name = roughSteps.get(step)
    return name === undefined || text === plain ? [] : [name]
  })
}

/** The answer as text to insert at the cursor; `fitTo` cuts it to what belongs there. */
export function clean(raw: string, cursor: CursorContext, marks = usualMarks): string {
  return steps.reduce((text, step) => step(text, cursor, marks), raw)
}

/**
 * The same while the answer is still streaming: whole lines only, and nothing while all of it equals lines above the
 * cursor, because the model may be repeating the code up to the cursor.
 */
export function cleanSoFar(raw: string, cursor: CursorContext, marks = usualMarks): string {
  const whole = raw.slice(0, raw.lastIndexOf('\n') + 1)
  const unwrapped = steps
    .slice(0, steps.indexOf(dropLineBreak))
    .reduce((text, step) => step(text, cursor, marks), whole)
  if (isHalfWrapped(unwrapped, cursor) || isRunAbove(unwrapped, cursor) || isTalkSoFar(whole, cursor, marks)) return ''
  return withoutRepeatedEnd(clean(whole, cursor, marks).replace(/\n$/, ''))
}

/**
 * The answer with the line that is still arriving, to compare what is typed with it; undefined while that may be talk, a
 * fence or a repeat of the document, which `clean` would take away once there is more of it.
 */
export function cleanArriving(raw: string, cursor: CursorContext, marks = usualMarks): string | undefined {
  const text = steps.slice(0, steps.indexOf(dropLineBreak)).reduce((rest, step) => step(rest, cursor, marks), raw)
  const [first = '', ...others] = text.trimStart().split('\n')
  if (isHalfWrapped(text, cursor) || isRunAbove(text, cursor)) return undefined
  if (others.length === 0 && mayBeDropped(first, cursor, marks.openingTag.test(raw))) return undefined
  return clean(raw, cursor, marks)
}

/** Whether more of the first line may show that it is none of the answer. */
function mayBeDropped(first: string, cursor: CursorContext, isTagged: boolean): boolean {
  if (/^(?:[`~<]|$)/.test(first) || (commentStart.test(first) && isBlank(cursor.lineBefore))) return true
  const word = /[\p{L}\p{N}_$]{2,}$/u.exec(cursor.lineBefore)?.[0] ?? ''
  const repeatable = [...cursor.above, cursor.lineBefore].map(line => line.trimStart())
  if ([...repeatable, word].some(text => text.startsWith(first))) return true
  return (
    !isTagged &&
    (isInProse(cursor) || /^\W{0,2}(?:\p{Lu}|sure|certainly|of|ok|here|the|below|to|you|this|based)/iu.test(first))
  )
}

/** In text a preamble looks like text, unless a tag comes behind it. */
function isTalkSoFar(text: string, cursor: CursorContext, { openingTag }: PromptMarks): boolean {
  const first = text.split('\n').find(line => !isBlank(line)) ?? ''
  return isInProse(cursor) && isPreamble(first, cursor) && !openingTag.test(text)
}

/** A line that equals the one before it is held back, because a third one would show that the model is in a loop. */
function withoutRepeatedEnd(text: string): string {
  const lines = text.split('\n')
  const [third, second, last = ''] = [lines.at(-3), lines.at(-2), lines.at(-1)]
  return last === second && last !== third && !isBlank(last) ? lines.slice(0, -1).join('\n') : text
}

/** Terminal sequences, also one that has not come to its end, and control characters but tab and line end. */
const terminalSequence =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: taking them out is the purpose
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*(?:[@-~]|$)|\u001b(?:\][^\u0007\u001b\n]*(?:\u0007|\u001b\\|$)|[ -/]*[0-~]|$)/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: taking them out is the purpose
const controlCharacters = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g
const zeroWidthEnds = /^[\ufeff\u200b-\u200d\u2060]+|[\ufeff\u200b-\u200d\u2060]+$/g
const halfPairs = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

export function dropInvisible(text: string): string {
  return text
    .replace(terminalSequence, '')
    .replace(/\r\n?/g, '\n')
    .replace(controlCharacters, '')
    .replace(zeroWidthEnds, '')
    .replace(halfPairs, '')
}

export function dropReasoning(text: string): string {
  const rest = text.replace(/<(think(?:ing)?)>[\s\S]*?<\/\1>\n*/g, '')
  const isOpen = /^\s*<think(?:ing)?>/.test(rest) || halfThought.test(rest)
  if (isOpen) return ''
  return rest.replace(/^[\s\S]*<\/think(?:ing)?>\n*/, '')
}

/** What the limit has left of a tag, when all of the answer is its beginning, or it would end a thought. */
const halfThought = /^\s*<t(?:h(?:i(?:n(?:k(?:i(?:n(?:g)?)?)?)?)?)?)?$|<\/thi(?:n(?:k(?:i(?:n(?:g)?)?)?)?)?$/

export function takeFromFence(text: string, cursor: CursorContext): string {
  if (isInProse(cursor) && !isFenceWithinLine(text, cursor)) return text
  const fence = /(?:^|\n)[ \t]*(```+|~~~+)[^\n`]*\n([\s\S]*?)(?:\n[ \t]*\1[^\n]*(?=\n|$)|$)/.exec(text)
  if (fence && isPreambleOnly(text.slice(0, fence.index), cursor)) return fence[2] ?? ''
  const lone = /^[ \t]*(?:```+|~~~+)[^\n`]*$/.test(text)
  if (lone) return ''
  const quoted = /^\s*`([^`\n]+)`\s*$/.exec(text)
  return quoted && !/script|^go$/.test(cursor.language) ? (quoted[1] ?? '') : text
}

/** Text has no fence in the middle of a line, so this one is around the answer. */
function isFenceWithinLine(text: string, { lineBefore }: CursorContext): boolean {
  return /^(?:```|~~~)/.test(text) && /\p{L}/u.test(lineBefore) && !/^\s*(?:```|~~~)/.test(lineBefore)
}

/** A fence after code belongs to the code. */
function isPreambleOnly(text: string, cursor: CursorContext): boolean {
  return text.split('\n').every(line => isBlank(line) || isPreamble(line, cursor) || isSentence(line))
}

const preambleStart =
  /^\W{0,2}(?:sure|certainly|of course|okay|ok|here(?:'s| is| are)|the (?:code|completion|following|missing|text)|below|to complete|i(?:'ll| will|'ve| have)|you can|this (?:is|will|should)|based on)\b/i
const preambleLabel = /^[^\w<]{0,2}(?:answer|output|completion|result|solution)\W{0,2}:\W{0,2}$/i

function isPreamble(line: string, { language }: CursorContext): boolean {
  const trimmed = line.trim()
  if (preambleLabel.test(trimmed)) return language !== 'yaml'
  return (
    preambleStart.test(trimmed) &&
    /[:.!]\W{0,2}$/.test(trimmed) &&
    trimmed.split(/\s+/).length >= 2 &&
    !/[;{}=]|\w\(/.test(trimmed)
  )
}

/** In the text of a page, talk is known only by what it is about. */
const namesCode = /\b(?:code|completion|snippet|markup|missing|html|jsx|yaml)\b/i

export function dropPreamble(text: string, cursor: CursorContext): string {
  if (isInProse(cursor)) return text
  const at = text.search(/\S/)
  const end = text.indexOf('\n', at)
  const first = end < 0 ? text.slice(at) : text.slice(at, end)
  if (at < 0 || !isPreamble(first, cursor) || (!namesCode.test(first) && cursor.isPlainText())) return text
  return end < 0 ? '' : text.slice(end + 1).replace(/^(?:[ \t]*\n)+/, '')
}

const commentStart = /^\s*(?:\/\/|#|--|;|%|\/\*|<!--)\s*/

/** Removes a first line such as `// src/a.ts`. */
export function dropPathHeader(text: string, { path }: CursorContext): string {
  const [first = ''] = text.trimStart().split('\n', 1)
  const comment = first.replace(commentStart, '').replace(/\s*(?:\*\/|-->)?\s*$/, '')
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (comment === '' || comment === first || name === '' || (comment !== path && comment !== name)) return text
  return text.trimStart().slice(first.length + 1)
}

const placeholder =
  /^\s*(?:\/\/|#|--|;|%|\/\*|<!--)\s*(?:\.{3}|…)?\s*(?:(?:the )?rest of|existing|remaining|previous|other|your)\b.*\b(?:code|file|implementation|function|class|methods?|logic|unchanged)\b.*$/i
const elision = /^\s*(?:\/\/|#|--|\/\*|<!--)\s*(?:\.{3}|…)\s*(?:\*\/|-->)?\s*$/

/** Cuts at a comment in place of omitted code, because what follows it does not belong at the cursor. */
export function cutAtPlaceholder(text: string, cursor: CursorContext): string {
  if (isInProse(cursor)) return text
  const lines = text.split('\n')
  const at = lines.findIndex(line => placeholder.test(line) || elision.test(line))
  return at < 0 ? text : lines.slice(0, at).join('\n')
}

function isSentence(line: string): boolean {
  const trimmed = line.trim()
  return (
    trimmed.split(/\s+/).length >= 5 &&
    /^[A-Z"'“]/.test(trimmed) &&
    /[\p{L}\d)'"”][.!?]$/u.test(trimmed) &&
    !codeMark.test(trimmed)
  )
}

const codeMark = /[{}[\];=<>$\\]|\w\(|->|::|^\s*(?:\/\/|#|--|\*|"""|''')/

/** Discards an answer that begins with a sentence instead of code. */
export function dropSentence(text: string, cursor: CursorContext): string {
  if (isInProse(cursor)) return text
  const first = text.split('\n').find(line => !isBlank(line))
  return first !== undefined && isSentence(first) && !cursor.isPlainText() ? '' : text
}

export function dropRepeat(text: string, cursor: CursorContext): string {
  const lines = text.split('\n')
  const repeated = repeatedLines(lines, cursor)
  if (repeated > 0) return lines.slice(repeated).join('\n')
  const kept = dropPartialRepeat(dropRepeatedRun(lines, cursor) ?? text, cursor)
  return kept === text ? putSpace(text, cursor) : kept
}

/** How many of the answer's first lines equal the lines right above the cursor; 0 unless the cursor's line is blank. */
function repeatedLines(lines: readonly string[], { above, lineBefore }: CursorContext): number {
  if (!isBlank(lineBefore)) return 0
  const filled = above.filter(line => !isBlank(line))
  const given = lines.flatMap((line, at) => (isBlank(line) ? [] : [{ line, at }]))
  for (let count = Math.min(filled.length, given.length); count > 0; count--) {
    const last = filled.slice(-count)
    const isSame = last.every((line, at) => isSameLine(line, given[at]?.line))
    // Closers may follow the same closers, but with less indentation.
    const isIndentedSame = count > 1 && last.slice(1).every((line, at) => line === given[at + 1]?.line)
    if (isSame && (isIndentedSame || /\p{L}/u.test(last.join('')))) return (given[count - 1]?.at ?? 0) + 1
  }
  return 0
}

/** Where the answer begins with lines above the cursor and reaches the cursor's line: what follows the cursor in it. */
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

/** Removes a repeat of the line or the word before the cursor. */
function dropPartialRepeat(text: string, { lineBefore }: CursorContext): string {
  const line = lineBefore.trimStart()
  const start = text.trimStart()
  const isIndented = line.trimEnd() !== '' && line.length < lineBefore.length
  if (isIndented && text.startsWith(lineBefore)) return text.slice(lineBefore.length)
  if (line.trimEnd().length >= 2 && start.startsWith(line)) return start.slice(line.length)
  if (line.trimEnd().length >= 2 && start.startsWith(line.trimEnd()))
    return start.slice(line.trimEnd().length).trimStart()
  const word = /[\p{L}\p{N}_$]{2,}$/u.exec(lineBefore)?.[0]
  return word && text.startsWith(word) ? text.slice(word.length) : text
}

/** All lines of the text equal a run of lines that ends above the cursor's line. */
function isRunAbove(text: string, { above, lineBefore }: CursorContext): boolean {
  const lines = text.split('\n').filter(line => !isBlank(line))
  if (lines.length === 0) return false
  const before = [...above, lineBefore].filter(line => !isBlank(line))
  return before.some(
    (_, at) => at + lines.length < before.length && lines.every((line, to) => isSameLine(line, before[at + to])),
  )
}

const isSameLine = (a: string, b: string | undefined) => a.trim() === b?.trim()

/** On a blank line the answer may contain the indentation as well: all of it, a part, or too much. */
export function fitFirstIndent(text: string, cursor: CursorContext): string {
  if (!isBlank(cursor.lineBefore)) return text
  const lines = text.replace(/^(?:[ \t]*\n)+/, '').split('\n')
  const givenIndent = indentOf(lines[0] ?? '')
  const first = lines[0]?.slice(givenIndent.length) ?? ''
  const missing = missingIndent(givenIndent, cursor)
  const shifted = shiftLines(lines, givenIndent, cursor)
  return [missing + first, ...shifted].join('\n')
}

/** What of the given indentation is not there yet: it may be that of the whole line. */
function missingIndent(given: string, cursor: CursorContext): string {
  if (isMissingIndent(given, cursor)) return given
  const isAll = given.startsWith(cursor.lineBefore) && given.length <= expectedIndent(cursor).length
  return isAll ? given.slice(cursor.lineBefore.length) : ''
}

/** With the indentation that is there it makes whole levels, and not without it: the answer goes on exactly at the cursor. */
function isMissingIndent(given: string, { lineBefore, indent }: CursorContext): boolean {
  if (indent === '\t' || given === '' || lineBefore === '' || (lineBefore + given).includes('\t')) return false
  return (lineBefore.length + given.length) % indent.length === 0 && given.length % indent.length !== 0
}

function expectedIndent({ above, indent, lineBefore }: CursorContext): string {
  const last = above.findLast(line => !isBlank(line)) ?? ''
  const expected = indentOf(last) + (/[{([:]\s*$/.test(last) ? indent : '')
  return expected.startsWith(lineBefore) ? expected : lineBefore
}

/** Moves the lines below the first with it: left if it was indented too far, right if it was not indented at all. */
function shiftLines(
  [first = '', ...lines]: readonly string[],
  givenIndent: string,
  cursor: CursorContext,
): readonly string[] {
  const targetIndent = givenIndent.length > cursor.lineBefore.length ? expectedIndent(cursor) : cursor.lineBefore
  if (givenIndent !== '' && givenIndent.length > targetIndent.length && givenIndent.startsWith(targetIndent)) {
    return lines.map(line => (line.startsWith(givenIndent) ? targetIndent + line.slice(givenIndent.length) : line))
  }
  return isWrittenFromEdge(first, lines, targetIndent, cursor)
    ? lines.map(line => (isBlank(line) ? line : targetIndent + line))
    : lines
}

/** The answer is not indented: the block that its first line opens is no deeper than the cursor. */
function isWrittenFromEdge(
  first: string,
  lines: readonly string[],
  targetIndent: string,
  { inside, isPlainText, language }: CursorContext,
): boolean {
  const second = lines.find(line => !isBlank(line))
  if (second === undefined || inside.kind !== 'code' || !/(?:[{([:]|=>)\s*$/.test(first) || isPlainText()) return false
  const given = indentOf(second).length
  const isInPlace = given > targetIndent.length || (given === targetIndent.length && isFlushLabel(second, language))
  return targetIndent !== '' && indentOf(first) === '' && !isInPlace
}

/** A label that these languages usually indent no deeper than the statement that it belongs to. */
function isFlushLabel(line: string, language: string): boolean {
  return /^(?:go|c|cpp)$/.test(language) && /^\s*(?:case|default)\b/.test(line)
}

/**
 * Tabs where the file has tabs, spaces where it has spaces. The first line is indented in the document already; lines
 * within a string stay as they are.
 */
export function useIndentOfFile(text: string, cursor: CursorContext): string {
  const { indent } = cursor
  const lines = text.split('\n')
  const unit = indent === '\t' ? unitOf(lines.slice(1)) : indent
  const useIndent = (line: string) =>
    indent === '\t' ? toTabs(line, unit.length) : line.replace(/^\t+/, run => unit.repeat(run.length))
  return lines
    .map((line, at) => (at === 0 || isInString(lines.slice(0, at).join('\n'), cursor) ? line : useIndent(line)))
    .join('\n')
}

/** What follows the text's last line is part of a string over several lines. */
function isInString(text: string, { language, inside, unclosed }: CursorContext): boolean {
  return /["'`]/.test(text) && lex(`${text}\n`, language, { inside, open: unclosed }).state.inside.kind === 'string'
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
