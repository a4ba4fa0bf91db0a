// What the vsix holds; manifest and typed tables agree.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { brotliDecompressSync } from 'node:zlib'
import { settingsTable } from '../src/core/settings.ts'
import { unpackVsix } from './editor/codeServer.ts'
import { freshVsix } from './editor/extensionPackage.ts'
import { withFakeVscode } from './support/fakeVscode.ts'

const folder = mkdtempSync(join(tmpdir(), 'kourier-package-'))
let files: string[] = []
const read = (name: string) => readFileSync(join(folder, name), 'utf8')

before(async () => {
  await unpackVsix(await freshVsix(), folder)
  files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(name => name.replaceAll('\\', '/'))
    // The editor that unpacks it leaves a note of its own.
    .filter(name => statSync(join(folder, name)).isFile() && name !== '.vsixmanifest')
    .sort()
})
after(() => rmSync(folder, { recursive: true }))

const bundles = () => files.filter(name => name.endsWith('.cjs'))

test('the package holds exactly this', () => {
  // What is loaded at its first use lies in files of its own, whose names show which content they have.
  const isLater = (name: string) =>
    /^dist\/[\w-]+-[A-Z0-9]{8}\.cjs$/.test(name) || /^dist\/page\/fonts\/KaTeX_[\w-]+\.woff2$/.test(name)
  assert.ok(files.some(isLater))
  assert.deepEqual(
    files.filter(name => !isLater(name)),
    [
      'LICENSE.txt',
      'changelog.md',
      'dist/chat.css.br',
      'dist/diagram.js.br',
      'dist/extension.cjs',
      'dist/math.js.br',
      'dist/onig.wasm.br',
      'dist/page.js.br',
      'dist/page/math.css',
      'dist/searchWorker.cjs',
      'dist/tokenizeWorker.cjs',
      'l10n/bundle.l10n.de.json',
      'media/icon.png',
      'media/icon.svg',
      'media/nextEdit.svg',
      'media/third-party-notices.txt',
      'media/walkthrough/account.svg',
      'media/walkthrough/chat.svg',
      'media/walkthrough/complete.svg',
      'media/walkthrough/pace.svg',
      'media/walkthrough/sign-in.svg',
      'package.json',
      'package.nls.de.json',
      'package.nls.json',
      'readme.md',
    ],
  )
})

test('the package stays under 2 MB with Mermaid and KaTeX', async () => {
  const { size } = statSync(await freshVsix())
  assert.ok(size < 2_000_000, `${size} bytes`)
})

test('what the start of the editor does not need is not in the bundle that it loads', () => {
  // undici, two surfaces, the methods of sign-in, the QR code, every schema, what colours code.
  const late = ['UND_ERR_', '/v1/chat/completions', '/anthropic/v1/messages', 'urn:ietf:params:oauth']
  late.push('minCorrectionLevel', '_zod', 'tokenColorCustomizations', 'worker_threads')
  assert.deepEqual(
    late.filter(word => startFiles().some(name => read(name).includes(word))),
    [],
  )
})

test('the script of the page ends no element of the HTML that it stands in, and begins none', () => {
  const script = brotliDecompressSync(readFileSync(join(folder, 'dist/page.js.br'))).toString()
  assert.ok(script.includes('acquireVsCodeApi'))
  assert.doesNotMatch(script, /<\/?script/i)
})

/** The bundle that the editor loads, and what that loads at once. */
function startFiles(): readonly string[] {
  const found = new Set<string>()
  const add = (name: string) => {
    if (found.has(name)) return
    found.add(name)
    const atOnce = read(name).replace(/\.then\(\(\)\s*=>[^)]*require\([^)]*\)/g, '')
    for (const [, other = ''] of atOnce.matchAll(/require\("\.\/([\w-]+\.cjs)"\)/g)) add(`dist/${other}`)
  }
  add('dist/extension.cjs')
  return [...found]
}

test('no source map, no test, no secret and no path of the machine it was made on', () => {
  for (const name of files) {
    const text = read(name)
    assert.doesNotMatch(text, /sourceMappingURL=/, name)
    if (name.startsWith('dist/')) assert.doesNotMatch(text, /\b(node:test|localService)\b/, name)
    assert.doesNotMatch(text, /sk-bf-[A-Za-z0-9_-]{8,}|clm_[A-Za-z0-9_-]{8,}|-----BEGIN [A-Z ]*PRIVATE KEY/, name)
    assert.equal(text.includes(process.cwd()), false, name)
  }
})

test('the README shows every picture that there is, and the packaged one none', () => {
  const readme = readFileSync('README.md', 'utf8')
  const shown = [...readme.matchAll(/!\[[^\]]+\]\[([a-z-]+)\]/g)].map(([, name]) => name ?? '')
  const pictures = readdirSync('media/screenshots').sort()
  assert.deepEqual([...new Set(shown)].map(name => `${name}.png`).sort(), pictures)
  for (const name of shown) assert.ok(readme.includes(`\n[${name}]: media/screenshots/${name}.png\n`), name)
  const packaged = read('readme.md')
  assert.doesNotMatch(packaged, /!\[|screenshots|^\[[a-z-]+\]: |\]\[/m)
  const chapters = (text: string) => [...text.matchAll(/^## .*$/gm)].map(([line]) => line)
  const left = ['## In your theme', '## For developers']
  assert.deepEqual(
    chapters(packaged),
    chapters(readme).filter(line => !left.includes(line)),
  )
})

test('the README names every setting with its default', () => {
  const { configuration } = JSON.parse(readFileSync('package.json', 'utf8')).contributes
  const settings: [string, { default: unknown }][] = [configuration]
    .flat()
    .flatMap(({ properties }) => Object.entries(properties))
  const rows = [...readFileSync('README.md', 'utf8').matchAll(/^\| `(kourier\.[\w.]+)` \| ([^|]*) \|/gm)]
  assert.deepEqual(rows.map(([, name]) => name).sort(), settings.map(([name]) => name).sort())
  for (const [, name, cell] of rows) {
    // A long default is described, with a link to it.
    const [, shown] = /^`(.*)`$/.exec(cell ?? '') ?? []
    const value = settings.find(([setting]) => setting === name)?.[1].default
    if (shown) assert.deepEqual(typeof value === 'string' ? shown.replaceAll('"', '') : JSON.parse(shown), value, name)
    else assert.match(cell ?? '', /\]\(#/, name)
  }
})

test('only the stable editor API is used', () => {
  // The editor under test lets every proposal through; a desktop editor would throw.
  const proposed = [
    'enabledApiProposals',
    'handleDidShowCompletionItem',
    'handleDidPartiallyAcceptCompletionItem',
    'handleEndOfLifetime',
    'isInlineEdit',
    'showRange',
    'debounceDelayMs',
    'yieldTo',
    'isDefault',
    'LanguageModelThinkingPart',
    'isUserSelectable',
    'requiresAuthorization',
    'editTools',
    'createDynamicChatParticipant',
    'registerChatSession',
    'registerMappedEditsProvider',
    'registerChatOutputRenderer',
    'createWebviewTextEditorInset',
    'findTextInFiles',
    'findFiles2',
    'supportedAuthorizationServers',
    'supportsChallenges',
    'hasSession',
    'computeEmbeddings',
    'fileIsIgnored',
    'mcpServerDefinitions',
    'appQuality',
    'isMeteredConnection',
    'nativeHandle',
    'registerQuickDiffProvider',
    'registerTerminalCompletionProvider',
  ]
  for (const name of ['package.json', ...bundles()]) {
    const text = read(name)
    assert.deepEqual(
      proposed.filter(word => text.includes(word)),
      [],
      name,
    )
  }
})

interface Manifest {
  readonly engines: { readonly vscode: string }
  readonly activationEvents: readonly string[]
  readonly capabilities: { readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] } }
  readonly contributes: {
    readonly keybindings: readonly { readonly command: string; readonly key: string; readonly when?: string }[]
    readonly commands: readonly { readonly command: string; readonly title: string; readonly enablement?: string }[]
    readonly menus: Readonly<Record<string, readonly { readonly command: string; readonly when?: string }[]>>
    readonly configuration: { readonly properties: Readonly<Record<string, Property>> }
    readonly walkthroughs: readonly {
      readonly steps: readonly { readonly id: string; readonly completionEvents: readonly string[] }[]
    }[]
  }
}
interface Property {
  readonly default: unknown
  readonly scope: string
  readonly ignoreSync?: boolean
}
const manifest = () => JSON.parse(read('package.json')) as Manifest

test('the commands of the manifest are those of the typed table', async () => {
  const { commandTable } = await withFakeVscode(() => import('../src/editor/ui/commands.ts'))
  const listed = Object.entries(commandTable).filter(([, kind]) => kind === 'public')
  assert.deepEqual(
    manifest()
      .contributes.commands.map(({ command }) => command)
      .sort(),
    listed.map(([id]) => id).sort(),
  )
})

test('the accessibility help is in the menu of the chat, in the side bar and in a tab', () => {
  const { menus } = manifest().contributes
  const placesOf = (menu: string) =>
    (menus[menu] ?? []).filter(({ command }) => command === 'kourier.showAccessibilityHelp').map(({ when }) => when)
  assert.deepEqual(placesOf('view/title'), ['view == kourier.chat'])
  assert.deepEqual(placesOf('editor/title'), ["activeWebviewPanelId == 'kourier.chatEditor'"])
})

test('a command that is disabled at the moment is hidden from the palette as well', () => {
  const { commands, menus } = manifest().contributes
  // Some are enabled in a menu that names what they are about, and hidden from the palette where nothing does.
  for (const { command, enablement } of commands.filter(({ enablement }) => enablement !== undefined)) {
    assert.equal(menus['commandPalette']?.find(item => item.command === command)?.when, enablement, command)
  }
})

test('with a key of the environment one can work and sign in, and there is nobody to sign out', async () => {
  const { accountKey } = await withFakeVscode(() => import('../src/editor/ui/contextKeys.ts'))
  const account = { service: 'Example', resource: 'https://api.example.com', issuer: undefined, email: undefined }
  const of = (origin: 'environment' | 'pasted') => accountKey({ is: 'in', account: { ...account, origin } }, false)
  assert.deepEqual([of('environment'), of('pasted')], ['environment', 'in'])
  assert.equal(accountKey({ is: 'in', account: { ...account, origin: 'environment' } }, true), 'signing-in')
  const isOffered = (clause = 'true', key = '') =>
    clause.split(' || ').some(part =>
      part.split(' && ').every(term => {
        const [, operator, value] = /^kourier\.account (==|!=) (\S+)$/.exec(term) ?? []
        return operator === undefined || (operator === '==') === (value === key)
      }),
    )
  const offered = (key: string) =>
    manifest().contributes.commands.flatMap(({ command, enablement }) => (isOffered(enablement, key) ? command : []))
  const ways = ['kourier.signIn', 'kourier.signInWithBrowser', 'kourier.useApiKey']
  assert.deepEqual(
    offered('environment').sort(),
    [...offered('in').filter(command => command !== 'kourier.signOut'), ...ways].sort(),
  )
})

test('the settings of the manifest are those of the typed table, with scope and default', () => {
  const { properties } = manifest().contributes.configuration
  const table = Object.entries(settingsTable).map(([key, { scope, fallback }]) => [`kourier.${key}`, scope, fallback])
  assert.deepEqual(
    Object.entries(properties).map(([key, { scope, default: fallback }]) => [key, scope, fallback]),
    table,
  )
})

const deciding =
  /url|uri|host|address|endpoint|server|origin|header|proxy|certificate|tls|ssl|client|command|shell|tool|approv|permission|telemetry/i

/** Settings that decide where something is sent or what runs, and that somebody else than the user could set. */
function foreignSettings({ contributes, capabilities }: Manifest): string[] {
  const { restrictedConfigurations } = capabilities.untrustedWorkspaces
  return Object.entries(contributes.configuration.properties)
    .filter(([name]) => deciding.test(name.replace(/^kourier\./, '')))
    .filter(
      ([name, { scope, ignoreSync }]) =>
        scope !== 'application' || ignoreSync !== true || !restrictedConfigurations.includes(name),
    )
    .map(([name]) => name)
}

test('[T07] settings that decide where something is sent, or what runs, are the user’s own, unsynced and restricted', () => {
  const own = manifest()
  const names = Object.keys(own.contributes.configuration.properties).filter(name =>
    deciding.test(name.replace(/^kourier\./, '')),
  )
  assert.deepEqual(names, ['kourier.baseUrl', 'kourier.clientId', 'kourier.agent.allowedCommands'])
  assert.deepEqual(foreignSettings(own), [])
})

test('[T16] nothing of ours is named for settings sync, and no setting could hold a secret', () => {
  assert.ok(!bundles().some(name => read(name).includes('setKeysForSync')))
  const { contributes } = manifest()
  const names = Object.keys(contributes.configuration.properties)
  assert.deepEqual(
    names.filter(name => /key|token|secret|password|credential/i.test(name.replace(/^kourier\./, ''))),
    [],
  )
})

test('[T07] a new one of that kind is found when anything of it is missing', () => {
  const good = { default: '', scope: 'application', ignoreSync: true }
  const planted: readonly [string, Partial<Property>, boolean][] = [
    ['kourier.chat.extraHeaders', { scope: 'window' }, true],
    ['kourier.apiHost', { scope: 'machine' }, true],
    ['kourier.autoApprove', { scope: 'resource' }, true],
    ['kourier.toolCommand', { ignoreSync: false }, true],
    ['kourier.proxyUrl', {}, false],
  ]
  for (const [name, change, isRestricted] of planted) {
    const { contributes, capabilities } = manifest()
    const { properties } = contributes.configuration
    const configuration = { properties: { ...properties, [name]: { ...good, ...change } } }
    const restrictedConfigurations = [
      ...capabilities.untrustedWorkspaces.restrictedConfigurations,
      ...(isRestricted ? [name] : []),
    ]
    const changed = {
      ...manifest(),
      contributes: { ...contributes, configuration },
      capabilities: { untrustedWorkspaces: { restrictedConfigurations } },
    }
    assert.deepEqual(foreignSettings(changed), [name])
  }
})

test('[T18] no setting of ours switches the checks of certificates off', () => {
  const names = Object.keys(manifest().contributes.configuration.properties)
  assert.deepEqual(
    names.filter(name => /cert|tls|ssl|strict|secure|verify|reject/i.test(name)),
    [],
  )
})

test('[T92] loading it changes nothing that all extensions share', async () => {
  mkdirSync(join(folder, 'node_modules/vscode'), { recursive: true })
  const stub = `const any = new Proxy(class {}, { get: (target, name) => (name === 'prototype' ? target[name] : any) })
    module.exports = any`
  writeFileSync(join(folder, 'node_modules/vscode/index.js'), stub)
  const changedBy = async (...loaded: string[]) => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--no-warnings',
      'test/support/globalsKept.ts',
      ...loaded,
    ])
    const { looked, changed } = JSON.parse(stdout) as { looked: number; changed: string[] }
    assert.ok(looked > 100)
    return changed
  }
  // Not even the place in which zod 4.6 has all its copies of a process share their settings: ours has its own.
  assert.deepEqual(await changedBy(...bundles().map(name => join(folder, name))), [])
  // A bundle that does change something is detected.
  const saboteur = join(folder, 'saboteur.cjs')
  writeFileSync(
    saboteur,
    `globalThis[Symbol.for('undici.globalDispatcher.1')] = {}
    globalThis.fetch = () => {}
    Array.prototype.last = () => {}
    require('node:https').request = () => {}
    process.on('unhandledRejection', () => {})`,
  )
  assert.deepEqual((await changedBy(saboteur)).sort(), [
    ...['Symbol(undici.globalDispatcher.1)', 'fetch', 'last', 'request', 'unhandledRejection 1'],
  ])
})

/** What Node 24 has and Node 22.19 has not, found by listing both; modules' own news are the compiler's to refuse. */
const since22 = [
  ...['AsyncDisposableStack', 'DisposableStack', 'SuppressedError', 'Float16Array', 'URLPattern', 'CloseEvent'],
  ...['Promise.try', 'RegExp.escape', 'Error.isError', 'Math.f16round', 'Atomics.pause', 'Intl.DurationFormat'],
  ...['DataView.prototype.getFloat16', 'DataView.prototype.setFloat16', 'WebAssembly.promising'],
]

test('[R57] it is made for the Node of the oldest editor, and loads where there is nothing newer', async () => {
  type Versions = Readonly<Record<string, string>>
  const { engines, devDependencies, dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    [part in 'engines' | 'devDependencies' | 'dependencies']: Versions
  }
  assert.equal(engines['vscode'], '^1.110.0')
  assert.match(readFileSync('esbuild.ts', 'utf8'), /target: 'node22\.19'/)
  // What came later is no part of these types.
  assert.match(devDependencies['@types/vscode'] ?? '', /^1\.110\./)
  assert.match(devDependencies['@types/node'] ?? '', /^22\.19\./)
  for (const name of Object.keys(dependencies)) {
    const { engines: needed } = JSON.parse(readFileSync(join('node_modules', name, 'package.json'), 'utf8')) as {
      engines?: Versions
    }
    const [, major = 0, minor = 0] = /^>=\s*v?(\d+)(?:\.(\d+))?/.exec(needed?.['node'] ?? '') ?? []
    assert.ok(Number(major) < 22 || (Number(major) === 22 && Number(minor) <= 19), `${name} needs ${needed?.['node']}`)
  }
  const program = `
    for (const name of ${JSON.stringify(since22)}) {
      const path = name.split('.')
      const last = path.pop()
      delete path.reduce((value, part) => value[part], globalThis)[last]
    }
    const { Module } = require('node:module')
    const load = Module._load
    const vscode = new Proxy(class {}, { get: (of, name) => (name in of ? of[name] : vscode) })
    Module._load = (name, ...rest) => (name === 'vscode' ? vscode : load(name, ...rest))
    for (const name of ${JSON.stringify(bundles())}) require(${JSON.stringify(folder)} + '/' + name)
    const { activate, deactivate } = require(${JSON.stringify(join(folder, 'dist/extension.cjs'))})
    console.log(typeof activate, typeof deactivate, ${JSON.stringify(since22)}.filter(name => {
      try { return eval(name) !== undefined } catch { return false }
    }).length)`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=commonjs', '-e', program])
  assert.equal(stdout.trim(), 'function function 0')
})

test('the context keys that the manifest asks for are those of the typed table', async () => {
  const { contextKeyNames } = await withFakeVscode(() => import('../src/editor/ui/contextKeys.ts'))
  const clauses = [...read('package.json').matchAll(/"(?:when|enablement)": "([^"]*)"/g)].map(([, clause]) => clause)
  const asked = clauses.join(' ').matchAll(/kourier\.\w+/g)
  // The view and the tabs of the chat are compared with by their own names.
  const places = ['kourier.chat', 'kourier.chatEditor']
  const names = new Set([...asked].map(([name]) => name).filter(name => !places.includes(name)))
  assert.deepEqual([...names].sort(), [...contextKeyNames].sort())
})

test('Tab takes a hint for the next edit only where it means nothing else', () => {
  const bindings = manifest().contributes.keybindings.filter(({ command }) => command === 'kourier.takeNextEdit')
  const meanings = {
    'kourier.tabTakesNextEdit': 'there is a hint, and the cursor is not in the indentation of another line',
    editorTextFocus: 'the keyboard is in the text',
    '!editorReadonly': 'the text can be changed',
    '!inlineSuggestionVisible': 'it accepts a completion',
    '!inlineEditIsVisible': 'it goes to an edit that another extension suggests',
    '!suggestWidgetVisible': 'it accepts an item of the list',
    '!inSnippetMode': 'it goes to the next place of a snippet',
    '!hasSnippetCompletions': 'it inserts the snippet of the prefix that was typed',
    '!hasOtherSuggestions': 'it goes to the next item of the list',
    '!editorHasSelection': 'it indents what is selected',
    '!editorHasMultipleSelections': 'it indents at each cursor',
    '!editorTabMovesFocus': 'it leaves the editor',
    '!accessibilityModeEnabled': 'a user who hears the text does not see the hint',
    '!vim.active': 'it is a key of that mode',
    '!neovim.init': 'it is a key of that mode',
  }
  assert.deepEqual(
    bindings.map(({ key, when }) => ({ key, when: when?.split(' && ') })),
    [{ key: 'tab', when: Object.keys(meanings) }],
  )
})

test('each state of the account that the manifest names is one of the typed table', async () => {
  const { accountKeys } = await withFakeVscode(() => import('../src/editor/ui/contextKeys.ts'))
  const named = [...read('package.json').matchAll(/kourier\.account (?:==|!=) ([\w-]+)/g)].map(([, value]) => value)
  assert.deepEqual(
    named.filter(value => !accountKeys.some(key => key === value)),
    [],
  )
})

test('the first step of the walkthrough is done wherever one can work', async () => {
  const { accountKey } = await withFakeVscode(() => import('../src/editor/ui/contextKeys.ts'))
  const account = { service: 'Example', resource: 'https://api.example.com', issuer: undefined, email: undefined }
  const events = manifest()
    .contributes.walkthroughs.flatMap(({ steps }) => steps)
    .find(({ id }) => id === 'signIn')?.completionEvents
  const origins = ['registration', 'browser', 'pasted', 'environment'] as const
  const states = new Set(origins.map(origin => accountKey({ is: 'in', account: { ...account, origin } }, false)))
  assert.deepEqual(
    events,
    [...states].map(state => `onContext:kourier.account == ${state}`),
  )
})

test('every placeholder has its text, and every text its placeholder', () => {
  const used = [...read('package.json').matchAll(/"%([\w.]+)%"/g)].map(match => match[1])
  assert.deepEqual([...new Set(used)].sort(), Object.keys(JSON.parse(read('package.nls.json'))).sort())
})

test('each package in the bundles is named with its licence', () => {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: Record<string, string> }
  const notices = read('media/third-party-notices.txt')
  assert.deepEqual(
    Object.keys(dependencies).filter(name => !notices.includes(`\n${name} `)),
    [],
  )
  assert.ok(Object.keys(dependencies).length <= 16)
})

test('no lockfile names where packages were fetched from', () => {
  for (const lockfile of ['package-lock.json', 'test/editor/package-lock.json']) {
    assert.doesNotMatch(readFileSync(lockfile, 'utf8'), /"resolved"|https?:\/\/[^"]*registry/, lockfile)
  }
})
