// What is announced of an answer that grows: whole sentences, once each, however the text is cut into chunks.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextSpeech } from '../../../src/webview/view/spokenText.ts'
import { englishWords } from '../../support/englishPage.ts'

/** All speeches of a text that comes in chunks of so many characters. */
function speeches(text: string, chunkChars: number): string[] {
  const spoken: string[] = []
  let at = 0
  for (let end = chunkChars; end < text.length; end += chunkChars) {
    const speech = nextSpeech(text.slice(0, end), at, false, englishWords)
    at = speech.to
    if (speech.text) spoken.push(speech.text)
  }
  const rest = nextSpeech(text, at, true, englishWords)
  return rest.text ? [...spoken, rest.text] : spoken
}

test('a sentence is announced when it is finished, without the marks of Markdown', () => {
  const next = (text: string, from = 0) => nextSpeech(text, from, false, englishWords)
  assert.deepEqual(next('The *medi'), { text: '', to: 0 })
  assert.deepEqual(next('The *median* is 3.5 min'), { text: '', to: 0 })
  const text = 'The *median* is 3.5 minutes. And `one` mo'
  assert.deepEqual(next(text), { text: 'The median is 3.5 minutes.', to: text.indexOf('And') })
  assert.deepEqual(next(text, text.indexOf('And')), { text: '', to: text.indexOf('And') })
  assert.equal(next('# Steps\n\n- First one\n- Sec').text, 'Steps First one')
  assert.equal(next('**One. Two**, three.\n\n---\n\n2 ** 3.\n\n').text, 'One. Two, three. 2 ** 3.')
})

test('of a code block its length and its language are announced, when it is complete', () => {
  const code = 'See this:\n\n```python\na = 1\nb = 2.\n\nc = 3\n'
  assert.equal(nextSpeech(code, 0, false, englishWords).text, 'See this:')
  assert.equal(
    nextSpeech(`${code}\`\`\`\nDone. `, 0, false, englishWords).text,
    'See this: Code block, 4 lines, python. Done.',
  )
  assert.equal(nextSpeech('~~~\nx\n~~~\n', 0, false, englishWords).text, 'Code block, 1 line, text.')
  assert.equal(nextSpeech('```js\nx', 0, true, englishWords).text, 'Code block, 1 line, js.')
})

test('nothing is announced twice or left out, whatever chunks the text comes in', () => {
  const text =
    'One two. Three *four*!\n\n1. Five\n2. Six\n\n```js\nlet a. = 1\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nSeven eight'
  const whole = speeches(text, text.length).join(' ')
  for (let chunkChars = 1; chunkChars < text.length; chunkChars++)
    assert.equal(speeches(text, chunkChars).join(' '), whole, `chunks of ${chunkChars}`)
  assert.equal(whole.match(/Code block, 1 line, js\./g)?.length, 1)
})

test('a long text is announced in several speeches', () => {
  const text = 'This is a sentence of it. '.repeat(200)
  const { text: first, to } = nextSpeech(text, 0, false, englishWords)
  assert.ok(first.length >= 1_000 && first.length < 1_100)
  assert.ok(first.endsWith('it.'))
  assert.equal(nextSpeech(text, to, false, englishWords).text, first)
})
