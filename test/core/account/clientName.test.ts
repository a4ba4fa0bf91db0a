// The name on the service's page, and the tag that proves it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientName, newTag } from '../../../src/core/account/clientName.ts'

test('each attempt has a tag of its own that can be read aloud', () => {
  const tags = Array.from({ length: 50 }, newTag)
  assert.ok(new Set(tags).size > 40)
  for (const tag of tags) assert.match(tag, /^[abcdefhkmnprstwxyz]{4}$/)
})

test('the name is one line, short, and holds the tag', () => {
  const name = clientName('a'.repeat(300), 'abcd')
  assert.match(name, /^Kourier on .* \(abcd\)$/)
  assert.ok(name.length <= 100)
})
