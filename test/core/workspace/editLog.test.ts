// How far back the edits of a document are known, and what is carried over them.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { EditLog } from '../../../src/core/workspace/editLog.ts'
import { TextEdit } from '../../../src/core/workspace/textEdit.ts'

const insertion = (text: string, at: number, inserted: string) =>
  TextEdit.of(text, [{ start: at, end: at, text: inserted }])

/** Texts by version, from version 1 on, and the log that leads through them. */
function historyOf(first: string, steps: readonly (readonly [number, number, string])[]) {
  let log = EditLog.startingAt({ version: 1, length: first.length, reason: 'opened' })
  const texts = [first]
  for (const [a, b, inserted] of steps) {
    const text = texts.at(-1) ?? ''
    const [start, end] = [Math.min(a, b) % (text.length + 1), Math.max(a, b) % (text.length + 1)]
    const edit = TextEdit.of(text, [{ start: Math.min(start, end), end: Math.max(start, end), text: inserted }])
    texts.push(edit.apply(text))
    log = log.with(edit, 'other')
  }
  return { log, texts }
}

const steps = fc.array(fc.tuple(fc.nat(40), fc.nat(40), fc.constantFrom('', 'a', 'bc', '\n', '😀')), { maxLength: 30 })

describe('an edit log', () => {
  test('leads from any version to any later one', () => {
    fc.assert(
      fc.property(steps, fc.nat(), fc.nat(), (steps, a, b) => {
        const { log, texts } = historyOf('const a = 1', steps)
        const [one, other] = [a % texts.length, b % texts.length]
        const [from, to] = [Math.min(one, other), Math.max(one, other)]
        const text = texts[from] ?? ''
        assert.equal(log.editBetween(from + 1, to + 1)?.apply(text), texts[to])
        const offset = a % (text.length + 1)
        const carried = log.mapOffset(offset, 'after', from + 1, to + 1)
        assert.ok(carried !== undefined && carried <= (texts[to]?.length ?? 0))
        const range = log.mapRange({ start: offset, end: text.length }, from + 1, to + 1)
        if (range && !range.isChanged) {
          assert.equal(texts[to]?.slice(range.start, range.end), text.slice(offset))
        }
      }),
      { numRuns: 1_000 },
    )
  })

  test('carries offsets and ranges over what was put in before them', () => {
    const { log } = historyOf('one two', [
      [0, 0, 'zero '],
      [5, 8, '1'],
    ])
    assert.equal(log.version, 3)
    assert.equal(log.mapOffset(4, 'before', 1), 7)
    assert.equal(log.mapOffset(4, 'before', 1, 2), 9)
    assert.deepEqual(log.mapRange({ start: 4, end: 7 }, 1), { start: 7, end: 10, isChanged: false })
    assert.deepEqual(log.mapRange({ start: 0, end: 7 }, 1), { start: 5, end: 10, isChanged: true })
    assert.deepEqual(log.mapRange({ start: 0, end: 7 }, 2), { start: 0, end: 5, isChanged: true })
  })

  test('knows nothing of versions before its start, after its end, or backwards', () => {
    const { log } = historyOf('ab', [[1, 1, 'x']])
    for (const [from, to] of [
      [0, 1],
      [1, 3],
      [2, 1],
    ] as const) {
      assert.equal(log.editsBetween(from, to), undefined)
      assert.equal(log.editBetween(from, to), undefined)
      assert.equal(log.mapOffset(0, 'before', from, to), undefined)
      assert.equal(log.mapRange({ start: 0, end: 0 }, from, to), undefined)
    }
    assert.ok(log.editBetween(2, 2)?.isEmpty)
    assert.ok(EditLog.startingAt({ version: 7, length: 2, reason: 'opened' }).editBetween(7)?.isEmpty)
  })

  test('drops the oldest edits at 500, says so, and what is left still fits', () => {
    let text = ''
    let log = EditLog.startingAt({ version: 1, length: 0, reason: 'opened' })
    for (let at = 0; at < 600; at++) {
      const edit = insertion(text, text.length, 'a')
      text = edit.apply(text)
      log = log.with(edit, 'typed')
    }
    assert.equal(log.edits.length, 500)
    assert.deepEqual(log.start, { version: 101, length: 100, reason: 'limit' })
    assert.equal(log.version, 601)
    assert.equal(log.editBetween(100), undefined)
    assert.equal(log.editBetween(101)?.apply('a'.repeat(100)), text)
    assert.ok(log.editBetween(101, 101)?.isEmpty)
  })

  test('drops the oldest edits once they hold 200,000 characters, a larger one at once', () => {
    const start = EditLog.startingAt({ version: 1, length: 0, reason: 'opened' })
    const half = 'a'.repeat(100_000)
    const two = start.with(insertion('', 0, half), 'other').with(insertion(half, 0, half), 'other')
    assert.equal(two.start.version, 1)
    const three = two.with(insertion(half + half, 0, 'a'), 'typed')
    assert.deepEqual(three.start, { version: 2, length: 100_000, reason: 'limit' })
    assert.deepEqual(
      three.edits.map(({ version, origin }) => [version, origin]),
      [
        [3, 'other'],
        [4, 'typed'],
      ],
    )
    const huge = start.with(insertion('', 0, half.repeat(3)), 'other')
    assert.deepEqual(huge.start, { version: 2, length: 300_000, reason: 'limit' })
    assert.equal(huge.edits.length, 0)
  })

  test('a log that was continued is itself as it was', () => {
    const log = EditLog.startingAt({ version: 1, length: 0, reason: 'opened' })
    log.with(insertion('', 0, 'a'), 'typed')
    assert.equal(log.version, 1)
  })
})
