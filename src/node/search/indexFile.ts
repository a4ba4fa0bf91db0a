// `IndexFile`: what a `StatIndex` knows, on the disk, in case its window crashes while a command runs.
import { Buffer } from 'node:buffer'
import {
  appendFileSync,
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { listOf, objectOf, parsedJson, textOf } from '../../protocol/json.ts'

const NAME = 'index.jsonl'
/** Longer than the first line can be. */
const HEAD_BYTES = 4_096

/** Each is an array of JSON values. */
export type IndexLine = readonly unknown[]

export class IndexFile {
  readonly #folder: string
  readonly #path: string
  #waiting: string[] = []
  #isWritten = false

  constructor(folder: string) {
    this.#folder = folder
    this.#path = join(folder, NAME)
  }

  /** `note`: for who reads it. */
  write(note: string, lines: Iterable<IndexLine>): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    const text = [JSON.stringify({ note }), ...Array.from(lines, line => JSON.stringify(line))].join('\n')
    writeFileSync(this.#path, text, { mode: 0o600 })
    this.#waiting = []
    this.#isWritten = true
  }

  /** What has come since; `flush` writes it. Nothing where there is no file. */
  add(line: IndexLine): void {
    if (this.#isWritten) this.#waiting.push(`\n${JSON.stringify(line)}`)
  }

  flush(): void {
    if (this.#waiting.length > 0) appendFileSync(this.#path, this.#waiting.join(''))
    this.#waiting = []
  }

  /** A line that was cut is skipped. */
  read(): readonly IndexLine[] {
    const [, ...lines] = readFileSync(this.#path, 'utf8').split('\n')
    return lines.map(line => listOf(parsedJson(line)))
  }

  remove(): void {
    this.#waiting = []
    this.#isWritten = false
    rmSync(this.#path, { force: true })
  }
}

/** Of the file in this folder; undefined where there is none. `time`: of its last line, in milliseconds since 1970. */
export function noteIn(folder: string): { readonly note: string; readonly time: number } | undefined {
  try {
    const file = openSync(join(folder, NAME), 'r')
    try {
      const bytes = Buffer.alloc(HEAD_BYTES)
      const [head = ''] = bytes.toString('utf8', 0, readSync(file, bytes)).split('\n')
      const note = textOf(objectOf(parsedJson(head))?.['note'])
      return note === '' ? undefined : { note, time: fstatSync(file).mtimeMs }
    } finally {
      closeSync(file)
    }
  } catch {
    return undefined
  }
}
