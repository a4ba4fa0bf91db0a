// What is unsent is kept in files: several windows on one folder lose nothing of each other, and nothing is forgotten for being many.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { Uri } from 'vscode'
import { KeyText } from '../../../src/core/log/keyText.ts'
import { FakeClock, settled } from '../../support/fakeClock.ts'
import { FakeMemento } from '../../support/fakeMemento.ts'
import { Uri as FakeUri, fakeEditor, withFakeVscode } from '../../support/fakeVscode.ts'

const { DraftFiles } = await withFakeVscode(() => import('../../../src/editor/chat/draftFiles.ts'))
const { DraftMemory } = await withFakeVscode(() => import('../../../src/editor/chat/draftMemory.ts'))

const folder = FakeUri.parse('file:///storage/unsent') as unknown as Uri // as: only what is used of a URI is there
const picture = { content: 'ab'.repeat(32), name: 'a.png', mediaType: 'image/png' }
const clock = new FakeClock()

beforeEach(() => fakeEditor.reset())

/** `alive`: the processes of the windows that are open. */
async function openWindow({ state = new FakeMemento(), own = 1, alive = new Set<number>() } = {}) {
  const report = (fault: unknown) => assert.fail(String(fault))
  const processes = { own, isAlive: (id: number) => alive.has(id) }
  const files = await DraftFiles.open({ folder, clock, processes, report })
  const drafts = new DraftMemory(state, new KeyText(() => undefined), files)
  const save = async (conversation: string, text: string) => {
    await clock.advance(1_000)
    drafts.save(conversation, { text, at: clock.now() })
    await settled()
  }
  return { drafts, save, text: (conversation: string) => drafts.saved(conversation)?.text }
}

test('what is unsent is there again in the next window, with what is attached, and what was sent is not', async () => {
  const first = await openWindow()
  await first.save('c', 'half')
  first.drafts.saveAttached('c', [picture])
  await first.save('d', 'sent')
  await first.save('c', 'half a thought')
  await first.save('d', '')
  const next = await openWindow()
  assert.partialDeepStrictEqual(next.drafts.saved('c'), { text: 'half a thought', attached: [picture] })
  assert.equal(next.text('d'), '')
  await next.save('c', '')
  assert.equal((await openWindow()).text('c'), '')
})

test('of two windows that write in different chats, none erases what the other has', async () => {
  const [first, second] = [await openWindow(), await openWindow()]
  await first.save('c', 'in the first')
  await second.save('d', 'in the second')
  await first.save('c', 'in the first, and more')
  const next = await openWindow()
  assert.deepEqual([next.text('c'), next.text('d')], ['in the first, and more', 'in the second'])
})

test('of two windows that write in one chat, the next has both texts, once', async () => {
  const first = await openWindow()
  await first.save('c', 'in the first')
  const second = await openWindow()
  await second.save('c', 'in the first')
  await second.save('c', 'in the second')
  await first.save('c', 'in the first, and more')
  const next = await openWindow()
  assert.equal(next.text('c'), 'in the first, and more\nin the second')
  await next.save('c', 'in the first, and more\nin the second, too')
  const last = await openWindow()
  assert.equal(last.text('c'), 'in the first, and more\nin the second, too')
})

test('of many, those without content are forgotten first', async () => {
  const first = await openWindow()
  await first.save('c', 'the oldest')
  for (let at = 0; at < 60; at++) await first.save(`sent${at}`, '')
  const next = await openWindow()
  assert.deepEqual([next.text('c'), next.text('sent0'), next.text('sent59')], ['the oldest', undefined, ''])
})

test('what was kept in the state of the workspace is taken over, and leaves it once it is written', async () => {
  const state = new FakeMemento([['kourier.drafts', { c: { text: 'of long ago', at: 5 } }]])
  assert.equal((await openWindow({ state: state })).text('c'), 'of long ago')
  await settled()
  assert.equal(state.get('kourier.drafts'), undefined)
  assert.equal((await openWindow()).text('c'), 'of long ago')
})

test('a file that is damaged or was not written to its end is left out', async () => {
  await (await openWindow()).save('c', 'half')
  fakeEditor.files.set(`${folder}/d.x.json`, new TextEncoder().encode('{"conv'))
  fakeEditor.files.set(`${folder}/c.x.json.new`, new TextEncoder().encode('{'))
  const next = await openWindow()
  assert.deepEqual([next.text('c'), next.text('d')], ['half', undefined])
})

const unsentIn = ({ drafts }: Awaited<ReturnType<typeof openWindow>>) =>
  drafts.unsent.map(([id, { text }]) => [id, text])

test('what a window has left unsent is found when the window is gone, and only one window gets it', async () => {
  const alive = new Set([1])
  const first = await openWindow({ own: 1 })
  await first.save('c', 'half a thought')
  const [second, third] = [await openWindow({ own: 2, alive }), await openWindow({ own: 3, alive })]
  assert.deepEqual(unsentIn(second), [], 'the window may still send it')
  alive.clear()
  assert.deepEqual([unsentIn(second), unsentIn(third)], [[['c', 'half a thought']], [['c', 'half a thought']]])
  assert.deepEqual([await second.drafts.take('c'), await third.drafts.take('c')], [true, false])
  await settled()
  assert.deepEqual([unsentIn(second), unsentIn(third)], [[['c', 'half a thought']], []])
  assert.deepEqual(unsentIn(await openWindow({ own: 4 })), [['c', 'half a thought']])
  alive.add(2)
  assert.deepEqual(unsentIn(await openWindow({ own: 5, alive })), [], 'it belongs to the second window now')
})

test('what is unsent is deleted, which can be undone, and is not there in the next window', async () => {
  const first = await openWindow()
  await first.save('c', 'half')
  first.drafts.saveAttached('c', [picture])
  const next = await openWindow()
  await next.drafts.setDeleted('c', true)
  assert.deepEqual([next.drafts.unsent, [...next.drafts.contents]], [[], [picture.content]])
  assert.deepEqual(unsentIn(await openWindow()), [])
  await next.drafts.setDeleted('c', false)
  assert.partialDeepStrictEqual(next.drafts.saved('c'), { text: 'half', attached: [picture] })
  assert.deepEqual(unsentIn(await openWindow()), [['c', 'half']])
})
