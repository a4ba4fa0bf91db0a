// The thread that tokenizes, with the grammars and a theme of the editor under test.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { brotliCompressSync, constants } from 'node:zlib'
import { systemClock } from '../../../src/base/clock.ts'
import { Languages } from '../../../src/core/colour/languages.ts'
import { readThemeRules, Themes } from '../../../src/core/colour/themes.ts'
import type { ColouredLines, GrammarSource, TokenRequest } from '../../../src/core/colour/tokenizer.ts'
import { tokenRules } from '../../../src/core/colour/tokenRules.ts'
import { WorkerTokenizer } from '../../../src/node/colour/workerTokenizer.ts'
import { builtInParts, hasEditor } from '../../support/extensionParts.ts'
import { FakeClock } from '../../support/fakeClock.ts'

const root = join(import.meta.dirname, '../../..')
const folder = mkdtempSync(join(tmpdir(), 'kourier-tokenizer-'))
after(() => rmSync(folder, { recursive: true }))
const files = {
  script: join(root, 'src/node/colour/tokenizeWorker.ts'),
  wasm: join(folder, 'onig.wasm.br'),
}
const wasm = readFileSync(join(root, 'node_modules/vscode-oniguruma/release/onig.wasm'))
writeFileSync(files.wasm, brotliCompressSync(wasm, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }))
const options = { skip: !hasEditor, timeout: 60_000 }
const { signal } = new AbortController()

/** Grammars of our own, for what must not depend on the editor's. */
const source = (grammars: Readonly<Record<string, object>>, injections = {}): GrammarSource => ({
  injections,
  readGrammar: async scope =>
    grammars[scope] && { path: 'a.json', text: JSON.stringify({ scopeName: scope, ...grammars[scope] }) },
})
const comments = {
  patterns: [
    { begin: '/\\*', end: '\\*/', name: 'comment' },
    { match: '\\d+', name: 'number' },
  ],
}
const rules = tokenRules(
  [
    { scope: 'comment', settings: { foreground: '#008000', fontStyle: 'italic' } },
    { scope: 'number', settings: { foreground: '#0000FF' } },
  ],
  {},
  { id: 'x', kind: 'vs' },
)

function tokenizer(
  grammars = source({ 'source.x': comments }),
  clock: ConstructorParameters<typeof WorkerTokenizer>[0]['clock'] = systemClock,
) {
  const made = new WorkerTokenizer({ ...files, clock })
  after(() => made.dispose())
  made.setGrammars(grammars)
  made.setTheme(rules)
  const ask = (from: number, text: string, more: Partial<TokenRequest> = {}) =>
    made.tokenize({ block: 'b', scope: 'source.x', from, text, isOpen: false, ...more }, signal)
  return { made, ask }
}

/** Each line as runs of text with what they look like. */
function looks(text: string, result: ColouredLines | undefined): string[][] {
  assert.ok(result)
  const styles = new Map(
    result.styles.map(([index, color, font, bracket]) => [index, `${color}/${font}${bracket ? ` ${bracket}` : ''}`]),
  )
  return text.split('\n').map((line, at) => {
    const spans = result.lines[at] ?? []
    let start = 0
    const found: string[] = []
    for (let span = 0; span < spans.length; span += 2) {
      const end = start + (spans[span] ?? 0)
      found.push(`${line.slice(start, end)} ${styles.get(spans[span + 1] ?? 0) ?? 'default'}`)
      start = end
    }
    return start < line.length ? [...found, `${line.slice(start)} default`] : found
  })
}

test('lines have lengths and styles; later lines go on where the earlier ones ended', async () => {
  const { ask } = tokenizer()
  const first = 'a 12 /* b\nc'
  assert.deepEqual(looks(first, await ask(0, first)), [
    ['a  default', '12 #0000FF/0', '  default', '/* b #008000/1'],
    ['c #008000/1'],
  ])
  const second = 'd */ 3'
  assert.deepEqual(looks(second, await ask(2, second)), [['d */ #008000/1', '  default', '3 #0000FF/0']])
  assert.equal(await ask(2, 'again'), undefined, 'only the next line can follow')
  assert.equal(await ask(3, 'x', { block: 'unknown' }), undefined)
  assert.deepEqual((await ask(0, 'plain'))?.lines, [[]])
})

test('a line that may still grow does not count', async () => {
  const { ask } = tokenizer()
  assert.deepEqual(looks('1\n/*', await ask(0, '1\n/*', { isOpen: true })), [['1 #0000FF/0'], ['/* #008000/1']])
  assert.deepEqual(looks('/ 2', await ask(1, '/ 2')), [['/  default', '2 #0000FF/0']])
  assert.equal((await ask(2, ''))?.lines.length, 1)
})

test('brackets have their levels from line to line, but not where they are something else', async () => {
  const { ask } = tokenizer()
  const brackets = { isByKind: false, pairs: [{ open: '(', close: ')', isColoured: true }] }
  const first = '(1 /* ( */\n(x'
  assert.deepEqual(looks(first, await ask(0, first, { brackets })), [
    ['( /0 1', '1 #0000FF/0', '  default', '/* ( */ #008000/1'],
    ['( /0 2', 'x default'],
  ])
  assert.deepEqual(looks('))', await ask(2, '))', { brackets })), [[') /0 2', ') /0 1']])
})

test('a line of 20,000 characters has no colours, and changes nothing for the next', async () => {
  const { ask } = tokenizer()
  const text = `1\n/*${'x'.repeat(20_000)}\n2`
  assert.deepEqual(
    (await ask(0, text))?.lines.map(line => line.length),
    [2, 0, 2],
  )
})

test('another theme begins all blocks anew, and its styles have numbers of their own', async () => {
  const { made, ask } = tokenizer()
  const [[first] = []] = (await ask(0, '1'))?.styles ?? []
  const other = { scope: 'number', settings: { foreground: '#FF0000' } }
  made.setTheme(tokenRules([other], {}, { id: 'y', kind: 'vs' }))
  assert.equal(await ask(1, '2'), undefined)
  const after = await ask(0, '2')
  assert.deepEqual(looks('2', after), [['2 #FF0000/0']])
  assert.notEqual(after?.styles[0]?.[0], first)
})

test('a grammar is injected into another, and includes another', async () => {
  const grammars = {
    'source.x': { patterns: [{ include: 'source.y' }] },
    'source.y': { patterns: [{ match: 'y', name: 'comment' }] },
    'inject.z': { injectionSelector: 'L:source.x', patterns: [{ match: 'z', name: 'number' }] },
  }
  const { ask } = tokenizer(source(grammars, { source: ['inject.z'] }))
  assert.deepEqual(looks('y z', await ask(0, 'y z')), [['y #008000/1', '  default', 'z #0000FF/0']])
})

test('a grammar that is missing or broken is a fault, and other blocks go on', async () => {
  const { ask } = tokenizer({
    injections: {},
    readGrammar: async scope =>
      scope === 'source.bad' ? { path: 'a.json', text: '{' } : source({ 'source.x': comments }).readGrammar(scope),
  })
  await assert.rejects(ask(0, '1', { scope: 'source.none' }), /source\.none/)
  await assert.rejects(ask(0, '1', { scope: 'source.bad' }))
  assert.equal((await ask(0, '1'))?.lines.length, 1)
})

test('an expression without an end stops the thread, and the next request has a new one', async () => {
  const clock = new FakeClock()
  const endless = { patterns: [{ match: '(a|a|b?)*?(a|aa|b?)*c', name: 'number' }] }
  const { ask } = tokenizer(source({ 'source.x': comments, 'source.endless': endless }), clock)
  const [style] = (await ask(0, '1'))?.styles ?? []
  const stuck = ask(0, 'a'.repeat(5_000), { scope: 'source.endless' })
  const failed = assert.rejects(stuck, /did not answer in time/)
  await clock.advance(20_000)
  await failed
  const again = await ask(0, '/**/')
  assert.deepEqual(looks('/**/', again), [['/**/ #008000/1']])
  assert.ok((again?.styles[0]?.[0] ?? 0) > (style?.[0] ?? 0), 'no style gets the number of another')
})

test('an abort is the signal’s reason', async () => {
  const { made } = tokenizer()
  const request = { block: 'b', scope: 'source.x', from: 0, text: '1', isOpen: false }
  const reason = new Error('enough')
  await assert.rejects(made.tokenize(request, AbortSignal.abort(reason)), reason)
})

test('line by line or at once, the editor’s own grammars give the same', options, async () => {
  const parts = builtInParts()
  const languages = new Languages(parts)
  const [theme] = new Themes(parts).candidates({ kind: 'vs-dark', shownId: 'Dark Modern', preferred: [] })
  assert.ok(theme)
  const { made } = tokenizer({
    injections: languages.injections,
    readGrammar: async scope => {
      const file = languages.grammarFile(scope)
      return file && { path: file.path, text: await file.read() }
    },
  })
  made.setTheme(tokenRules(await readThemeRules(theme.file), {}, theme))
  for (const [label, text] of Object.entries(samples)) {
    const scope = languages.find(label)?.scope ?? ''
    const whole = looks(text, await made.tokenize({ block: label, scope, from: 0, text, isOpen: false }, signal))
    const single: string[][] = []
    for (const [from, line] of text.split('\n').entries()) {
      const result = await made.tokenize({ block: `${label} 2`, scope, from, text: line, isOpen: false }, signal)
      single.push(...looks(line, result))
    }
    assert.deepEqual(single, whole, label)
    const flat = whole.flat()
    for (const wanted of expected[label] ?? []) assert.ok(flat.includes(wanted), `${label}: ${wanted} in ${flat}`)
  }
})

const samples: Readonly<Record<string, string>> = {
  ts: 'const a = `x \u0024{\n  b // c\n}` as string\n/** @param d */',
  html: '<style>\na { color: red }\n</style>\n<script>\nconst x = 1\n</script>',
  markdown: '# A\n```ts\nconst x = 1\n```\n**b**',
  python: 'def f():\n  """x\n  y"""\n  return 1',
}
const expected: Readonly<Record<string, readonly string[]>> = {
  ts: ['const #569CD6/0', '// c #6A9955/0', 'as #C586C0/0', '@param #569CD6/0'],
  html: ['color #9CDCFE/0', 'const #569CD6/0'],
  markdown: ['# A #569CD6/2', 'const #569CD6/0', '**b** #569CD6/2'],
  python: ['def #569CD6/0', 'return #C586C0/0'],
}
