// Texts that fit, and untrusted texts that cannot do harm in a line.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { clip, countdown, type Duration, durationOf, overlapLength, sanitizeLine } from '../../src/base/text.ts'

const signs = ['a', 'b', ' ', '\n', '\r', '\t', '\u0000', '\u001b', '\u009b', '🌍', '\ud83c', '\udf0d', 'é', '…']
const turning = ['\u061c', '\u200b', '\u200f', '\u2028', '\u202e', '\u2066', '\ufeff', '\u{e0041}', '\u00a0']
const anyText = fc.string({ unit: fc.constantFrom(...signs, ...turning) })

test('a clipped text fits, keeps its beginning and splits no sign in two', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 0, max: 12 }), (text, limit) => {
      const clipped = clip(text, limit)
      assert.ok(clipped.length <= limit || text.length <= limit)
      if (text.length <= limit) assert.equal(clipped, text)
      else assert.ok(limit === 0 ? clipped === '' : clipped.endsWith('…') && text.startsWith(clipped.slice(0, -1)))
      assert.ok(clipped.isWellFormed() || !text.isWellFormed())
    }),
  )
  assert.equal(clip('a🌍b', 3), 'a…')
})

test('an overlap is the end of one text and the beginning of the other, and the longest', () => {
  fc.assert(
    fc.property(anyText, anyText, anyText, (shared, a, b) => {
      const length = overlapLength(a + shared, shared + b)
      assert.ok(length >= shared.length && (a + shared).endsWith((shared + b).slice(0, length)))
    }),
  )
  assert.equal(overlapLength('foo', 'bar'), 0)
})

test('a stranger’s text becomes one line without control and direction signs', () => {
  fc.assert(
    fc.property(anyText, text => {
      const line = sanitizeLine(text)
      assert.doesNotMatch(line, /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]/u)
      assert.equal(line, line.trim())
      assert.ok(line.length <= 300)
    }),
  )
  assert.equal(sanitizeLine(' a\u001b[31m\r\n\u202e b\u200b \u{e0041}c '), 'a [31m b c')
  assert.equal(sanitizeLine('abcdef', 4), 'abc…')
})

test('a duration in the one unit that says it best', () => {
  const cases: [number, Duration][] = [
    [0, { count: 1, unit: 'second' }],
    [1_001, { count: 2, unit: 'second' }],
    [119_000, { count: 119, unit: 'second' }],
    [119_001, { count: 2, unit: 'minute' }],
    [3_600_000, { count: 60, unit: 'minute' }],
    [7_200_000, { count: 2, unit: 'hour' }],
    [99_999_999_000, { count: 1158, unit: 'day' }],
  ]
  for (const [ms, duration] of cases) assert.deepEqual(durationOf(ms), duration)
})

test('a countdown by minutes and seconds, where a second that has begun counts', () => {
  assert.deepEqual([600_000, 59_001, 4_200, 0].map(countdown), ['10:00', '1:00', '0:05', '0:00'])
})
