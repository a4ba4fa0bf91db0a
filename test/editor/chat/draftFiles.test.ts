// Two windows on one folder: each keeps what is unsent in it, and what one has left is there for the next.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { Uri } from 'vscode'
import { KeyText } from '../../../src/core/log/keyText.ts'
import { madeOf } from '../../support/credential.ts'
import { settled } from '../../support/fakeClock.ts'
import { FakeMemento } from '../../support/fakeMemento.ts'
import { Uri as FakeUri, fakeEditor, withFakeVscode } from '../../support/fakeVscode.ts'

const { DraftFiles } = await withFakeVscode(() => import('../../../src/editor/chat/draftFiles.ts'))
const { DraftMemory } = await withFakeVscode(() => import('../../../src/editor/chat/draftMemory.ts'))

const picture = { content: 'ab'.repeat(32), name: 'a.png', mediaType: 'image/png' }
const key = 'example-key-in-use-0123456789'
const folder = FakeUri.parse('file:///storage/unsent') as unknown as Uri // as: only what is used of a URI is there
/** The windows that are open, by their process. */
const open = new Set<number>()
/** What the editor has on its disk: the state of the window that has written last. */
let stored: readonly (readonly [string, unknown])[] = []

beforeEach(() => {
  fakeEditor.reset()
  open.clear()
  stored = []
})

async function window(own: number) {
  open.add(own)
  const state: FakeMemento = new FakeMemento(stored, () => {
    stored = state.keys().map(name => [name, state.get(name)] as const)
  })
  const report = (fault: unknown) => assert.fail(String(fault))
  const files = await DraftFiles.open({ folder, processes: { own, isAlive: id => open.has(id) }, report })
  return new DraftMemory(state, new KeyText(() => madeOf(key)), files)
}

const textIn = (drafts: Awaited<ReturnType<typeof window>>, conversation = 'c') => drafts.saved(conversation)?.text

test('two windows have each its own text in one chat, and neither erases that of the other', async () => {
  const first = await window(1)
  first.save('c', { text: 'in the first', at: 1 })
  await settled()
  const second = await window(2)
  assert.equal(second.hasContent('c'), false, 'it is being written in another window')
  second.save('c', { text: 'in the second', at: 2 })
  second.save('d', { text: 'about d', at: 3 })
  assert.deepEqual([textIn(first), textIn(second)], ['in the first', 'in the second'])
  await settled()

  open.delete(1)
  const firstAgain = await window(3)
  assert.deepEqual([textIn(firstAgain), textIn(firstAgain, 'd')], ['in the first', undefined])
  assert.deepEqual([firstAgain.resumable('d'), firstAgain.resumable('of nobody')], ['c', 'of nobody'])
  assert.deepEqual([firstAgain.isElsewhere('c'), firstAgain.isElsewhere('d')], [false, true])
  firstAgain.save('c', { text: '', at: 4 })
  await settled()
  open.clear()
  const later = await window(4)
  assert.deepEqual([textIn(later), textIn(later, 'd')], ['in the second', 'about d'], 'what was not sent')
})

test('what was sent does not come back, and what is attached is kept like the text', async () => {
  const first = await window(1)
  first.save('c', { text: 'half', at: 1 })
  first.saveAttached('c', [picture])
  first.save('c', { text: 'half a thought', at: 2 })
  await settled()
  open.clear()
  const again = await window(2)
  assert.deepEqual(again.saved('c'), { text: 'half a thought', at: 2, attached: [picture] })
  assert.deepEqual([...(await window(3)).contents], [picture.content], 'also while another window has it')
  again.saveAttached('c', [])
  again.save('c', { text: '', at: 5 })
  await settled()
  open.clear()
  const last = await window(4)
  assert.deepEqual(last.saved('c'), { text: '', at: 5 })
  assert.equal(fakeEditor.files.size, 1)
})

test('a process with the number of the one before has what that one has left; a damaged file is left out', async () => {
  const first = await window(1)
  first.save('c', { text: `half ${key}`, at: 1 })
  await settled()
  const [[name = '', bytes] = []] = [...fakeEditor.files]
  assert.ok(bytes && !new TextDecoder().decode(bytes).includes(key))
  fakeEditor.files.set(name.replace('/c.', '/d.'), new TextEncoder().encode('{"conv'))
  const again = await window(1)
  assert.match(textIn(again) ?? '', /^half /)
  assert.equal(textIn(again, 'd'), undefined)
  again.save('c', { text: 'more', at: 2 })
  await settled()
  assert.equal(textIn(await window(1)), 'more')
})

test('of windows that have ended the newest fifty are kept', async () => {
  const first = await window(1)
  for (let at = 1; at <= 60; at++) first.save(`c${at}`, { text: 'x', at })
  await settled()
  open.clear()
  stored = []
  const again = await window(2)
  assert.deepEqual([textIn(again, 'c10'), textIn(again, 'c11')], [undefined, 'x'])
  assert.equal(fakeEditor.files.size, 50)
})
