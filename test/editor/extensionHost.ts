// Runs `test/host` inside the extension host of a real editor, beside the packaged extension.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Page } from '@playwright/test'
import { build } from 'esbuild'
import { findSecrets, sweepFolder } from '../support/sweep.ts'
import { launchChromium, quickScripts } from './chromium.ts'
import { type Editor, fewBuiltIns, startEditor, unpackVsix } from './codeServer.ts'
import { copySampleWorkspace } from './sampleWorkspace.ts'
import { stillProgress, windowContext } from './workbench.ts'

const root = resolve(import.meta.dirname, '../..')
const tests = join(root, 'test/host')
const output = join(root, 'build/host')
const extensionFolder = join(output, 'extension')
const entry = join(output, 'index.cjs')
const report = join(output, 'report.json')

export interface HostResult {
  readonly name: string
  /** What was wrong; absent when the test passed. */
  readonly error?: string
}

export interface HostOptions {
  readonly vsix: string
  readonly settings?: Readonly<Record<string, unknown>>
  readonly env?: Readonly<Record<string, string>>
  readonly timeoutMs?: number
}

export async function runInExtensionHost(options: HostOptions): Promise<HostResult[]> {
  rmSync(report, { force: true })
  mkdirSync(output, { recursive: true })
  await Promise.all([bundleTests(), prepareExtension(options.vsix)])
  const workspace = copySampleWorkspace({ git: true })
  const editor = await startEditor({
    workspace: workspace.folder,
    builtIn: fewBuiltIns,
    smokeTestDriver: true,
    settings: options.settings ?? {},
    // A file that a test may write as a container's configuration does.
    machineSettings: {},
    env: { ...options.env, KOURIER_HOST_REPORT: report },
  })
  const browser = await launchChromium({ args: [quickScripts] })
  try {
    const page = await browser.newPage(windowContext)
    await page.addInitScript(stillProgress)
    const { log, isInTime } = await untilTestsEnd(page, editor, options.timeoutMs ?? 420_000)
    if (!existsSync(report)) throw new Error(`The tests in the extension host left no report.\n${log}`)
    const results: HostResult[] = JSON.parse(readFileSync(report, 'utf8'))
    if (!isInTime) results.push({ name: 'the tests in the extension host end in time', error: log })
    return [...results, swept(editor)]
  } finally {
    await browser.close()
    await editor.close()
    workspace.remove()
  }
}

/** Whatever the tests did, no secret lies in the editor's files and logs. */
function swept(editor: Editor): HostResult {
  const found = [...sweepFolder(editor.userDataDir), ...findSecrets('output of the editor', editor.output())]
  const name = 'no secret lies where it does not belong'
  return found.length > 0 ? { name, error: JSON.stringify(found) } : { name }
}

/** Test files load only when mocha is ready for them, hence `require` in the middle of the entry. */
async function bundleTests(): Promise<void> {
  const files = readdirSync(tests).filter(name => name.endsWith('.host.ts'))
  await build({
    stdin: {
      contents: `
        import { runMocha } from '../editor/mochaInHost.ts'
        export const run = () => runMocha(() => { ${files.map(name => `require('./${name}')`).join('\n')} })`,
      resolveDir: tests,
      loader: 'ts',
    },
    outfile: entry,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    external: ['vscode', 'mocha'],
    sourcemap: 'inline',
    logLevel: 'silent',
  })
}

/** The packaged extension as it is, but for its `main`, which lets the tests see its context. */
async function prepareExtension(vsix: string): Promise<void> {
  await unpackVsix(vsix, extensionFolder)
  const file = join(extensionFolder, 'package.json')
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as { main: string }
  writeFileSync(join(extensionFolder, 'observed.cjs'), observed(manifest.main))
  writeFileSync(file, JSON.stringify({ ...manifest, main: './observed.cjs' }))
}

/** Everything that a test may see of the extension; the product itself has no door for tests. */
function observed(main: string): string {
  return `const vscode = require('vscode')
const dispatchers = () => [1, 2].map(version => globalThis[Symbol.for('undici.globalDispatcher.' + version)])
const registered = {}
const watch = (room, name) => {
  const register = room[name]
  room[name] = (...given) => {
    registered[name] = given
    return register.apply(room, given)
  }
}
watch(vscode.window, 'registerWebviewViewProvider')
watch(vscode.languages, 'registerInlineCompletionItemProvider')
const seen = { vscode, registered, dispatchers, dispatchersBefore: dispatchers(), fetchBefore: globalThis.fetch }
globalThis[Symbol.for('kourier.test')] = seen
const real = require(${JSON.stringify(main)})
exports.activate = context => {
  seen.context = context
  return (seen.exports = real.activate(context))
}
exports.deactivate = () => real.deactivate?.()
`
}

/** `log`: what the host wrote to its console meanwhile, for the case that it ends without a report, or not at all. */
async function untilTestsEnd(
  page: Page,
  editor: Editor,
  timeoutMs: number,
): Promise<{ log: string; isInTime: boolean }> {
  const lines: string[] = []
  let isInTime = true
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  await page.exposeFunction('codeAutomationLog', (_: string, texts: unknown[]) => lines.push(texts.join(' ')))
  await page.exposeFunction('codeAutomationExit', () => end())
  const limit = setTimeout(() => {
    isInTime = false
    end()
  }, timeoutMs)
  try {
    await Promise.all([page.goto(address(editor)), ended])
  } finally {
    clearTimeout(limit)
  }
  return { log: lines.join('\n'), isInTime }
}

function address(editor: Editor): string {
  const remote = (path: string) => `vscode-remote://${editor.hostPort}${path}`
  const payload = [
    ['extensionDevelopmentPath', remote(extensionFolder)],
    ['extensionTestsPath', remote(entry)],
  ]
  const query = new URLSearchParams({ folder: editor.workspace, payload: JSON.stringify(payload) })
  return `${editor.url}/?${query}`
}
