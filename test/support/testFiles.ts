// Runs test files with Node's own runner and reports to its parent, one line each, how every test went.
import asyncHooks from 'node:async_hooks'
import { enableCompileCache } from 'node:module'
import { join, relative } from 'node:path'
import process from 'node:process'
import { inspect } from 'node:util'
import { jsonLine } from './jsonLine.ts'

export interface TestLine {
  /**
   * A flaky test failed and then passed; a note is what a file wrote while it ran; a start without an end names the
   * test in which a run hung.
   */
  readonly kind: 'start' | 'end' | 'pass' | 'flaky' | 'fail' | 'note'
  readonly name: string
  readonly file: string
  readonly text: string
}

export interface TestRun {
  readonly files: readonly string[]
  /** `none`: all files in one process. */
  readonly isolation: 'process' | 'none'
}

/** Fails a test that waits for what never comes, instead of holding the whole run. */
const TIMEOUT_MS = 300_000

if (import.meta.main) await runFiles(JSON.parse(process.argv[2] ?? '') as TestRun)

async function runFiles({ files, isolation }: TestRun): Promise<void> {
  // Taking the types out of a file and compiling it takes longer than most files' tests.
  enableCompileCache(join('node_modules', '.cache', 'tests'))
  const run = await lightRunner()
  for (const uncaught of ['uncaughtException', 'unhandledRejection'] as const) process.on(uncaught, reportUncaught)
  const apart = { concurrency: 1, execArgv: ['--no-warnings'] }
  const events = run({ files: [...files], isolation, timeout: TIMEOUT_MS, ...(isolation === 'process' && apart) })
  for await (const { type, data } of events) {
    if (type === 'test:dequeue') report({ kind: 'start', name: data.name, file: place(data.file), text: '' })
    if (type === 'test:complete') report({ kind: 'end', name: data.name, file: place(data.file), text: '' })
    if (type === 'test:pass') passed(data)
    if (type === 'test:fail') failed(data)
    if (type === 'test:stderr' || type === 'test:stdout') note(data)
    // What a test reports of itself, such as its seed; the runner's own counts name no file.
    if (type === 'test:diagnostic' && data.file) note({ file: data.file, message: `${data.message}\n` })
  }
}

/**
 * Node's runner, which follows every promise to know whose uncaught error it might be. That takes a third of the time
 * of tests that hold thousands of them, so it follows only the tests; an uncaught error then counts on its own.
 */
async function lightRunner() {
  const { createHook } = asyncHooks
  // Node 24 knows the option; the types are those of the oldest Node that the extension may run on.
  asyncHooks.createHook = callbacks => createHook(Object.assign({ trackPromises: false }, callbacks))
  const { run } = await import('node:test')
  asyncHooks.createHook = createHook
  return run
}

interface Ended {
  readonly name: string
  readonly file?: string | undefined
  readonly skip?: string | boolean | undefined
  readonly todo?: string | boolean | undefined
  readonly details: { readonly type?: string | undefined }
}

/** A suite is no test, and a file that passes as a whole has held none. */
function passed({ name, file, skip, todo, details }: Ended): void {
  if (details.type === 'suite' || name === file || skip || todo) return
  report({ kind: 'pass', name, file: place(file), text: '' })
}

function failed({ name, file, todo, details }: Ended & { readonly details: { readonly error: Error } }): void {
  const error: FileError = details.error
  if (todo || error.failureType === 'subtestsFailed') return
  if (name !== file)
    report({ kind: 'fail', name, file: place(file), text: inspect(error.cause ?? error, { depth: 4 }) })
  else report({ kind: 'fail', name: 'the file as a whole', file: place(file), text: howItEnded(error) })
}

/** The runner would only count it. */
function reportUncaught(error: unknown): void {
  report({ kind: 'fail', name: 'an error that nobody caught', file: '', text: inspect(error, { depth: 4 }) })
}

interface FileError extends Error {
  readonly failureType?: string
  readonly exitCode?: number
  readonly signal?: string | null
}

function howItEnded(error: FileError): string {
  return error.signal
    ? `Its process was ended by ${error.signal}.`
    : `Its process ended with code ${error.exitCode ?? 1}.`
}

function note({ file, message }: { readonly file?: string | undefined; readonly message: string }): void {
  report({ kind: 'note', name: '', file: place(file), text: message })
}

function place(file: string | undefined): string {
  return file ? relative(process.cwd(), file) : ''
}

function report(line: TestLine): void {
  process.stdout.write(jsonLine(line))
}
