// What a search of 100,000 files takes from the window: the main thread, the time to the first result, memory: S3 and S4.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { build } from 'esbuild'
import { median } from '../numbers.ts'
import type { PartOptions } from './part.ts'
import type { Row } from './rows.ts'
import { generatedTree } from './search/generatedTree.ts'
import { ownSearch } from './search/ownSearch.ts'
import { type BenchPattern, searchPatterns } from './search/patterns.ts'
import { searchScript } from './search/searchScript.ts'

const PATTERNS = 25
const REST_MS = 3_000

export async function run({ count = PATTERNS }: PartOptions): Promise<readonly Row[]> {
  const { path, words } = generatedTree()
  return [await blocked(path, searchPatterns(words, count)), ...(await alone(path, words[400] ?? ''))]
}

async function blocked(folder: string, patterns: readonly BenchPattern[]): Promise<Row> {
  const { find, dispose } = ownSearch(folder)
  await find({ pattern: 'nothing of this kind', isLiteral: true })
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  await sleep(REST_MS)
  const atRest = delay.max / 1e6
  delay.reset()
  for (const pattern of patterns) await find(pattern, 2_000)
  delay.disable()
  dispose()
  const longest = delay.max / 1e6
  const most = (delay.percentile(99.9) / 1e6).toFixed(1)
  const measured = `${longest.toFixed(1)} ms (99.9 % below ${most} ms; without a search ${atRest.toFixed(1)} ms)`
  return {
    id: 'S3',
    metric: 'main thread blocked by a search, longest',
    target: '< 16 ms',
    measured,
    isMet: longest < 16,
  }
}

async function alone(folder: string, word: string): Promise<Row[]> {
  const built = mkdtempSync(join(tmpdir(), 'agent-bench-'))
  const [script, worker] = await Promise.all([
    bundled(built, join(import.meta.dirname, 'search/searchProcess.ts'), 'esm'),
    bundled(built, searchScript, 'cjs'),
  ])
  const runs = Array.from({ length: 5 }, () =>
    execFileSync(process.execPath, [script, folder, word, worker], { encoding: 'utf8' }),
  )
  rmSync(built, { recursive: true })
  const all: { firstMs: number; baseMb: number; memoryMb: number }[] = runs.map(text => JSON.parse(text))
  const first = median(all.map(({ firstMs }) => firstMs))
  const memory = median(all.map(({ memoryMb }) => memoryMb))
  return [
    {
      id: 'S4',
      metric: 'first result on 100,000 files, threads not started',
      target: '< 300 ms',
      measured: `${Math.round(first)} ms`,
      isMet: first < 300,
    },
    {
      id: 'S4',
      metric: 'memory of the process',
      target: '< 150 MB',
      measured: `${Math.round(memory)} MB`,
      isMet: memory < 150,
    },
  ]
}

/** As in the package, so that neither time nor memory goes into types that are removed. */
async function bundled(folder: string, entry: string, format: 'esm' | 'cjs'): Promise<string> {
  const outfile = join(folder, `${format}.${format === 'esm' ? 'mjs' : 'cjs'}`)
  const define = { 'import.meta.dirname': JSON.stringify(folder) }
  await build({ entryPoints: [entry], outfile, format, define, bundle: true, platform: 'node', logLevel: 'error' })
  return outfile
}
