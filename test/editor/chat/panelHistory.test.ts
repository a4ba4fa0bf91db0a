// What the history screen and the head of a page receive, and what the user's actions there do to the conversations.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Emitter } from '../../../src/base/event.ts'
import { Sessions } from '../../../src/core/agent/sessions.ts'
import type { ConversationList, ConversationSummary } from '../../../src/core/conversation/conversationList.ts'
import { KeyText } from '../../../src/core/log/keyText.ts'
import type { PanelHistoryOptions } from '../../../src/editor/chat/panelHistory.ts'
import type { HistoryFromPage, HistoryToPage } from '../../../src/protocol/historyPanel.ts'
import { FakeClock, settled } from '../../support/fakeClock.ts'
import { emptyList, fakePanelHistory } from '../../support/fakePanelHistory.ts'
import { fakeEditor, withFakeVscode } from '../../support/fakeVscode.ts'
import { MemoryJournal } from '../../support/memoryJournal.ts'

const { PanelHistory } = await withFakeVscode(() => import('../../../src/editor/chat/panelHistory.ts'))

const summary = (conversation: string, values: Partial<ConversationSummary> = {}): ConversationSummary => ({
  conversation,
  title: conversation,
  createdAt: 0,
  updatedAt: 1,
  isPinned: false,
  isArchived: false,
  isDeleted: false,
  turnCount: 1,
  sizeBytes: 1,
  ...values,
})

function setup(given: Partial<PanelHistoryOptions> = {}) {
  fakeEditor.reset()
  const journals = new Map<string, MemoryJournal>()
  const journal = (id: string) => {
    const known = journals.get(id) ?? new MemoryJournal(id)
    journals.set(id, known)
    return known
  }
  const gate = Promise.withResolvers<void>()
  const models = {
    async *stream() {
      yield { kind: 'text-delta', text: 'answer' } as const
      await gate.promise
      yield { kind: 'finish', why: 'done' } as const
    },
  }
  let ids = 0
  const clock = new FakeClock()
  const sessions = new Sessions({
    models,
    model: async () => 'm',
    clock,
    newId: () => `id${++ids}`,
    journal,
  })
  const sent: HistoryToPage[] = []
  const panel = { shown: sessions.front, sendHistory: (message: HistoryToPage) => void sent.push(message) }
  const options = fakePanelHistory(sessions, given)
  const history = new PanelHistory(panel, options)
  const ask = async (message: HistoryFromPage) => {
    history.onMessage(message)
    await settled()
    await settled()
  }
  const last = <Is extends HistoryToPage['is']>(is: Is) =>
    sent.findLast((message): message is Extract<HistoryToPage, { is: Is }> => message.is === is)
  return { sessions, journal, clock, sent, ask, last, history, asked: options.asked, finish: gate.resolve }
}

test('the list has the first rows at once, the time of every row, and in a list of all the names of their workspaces', async () => {
  const all = Array.from({ length: 250 }, (_, at) =>
    summary(`c${at}`, {
      updatedAt: 1_000 - at,
      isPinned: at < 3,
      workspace: at % 2 === 0 ? 'file:///project' : 'file:///home/ada/my%20parcels/',
    }),
  )
  const filters: unknown[] = []
  const list: ConversationList = {
    ...emptyList,
    laterCount: 2,
    list: async filter => {
      filters.push(filter)
      return all
    },
  }
  const { ask, last } = setup({ list: async () => list })
  await ask({ is: 'list', query: 7, text: ' ', scope: 'workspace' })
  const answer = last('list')
  assert.deepEqual(
    [answer?.query, answer?.pinnedCount, answer?.times.length, answer?.rows.length, answer?.laterCount],
    [7, 3, 250, 100, 2],
  )
  const names = () =>
    last('list')
      ?.rows.slice(0, 2)
      .map(({ workspace }) => workspace)
  assert.deepEqual(names(), [undefined, undefined])
  await ask({ is: 'rows', query: 7, from: 240, count: 100 })
  assert.deepEqual(
    last('rows')?.rows.map(row => row.conversation),
    Array.from({ length: 10 }, (_, at) => `c${240 + at}`),
  )
  await ask({ is: 'rows', query: 6, from: 0, count: 100 })
  assert.equal(last('rows')?.from, 240, 'rows of an earlier list are not sent')
  await ask({ is: 'list', query: 8, text: '', scope: 'archived' })
  await ask({ is: 'list', query: 9, text: '', scope: 'all' })
  assert.deepEqual(names(), ['project', 'my parcels'])
  await ask({ is: 'list', query: 10, text: '', scope: 'deleted' })
  assert.deepEqual(filters, [
    { workspace: 'file:///project', isArchived: false },
    { isArchived: true },
    { isArchived: false },
    { isDeleted: true },
  ])
})

test('a new search ends the one before, whose result is not sent', async () => {
  const signals: AbortSignal[] = []
  const first = Promise.withResolvers<[]>()
  const list: ConversationList = {
    ...emptyList,
    search: (text, _, signal) => {
      signals.push(signal)
      if (text === 'slow') return first.promise
      return Promise.resolve([{ summary: summary('found'), turn: 't', excerpt: 'x' }])
    },
  }
  const { ask, sent } = setup({ list: async () => list })
  await ask({ is: 'list', query: 1, text: 'slow', scope: 'all' })
  await ask({ is: 'list', query: 2, text: 'fast', scope: 'all' })
  first.resolve([])
  await settled()
  assert.equal(signals[0]?.aborted, true)
  const lists = sent.filter(message => message.is === 'list')
  assert.deepEqual(
    lists.map(message => [message.query, message.rows[0]?.turn]),
    [[2, 't']],
  )
})

test('the screen is shown as soon as the page is ready, and not again', async () => {
  const { history, ask, sent } = setup()
  const shows = () => sent.filter(({ is }) => is === 'show').length
  history.onReady()
  assert.equal(shows(), 0)
  history.show()
  history.onReady()
  assert.equal(shows(), 2, 'the first may be lost')
  await ask({ is: 'list', query: 1, text: '', scope: 'all' })
  history.onReady()
  assert.equal(shows(), 2)
})

test('a change of the list is reported to the page', async () => {
  const changed = new Emitter<void>()
  const { ask, last } = setup({ list: async () => ({ ...emptyList, onDidChange: changed.event }) })
  await ask({ is: 'list', query: 1, text: '', scope: 'all' })
  assert.equal(last('changed'), undefined)
  changed.fire()
  assert.deepEqual(last('changed'), { is: 'changed' })
})

test('a conversation is renamed without its keys, pinned and archived, whether or not it is open', async () => {
  const refreshed: string[] = []
  const list = { ...emptyList, refreshOne: async (id: string) => void refreshed.push(id) }
  const { ask, sessions, finish } = setup({ list: async () => list, keys: new KeyText(() => undefined) })
  finish()
  const first = sessions.current
  await first.ask('q')
  sessions.front.openNew()
  assert.equal(sessions.all.includes(first), false)
  const conversation = first.id
  await ask({ is: 'rename', conversation, title: ' The key sk-bf-0123456789 ' })
  await ask({ is: 'flag', conversation, flag: 'pinned', value: true })
  await ask({ is: 'flag', conversation, flag: 'archived', value: true })
  const state = await sessions.use(conversation, async session => session.conversation, new AbortController().signal)
  assert.deepEqual(
    [state.title, state.isPinned, state.isArchived],
    [{ text: 'The key sk-bf-…', by: 'user' }, true, true],
  )
  assert.deepEqual(refreshed, [conversation, conversation, conversation])
})

test('a deleted conversation is left by every panel, and one that does not exist stays away', async () => {
  const { ask, sessions, asked, journal, finish } = setup()
  finish()
  const { current } = sessions
  await current.ask('q')
  await ask({ is: 'flag', conversation: current.id, flag: 'deleted', value: true })
  assert.deepEqual(asked, [['leave', current.id]])
  assert.equal(current.conversation.isDeleted, true)
  await ask({ is: 'flag', conversation: current.id, flag: 'deleted', value: false })
  assert.equal(current.conversation.isDeleted, false)
  assert.equal(asked.length, 1)
  await ask({ is: 'flag', conversation: 'gone', flag: 'deleted', value: false })
  const events: unknown[] = []
  for await (const batch of journal('gone').read(1)) events.push(...batch)
  assert.deepEqual(events, [])
})

test('a question in a deleted conversation restores it', async () => {
  const { sessions, finish } = setup()
  finish()
  const { current } = sessions
  await current.ask('q')
  await current.setFlag('deleted', true)
  await current.ask('And then?')
  assert.equal(current.conversation.isDeleted, false)
})

test('the head lists the open conversations that have a question, with what they do', async () => {
  const { sessions, last, finish } = setup()
  await settled()
  assert.deepEqual(last('head')?.sessions, [])
  const asking = sessions.current.ask('How do I\nparse JSON?')
  await settled()
  await settled()
  assert.deepEqual(last('head')?.sessions, [{ conversation: 'id1', title: 'How do I parse JSON?', state: 'answering' }])
  finish()
  await asking
  await sessions.current.rename('Parsing')
  await settled()
  assert.deepEqual(last('head')?.sessions, [{ conversation: 'id1', title: 'Parsing', state: 'idle' }])
})

test('[R43] a journal that cannot be written is noted until it can be, and a damaged one as long as it is shown', async () => {
  const { sessions, last, journal } = setup()
  await settled()
  assert.deepEqual(last('head')?.notices, [])
  const kept = journal(sessions.current.id)
  for (const [trouble, sentence] of [
    ['unknown', /cannot be saved at the moment; it goes on in memory/],
    ['no space', /cannot be saved, because the disk is full\. .* as soon as there is room/],
    ['no access', /cannot be saved, because Kourier may not write its file.* has write access there/],
  ] as const) {
    kept.setTrouble(trouble)
    await settled()
    assert.match(last('head')?.notices.join() ?? '', sentence)
  }
  kept.setTrouble(undefined)
  await settled()
  assert.deepEqual(last('head')?.notices, [])
  kept.damagedLines = 3
  kept.setTrouble(undefined)
  await settled()
  assert.match(last('head')?.notices.join() ?? '', /^3 lines of this chat's file could not be read/)
})

test('an unsent message is a row by its time; it is opened unless another window has it, and deleted with undo', async () => {
  const taken: string[] = []
  const deleted: [string, boolean][] = []
  const { ask, last, asked, sent } = setup({
    list: async () => ({ ...emptyList, list: async () => [summary('new', { updatedAt: 9 }), summary('old')] }),
    unsent: {
      find: async text => (text === 'no' ? [] : [summary('draft', { updatedAt: 5, turnCount: 0 })]),
      take: async conversation => taken.push(conversation) === 1,
      setDeleted: async (conversation, value) => void deleted.push([conversation, value]),
    },
  })
  await ask({ is: 'list', query: 1, text: '', scope: 'workspace' })
  assert.deepEqual(
    last('list')?.rows.map(({ conversation, isUnsent }) => [conversation, isUnsent]),
    [
      ['new', undefined],
      ['draft', true],
      ['old', undefined],
    ],
  )
  const open = { is: 'open', conversation: 'draft', where: 'here' } as const
  await ask(open)
  assert.deepEqual([asked, sent.at(-1)?.is], [[['open', open]], 'hide'])
  await ask(open)
  assert.equal(asked.length, 1)
  assert.equal(fakeEditor.messages.at(-1)?.text, 'Another window has this message already.')
  assert.equal(sent.at(-1)?.is, 'changed')
  for (const value of [true, false]) await ask({ is: 'flag', conversation: 'draft', flag: 'deleted', value })
  assert.deepEqual(deleted, [
    ['draft', true],
    ['draft', false],
  ])
  await ask({ is: 'list', query: 2, text: '', scope: 'archived' })
  assert.equal(
    last('list')?.rows.some(({ isUnsent }) => isUnsent),
    false,
  )
})
