// `findSymbolTool`: `find_symbol`, with which the model asks the languages of the editor where something is defined and used.

import { linesOf } from '../workspace/lineHunks.ts'
import { modelText } from '../workspace/modelText.ts'
import type { TextFiles } from '../workspace/textFiles.ts'
import { shownPath } from './listFilesTool.ts'
import { cutLine } from './numberedLines.ts'
import type { Tool, ToolInput, ToolOutput } from './tool.ts'
import { textIn } from './toolInput.ts'
import { errorOutput, textOutput } from './toolOutput.ts'
import { count, quoted, type ToolFile, type ToolPaths } from './toolPaths.ts'

/** Lines and characters from 0. */
export interface SymbolPlace {
  readonly uri: string
  readonly line: number
  readonly character: number
}

export interface NamedSymbol extends SymbolPlace {
  readonly name: string
  /** Such as `function`. */
  readonly kind: string
  /** The symbol that it belongs to. */
  readonly container?: string
}

export interface OutlineSymbol {
  readonly name: string
  readonly kind: string
  readonly line: number
  readonly lastLine: number
  /** How many symbols it is inside of. */
  readonly depth: number
}

/** What the languages of the editor know. Undefined where none answers in time. */
export interface SymbolPlaces {
  outline(uri: string, signal: AbortSignal): Promise<readonly OutlineSymbol[] | undefined>
  named(name: string, signal: AbortSignal): Promise<readonly NamedSymbol[] | undefined>
  definitions(at: SymbolPlace, signal: AbortSignal): Promise<readonly SymbolPlace[] | undefined>
  references(at: SymbolPlace, signal: AbortSignal): Promise<readonly SymbolPlace[] | undefined>
}

export interface FindSymbolPorts {
  readonly paths: ToolPaths
  readonly files: Pick<TextFiles, 'read'>
  readonly symbols: SymbolPlaces
}

const MOST_PLACES = 100
const MOST_OUTLINE = 300
/** Of files that are read to show the lines. */
const MOST_FILES = 30

const forms = ['definition', 'references', 'outline', 'workspace'] as const

export function findSymbolTool(ports: FindSymbolPorts): Tool {
  return {
    name: 'find_symbol',
    description:
      'Asks the languages of the editor: where a name is defined, where it is used, which symbols a file has (outline), or ' +
      'which symbols of the workspace have a name. More exact than search_text where the language is known. With path and ' +
      `line, the name at that place is meant. At most ${MOST_PLACES} places a call.`,
    parameters: {
      properties: {
        find: { type: 'string', enum: forms },
        name: { type: 'string', description: 'Not needed for an outline' },
        path: { type: 'string', description: 'The file of an outline, or one in which the name is' },
        line: { type: 'integer', minimum: 1, description: 'A line of path with the name' },
      },
      required: ['find'],
    },
    rights: 'read',
    run: (input, _, signal) => new Finder(ports, signal).run(input),
  }
}

interface ReadFile {
  readonly file: ToolFile
  readonly lines: readonly string[]
}

class Finder {
  readonly #ports: FindSymbolPorts
  readonly #signal: AbortSignal
  readonly #read = new Map<string, Promise<ReadFile | string>>()

  constructor(ports: FindSymbolPorts, signal: AbortSignal) {
    this.#ports = ports
    this.#signal = signal
  }

  async run(input: ToolInput): Promise<ToolOutput> {
    const places = this.#ports.paths.places(undefined)
    if (places.is === 'refused') return errorOutput(places.output)
    const [name, path] = [textIn(input, 'name'), textIn(input, 'path')]
    if (input['find'] === 'outline') {
      if (path === undefined) return errorOutput('An outline needs a file. No path was given. Call again with path.')
      return this.#outline(path)
    }
    if (name === undefined)
      return errorOutput('No name was given. Only an outline is found without one. Call again with name.')
    if (input['find'] === 'workspace') return this.#workspace(name)
    const at = path === undefined ? await this.#declared(name) : await this.#placeIn(path, name, input['line'])
    if ('content' in at) return at
    const { symbols } = this.#ports
    const isDefinition = input['find'] === 'definition'
    const found = await (isDefinition ? symbols.definitions(at, this.#signal) : symbols.references(at, this.#signal))
    if (!found) return errorOutput(noLanguage(name))
    if (found.length === 0)
      return textOutput(`No ${isDefinition ? 'definition' : 'reference'} of ${quoted(name)} was found.`)
    return textOutput(await this.#placesText(found))
  }

  async #outline(path: string): Promise<ToolOutput> {
    const read = await this.#readFile(path)
    if (typeof read === 'string') return errorOutput(read)
    const found = await this.#ports.symbols.outline(read.file.uri, this.#signal)
    if (!found) return errorOutput(noLanguage(path))
    if (found.length === 0) return textOutput(`${shownPath(read.file.path)} has no symbols.`)
    const rows = found.slice(0, MOST_OUTLINE).map(({ name, kind, line, lastLine, depth }) => {
      const lines = line === lastLine ? `${line + 1}` : `${line + 1} to ${lastLine + 1}`
      return `${'  '.repeat(depth)}${kind} ${modelText(name).text}, ${lines}`
    })
    const more = found.length > MOST_OUTLINE ? [`${count(found.length - MOST_OUTLINE)} more symbols`] : []
    return textOutput([`${shownPath(read.file.path)}, symbols with their lines`, ...rows, ...more].join('\n'))
  }

  async #workspace(name: string): Promise<ToolOutput> {
    const found = await this.#ports.symbols.named(name, this.#signal)
    if (!found) return errorOutput(noLanguage(name))
    const inside = found.filter(({ uri }) => this.#ports.paths.shortPath(uri) !== undefined)
    if (inside.length === 0) return textOutput(`No symbol of the workspace has a name like ${quoted(name)}.`)
    const rows = await Promise.all(inside.slice(0, MOST_PLACES).map(one => this.#symbolRow(one)))
    const shown = rows.filter(row => row !== undefined)
    const left = rows.length - shown.length
    const leftText = left > 0 ? [`${left} in secret or ignored files are not shown.`] : []
    return textOutput([...shown, ...moreText(inside.length), ...leftText].join('\n'))
  }

  /** Undefined for a file about which the user is asked: the name of a symbol may be a value in it. */
  async #symbolRow({ uri, line, kind, name, container }: NamedSymbol): Promise<string | undefined> {
    const path = this.#ports.paths.shortPath(uri) ?? ''
    if (typeof (await this.#readFile(path)) === 'string') return undefined
    const within = container ? ` in ${modelText(container).text}` : ''
    return `${shownPath(path)}:${line + 1} ${kind} ${modelText(name).text}${within}`
  }

  /** Where a symbol of exactly this name is declared. */
  async #declared(name: string): Promise<SymbolPlace | ToolOutput> {
    const found = await this.#ports.symbols.named(name, this.#signal)
    const exact = (found ?? []).filter(one => one.name.replace(/\(.*$/, '') === name)
    const [only, another] = exact
    if (only && !another) return this.#nameIn(only, name)
    if (only) {
      const choices = exact.slice(0, 10).map(one => `${this.#pathOf(one.uri)}:${one.line + 1}`)
      return errorOutput(
        `Several symbols are named ${quoted(name)}. They are at ${choices.join(', ')}. Call again with path and line of one.`,
      )
    }
    return errorOutput(
      `No language of the editor knows a symbol ${quoted(name)}. It may have read no file with it yet. ` +
        'Find a line with search_text, and call again with its path and line.',
    )
  }

  /** The range of a declaration may begin before its name. */
  async #nameIn(place: SymbolPlace, name: string): Promise<SymbolPlace> {
    const path = this.#ports.paths.shortPath(place.uri)
    const read = path === undefined ? '' : await this.#readFile(path)
    const lines = typeof read === 'string' ? [] : read.lines
    for (let line = place.line; line < Math.min(place.line + 5, lines.length); line++) {
      const character = characterOf(lines[line] ?? '', name, line === place.line ? place.character : 0)
      if (character >= 0) return { uri: place.uri, line, character }
    }
    return place
  }

  async #placeIn(path: string, name: string, line: unknown): Promise<SymbolPlace | ToolOutput> {
    const read = await this.#readFile(path)
    if (typeof read === 'string') return errorOutput(read)
    const { uri } = read.file
    const shown = quoted(read.file.path)
    if (typeof line === 'number') {
      const character = characterOf(read.lines[line - 1] ?? '', name, 0)
      if (character >= 0) return { uri, line: line - 1, character }
    }
    const at = read.lines.findIndex(one => characterOf(one, name, 0) >= 0)
    if (at < 0) {
      return errorOutput(
        `${quoted(name)} is not in ${shown}. The file has ${count(read.lines.length)} lines without it. ` +
          'Find it with search_text first.',
      )
    }
    if (typeof line !== 'number') return { uri, line: at, character: characterOf(read.lines[at] ?? '', name, 0) }
    return errorOutput(
      `${quoted(name)} is not in line ${line} of ${shown}. It is in line ${at + 1}: ${modelText(cutLine(read.lines[at] ?? '')).text}. ` +
        'Call again with a line that has it.',
    )
  }

  /** Each file once, then its lines. */
  async #placesText(found: readonly SymbolPlace[]): Promise<string> {
    const shown = found.slice(0, MOST_PLACES)
    const blocks: string[] = []
    const byFile = [...Map.groupBy(shown, ({ uri }) => uri)]
    for (const [at, [uri, places]] of byFile.entries()) {
      const path = this.#ports.paths.shortPath(uri)
      const numbers = [...new Set(places.map(({ line }) => line))].sort((a, b) => a - b)
      const read = path === undefined || at >= MOST_FILES ? '' : await this.#readFile(path)
      const rows = numbers.map(line => {
        const text = typeof read === 'string' ? undefined : read.lines[line]
        return text === undefined ? `${line + 1}` : `${line + 1}: ${modelText(cutLine(text)).text}`
      })
      blocks.push([this.#pathOf(uri), ...rows].join('\n'))
    }
    return [...blocks, ...moreText(found.length)].join('\n')
  }

  #pathOf(uri: string): string {
    const path = this.#ports.paths.shortPath(uri)
    return path === undefined
      ? `${quoted(uri.slice(uri.lastIndexOf('/') + 1))}, outside of the workspace`
      : shownPath(path)
  }

  #readFile(path: string): Promise<ReadFile | string> {
    const known = this.#read.get(path)
    if (known) return known
    const read = this.#readAnew(path)
    this.#read.set(path, read)
    return read
  }

  /** A text: why the file is not shown. */
  async #readAnew(path: string): Promise<ReadFile | string> {
    const { paths, files } = this.#ports
    const file = await paths.locate(path, this.#signal)
    if (file.is === 'refused') return file.output
    if (!file.found) return paths.missingText(file.path, this.#signal)
    const before = await paths.judge(file, undefined, this.#signal)
    if (before.refusal !== undefined) return before.refusal
    if (before.concerns.length > 0) return askedText(file.path)
    const text = (await files.read(file.uri, undefined, this.#signal))?.text
    if (text === undefined) return `${quoted(file.path)} has no text. It is binary, or has gone. Use another file.`
    const after = await paths.judge(file, text, this.#signal)
    if (after.refusal !== undefined) return after.refusal
    return after.concerns.length > 0 ? askedText(file.path) : { file, lines: linesOf(text) }
  }
}

const askedText = (path: string) =>
  `${quoted(path)} is not looked at here. The user is asked before it is read. Read it with read_file instead.`

const noLanguage = (about: string) =>
  `Nothing is known about ${quoted(about)}. No language of the editor has answered in time, or none is installed for it. ` +
  'Use search_text instead.'

const moreText = (all: number) => (all > MOST_PLACES ? [`${count(all - MOST_PLACES)} more places`] : [])

/** Of the name as a word, where it is one. */
function characterOf(line: string, name: string, from: number): number {
  for (let at = line.indexOf(name, from); at >= 0; at = line.indexOf(name, at + 1)) {
    const [before, after] = [line[at - 1] ?? ' ', line[at + name.length] ?? ' ']
    if (!/[\p{L}\p{N}_$]/u.test(before) && !/[\p{L}\p{N}_$]/u.test(after)) return at
  }
  return -1
}
