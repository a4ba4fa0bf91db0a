// Runs test files in a copy of the project until the first test fails.
import { createInterface } from 'node:readline'
import { endGroup, spawnGroup, whenGone } from '../support/processGroup.ts'
import type { TestLine, TestRun } from '../support/testFiles.ts'

export interface TestFailure {
  readonly test: string
  /** Relative to the project; empty where no single file failed. */
  readonly file: string
  /** No test ended for so long that none will. */
  readonly isHung?: boolean
}

/** No test takes nearly so long without beginning or ending another. */
const LONGEST_SILENCE_MS = 45_000
const LONGEST_RUN_MS = 6 * 60_000

/**
 * Undefined where all tests pass. Those of the page come last, because they start a browser. Tests that hang fail; a
 * program that ends early fails as a whole.
 */
export async function firstFailure(folder: string, files: readonly string[]): Promise<TestFailure | undefined> {
  const pages = files.filter(isPageTest)
  const others = files.filter(file => !isPageTest(file))
  return (await failureOf(folder, nodeTests(others), others)) ?? (await failureOf(folder, pageTests(pages), pages))
}

const isPageTest = (file: string) => file.endsWith('.page.ts')

/** All files in one process. */
function nodeTests(files: readonly string[]): readonly string[] {
  const plan: TestRun = { files, isolation: 'none' }
  return [process.execPath, '--no-warnings', 'test/support/testFiles.ts', JSON.stringify(plan)]
}

function pageTests(files: readonly string[]): readonly string[] {
  const options = ['--project=page', '--workers=1', '--retries=0', '--max-failures=1']
  return ['node_modules/.bin/playwright', 'test', ...options, '--reporter=test/support/lineReporter.ts', ...files]
}

async function failureOf(
  folder: string,
  [command = '', ...args]: readonly string[],
  files: readonly string[],
): Promise<TestFailure | undefined> {
  if (files.length === 0) return undefined
  const child = spawnGroup(command, args, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] })
  const watch = new RunWatch()
  const stop = (failure: TestFailure) => {
    watch.failure ??= failure
    void endGroup(child, 500)
  }
  const limits = [
    setInterval(() => watch.silentMs > LONGEST_SILENCE_MS && stop(watch.hung()), 1_000),
    setTimeout(() => stop(watch.hung()), LONGEST_RUN_MS),
  ]
  const lines = child.stdout && createInterface({ input: child.stdout })
  lines?.on('line', line => {
    const failure = watch.take(line)
    if (failure) stop(failure)
  })
  const code = await whenGone(child)
  for (const limit of limits) clearTimeout(limit)
  return watch.failure ?? (code === 0 ? undefined : { test: `the tests ended with code ${code}`, file: '' })
}

/** What one run has said so far. */
class RunWatch {
  failure: TestFailure | undefined
  #saidAt = performance.now()
  #started: TestLine | undefined

  get silentMs(): number {
    return performance.now() - this.#saidAt
  }

  hung(): TestFailure {
    const { name = 'before the first test', file = '' } = this.#started ?? {}
    return { test: `hung: ${name}`, file, isHung: true }
  }

  /** A line of the run; the failure that it reports, if it does. */
  take(text: string): TestFailure | undefined {
    this.#saidAt = performance.now()
    if (!text.startsWith('{')) return undefined
    // Our own process wrote it.
    const line = JSON.parse(text) as TestLine
    if (line.kind === 'start') this.#started = line
    return line.kind === 'fail' ? { test: line.name, file: line.file } : undefined
  }
}
