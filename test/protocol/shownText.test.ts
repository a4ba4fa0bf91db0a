// What is searched: the text as a reader sees it, in any case.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { occurrencesIn, type SearchOptions, searchPattern, shownText } from '../../src/protocol/shownText.ts'

function count(markdown: string, text: string): number {
  const pattern = searchPattern(text)
  return pattern ? occurrencesIn(shownText(markdown), pattern) : 0
}

test('marks do not separate words, and are not found themselves', () => {
  const text = 'The *median* of **all** `values`, see [the page](https://example.com/median) and snake_case_name.'
  assert.equal(count(text, 'the median of all values, see THE PAGE and snake_case'), 1)
  assert.equal(count(text, 'median'), 1)
  for (const mark of ['*', '`', 'https', '](']) assert.equal(count(text, mark), 0, mark)
})

test('code is searched as it is', () => {
  assert.equal(count('```js\nconst a = b ** c\n```\nafter', 'b ** c'), 1)
  assert.equal(count('~~~\n*x*\n~~~', '*x*'), 1)
  assert.equal(count('```js\nx\n```', 'js'), 0)
})

test('a text goes over the end of a line, and not over the end of a block', () => {
  assert.equal(count('one\ntwo', 'one two'), 1)
  for (const text of ['one\n\ntwo', '- one\n- two', '# one\ntwo\n# one', '| one | two |', 'one\n```\ntwo\n```'])
    assert.equal(count(text.replace('# one\ntwo', '# one\n\ntwo'), 'one two'), 0, text)
})

test('the case and whole words count where the user wants it', () => {
  const pattern = (text: string, options: SearchOptions) => searchPattern(text, options) ?? /$^/g
  const matches = (text: string, options: SearchOptions) =>
    occurrencesIn('Die die DIE dies anodie', pattern(text, options))
  assert.equal(matches('die', {}), 5)
  assert.equal(matches('die', { matchCase: true }), 3)
  assert.equal(matches('die', { wholeWord: true }), 3)
  assert.equal(matches('die', { matchCase: true, wholeWord: true }), 1)
  assert.equal(occurrencesIn('f(x) g(x)y', pattern('(x)', { wholeWord: true })), 2, 'a sign is beside anything')
})

test('every sign of a search stands for itself', () => {
  const text = '^$.*+?()[]{}|/\\ a-b'
  assert.equal(count(`\`\`\`\n${text}\n\`\`\``, text), 1)
  assert.equal(searchPattern('  '), undefined)
  assert.equal(count('ÄRGER und ärger', 'Ärger'), 2)
})
