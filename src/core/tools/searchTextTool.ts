// `searchTextTool`: `search_text`, with which the model finds lines in the files of the workspace.

import { marksNote, modelText } from '../workspace/modelText.ts'
import { readPattern } from '../workspace/searchPattern.ts'
import type { FoundFile, FoundText, TreeSearch, UnsavedText } from '../workspace/treeSearch.ts'
import { shownPath, timeText } from './listFilesTool.ts'
import type { Tool, ToolInput, ToolOutput } from './tool.ts'
import { numberIn, textIn } from './toolInput.ts'
import { errorOutput } from './toolOutput.ts'
import { count, quoted } from './toolPaths.ts'
import type { TreePlaces } from './treePlaces.ts'

export interface SearchTextPorts {
  readonly places: TreePlaces
  readonly search: Pick<TreeSearch, 'search'>
  /** Texts that the user has not saved. */
  unsaved(): readonly UnsavedText[]
}

const MOST_MATCHES = 100
const MOST_IN_FILE = 20
/** More are not counted. */
const MOST_COUNTED = 2_000
const MOST_CHARS = 48_000
const MOST_FOLDERS = 10
const MOST_NAMED = 3

export function searchTextTool(ports: SearchTextPorts): Tool {
  return {
    name: 'search_text',
    description:
      'Finds the lines that a regular expression of JavaScript matches, in letter case; (?i) in front ignores it. A match ' +
      `is within a line, unless the pattern has \\n. At most ${MOST_MATCHES} lines a call, ${MOST_IN_FILE} of a file; ` +
      'then how many there are in which folder. Ignored, binary and secret files are not searched.',
    parameters: {
      properties: {
        pattern: { type: 'string' },
        literal: { type: 'boolean', description: 'The pattern is plain text' },
        glob: { type: 'string', description: 'Only in files that it fits, such as *.ts; ! in front for all others' },
        path: { type: 'string', description: 'Only in this folder or file' },
        context: { type: 'integer', minimum: 0, maximum: 5, description: 'Lines around each match; 0 without it' },
        limit: { type: 'integer', minimum: 1, description: `How many lines; up to ${MOST_MATCHES}` },
      },
      required: ['pattern'],
    },
    rights: 'read',
    run: (input, _, signal) => searched(ports, input, signal),
  }
}

async function searched(ports: SearchTextPorts, input: ToolInput, signal: AbortSignal): Promise<ToolOutput> {
  const { places, search, unsaved } = ports
  const written = String(input['pattern'])
  const [path, glob] = [textIn(input, 'path'), textIn(input, 'glob')]
  const read = readPattern(written, input['literal'] === true)
  if (read.is === 'invalid') return errorOutput(invalidText(written, read.problem, read.at))
  const found = places.find(path)
  if (found.is === 'refused') return errorOutput(found.output)
  const limits = { context: numberIn(input, 'context') ?? 0, mostInFile: MOST_IN_FILE, mostCounted: MOST_COUNTED }
  const query = { places: found.places, glob, pattern: read.pattern, ...limits, unsaved: unsaved() }
  const result = await search.search(query, signal)
  if ('is' in result) return errorOutput(await places.problemText(path, result, signal))
  const shown = shownFiles(result.files, Math.min(numberIn(input, 'limit') ?? MOST_MATCHES, MOST_MATCHES))
  const total = result.files.reduce((sum, file) => sum + file.count, 0)
  const lines = total > 0 ? [...shown.blocks, totalText(result, total, shown.lines)] : [noneText(result, path, glob)]
  const notes = [...notesOf(result), marksNote(shown)].filter(Boolean)
  return {
    content: [{ kind: 'text', text: [...lines, ...notes].join('\n') }],
    details: { matches: total, files: result.files.length, searched: result.searched },
  }
}

function invalidText(pattern: string, problem: string, at: number): string {
  const before = pattern.slice(0, at)
  const place = before === '' ? 'at its beginning' : `after ${quoted(before)}`
  return (
    `The pattern is no regular expression: ${problem}. The mistake is at character ${at + 1}, ${place}. ` +
    'Correct it, or call with literal: true, which searches for it as plain text.'
  )
}

interface ShownFiles {
  readonly blocks: readonly string[]
  /** How many matching lines there are in the blocks. */
  readonly lines: number
  readonly marked: number
  readonly hidden: number
}

/** Each file as its path and its lines, as long as the limits allow. */
function shownFiles(files: readonly FoundFile[], most: number): ShownFiles {
  const blocks: string[] = []
  let [shown, chars, marked, hidden] = [0, 0, 0, 0]
  for (const { path, lines, count: inFile } of files) {
    const rows: string[] = []
    let [last, matched] = [0, 0]
    for (const { line, text, isContext } of lines) {
      if (shown + (isContext ? 0 : 1) > most || chars > MOST_CHARS) break
      const safe = modelText(text)
      marked += safe.marked
      hidden += safe.hidden
      if (last > 0 && line > last + 1 && lines.some(one => one.isContext)) rows.push('--')
      rows.push(`${line}${isContext ? '-' : ':'} ${safe.text}`)
      last = line
      chars += safe.text.length
      if (isContext) continue
      shown++
      matched++
    }
    if (matched === 0) break
    const rest = inFile > matched ? [`${count(inFile - matched)} more in this file`] : []
    blocks.push([shownPath(path), ...rows, ...rest, ''].join('\n'))
  }
  return { blocks, lines: shown, marked, hidden }
}

function totalText({ files, isCut }: FoundText, total: number, shown: number): string {
  const least = isCut === 'no' ? '' : 'at least '
  const all = `${least}${plural(total, 'matching line')} in ${plural(files.length, 'file')}`
  if (shown === total) return `${all.charAt(0).toUpperCase()}${all.slice(1)}.`
  return `${count(shown)} of ${all} are shown. By folder: ${folderTotals(files)}. Narrow the pattern, glob or path.`
}

/** By the folders in which the paths begin to differ. */
function folderTotals(files: readonly FoundFile[]): string {
  const folders = files.map(({ path }) => path.split('/').slice(0, -1))
  const [first = []] = folders
  const common = first.findIndex((name, at) => folders.some(names => names[at] !== name))
  const depth = (common < 0 ? first.length : common) + 1
  const totals = new Map<string, number>()
  for (const [at, names] of folders.entries()) {
    const folder = names.slice(0, depth).join('/') || '.'
    totals.set(folder, (totals.get(folder) ?? 0) + (files[at]?.count ?? 0))
  }
  const sorted = [...totals].sort(([, a], [, b]) => b - a)
  const rest = sorted.slice(MOST_FOLDERS).reduce((sum, [, one]) => sum + one, 0)
  const named = sorted.slice(0, MOST_FOLDERS).map(([folder, one]) => `${shownPath(folder)} ${count(one)}`)
  return [...named, ...(rest > 0 ? [`others ${count(rest)}`] : [])].join(', ')
}

function noneText({ searched: files, secret }: FoundText, path?: string, glob?: string): string {
  const within = path === undefined ? '' : ` in ${quoted(path)}`
  if (files === 0 && secret === 0 && glob !== undefined)
    return `No file${within} fits ${quoted(glob)}, so nothing was searched. What git ignores is left out.`
  return `No match in ${plural(files, 'file')}${within}. Ignored and secret files were not searched.`
}

function notesOf({ secret, tooLarge, minified, tooSlow, isCut }: FoundText): string[] {
  const named = tooSlow.slice(0, MOST_NAMED).map(quoted).join(', ')
  const notes = [
    secret > 0 && `${plural(secret, 'secret file')} not searched.`,
    tooLarge > 0 && `${plural(tooLarge, 'file')} over 5 MB not searched.`,
    minified > 0 && `${plural(minified, 'matching line')} over 2,000 characters left out.`,
    isCut === 'time' && timeText,
    isCut === 'slow' && `The pattern takes too long, for ${named} and others, so the search was ended. Simplify it.`,
    isCut !== 'slow' && tooSlow.length > 0 && `The pattern takes too long for ${named}, which was skipped.`,
  ]
  return notes.filter(note => note !== false)
}

const plural = (value: number, what: string) => `${count(value)} ${what}${value === 1 ? '' : 's'}`
