// Plants each fault of this folder in a copy of the sources and prints which test catches it.
//
// npm run faults [-- [--jobs <count>] [--near] [<name or area>…]]
import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { checkPatch } from './applyPatch.ts'
import { firstFailure, type TestFailure } from './firstFailure.ts'
import { LoadedFiles } from './loadedFiles.ts'
import { type PlantedFault, plantedFaults } from './plantedFault.ts'
import { SourceCopy } from './sourceCopy.ts'

type Verdict = { readonly is: 'caught'; readonly by: TestFailure } | { readonly is: 'not caught' }

const root = resolve(import.meta.dirname, '../..')

await main()

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { jobs: { type: 'string', default: '1' }, near: { type: 'boolean', default: false } },
  })
  const waiting = [...plantedFaults(import.meta.dirname, positionals)]
  if (refusedPatches(waiting) > 0) process.exit(1)
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

/** How many patches do not apply; prints which. Such a patch has to be written anew before a run means anything. */
function refusedPatches(faults: readonly PlantedFault[]): number {
  const refused = faults.flatMap(({ name, patch }) => {
    const refusal = checkPatch(root, patch)
    return refusal ? [`${name} DOES NOT APPLY\n${refusal.replace(/^/gm, '    ')}`] : []
  })
  for (const text of refused) print(text)
  if (refused.length > 0) print(`${refused.length} of ${faults.length} patches do not apply; no fault was planted`)
  return refused.length
}

async function reported(copy: SourceCopy, fault: PlantedFault, isNear: boolean): Promise<Verdict> {
  const startedAt = performance.now()
  const verdict = await verdictOf(copy, fault, isNear)
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1)
  print(`${fault.name.padEnd(44)} ${seconds.padStart(6)} s  ${textOf(verdict, fault)}`)
  return verdict
}

function textOf(verdict: Verdict, { about }: PlantedFault): string {
  if (verdict.is === 'not caught') return `NOT CAUGHT\n${about.replace(/^/gm, '    ')}`
  const { test, file } = verdict.by
  return `caught by ${test}${file && ` (${file})`}`
}

/** The exit code: a fault that is not caught is a result and no error. */
function reportTotal(verdicts: ReadonlyMap<PlantedFault, Verdict>): number {
  const count = (is: Verdict['is']) => [...verdicts.values()].filter(verdict => verdict.is === is).length
  print(`${count('caught')} of ${verdicts.size} planted faults caught, ${count('not caught')} not caught`)
  return verdicts.size > 0 && count('caught') === verdicts.size ? 0 : 1
}

async function verdictOf(copy: SourceCopy, fault: PlantedFault, isNear: boolean): Promise<Verdict> {
  copy.plant(fault)
  try {
    const by = await catcher(copy, fault, isNear)
    return by ? { is: 'caught', by } : { is: 'not caught' }
  } finally {
    copy.restore(fault)
  }
}

/**
 * The tests of the changed file first, then those of its folder, then those of the files that use it, then all others
 * without an editor that load it. The last take the most time and are left out where only the tests `near` are asked for.
 */
async function catcher(
  { folder }: SourceCopy,
  { sources }: PlantedFault,
  isNear: boolean,
): Promise<TestFailure | undefined> {
  const { ofFile, ofFolder, ofUsers, others } = phases(new LoadedFiles(folder), testFiles(folder), sources)
  return (
    (await firstFailure(folder, ofFile)) ??
    (await confirmedFailure(folder, ofFolder)) ??
    (await confirmedFailure(folder, ofUsers)) ??
    (isNear ? undefined : await confirmedFailure(folder, others))
  )
}

type Phase = 'ofFile' | 'ofFolder' | 'ofUsers' | 'others'

/** Each test once. A test that does not load a changed file cannot catch its fault. */
function phases(
  loaded: LoadedFiles,
  tests: readonly string[],
  sources: readonly string[],
): Readonly<Record<Phase, readonly string[]>> {
  const places = sources.map(source => source.replace(/^src\//, 'test/').replace(/\.tsx?$/, ''))
  // The whole page is tested in one place.
  const folders = places.map(place => place.replace(/(?<=^test\/webview\/).+|[^/]+$/, ''))
  const isUser = (file: string) => loaded.direct(file).some(used => sources.includes(used))
  const phaseOf = (file: string): Phase => {
    if (places.some(place => file.startsWith(place))) return 'ofFile'
    if (folders.some(start => file.startsWith(start))) return 'ofFolder'
    return [file, ...testedSources(file)].some(isUser) ? 'ofUsers' : 'others'
  }
  const loading = tests.filter(file => sources.some(source => loaded.of(file).has(source)))
  const { ofFile = [], ofFolder = [], ofUsers = [], others = [] } = Object.groupBy(loading, phaseOf)
  return { ofFile, ofFolder, ofUsers, others }
}

/** The files that the test is named after; not each of them need exist. */
function testedSources(test: string): readonly string[] {
  const place = test.replace(/^test\//, 'src/').replace(/\.(test|page)\.ts$/, '')
  return [`${place}.ts`, `${place}.tsx`]
}

/**
 * A test that fails once and then passes, still with the fault planted, did not fail because of it; one that hangs may
 * only have been slow. The tests of the changed file itself are believed at once.
 */
async function confirmedFailure(folder: string, files: readonly string[]): Promise<TestFailure | undefined> {
  const failure = await firstFailure(folder, files)
  if (!failure) return undefined
  if (await firstFailure(folder, failure.file ? [failure.file] : files)) return failure
  if (!failure.file) return undefined
  return confirmedFailure(
    folder,
    files.filter(file => file !== failure.file),
  )
}

/** Tests in plain Node, and those of the page; by their paths in the copy. */
function testFiles(folder: string): readonly string[] {
  const elsewhere = /^test\/(package\.test\.ts$|service\/|thirdParty\/|faults\/|editor\/node_modules\/)/
  return globSync('test/**/*.{test,page}.ts', { cwd: folder, exclude: ['**/node_modules/**'] })
    .map(file => file.replaceAll('\\', '/'))
    .filter(file => !elsewhere.test(file))
    .toSorted()
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
