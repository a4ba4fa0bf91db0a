// Plants each fault of this folder in a copy of the sources and prints which test catches it.
//
// npm run faults [-- [--jobs <count>] [--near] [<name or area>…]]
import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { firstFailure, type TestFailure } from './firstFailure.ts'
import { LoadedFiles } from './loadedFiles.ts'
import { type PlantedFault, plantedFaults } from './plantedFault.ts'
import { SourceCopy } from './sourceCopy.ts'

type Verdict =
  | { readonly is: 'caught'; readonly by: TestFailure }
  | { readonly is: 'not caught' }
  /** The patch does not apply any more: it has to be written anew. */
  | { readonly is: 'unplanted'; readonly why: string }

const root = resolve(import.meta.dirname, '../..')

await main()

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { jobs: { type: 'string', default: '1' }, near: { type: 'boolean', default: false } },
  })
  const waiting = [...plantedFaults(import.meta.dirname, positionals)]
  const verdicts = new Map<PlantedFault, Verdict>()
  const job = async () => {
    const copy = new SourceCopy(root)
    for (let fault = waiting.shift(); fault; fault = waiting.shift()) {
      verdicts.set(fault, await reported(copy, fault, values.near))
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, Number(values.jobs) || 1) }, job))
  process.exit(reportTotal(verdicts))
}

async function reported(copy: SourceCopy, fault: PlantedFault, isNear: boolean): Promise<Verdict> {
  const startedAt = performance.now()
  const verdict = await verdictOf(copy, fault, isNear)
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1)
  say(`${fault.name.padEnd(44)} ${seconds.padStart(6)} s  ${textOf(verdict, fault)}`)
  return verdict
}

function textOf(verdict: Verdict, { about }: PlantedFault): string {
  if (verdict.is === 'unplanted') return `DOES NOT APPLY\n${verdict.why.replace(/^/gm, '    ')}`
  if (verdict.is === 'not caught') return `NOT CAUGHT\n${about.replace(/^/gm, '    ')}`
  const { test, file } = verdict.by
  return `caught by ${test}${file && ` (${file})`}`
}

/** The exit code: a fault that is not caught is a result, a patch that does not apply is an error. */
function reportTotal(verdicts: ReadonlyMap<PlantedFault, Verdict>): number {
  const count = (is: Verdict['is']) => [...verdicts.values()].filter(verdict => verdict.is === is).length
  const unplanted = count('unplanted')
  say(`${count('caught')} of ${verdicts.size} planted faults caught, ${count('not caught')} not caught`)
  if (unplanted > 0) say(`${unplanted} do not apply`)
  return unplanted > 0 || verdicts.size === 0 ? 1 : 0
}

async function verdictOf(copy: SourceCopy, fault: PlantedFault, isNear: boolean): Promise<Verdict> {
  try {
    copy.plant(fault)
  } catch (thrown) {
    return { is: 'unplanted', why: thrown instanceof Error ? thrown.message : String(thrown) }
  }
  try {
    const by = await catcher(copy, fault, isNear)
    return by ? { is: 'caught', by } : { is: 'not caught' }
  } finally {
    copy.restore(fault)
  }
}

/**
 * The tests of the changed file first, then those of its folder, then all others without an editor that load it. The last
 * take the most time and are left out where only the tests `near` are asked for.
 */
async function catcher(
  { folder }: SourceCopy,
  { sources }: PlantedFault,
  isNear: boolean,
): Promise<TestFailure | undefined> {
  const [ofFile, ofFolder, others] = phases(testsThatLoad(folder, sources), sources)
  return (
    (await firstFailure(folder, ofFile)) ??
    (await confirmedFailure(folder, ofFolder)) ??
    (isNear ? undefined : await confirmedFailure(folder, others))
  )
}

type Phases = readonly [ofFile: readonly string[], ofFolder: readonly string[], others: readonly string[]]

/** Each test once. The whole page is tested in one place. */
function phases(tests: readonly string[], sources: readonly string[]): Phases {
  const places = sources.map(source => source.replace(/^src\//, 'test/').replace(/\.tsx?$/, ''))
  const folders = places.map(place => place.replace(/(?<=^test\/webview\/).+|[^/]+$/, ''))
  const isIn = (file: string, starts: readonly string[]) => starts.some(start => file.startsWith(start))
  return [
    tests.filter(file => isIn(file, places)),
    tests.filter(file => isIn(file, folders) && !isIn(file, places)),
    tests.filter(file => !isIn(file, folders)),
  ]
}

/**
 * A test that fails once and then passes, still with the fault planted, did not fail because of it. The tests of the
 * changed file itself are believed at once.
 */
async function confirmedFailure(folder: string, files: readonly string[]): Promise<TestFailure | undefined> {
  const failure = await firstFailure(folder, files)
  if (!failure) return undefined
  if (failure.isHung || (await firstFailure(folder, failure.file ? [failure.file] : files))) return failure
  if (!failure.file) return undefined
  return confirmedFailure(
    folder,
    files.filter(file => file !== failure.file),
  )
}

/**
 * Tests in plain Node, and those of the page; by their paths in the copy. A test that does not load a changed file cannot
 * catch its fault.
 */
function testsThatLoad(folder: string, sources: readonly string[]): readonly string[] {
  const elsewhere = /^test\/(package\.test\.ts$|service\/|thirdParty\/|faults\/|editor\/node_modules\/)/
  const loaded = new LoadedFiles(folder)
  return globSync('test/**/*.{test,page}.ts', { cwd: folder, exclude: ['**/node_modules/**'] })
    .map(file => file.replaceAll('\\', '/'))
    .filter(file => !elsewhere.test(file) && sources.some(source => loaded.of(file).has(source)))
    .toSorted()
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
