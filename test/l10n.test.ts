// The German texts: complete, none stale, with the same placeholders and links, and in the terms of one glossary.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { l10nTexts } from './support/l10nTexts.ts'

/**
 * `UPDATE_L10N=1 node --test test/l10n.test.ts` adds what is missing, with an empty text to fill in, empties what is the
 * translation of an earlier English text, and removes what is stale.
 */
const isUpdate = process.env['UPDATE_L10N'] !== undefined

/**
 * The glossary: where an English text has the term (in any case, as a whole word, also with -s), the German one has its
 * word. A person is addressed as „Sie“; buttons and commands are infinitives. A duration (`{time}`) is a dative plural,
 * so it needs „in“, „seit“, „nach“ or „von“.
 */
const glossary: Readonly<Record<string, RegExp>> = {
  'API key': /API-Schlüssel|„API Keys“/,
  'add context': /Kontext hinzufügen/,
  apply: /anwenden/,
  approve: /frei/,
  approval: /Freigabe/,
  attach: /anhängen|anzuhängen|hängen .* an\b/,
  certificate: /Zertifikat/,
  chat: /Chat/,
  'code completion': /Codevervollständigung/,
  completion: /Vervollständigung|Chat Completions/,
  consent: /Zustimmung/,
  conversation: /Unterhaltung/,
  dashboard: /Dashboard/,
  diff: /Diff/,
  email: /E-Mail-Adresse/,
  'environment variable': /Umgebungsvariable/,
  'free slot': /freien Platz/,
  '^keep': /behalten/,
  keyring: /Schlüsselbund/,
  message: /Nachricht/,
  model: /Modell/,
  plan: /Tarif|Plan/,
  proxy: /Proxy/,
  'queued message': /Warteschlange/,
  request: /Anfrage/,
  'Restricted Mode': /eingeschränkten Modus/,
  revoke: /widerruf/,
  revoked: /widerruf/,
  'secret storage': /Geheimnisspeicher/,
  service: /Dienst/,
  settings: /Einstellungen/,
  'side bar': /Seitenleiste/,
  'sign in': /anmeld|angemeldet|melde.* an\b/,
  'sign out': /abmeld|abgemeldet|melde.* ab\b/,
  'sign-in': /Anmeld/,
  'sign-in code': /Anmeldecode/,
  'signed in': /anmeld|angemeldet/,
  'signed out': /abgemeldet/,
  slot: /Platz|Plätze/,
  '^stop': /stopp|aufhören/,
  tag: /Kennzeichen/,
  undo: /rückgängig/,
  undone: /rückgängig/,
  workspace: /Arbeitsbereich/,
}

/** Names and forms that German writes in the same way. */
const same: readonly string[] = [
  ...['Chat', 'Kourier', 'Terminal', 'Tools', 'git', 'JSON', 'Markdown', 'Responses.', 'Messages.'],
  ...['Kourier: offline', 'Kourier: {account}', 'Kourier: {text}', 'Tool: {name}', 'Code: {language}'],
  ...['{count} s', '{count} %', '{path} ({count})', '{window}: {work}', '{file} +{added} −{removed}'],
  ...['{before} {next}', '{list}; {next}', '{status}. {details}', 'Plan', 'Sandbox'],
]

type Texts = Readonly<Record<string, string>>

interface Translation {
  readonly english: string
  readonly german: string
}

type Check = (texts: Translation) => boolean

/** What may not be different; links, icons and code in the order of their names, because a sentence may turn around. */
const marks = {
  placeholders: /\{\w+\}/g,
  'targets of links': /\]\([^)]*\)/g,
  icons: /\$\([\w~-]+\)/g,
  code: /`[^`]*`/g,
  'bold texts': /\*\*/g,
  lines: /\n/g,
} as const

const checks: Readonly<Record<string, Check>> = {
  'is not translated': ({ english, german }) => german !== english,
  ...Object.fromEntries(
    Object.entries(marks).map(([name, mark]): [string, Check] => [
      `has other ${name}`,
      ({ english, german }) => found(english, mark) === found(german, mark),
    ]),
  ),
  'ends in another way': ({ english, german }) => endOf(english) === endOf(german),
  'has white space at its ends, or too much of it': ({ german }) => german === german.trim() && !/ {2}/.test(german),
  'has typewriter characters; write „ “ … ’': ({ german }) => !/\.{3}|["']/.test(german.replace(marks.code, '')),
  'has quotes that are not „ and “': ({ german }) => /^[^„“”]*(„[^„“”]*“[^„“”]*)*$/.test(german),
}

const found = (text: string, mark: RegExp) => JSON.stringify((text.match(mark) ?? []).sort())
const endOf = (text: string) => /[.?!…:]?$/.exec(text.replace(/\)$/, ''))?.[0]

function breaches({ english, german }: Translation): string[] {
  if (german === '') return ['has no German text yet']
  if (same.includes(english) && german === english) return []
  const broken = Object.entries(checks).flatMap(([name, isRight]) => (isRight({ english, german }) ? [] : [name]))
  return [...broken, ...otherTerms(english, german).map(term => `has another word for “${term}”`)]
}

function otherTerms(english: string, german: string): string[] {
  const words = english.replace(marks.placeholders, '')
  const has = (term: string) => new RegExp(`(?<![\\w.])${term}s?(?![\\w.]*\\w)`, 'i').test(words)
  return Object.keys(glossary).filter(term => has(term) && !new RegExp(glossary[term] ?? '', 'i').test(german))
}

/** `where`: the place of each English text by its key. */
interface Side {
  readonly file: string
  readonly english: Texts
  readonly where: (key: string) => string
  /** The English texts that were translated, where a key stays the same when its text changes. */
  readonly translated?: Texts
}

/** Has the English texts of the manifest that its German ones are translations of. */
const TRANSLATED = 'test/fixtures/translatedManifest.json'

const files = { bundle: 'l10n/bundle.l10n.de.json', manifest: 'package.nls.de.json' } as const
const read = (file: string): Texts => JSON.parse(readFileSync(file, 'utf8'))
const written = (texts: Texts) => `${JSON.stringify(texts, undefined, 2)}\n`

function bundle(): Side {
  const texts = l10nTexts()
  const english = Object.fromEntries([...texts.keys()].map(text => [text, text]))
  return { file: files.bundle, english, where: key => texts.get(key) ?? '' }
}

const manifest = (): Side => ({
  file: files.manifest,
  english: read('package.nls.json'),
  where: key => `package.nls.json: ${key}`,
  translated: read(TRANSLATED),
})

/** Each fault in one line, which names the place, the English text, and the file to edit. */
function faults({ file, english, where, translated = english }: Side, german: Texts): string[] {
  const changed = Object.keys(english).filter(key => german[key] && translated[key] !== english[key])
  const stale = Object.keys(german).filter(key => english[key] === undefined)
  return [
    ...Object.entries(english).flatMap(([key, text]) =>
      breaches({ english: text, german: german[key] ?? '' }).map(
        fault => `${where(key)}: ${JSON.stringify(text)} ${fault}; edit ${file}`,
      ),
    ),
    ...changed.map(key => `${where(key)}: the German text is the translation of ${JSON.stringify(translated[key])}`),
    ...stale.map(key => `${file}: ${JSON.stringify(key)} is not used any more; remove it`),
  ]
}

function update({ file, english, translated = english }: Side): void {
  const german = read(file)
  const kept = (key: string) => (translated[key] === english[key] ? (german[key] ?? '') : '')
  writeFileSync(file, written(Object.fromEntries(Object.keys(english).map(key => [key, kept(key)]))))
  if (translated !== english) writeFileSync(TRANSLATED, written(english))
}

for (const [name, side] of Object.entries({ bundle, manifest }))
  test(`every text of the ${name} has a right German one`, () => {
    const one = side()
    assert.ok(Object.keys(one.english).length > 50)
    if (isUpdate) update(one)
    const lines = faults(isUpdate ? side() : one, read(one.file))
    const hint =
      'UPDATE_L10N=1 node --test test/l10n.test.ts adds the missing ones, and empties those of changed texts, to be filled in.'
    assert.ok(lines.length === 0, `\n${lines.join('\n')}\n${hint}`)
  })

test('each German file is written as the editor reads it, no text twice', () => {
  for (const file of Object.values(files)) assert.equal(readFileSync(file, 'utf8'), written(read(file)), file)
})

test('a count of the page has a German text for one and one for many', async () => {
  const { germanText } = await import('./support/germanPage.ts')
  const texts = new Map(Object.entries(germanText))
  const ones = [...texts].filter(([name]) => name.endsWith('One'))
  assert.ok(ones.length > 0)
  for (const [name, one] of ones) {
    const many = texts.get(name.slice(0, -3))
    assert.match(one, /\b1\b|\bein/i, name)
    assert.match(many ?? '', /\{count\}/, name)
  }
})

test('each check finds a planted fault, and lets the right form pass', () => {
  const faultsOf = (english: string, german: string) => breaches({ english, german })
  const planted: readonly (readonly [english: string, german: string, fault: string])[] = [
    ['Run', '', 'has no German text yet'],
    ['Run', 'Run', 'is not translated'],
    ['Not {a}', 'Nicht {b}', 'has other placeholders'],
    ['[Go](command:a.b)', '[Los](command:a.c)', 'has other targets of links'],
    ['$(check) Done', 'Fertig', 'has other icons'],
    ['As `a.b`', 'Wie `a.c`', 'has other code'],
    ['One.\nTwo.', 'Eins. Zwei.', 'has other lines'],
    ['Done.', 'Fertig', 'ends in another way'],
    ['Done', 'Fertig ', 'has white space at its ends, or too much of it'],
    ['Reading…', 'Liest gerade...…', 'has typewriter characters; write „ “ … ’'],
    ['Under “Tools”', 'Unter “Tools”', 'has quotes that are not „ and “'],
    ['Sign out', 'Ausloggen', 'has another word for “sign out”'],
  ]
  for (const [english, german, fault] of planted) assert.deepEqual(faultsOf(english, german), [fault], english)
  assert.deepEqual(faultsOf('{a} of “{b}” ([Go](command:c))', '„{b}“ mit {a} ([Los](command:c))'), [])
})

test('a missing, an unreadable, a stale and a changed text are reported with their places', () => {
  const code = "import { l10n } from 'vscode'\nexport const label = () => l10n.t('Go on')\n"
  const texts = l10nTexts({ 'src/editor/a.ts': code })
  const side: Side = { file: 'b.json', english: { 'Go on': 'Go on' }, where: key => texts.get(key) ?? '' }
  assert.deepEqual(faults(side, { Gone: 'Weg' }), [
    'src/editor/a.ts:2: "Go on" has no German text yet; edit b.json',
    'b.json: "Gone" is not used any more; remove it',
  ])
  const changed: Side = { file: 'n.json', english: { a: 'New' }, where: key => key, translated: { a: 'Old' } }
  assert.deepEqual(faults(changed, { a: 'Alt' }), ['a: the German text is the translation of "Old"'])
  for (const call of ['l10n.t(text)', "l10n.t({ message: 'A', comment: 'B' })", "l10n.t('A' + b)"])
    assert.throws(() => l10nTexts({ 'src/a.ts': call }), /^Error: src\/a.ts:1: only l10n/, call)
})
