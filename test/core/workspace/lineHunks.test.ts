// The laws of line diffs, on made-up texts, and that they are short and quick.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { applyHunks, diffLines, editBetween } from '../../../src/core/workspace/lineHunks.ts'

const line = fc.constantFrom('a\n', 'b\n', 'c\n', 'd\n', '\n', '}\n')
const text = fc
  .tuple(fc.array(line, { maxLength: 30 }), fc.constantFrom('', 'a', 'end'))
  .map(([lines, last]) => lines.join('') + last)

test('all hunks applied lead to the text after; none, to the text before', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const hunks = diffLines(before, after)
      assert.equal(applyHunks(before, after, hunks), after)
      assert.equal(applyHunks(before, after, []), before)
      assert.equal(editBetween(before, after).apply(before), after)
    }),
  )
})

test('exchanged hunks lead back', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const back = diffLines(before, after).map(hunk => ({ before: hunk.after, after: hunk.before }))
      assert.equal(applyHunks(after, before, back), before)
    }),
  )
})

test('hunks are ordered, are whole lines, and have at least one line between them', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const hunks = diffLines(before, after)
      hunks.forEach((hunk, at) => {
        const next = hunks[at + 1]
        assert.ok(!next || (hunk.before.end < next.before.start && hunk.after.end < next.after.start))
        assert.ok(hunk.before.start === 0 || before[hunk.before.start - 1] === '\n')
        assert.ok([0, after.length].includes(hunk.after.end) || after[hunk.after.end - 1] === '\n')
      })
    }),
  )
})

test('a change in one line is a hunk of one line', () => {
  assert.deepEqual(diffLines('a\nb\nc\n', 'a\nB\nc\n'), [{ before: { start: 2, end: 4 }, after: { start: 2, end: 4 } }])
})

test('lines that both have are in no hunk, in texts that differ in thousands of lines too', () => {
  const before = Array.from({ length: 6_000 }, (_, at) => (at % 3 === 0 ? `same ${at}\n` : `old ${at}\n`)).join('')
  const after = before.replaceAll('old', 'new')
  const hunks = diffLines(before, after)
  assert.equal(hunks.length, 2_000)
  assert.equal(applyHunks(before, after, hunks), after)
})

test('texts without a common line are one hunk', () => {
  const before = 'x\n'.repeat(20_000)
  const after = 'y\n'.repeat(20_000)
  assert.equal(diffLines(before, after).length, 1)
})
