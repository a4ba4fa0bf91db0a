// Scripted sequences of edits: where a next edit exists it is shown, and where none does nothing is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renameTenUses, runSequences } from './sequences.ts'

test('of 120 sequences at least 90 % of those with a next edit show it, and at most 2 % of the others show one', async t => {
  const { count, missed, wrong } = await runSequences()
  const named = [...missed, ...wrong].join('; ')
  t.diagnostic(`right ${60 - missed.length} of 60, wrong ${wrong.length} of 60: ${named}`)
  assert.equal(count, 120)
  assert.ok(missed.length <= 6, missed.join('\n'))
  assert.ok(wrong.length <= 1, wrong.join('\n'))
})

test('a name with ten uses is carried on from the first hint to the last place, and no model is asked', async () => {
  const { firstHintMs, changes, text, requests } = await renameTenUses()
  assert.ok(firstHintMs <= 450, `${firstHintMs} ms`)
  assert.deepEqual([changes, requests], [10, 0])
  assert.equal(text.match(/\btotal\b/g)?.length, 11)
  assert.doesNotMatch(text, /\bcount\b/)
})
