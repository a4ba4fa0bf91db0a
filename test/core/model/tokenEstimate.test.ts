// The estimate against the texts it is for, and its odd cases.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { ModelRequest } from '../../../src/core/model/modelClient.ts'
import { messageTokens, requestTokens, textTokens } from '../../../src/core/model/tokenEstimate.ts'
import { answerMessage, resultMessage, userMessage } from '../../support/messages.ts'

/** Counted once with a public tokenizer of two hundred thousand words. */
const counted: readonly [string, number][] = [
  ['The quick brown fox jumps over the lazy dog.', 10],
  ['export function textTokens(text: string): number {\n  let tokens = 0\n', 16],
  ['const isWordStart = before !== "letter" || (!isSmall && isBeforeSmall)', 19],
  ['SELECT name, count(*) FROM parcel WHERE delayed > 30 GROUP BY name;', 16],
  ['{"choices":[{"index":0,"delta":{"content":"word"}}]}', 16],
]

test('sentences and lines of code, within a third each and a tenth in all', () => {
  let estimated = 0
  let right = 0
  for (const [text, tokens] of counted) {
    const estimate = textTokens(text)
    assert.ok(Math.abs(estimate / tokens - 1) < 0.34, `${text}: ${estimate}, counted ${tokens}`)
    estimated += estimate
    right += tokens
  }
  assert.ok(Math.abs(estimated / right - 1) < 0.1, `${estimated} for ${right}`)
})

test('more text is never less, and no text costs more than a token and a half for each sign', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.string({ unit: 'binary', maxLength: 50 }), (a, b) => {
      assert.ok(textTokens(a + b) >= textTokens(a))
      assert.ok(textTokens(a) <= 1.5 * a.length)
    }),
  )
})

test('a text without spaces is not taken for one word', () => {
  assert.ok(textTokens('x'.repeat(1_000_000)) > 200_000)
  assert.ok(textTokens('漢字'.repeat(500_000)) > 500_000)
})

test('a request counts everything that is sent', () => {
  const request: ModelRequest = { model: 'm', messages: [userMessage('hi')], lane: 'chat' }
  const more = requestTokens({
    ...request,
    system: 'Be brief.',
    messages: [
      userMessage('hi', { kind: 'image', mediaType: 'image/png', base64: 'AAAA' }),
      answerMessage('', { id: 'c', name: 'look', input: { at: 'x'.repeat(400) } }),
      resultMessage('c', 'a dot'),
    ],
    tools: [{ name: 'look', description: 'Looks at it.', parameters: {} }],
  })
  assert.ok(more > 1_600 + 100 + requestTokens(request))
  assert.ok(messageTokens(userMessage('')) > 0)
})
