// The words that names and comments do not use, and the term of the field that stands for each; ARCHITECTURE.md has the glossary.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

/** Single words, as they are in comments and as parts of names: `whenTold` has "told" in it. */
const words: Readonly<Record<string, string>> = {
  'desk desks keeper keepers': 'coordinator or leader',
  'guest guests': 'client or connection',
  'ceremony ceremonies': 'device flow or sign-in method',
  spare: 'environment key',
  'tell tells telling told': 'report, notify, show or return',
  'hear hears hearing heard': 'receive, or be notified',
  'say says saying said': 'report, contain, answer or send',
  'stranger strangers inert': 'untrusted, escaped or third-party',
  'beat beats beating pulse pulses': 'heartbeat',
  'mend mends mended mending': 'fix or repair',
  'stands stood': 'is',
  'stumble stumbles stumbled': 'fail',
  whoever: 'the component that does it',
}

/** Several words in a row, in comments only. */
const phrases: Readonly<Record<string, string>> = {
  'in office': 'isLeader',
  'ways? in': 'sign-in method',
  'signs? of life': 'heartbeat',
  '(gives?|given|giving|gave) (back|up)': 'revoke, or return',
  '(is|are|was) put down to': 'is attributed to',
  '(falls?|fell) silent': 'stopped responding',
  '(choose|choosing|pick|picks|picking) (a|another|the) model': 'select a model',
}

/** Names that must not come back, beside those that hold a word of above. */
const names: Readonly<Record<string, string>> = {
  'spot moment piece pieces': 'CursorContext, CompletionContext, Snippet or chunk',
  'World world Scene scene': 'fixture, harness or scenario',
  RoutedClient: 'QueuedClient',
  KeylessClient: 'RedactingClient',
  RefusedKeyClient: 'KeyRejectionReporter',
  CountedClient: 'TokenBudgetClient',
  AnswerSoFar: 'ResponseAccumulator',
  AnswerReader: 'StreamDecoder',
  'Reading Thought': 'ResponseReader, ReasoningBlock',
  'Patience Flight orStop linkStop Stopped callOff': 'RequestWatchdog, SingleFlight, raceAbort, linkedAbort, cancel',
  'Offer Shown plainLine': 'Candidate, VisibleSuggestion, escaping',
}

/** Where a word is not ours to choose. */
const allowed: Readonly<Record<string, string>> = {}

interface Rule {
  readonly pattern: RegExp
  readonly use: string
}

const rulesOf = (table: Readonly<Record<string, string>>, pattern: (word: string) => RegExp): Rule[] =>
  Object.entries(table).flatMap(([list, use]) => list.split(' ').map(word => ({ pattern: pattern(word), use })))
const wholeWord = (word: string) => new RegExp(`\\b${word}\\b`, 'i')
const wordRules = rulesOf(words, wholeWord)
const phraseRules = Object.entries(phrases).map(([phrase, use]) => ({ pattern: wholeWord(phrase), use }))
const nameRules = rulesOf(names, word => new RegExp(`(?<![\\w$.'-])#?${word}\\b(?!['-])`))

/** Each breach in one line: where, which word, and what to write. */
function breaches(file: string, text: string): string[] {
  return linesOf(text).flatMap((line, at) => {
    const { comment, code } = split(line)
    const inWords = [...wordRules.filter(({ pattern }) => pattern.test(`${comment} ${spaced(code)}`))]
    const inComments = phraseRules.filter(({ pattern }) => pattern.test(comment))
    const inNames = nameRules.filter(({ pattern }) => pattern.test(code))
    return [...inWords, ...inComments, ...inNames].flatMap(({ pattern, use }) => {
      const where = `${file}:${at + 1}`
      const word = pattern.source.replaceAll(/\(\?<?[!=][^)]*\)|\\b|#\?/g, '')
      return allowed[`${file} ${word}`] ? [] : [`${where}: "${word}"; use ${use}: ${line.trim()}`]
    })
  })
}

/** A line's comment, and its code without what strings and regular expressions hold. */
function split(line: string): { comment: string; code: string } {
  if (/^\s*(\/\*\*?|\*)(\s|$)/.test(line)) return { comment: line, code: '' }
  const bare = line.replaceAll(literal, text => (text.startsWith('`') ? insertsIn(text) : blank(text)))
  const start = /(^|\s)\/\/\s/.exec(bare)
  return start ? { comment: line.slice(start.index), code: bare.slice(0, start.index) } : { comment: '', code: bare }
}

/** A string in each kind of quotes, or a regular expression after what can only come before one. */
const literal =
  /(?<!\w)'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`|(?<=[(,=:?!&|[]\s*)\/(?![/*])(?:[^/\\[]|\\.|\[(?:[^\]\\]|\\.)*\])+\//g

const blank = (text: string) => ' '.repeat(text.length)
/** Of a template only what is inserted, at its place. */
const insertsIn = (template: string) =>
  template
    .split(/(\$\{[^}]*\})/)
    .map((part, at) => (at % 2 === 1 ? `  ${part.slice(2, -1).replaceAll(literal, blank)} ` : blank(part)))
    .join('')

/** The lines of a file; a line inside a template has its quotes, so that it can be read alone. */
function linesOf(text: string): string[] {
  let isOpen = false
  return text.split('\n').map(line => {
    const begun = isOpen ? `\`${line}` : line
    const [code, ...unclosed] = begun.replaceAll(literal, '').split('`')
    isOpen = unclosed.length > 0 && !/(^|\s)(\/\/|\/?\*)/.test(code ?? '')
    return isOpen ? `${begun}\`` : begun
  })
}

/** `#whenTold` as "when Told". */
const spaced = (code: string) => code.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').replaceAll(/_/g, ' ')

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => /\.tsx?$/.test(name) && !name.includes('node_modules'))
    .map(name => `${folder}/${name}`)
    .toSorted()
}

test('names and comments use the terms of the glossary', () => {
  const found = filesOf('src').flatMap(file => breaches(file, readFileSync(file, 'utf8')))
  assert.ok(found.length === 0, `\n${found.join('\n')}`)
})

test('each kind of rule finds a planted word, and leaves what users read alone', () => {
  const planted = {
    'const whenTold = 1': 'told',
    'this.#hear(1)': 'hear',
    '/** Whoever asks. */': 'whoever',
    'work() // it gave up': '(gives?|given|giving|gave) (back|up)',
    'const moment = 1': 'moment',
    "const hold = callOff('a')": 'callOff',
    'log(`a ${told} b`)': 'told',
  }
  for (const [line, word] of Object.entries(planted)) {
    const [found, ...more] = breaches('a.ts', line)
    assert.match(found ?? '', new RegExp(`"${word.replaceAll(/[()?|]/g, '\\$&')}"`), line)
    assert.deepEqual(more, [])
  }
  for (const line of ["throw new Error('What the service told')", 'log(`it says no`)', 'const heartbeat = 1'])
    assert.deepEqual(breaches('a.ts', line), [])
})
