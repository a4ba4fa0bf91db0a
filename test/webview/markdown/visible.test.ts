// Hidden characters become marks; those that writing needs stay.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { splitMarks, visible } from '../../../src/webview/markdown/visible.ts'
import { englishWords as words } from '../../support/englishPage.ts'

const kept: [string, string][] = [
  ['plain text', 'Grüße, 你好, здравствуй\n\tindented'],
  ['emoji of several parts', '👨‍👩‍👧 ❤️‍🔥 👍🏽 🏳️‍🌈 1️⃣ ☎️'],
  ['the flag of Wales', '\u{1f3f4}\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}'],
  ['Persian with a non-joiner', 'می‌خواهم'],
  ['Devanagari with a joiner', 'क्‍ष'],
  ['a chosen form of a Han letter', '葛\u{e0100}'],
]
for (const [name, text] of kept) test(`${name} stays`, () => assert.equal(visible(text, words), text))

const marked: [string, string, string][] = [
  ['controls', 'a\u0000b\u001bc\u009bd\u007f', 'a⟦U+0000⟧b⟦U+001B⟧c⟦U+009B⟧d⟦U+007F⟧'],
  ['direction', 'a\u202eb\u2066c\u200fd', 'a⟦U+202E⟧b⟦U+2066⟧c⟦U+200F⟧d'],
  ['zero width', 'a\u200bb\ufeffc\u2060d\u00ade', 'a⟦U+200B⟧b⟦U+FEFF⟧c⟦U+2060⟧d⟦U+00AD⟧e'],
  ['joiners where nothing joins', 'a\u200db\u200cc', 'a⟦U+200D⟧b⟦U+200C⟧c'],
  ['line separators', 'a\u2028b\u2029c', 'a⟦U+2028⟧b⟦U+2029⟧c'],
  ['smuggled text', `a${'\u{e0041}'.repeat(40)}b`, 'a⟦40 hidden characters⟧b'],
  ['smuggled bytes after one emoji', `😀${'\u{e0100}'.repeat(9)}`, '😀⟦9 hidden characters⟧'],
  ['text behind a flag', `\u{1f3f4}${'\u{e0061}'.repeat(5)}`, '🏴⟦5 hidden characters⟧'],
]
for (const [name, text, shown] of marked) {
  test(`${name} is marked, once`, () => {
    assert.equal(visible(text, words), shown)
    assert.equal(visible(shown, words), shown)
  })
}

test('line ends become one kind, so that nothing runs back over a line', () => {
  assert.equal(visible('a\r\nb\rc\n', words), 'a\nb\nc\n')
})

test('marks can be told from text', () => {
  assert.deepEqual(splitMarks('a⟦U+202E⟧b', words), ['a', '⟦U+202E⟧', 'b'])
  assert.deepEqual(splitMarks('a⟦b⟧', words), ['a⟦b⟧'])
})
