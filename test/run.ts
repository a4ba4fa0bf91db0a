// Every test of the project, or the parts that are named; the last line reports how many passed, failed and were flaky.
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { inspect } from 'node:util'
import { buildVsix, freshVsix, vsixPath } from './editor/extensionPackage.ts'
import { endGroup, spawnGroup, whenGone } from './support/processGroup.ts'
import type { TestLine, TestRun } from './support/testFiles.ts'

interface Failure {
  readonly name: string
  readonly text: string
}

interface Outcome {
  readonly passed: number
  readonly failures: readonly Failure[]
  /** What failed at its first run and passed at its second. */
  readonly flaky?: readonly Failure[]
}

/** What a part does until the signal aborts it at the end of its time. */
type Work = (signal: AbortSignal) => Promise<Outcome>

const minute = 60_000
const flakyAllowed = 3
const everything = ['check', 'unit', 'page', 'service', 'package', 'host', 'e2e']
const known = [...everything, 'screenshots', 'states']
/** Those that have tests for Playwright, by the name of its project. */
const inBrowser = ['e2e', 'page', 'service', 'screenshots', 'states']
const asked = process.argv.slice(2)
const parts = asked.length > 0 ? asked : everything
const total = { passed: 0, failed: 0, flaky: [] as string[] }

process.chdir(resolve(import.meta.dirname, '..'))
await main()

async function main(): Promise<void> {
  const unknown = parts.find(part => !known.includes(part))
  if (unknown) return end(`'${unknown}' is no part of the tests; there are ${known.join(', ')}.`, 2)
  // What is quick to know comes first.
  const packaged = isAsked('package', 'host', 'e2e', 'screenshots') ? makePackage() : true
  await Promise.all([isAsked('check') && check(), isAsked('unit') && unit(), packaged])
  const isPackaged = await packaged
  await Promise.all([browser(isPackaged), withoutBrowser(isPackaged)])
  for (const name of total.flaky) print(`flaky: ${name}`)
  if (total.flaky.length > flakyAllowed) print(`More than ${flakyAllowed} tests are flaky; that fails the run.`)
  const isPassed = total.failed === 0 && total.flaky.length <= flakyAllowed
  end(`${total.passed} passed, ${total.failed} failed, ${total.flaky.length} flaky`, isPassed ? 0 : 1)
}

function isAsked(...names: readonly string[]): boolean {
  return names.some(name => parts.includes(name))
}

async function check(): Promise<void> {
  await Promise.all([
    step('compiler', 2 * minute, program('tsc', ['--noEmit', '-p', '.'])),
    step('page compiler', 2 * minute, program('tsc', ['--noEmit', '-p', 'src/webview'])),
    step('core compiler', 2 * minute, program('tsc', ['--noEmit', '-p', 'src/core'])),
    step('lint', 2 * minute, program('biome', ['ci', '--colors=off', '.'])),
    isAsked('unit') || step('layers', minute, testFiles(['test/layers.test.ts'], 'process')),
  ])
}

async function unit(): Promise<void> {
  const elsewhere = /^test\/(package\.test\.ts$|service\/|thirdParty\/|editor\/node_modules\/)/
  const files = globSync('test/**/*.test.ts').filter(file => !elsewhere.test(file.replaceAll('\\', '/')))
  // Three for two processors: some of them wait for processes and for time.
  await step('unit', 10 * minute, sideBySide(...shares(3, files).map(share => testFiles(share, 'none'))))
}

/** Each for one process: what a process has read and compiled serves all its files. */
function shares(count: number, files: readonly string[]): readonly (readonly string[])[] {
  return Array.from({ length: count }, (_, share) => files.filter((_, at) => at % count === share))
}

/** The tests that Playwright runs, in one go: its two workers keep two processors busy. */
async function browser(isPackaged: boolean): Promise<void> {
  const projects = inBrowser.filter(name => isAsked(name) && (isPackaged || !['e2e', 'screenshots'].includes(name)))
  if (projects.length > 0) await step(projects.join(', '), 32 * minute, playwright(projects))
}

/** One after the other, beside those of the browser, which mostly wait. */
async function withoutBrowser(isPackaged: boolean): Promise<void> {
  if (isPackaged && isAsked('host')) await step('host', 8 * minute, host)
  if (isPackaged && isAsked('package')) await step('package', minute, testFiles(['test/package.test.ts'], 'process'))
  if (!isAsked('service')) return
  await step('local service', 6 * minute, testFiles(globSync('test/service/**/*.test.ts'), 'none'))
  await step('third party', 6 * minute, testFiles(globSync('test/thirdParty/**/*.test.ts'), 'process'))
}

function sideBySide(...works: readonly Work[]): Work {
  return async signal => {
    const outcomes = await Promise.all(works.map(work => work(signal)))
    return {
      passed: outcomes.reduce((sum, { passed }) => sum + passed, 0),
      failures: outcomes.flatMap(({ failures }) => failures),
    }
  }
}

/** Whether there is a package to go on with. A whole run makes it anew, a part only when it is out of date. */
async function makePackage(): Promise<boolean> {
  const isWhole = everything.every(part => parts.includes(part))
  try {
    await (isWhole ? buildVsix() : freshVsix())
    return true
  } catch (fault) {
    await step('packaging', minute, async () => ({ passed: 0, failures: [failure('npm run package', fault)] }))
    return false
  }
}

async function host(): Promise<Outcome> {
  const { runInExtensionHost } = await import('./editor/extensionHost.ts')
  const results = await runInExtensionHost({ vsix: vsixPath })
  const failures = results.flatMap(({ name, error }) => (error ? [{ name, text: error }] : []))
  return { passed: results.length - failures.length, failures }
}

// Steps: each is reported in one line, and what failed in it right below.

async function step(name: string, limitMs: number, work: Work): Promise<void> {
  const startedAt = performance.now()
  const { passed, failures, flaky = [] } = await outcomeOf(work, limitMs)
  total.passed += passed
  total.failed += failures.length
  total.flaky.push(...flaky.map(({ name: test }) => test))
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  const counts = `${passed} passed, ${failures.length} failed${flaky.length > 0 ? `, ${flaky.length} flaky` : ''}`
  const accounts = [...failures.map(one => accountOf('✗', one)), ...flaky.map(one => accountOf('flaky:', one))]
  print(`${name.padEnd(19)} ${counts.padEnd(24)} ${seconds.padStart(6)} s${accounts.join('')}`)
}

function accountOf(sign: string, { name, text }: Failure): string {
  return `\n  ${sign} ${name}\n${indented(text)}\n`
}

/** A crash, running out of time and finding nothing to run are failures too. */
async function outcomeOf(work: Work, limitMs: number): Promise<Outcome> {
  const stop = new AbortController()
  const limit = setTimeout(() => stop.abort(), limitMs)
  try {
    const outcome = await Promise.race([work(stop.signal), outOfTime(stop.signal, limitMs)])
    if (outcome.passed + outcome.failures.length + (outcome.flaky?.length ?? 0) > 0) return outcome
    return { passed: 0, failures: [{ name: 'no test ran', text: 'There must be at least one.' }] }
  } catch (fault) {
    return { passed: 0, failures: [failure('the run itself', fault)] }
  } finally {
    clearTimeout(limit)
  }
}

/** The work itself reports more about where it was stopped, so it gets some seconds for that. */
function outOfTime(signal: AbortSignal, limitMs: number): Promise<Outcome> {
  const failures = [{ name: 'out of time', text: `Not finished after ${limitMs / 1000} s.` }]
  return new Promise(resolve => {
    signal.addEventListener('abort', () => setTimeout(() => resolve({ passed: 0, failures }), 8_000).unref())
  })
}

/** A program that passes as one test by ending well. */
function program(name: string, args: readonly string[]): Work {
  return async signal => {
    const { code, output } = await runProgram(join('node_modules/.bin', name), args, signal)
    if (code === 0) return { passed: 1, failures: [] }
    return { passed: 0, failures: [{ name: [name, ...args].join(' '), text: output || `It ended with code ${code}.` }] }
  }
}

/** Files of `node:test`, each in a process of its own or all in one. */
function testFiles(files: readonly string[], isolation: TestRun['isolation']): Work {
  const plan: TestRun = { files: files.map(file => resolve(file)), isolation }
  return testRunner(process.execPath, ['--no-warnings', 'test/support/testFiles.ts', JSON.stringify(plan)])
}

function playwright(projects: readonly string[]): Work {
  const chosen = projects.map(name => `--project=${name}`)
  return testRunner(join('node_modules/.bin/playwright'), [
    'test',
    ...chosen,
    '--reporter=test/support/lineReporter.ts',
  ])
}

/** A program that writes a line for whatever happens in its tests. */
function testRunner(command: string, args: readonly string[]): Work {
  return async signal => {
    const lines: TestLine[] = []
    const { code, output } = await runProgram(command, args, signal, line => {
      if (line.startsWith('{')) lines.push(JSON.parse(line) as TestLine)
    })
    return outcomeOfLines(lines, code, output, signal.aborted)
  }
}

function outcomeOfLines(lines: readonly TestLine[], code: number, output: string, isStopped: boolean): Outcome {
  const ofKind = (kind: TestLine['kind']) => lines.filter(line => line.kind === kind)
  const failures = ofKind('fail').map(({ name, file, text }) => ({
    name: `${name} (${file})`,
    text: text + written(lines, file),
  }))
  const flaky = ofKind('flaky').map(({ name, file, text }) => ({ name: `${name} (${file})`, text }))
  // Files that share a process write to its own output.
  const last = failures.pop()
  if (last) failures.push({ ...last, text: last.text + (output && `\nwritten meanwhile:\n${lastOf(output)}`) })
  if (isStopped) failures.push(...unfinished(lines))
  else if (code !== 0 && failures.length === 0)
    failures.push({ name: 'the test runner', text: `It ended with code ${code}.\n${output}` })
  return { passed: ofKind('pass').length, failures, flaky }
}

/** The innermost tests that had begun when the time was up. */
function unfinished(lines: readonly TestLine[]): Failure[] {
  const isEnded = (start: TestLine) =>
    lines.some(({ kind, name, file }) => kind === 'end' && name === start.name && file === start.file)
  const open = lines.filter(line => line.kind === 'start' && !isEnded(line))
  const innermost = open.filter(({ file }, at) => open.findLastIndex(other => other.file === file) === at)
  return innermost.map(({ name, file }) => ({ name: `${name} (${file})`, text: `Out of time.${written(lines, file)}` }))
}

/** The last things a file wrote, which often explain what its failure does not. */
function written(lines: readonly TestLine[], file: string): string {
  const notes = lines.filter(line => line.kind === 'note' && line.file === file).map(({ text }) => text)
  const last = lastOf(notes.join(''))
  return last ? `\nwritten by this file:\n${last}` : ''
}

function lastOf(output: string): string {
  return output.trimEnd().split('\n').slice(-100).join('\n')
}

async function runProgram(
  command: string,
  args: readonly string[],
  signal: AbortSignal,
  onLine?: (line: string) => void,
): Promise<{ code: number; output: string }> {
  const child = spawnGroup(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  signal.addEventListener('abort', () => void endGroup(child))
  const output: string[] = []
  const drained = once(child, 'close').catch(() => undefined)
  for (const input of [child.stdout, child.stderr]) {
    if (!input) continue
    const take = input === child.stdout && onLine ? onLine : (line: string) => output.push(line)
    createInterface({ input }).on('line', take)
  }
  const code = await whenGone(child)
  await drained
  return { code, output: output.join('\n').trim() }
}

function failure(name: string, fault: unknown): Failure {
  return { name, text: fault instanceof Error && !fault.cause ? (fault.stack ?? fault.message) : inspect(fault) }
}

function indented(text: string): string {
  return text.replace(/^/gm, '    ')
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

function end(text: string, code: number): void {
  print(text)
  process.exit(code)
}
