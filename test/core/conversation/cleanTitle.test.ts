// Whatever a model writes as a title becomes one short plain line.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cleanTitle } from '../../../src/core/conversation/cleanTitle.ts'

const examples: Readonly<Record<string, string>> = {
  'Parsing JSON': 'Parsing JSON',
  '"Parsing JSON"': 'Parsing JSON',
  '**Parsing JSON**': 'Parsing JSON',
  '# Parsing JSON\n\nThis title says …': 'Parsing JSON',
  '\n\n  Parsing\tJSON.\n': 'Parsing JSON',
  'Title: “Parsing JSON”': 'Parsing JSON',
  'Titel: „JSON lesen“': 'JSON lesen',
  '- `JSON.parse` and *friends*': 'JSON.parse and friends',
  '[Parsing](https://example.com) JSON': 'Parsing JSON',
  'snake_case_names in Python': 'snake_case_names in Python',
  'Was ist 2 * 3 * 4?': 'Was ist 2 * 3 * 4?',
  '「JSONの解析」': 'JSONの解析',
  '```\nParsing JSON\n```': 'Parsing JSON',
  'Parsing\u202e JSON\u0007': 'Parsing JSON',
  'Checking ghp_a8Kd03mZq71xWcR5tYpLb9NvE2hUsJ6gF4oG': 'Checking ghp_…',
  '""': '',
  '': '',
}
for (const [text, title] of Object.entries(examples))
  test(`${JSON.stringify(text)} becomes ${JSON.stringify(title)}`, () => assert.equal(cleanTitle(text), title))

test('any text becomes one line of at most 60 characters without quotation marks around it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), text => {
      const title = cleanTitle(text)
      assert.ok(title.length <= 60)
      assert.doesNotMatch(title, /[\n\r]|^["'`“„«]/)
    }),
  )
})
