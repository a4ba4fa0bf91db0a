// `findPlaces`: where in a text another text is, exactly or but for white space and typography. Never by likeness.
import type { TextRange } from '../workspace/replacement.ts'
import { type IndentShift, indentOf, indentShift } from './indentShift.ts'

/**
 * 1: exact. 2: but for white space at the ends of lines. 3: but for one constant indentation. 4: but for typographic
 * quotes, dashes and spaces. 5: 2 to 4 together. 6: with `\n`, `\t` and `\"` written out.
 */
export type MatchStep = 1 | 2 | 3 | 4 | 5 | 6

/** `shift`: from the indentation as written to that of the file. */
export interface Place extends TextRange {
  readonly shift?: IndentShift
}

/** All places of the first step that has any. */
export interface Places {
  readonly step: MatchStep
  readonly places: readonly Place[]
}

/** A text with what the steps need of it, made once for all edits of a call. */
export class SearchedText {
  readonly text: string
  #lines: readonly LineKey[] | undefined
  #plain: string | undefined

  constructor(text: string) {
    this.text = text
  }

  get lines(): readonly LineKey[] {
    this.#lines ??= lineKeys(this.text)
    return this.#lines
  }

  /** With typographic characters as plain ones; of the same length. */
  get plain(): string {
    this.#plain ??= plain(this.text)
    return this.#plain
  }
}

/** The text needs no line end at its end. `replacement`: what comes in its place, whose indentation must have a place too. */
export function findPlaces(searched: SearchedText, wanted: string, replacement: string): Places | undefined {
  const exact = exactPlaces(searched.text, wanted)
  const [first] = exact
  if (first) return { step: 1, places: exact.length > 1 ? exact : [first, ...twinsOf(searched, wanted, first)] }
  const block = new Block(wanted, replacement)
  const candidates = block.candidates(searched)
  const loosely = () =>
    candidates.flatMap(at => block.placeBut(searched, at, { trailing: true, indent: true, typography: true }))
  const steps: readonly (readonly [MatchStep, () => Place[]])[] = [
    [2, () => candidates.flatMap(at => block.placeBut(searched, at, { trailing: true }))],
    [3, () => candidates.flatMap(at => block.placeBut(searched, at, { indent: true }))],
    [4, () => plainPlaces(searched, wanted)],
    [5, loosely],
  ]
  for (const [step, find] of steps) {
    const places = find()
    const [only, ...others] = places
    if (!only) continue
    // Where the indentation is wrong already, it does not show that another place was not meant.
    const twins = step === 3 && others.length === 0 ? loosely().filter(one => isApart(one, only)) : []
    return { step, places: [...places, ...twins] }
  }
  return undefined
}

const isApart = (one: TextRange, other: TextRange) => one.end <= other.start || one.start >= other.end

/**
 * The other places of a text that is exactly at one, where only white space at the ends of lines or typography differs. A
 * model does not see these, so it may mean either place.
 */
function twinsOf({ text }: SearchedText, wanted: string, place: TextRange): Place[] {
  const lines = plain(wanted).replace(/\n$/, '').split('\n')
  const longest = lines.reduce(
    (best, line, at) => (line.trim().length > (lines[best]?.trim().length ?? 0) ? at : best),
    0,
  )
  const body = lines[longest]?.trim() ?? ''
  if (body === '') return []
  const twins: Place[] = []
  const starts = lines.length > 1 ? linesWith(text, body) : []
  for (const start of new Set([...starts, ...typographicLines(text, body)])) {
    const twin = twinAt(text, lines, longest, start)
    if (twin && isApart(twin, place)) twins.push(twin)
  }
  return twins
}

/** Where the lines begin that have the text. */
function linesWith(text: string, body: string): number[] {
  const starts: number[] = []
  for (let at = text.indexOf(body); at >= 0; at = text.indexOf(body, at + body.length)) starts.push(lineStart(text, at))
  return starts
}

/** Where the lines begin that have the text with typographic characters. */
function typographicLines(text: string, body: string): number[] {
  const starts: number[] = []
  const search = new RegExp(TYPOGRAPHY.source, 'g')
  for (let found = search.exec(text); found; found = search.exec(text)) {
    const start = lineStart(text, found.index)
    const end = lineEnd(text, start)
    if (plain(text.slice(start, end)).includes(body)) starts.push(start)
    search.lastIndex = end
  }
  return starts
}

const lineStart = (text: string, at: number) => (at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1)

function lineEnd(text: string, start: number): number {
  const found = text.indexOf('\n', start)
  return found < 0 ? text.length : found
}

/** `at`: where the line with the number `known` begins. */
function twinAt(text: string, lines: readonly string[], known: number, at: number): Place | undefined {
  let start = at
  for (let index = 0; index < known; index++) {
    if (start === 0) return undefined
    start = lineStart(text, start - 1)
  }
  const begin = start
  let end = start
  for (const [index, line] of lines.entries()) {
    if (start > text.length) return undefined
    end = lineEnd(text, start)
    if (!isTwin(plain(text.slice(start, end)), line, index === 0, index === lines.length - 1)) return undefined
    start = end + 1
  }
  return { start: begin, end }
}

/** The first line may begin and the last one end within a line. */
function isTwin(own: string, line: string, isFirst: boolean, isLast: boolean): boolean {
  if (isFirst && isLast) return own.includes(line.trimEnd())
  if (isFirst) return own.trimEnd().endsWith(line.trimEnd())
  return isLast ? own.startsWith(line.trimEnd()) : own.trimEnd() === line.trimEnd()
}

/** Those that overlap are all counted: which one is meant cannot be known. */
export function exactPlaces(text: string, wanted: string): Place[] {
  const places: Place[] = []
  if (wanted === '') return places
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    places.push({ start: at, end: at + wanted.length })
  }
  return places
}

/** One level of escapes undone; undefined where there is none, or the text has real line breaks. */
export function unescaped(text: string): string | undefined {
  if (text.includes('\n') || !/\\[nt"]/.test(text)) return undefined
  const characters: Readonly<Record<string, string>> = { n: '\n', t: '\t' }
  return text.replaceAll(/\\([nt"\\])/g, (_, letter: string) => characters[letter] ?? letter)
}

const TYPOGRAPHY = /[\u00a0\u2002-\u200a\u2010-\u2015\u2018-\u201f\u202f\u2032\u2033\u205f\u2212\u3000]/g
const HAS_TYPOGRAPHY = new RegExp(TYPOGRAPHY.source)

/** Of the same length. */
export function plain(text: string): string {
  if (!HAS_TYPOGRAPHY.test(text)) return text
  return text
    .replaceAll(/[\u2010-\u2015\u2212]/g, '-')
    .replaceAll(/[\u2018-\u201b\u2032]/g, "'")
    .replaceAll(/[\u201c-\u201f\u2033]/g, '"')
    .replaceAll(/[\u00a0\u2002-\u200a\u202f\u205f\u3000]/g, ' ')
}

function plainPlaces(searched: SearchedText, wanted: string): Place[] {
  const plainWanted = plain(wanted)
  if (plainWanted === wanted && searched.plain === searched.text) return []
  return exactPlaces(searched.plain, plainWanted)
}

/** One line without its line end. `key`: without outer white space and typography. */
interface LineKey {
  readonly start: number
  readonly end: number
  readonly key: string
}

function lineKeys(text: string): LineKey[] {
  const lines: LineKey[] = []
  for (let start = 0; ; ) {
    const found = text.indexOf('\n', start)
    const end = found < 0 ? text.length : found
    lines.push({ start, end, key: plain(text.slice(start, end)).trim() })
    if (found < 0) return lines
    start = end + 1
  }
}

interface Tolerance {
  readonly trailing?: boolean
  readonly indent?: boolean
  readonly typography?: boolean
}

/** Whole lines that are looked for. */
class Block {
  readonly #lines: readonly string[]
  readonly #keys: readonly string[]
  readonly #newIndents: readonly string[]
  /** The text ends with a line end, which belongs to the place. */
  readonly #isEnded: boolean

  constructor(wanted: string, replacement: string) {
    const lines = wanted.split('\n')
    this.#isEnded = lines.length > 1 && lines.at(-1) === ''
    if (this.#isEnded) lines.pop()
    this.#lines = lines
    this.#keys = lines.map(line => plain(line).trim())
    this.#newIndents = replacement
      .split('\n')
      .filter(line => line.trim() !== '')
      .map(indentOf)
  }

  /** The lines where a place may begin. */
  candidates({ lines }: SearchedText): number[] {
    const rarest = this.#keys.reduce((best, key, at) => (key.length > (this.#keys[best]?.length ?? 0) ? at : best), 0)
    const wanted = this.#keys[rarest]
    if (!wanted) return []
    const found: number[] = []
    for (const [at, { key }] of lines.entries()) {
      if (key !== wanted) continue
      const first = at - rarest
      if (first >= 0 && this.#keys.every((one, index) => lines[first + index]?.key === one)) found.push(first)
    }
    return found
  }

  placeBut({ text, lines }: SearchedText, first: number, but: Tolerance): Place[] {
    const own = lines.slice(first, first + this.#lines.length).map(({ start, end }) => text.slice(start, end))
    const pairs = this.#lines.map((line, at) => [line, own[at] ?? ''] as const).filter(([line]) => line.trim() !== '')
    const shift = but.indent
      ? indentShift(
          pairs.map(([line]) => indentOf(line)),
          pairs.map(([, line]) => indentOf(line)),
        )
      : (indent: string) => indent
    if (!shift || this.#newIndents.some(indent => shift(indent) === undefined)) return []
    const compared = (line: string) => {
      const body = but.indent ? line.slice(indentOf(line).length) : line
      const kept = but.trailing ? body.trimEnd() : body
      return but.typography ? plain(kept) : kept
    }
    if (!pairs.every(([line, mine]) => compared(line) === compared(mine))) return []
    const [from, last] = [lines[first], lines[first + this.#lines.length - 1]]
    if (!from || !last) return []
    const end = this.#isEnded ? Math.min(last.end + 1, text.length) : last.end
    return [{ start: from.start, end, ...(but.indent && { shift }) }]
  }
}
