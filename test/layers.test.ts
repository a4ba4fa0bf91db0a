// Who may import whom: the one place where the layers, and who may use which module and package, are written down.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { test } from 'node:test'

/** What the files of one folder, or one file, may import beside their own folder. */
interface Row {
  /** Places: a folder with all below it, or a file without its ending. */
  readonly places: readonly string[]
  /** Packages and `node:` modules, each by its whole name; `zod` covers `zod/mini`. */
  readonly packages?: readonly string[]
}

const language = ['src/base'] as const
const values = ['src/base', 'src/protocol'] as const
const wire = [...values, 'src/core/log', 'src/core/http'] as const
const core = [...values, 'src/core'] as const
const editor = [...core, 'src/editor/ui'] as const

/** Every file belongs to the longest row that covers it; a file that none covers fails. */
const layers: Readonly<Record<string, Row>> = {
  'src/base': { places: [] },
  'src/protocol': { places: language, packages: ['zod'] },

  'src/core/log': { places: values },
  'src/core/http': { places: [...values, 'src/core/log'], packages: ['zod', 'eventsource-parser'] },
  'src/core/schedule': { places: [...values, 'src/core/log'] },
  'src/core/model': { places: [...wire, 'src/core/schedule'] },
  'src/core/account': { places: wire, packages: ['zod', 'lean-qr'] },
  'src/core/workspace': { places: values },
  'src/core/tools': {
    places: [...values, 'src/core/log', 'src/core/workspace', 'src/core/context/fileLanguage'],
  },
  'src/core/edit': { places: [...wire, 'src/core/model', 'src/core/workspace'] },
  'src/core/conversation': { places: [...wire, 'src/core/model'], packages: ['zod'] },
  'src/core/agent': {
    places: [...wire, 'src/core/model', 'src/core/conversation', 'src/core/tools', 'src/core/workspace/modelText'],
  },
  'src/core/context': { places: [...values, 'src/core/workspace'] },
  'src/core/complete': { places: [...wire, 'src/core/model', 'src/core/workspace'] },
  'src/core/nextEdit': { places: [...wire, 'src/core/model', 'src/core/workspace'] },
  'src/core/colour': { places: values },
  'src/core/settings': {
    places: [...values, 'src/core/http', 'src/core/model', 'src/core/workspace'],
  },

  'src/node/brotliText': { places: [], packages: ['node:util', 'node:zlib'] },
  'src/node/systemName': { places: [], packages: ['node:os'] },
  'src/node/systemProcesses': { places: ['src/core/account'] },
  'src/node/childEnvironment': { places: ['src/core/account'] },
  'src/node/files': {
    places: ['src/base', 'src/node/systemProcesses'],
    packages: ['node:fs', 'node:fs/promises', 'node:os', 'node:path'],
  },
  'src/node/snoozeFile': {
    places: [...values, 'src/core/complete', 'src/node/files'],
    packages: ['node:fs/promises', 'node:path'],
  },
  'src/node/git': {
    places: ['src/base', 'src/core/workspace', 'src/node/childEnvironment'],
    packages: ['node:child_process', 'node:os'],
  },
  'src/node/account': {
    places: [
      ...values,
      'src/core/log',
      'src/core/account',
      'src/node/files',
      'src/node/systemProcesses',
      'src/node/childEnvironment',
    ],
    packages: [
      'node:child_process',
      'node:crypto',
      'node:fs/promises',
      'node:http',
      'node:net',
      'node:os',
      'node:path',
    ],
  },
  'src/node/http': {
    places: wire,
    packages: ['undici', 'node:dns', 'node:net', 'node:process', 'node:stream', 'node:tls', 'node:zlib'],
  },
  'src/node/schedule': {
    places: [...values, 'src/core/schedule'],
    packages: [
      'zod',
      'node:crypto',
      'node:events',
      'node:fs',
      'node:fs/promises',
      'node:net',
      'node:os',
      'node:path',
      'node:process',
    ],
  },
  'src/node/history': {
    places: [...values, 'src/core/log', 'src/core/conversation', 'src/node/files', 'src/node/systemProcesses'],
    packages: ['node:crypto', 'node:fs', 'node:fs/promises', 'node:path', 'node:sqlite', 'node:timers/promises'],
  },
  'src/node/colour': {
    places: [...values, 'src/core/colour'],
    packages: ['vscode-oniguruma', 'vscode-textmate', 'node:fs', 'node:worker_threads', 'node:zlib'],
  },

  'src/node/changes': {
    places: [...values, 'src/core/tools', 'src/core/workspace'],
    packages: ['zod', 'node:crypto', 'node:fs', 'node:fs/promises', 'node:os', 'node:path', 'node:process'],
  },

  'src/node/usage': {
    places: [...values, 'src/core/complete', 'src/node/files'],
    packages: ['node:fs/promises', 'node:path'],
  },

  'src/node/search': {
    places: [...values, 'src/core/workspace'],
    packages: [
      'ignore',
      'node:buffer',
      'node:crypto',
      'node:fs',
      'node:path',
      'node:process',
      'node:timers',
      'node:worker_threads',
    ],
  },
  'src/node/commands': {
    places: [
      ...values,
      'src/core/tools',
      'src/core/workspace/exclude',
      'src/node/childEnvironment',
      'src/node/files',
      'src/node/git',
      'src/node/search/ignoreRules',
    ],
    packages: [
      'node:child_process',
      'node:fs',
      'node:fs/promises',
      'node:net',
      'node:os',
      'node:path',
      'node:process',
      'node:stream',
      'node:string_decoder',
    ],
  },

  'src/editor/ui': { places: core, packages: ['vscode'] },
  'src/editor/account': { places: editor, packages: ['vscode'] },
  'src/editor/chat': { places: editor, packages: ['vscode', 'zod'] },
  'src/editor/colour': { places: editor, packages: ['vscode'] },
  'src/editor/models': { places: editor, packages: ['vscode'] },
  'src/editor/complete': { places: editor, packages: ['vscode'] },
  'src/editor/nextEdit': { places: editor, packages: ['vscode'] },
  'src/editor/workspace': { places: editor, packages: ['vscode'] },
  'src/editor/context': { places: editor, packages: ['vscode'] },
  'src/editor/edit': { places: editor, packages: ['vscode'] },
  'src/editor/tools': { places: editor, packages: ['vscode'] },
  'src/editor/status': { places: editor, packages: ['vscode'] },

  'src/features': { places: [...core, 'src/node', 'src/editor'], packages: ['vscode'] },
  'src/main': { places: ['src/features'], packages: ['vscode'] },

  'src/webview/main': { places: [...values, 'src/webview'], packages: ['preact'] },
  'src/webview/words': { places: ['src/protocol'] },
  'src/webview/state': { places: values, packages: ['zod', '@preact/signals'] },
  'src/webview/markdown': {
    places: [...values, 'src/webview/words'],
    packages: ['markdown-it', 'turndown', '@joplin/turndown-plugin-gfm'],
  },
  'src/webview/lazyFiles': { places: [] },
  'src/webview/diagram': { places: ['src/webview/lazyFiles'], packages: ['@mermaid-js/tiny'] },
  'src/webview/math': { places: ['src/webview/lazyFiles'], packages: ['katex'] },
  'src/webview/view': {
    places: [...values, 'src/webview/words', 'src/webview/lazyFiles', 'src/webview/state', 'src/webview/markdown'],
    packages: ['preact', 'dompurify'],
  },

  'test/localService': {
    places: [],
    packages: [
      'zod',
      'hono',
      '@hono/node-server',
      '@peculiar/x509',
      'eventsource-parser',
      'reflect-metadata',
      'node:crypto',
      'node:fs',
      'node:http',
      'node:https',
      'node:net',
      'node:os',
      'node:path',
      'node:process',
      'node:sqlite',
      'node:stream',
      'node:stream/consumers',
      'node:timers/promises',
      'node:tls',
      'node:util',
      'node:zlib',
    ],
  },
}

/** Packages that one file of a row has to itself. */
const onlyIn: Readonly<Record<string, readonly string[]>> = {
  'eventsource-parser': ['src/core/http/events', 'test/localService/upstream/events'],
  'lean-qr': ['src/core/account/qrCode'],
  undici: ['undiciHttp', 'tunnelAgent', 'socksAgent', 'interimResponse'].map(name => `src/node/http/${name}`),
  '@peculiar/x509': ['test/localService/authority'],
  'reflect-metadata': ['test/localService/authority'],
  'node:sqlite': ['src/node/history/indexDatabase', 'test/localService/database'],
  'node:http': ['src/node/account/loopbackListener', 'test/localService'],
  dompurify: ['src/webview/view/safeHtml'],
  'vscode-oniguruma': ['src/node/colour/grammarEngine'],
  'vscode-textmate': ['src/node/colour/grammarEngine'],
  '@mermaid-js/tiny': ['src/webview/diagram/drawDiagram'],
  katex: ['src/webview/math/typeset'],
  ignore: ['src/node/search/ignoreRules'],
}

const files = ['src', 'test/localService'].flatMap(top =>
  readdirSync(top, { recursive: true, encoding: 'utf8' })
    .filter(name => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'))
    .map(name => posix.join(top, name.replaceAll('\\', '/'))),
)

const isIn = (file: string, place: string) => file === place || file.startsWith(`${place}/`)

const rowOf = (file: string): string | undefined =>
  Object.keys(layers)
    .filter(place => isIn(file, place))
    .toSorted((a, b) => b.length - a.length)[0]

const isOf = (name: string, allowed: string) => name === allowed || name.startsWith(`${allowed}/`)

/** `file` without its ending, `name` as it is in the import. */
function mayImport(file: string, name: string): boolean {
  const own = rowOf(file)
  const row = layers[own ?? '']
  if (!row || !own) return false
  if (!name.startsWith('.')) return mayUse(file, row, name)
  const target = posix.join(posix.dirname(file), name.replace(/\.tsx?$/, ''))
  if (rowOf(target) === undefined) return false
  return rowOf(target) === own || row.places.some(place => isIn(target, place))
}

function mayUse(file: string, row: Row, name: string): boolean {
  const owners = Object.entries(onlyIn).find(([reserved]) => isOf(name, reserved))?.[1]
  if (owners && !owners.some(place => isIn(file, place))) return false
  // A module of Node is named whole: `node:fs` is not `node:fs/promises`.
  return row.packages?.some(allowed => (allowed.startsWith('node:') ? name === allowed : isOf(name, allowed))) === true
}

/** What the text of a file imports, statically or dynamically; imports inside of string literals do not count. */
const importsOf = (text: string) =>
  [
    ...text.matchAll(
      /(?:^import\b[^'"()\n]*|^export\b[^'"()\n]*\bfrom |^\} from |\bimport\(\s*|\brequire\(\s*)['"]([^'"\n]+)['"]/gm,
    ),
  ].map(match => match[1] ?? '')

test('each form of an import is found, and none in a string', () => {
  const text = [
    "import 'a'",
    "import type { A } from 'b'",
    "import c, { type C } from 'c'",
    'import {\n  d,\n} from "d"',
    "const e = await import('e')",
    "const f = require('f')",
    "export { g } from 'g'",
    "export type { H } from 'h'",
    "export * from 'i'",
    "import j = require('j')",
    "let k: import('k').K",
    `const text = "import x from 'none'"`,
  ]
  assert.deepEqual(importsOf(text.join('\n')), [...'abcdefghijk'])
})

test('every file imports only what its row allows', () => {
  const wrong = files.flatMap(file =>
    importsOf(readFileSync(file, 'utf8'))
      .filter(name => !mayImport(file.replace(/\.tsx?$/, ''), name))
      .map(name => `${file} -> ${name}`),
  )
  assert.deepEqual(wrong, [])
})

test('every file has a row, and every row has a file', () => {
  const rowsInUse = files.map(file => rowOf(file.replace(/\.tsx?$/, '')))
  assert.deepEqual(
    files.filter((_, at) => rowsInUse[at] === undefined),
    [],
  )
  assert.deepEqual(
    Object.keys(layers).filter(row => !rowsInUse.includes(row)),
    [],
  )
})

test('every module and package that a row allows is used by it', () => {
  const used = (row: string, allowed: string) =>
    files.some(
      file =>
        rowOf(file.replace(/\.tsx?$/, '')) === row &&
        importsOf(readFileSync(file, 'utf8')).some(name =>
          allowed.startsWith('node:') ? name === allowed : isOf(name, allowed),
        ),
    )
  const idle = Object.entries(layers).flatMap(([row, { packages = [] }]) =>
    packages.filter(allowed => !used(row, allowed)).map(allowed => `${row}: ${allowed}`),
  )
  assert.deepEqual(idle, [])
})

test('no two rows import each other', () => {
  const imported = new Map<string, Set<string>>()
  for (const file of files) {
    const own = rowOf(file.replace(/\.tsx?$/, '')) ?? ''
    const targets = importsOf(readFileSync(file, 'utf8'))
      .filter(name => name.startsWith('.'))
      .map(name => rowOf(posix.join(posix.dirname(file), name.replace(/\.tsx?$/, ''))) ?? '')
    imported.set(own, new Set([...(imported.get(own) ?? []), ...targets.filter(target => target !== own)]))
  }
  const circles = [...imported].flatMap(([row, targets]) =>
    [...targets].filter(target => imported.get(target)?.has(row) && row < target),
  )
  assert.deepEqual(circles, [])
})

/** Who may read the text of a credential, and what for. */
const keyReaders: Readonly<Record<string, string>> = {
  'src/core/http/credential': 'its own file',
  'src/core/http/bearer': 'the header of a request (RFC 6750 2.1)',
  'src/core/account/revocation': 'the form of a revocation (RFC 7009 2.1)',
  'src/core/account/credentialRecord': 'the record in the storage of secrets',
  'src/core/account/account': 'the owner of a slot, which leaves as a keyed hash only',
  'src/editor/account/authenticationProvider': 'a session that the editor asked the user about',
}

const readsKey = (text: string) => /\bcredentialText\b/.test(text)

test('the text of a credential is read by the files that are named for it, and by each of them', () => {
  const readers = files.filter(file => file.startsWith('src/') && readsKey(readFileSync(file, 'utf8')))
  assert.deepEqual(readers.map(file => file.replace(/\.tsx?$/, '')).toSorted(), Object.keys(keyReaders).toSorted())
  assert.ok(readsKey("import { credentialText } from './credential.ts'"), 'a planted reader is found')
})

test('every file says its role in its first line', () => {
  assert.deepEqual(
    files.filter(file => !/^\/\/ [A-Z`].*\.$/.test(readFileSync(file, 'utf8').split('\n')[0] ?? '')),
    [],
  )
})

test('the rule catches a planted violation of each kind of row', () => {
  const planted: readonly (readonly [file: string, name: string])[] = [
    // A layer above.
    ['src/base/text', '../core/settings.ts'],
    ['src/protocol/panel', '../core/settings.ts'],
    ['src/core/model/modelClient', '../../editor/ui/notices.ts'],
    ['src/core/http/http', '../../node/http/undiciHttp.ts'],
    ['src/editor/ui/notices', '../../node/http/undiciHttp.ts'],
    ['src/editor/chat/chatView', '../../features/services.ts'],
    ['src/editor/complete/inlineProvider', '../workspace/editorDocuments.ts'],
    ['src/features/chat', '../main.ts'],
    ['src/features/chat', '../webview/state/store.ts'],
    ['src/main', './core/log/log.ts'],
    // A sibling that a folder does not know.
    ['src/core/model/modelClient', '../account/account.ts'],
    ['src/core/complete/trim', '../conversation/prompt.ts'],
    ['src/core/conversation/promptMessages', '../agent/turnLoop.ts'],
    ['src/core/tools/tool', '../agent/turnLoop.ts'],
    ['src/core/agent/turnLoop', '../complete/trim.ts'],
    ['src/core/schedule/lane', '../http/http.ts'],
    ['src/core/workspace/exclude', '../complete/trim.ts'],
    ['src/editor/account/askEmail', '../chat/chatView.ts'],
    ['src/editor/ui/notices', '../account/askEmail.ts'],
    ['src/node/http/decoded', '../files/writeWhole.ts'],
    ['src/webview/state/store', '../view/app.tsx'],
    ['src/webview/markdown/markdown', '../state/store.ts'],
    ['src/core/colour/themes', '../log/log.ts'],
    ['src/editor/chat/chatView', '../colour/codeColours.ts'],
    // The two sides of the page.
    ['src/webview/state/store', '../../core/settings.ts'],
    ['src/editor/chat/chatView', '../../webview/state/store.ts'],
    // A module of Node where there is none, or another one than allowed.
    ['src/protocol/panel', 'node:fs'],
    ['src/core/account/discovery', 'node:http'],
    ['src/core/log/log', 'node:fs/promises'],
    ['src/editor/chat/chatView', 'node:path'],
    ['src/node/files/fileLock', 'node:net'],
    ['src/node/schedule/sharedSlots', 'node:child_process'],
    // A package where it has no place, or that one file has to itself.
    ['src/core/account/token', 'vscode'],
    ['src/core/conversation/session', 'undici/lib/dispatcher/agent.js'],
    ['src/node/http/decoded', 'undici'],
    ['src/core/http/body', 'eventsource-parser'],
    ['src/core/account/account', 'lean-qr'],
    ['src/webview/view/composer', 'dompurify'],
    ['src/editor/complete/inlineProvider', 'zod/mini'],
    ['src/node/account/attemptFiles', 'node:http'],
    ['src/core/complete/trim', 'fast-check'],
    ['src/node/colour/workerTokenizer', 'vscode-textmate'],
    ['src/core/colour/themes', 'vscode-oniguruma'],
    ['test/localService/server', 'node:sqlite'],
    // The two sides of the wire.
    ['test/localService/server', '../../src/protocol/panel.ts'],
    ['src/core/http/http', '../../../test/localService/server.ts'],
    // A file without a row.
    ['src/helpers/strings', '../base/text.ts'],
    ['src/editor/strings', '../base/text.ts'],
  ]
  assert.deepEqual(
    planted.filter(([file, name]) => mayImport(file, name)),
    [],
  )
})
