// Every test of the project, or the parts that are named; the last line says how many passed and failed.
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
}

/** What a part does until the signal says that its time is up. */
type Work = (signal: AbortSignal) => Promise<Outcome>

const minute = 60_000
const everything = ['check', 'unit', 'page', 'service', 'package', 'host', 'e2e']
const known = [...everything, 'screenshots']
const asked = process.argv.slice(2)
const parts = asked.length > 0 ? asked : everything
const total = { passed: 0, failed: 0 }

process.chdir(resolve(import.meta.dirname, '..'))
await main()

async function main(): Promise<void> {
  const stranger = parts.find(part => !known.includes(part))
  if (stranger) return end(`'${stranger}' is no part of the tests; there are ${known.join(', ')}.`, 2)
  // What is quick to know comes first.
  const packaged = isAsked('package', 'host', 'e2e', 'screenshots') ? makePackage() : undefined
  await Promise.all([isAsked('check') && check(), isAsked('unit') && unit(), packaged])
  // The shortest last: what is left when the others have ended has the machine half idle.
  const others = [isAsked('service') && strangers, isAsked('service') && service, isAsked('page') && page]
  await threeAtATime([...((await packaged) ? inTheEditor() : []), ...others.filter(wanted => wanted !== false)])
  end(`${total.passed} passed, ${total.failed} failed`, total.failed > 0 || total.passed === 0 ? 1 : 0)
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
    isAsked('unit') || step('layers', minute, testFiles(['test/layers.test.ts'], 1)),
  ])
}

async function unit(): Promise<void> {
  const elsewhere =
    /^test\/((package|webview\/page)\.test\.ts$|host\/|e2e\/|service\/|strangers\/|editor\/node_modules\/)/
  const files = globSync('test/**/*.test.ts').filter(file => !elsewhere.test(file.replaceAll('\\', '/')))
  // Three for two processors: some of them wait for processes and for time.
  await step('unit', 6 * minute, sideBySide(...shares(3, files).map(share => testFiles(share, 1, 'none'))))
}

/** The page of the chat in a browser, without an editor. */
function page(): Promise<void> {
  return step('page', 4 * minute, testFiles(['test/webview/page.test.ts'], 1))
}

function service(): Promise<void> {
  return step('service', 6 * minute, testFiles(globSync('test/service/**/*.test.ts'), 1, 'none'))
}

/** The local service by clients and judges that others wrote; some of them need a browser. */
function strangers(): Promise<void> {
  return step('strangers', 6 * minute, testFiles(globSync('test/strangers/**/*.test.ts'), 1))
}

/** Of about the same weight, each for one process: what a process has read and compiled serves all its files. */
function shares(count: number, files: readonly string[]): readonly (readonly string[])[] {
  const all = Array.from({ length: count }, () => ({ files: [] as string[], weight: 0 }))
  const weighed = files.map(file => ({ file, weight: secondsOf(file) }))
  for (const { file, weight } of weighed.toSorted((a, b) => b.weight - a.weight)) {
    const lightest = all.reduce((one, other) => (other.weight < one.weight ? other : one))
    lightest.files.push(file)
    lightest.weight += weight
  }
  return all.map(share => share.files)
}

/** Seconds that a file took once, for shares that end together; how large it is does not tell. Most take next to nothing. */
function secondsOf(file: string): number {
  const seconds: Readonly<Record<string, number>> = {
    'core/account/deviceFlow': 5,
    'core/account/dialects': 5,
    'core/account/realTime': 5,
    'core/everyCall': 10,
    'node/http/undiciHttp': 2,
    'core/oddAnswers': 5,
    'core/reliability': 6,
    'node/schedule/windows': 9,
    'core/unreachable': 1,
    'editor/account/signInView': 2,
    'e2e/account': 53,
    'e2e/browserSignIn': 58,
    'e2e/chat': 22,
    'e2e/completion': 19,
    'e2e/editorChat': 34,
    'e2e/models': 12,
    'e2e/otherWindows': 33,
    'e2e/proxy': 23,
    'e2e/signIn': 42,
    'e2e/windows': 53,
    'e2e/workspace': 35,
  }
  return seconds[file.replaceAll('\\', '/').replace(/^test\/|\.(e2e|test)\.ts$/g, '')] ?? 0.2
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

/** Two halves of what is driven in a browser keep two processors busy; the third lane mostly waits. The longest come first. */
async function threeAtATime(steps: readonly (() => Promise<void>)[]): Promise<void> {
  const waiting = [...steps]
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await next()
  }
  await Promise.all([lane(), lane(), lane()])
}

/** What needs the package. */
function inTheEditor(): (() => Promise<void>)[] {
  // Each of the halves has a browser and an editor for all files that want nothing special; they go on with its window.
  const leavesWindow = (file: string) => !file.includes('otherWindows')
  const [one = [], other = []] = shares(2, globSync('test/e2e/**/*.e2e.ts')).map(files => [
    ...files.filter(leavesWindow),
    ...files.filter(file => !leavesWindow(file)),
  ])
  const shots = globSync('test/e2e/**/*.shots.ts')
  return [
    isAsked('e2e') && (() => step('e2e', 20 * minute, testFiles(one, 1, 'none'))),
    isAsked('e2e') && (() => step('e2e', 20 * minute, testFiles(other, 1, 'none'))),
    isAsked('host') && (() => step('host', 8 * minute, host)),
    isAsked('package') && (() => step('package', minute, testFiles(['test/package.test.ts'], 1))),
    isAsked('screenshots') && (() => step('screenshots', 10 * minute, testFiles(shots, 1))),
  ].filter(wanted => wanted !== false)
}

async function host(): Promise<Outcome> {
  const { runInExtensionHost } = await import('./editor/extensionHost.ts')
  const results = await runInExtensionHost({ vsix: vsixPath })
  const failures = results.flatMap(({ name, error }) => (error ? [{ name, text: error }] : []))
  return { passed: results.length - failures.length, failures }
}

// Steps: each is told in one line, and what failed in it right below.

async function step(name: string, limitMs: number, work: Work): Promise<void> {
  const startedAt = performance.now()
  const { passed, failures } = await outcomeOf(work, limitMs)
  total.passed += passed
  total.failed += failures.length
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  const counts = `${passed} passed, ${failures.length} failed`
  const stories = failures.map(({ name: test, text }) => `\n  ✗ ${test}\n${indented(text)}\n`)
  say(`${name.padEnd(14)} ${counts.padEnd(24)} ${seconds.padStart(6)} s${stories.join('')}`)
}

/** A crash, running out of time and finding nothing to run are failures too. */
async function outcomeOf(work: Work, limitMs: number): Promise<Outcome> {
  const stop = new AbortController()
  const limit = setTimeout(() => stop.abort(), limitMs)
  try {
    const outcome = await Promise.race([work(stop.signal), outOfTime(stop.signal, limitMs)])
    if (outcome.passed > 0 || outcome.failures.length > 0) return outcome
    return { passed: 0, failures: [{ name: 'no test ran', text: 'There must be at least one.' }] }
  } catch (fault) {
    return { passed: 0, failures: [failure('the run itself', fault)] }
  } finally {
    clearTimeout(limit)
  }
}

/** The work itself says more about where it was stopped, so it gets some seconds to say it. */
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

/** Files of `node:test`, each in a process of its own. */
function testFiles(files: readonly string[], concurrency: number, isolation: TestRun['isolation'] = 'process'): Work {
  return async signal => {
    if (files.length === 0) return { passed: 0, failures: [] }
    const lines: TestLine[] = []
    const plan: TestRun = { files: files.map(file => resolve(file)), concurrency, isolation }
    const args = ['--no-warnings', 'test/support/testFiles.ts', JSON.stringify(plan)]
    const { code, output } = await runProgram(process.execPath, args, signal, line => {
      if (line.startsWith('{')) lines.push(JSON.parse(line) as TestLine)
    })
    return outcomeOfLines(lines, code, output, signal.aborted)
  }
}

function outcomeOfLines(lines: readonly TestLine[], code: number, output: string, isStopped: boolean): Outcome {
  const told = (kind: TestLine['kind']) => lines.filter(line => line.kind === kind)
  const failures = told('fail').map(({ name, file, text }) => ({
    name: `${name} (${file})`,
    text: text + written(lines, file),
  }))
  // Files that share a process write to its own output.
  const last = failures.pop()
  if (last) failures.push({ ...last, text: last.text + (output && `\nwritten meanwhile:\n${lastOf(output)}`) })
  if (isStopped) failures.push(...unfinished(lines))
  else if (code !== 0) failures.push({ name: 'the test runner', text: `It ended with code ${code}.\n${output}` })
  return { passed: told('pass').length, failures }
}

/** The innermost tests that had begun when the time was up. */
function unfinished(lines: readonly TestLine[]): Failure[] {
  const isEnded = (start: TestLine) =>
    lines.some(({ kind, name, file }) => kind === 'end' && name === start.name && file === start.file)
  const open = lines.filter(line => line.kind === 'start' && !isEnded(line))
  const innermost = open.filter(({ file }, at) => open.findLastIndex(other => other.file === file) === at)
  return innermost.map(({ name, file }) => ({ name: `${name} (${file})`, text: `Out of time.${written(lines, file)}` }))
}

/** The last things a file wrote, which often tell what its failure does not. */
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

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

function end(text: string, code: number): void {
  say(text)
  process.exit(code)
}
