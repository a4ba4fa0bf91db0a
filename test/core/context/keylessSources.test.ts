// What is attached has no API key in it, of whatever source it is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KeylessSources } from '../../../src/core/context/keylessSources.ts'
import { KeyText } from '../../../src/core/log/keyText.ts'
import { madeOf } from '../../support/credential.ts'
import { memorySources } from '../../support/memorySources.ts'

const { signal } = new AbortController()
const current = 'the-key-in-use-0123456789'
const keys = new KeyText(() => madeOf(current))

test('[T12] keys by their shape and the key in use are left out, and that is reported', async () => {
  const files = memorySources()
  const sources = new KeylessSources(files, keys)
  const resolved = async (text: string) => {
    files.texts.set('file:///w/a.ts', text)
    return sources.resolve({ source: 'file', uri: 'file:///w/a.ts' }, { isConfirmed: false }, signal)
  }
  for (const key of ['sk-bf-0123456789abcdef', current]) {
    const found = await resolved(`use ${key} here`)
    assert.ok(found.is === 'ready' && found.lacksKey)
    assert.deepEqual(
      found.parts.map(({ text, sizeChars }) => [text, sizeChars]),
      [['use sk-bf-… here', 16]],
    )
  }
  const plain = await resolved('nothing here')
  assert.ok(plain.is === 'ready' && plain.lacksKey === undefined)
})

test('suggestions, descriptions, offers and refusals are those of the sources', async () => {
  const files = memorySources()
  const sources = new KeylessSources(files, keys)
  const reference = { source: 'file', uri: 'file:///w/a.ts' } as const
  files.offer({ activeFile: reference })
  assert.deepEqual(sources.offers, { activeFile: reference })
  assert.equal(sources.describe(reference).label, 'a.ts')
  assert.equal((await sources.resolve(reference, { isConfirmed: false }, signal)).is, 'unavailable')
})
