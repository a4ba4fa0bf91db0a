// The words that names and comments of `src` and `test` do not use, and the term of the field for each; ARCHITECTURE.md has the glossary.
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

/** Several words in a row, in comments and as parts of names. */
const phrases: Readonly<Record<string, string>> = {
  'in office': 'isLeader',
  'ways? in': 'sign-in method',
  'signs? of life': 'heartbeat',
  '(gives?|given|giving|gave) (back|up)': 'revoke, or return',
  '(is|are|was) put down to': 'is attributed to',
  '(falls?|fell) silent': 'stopped responding',
  '(choose|choosing|chosen|pick|picks|picking|picked) ((a|another|the|one of the) )?models?': 'select a model',
}

/** Names that must not come back, beside those that hold a word of above. */
const names: Readonly<Record<string, string>> = {
  'spot moment piece pieces Spot Moment Piece Pieces': 'CursorContext, CompletionContext, Snippet or chunk',
  'World world Scene scene Stage Stand stand': 'fixture, harness or scenario',
  'seat seats Seat': 'client, connection or token',
  Snapshot: 'DocumentSnapshot, or what else it is of',
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
const allowed: Readonly<Record<string, string>> = {
  'test/editor/sampleWorkspace/desk/parcel.ts Reading': 'a program as somebody else writes it, which tests edit',
}

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
  const { comments, code: codes } = read(text)
  return text.split('\n').flatMap((line, at) => {
    const [comment = '', code = ''] = [comments[at], codes[at]]
    const inWords = wordRules.filter(({ pattern }) => pattern.test(`${comment} ${spaced(code)}`))
    const inRow = phraseRules.filter(({ pattern }) => pattern.test(`${comment} ${spaced(code)}`))
    const inNames = nameRules.filter(({ pattern }) => pattern.test(code))
    return [...inWords, ...inRow, ...inNames].flatMap(({ pattern, use }) => {
      const where = `${file}:${at + 1}`
      const word = pattern.source.replaceAll(/\(\?<?[!=][^)]*\)|\\b|#\?/g, '')
      return allowed[`${file} ${word}`] ? [] : [`${where}: "${word}"; use ${use}: ${line.trim()}`]
    })
  })
}

interface Read {
  readonly comments: readonly string[]
  readonly code: readonly string[]
}

/** A comment, a string, a regular expression (known by what comes before it), or where a template or its insert may begin or end. */
const token =
  /(?<!:)\/\/.*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|(?<=(?:[(,=:?!&|[;]|=>|return)\s*)\/(?![/*])(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/|[`{}]/g
/** Of a template, up to its end or to what is inserted. */
const templatePart = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*(`|\$\{)/y

const blank = (text: string) => text.replaceAll(/[^\n]/g, ' ')

/** The lines of a file: their comments, and their code without what strings and regular expressions hold. */
function read(text: string): Read {
  let [comments, code] = ['', '']
  /** How many braces are open in each insert of a template, the innermost first. */
  const open: number[] = []
  let at = 0
  const take = (end: number, kind?: 'comment' | 'code') => {
    const part = text.slice(at, end)
    comments += kind === 'comment' ? part : blank(part)
    code += kind === 'code' ? part : blank(part)
    at = end
  }
  while (at < text.length) {
    token.lastIndex = at
    const found = token.exec(text)
    take(found?.index ?? text.length, 'code')
    if (!found) break
    const [part] = found
    const end = at + part.length
    if (part === '`' || (part === '}' && open[0] === 0)) {
      if (part === '}') open.shift()
      templatePart.lastIndex = end
      const isInsert = templatePart.exec(text)?.[1] === '${'
      take(templatePart.lastIndex || text.length)
      if (isInsert) open.unshift(0)
    } else if (part === '{' || part === '}') {
      if (open[0] !== undefined) open[0] += part === '{' ? 1 : -1
      take(end, 'code')
    } else take(end, /^\/[/*]/.test(part) ? 'comment' : undefined)
  }
  return { comments: comments.split('\n'), code: code.split('\n') }
}

/** `#whenTold` as "when Told". */
const spaced = (code: string) => code.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').replaceAll(/_/g, ' ')

/** This file alone has to name the words. */
function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => /\.tsx?$/.test(name) && !name.includes('node_modules'))
    .map(name => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter(file => file !== 'test/vocabulary.test.ts')
    .toSorted()
}

test('names and comments use the terms of the glossary', () => {
  const found = [...filesOf('src'), ...filesOf('test')].flatMap(file => breaches(file, readFileSync(file, 'utf8')))
  assert.ok(found.length === 0, `\n${found.join('\n')}`)
})

test('each kind of rule finds a planted word, and leaves what users read alone', () => {
  const wordsIn: Readonly<Record<string, string>> = {
    'const whenTold = 1': 'told',
    'this.#hear(1)': 'hear',
    '/** Whoever asks. */': 'whoever',
    'work() // it gave up': '(gives?|given|giving|gave) (back|up)',
    'class Moment {}': 'Moment',
    'const givesUpAt = 1': '(gives?|given|giving|gave) (back|up)',
    '// one of the models is picked; pick a model':
      '(choose|choosing|chosen|pick|picks|picking|picked) ((a|another|the|one of the) )?models?',
    'const moment = 1': 'moment',
    "const hold = callOff('a')": 'callOff',
    'log(`a ${told} b`)': 'told',
    "isSo('a') // the 'told' one": 'told',
    'const text = `told\n${told}`': 'told',
    'assert.match(told, /said/)': 'told',
    "throw new Error('What the service told')": '',
    'log(`it says no`)': '',
    'const text = `one line,\n* it says no, ${word}\nto whoever`': '',
    'const text = `says ${of({\nhear: `a ${1}` })} told ${`b ${\nsaid}`}`': 'hear said',
    "log(`${isWhole ? 'said' : text}`)": '',
    "assert.match(text, /^Stopped 'by' told/)": '',
    'const heartbeat = 1': '',
  }
  for (const [text, expected] of Object.entries(wordsIn)) {
    const found = breaches('a.ts', text).map(line => /: "(.*?)"; use /.exec(line)?.[1])
    assert.equal(found.join(' '), expected, text)
  }
})
