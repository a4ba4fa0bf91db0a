// The font of the editor's own chat, as the user has set it.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { fakeEditor, withFakeVscode } from '../../support/fakeVscode.ts'

const { chatFont, onDidChangeChatFont } = await withFakeVscode(() => import('../../../src/editor/chat/chatFont.ts'))

beforeEach(() => fakeEditor.reset())

test('is that of the user’s settings, a workspace’s first, and none where nothing usable is set', () => {
  assert.equal(chatFont(), undefined)
  fakeEditor.settings.set('chat.fontSize', 16).set('chat.fontFamily', 'Georgia')
  assert.deepEqual(chatFont(), { sizePx: 16, family: 'Georgia' })
  fakeEditor.workspaceSettings.set('chat.fontSize', 18)
  fakeEditor.settings.set('chat.fontFamily', 'default')
  assert.deepEqual(chatFont(), { sizePx: 18 })
  for (const size of [0, 5, 101, '20', null]) {
    fakeEditor.workspaceSettings.set('chat.fontSize', size)
    assert.equal(chatFont()?.sizePx, size === null ? 16 : undefined, String(size))
  }
})

test('a change is reported', () => {
  let changes = 0
  const subscription = onDidChangeChatFont(() => changes++)
  fakeEditor.settings.set('chat.fontSize', 16)
  assert.ok(changes > 0)
  subscription.dispose()
})
