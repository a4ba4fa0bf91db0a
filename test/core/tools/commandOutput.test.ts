// The output of a program as it is made readable: the same wherever it is cut into chunks.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { excerptOf, leftOutText, OutputCleaner } from '../../../src/core/tools/commandOutput.ts'

function cleaned(...chunks: readonly string[]): string {
  const cleaner = new OutputCleaner()
  return chunks.map(chunk => cleaner.push(chunk)).join('') + cleaner.end()
}

const cases: readonly (readonly [what: string, written: string, shown: string])[] = [
  ['plain text stays', 'a\n\n  b\tc\n', 'a\n\n  b\tc\n'],
  ['an end without a line end stays', 'a\nb', 'a\nb'],
  ['line ends of Windows', 'a\r\nb\r\n', 'a\nb\n'],
  ['a progress bar is its last state', '10 %\r 50 %\r100 %\ndone\n', '100 %\ndone\n'],
  ['a shorter text leaves the rest of a longer one', 'abcdef\rxy\n', 'xycdef\n'],
  ['what is erased behind the cursor is gone', 'abcdef\rxy\u001b[K\n', 'xy\n'],
  ['a whole erased line is gone', 'abc\u001b[2K\rx\n', 'x  \n'],
  ['a backspace goes one back', 'abc\b\bX\n', 'aXc\n'],
  ['colours', '\u001b[1;31mred\u001b[0m \u009b32mgreen\u001b[m\n', 'red green\n'],
  ['a title and a link', '\u001b]0;title\u0007a\u001b]8;;https://a.b\u001b\\link\u001b]8;;\u001b\\\n', 'alink\n'],
  ['the clipboard is not written', '\u001b]52;c;aGFjaw==\u0007x\n', 'x\n'],
  ['character sets and keypad modes', '\u001b(Ba\u001b=b\u001b>c\n', 'abc\n'],
  ['an escape sequence that never ends', 'a\u001b[12', 'a[12'],
  ['control characters as numbers', 'a\u0007b\u0000c\n', 'a\\x07b\\x00c\n'],
  ['[A75] characters that cannot be seen as numbers', 'a\u202eb\u200bc\u2028d\n', 'a\\u{202e}b\\u{200b}c\\u{2028}d\n'],
  [
    '[A75] hidden text is only counted',
    'a\u{e0041}\u{e0042}b❤️\u{e0100}\u{e01ef}\n',
    'a[2 hidden characters]b❤️[2 hidden characters]\n',
  ],
  ['three equal lines stay', 'a\na\na\nb\n', 'a\na\na\nb\n'],
  ['more of them are counted', 'a\n'.repeat(42), 'a\n[the line above 41 more times]\n'],
]

for (const [what, written, shown] of cases) {
  test(`${what}`, () => {
    assert.equal(cleaned(written), shown)
  })
}

test('[A56] wherever the output is cut, it becomes the same', () => {
  const part = fc.constantFrom(
    'a',
    'b\n',
    '\r',
    '\r\n',
    '\n',
    '\u001b[31m',
    '\u001b[K',
    '\u001b]0;t\u0007',
    '\b',
    'ü',
    'a\n',
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 40 }), fc.array(fc.nat(), { maxLength: 8 }), (parts, cuts) => {
      const text = parts.join('')
      const places = [0, ...cuts.map(cut => cut % (text.length + 1)).toSorted((a, b) => a - b), text.length]
      const chunks = places.slice(1).map((end, at) => text.slice(places[at], end))
      assert.equal(cleaned(...chunks), cleaned(text))
    }),
  )
})

test('a question that waits for its answer is shown although its line has no end', () => {
  const cleaner = new OutputCleaner()
  assert.equal(cleaner.push('one\nContinue? [y/N] '), 'one\n')
  assert.equal(cleaner.pending, 'Continue? [y/N] ')
  assert.equal(cleaner.push('y\n'), 'Continue? [y/N] y\n')
  assert.equal(cleaner.pending, '')
})

test('[T65] a line without an end does not grow in memory', () => {
  const cleaner = new OutputCleaner()
  let settled = 0
  for (let at = 0; at < 100; at++) settled += cleaner.push('x'.repeat(10_000)).length
  assert.ok(settled > 900_000)
  assert.ok(cleaner.pending.length < 100_000)
})

test('of a long output the model is shown the first 4,000 and the last 12,000 characters', () => {
  assert.deepEqual(excerptOf(16_000), [[0, 16_000]])
  assert.deepEqual(excerptOf(100_000), [
    [0, 4_000],
    [88_000, 100_000],
  ])
  assert.equal(
    leftOutText(91_230, 4_000, 7),
    '… 91,230 characters left out; check_command with id 7 and from 4000 pages them …',
  )
})
