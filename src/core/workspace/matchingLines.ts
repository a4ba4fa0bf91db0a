// `matchingLines`: the lines of a text that a pattern matches, with the lines around them.

export interface MatchedLine {
  /** From 1. */
  readonly line: number
  readonly text: string
  /** Not matched itself, but near a line that is. */
  readonly isContext?: true
}

export interface Matches {
  readonly lines: readonly MatchedLine[]
  /** How many lines match, also those that are not among `lines`. */
  readonly count: number
  /** Matching lines that are too long to be written by a person. */
  readonly minified: number
}

export interface MatchLimits {
  /** How many lines around each match. */
  readonly context: number
  readonly mostLines: number
  /** Counted no further. */
  readonly mostCounted: number
}

/** A longer line is that of a minified or generated file. */
export const LONGEST_LINE_CHARS = 2_000
/** A longer line is cut around its first match. */
export const SHOWN_LINE_CHARS = 300
/** Of a match with several lines. */
const MOST_LINES_OF_MATCH = 5

/** `expression` has the flag `g`. */
export function matchingLines(text: string, expression: RegExp, limits: MatchLimits): Matches {
  const found = new Map<number, MatchedLine>()
  const lines = new LineCounter(text)
  let count = 0
  let shown = 0
  let minified = 0
  expression.lastIndex = 0
  while (count < limits.mostCounted) {
    const match = expression.exec(text)
    // Behind the last line end there is no line.
    if (!match || (match.index === text.length && text.endsWith('\n')) || text === '') break
    const { start, end } = lines.at(match.index)
    const isLong = end - start > LONGEST_LINE_CHARS
    if (isLong) minified++
    else count++
    if (!isLong && shown < limits.mostLines) {
      shown++
      lines.show(found, match, limits.context)
    }
    // The next line, or the one behind a match that has several.
    const last = match.index + match[0].length
    expression.lastIndex = last > end + 1 ? lineEndFrom(text, last - 1) + 1 : end + 1
    if (expression.lastIndex > text.length) break
  }
  return { lines: [...found.values()].sort((a, b) => a.line - b.line), count, minified }
}

function lineEndFrom(text: string, offset: number): number {
  const end = text.indexOf('\n', offset)
  return end < 0 ? text.length : end
}

interface Line {
  readonly number: number
  readonly start: number
  readonly end: number
}

/** Numbers lines while it goes forward. */
class LineCounter {
  readonly #text: string
  #number = 1
  #start = 0

  constructor(text: string) {
    this.#text = text
  }

  at(offset: number): Line {
    for (let end = this.#end(); end < offset; end = this.#end()) {
      this.#start = end + 1
      this.#number++
    }
    return { number: this.#number, start: this.#start, end: this.#end() }
  }

  show(found: Map<number, MatchedLine>, { index, 0: matched }: RegExpExecArray, context: number): void {
    const first = this.at(index)
    const lineBreaks = matched.slice(0, -1).split('\n').length - 1
    const after = this.#following(first, Math.min(lineBreaks, MOST_LINES_OF_MATCH - 1) + context)
    for (const line of this.#before(first, context)) if (!found.has(line.number)) this.#add(found, line, true, 0)
    for (const line of [first, ...after]) {
      const isContext = line.number > first.number + lineBreaks
      if (!isContext || !found.has(line.number)) this.#add(found, line, isContext, line === first ? index : line.start)
    }
  }

  #add(found: Map<number, MatchedLine>, { number, start, end }: Line, isContext: boolean, at: number): void {
    const text = around(this.#text.slice(start, end).replace(/\r$/, ''), at - start)
    found.set(number, isContext ? { line: number, text, isContext } : { line: number, text })
  }

  #before({ number, start }: Line, count: number): Line[] {
    const lines: Line[] = []
    for (let at = start, line = number; lines.length < count && at > 0; ) {
      const end = at - 1
      at = this.#text.lastIndexOf('\n', end - 1) + 1
      if (end === 0) at = 0
      line--
      lines.unshift({ number: line, start: at, end })
    }
    return lines
  }

  #following({ number, end }: Line, count: number): Line[] {
    const lines: Line[] = []
    for (let at = end + 1; lines.length < count && at < this.#text.length; ) {
      const next = lineEndFrom(this.#text, at)
      lines.push({ number: number + lines.length + 1, start: at, end: next })
      at = next + 1
    }
    return lines
  }

  #end(): number {
    return lineEndFrom(this.#text, this.#start)
  }
}

/** A part of the line that has the match in it. */
function around(line: string, at: number): string {
  if (line.length <= SHOWN_LINE_CHARS) return line
  const start = Math.max(0, Math.min(at - SHOWN_LINE_CHARS / 3, line.length - SHOWN_LINE_CHARS))
  const from = isLowSurrogate(line, start) ? start + 1 : start
  const end = from + SHOWN_LINE_CHARS
  const to = isLowSurrogate(line, end) ? end - 1 : end
  return `${from > 0 ? '…' : ''}${line.slice(from, to)}${to < line.length ? '…' : ''}`
}

const isLowSurrogate = (text: string, at: number) => (text.charCodeAt(at) & 0xfc00) === 0xdc00
