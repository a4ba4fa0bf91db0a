// What the vsix holds; manifest and typed tables agree.
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { settingsTable } from '../src/core/settings.ts'
import { unpackVsix } from './editor/codeServer.ts'
import { freshVsix } from './editor/extensionPackage.ts'

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

test('the package holds exactly this', () => {
  assert.deepEqual(files, [
    'LICENSE.txt',
    'changelog.md',
    'dist/extension.cjs',
    'dist/page.js',
    'media/chat.css',
    'media/icon.png',
    'media/icon.svg',
    'media/third-party-notices.txt',
    'package.json',
    'package.nls.json',
    'readme.md',
  ])
})

test('no source map, no test, no secret and no path of the machine it was made on', () => {
  for (const name of files) {
    const text = read(name)
    assert.doesNotMatch(text, /sourceMappingURL=/, name)
    if (name.startsWith('dist/')) assert.doesNotMatch(text, /\b(node:test|localService)\b/, name)
    assert.doesNotMatch(text, /sk-bf-[A-Za-z0-9_-]{8,}|clm_[A-Za-z0-9_-]{8,}|-----BEGIN [A-Z ]*PRIVATE KEY/, name)
    assert.equal(text.includes(process.cwd()), false, name)
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
  for (const name of ['package.json', 'dist/extension.cjs']) {
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
    readonly commands: readonly { readonly command: string; readonly title: string; readonly enablement?: string }[]
    readonly menus: Readonly<Record<string, readonly { readonly command: string; readonly when?: string }[]>>
    readonly configuration: { readonly properties: Readonly<Record<string, Property>> }
  }
}
interface Property {
  readonly default: unknown
  readonly scope: string
  readonly ignoreSync?: boolean
}
const manifest = () => JSON.parse(read('package.json')) as Manifest

test('the commands of the manifest are those of the typed table', async () => {
  const { commandTable } = await withoutEditor(() => import('../src/editor/commands.ts'))
  const listed = Object.entries(commandTable).filter(([, kind]) => kind === 'public')
  assert.deepEqual(
    manifest()
      .contributes.commands.map(({ command }) => command)
      .sort(),
    listed.map(([id]) => id).sort(),
  )
})

test('a command that is disabled at the moment is hidden from the palette as well', () => {
  const { commands, menus } = manifest().contributes
  for (const { command, enablement } of commands) {
    assert.equal(menus['commandPalette']?.find(item => item.command === command)?.when, enablement, command)
  }
})

test('the settings of the manifest are those of the typed table, with scope and default', () => {
  const { properties } = manifest().contributes.configuration
  const table = Object.entries(settingsTable).map(([key, { scope, fallback }]) => [`kourier.${key}`, scope, fallback])
  assert.deepEqual(
    Object.entries(properties).map(([key, { scope, default: fallback }]) => [key, scope, fallback]),
    table,
  )
})

test('settings that decide where something is sent are the user’s own, unsynced and restricted', () => {
  const { contributes, capabilities } = manifest()
  const address = contributes.configuration.properties['kourier.baseUrl']
  assert.deepEqual([address?.scope, address?.ignoreSync], ['application', true])
  assert.ok(capabilities.untrustedWorkspaces.restrictedConfigurations.includes('kourier.baseUrl'))
})

test('no setting could hold a secret', () => {
  const names = Object.keys(manifest().contributes.configuration.properties)
  assert.deepEqual(
    names.filter(name => /key|secret|token|password/i.test(name)),
    [],
  )
})

test('the context keys that the manifest asks for are those of the typed table', async () => {
  const { contextKeyNames } = await withoutEditor(() => import('../src/editor/contextKeys.ts'))
  const asked = [...read('package.json').matchAll(/kourier\.account\b/g)].map(([name]) => name)
  assert.deepEqual([...new Set(asked)], [...contextKeyNames])
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
  assert.ok(Object.keys(dependencies).length <= 10)
})

test('no lockfile names where packages were fetched from', () => {
  for (const lockfile of ['package-lock.json', 'test/editor/package-lock.json']) {
    assert.doesNotMatch(readFileSync(lockfile, 'utf8'), /"resolved"|https?:\/\/[^"]*registry/, lockfile)
  }
})

/** Tables of the editor's room are plain values; only their neighbours in the file need an editor. */
async function withoutEditor<T>(load: () => Promise<T>): Promise<T> {
  const stub = 'data:text/javascript,export const commands = {}'
  const hooks = registerHooks({
    resolve: (name, context, next) => (name === 'vscode' ? { url: stub, shortCircuit: true } : next(name, context)),
  })
  try {
    return await load()
  } finally {
    hooks.deregister()
  }
}
