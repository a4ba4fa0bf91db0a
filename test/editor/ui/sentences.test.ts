// Sentences and lists, put together as the language of the editor does it.
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { l10n, withFakeVscode } from '../../support/fakeVscode.ts'

const { listed } = await withFakeVscode(() => import('../../../src/editor/ui/listed.ts'))
const { sentences } = await withFakeVscode(() => import('../../../src/editor/ui/sentences.ts'))

afterEach(() => {
  l10n.bundle = undefined
})

test('sentences follow each other with a space, and without one where the language has none', () => {
  assert.equal(sentences('One.', undefined, 'Two.', 'Three.'), 'One. Two. Three.')
  assert.equal(sentences(undefined, '{next} $&'), '{next} $&')
  l10n.bundle = { '{before} {next}': '{before}{next}' }
  assert.equal(sentences('一。', '{before}', '二。'), '一。{before}二。')
})

test('a list is one of the language that the sentences are in', () => {
  const lists = () => [listed(['a', 'b', 'c'], 'unit'), listed(['a', 'b'], 'conjunction'), listed([], 'conjunction')]
  assert.deepEqual(lists(), ['a, b, c', 'a and b', ''])
  l10n.bundle = { Cancel: 'Abbrechen' }
  assert.equal(listed(['a', 'b', 'c'], 'conjunction'), 'a, b und c')
})
