// `NotebookText`: a Jupyter notebook as a text of its cells, which can be changed while everything else in the file stays.
import { countOf, listOf, objectOf, parsedJson, textOf } from '../../protocol/json.ts'
import { elementsIn, membersIn, valueAt } from './jsonSpans.ts'
import type { TextRange } from './replacement.ts'

interface Cell {
  readonly kind: string
  readonly id: string
  readonly source: string
}

/** A cell in the file. */
interface PlacedCell extends Cell {
  readonly range: TextRange
  readonly sourceRange: TextRange
  /** The lines of the source are a list, as Jupyter writes them. */
  readonly isList: boolean
}

/** A cell in the text. Without a number it is new. */
interface WrittenCell {
  readonly number: number | undefined
  readonly kind: string
  /** Each line with its line feed. */
  readonly text: string
}

export type NotebookChange =
  | { readonly is: 'changed'; readonly file: string }
  | { readonly is: 'refused'; readonly why: string }

const kinds = ['code', 'markdown', 'raw']
const MARK = '%% cell'
/** `%% cell 3 code id=ab12`, or `%% cell code` for a new one. */
const mark = /^%% cell(?: (\d+))? (code|markdown|raw)(?: id=\S*)?$/
const emptyNotebook = `${JSON.stringify({ cells: [], metadata: {}, nbformat: 4, nbformat_minor: 5 }, null, 1)}\n`
const MOST_OUTPUT_CHARS = 1_000
const MOST_OUTPUTS_CHARS = 6_000

export class NotebookText {
  /** All cells, each after the line that names it. */
  readonly text: string
  readonly #file: string
  readonly #cells: readonly PlacedCell[]
  readonly #cellsRange: TextRange

  private constructor(file: string, cells: readonly PlacedCell[], cellsRange: TextRange) {
    this.#file = file
    this.#cells = cells
    this.#cellsRange = cellsRange
    this.text = cells.map((cell, at) => `${markOf(cell, at)}\n${ended(cell.source)}`).join('')
  }

  /** Undefined where the path or the text is no notebook, or one that cannot be written as such a text. */
  static of(path: string, file: string): NotebookText | undefined {
    if (!isNotebook(path)) return undefined
    const root = objectOf(parsedJson(file))
    if (!root || !Array.isArray(root['cells'])) return undefined
    const range = membersIn(file, valueAt(file, 0).start).get('cells')
    if (!range) return undefined
    const ranges = elementsIn(file, range.start)
    const cells = ranges.flatMap((one, at) => placed(file, one, listOf(root['cells'])[at]) ?? [])
    return cells.length === ranges.length ? new NotebookText(file, cells, range) : undefined
  }

  /** A new notebook with the cells of this text. */
  static create(path: string, text: string): NotebookChange {
    const notebook = NotebookText.of(path, emptyNotebook)
    return notebook ? notebook.with(text) : { is: 'refused', why: 'the path is not that of a notebook' }
  }

  /** The file with the cells as in `text`, a changed form of this text. Outputs and all else of a cell that is kept stay. */
  with(text: string): NotebookChange {
    const written = cellsIn(text)
    if (!written) return { is: 'refused', why: `the first line is none of the lines that begin with "${MARK}"` }
    const fault = this.#faultOf(written)
    if (fault !== undefined) return { is: 'refused', why: fault }
    const isSame = written.length === this.#cells.length && written.every(({ number }, at) => number === at + 1)
    return { is: 'changed', file: isSame ? this.#withSources(written) : this.#withCells(written) }
  }

  /** What the cells have printed when they were run, cut to what is of use; empty for nothing. */
  outputs(): string {
    const cells = listOf(objectOf(parsedJson(this.#file))?.['cells'])
    const shown = cells.flatMap((cell, at) => {
      const outputs = listOf(objectOf(cell)?.['outputs']).map(outputText).filter(Boolean)
      return outputs.length > 0 ? [`Output of cell ${at + 1}:\n${cut(outputs.join('\n'), MOST_OUTPUT_CHARS)}`] : []
    })
    return cut(shown.join('\n'), MOST_OUTPUTS_CHARS)
  }

  #faultOf(written: readonly WrittenCell[]): string | undefined {
    let last = 0
    for (const { number, kind } of written) {
      if (number === undefined) continue
      const cell = this.#cells[number - 1]
      if (!cell) return `there is no cell ${number}`
      if (cell.kind !== kind) return `cell ${number} is a ${cell.kind} cell and stays one`
      if (number <= last) return `cell ${number} stands twice or behind a later one`
      last = number
    }
    return undefined
  }

  #withSources(written: readonly WrittenCell[]): string {
    let file = ''
    let at = 0
    for (const [index, { sourceRange }] of this.#cells.entries()) {
      file += this.#file.slice(at, sourceRange.start) + this.#sourceFor(index, written[index]?.text ?? '')
      at = sourceRange.end
    }
    return file + this.#file.slice(at)
  }

  #sourceFor(index: number, text: string): string {
    const cell = this.#cells[index]
    if (!cell) return ''
    const { start, end } = cell.sourceRange
    if (text === ended(cell.source)) return this.#file.slice(start, end)
    const source = sourceOf(text)
    return cell.isList ? listText(linesIn(source), this.#indentAt(start)) : JSON.stringify(source)
  }

  /** Cells were added or removed, so the list of cells is written anew from the texts of those that stay. */
  #withCells(written: readonly WrittenCell[]): string {
    const { start, end } = this.#cellsRange
    const indent = this.#indentAt(start)
    const cells = written.map(({ number, kind, text }) => {
      const cell = number === undefined ? undefined : this.#cells[number - 1]
      if (!cell || number === undefined) return newCell(kind, sourceOf(text), indent, this.#hasIds)
      const { range, sourceRange } = cell
      const head = this.#file.slice(range.start, sourceRange.start)
      return head + this.#sourceFor(number - 1, text) + this.#file.slice(sourceRange.end, range.end)
    })
    return this.#file.slice(0, start) + joined(cells, indent) + this.#file.slice(end)
  }

  get #hasIds(): boolean {
    const { nbformat, nbformat_minor: minor } = objectOf(parsedJson(this.#file)) ?? {}
    return (countOf(nbformat) ?? 0) > 4 || (countOf(minor) ?? 0) >= 5
  }

  /** How the lines of a list are indented that begins there; undefined where the file has no lines. */
  #indentAt(start: number): Indent | undefined {
    const line = this.#file.slice(this.#file.lastIndexOf('\n', start - 1) + 1, start)
    const unit = /\n([ \t]+)"/.exec(this.#file)?.[1]
    return unit === undefined ? undefined : { unit, outer: /^[ \t]*/.exec(line)?.[0] ?? '' }
  }
}

/** `outer`: of the line on which a value begins; `unit`: what each level adds. */
interface Indent {
  readonly unit: string
  readonly outer: string
}

function placed(file: string, range: TextRange, value: unknown): PlacedCell | undefined {
  const cell = objectOf(value)
  const source = cell?.['source']
  const isList = Array.isArray(source)
  const kind = textOf(cell?.['cell_type'])
  const sourceRange = membersIn(file, range.start).get('source')
  if (!sourceRange || !kinds.includes(kind) || !(isList || typeof source === 'string')) return undefined
  const text = isList ? source.map(textOf).join('') : source
  // A line of the source that looks like the line before a cell would be taken for one.
  if (text.split('\n').some(line => line.startsWith(MARK)) || text.includes('\r')) return undefined
  return { kind, id: textOf(cell?.['id']), source: text, range, sourceRange, isList }
}

function markOf({ kind, id }: Cell, at: number): string {
  return `${MARK} ${at + 1} ${kind}${/^\S+$/.test(id) ? ` id=${id}` : ''}`
}

const ended = (source: string) => (source === '' || source.endsWith('\n') ? source : `${source}\n`)

/** In the text a cell ends with a line feed, which its source need not have. */
const sourceOf = (text: string) => text.replace(/\n$/, '')

function cellsIn(text: string): readonly WrittenCell[] | undefined {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  const cells: { number: number | undefined; kind: string; lines: string[] }[] = []
  for (const line of lines) {
    const [isMark, number, kind = ''] = mark.exec(line) ?? []
    if (isMark !== undefined) cells.push({ number: number === undefined ? undefined : Number(number), kind, lines: [] })
    else if (cells.length === 0) return undefined
    else cells.at(-1)?.lines.push(line)
  }
  return cells.map(({ lines: own, ...cell }) => ({ ...cell, text: own.map(line => `${line}\n`).join('') }))
}

export const isNotebook = (path: string): boolean => /\.ipynb$/i.test(path)

/** The text that a file is shown as to the model: the cells of a notebook, and any other file as it is. */
export const shownText = (path: string, file: string): string => NotebookText.of(path, file)?.text ?? file

const linesIn = (source: string): readonly string[] => source.match(/[^\n]*\n|[^\n]+$/g) ?? []

function listText(lines: readonly string[], indent: Indent | undefined): string {
  return joined(
    lines.map(line => JSON.stringify(line)),
    indent,
  )
}

function joined(values: readonly string[], indent: Indent | undefined): string {
  if (values.length === 0) return '[]'
  if (!indent) return `[${values.join(',')}]`
  const inner = indent.outer + indent.unit
  return `[\n${values.map(value => inner + value).join(',\n')}\n${indent.outer}]`
}

function newCell(kind: string, source: string, indent: Indent | undefined, hasId: boolean): string {
  const id = crypto.randomUUID().slice(0, 8)
  const cell = {
    cell_type: kind,
    ...(kind === 'code' && { execution_count: null }),
    ...(hasId && { id }),
    metadata: {},
    ...(kind === 'code' && { outputs: [] }),
    source: linesIn(source),
  }
  if (!indent) return JSON.stringify(cell)
  return JSON.stringify(cell, null, indent.unit).replaceAll('\n', `\n${indent.outer}${indent.unit}`)
}

function outputText(value: unknown): string {
  const output = objectOf(value)
  const error = listOf(output?.['traceback']).map(textOf)
  if (error.length > 0) return withoutColours(error.join('\n'))
  const data = objectOf(output?.['data'])
  const text = joinedText(output?.['text']) || joinedText(data?.['text/plain'])
  const image = Object.keys(data ?? {}).find(type => type.startsWith('image/'))
  return [withoutColours(text), image && `(an image, ${image})`].filter(Boolean).join('\n').trimEnd()
}

const joinedText = (value: unknown) => (Array.isArray(value) ? value.map(textOf).join('') : textOf(value))

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal begin with this character.
const withoutColours = (text: string) => text.replaceAll(/\u001b\[[\d;]*m/g, '')

const cut = (text: string, most: number) => (text.length > most ? `${text.slice(0, most)}…` : text)
