// Whether to ask, how long to wait first, and how much to ask for.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { CompletionSettings } from '../../../src/core/complete/completionSettings.ts'
import { cursorContextOf } from '../../../src/core/complete/cursorContext.ts'
import {
  type Change,
  changeBetween,
  decide,
  type Shape,
  type Situation,
  shapeOf,
  unavailableReason,
  waitLimitMs,
} from '../../../src/core/complete/trigger.ts'
import { AccessPolicy } from '../../../src/core/workspace/accessPolicy.ts'
import { FollowedDocuments } from './followedDocuments.ts'
import { type Look, snapshotAt } from './snapshots.ts'

const settings: CompletionSettings = { enabled: {}, delayMs: null, mode: 'eager', exclude: [] }
const usual: Situation = { isExplicit: false, change: 'typed', isRateLimited: false, keyMs: 200, settings }
const python: Look = { language: 'python', path: 'a.py' }

function decision(document: string, situation: Partial<Situation> = {}, look: Look = {}): number | string {
  const snapshot = snapshotAt(document, look)
  const decided = decide(snapshot, cursorContextOf(snapshot), { ...usual, ...situation })
  return decided.ask ? decided.waitMs : decided.why
}

const strained = { isRateLimited: true }
const decisions: readonly [document: string, expected: number | string, situation?: Partial<Situation>, look?: Look][] =
  [
    ['const total = |', 0],
    ['const total = it|', 0],
    ['const total = items.|', 0],
    ['const total = sum(|)', 0],
    ['const total = sum(|);', 0],
    ['if (total|) {', 0],
    ['const text = "|"', 0],
    ['function f() {\n  |\n}', 0],
    ['function f() {|', 0],
    ['// adds two |', 0],
    ['const total = |items', 'inside a word'],
    ['const to|tal = 1', 'inside a word'],
    ['const total = | + items', 300],
    ['const total = 1;|', 'after a statement'],
    ['const total = {}|', 'after a statement'],
    ['if (a) {\n}  |', 'after a statement'],
    ['// done;|', 0],
    ["const long = 'one; |'", 0],
    ['Some text in a paper; |', 0, {}, { language: 'markdown' }],
    ["const key = 'abcdefghijklmnopqrstuvwxyz|'", 'inside an opaque string'],
    ["const key = 'abcdefghijklmn opqrstuvwxyz|'", 0],
    ['|', 'nothing to go by', {}, { path: 'Untitled-1' }],
    ['a = 1\n|', 'nothing to go by', {}, { path: 'Untitled-1' }],
    ['|', 0, {}, { path: 'src/parser.ts' }],
    ['const total = |', 500, { change: 'pasted' }],
    ['const total = |', 400, { change: 'deleted' }],
    ['const total = it|', 120, strained],
    ['const total = it|', 250, { isRateLimited: true, keyMs: 900 }],
    ['const total = |', 0, strained],
    ['const total = items.|', 0, strained],
    ['const total = |', 700, { settings: { ...settings, delayMs: 700 } }],
    ['const total = |', 'only on request', { settings: { ...settings, mode: 'subtle' } }],
    ['const total = |', 0, { isExplicit: true, settings: { ...settings, mode: 'subtle', delayMs: 700 } }],
    ['const to|tal = 1;', 0, { isExplicit: true }],
    ['const total = 1;|', 0, { isExplicit: true, change: 'pasted' }],
  ]

describe('asking', () => {
  for (const [document, expected, situation, look] of decisions) {
    const why = situation ? ` ${JSON.stringify(situation)}` : ''
    test(`${JSON.stringify(document)}${why}: ${expected}`, () => {
      assert.equal(decision(document, situation, look), expected)
    })
  }
})

function accessBut(globs: readonly string[], isTrusted = true): AccessPolicy {
  return new AccessPolicy({ isTrusted: () => isTrusted, excludedGlobs: () => globs, ignoredOf: async () => new Set() })
}

describe('never', () => {
  const closed: readonly [string, string | undefined, Partial<CompletionSettings>?, Look?][] = [
    ['a|', undefined],
    [`${'a'.repeat(1_000_000)}\n|`, 'file too large'],
    [`${'a'.repeat(2_001)}|`, 'line too long'],
    [`${'a'.repeat(2_001)}\n|`, undefined],
    ['a|', 'language switched off', { enabled: { typescript: false } }],
    ['a|', 'language switched off', { enabled: { '*': false } }],
    ['a|', undefined, { enabled: { '*': false, typescript: true } }],
    ['a|', 'language switched off', {}, { language: 'markdown' }],
    ['a|', undefined, { enabled: { markdown: true } }, { language: 'markdown' }],
    ['a|', undefined, {}, { language: 'constructor' }],
    ['a|', 'file looks secret', {}, { path: '.env' }],
    ['a\0|', 'file is binary'],
    ['a|', 'file excluded', { exclude: ['src/**'] }],
  ]
  for (const [document, expected, some, look] of closed) {
    test(`${JSON.stringify(document.slice(-20))} ${JSON.stringify({ ...some, ...look })}: ${expected}`, () => {
      const { exclude, ...others } = { ...settings, ...some }
      assert.equal(unavailableReason(snapshotAt(document, look), { ...others, exclude }, accessBut(exclude)), expected)
    })
  }
})

test('never in a workspace that is not trusted', () => {
  assert.equal(unavailableReason(snapshotAt('a|'), settings, accessBut([], false)), 'workspace not trusted')
})

describe('how much', () => {
  const shapes: readonly [document: string, shape: Shape, isExplicit?: boolean, look?: Look][] = [
    ['const a = |', 'line'],
    ['function f() {|', 'block'],
    ['function f() {\n  |\n}', 'block'],
    ['function f() {\n  a()\n  |\n}', 'line'],
    ['const f = a =>|', 'block'],
    ['f({|})', 'block'],
    ['def f():|', 'block', false, python],
    ['def f():\n    |', 'block', false, python],
    ['case 1:|', 'line'],
    ['const a = | + b', 'rest'],
    ["const a = '|'", 'rest'],
    ['// a |', 'rest'],
    ['const a = |', 'block', true],
    ['// a |', 'rest', true],
  ]
  for (const [document, shape, isExplicit = false, look] of shapes) {
    test(`${JSON.stringify(document)}${isExplicit ? ' on request' : ''}: ${shape}`, () => {
      assert.equal(shapeOf(cursorContextOf(snapshotAt(document, look)), isExplicit), shape)
    })
  }
})

test('the suggestion list is not kept waiting for what will not come in time', () => {
  const word = cursorContextOf(snapshotAt('const a = it|'))
  assert.equal(waitLimitMs(word, false, 300), 650)
  assert.equal(waitLimitMs(word, false, 900), 0)
  assert.equal(waitLimitMs(cursorContextOf(snapshotAt('const a = |')), false, 900), 2_500)
  assert.ok(waitLimitMs(word, true, 900) > 10_000)
})

describe('what happened since the last call', () => {
  const happened: readonly [
    what: string,
    before: string,
    steps: readonly string[],
    Change,
    ('undo' | 'redo' | 'reload')?,
  ][] = [
    ['no change', 'ab', [], 'none'],
    ['a letter', 'a', ['ab'], 'typed'],
    ['several letters', 'a', ['ab', 'abc'], 'typed'],
    ['an empty change', 'ab', ['ab'], 'elsewhere'],
    ['a letter and an empty change', 'a', ['ab', 'ab'], 'typed'],
    ['an edit above the cursor', 'a\nb', ['xa\nb'], 'elsewhere'],
    ['a letter taken back', 'ab', ['a'], 'deleted'],
    ['a letter typed and taken back', 'ab', ['abc', 'ab'], 'deleted'],
    ['a wrong letter taken back and the right one typed', 'ab', ['a', 'ac'], 'typed'],
    ['more taken back than typed behind it', 'ab()', ['ab', 'abc'], 'deleted'],
    ['a brace that takes its indentation back', 'f {\n    ', ['f {\n}'], 'typed'],
    ['a long text', 'a', ['a'.repeat(300)], 'pasted'],
    ['a long text in place of one as long', 'b'.repeat(300), ['a'.repeat(300)], 'pasted'],
    ['a long text and a letter behind it', 'a', ['a'.repeat(300), `${'a'.repeat(300)}b`], 'pasted'],
    ['an undo', 'a', ['ab'], 'elsewhere', 'undo'],
    ['a redo', 'a', ['ab'], 'elsewhere', 'redo'],
    ['a change of the file on the disk', 'a', ['ab'], 'elsewhere', 'reload'],
  ]
  for (const [what, before, steps, expected, reason] of happened) {
    test(`${what}: ${expected}`, () => {
      const followed = new FollowedDocuments()
      const first = followed.change(`${before}|`)
      const last = steps.reduce((_, step) => followed.change(`${step}|`, {}, reason), first)
      assert.equal(changeBetween(first, last), expected)
    })
  }

  test('nothing, where there was no call or another document', () => {
    const followed = new FollowedDocuments()
    assert.equal(changeBetween(undefined, followed.change('a|')), 'none')
    assert.equal(changeBetween(followed.change('ab|'), followed.change('ab|', { id: 'b', version: 7 })), 'none')
  })

  test('not typed, where the edits are not known', () => {
    const followed = new FollowedDocuments()
    assert.equal(changeBetween(followed.change('a|'), followed.change('ab|', { version: 9 })), 'pasted')
  })

  test('a suggestion that was accepted counts as typed, however long it is', () => {
    const followed = new FollowedDocuments()
    const before = followed.change('a|')
    followed.documents.announce(before.id, before.version, { start: 1, end: 1, text: 'b'.repeat(300) }, () => {})
    assert.equal(changeBetween(before, followed.change(`a${'b'.repeat(300)}|`)), 'typed')
  })
})
