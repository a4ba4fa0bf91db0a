// `FuzzyQuery`: how well a path fits what was typed, as the editor's own search for files ranks it.

/** A path as it is searched; made once for each. */
export interface SearchedPath {
  readonly path: string
  /** In lower case, with the same offsets. */
  readonly lower: string
  /** Where its last name begins. */
  readonly nameStart: number
  /** Which characters it has, and which of them its name has. */
  readonly mask: number
  readonly nameMask: number
}

export function searchedPath(path: string): SearchedPath {
  const lower = lowered(path)
  const nameStart = path.lastIndexOf('/', path.length - 2) + 1
  const nameMask = maskOf(lower, nameStart)
  return { path, lower, nameStart, nameMask, mask: nameMask | maskOf(lower, 0, nameStart) }
}

/** Some letters become two in lower case, which would shift the offsets. */
function lowered(text: string): string {
  const lower = text.toLowerCase()
  return lower.length === text.length ? lower : text
}

/** One bit for each letter, one for the digits, one for each usual sign, and one for all the rest. */
function maskOf(lower: string, from = 0, to = lower.length): number {
  let mask = 0
  for (let at = from; at < to; at++) mask |= bitOf(lower.charCodeAt(at))
  return mask
}

function bitOf(unit: number): number {
  if (unit >= 97 && unit <= 122) return 1 << (unit - 97)
  if (unit >= 48 && unit <= 57) return 1 << 26
  if (unit === 47) return 1 << 27
  if (unit === 46) return 1 << 28
  if (unit === 45 || unit === 95) return 1 << 29
  return 1 << 30
}

interface Term {
  readonly text: string
  readonly lower: string
  readonly mask: number
  readonly hasSlash: boolean
  /** What follows the last slash, in lower case: the beginning of a name. */
  readonly name: string
}

/** A match within the name always ranks before one in the folders. */
const nameBonus = 1 << 16
const prefixBonus = 1 << 17
/** A whole name, with or without its ending. */
const wholeBonus = 1 << 18

const score = { character: 1, sameCase: 1, run: 5, longRun: 2, start: 8, folder: 6, word: 4, camel: 2 } as const
const LONG_RUN = 4

export class FuzzyQuery {
  /** For comparison with another query. */
  readonly text: string
  readonly #terms: readonly Term[]
  readonly #mask: number
  readonly #alignment = new Alignment()

  /** White space separates terms, all of which must match; a backslash is a slash. */
  constructor(text: string) {
    this.text = text.trim().replaceAll('\\', '/')
    this.#terms = this.text
      .split(/\s+/)
      .filter(term => term !== '')
      .map(termOf)
    this.#mask = this.#terms.reduce((all, { mask }) => all | mask, 0)
  }

  get isEmpty(): boolean {
    return this.#terms.length === 0
  }

  /** Whether each path that this query matches is also matched by the earlier one. */
  narrows(earlier: FuzzyQuery): boolean {
    return this.text.startsWith(earlier.text)
  }

  /** Higher is better; 0: no match. */
  scoreOf(searched: SearchedPath): number {
    if ((searched.mask & this.#mask) !== this.#mask) return 0
    let sum = 0
    for (const term of this.#terms) {
      const one = this.#scoreOfTerm(searched, term)
      if (one === 0) return 0
      sum += one
    }
    return sum
  }

  #scoreOfTerm(searched: SearchedPath, term: Term): number {
    const from = startOf(searched, term)
    const asTyped = placeAsTyped(searched, from, term)
    if (asTyped >= 0) return scoreAsTyped(searched, asTyped, term) + nameRank(searched, from, term)
    if (!isWithin(term.lower, searched.lower, from)) return 0
    return this.#alignment.score(searched, from, term) + nameRank(searched, from, term)
  }

  #positionsOfTerm(searched: SearchedPath, term: Term): number[] {
    const from = startOf(searched, term)
    const asTyped = placeAsTyped(searched, from, term)
    if (asTyped >= 0) return Array.from(term.lower, (_, at) => asTyped + at)
    this.#alignment.score(searched, from, term)
    return this.#alignment.columns(searched.lower.length - from, term.lower.length).map(at => from + at)
  }

  /** Offsets in the path of the characters that are matched, ascending; for a path that matches. */
  positionsIn(searched: SearchedPath): number[] {
    const found = new Set<number>()
    for (const term of this.#terms) for (const at of this.#positionsOfTerm(searched, term)) found.add(at)
    return [...found].sort((a, b) => a - b)
  }
}

function termOf(text: string): Term {
  const lower = lowered(text)
  return {
    text,
    lower,
    mask: maskOf(lower),
    hasSlash: text.includes('/'),
    name: lower.slice(lower.lastIndexOf('/') + 1),
  }
}

/** The name alone where the term is found in it. */
function startOf({ lower, nameStart, nameMask }: SearchedPath, term: Term): number {
  const isInName = !term.hasSlash && (nameMask & term.mask) === term.mask && isWithin(term.lower, lower, nameStart)
  return isInName ? nameStart : 0
}

function nameRank({ lower, nameStart }: SearchedPath, from: number, { name, hasSlash }: Term): number {
  const isBeginning = name !== '' && lower.startsWith(name, nameStart)
  if (!isBeginning) return from === nameStart && !hasSlash ? nameBonus : 0
  const end = nameStart + name.length
  const isWhole = end === lower.length || lower.charCodeAt(end) === 46
  return isWhole ? wholeBonus : prefixBonus
}

/** Where the whole term is, at the beginning of a word if it can be; -1 where its characters are apart. */
function placeAsTyped(searched: SearchedPath, from: number, term: Term): number {
  const first = searched.lower.indexOf(term.lower, from)
  if (first < 0) return -1
  const last = searched.lower.lastIndexOf(term.lower)
  return scoreAsTyped(searched, last, term) > scoreAsTyped(searched, first, term) ? last : first
}

function scoreAsTyped({ path }: SearchedPath, from: number, { text }: Term): number {
  let sum = 0
  for (let at = 0; at < text.length; at++) sum += scoreAt(path, from + at, at, text.charCodeAt(at))
  return sum
}

function isWithin(term: string, lower: string, from: number): boolean {
  let at = from
  for (let index = 0; index < term.length; index++) {
    at = lower.indexOf(term[index] ?? '', at) + 1
    if (at === 0) return false
  }
  return true
}

/** `run`: how many characters directly before this one are matched. */
function scoreAt(path: string, at: number, run: number, typed: number): number {
  const unit = path.charCodeAt(at)
  const isSameCase = unit === typed ? score.sameCase : 0
  const runs = run > 0 ? runScore(run) : 0
  return score.character + isSameCase + Math.max(runs, placeScore(path, at, unit))
}

const runScore = (run: number) => score.run + (run < LONG_RUN ? score.longRun * run : score.longRun * LONG_RUN)

function placeScore(path: string, at: number, unit: number): number {
  if (at === 0) return score.start
  const before = path.charCodeAt(at - 1)
  if (before === 47) return score.folder
  // A hyphen, an underscore, a dot, a space.
  if (before === 45 || before === 95 || before === 46 || before === 32) return score.word
  const isUpper = unit >= 65 && unit <= 90
  const isAfterUpper = before >= 65 && before <= 90
  return isUpper && !isAfterUpper ? score.camel : 0
}

/** The best way to find the characters of a term in a path. It keeps its room for the next one. */
class Alignment {
  #scores = new Int32Array(4_096)
  #runs = new Int32Array(4_096)

  /** The best sum of scores over all ways to find the characters in this order, from the offset on. */
  score({ path, lower }: SearchedPath, from: number, term: Term): number {
    const width = lower.length - from
    const size = width * term.lower.length
    if (this.#scores.length < size) this.#grow(size)
    const scores = this.#scores
    const runs = this.#runs
    for (let row = 0; row < term.lower.length; row++) {
      const unit = term.lower.charCodeAt(row)
      const typed = term.text.charCodeAt(row)
      for (let column = 0; column < width; column++) {
        const cell = row * width + column
        const left = column > 0 ? (scores[cell - 1] ?? 0) : 0
        const hasBefore = row > 0 && column > 0
        const before = hasBefore ? (scores[cell - width - 1] ?? 0) : 0
        const isMatch = lower.charCodeAt(from + column) === unit && (row === 0 || before > 0)
        const run = hasBefore ? (runs[cell - width - 1] ?? 0) : 0
        const here = isMatch ? before + scoreAt(path, from + column, run, typed) : 0
        const isBetter = isMatch && here >= left
        scores[cell] = isBetter ? here : left
        runs[cell] = isBetter ? run + 1 : 0
      }
    }
    return scores[size - 1] ?? 0
  }

  /** The columns of the last alignment, the last one first. */
  columns(width: number, rows: number): number[] {
    const columns: number[] = []
    let row = rows - 1
    for (let column = width - 1; row >= 0 && column >= 0; column--) {
      if ((this.#runs[row * width + column] ?? 0) === 0) continue
      columns.push(column)
      row--
    }
    return columns
  }

  #grow(size: number): void {
    this.#scores = new Int32Array(size)
    this.#runs = new Int32Array(size)
  }
}
