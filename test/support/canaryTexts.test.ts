// A canary is found in every form in which a text may carry it, and nothing else is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CanaryTexts } from './canaryTexts.ts'

test('a canary is found in clear, encoded, reversed and split by lines, and by a part of it', () => {
  const canaries = new CanaryTexts()
  const value = canaries.add('.env')
  canaries.add('key.pem')
  const numbered = [...value].map((_, at) => (at % 12 === 0 ? `${at / 12 + 1}\t${value.slice(at, at + 12)}\n` : ''))
  for (const [form, text] of Object.entries({
    clear: value,
    'in upper case': value.toUpperCase(),
    base64: Buffer.from(`KEY=${value}\n`).toString('base64'),
    hexadecimal: Buffer.from(value).toString('hex'),
    URL: encodeURIComponent(value),
    reversed: [...value].toReversed().join(''),
    'numbered lines': numbered.join(''),
    'numbered lines in JSON': JSON.stringify({ content: numbered.join('') }),
    'lines with their numbers': numbered.join('').replaceAll('\t', ': '),
    part: `…${value.slice(7, 19)}…`,
  }))
    assert.deepEqual(
      canaries.findIn(`before ${text} after`).map(({ planted }) => planted),
      ['.env'],
      form,
    )
  assert.equal(canaries.findIn(`before ${value} after`)[0]?.chars, value.length)
  assert.deepEqual(canaries.findIn('There is nothing here but words, and 1234567890 numbers.'), [])
})
