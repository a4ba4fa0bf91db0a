// What the agent takes while nobody uses it: W1. With `--before DIST` also against a package without the agent.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { deflateRawSync } from 'node:zlib'
import { freshVsix } from '../../editor/extensionPackage.ts'
import { median } from '../numbers.ts'
import type { PartOptions } from './part.ts'
import type { WindowFigures } from './rest/packagedWindow.ts'
import type { Row } from './rows.ts'

const dist = join(import.meta.dirname, '../../../dist')
/** What is loaded at the first question and by its tools, and by nothing else. */
const ofAgent = /^(?:agentTools|loadChanges|searchWorker).*\.cjs$/
/** Windows of each package, in turns. */
const WINDOWS = 9
const mostBytes = 500_000

export async function run({ count = WINDOWS, before }: PartOptions): Promise<readonly Row[]> {
  const vsix = await freshVsix()
  const folders = before === undefined ? [dist] : [dist, before]
  const windows = folders.map((): WindowFigures[] => [])
  for (let round = 0; round < count; round++)
    for (const [at, folder] of folders.entries()) windows[at]?.push(windowOf(folder))
  const [own = [], other] = windows
  return [size(vsix), ...(other ? compared(own, other) : alone(own)), unused(own)]
}

function windowOf(folder: string): WindowFigures {
  const script = join(import.meta.dirname, 'rest/packagedWindow.ts')
  const printed = execFileSync(process.execPath, ['--expose-gc', script, folder], { encoding: 'utf8' })
  return JSON.parse(printed)
}

function size(vsix: string): Row {
  const names = onlyOfAgent()
  const bytes = names.reduce((sum, name) => sum + deflateRawSync(readFileSync(join(dist, name))).length, 0)
  return {
    id: 'W1',
    metric: 'size of what only the agent loads, compressed',
    target: '≤ 0.5 MB',
    measured: `${(bytes / 1e6).toFixed(2)} MB in ${names.length} files (the whole package ${(statSync(vsix).size / 1e6).toFixed(2)} MB)`,
    isMet: bytes <= mostBytes && names.length >= 3,
  }
}

/** Also the parts that these files alone load. */
function onlyOfAgent(): readonly string[] {
  const names = readdirSync(dist).filter(name => name.endsWith('.cjs'))
  const parts = new Map(names.map(name => [name, partsOf(name)]))
  const loadedBy = (starts: readonly string[]) => {
    const found = new Set(starts)
    for (const name of found) for (const part of parts.get(name) ?? []) if (part.startsWith('chunk-')) found.add(part)
    return found
  }
  const others = loadedBy(names.filter(name => !ofAgent.test(name) && !name.startsWith('chunk-')))
  return [...loadedBy(names.filter(name => ofAgent.test(name)))].filter(name => !others.has(name))
}

const partsOf = (name: string) =>
  [...readFileSync(join(dist, name), 'utf8').matchAll(/"\.\/([\w-]+\.cjs)"/g)].map(([, part = '']) => part)

const startOf = (windows: readonly WindowFigures[]) => median(windows.map(({ startMs }) => startMs))
const heapOf = (windows: readonly WindowFigures[]) => median(windows.map(({ heapMb }) => heapMb))

function compared(own: readonly WindowFigures[], other: readonly WindowFigures[]): Row[] {
  const [ms, mb] = [startOf(own) - startOf(other), heapOf(own) - heapOf(other)]
  return [
    row(
      'load and activate, over a package without the agent',
      '+2 ms',
      `${signed(ms)} ms (${startOf(own).toFixed(1)})`,
      ms <= 2,
    ),
    row(
      'heap at rest, over a package without the agent',
      '+2 MB',
      `${signed(mb)} MB (${heapOf(own).toFixed(1)})`,
      mb <= 2,
    ),
  ]
}

/** Without a package to compare with, what all of the extension takes. */
const alone = (own: readonly WindowFigures[]): Row[] => [
  row('load and activate, all of the extension', 'none', `${startOf(own).toFixed(1)} ms`, true),
  row('heap at rest, all of the extension', 'none', `${heapOf(own).toFixed(1)} MB`, true),
]

function unused(windows: readonly WindowFigures[]): Row {
  const [processes, workers] = [sum(windows, 'processes'), sum(windows, 'workers')]
  const measured = `${processes}; ${workers} in ${windows.length} windows`
  return row('processes and threads before first use', '0; 0', measured, processes + workers === 0)
}

const sum = (windows: readonly WindowFigures[], of: 'processes' | 'workers') =>
  windows.reduce((all, one) => all + one[of], 0)

const signed = (value: number) => `${value < 0 ? '' : '+'}${value.toFixed(1)}`

const row = (metric: string, target: string, measured: string, isMet: boolean): Row => ({
  ...{ id: 'W1', metric, target, measured, isMet },
})
