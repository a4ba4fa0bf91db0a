// `readFileTool`: `read_file`, with which the model reads a file by lines.

import { contentHash } from '../../base/contentHash.ts'
import type { CallConcern } from '../../protocol/conversation.ts'
import { linesOf } from '../workspace/lineHunks.ts'
import { marksNote, modelText } from '../workspace/modelText.ts'
import { NotebookText } from '../workspace/notebookText.ts'
import type { TextFiles } from '../workspace/textFiles.ts'
import { cutLine } from './numberedLines.ts'
import type { SeenFiles, ShownLines } from './seenFiles.ts'
import type { CallContext, PreparedCall, Tool, ToolInput, ToolOutput } from './tool.ts'
import { numberIn } from './toolInput.ts'
import { errorOutput, textOutput } from './toolOutput.ts'
import { binaryText, count, quoted, type ToolFile, type ToolPaths } from './toolPaths.ts'

export interface ReadFilePorts {
  readonly paths: ToolPaths
  readonly files: Pick<TextFiles, 'read'>
  readonly seen: SeenFiles
}

const MOST_LINES = 2_000
const MOST_CHARS = 48_000

export function readFileTool(ports: ReadFilePorts): Tool {
  const reader = new Reader(ports)
  return {
    name: 'read_file',
    description:
      `Reads a text file. Each line comes with its number and a tab in front, which are not part of the file. ` +
      `At most ${count(MOST_LINES)} lines and ${count(MOST_CHARS)} characters a call; read on with from. ` +
      `Text that the user has not saved yet is read as it is in the editor. ` +
      'A Jupyter notebook is read as its cells, each after a line that names it; what they printed follows at the end.',
    parameters: {
      properties: {
        path: { type: 'string', description: 'Relative to the workspace, such as src/main.ts' },
        from: { type: 'integer', minimum: 1, description: 'The first line to read; 1 without it' },
        lines: { type: 'integer', minimum: 1, description: `How many lines; up to ${count(MOST_LINES)}` },
      },
      required: ['path'],
    },
    rights: 'read',
    prepare: (input, _, signal) => reader.prepare(input, signal),
    run: (input, context, signal) => reader.run(input, context, signal),
  }
}

type ReadText =
  | { readonly is: 'text'; readonly file: ToolFile; readonly text: string; readonly concerns: readonly CallConcern[] }
  | { readonly is: 'refused'; readonly output: string }

class Reader {
  readonly #ports: ReadFilePorts

  constructor(ports: ReadFilePorts) {
    this.#ports = ports
  }

  /** A file that is not there yet may be written by an earlier call of the answer. */
  async prepare(input: ToolInput, signal: AbortSignal): Promise<PreparedCall> {
    const { paths } = this.#ports
    const located = await paths.locate(pathIn(input), signal)
    if (located.is === 'refused') return located
    if (!located.found) return { is: 'ready', concerns: [] }
    const read = await this.#read(located, signal)
    if (read.is === 'refused') return read
    const { concerns } = read
    const isSecret = concerns.some(({ is }) => is === 'secret')
    return {
      is: 'ready',
      concerns,
      preview: { kind: 'path', path: located.path },
      boundTo: await boundTo(located, concerns),
      // Also where it leads, because a link may lead elsewhere later.
      ...(!isSecret && { remembered: `file:${located.uri} ${located.resolved.path}` }),
    }
  }

  async run(
    input: ToolInput,
    context: CallContext & { readonly approved: boolean; readonly boundTo: string | undefined },
    signal: AbortSignal,
  ): Promise<ToolOutput> {
    const { paths, seen } = this.#ports
    const located = await paths.locate(pathIn(input), signal)
    if (located.is === 'refused') return errorOutput(located.output)
    if (!located.found) return errorOutput(await paths.missingText(located.path, signal))
    const read = await this.#read(located, signal)
    if (read.is === 'refused') return errorOutput(read.output)
    const { text, concerns } = read
    const isApproved = context.approved && context.boundTo === (await boundTo(located, concerns))
    if (concerns.length > 0 && !isApproved) return { content: [], isOutdated: true }
    const notebook = NotebookText.of(located.path, text)
    const file = { text: notebook?.text ?? text, outputs: notebook?.outputs() ?? '' }
    const wanted = {
      from: numberIn(input, 'from') ?? 1,
      lines: Math.min(numberIn(input, 'lines') ?? MOST_LINES, MOST_LINES),
    }
    const { output, lines } = shown(located, file, await contentHash(text), wanted)
    await seen.note(context.conversation, located.uri, text, lines)
    return output
  }

  /** Judged by its path before it is read, and by its text before any of it is shown. */
  async #read(file: ToolFile, signal: AbortSignal): Promise<ReadText> {
    const { paths, files } = this.#ports
    const before = await paths.judge(file, undefined, signal)
    if (before.refusal !== undefined) return { is: 'refused', output: before.refusal }
    const read = await files.read(file.uri, undefined, signal)
    if (!read) return { is: 'refused', output: binaryText(file.path, file.found?.size) }
    const after = await paths.judge(file, read.text, signal)
    if (after.refusal !== undefined) return { is: 'refused', output: after.refusal }
    if (!(await paths.isSame(file))) return { is: 'refused', output: replacedText(file.path) }
    return { is: 'text', file, text: read.text, concerns: after.concerns }
  }
}

const pathIn = (input: ToolInput) => String(input['path'])

const boundTo = ({ resolved, path }: ToolFile, concerns: readonly CallConcern[]) =>
  contentHash(JSON.stringify([path, resolved.path, resolved.identity, concerns]))

const replacedText = (path: string) =>
  `${quoted(path)} was not read. It was replaced by another file at this very moment. Call again.`

interface Wanted {
  readonly from: number
  readonly lines: number
}

/** `outputs`: what follows the end of the file. */
interface ShownFile {
  readonly text: string
  readonly outputs: string
}

/** `lines`: those that it has. */
interface ReadLines {
  readonly output: ToolOutput
  readonly lines?: ShownLines
}

function shown({ path, uri }: ToolFile, file: ShownFile, hash: string, { from, lines }: Wanted): ReadLines {
  const { text, outputs } = file
  const all = linesOf(text)
  const revision = revisionOf(hash)
  const of = all.length
  if (of === 0) return { output: textOutput(`The file ${path} is empty. revision ${revision}`, { path, uri, of }) }
  if (from > all.length) {
    const about = `${quoted(path)} has no line ${from}. It has ${linesWord(all.length)}.`
    const output = errorOutput(`${about} Read it with from at most ${of}.`)
    return { output, lines: { from: 1, to: 0, of } }
  }
  const { body, to, marked, hidden } = bodyOf(all, from, Math.min(all.length, from + lines - 1))
  const head = `${path}, lines ${from} to ${to} of ${all.length}, revision ${revision}`
  const rest =
    to < all.length ? `${linesWord(all.length - to)} follow; read on with from: ${to + 1}.` : modelText(outputs).text
  const notes = [rest, marksNote({ marked, hidden })].filter(Boolean).join('\n')
  const output = textOutput([head, body, notes].filter(Boolean).join('\n'), { path, uri, from, to, of })
  return { output, lines: { from, to, of } }
}

const linesWord = (lines: number) => (lines === 1 ? '1 line' : `${count(lines)} lines`)

/** As many lines as fit, but at least one. */
function bodyOf(all: readonly string[], from: number, last: number) {
  const rows: string[] = []
  let [chars, to, marked, hidden] = [0, from - 1, 0, 0]
  for (let at = from; at <= last; at++) {
    const line = modelText(all[at - 1] ?? '')
    const row = `${at}\t${cutLine(line.text)}`
    chars += row.length + 1
    if (chars > MOST_CHARS && rows.length > 0) break
    rows.push(row)
    marked += line.marked
    hidden += line.hidden
    to = at
  }
  return { body: rows.join('\n'), to, marked, hidden }
}

/** What of a hash the model is shown, to compare two readings. */
export const revisionOf = (hash: string) => hash.slice(0, 4)
