// Starts a real VS Code (code-server) with the extension in it, for tests and for the demo.
import type { ChildProcess } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { endGroup, removeAtEnd, spawnGroup, whenGone } from '../support/processGroup.ts'

const codeServer = join(import.meta.dirname, 'node_modules/code-server')
const entry = join(codeServer, 'out/node/entry.js')

export interface EditorOptions {
  /** The folder that a window opens unless it names another. */
  readonly workspace: string
  /** Packaged extensions, installed as a user would install them. */
  readonly vsix?: string | readonly string[]
  /** Unpacked extensions, used in place. */
  readonly extensionFolder?: string | readonly string[]
  /** User settings on top of those that keep the editor quiet. */
  readonly settings?: Readonly<Record<string, unknown>>
  /** Kept after `close`; without one a temporary folder is used and removed. */
  readonly userDataDir?: string
  /** 0 or none: the system chooses. */
  readonly port?: number
  /** The user's own, on top of those that the editor comes with. */
  readonly keybindings?: readonly { readonly key: string; readonly command: string }[]
  /** Added to a scrubbed copy of this process's environment; `undefined` takes a variable away. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Lets a page run tests inside the extension host, and offers `window.driver`. */
  readonly smokeTestDriver?: boolean
  /** True: folders are restricted until the user trusts them, as in an editor with its default settings. */
  readonly asksForTrust?: boolean
  /** Settings of this machine, as a container's configuration writes them. */
  readonly machineSettings?: Readonly<Record<string, unknown>>
  /** Origins that the editor opens without asking, such as `https://auth.example`. */
  readonly trustedDomains?: readonly string[]
  /** Of the extensions that the editor brings along only these; all, when there is no list. */
  readonly builtIn?: readonly string[]
  /** The display language, such as `de`; without it English. The editor's own words stay English. */
  readonly displayLanguage?: string
}

/**
 * Accounts, git, colours and the languages of the sample workspace. Without the debugger, the language servers and the
 * editor's own chat a window starts with two thirds of the work.
 */
export const fewBuiltIns: readonly string[] = [
  'git',
  'git-base',
  'github',
  'github-authentication',
  'microsoft-authentication',
  'simple-browser',
  'theme-defaults',
  'theme-modern-icons',
  'theme-seti',
  'go',
  'javascript',
  'json',
  'markdown-basics',
  'python',
  'sql',
  'typescript-basics',
]

export interface Editor {
  /** Without a slash at its end. */
  readonly url: string
  readonly hostPort: string
  readonly workspace: string
  readonly userDataDir: string
  readonly settingsFile: string
  readonly extensionsDir: string
  readonly logsDir: string
  /** Resolves when the editor has ended, whatever ended it. */
  readonly ended: Promise<number>
  /** What the server has written so far. */
  output(): string
  close(): Promise<void>
}

const quietSettings = {
  'telemetry.telemetryLevel': 'off',
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'security.workspace.trust.enabled': false,
  'update.mode': 'none',
  'extensions.autoUpdate': 'off',
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'workbench.enableExperiments': false,
  'workbench.tips.enabled': false,
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
  'workbench.editor.useModal': 'off',
  'files.hotExit': 'off',
  'files.autoSave': 'off',
  'git.openRepositoryInParentFolders': 'never',
  'json.schemaDownload.enable': false,
  'npm.fetchOnlinePackageInfo': false,
  'remote.autoForwardPorts': false,
  'chat.disableAIFeatures': true,
}

/** Restricted at once and without a question; who wants to trust a folder finds the way. */
const trustSettings = {
  'security.workspace.trust.enabled': true,
  'security.workspace.trust.startupPrompt': 'never',
  'security.workspace.trust.emptyWindow': false,
}

export async function startEditor(options: EditorOptions): Promise<Editor> {
  if (!existsSync(entry)) throw new Error('The editor under test is not installed; run `npm run setup` first.')
  const state = mkdtempSync(join(tmpdir(), 'kourier-editor-'))
  const removeState = removeAtEnd(state)
  const userDataDir = options.userDataDir ? resolve(options.userDataDir) : join(state, 'user-data')
  try {
    const place = makePlace(state, userDataDir, options.env)
    const trust = options.asksForTrust ? trustSettings : {}
    const settingsFile = writeSettings(join(userDataDir, 'User'), { ...quietSettings, ...trust, ...options.settings })
    if (options.keybindings)
      writeFileSync(join(userDataDir, 'User/keybindings.json'), JSON.stringify(options.keybindings))
    if (options.machineSettings) writeSettings(join(userDataDir, 'Machine'), options.machineSettings)
    if (options.displayLanguage) writeLanguagePack(userDataDir, options.displayLanguage)
    if (options.builtIn) linkBuiltIns(place.builtInDir, options.builtIn)
    await installExtensions(place, list(options.vsix))
    linkExtensions(place.extensionsDir, list(options.extensionFolder))
    const server = new Server(place, options)
    const url = await server.ready()
    return {
      url,
      hostPort: new URL(url).host,
      workspace: resolve(options.workspace),
      userDataDir,
      settingsFile,
      extensionsDir: place.extensionsDir,
      logsDir: join(userDataDir, 'logs'),
      ended: server.ended,
      output: () => server.output,
      close: async () => {
        await server.close()
        removeState()
      },
    }
  } catch (fault) {
    removeState()
    throw fault
  }
}

interface Place {
  readonly state: string
  readonly userDataDir: string
  readonly extensionsDir: string
  readonly builtInDir: string
  readonly env: NodeJS.ProcessEnv
}

function makePlace(state: string, userDataDir: string, env?: EditorOptions['env']): Place {
  const extensionsDir = join(state, 'extensions')
  mkdirSync(extensionsDir, { recursive: true })
  writeFileSync(join(state, 'config.yaml'), 'auth: none\n') // in place of the user's own
  return { state, userDataDir, extensionsDir, builtInDir: join(state, 'built-in'), env: environment(state, env) }
}

class Server {
  readonly ended: Promise<number>
  #child: ChildProcess
  #output = ''

  constructor(place: Place, options: EditorOptions) {
    const trusted = options.trustedDomains ?? []
    this.#child = spawnCodeServer(place, [
      ...['--auth', 'none', '--bind-addr', `127.0.0.1:${options.port ?? 0}`],
      ...['--disable-telemetry', '--disable-update-check'],
      ...(options.asksForTrust ? [] : ['--disable-workspace-trust']),
      ...trusted.flatMap(origin => ['--link-protection-trusted-domains', origin]),
      ...(options.smokeTestDriver ? ['--vscode-option', 'enable-smoke-test-driver'] : []),
      ...(options.builtIn ? ['--builtin-extensions-dir', place.builtInDir] : []),
      ...(options.displayLanguage ? ['--locale', options.displayLanguage] : []),
      resolve(options.workspace),
    ])
    this.ended = whenGone(this.#child)
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text
      })
    }
  }

  get output(): string {
    return this.#output
  }

  close(): Promise<void> {
    return endGroup(this.#child)
  }

  /** The address, once the server prints it and answers there. */
  async ready(): Promise<string> {
    const inTime = AbortSignal.timeout(60_000)
    try {
      const url = await Promise.race([this.#announced(inTime), this.#early()])
      await Promise.race([answers(`${url}/healthz`, inTime), this.#early()])
      return url
    } catch (fault) {
      await this.close()
      if (this.#output.includes('EADDRINUSE'))
        throw new Error('This port is in use; choose another with --port, or leave it out.')
      throw new Error(`The editor under test did not start.\n${this.#output}`, { cause: fault })
    }
  }

  #announced(signal: AbortSignal): Promise<string> {
    return new Promise((found, failed) => {
      const look = () => {
        const url = /HTTP server listening on (http:\/\/[\d.:]+)/.exec(this.#output)?.[1]
        if (url) found(url)
      }
      this.#child.stdout?.on('data', look)
      signal.addEventListener('abort', () => failed(signal.reason), { once: true })
    })
  }

  async #early(): Promise<never> {
    throw new Error(`It ended with code ${await this.ended}.`)
  }
}

async function answers(url: string, signal: AbortSignal): Promise<void> {
  for (let waitMs = 20; ; waitMs = Math.min(waitMs * 1.5, 300)) {
    const answer = await fetch(url, { signal }).catch(() => undefined)
    if (answer?.ok) return
    await sleep(waitMs, undefined, { signal })
  }
}

/** The files of a packaged extension, as the editor itself unpacks them. */
export async function unpackVsix(vsix: string, target: string): Promise<void> {
  const state = mkdtempSync(join(tmpdir(), 'kourier-editor-'))
  const removeState = removeAtEnd(state)
  try {
    const place = makePlace(state, join(state, 'user-data'))
    await installExtensions(place, [vsix])
    const unpacked = readdirSync(place.extensionsDir, { withFileTypes: true }).find(entry => entry.isDirectory())
    if (!unpacked) throw new Error(`Nothing was unpacked from ${vsix}.`)
    rmSync(target, { recursive: true, force: true })
    cpSync(join(place.extensionsDir, unpacked.name), target, { recursive: true })
  } finally {
    removeState()
  }
}

/** What this process has installed once, for the next editor that wants the same. */
const installed = new Map<string, string>()

async function installExtensions(place: Place, files: readonly string[]): Promise<void> {
  if (files.length === 0) return
  const what = JSON.stringify(files.map(file => [resolve(file), statSync(file).mtimeMs]))
  const before = installed.get(what)
  if (before) return cpSync(before, place.extensionsDir, { recursive: true })
  await install(place, files)
  const kept = mkdtempSync(join(tmpdir(), 'kourier-extensions-'))
  removeAtEnd(kept)
  cpSync(place.extensionsDir, kept, { recursive: true })
  installed.set(what, kept)
}

async function install(place: Place, files: readonly string[]): Promise<void> {
  const child = spawnCodeServer(
    place,
    files.flatMap(file => ['--install-extension', resolve(file)]),
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text: Buffer) => (output += text))
  if ((await whenGone(child)) !== 0) throw new Error(`The extension could not be installed.\n${output}`)
}

/** A linked folder counts only as long as no `extensions.json` exists, so it is added to what that file lists. */
function linkExtensions(extensionsDir: string, folders: readonly string[]): void {
  if (folders.length === 0) return
  const entries = folders.map(folder => {
    const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const { publisher, name, version } = manifest as { publisher: string; name: string; version: string }
    const relativeLocation = `${publisher}.${name}-${version}`
    const path = join(extensionsDir, relativeLocation)
    symlinkSync(resolve(folder), path)
    const location = { $mid: 1, scheme: 'file', path }
    return { identifier: { id: `${publisher}.${name}` }, version, location, relativeLocation, metadata: {} }
  })
  const file = join(extensionsDir, 'extensions.json')
  const installed: unknown[] = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []
  writeFileSync(file, JSON.stringify([...installed, ...entries]))
}

/** The editor takes a language only from a language pack; this one has no texts, and is known as an installed one is. */
function writeLanguagePack(userDataDir: string, language: string): void {
  const texts = join(userDataDir, 'no-texts.json')
  const extensions = [{ extensionIdentifier: { id: `test.language-pack-${language}` }, version: '1.0.0' }]
  const pack = { hash: 'none', label: language, extensions, translations: { vscode: texts } }
  writeFileSync(texts, JSON.stringify({ version: '1.0.0', contents: {} }))
  writeFileSync(join(userDataDir, 'languagepacks.json'), JSON.stringify({ [language]: pack }))
}

function linkBuiltIns(folder: string, names: readonly string[]): void {
  mkdirSync(folder)
  for (const name of names) symlinkSync(join(codeServer, 'lib/vscode/extensions', name), join(folder, name))
}

function spawnCodeServer(place: Place, args: readonly string[]): ChildProcess {
  const folders = ['--user-data-dir', place.userDataDir, '--extensions-dir', place.extensionsDir]
  const all = [entry, '--config', join(place.state, 'config.yaml'), ...folders, ...args]
  return spawnGroup(process.execPath, all, { env: place.env, cwd: place.state, stdio: ['ignore', 'pipe', 'pipe'] })
}

/** What would change the editor's behaviour from outside: proxies, npm, another editor, SSH, a test runner. */
const foreign =
  /^((https?|all|no|ftp)_proxy|npm_.*|KOURIER_.*|VSCODE_.*|ELECTRON_.*|CODE_SERVER_.*|NODE_OPTIONS|NODE_TEST_CONTEXT|NODE_V8_COVERAGE|PORT|LOG_LEVEL|(HASHED_)?PASSWORD|GITHUB_TOKEN|SSH_CONNECTION|XDG_CONFIG_HOME)$/i

function environment(state: string, extra: EditorOptions['env'] = {}): NodeJS.ProcessEnv {
  const home = join(state, 'home')
  mkdirSync(home)
  const kept = Object.entries(process.env).filter(([name]) => !foreign.test(name))
  const own = { HOME: home, XDG_DATA_HOME: join(state, 'data'), EXTENSIONS_GALLERY: '{}' }
  const all = { ...Object.fromEntries(kept), ...own, ...extra }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

function writeSettings(folder: string, settings: Readonly<Record<string, unknown>>): string {
  const file = join(folder, 'settings.json')
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, JSON.stringify(settings, undefined, 2))
  return file
}

function list(value: string | readonly string[] | undefined): readonly string[] {
  if (value === undefined) return []
  return typeof value === 'string' ? [value] : value
}
