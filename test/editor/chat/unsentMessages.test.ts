// Which unsent messages the history lists: those that no chat has, by their text or by what is attached.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Draft } from '../../../src/editor/chat/draft.ts'
import { withFakeVscode } from '../../support/fakeVscode.ts'

const { UnsentMessages } = await withFakeVscode(() => import('../../../src/editor/chat/unsentMessages.ts'))

function setup(unsent: Readonly<Record<string, Draft>>, { stored = [''], open = [''] } = {}) {
  return new UnsentMessages({
    drafts: { unsent: Object.entries(unsent), take: async () => true, setDeleted: async () => {} },
    stored: async () => stored,
    isOpen: conversation => open.includes(conversation),
    workspace: 'file:///w',
  })
}

test('those of chats that have a message or are open are left out; the newest comes first', async () => {
  const draft = (at: number): Draft => ({ text: `Text ${at}`, at })
  const given = { old: draft(1), chat: draft(2), open: draft(3), new: draft(4) }
  const found = await setup(given, { stored: ['chat'], open: ['open'] }).find('')
  assert.deepEqual(
    found.map(({ conversation, title, updatedAt, turnCount }) => [conversation, title, updatedAt, turnCount]),
    [
      ['new', 'Text 4', 4, 0],
      ['old', 'Text 1', 1, 0],
    ],
  )
})

test('one without a text has the names of what is attached; a search looks at what is shown', async () => {
  const file = { reference: { source: 'file', uri: 'file:///w/a%20b.ts' } } as const
  const picture = { content: 'ab'.repeat(32), name: 'shot.png', mediaType: 'image/png' }
  const all = setup({ files: { text: ' ', at: 1, attached: [file, picture] }, text: { text: 'Why\nnot?', at: 2 } })
  const titles = async (text: string) => (await all.find(text)).map(({ title }) => title)
  assert.deepEqual(await titles(''), ['Why not?', 'a b.ts, shot.png'])
  assert.deepEqual(await titles('SHOT'), ['a b.ts, shot.png'])
  assert.deepEqual(await titles('not why'), ['Why not?'])
})
