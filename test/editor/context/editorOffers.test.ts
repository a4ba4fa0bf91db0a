// The file in front is offered, and stays offered while only the chat covers it.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type * as vscode from 'vscode'
import { FakeClock } from '../../support/fakeClock.ts'
import { fakeEditor, TabInputText, TabInputWebview, Uri, withFakeVscode } from '../../support/fakeVscode.ts'

const { EditorOffers } = await withFakeVscode(() => import('../../../src/editor/context/editorOffers.ts'))
const { window } = await withFakeVscode(() => import('../../support/fakeVscode.ts'))
beforeEach(() => fakeEditor.reset())

const uri = Uri.parse('file:///work/a.ts')
const editor = { document: { uri }, selection: { isEmpty: true } } as unknown as vscode.TextEditor // as: what is read of it

/** In the one group that there is: the file, and in front of it another tab. */
function tabsAre(...inputs: readonly object[]): void {
  const tabs = inputs.map(input => ({ input })) as unknown as vscode.Tab[] // as: only the input is read
  fakeEditor.tabGroups.splice(0, Number.POSITIVE_INFINITY, { tabs, activeTab: tabs.at(-1), viewColumn: 1 })
}

async function offersAfter(show: () => void, then: (clock: FakeClock) => Promise<void>) {
  const clock = new FakeClock()
  window.activeTextEditor = editor
  const offers = new EditorOffers(clock)
  window.activeTextEditor = undefined
  show()
  fakeEditor.activeEditorChanged.fire(undefined)
  await clock.advance(1_000)
  await then(clock)
  const { current } = offers
  offers.dispose()
  return current.activeFile?.uri
}

test('behind a chat in the same group the file is still offered, until its tab is closed', async () => {
  const chatInFront = () => tabsAre(new TabInputText(uri as vscode.Uri), new TabInputWebview('chat'))
  assert.equal(await offersAfter(chatInFront, async () => {}), 'file:///work/a.ts')
  const closed = await offersAfter(chatInFront, async clock => {
    tabsAre(new TabInputWebview('chat'))
    fakeEditor.tabsChanged.fire({ opened: [], closed: [], changed: [] })
    await clock.advance(1_000)
  })
  assert.equal(closed, undefined)
})

test('behind something else it is not offered any more', async () => {
  assert.equal(
    await offersAfter(
      () => tabsAre(new TabInputText(uri as vscode.Uri), {}),
      async () => {},
    ),
    undefined,
  )
})
