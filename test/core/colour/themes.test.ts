// Themes: which one counts, what its files hold, and what the user's own settings add.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readJsonc } from '../../../src/core/colour/jsonc.ts'
import { readPlist } from '../../../src/core/colour/plist.ts'
import { readThemeRules, Themes } from '../../../src/core/colour/themes.ts'
import { DEFAULT_FOREGROUND, tokenRules } from '../../../src/core/colour/tokenRules.ts'
import { extensionPart, sourceFile } from '../../support/extensionParts.ts'

test('JSON with comments and trailing commas is read, and strings stay as they are', () => {
  const text = '\ufeff{ // one\n"a": "x // y, }", /* two\n */ "b\\"//": [1, 2,], }'
  assert.deepEqual(readJsonc(text), { a: 'x // y, }', 'b"//': [1, 2] })
  assert.throws(() => readJsonc('{ "a": }'))
})

test('a property list is read', () => {
  const text = `<?xml version="1.0"?><!DOCTYPE plist><plist version="1.0"><dict><!-- <key>no</key> -->
    <key>name</key><string>A &lt;B&gt; &amp;#65; &#65;</string><key>empty</key><string></string><key>none</key><array/>
    <key>settings</key><array><dict><key>scope</key><string>a, b</string><key>n</key><integer>3</integer></dict><true/></array></dict></plist>`
  assert.deepEqual(readPlist(text), {
    name: 'A <B> &#65; A',
    empty: '',
    none: [],
    settings: [{ scope: 'a, b', n: 3 }, true],
  })
  for (const broken of ['', '</dict>', '<dict><key>a', '<array>'.repeat(10_000)]) readPlist(broken)
})

test('a theme has the rules of what it includes before its own, in JSON and in a property list', async () => {
  const plist =
    '<plist><dict><key>settings</key><array><dict><key>scope</key><string>x</string></dict></array></dict></plist>'
  const files = {
    'themes/a.json': '{ "include": "../base/b.json", "tokenColors": [{ "scope": "own" }] }',
    'base/b.json': '{ "include": "./c.json", "tokenColors": "./d.tmTheme", }',
    'base/c.json': '{ "settings": [{ "scope": "oldest" }], "tokenColors": [{ "scope": "unread" }] }',
    'base/d.tmTheme': plist,
  }
  const rules = await readThemeRules(sourceFile(files, 'themes/a.json'))
  assert.deepEqual(rules, [{ scope: 'oldest' }, { scope: 'x' }, { scope: 'own' }])
  await assert.rejects(readThemeRules(sourceFile({ 'a.json': '{ "include": "a.json" }' }, 'a.json')))
  await assert.rejects(readThemeRules(sourceFile({ 'a.json': '{ "include": "none.json" }' }, 'a.json')))
})

const parts = [
  extensionPart('vscode.theme-defaults', {
    themes: [
      { id: 'Dark+', uiTheme: 'vs-dark', path: 'plus.json' },
      { id: 'Dark Modern', uiTheme: 'vs-dark', path: 'dark.json' },
      { id: 'Light Modern', uiTheme: 'vs', path: 'light.json' },
      { id: 'Default High Contrast', uiTheme: 'hc-black', path: 'hc.json' },
    ],
  }),
  extensionPart('someone.theme', {
    themes: [{ label: 'Mine', uiTheme: 'vs-dark', path: 'mine.json' }, { label: 'Odd', path: 'odd.json' }, 7],
  }),
  extensionPart('someone.broken', 'no object'),
]

test('the theme that is shown counts, then the settings, and never one of another kind', () => {
  const themes = new Themes(parts)
  const ids = (...[choice]: Parameters<Themes['candidates']>) => themes.candidates(choice).map(({ id }) => id)
  const dark = { kind: 'vs-dark', shownId: '', preferred: ['Mine', 'Dark+'] } as const
  assert.equal(ids(dark)[0], 'Mine')
  assert.equal(ids({ ...dark, shownId: 'Odd' })[0], 'Odd')
  assert.equal(ids({ ...dark, shownId: 'Default Dark Modern' })[0], 'Dark Modern')
  assert.deepEqual(ids({ ...dark, shownId: 'Of another host' }), ['Dark Modern', 'Dark+', 'Dark Modern'])
  assert.equal(ids({ ...dark, kind: 'hc-black' })[0], 'Default High Contrast')
  assert.equal(ids({ ...dark, kind: 'vs', shownId: 'Mine' })[0], 'Light Modern')
  assert.deepEqual(ids({ ...dark, kind: 'hc-light' }), [])
})

const dark = { id: 'Dark Modern', kind: 'vs-dark' } as const
const rulesFor = (customizations: unknown, theme: unknown[] = []) =>
  tokenRules(theme, customizations, dark).map(({ scope, settings }) => [scope, settings.foreground, settings.fontStyle])

test('rules come in the order of the editor: default, theme, the user’s, the user’s for this theme', () => {
  const customizations = {
    comments: '#abc',
    keywords: { fontStyle: 'bold' },
    textMateRules: [{ scope: ['a', 'b'], settings: { foreground: '#11223380' } }, { settings: {} }, 'odd', null],
    '[Dark Modern]': { strings: '#00ff00ff', textMateRules: [{ scope: 'c', settings: {} }] },
    '[Dark*][Other]': { textMateRules: [{ scope: 'd', settings: {} }] },
    '[*Modern]': { numbers: '#010203' },
    '[*k Mo*]': { types: '#040506' },
    '[Light Modern]': { variables: '#ffffff' },
  }
  assert.deepEqual(rulesFor(customizations, [{ scope: 'own', settings: { foreground: 'red' } }, { settings: {} }]), [
    [undefined, DEFAULT_FOREGROUND, undefined],
    ['own', undefined, undefined],
    ['comment', '#AABBCC', undefined],
    ['punctuation.definition.comment', '#AABBCC', undefined],
    ['keyword - keyword.operator', undefined, 'bold'],
    ['keyword.control', undefined, 'bold'],
    ['storage', undefined, 'bold'],
    ['storage.type', undefined, 'bold'],
    [['a', 'b'], '#11223380', undefined],
    ['string', '#00FF00', undefined],
    ['meta.embedded.assembly', '#00FF00', undefined],
    ['constant.numeric', '#010203', undefined],
    ['entity.name.type', '#040506', undefined],
    ['entity.name.class', '#040506', undefined],
    ['support.type', '#040506', undefined],
    ['support.class', '#040506', undefined],
    ['c', undefined, undefined],
    ['d', undefined, undefined],
    ['token.info-token', '#6796E6', undefined],
    ['token.warn-token', '#CD9731', undefined],
    ['token.error-token', '#F44747', undefined],
    ['token.debug-token', '#B267E6', undefined],
  ])
})

test('settings of any form do no harm', () => {
  for (const odd of [undefined, null, 3, 'x', [], { comments: 7, textMateRules: {}, '[Dark Modern]': [1] }]) {
    assert.equal(rulesFor(odd).length > 4, true)
  }
})
