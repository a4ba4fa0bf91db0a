// What the page shows of a conversation's state.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withFakeVscode } from '../../support/fakeVscode.ts'

const { panelActivity } = await withFakeVscode(() => import('../../../src/editor/chat/panelActivity.ts'))
const names = { service: 'Example' }

test('a turn of another window is shown as an answer under way, and says whose it is', () => {
  assert.deepEqual(panelActivity({ state: { is: 'following' }, unanswered: undefined }, names, 0), {
    is: 'answering',
    wait: { text: 'Another window is answering in this chat; you can send when its answer has ended' },
    isElsewhere: true,
  })
})
