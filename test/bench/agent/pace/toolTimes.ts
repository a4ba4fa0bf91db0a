// `toolTimes`: how much longer a tool takes than the operation on the disk that it makes: L5.
import { open, readdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Tool, ToolInput } from '../../../../src/core/tools/tool.ts'
import { leastOfEach, percentile, timed } from '../../numbers.ts'
import type { Row } from '../rows.ts'
import { WorkingTools } from '../turns/workingTools.ts'

const LINES = 600
const FILES = 400
const FILES_PER_FOLDER = 20
/** Of so many in a row the best counts. */
export const TRIES = 5
/** The first ones compile the code. */
const WARM = 40

interface Times {
  readonly own: readonly number[]
  readonly raw: readonly number[]
}

/** `rounds`: calls of each tool, each beside a raw operation on a file of the same size. */
export async function toolTimes(rounds: number): Promise<Row[]> {
  await using working = new WorkingTools({ files: filesOf() })
  const { root } = working.folder
  const call = callerOf(working)
  const path = 'large.ts'
  const read = await inTurns(
    rounds,
    () => call('read_file', { path }),
    () => readFile(join(root, path), 'utf8'),
  )
  const edit = await inTurns(
    rounds,
    at => call('edit_file', { path, edits: [{ old_text: `number = ${at}`, new_text: `number = ${at + 1}` }] }),
    at => rawEdit(join(root, 'raw.ts'), `number = ${at}`, `number = ${at + 1}`),
  )
  const list = await inTurns(
    rounds,
    () => call('list_files', {}),
    () => readdir(root, { recursive: true, withFileTypes: true }),
  )
  return [
    row(`read_file over a plain read (${LINES} lines)`, read, 3),
    row(`edit_file over read, write, sync, rename (${LINES} lines)`, edit, 8),
    row(`list_files over a plain walk (${FILES} files)`, list, 5),
  ]
}

function filesOf(): Record<string, string> {
  const lines = Array.from(
    { length: LINES },
    (_, at) => `export const value${at} = call(${at}, 'some words of a line')\n`,
  )
  const large = `${lines.join('')}let number = 0\n`
  const small = Array.from({ length: FILES }, (_, at) => [`src/f${Math.floor(at / FILES_PER_FOLDER)}/a${at}.ts`, '1\n'])
  return { 'large.ts': large, 'raw.ts': large, ...Object.fromEntries(small) }
}

function callerOf({ folder, tools }: WorkingTools) {
  return async (name: string, input: ToolInput): Promise<void> => {
    const tool = tools.find(one => one.name === name)
    const text = await folder.call(tool as Tool, input) // as: it is one of them
    if (/not found|refused|asked|declined/.test(text.slice(0, 60))) throw new Error(`${name}: ${text}`)
  }
}

/** With the same care for a crash as the tool, but without a record of the change and its text before. */
async function rawEdit(path: string, from: string, to: string): Promise<void> {
  const text = (await readFile(path, 'utf8')).replace(from, to)
  const file = await open(`${path}.draft`, 'w')
  await file.writeFile(text)
  await file.sync()
  await file.close()
  await rename(`${path}.draft`, path)
}

/** One after the other in turns, so that both meet the same load. */
async function inTurns(
  rounds: number,
  own: (at: number) => Promise<unknown>,
  raw: (at: number) => Promise<unknown>,
): Promise<Times> {
  const times: { own: number; raw: number }[] = []
  for (let at = 0; at < rounds + WARM; at++) {
    const ownMs = await timed(async () => void (await own(at)))
    times.push({ own: ownMs, raw: await timed(async () => void (await raw(at))) })
  }
  const counted = times.slice(WARM)
  return { own: counted.map(one => one.own), raw: counted.map(one => one.raw) }
}

function row(metric: string, { own, raw }: Times, targetMs: number): Row {
  const [ours, plain] = [own, raw].map(times => leastOfEach(times, TRIES))
  const at = (part: number) => [percentile(ours ?? [], part), percentile(plain ?? [], part)] as const
  const [[p95, plain95], [p50, plain50]] = [at(0.95), at(0.5)]
  const over = p95 - plain95
  const measured = `${over.toFixed(1)} ms (p95 ${p95.toFixed(1)} over ${plain95.toFixed(1)}; p50 ${p50.toFixed(1)} over ${plain50.toFixed(1)})`
  return {
    id: 'L5',
    metric: `${metric}, best of ${TRIES} in a row`,
    target: `< ${targetMs} ms`,
    measured,
    isMet: over < targetMs,
  }
}
