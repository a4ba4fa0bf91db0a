// `TextSearcher`: searches files for a pattern, in their bytes first, and notebooks in their cells.
import { Buffer } from 'node:buffer'
import { statSync } from 'node:fs'
import { hasSecretHead } from '../../core/workspace/exclude.ts'
import { type Matches, type MatchLimits, matchingLines } from '../../core/workspace/matchingLines.ts'
import { isNotebook, shownText } from '../../core/workspace/notebookText.ts'
import type { SearchPattern } from '../../core/workspace/searchPattern.ts'
import { FileBytes, formOf, textOf } from './fileBytes.ts'
import type { Progress } from './progress.ts'

export interface SearcherOptions {
  readonly pattern: SearchPattern
  readonly limits: MatchLimits
  /** A larger file is not searched. */
  readonly mostBytes: number
  readonly progress: Progress
}

/** `secret`: by its content, or because it has another name. */
export type SearchedFile = Matches | 'none' | 'binary' | 'too large' | 'secret' | 'unreadable'

export class TextSearcher {
  readonly #options: SearcherOptions
  readonly #bytes: FileBytes
  readonly #expression: RegExp
  readonly #mayMatch: (bytes: Buffer) => boolean

  constructor(options: SearcherOptions) {
    this.#options = options
    this.#bytes = new FileBytes(options.mostBytes)
    this.#expression = new RegExp(options.pattern.source, `g${options.pattern.flags}`)
    this.#mayMatch = byteTest(options.pattern)
  }

  /** `path`: for the rules about secrets and for who watches. */
  search(file: string, path: string): SearchedFile {
    const bytes = this.#bytes.read(file)
    if (bytes === undefined) return 'unreadable'
    if (bytes === 'too large') return bytes
    const found = this.searchBytes(bytes, path)
    return typeof found !== 'string' && hasOtherName(file) ? 'secret' : found
  }

  searchBytes(bytes: Buffer, path: string): SearchedFile {
    const form = formOf(bytes)
    if (form === 'binary') return form
    // What a notebook shows is written in it with escapes.
    if (form === 'utf8' && !isNotebook(path) && !this.#mayMatch(bytes)) return 'none'
    return this.searchText(textOf(bytes, form), path)
  }

  searchText(written: string, path: string): SearchedFile {
    const { progress, limits } = this.#options
    progress.begin(path)
    const text = shownText(path, written)
    const matches = matchingLines(text, this.#expression, limits)
    progress.end()
    if (matches.count + matches.minified === 0) return 'none'
    return hasSecretHead(path, text) ? 'secret' : matches
  }
}

/** One that may be the name of a secret file, or outside. Only asked about a file with matches, because it takes time. */
function hasOtherName(file: string): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.nlink ?? 1) > 1
}

/** Whether a file may contain a match, by what each match must contain. */
function byteTest({ literals, ignoresCase }: SearchPattern): (bytes: Buffer) => boolean {
  if (literals.length === 0) return () => true
  if (!ignoresCase) {
    const needles = literals.map(text => Buffer.from(text))
    return bytes => needles.some(needle => bytes.includes(needle))
  }
  const isPlain = literals.every(text => /^[\x20-\x7e]+$/.test(text))
  if (!isPlain) return () => true
  const test = new RegExp(literals.map(text => [...text].map(byteOf).join('')).join('|'))
  return bytes => test.test(bytes.toString('latin1'))
}

/** A letter in both cases, as bytes of UTF-8: two letters of ASCII have a third form, which is the Kelvin sign and the long s. */
function byteOf(character: string): string {
  const lower = character.toLowerCase()
  const upper = character.toUpperCase()
  if (lower === 'k') return '(?:[kK]|\\xe2\\x84\\xaa)'
  if (lower === 's') return '(?:[sS]|\\xc5\\xbf)'
  if (lower !== upper) return `[${lower}${upper}]`
  return character.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&')
}
