// Runs test files in a copy of the project until the first test fails.
import { createInterface } from 'node:readline'
import { endGroup, spawnGroup, whenGone } from '../support/processGroup.ts'
import type { TestLine, TestRun } from '../support/testFiles.ts'

export interface TestFailure {
  readonly test: string
  /** Relative to the project; empty where no single file failed. */
  readonly file: string
}

const CHECK_MS = 1_000
/** No test takes nearly so many checks without beginning or ending another. */
const LONGEST_SILENCE_CHECKS = 45
const LONGEST_RUN_CHECKS = 6 * 60

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
  const checking = setInterval(() => watch.isHung() && stop(watch.hung()), CHECK_MS)
  const lines = child.stdout && createInterface({ input: child.stdout })
  lines?.on('line', line => {
    const failure = watch.take(line)
    if (failure) stop(failure)
  })
  const code = await whenGone(child)
  clearInterval(checking)
  return watch.failure ?? (code === 0 ? undefined : { test: `the tests ended with code ${code}`, file: '' })
}

/** What one run has reported so far. Counts checks and not time, because the machine or this process may be suspended. */
class RunWatch {
  failure: TestFailure | undefined
  #checks = 0
  #silentChecks = 0
  #started: TestLine | undefined

  /** Called for each check. */
  isHung(): boolean {
    this.#checks++
    this.#silentChecks++
    return this.#silentChecks > LONGEST_SILENCE_CHECKS || this.#checks > LONGEST_RUN_CHECKS
  }

  hung(): TestFailure {
    const { name = 'before the first test', file = '' } = this.#started ?? {}
    return { test: `hung: ${name}`, file }
  }

  /** A line of the run; the failure that it reports, if it does. */
  take(text: string): TestFailure | undefined {
    this.#silentChecks = 0
    if (!text.startsWith('{')) return undefined
    // Our own process wrote it.
    const line = JSON.parse(text) as TestLine
    if (line.kind === 'start') this.#started = line
    return line.kind === 'fail' ? { test: line.name, file: line.file } : undefined
  }
}
