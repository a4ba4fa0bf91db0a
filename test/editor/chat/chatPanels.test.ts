// The chats in the side bar and in tabs: which is in front, and what becomes of a conversation that moves or is left.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Tab } from 'vscode'
import type { ModelClient } from '../../../src/core/model/modelClient.ts'
import type { HistoryFromPage } from '../../../src/protocol/historyPanel.ts'
import { type FromPage, fromPage, type ToPage } from '../../../src/protocol/panel.ts'
import { chatPanelFixture } from '../../support/chatPanelFixture.ts'
import { settled } from '../../support/fakeClock.ts'
import { FakeMemento } from '../../support/fakeMemento.ts'
import { pageIn, pageOptions } from '../../support/fakePage.ts'
import { type FakeTab, fakeTab } from '../../support/fakeTab.ts'
import { fakeEditor, TabInputWebview, withFakeVscode } from '../../support/fakeVscode.ts'
import { fakeWebviewView } from '../../support/fakeWebviewView.ts'

const { ReadOnlyDocuments } = await withFakeVscode(() => import('../../../src/editor/ui/readOnlyDocuments.ts'))
const { ChatEditors } = await withFakeVscode(() => import('../../../src/editor/chat/chatEditors.ts'))
const { OrphanedTabs } = await withFakeVscode(() => import('../../../src/editor/chat/orphanedTabs.ts'))
const { ChatPanels } = await withFakeVscode(() => import('../../../src/editor/chat/chatPanels.ts'))

/** An answer whose chunks a test sends one by one. */
function chunks() {
  const waiting: (() => void)[] = []
  const answering: ModelClient['stream'] = async function* (_, signal) {
    for (const text of ['One ', 'two ', 'three.']) {
      await new Promise<void>((resolve, reject) => {
        waiting.push(resolve)
        signal.addEventListener('abort', () => reject(signal.reason))
      })
      yield { kind: 'text-delta', text }
    }
    yield { kind: 'finish', why: 'done' }
  }
  return { answering, next: () => waiting.shift()?.() }
}

/** `isShown`: the editor has shown the view in the side bar. */
function setup({ isShown = true, ...given }: { isShown?: boolean; answering?: ModelClient['stream'] } = {}) {
  const { options, keys, ...rest } = chatPanelFixture(given)
  const { sessions } = rest
  const { history: _, ...panel } = options
  const state = new FakeMemento()
  const tabs: FakeTab[] = []
  const newTab = () => {
    const made = fakeTab()
    for (const tab of tabs) if (tab.isOpen) tab.activate(false)
    tabs.push(made)
    return made
  }
  fakeEditor.reset()
  fakeEditor.onCreateTab = () => newTab().tab
  const sideBar = sessions.front
  const panels = new ChatPanels({
    viewId: 'chat',
    editorType: 'chatEditor',
    sessions,
    sideBar,
    state,
    onDidChangeVisibility() {},
    onFault: options.report,
    page: pageOptions,
    panel,
    documents: new ReadOnlyDocuments('kourier-message'),
    history: { ...options.history, workspace: undefined, keys, report: options.report },
  })
  const sent: ToPage[] = []
  const page = fakeWebviewView(message => sent.push(message))
  if (isShown) panels.view.resolve(page.view, pageIn(page.view.webview))
  const send = (message: FromPage) => page.send(fromPage.parse(message))
  const choose = (message: HistoryFromPage) => send({ kind: 'history', message })
  return { ...rest, panels, sideBar, sent, send, choose, tabs, newTab, state }
}

/** The tabs of an extension that was started again. */
function restarted({ sessions, sideBar, state }: Pick<ReturnType<typeof setup>, 'sessions' | 'sideBar' | 'state'>) {
  const { options } = chatPanelFixture()
  return new ChatEditors({
    viewType: 'chatEditor',
    sessions,
    state,
    page: pageOptions,
    panel: options,
    onDidShow: shown => sessions.bringToFront(shown),
    onDidHide: () => sessions.bringToFront(sideBar),
    onFault: options.report,
  })
}

/** A tab as the editor lists it. */
function orphan(label: string, viewColumn: number, type = 'chatEditor'): Tab {
  const input = new TabInputWebview(`mainThreadWebview-${type}`)
  return { label, input, group: { viewColumn } } as unknown as Tab // as: what is read of it
}

function showTab(tab: Tab): void {
  fakeEditor.tabGroups.push({ tabs: [tab], activeTab: tab, viewColumn: tab.group.viewColumn })
}

const tabOf = (tabs: readonly FakeTab[], at = 0) => tabs[at] ?? assert.fail('there is no such tab')
const focuses = (sent: readonly ToPage[]) => sent.filter(({ kind }) => kind === 'focus').length
const commandsRun = () => fakeEditor.interactions.flatMap(one => (one.kind === 'command' ? one.id : []))

test('in front is the active tab, else the side bar, whether or not that has been shown', async () => {
  const { panels, sessions, sideBar, tabs } = setup({ isShown: false })
  assert.equal(panels.front, undefined)
  assert.equal(sessions.current, sideBar.current)
  await panels.showInEditor()
  const [tab] = panels.editors.panels
  assert.equal(panels.front, tab)
  assert.equal(sessions.front, tab?.shown)
  tabOf(tabs).activate(false)
  assert.equal(panels.front, undefined)
  assert.equal(sessions.front, sideBar)
  tabOf(tabs).activate(true)
  assert.equal(sessions.front, tab?.shown)
})

test('the panel in which the user does something comes to the front, and a closed tab leaves it', async () => {
  const { panels, sessions, sideBar, send, tabs } = setup()
  await panels.showInEditor()
  assert.notEqual(sessions.front, sideBar)
  send({ kind: 'draft', conversation: sideBar.current.id, text: 'x', at: 1 })
  assert.equal(sessions.front, sideBar)
  tabOf(tabs).activate(true)
  assert.notEqual(sessions.front, sideBar)
  tabOf(tabs).tab.dispose()
  assert.equal(sessions.front, sideBar)
  assert.equal(panels.front, panels.view.panel)
})

test('a chat moves into a tab and back while its answer comes: nothing stops, and nothing is there twice', async () => {
  const { answering, next } = chunks()
  const { panels, sessions, sideBar, sent, send, tabs } = setup({ answering })
  const { current } = sideBar
  send({ kind: 'send', conversation: current.id, text: 'Count' })
  await settled()
  next()
  await settled()
  await panels.showInEditor()
  assert.equal(panels.front?.shown.current, current, 'the same session')
  assert.equal(sideBar.current.length, 0)
  next()
  await settled()
  await panels.moveToSideBar()
  assert.equal(sideBar.current, current)
  assert.equal(tabOf(tabs).isOpen, false)
  assert.deepEqual(panels.editors.panels, [])
  next()
  await settled()
  assert.equal(current.state.is, 'idle')
  const [answer] = current.conversation.current?.steps ?? []
  assert.deepEqual(
    answer?.parts.map(part => (part.kind === 'text' ? part.text : part.kind)),
    ['One two three.'],
  )
  assert.deepEqual(
    sessions.all.map(({ id }) => id),
    [current.id],
    'what was shown meanwhile and never used is closed',
  )
  assert.ok(focuses(sent) > 0, 'the composer has the keyboard')
})

test('the unsent text and what is attached go along into a tab and back, and stand nowhere else', async () => {
  const { panels, sideBar, sources, drafts, sent, send, tabs } = setup()
  const { id: conversation } = sideBar.current
  sources.texts.set('file:///w/a.ts', 'one')
  panels.attach({ source: 'file', uri: 'file:///w/a.ts' })
  send({ kind: 'draft', conversation, text: 'half a thought', at: 5 })
  await settled()
  await panels.showInEditor()
  const tab = tabOf(tabs)
  tab.send({ kind: 'ready' })
  const last = (messages: readonly ToPage[]) => ({
    draft: messages.findLast(message => message.kind === 'kept-draft')?.text,
    chips: messages.findLast(message => message.kind === 'draft-context')?.chips.map(({ label }) => label),
  })
  assert.deepEqual(last(tab.sent), { draft: 'half a thought', chips: ['a.ts'] })
  assert.deepEqual(last(sent), { draft: '', chips: [] })
  // The side bar's page has kept its last keys back, and sends them when it is given another conversation.
  send({ kind: 'draft', conversation, text: 'half a thought and more', at: 6 })
  assert.equal(drafts.saved(conversation)?.text, 'half a thought and more')
  tab.send({ kind: 'draft', conversation, text: 'a whole thought', at: 9 })
  await panels.moveToSideBar()
  assert.deepEqual(last(sent), { draft: 'a whole thought', chips: ['a.ts'] })
})

test('a conversation that is open somewhere is revealed there, and not opened a second time', async () => {
  const { answering, next } = chunks()
  const { panels, sideBar, send, choose, tabs } = setup({ answering })
  const { id: conversation } = sideBar.current
  send({ kind: 'send', conversation, text: 'Count' })
  await settled()
  await panels.showInEditor()
  const before = sideBar.current.id
  tabOf(tabs).activate(false)
  choose({ is: 'open', conversation, where: 'here' })
  await settled()
  assert.equal(tabOf(tabs).revealed, 1)
  assert.equal(sideBar.current.id, before)
  choose({ is: 'open', conversation, where: 'editor' })
  await settled()
  assert.equal(tabOf(tabs).revealed, 2)
  assert.equal(tabs.length, 1)
  const run = commandsRun().length
  tabOf(tabs).send({ kind: 'history', message: { is: 'open', conversation: before, where: 'here' } })
  await settled()
  assert.deepEqual(commandsRun().slice(run), ['chat.focus'], 'that of the side bar is shown there')
  assert.equal(panels.editors.panels[0]?.shown.current.id, conversation)
  next()
})

test('a deleted conversation is left by every panel that shows it, and its answer is stopped', async () => {
  const { answering } = chunks()
  const { panels, sessions, sideBar, send, tabs } = setup({ answering })
  const { current } = sideBar
  send({ kind: 'send', conversation: current.id, text: 'Count' })
  await settled()
  await panels.showInEditor()
  tabOf(tabs).send({
    kind: 'history',
    message: { is: 'flag', conversation: current.id, flag: 'deleted', value: true },
  })
  await settled()
  assert.notEqual(panels.editors.panels[0]?.shown.current.id, current.id)
  assert.equal(current.isBusy, false)
  assert.deepEqual(
    sessions.all.filter(session => session === current),
    [],
  )
})

test('New Chat, the find bar and the history go to the panel in front; what is composed waits for a page', async () => {
  const { panels, sideBar, sessions, drafts, sent, tabs } = setup()
  await panels.showInEditor()
  const { sent: inTab } = tabOf(tabs)
  const first = sessions.current.id
  await panels.showNew()
  assert.notEqual(sessions.current.id, first)
  assert.notEqual(sessions.current.id, sideBar.current.id)
  await panels.find()
  await panels.showHistory()
  const kinds = (messages: readonly ToPage[]) =>
    messages.flatMap(message => (message.kind === 'history' ? message.message.is : message.kind))
  assert.ok(kinds(inTab).includes('find') && kinds(inTab).includes('show'))
  assert.ok(!kinds(sent).includes('find') && !kinds(sent).includes('show'))
  tabOf(tabs).activate(false)
  panels.compose('/fix ', [])
  assert.equal(drafts.saved(sideBar.current.id)?.text, '/fix ')
  const unshown = setup({ isShown: false })
  unshown.panels.compose('/fix ', [])
  assert.equal(unshown.drafts.saved(unshown.sideBar.current.id)?.text, '/fix ')
})

for (const isShown of [true, false])
  test(`a command takes the place of an unchanged one with what it has attached, ${isShown ? 'in' : 'before'} a page`, async () => {
    const { panels, sideBar, drafts, contexts, sources, send } = setup({ isShown })
    const { id: conversation } = sideBar.current
    const fileOf = (name: string) => ({ source: 'file', uri: `file:///w/${name}.ts` }) as const
    const [own, first, second] = [fileOf('a'), fileOf('b'), fileOf('c')]
    for (const { uri } of [own, first, second]) sources.texts.set(uri, 'code')
    const attached = () => contexts.of(conversation).chips.map(({ label }) => label)
    const text = () => drafts.saved(conversation)?.text
    drafts.save(conversation, { text: 'my draft', at: 1 })
    panels.attach(own)
    panels.compose('/explain ', [own, first])
    assert.deepEqual([text(), attached()], ['/explain \nmy draft', ['a.ts', 'b.ts']])
    panels.compose('/fix ', [second])
    assert.deepEqual([text(), attached()], ['/fix \nmy draft', ['a.ts', 'c.ts']], 'what the user has attached stays')
    if (isShown) send({ kind: 'draft', conversation, text: '/fix it\nmy draft', at: 9_999_999_999_999 })
    else drafts.save(conversation, { text: '/fix it\nmy draft', at: 9_999_999_999_999 })
    panels.compose('/doc ', [first])
    assert.deepEqual([text(), attached()], ['/doc \n/fix it\nmy draft', ['a.ts', 'c.ts', 'b.ts']], 'it was changed')
    await settled()
  })

test('a tab of the window before has its conversation again, also if its page has forgotten which', async () => {
  const { panels, sessions, sideBar, state, newTab } = setup()
  await panels.showInEditor()
  await panels.editors.show(undefined, new AbortController().signal)
  const open = panels.editors.panels.map(({ shown }) => shown.current.id)
  panels.dispose()
  const again = restarted({ sessions, sideBar, state })
  const [first = '', second = ''] = open
  await again.restore(newTab().tab, { conversation: second })
  await again.restore(newTab().tab, undefined)
  assert.deepEqual(
    again.panels.map(({ shown }) => shown.current.id),
    [second, first],
  )
})

test('a tab whose page has lost the extension is replaced by one with the same chat, in its place', async () => {
  const { answering, next } = chunks()
  const { panels, sessions, sideBar, state, send, clock } = setup({ answering })
  for (const text of ['First question', 'Second question']) {
    send({ kind: 'send', conversation: sideBar.current.id, text })
    await settled()
    for (let at = 0; at < 3; at++) {
      next()
      await settled()
    }
    await panels.showInEditor()
  }
  const [first, second] = panels.editors.panels.map(({ shown }) => shown.current.id)
  const pages = panels.editors.panels.map(({ page }) => page)
  panels.dispose()

  const again = restarted({ sessions, sideBar, state })
  assert.equal(again.isRestarted, true)
  const made: FakeTab[] = []
  fakeEditor.onCreateTab = column => {
    made.push(fakeTab(column))
    return tabOf(made, made.length - 1).tab
  }
  const restored = fakeTab(1)
  await again.restore(restored.tab, { conversation: first })
  const lost = orphan('Second question', 2)
  showTab(orphan('First question', 1))
  showTab(lost)
  showTab(orphan('of another extension', 3, 'other'))
  const orphans = new OrphanedTabs({
    viewType: 'chatEditor',
    hasFilled: column => again.hasFilled(column),
    replace: tab => again.replace(tab),
    clock,
  })
  await clock.advance(2_000)
  assert.equal(made.length, 0, 'the editor may still give it back')
  await clock.advance(1_000)
  await settled()
  assert.deepEqual(
    again.panels.map(({ shown }) => shown.current.id),
    [first, second],
  )
  assert.deepEqual(
    made.map(({ tab }) => tab.viewColumn),
    [2],
  )
  const isThere = () => fakeEditor.tabGroups.some(({ activeTab }) => activeTab === lost)
  assert.equal(isThere(), true, 'until what is unsent in it has come over')
  const [, idBefore] = /data-formers="([\w-]+)"/.exec(made[0]?.tab.webview.html ?? '') ?? []
  assert.equal(idBefore, pages.at(1))
  made[0]?.send({ kind: 'ready' })
  await settled()
  assert.equal(isThere(), false)
  showTab(orphan('Third', 4))
  fakeEditor.tabsChanged.fire({ opened: [], closed: [], changed: [] })
  await clock.advance(3_000)
  await settled()
  assert.equal(made.length, 2, 'one that was hidden is found when it is shown')
  orphans.dispose()
})

test('after its end it sends nothing, and leaves the tabs to the editor', async () => {
  const { answering, next } = chunks()
  const { panels, sideBar, sent, send, tabs } = setup({ answering })
  send({ kind: 'send', conversation: sideBar.current.id, text: 'Count' })
  await settled()
  await panels.showInEditor()
  panels.dispose()
  const counts = [sent.length, tabOf(tabs).sent.length]
  next()
  await settled()
  send({ kind: 'ready' })
  assert.deepEqual([sent.length, tabOf(tabs).sent.length], counts)
  assert.equal(tabOf(tabs).isOpen, true)
})
