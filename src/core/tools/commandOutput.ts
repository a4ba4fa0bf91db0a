// `OutputCleaner`: makes the output of a program readable, as it arrives; and what of a long output the model is shown.
import { hasInvisible } from '../../base/invisible.ts'
import { markInvisible } from '../workspace/invisibleText.ts'

/** The characters of a long output that the model is shown. */
export const HEAD_CHARS = 4_000
export const TAIL_CHARS = 12_000

/** What a program wrote before it ends an escape sequence; longer ones are shown as text. */
const LONGEST_SEQUENCE = 4_096
/** A line without an end is settled in parts of this size, so that memory is bounded. */
const LONGEST_LINE = 65_536
/** So many equal lines are written out; more are counted. */
const MAX_EQUAL = 3

/** Inside a cleaned line, for the sequences that erase. Characters that no text has. */
const ERASE_REST = '\ufffe'
const ERASE_LINE = '\uffff'

/* biome-ignore-start lint/suspicious/noControlCharactersInRegex: they are what is looked for */
const eraseSequence = /(?:\u001b\[|\u009b)([012]?)K/g
/** Control sequences, strings such as a title or a link, and the two-character sequences (ECMA-48 5.3 to 5.6). */
const escapeSequence =
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)|\u001b[ -/]*[0-~]/g
const unfinishedSequence = /(?:(?:\u001b\[|\u009b)[0-?]*[ -/]*|\u001b[ -/]*)$/
const stringStart = /\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f]/g
const sequenceStart = /[\r\u001b\u009b]/g
const stringEnd = /[\u0007\u009c]|\u001b\\/
const movement = /[\r\b\ufffe\uffff]/
/* biome-ignore-end lint/suspicious/noControlCharactersInRegex: up to here */

/**
 * Carriage returns are applied, escape sequences removed, repeated lines counted, and characters that cannot be seen
 * written as their numbers.
 */
export class OutputCleaner {
  /** The beginning of an escape sequence, or a carriage return that may belong to a line end. */
  #rest = ''
  /** The unfinished line, and where in it the next character goes. */
  #line = ''
  #column = 0
  #last: string | undefined
  #equal = 0

  /** The text that will not change any more: whole lines, unless a line is very long. */
  push(text: string): string {
    const whole = this.#rest + text
    const cut = unfinishedAt(whole)
    this.#rest = whole.slice(cut)
    return this.#settle(withoutSequences(whole.slice(0, cut)))
  }

  /** What follows the settled text so far: how often its last line was repeated, and the unfinished line. */
  get pending(): string {
    return this.#repetition() + visibleText(this.#line)
  }

  /** The last text; nothing is pending afterwards. */
  end(): string {
    const rest = this.#rest.replaceAll(sequenceStart, '')
    this.#rest = ''
    const settled = this.#settle(rest) + this.#repetition() + visibleText(this.#line)
    this.#line = ''
    this.#equal = 0
    return settled
  }

  #settle(text: string): string {
    const first = text.indexOf('\n') + 1
    const last = text.lastIndexOf('\n') + 1
    const settled = first === 0 ? '' : this.#finish(text.slice(0, first - 1)) + this.#finishAll(text.slice(first, last))
    this.#write(text.slice(last))
    return this.#line.length > LONGEST_LINE ? settled + this.#cut() : settled
  }

  /** Whole lines, of which most outputs are made: nothing is done to each unless something has to be. */
  #finishAll(text: string): string {
    if (text === '') return ''
    if (!movement.test(text) && !hasInvisible(text) && !hasEqualNeighbours(text, this.#last ?? '')) {
      const settled = this.#repetition() + text
      this.#last = text.slice(text.lastIndexOf('\n', text.length - 2) + 1, -1)
      this.#equal = 0
      return settled
    }
    let settled = ''
    for (const line of text.slice(0, -1).split('\n')) settled += this.#finish(line)
    return settled
  }

  /** The unfinished line, which is too long to be kept. */
  #cut(): string {
    const settled = this.#repetition() + visibleText(this.#line)
    this.#last = undefined
    this.#equal = 0
    this.#line = ''
    this.#column = 0
    return settled
  }

  #finish(rest: string): string {
    this.#write(rest)
    const line = this.#line
    this.#line = ''
    this.#column = 0
    if (line === this.#last) {
      this.#equal++
      return ''
    }
    const repetition = this.#repetition()
    this.#last = line
    this.#equal = 0
    return `${repetition}${visibleText(line)}\n`
  }

  /** The last line again as often as it was repeated, or how often that was. */
  #repetition(): string {
    if (this.#equal === 0) return ''
    if (this.#equal < MAX_EQUAL) return `${visibleText(this.#last ?? '')}\n`.repeat(this.#equal)
    return `[the line above ${this.#equal} more times]\n`
  }

  #write(text: string): void {
    if (text === '') return
    if (!movement.test(text)) return this.#overwrite(text)
    for (const part of text.split(/([\r\b\ufffe\uffff])/)) {
      if (part === '\r') this.#column = 0
      else if (part === '\b') this.#column = Math.max(0, this.#column - 1)
      else if (part === ERASE_REST) this.#line = this.#line.slice(0, this.#column)
      else if (part === ERASE_LINE) this.#line = ' '.repeat(this.#column)
      else this.#overwrite(part)
    }
  }

  #overwrite(text: string): void {
    const end = this.#column + text.length
    this.#line = this.#line.slice(0, this.#column) + text + this.#line.slice(end)
    this.#column = end
  }
}

function withoutSequences(text: string): string {
  // A carriage return before a line end moves nothing.
  const lines = text.includes('\r') ? text.replaceAll(/\r+\n/g, '\n') : text
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (!/[\u001b\u0090\u0098\u009b\u009d-\u009f]/.test(lines)) return lines
  return lines
    .replaceAll(eraseSequence, (_, which: string) => {
      if (which === '2') return ERASE_LINE
      return which === '1' ? '' : ERASE_REST
    })
    .replaceAll(escapeSequence, '')
}

/** Whether one of the lines is equal to the one before it; `before` is the one before the first. */
function hasEqualNeighbours(lines: string, before: string): boolean {
  if (lines.startsWith(`${before}\n`)) return true
  let [start, length] = [0, -1]
  for (let end = lines.indexOf('\n'); end >= 0; end = lines.indexOf('\n', start)) {
    if (end - start === length && isRepeated(lines, start, length)) return true
    length = end - start
    start = end + 1
  }
  return false
}

/** Whether so many characters are those of the line before. In place, because slices of each line would be garbage. */
function isRepeated(lines: string, start: number, length: number): boolean {
  const before = start - length - 1
  for (let at = 0; at < length; at++) if (lines.charCodeAt(start + at) !== lines.charCodeAt(before + at)) return false
  return true
}

/** Where the text ends with something of which more has to come. */
function unfinishedAt(text: string): number {
  const from = Math.max(0, text.length - LONGEST_SEQUENCE)
  const end = text.slice(from)
  const string = [...end.matchAll(stringStart)].find(({ index }) => !stringEnd.test(end.slice(index + 1)))
  if (string) return from + string.index
  const unfinished = unfinishedSequence.exec(end)
  if (unfinished) return from + unfinished.index
  return text.endsWith('\r') ? text.length - 1 : text.length
}

/** What cannot be seen or would move the cursor is written as its number; of text that only a model sees, how long it is. */
export function visibleText(line: string): string {
  const marks = {
    hidden: (found: string) => `[${[...found].length} hidden characters]`,
    invisible: asNumber,
    control: asNumber,
  }
  return markInvisible(line, marks)
}

function asNumber(found: string): string {
  const number = found.codePointAt(0) ?? 0
  return number < 256 ? `\\x${number.toString(16).padStart(2, '0')}` : `\\u{${number.toString(16)}}`
}

/** What of an output of this size the model is shown: the whole where it is short, and otherwise its two ends. */
export function excerptOf(sizeChars: number): readonly (readonly [from: number, end: number])[] {
  if (sizeChars <= HEAD_CHARS + TAIL_CHARS) return [[0, sizeChars]]
  return [
    [0, HEAD_CHARS],
    [sizeChars - TAIL_CHARS, sizeChars],
  ]
}

/** The words between the two ends of a long output; `id` is that of the command. */
export function leftOutText(leftOutChars: number, from: number, id: number): string {
  const size = leftOutChars.toLocaleString('en')
  return `… ${size} characters left out; check_command with id ${id} and from ${from} pages them …`
}
