// Undoing the changes of several conversations to one file, whichever of them is above the other.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contentHash } from '../../../src/base/contentHash.ts'
import { Checkpoints } from '../../../src/core/tools/checkpoints.ts'
import { undoTogether } from '../../../src/core/tools/undoTogether.ts'
import { changeFixture } from '../../support/memoryChangeFiles.ts'

const { signal } = new AbortController()
const uri = 'file:///w/a.ts'

for (const order of ['cd', 'dc'])
  test(`[A35] changes of two conversations to the same lines are undone and redone as one, asked for as ${order}`, async () => {
    const { changes, files } = changeFixture({ 'a.ts': 'one\ntwo\n' })
    const change = async (conversation: string, text: string) => {
      const seen = await contentHash(files.get(uri) ?? '')
      await changes.apply({ conversation, turn: 't1', uri, seen, text }, signal)
      await changes.settle(uri)
    }
    await change('c', 'c1\ntwo\n')
    await change('d', 'd1\ntwo\n')
    await change('c', 'c2\nnew\n')

    const conversations = [...order]
    const outcome = await undoTogether(
      changes,
      conversations.map(conversation => ({ conversation })),
    )
    assert.deepEqual([files.get(uri), outcome.left, outcome.undone], ['one\ntwo\n', 0, [uri]])
    assert.deepEqual(changes.openConversations, [])

    let ids = 0
    const checkpoints = new Checkpoints({ changes, files, newId: () => `r${++ids}` })
    for (const { conversation, group } of outcome.groups.toReversed())
      await checkpoints.undo(conversation, group, new Set(), signal)
    assert.equal(files.get(uri), 'c2\nnew\n')
  })

test('what the user has changed since is left, and counted once', async () => {
  const { changes, files } = changeFixture({ 'a.ts': 'one\ntwo\nthree\n' })
  const change = async (conversation: string, text: string) => {
    const seen = await contentHash(files.get(uri) ?? '')
    await changes.apply({ conversation, turn: 't1', uri, seen, text }, signal)
  }
  await change('c', 'c1\ntwo\nthree\n')
  await change('d', 'c1\ntwo\nd3\n')
  files.set(uri, 'mine\ntwo\nd3\n')
  const outcome = await undoTogether(changes, [{ conversation: 'c' }, { conversation: 'd' }])
  assert.deepEqual([files.get(uri), outcome.left], ['mine\ntwo\nthree\n', 1])
})
