// What is attached has no API key in it and nothing that nobody sees, of whatever source it is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SafeSources, safePart } from '../../../src/core/context/safeSources.ts'
import { KeyText } from '../../../src/core/log/keyText.ts'
import { madeOf } from '../../support/credential.ts'
import { memorySources } from '../../support/memorySources.ts'

const { signal } = new AbortController()
const current = 'the-key-in-use-0123456789'
const keys = new KeyText(() => madeOf(current))

test('[T12] keys by their shape and the key in use are left out, and that is reported', async () => {
  const files = memorySources()
  const sources = new SafeSources(files, keys)
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

/** One text of each class: controls, marks of direction, no width, line separators, fillers, smuggled ASCII and bytes. */
const classes = ['\u0007', '\u202e', '\u200b', '\u2028', '\u3164', '\u{e0041}\u{e0042}', '\ufe01\ufe02\ufe03']

test('[T37] every class of characters that nobody sees is sent as a mark or not at all, and reported with file and count', async () => {
  const files = memorySources()
  const sources = new SafeSources(files, keys)
  files.texts.set('file:///w/a.ts', `a${classes.join('b')}c`)
  const resolved = await sources.resolve({ source: 'file', uri: 'file:///w/a.ts' }, { isConfirmed: false }, signal)
  assert.ok(resolved.is === 'ready')
  const text = 'a\\x07b\\u202eb\\u200bb\\u2028b\\u3164bbc'
  assert.deepEqual(
    resolved.parts.map(part => [part.text, part.sizeChars]),
    [[text, text.length]],
  )
  assert.deepEqual(resolved.unseen, [{ name: 'a.ts', count: 10 }])
})

test('[T37] what the page has read, or a prompt file holds, is marked like it', () => {
  const part = {
    kind: 'attachment',
    id: 'x',
    source: 'file',
    name: 'notes.txt',
    sizeChars: 4,
    text: 'a\u202e\u{e0041}',
  } as const
  const { part: safe, differences } = safePart(part, keys)
  assert.deepEqual([safe.text, safe.sizeChars], ['a\\u202e', 7])
  assert.deepEqual(differences, { unseen: [{ name: 'notes.txt', count: 2 }] })
  assert.deepEqual(safePart(safe, keys), { part: safe, differences: {} })
  const emoji = { ...part, text: '👨\u200d👩\u200d👧 می\u200cخواهم\tx\n' }
  assert.equal(safePart(emoji, keys).part, emoji)
})

test('suggestions, descriptions, offers and refusals are those of the sources', async () => {
  const files = memorySources()
  const sources = new SafeSources(files, keys)
  const reference = { source: 'file', uri: 'file:///w/a.ts' } as const
  files.offer({ activeFile: reference })
  assert.deepEqual(sources.offers, { activeFile: reference })
  assert.equal(sources.describe(reference).label, 'a.ts')
  assert.equal((await sources.resolve(reference, { isConfirmed: false }, signal)).is, 'unavailable')
})
