// The typist ends with the file's text, whatever the editor's help and the mistakes.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type DocumentChange, FakeDocument } from './fakeDocument.ts'
import { sourceOf, steady } from './fixtures.ts'
import { type Schedule, scheduleOf } from './schedule.ts'
import { readSources, type Source } from './source.ts'
import { strokes } from './typist.ts'

interface Typed {
  readonly text: string
  readonly changes: readonly DocumentChange[]
  readonly keys: number
  /** The text after each key. */
  readonly texts: readonly string[]
}

function typeAll(source: Source, schedule: Schedule, closesPairs: boolean): Typed {
  const { text, start, end, language } = source
  const document = new FakeDocument({
    text: text.slice(0, start) + text.slice(end),
    cursor: start,
    language,
    closesPairs,
  })
  const changes: DocumentChange[] = []
  const texts: string[] = []
  let keys = 0
  document.onDidChange(change => changes.push(change))
  for (const { press } of strokes(source, schedule, document)) {
    press()
    keys++
    texts.push(`${document.text.slice(0, document.cursor)}|${document.text.slice(document.cursor)}`)
  }
  return { text: document.text, changes, keys, texts }
}

function applied(text: string, { offset, deletedLength, inserted }: DocumentChange): string {
  return text.slice(0, offset) + inserted + text.slice(offset + deletedLength)
}

describe('the typist', () => {
  for (const source of readSources()) {
    for (const closesPairs of [false, true]) {
      test(`types ${source.path} exactly, pairs closed: ${closesPairs}`, () => {
        const schedule = scheduleOf(source, 1, { medianMs: 120, sigma: 0.45, mistakes: 0.03 })
        const { text, changes, keys } = typeAll(source, schedule, closesPairs)
        assert.equal(text, source.text)
        assert.equal(changes.reduce(applied, source.text.slice(0, source.start) + source.text.slice(source.end)), text)
        assert.ok(keys >= 400 && keys <= 1_000, `${keys} keys`)
      })
    }
  }

  test('types any text exactly', () => {
    const texts = fc.array(fc.constantFrom(...'(){}[]"\'`ab \n;,.=\\#/'.split('')), { maxLength: 60 })
    fc.assert(
      fc.property(texts, fc.integer(), fc.boolean(), (characters, seed, closesPairs) => {
        const source = sourceOf(characters.join(''), { head: 'let a\n' })
        const schedule = scheduleOf(source, seed, { medianMs: 120, sigma: 0.45, mistakes: 0.2 })
        assert.equal(typeAll(source, schedule, closesPairs).text, source.text)
      }),
    )
  })

  test('types over what the editor has closed', () => {
    const { texts, changes } = typeAll(sourceOf("f(['a'])"), steady(), true)
    assert.deepEqual(texts, ['f|', 'f(|)', 'f([|])', "f(['|'])", "f(['a|'])", "f(['a'|])", "f(['a']|)", "f(['a'])|"])
    assert.deepEqual(changes[1], { offset: 1, deletedLength: 0, inserted: '()', version: 3 })
    assert.deepEqual(changes.at(-1), { offset: 7, deletedLength: 1, inserted: ')', version: 9 })
  })

  test('makes three lines of a pair and moves below them in the end', () => {
    const { texts, changes, keys } = typeAll(sourceOf('{\n  a\n}\nb'), steady(), true)
    assert.deepEqual(texts, ['{|}', '{\n  |\n}', '{\n  a|\n}', '{\n  a\n}|', '{\n  a\n}\n|', '{\n  a\n}\nb|'])
    assert.equal(keys - changes.length, 1)
  })

  test('fetches a closer from below where the file has it at the end of a line', () => {
    const { texts, changes } = typeAll(sourceOf('f(\n  a);'), steady(), true)
    assert.deepEqual(texts.slice(2), ['f(\n  |\n)', 'f(\n  a|\n)', 'f(\n  a|)', 'f(\n  a)|', 'f(\n  a);|'])
    assert.deepEqual(changes[4], { offset: 6, deletedLength: 1, inserted: '', version: 6 })
  })

  test('takes a closer away for which the file has no use', () => {
    assert.deepEqual(typeAll(sourceOf('a (b'), steady(), true).texts.slice(2), ['a (|)', 'a (|', 'a (b|'])
  })

  test('takes a mistake back once it is noticed', () => {
    const { texts } = typeAll(sourceOf('abcd'), steady({ 1: { wrong: 'x', noticedAfter: 2 } }), false)
    assert.deepEqual(texts, ['a|', 'ax|', 'axc|', 'ax|', 'a|', 'ab|', 'abc|', 'abcd|'])
  })
})
