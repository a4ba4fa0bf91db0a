// A panel between its page and its conversation: what the page may open, and where an unsent text goes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Uri } from 'vscode'
import { Sessions } from '../../../src/core/agent/sessions.ts'
import { KeyText } from '../../../src/core/log/keyText.ts'
import { Log } from '../../../src/core/log/log.ts'
import type { ModelClient } from '../../../src/core/model/modelClient.ts'
import { TokenCounter } from '../../../src/core/model/tokenCounter.ts'
import type { ReferenceOf } from '../../../src/protocol/contextReference.ts'
import { pathOf } from '../../../src/protocol/conversationPath.ts'
import { type FromPage, fromPage, type ToPage } from '../../../src/protocol/panel.ts'
import { FakeClock, settled } from '../../support/fakeClock.ts'
import { FakeMemento } from '../../support/fakeMemento.ts'
import { fakePanelHistory } from '../../support/fakePanelHistory.ts'
import { Uri as FakeUri, fakeEditor, withFakeVscode } from '../../support/fakeVscode.ts'
import { fakeWebviewView } from '../../support/fakeWebviewView.ts'
import { MemoryJournal } from '../../support/memoryJournal.ts'
import { memorySources } from '../../support/memorySources.ts'

const { ChatPanel } = await withFakeVscode(() => import('../../../src/editor/chat/chatPanel.ts'))
const { DraftContexts } = await withFakeVscode(() => import('../../../src/editor/chat/draftContexts.ts'))
const { DraftMemory } = await withFakeVscode(() => import('../../../src/editor/chat/draftMemory.ts'))

const neverAnswering: ModelClient['stream'] = async function* (_, signal) {
  await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
}

// biome-ignore lint/correctness/useYield: it fails before anything has come.
const failing: ModelClient['stream'] = async function* () {
  throw new Error('Not today')
}

/** `answering`: the model of the chat; `summarizing`: that of summaries. */
function setup({ answering = neverAnswering, summarizing = neverAnswering } = {}) {
  const clock = new FakeClock()
  const keys = new KeyText(() => undefined)
  let ids = 0
  const sessions = new Sessions({
    models: { stream: (request, signal) => answering(request, signal) },
    model: async () => 'm',
    tools: undefined,
    journal: id => new MemoryJournal(id),
    newId: () => `id${++ids}`,
    clock,
  })
  const drafts = new DraftMemory(new FakeMemento(), keys)
  const sent: ToPage[] = []
  const report = (fault: unknown) => assert.fail(String(fault))
  const sources = memorySources()
  const contexts = new DraftContexts({
    drafts,
    report,
    context: {
      sources,
      confirm: async () => consents.shift() ?? false,
      tokensOf: async parts => parts.length,
      problemText: (why, name) => `${name} is ${why}.`,
      omissionText: () => undefined,
      store: async () => 'a'.repeat(64),
      load: async () => undefined,
      newId: () => `chip${++ids}`,
    },
    automatic: {
      sources,
      instructionsFor: async () => instructions,
      changesSince: async () => '',
      changesName: 'Repository changes',
      tokensOf: async parts => parts.length,
      newId: () => `chip${++ids}`,
      clock,
    },
  })
  const instructions: ReferenceOf<'instructions'>[] = []
  const consents: boolean[] = []
  const page = fakeWebviewView(message => sent.push(message))
  const panel = new ChatPanel(
    page.view.webview,
    sessions.front,
    {
      extensionUri: FakeUri.parse('/extension') as unknown as Uri,
      log: new Log(),
      account: () => ({ is: 'unknown' }),
      model: () => undefined,
      onReady() {},
      names: () => ({ service: 'Example' }),
      sendOnEnter: () => true,
      limits: () => undefined,
      fork: (session, turn) => sessions.fork(session, turn),
      report,
      context: { contexts, sources, promptFiles: async () => [], showRepository: async () => {}, clock, report },
      meter: {
        model: () => 'm',
        compaction: async () => ({
          models: { stream: (request, signal) => summarizing(request, signal) },
          model: async () => 'small',
          counter: new TokenCounter(),
          limitsOf: () => ({ input: 10_000, total: 12_000 }),
          newId: () => `summary${++ids}`,
        }),
        names: () => ({ service: 'Example' }),
        drafts,
        clock,
        report,
      },
      history: fakePanelHistory(sessions, { keys }),
      clock,
      keys,
      drafts,
      links: { files: async () => [], symbols: async () => [] },
      colours: async () => ({ attach: () => ({ receive() {}, dispose() {} }) }),
      code: { run() {}, review() {}, mayRun: true },
      signIn: { cancel() {}, copyCode: async () => {}, openBrowser: async () => {}, renew() {}, dropNotice() {} },
    },
    () => {},
  )
  const send = (message: FromPage) => page.send(fromPage.parse(message))
  return { panel, sessions, drafts, sent, send, sources, consents, instructions, clock }
}

test('a link of an answer is opened only if a browser or a mail program opens it', () => {
  const { send } = setup()
  const opened: string[] = []
  fakeEditor.onOpenExternal = url => opened.push(url)
  const fine = ['https://example.com/a?b#c', 'http://example.com/', 'mailto:ada@example.com']
  const others = [
    'command:workbench.action.terminal.sendSequence?%7B%22text%22%3A%22ls%22%7D',
    'vscode://publisher.extension/run',
    'vscode-insiders://publisher.extension/run',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/html,hello',
    'ssh://example.com',
    '//example.com',
    'no address',
    '',
  ]
  for (const url of [...others, ...fine]) send({ kind: 'open', url })
  fakeEditor.reset()
  assert.deepEqual(opened, fine)
})

test('New Chat leaves the question that is being answered where it is, and takes the unsent text along', async () => {
  const { sessions, drafts, sent, send } = setup()
  const { current } = sessions
  send({ kind: 'send', conversation: current.id, text: 'Why?' })
  await settled()
  send({ kind: 'draft', conversation: current.id, text: 'And how?', at: 5 })
  send({ kind: 'new-chat', conversation: current.id })
  assert.notEqual(sessions.current.id, current.id)
  assert.equal(current.isBusy, true)
  assert.deepEqual(
    sent.findLast(({ kind }) => kind === 'kept-draft'),
    { kind: 'kept-draft', conversation: sessions.current.id, text: '', at: 0, carriesDraft: true },
  )
  assert.equal(drafts.saved(current.id)?.text, 'And how?', 'until the page says that it has it')
  current.stop()
})

test('New Chat offers a question again that has failed', async () => {
  const { sessions, drafts, sent, send } = setup({ answering: failing })
  const { id: conversation } = sessions.current
  send({ kind: 'send', conversation, text: 'Why?' })
  await settled()
  assert.equal(sessions.current.state.is, 'failed')
  send({ kind: 'new-chat', conversation })
  const { id } = sessions.current
  assert.deepEqual(
    sent.findLast(({ kind }) => kind === 'draft'),
    { kind: 'draft', conversation: id, text: 'Why?' },
  )
  assert.equal(drafts.saved(id)?.text, 'Why?')
})

test('what is sent while an answer comes is queued, and goes back into the composer when the answer is stopped', async () => {
  const { sessions, drafts, sent, send } = setup()
  const { id: conversation } = sessions.current
  send({ kind: 'send', conversation, text: 'Why?' })
  await settled()
  send({ kind: 'send', conversation, text: 'And how?' })
  await settled()
  assert.equal(sessions.current.conversation.queued.length, 1)
  send({ kind: 'stop', conversation })
  await settled()
  assert.deepEqual(
    sent.filter(({ kind }) => kind === 'draft'),
    [{ kind: 'draft', conversation, text: 'And how?' }],
  )
  assert.equal(drafts.saved(conversation)?.text, 'And how?')
})

test('a message for a conversation that the panel has left stops nothing, and no text in it is lost', async () => {
  const { sessions, drafts, sent, send } = setup()
  const { current: first } = sessions
  send({ kind: 'send', conversation: first.id, text: 'Why?' })
  await settled()
  sessions.front.openNew()
  send({ kind: 'stop', conversation: first.id })
  assert.equal(first.isBusy, true)
  send({ kind: 'draft', conversation: first.id, text: 'late', at: 7 })
  assert.equal(drafts.saved(first.id)?.text, 'late')
  send({ kind: 'send', conversation: first.id, text: 'late question' })
  await settled()
  assert.deepEqual(
    sent.findLast(({ kind }) => kind === 'draft'),
    {
      kind: 'draft',
      conversation: sessions.current.id,
      text: 'late question',
    },
  )
  first.stop()
})

const chipsIn = (sent: readonly ToPage[]) => {
  const last = sent.findLast(message => message.kind === 'draft-context')
  return last?.kind === 'draft-context' ? last : assert.fail('no chips were sent')
}

test('what is offered is attached by one click, shown with its size, and sent as it is then', async () => {
  const { sessions, sources, sent, send } = setup()
  const { id: conversation } = sessions.current
  sources.texts.set('file:///w/a.ts', 'one')
  sources.offer({ activeFile: { source: 'file', uri: 'file:///w/a.ts' } })
  assert.deepEqual(chipsIn(sent).offers, [{ offer: 'active-file', kind: 'file', label: 'a.ts', detail: '/w' }])
  assert.deepEqual(chipsIn(sent).chips, [])
  send({ kind: 'take-offer', conversation, offer: 'active-file' })
  await settled()
  const [chip] = chipsIn(sent).chips
  assert.deepEqual([chip?.label, chip?.state, chip?.tokens], ['a.ts', 'ready', 1])
  assert.deepEqual(chipsIn(sent).offers, [], 'it is not offered again')
  sources.texts.set('file:///w/a.ts', 'two')
  send({ kind: 'send', conversation, text: 'Why?' })
  await settled()
  assert.deepEqual(
    sessions.current.conversation.current?.prompt.map(part => (part.kind === 'attachment' ? part.text : part.kind)),
    ['two', 'text'],
  )
  assert.deepEqual(chipsIn(sent).chips, [])
  sessions.current.stop()
})

test('[T45] a secret file is asked about; declined, it is not attached, and agreed, it is sent without a further question', async () => {
  const { sessions, sources, consents, sent, send, panel } = setup()
  const { id: conversation } = sessions.current
  const reference = { source: 'file', uri: 'file:///w/.env' } as const
  sources.texts.set(reference.uri, 'KEY=1')
  sources.secret.add(reference.uri)
  panel.attach(reference)
  await settled()
  assert.deepEqual(chipsIn(sent).chips, [])
  consents.push(true)
  panel.attach(reference)
  await settled()
  assert.equal(chipsIn(sent).chips[0]?.state, 'ready')
  send({ kind: 'send', conversation, text: 'Why?' })
  await settled()
  assert.equal(sessions.current.conversation.current?.prompt.length, 2)
  sessions.current.stop()
})

test('what cannot be read any more is not sent without a word: the message waits in the composer, and the chip says why', async () => {
  const { sessions, sources, sent, send, panel } = setup()
  const { id: conversation } = sessions.current
  sources.texts.set('file:///w/a.ts', 'one')
  panel.attach({ source: 'file', uri: 'file:///w/a.ts' })
  await settled()
  sources.texts.clear()
  send({ kind: 'send', conversation, text: 'Why?' })
  await settled()
  assert.equal(sessions.current.isBusy, false)
  assert.equal(sent.findLast(message => message.kind === 'draft')?.text, 'Why?')
  const [chip] = chipsIn(sent).chips
  assert.deepEqual([chip?.state, chip?.problem], ['unavailable', 'a.ts is missing.'])
  send({ kind: 'remove-chip', conversation, chip: chip?.id ?? '' })
  send({ kind: 'send', conversation, text: 'Why?' })
  await settled()
  assert.equal(sessions.current.isBusy, true)
  sessions.current.stop()
})

test('attachments stay with their conversation, and come along into a new one with the unsent text', async () => {
  const { sessions, sources, sent, drafts, panel } = setup()
  const { id: first } = sessions.current
  const reference = { source: 'file', uri: 'file:///w/a.ts' } as const
  sources.texts.set(reference.uri, 'one')
  panel.attach(reference)
  await settled()
  assert.deepEqual(drafts.saved(first)?.attached, [{ reference }])
  sessions.front.openNew({ carriesDraft: false })
  assert.deepEqual(chipsIn(sent).chips, [])
  await sessions.front.open(first, new AbortController().signal)
  assert.equal(chipsIn(sent).chips[0]?.label, 'a.ts')
  sessions.front.openNew()
  assert.equal(chipsIn(sent).chips[0]?.label, 'a.ts')
  assert.deepEqual(drafts.saved(sessions.current.id)?.attached, [{ reference }])
})

test('a slash command attaches what it is about, where it is seen; one that acts sends nothing', async () => {
  const { sessions, sources, sent, send } = setup()
  const { id: conversation } = sessions.current
  sources.texts.set('file:///w/a.ts', 'one')
  sources.offer({ activeFile: { source: 'file', uri: 'file:///w/a.ts' } })
  send({ kind: 'suggest', conversation, request: 1, trigger: '/', text: 'ex' })
  await settled()
  const shown = sent.findLast(message => message.kind === 'suggestions')
  assert.deepEqual(
    shown?.items.map(({ label, insert }) => [label, insert]),
    [['/explain', '/explain ']],
  )
  send({ kind: 'take-suggestion', conversation, request: 1, item: 0 })
  await settled()
  assert.equal(chipsIn(sent).chips[0]?.label, 'a.ts')
  send({ kind: 'send', conversation, text: '/clear' })
  await settled()
  assert.notEqual(sessions.current.id, conversation)
  assert.equal(sessions.current.length, 0)
})

const answeringYes: ModelClient['stream'] = async function* () {
  yield { kind: 'text-delta', text: 'Yes.' }
  yield { kind: 'finish', why: 'done' }
}
const useIn = (sent: readonly ToPage[]) => sent.findLast(message => message.kind === 'context-use')?.use

test('what does not fit is not sent: one sentence names sizes and what to remove, and the message stays whole', async () => {
  const { sessions, sources, sent, send, panel, clock } = setup()
  const { id: conversation } = sessions.current
  for (const [name, count] of [
    ['small.ts', 10],
    ['large.ts', 20_000],
  ] as const) {
    sources.texts.set(`file:///w/${name}`, 'word '.repeat(count))
    panel.attach({ source: 'file', uri: `file:///w/${name}` })
  }
  await clock.advance(1_000)
  send({ kind: 'send', conversation, text: 'Why?' })
  await settled()
  assert.equal(sessions.current.isBusy, false)
  assert.equal(sent.findLast(message => message.kind === 'draft')?.text, 'Why?')
  assert.equal(chipsIn(sent).chips.length, 2)
  const trouble = useIn(sent)?.trouble
  assert.match(trouble?.text ?? '', /^About [\d,]+ tokens would be sent, and m reads 10,000: /)
  const [, large] = chipsIn(sent).chips
  send({ kind: 'remove-chip', conversation, chip: large?.id ?? '' })
  await clock.advance(1_000)
  assert.equal(useIn(sent)?.trouble, undefined, 'because it fits now')
  send({ kind: 'send', conversation, text: 'Why?' })
  await settled()
  assert.equal(sessions.current.isBusy, true)
  sessions.current.stop()
})

test('the meter counts what is typed and attached, after a pause, with the parts by size', async () => {
  const { sessions, sources, sent, send, panel, clock } = setup({ answering: answeringYes })
  const { id: conversation } = sessions.current
  send({ kind: 'send', conversation, text: 'word '.repeat(100) })
  await clock.advance(1_000)
  const before = useIn(sent)
  assert.deepEqual(
    before?.parts.map(({ kind }) => kind),
    ['conversation', 'system'],
  )
  send({ kind: 'draft', conversation, text: 'word '.repeat(300), at: 9e15 })
  sources.texts.set('file:///w/a.ts', 'x')
  panel.attach({ source: 'file', uri: 'file:///w/a.ts' })
  await settled()
  assert.equal(useIn(sent), before, 'not for each key')
  await clock.advance(1_000)
  const use = useIn(sent)
  assert.deepEqual(
    use?.parts.map(({ kind }) => kind),
    ['text', 'conversation', 'system', 'chip'],
  )
  assert.ok((use?.tokens ?? 0) > (before?.tokens ?? 0) + 250)
  assert.equal(use?.limit, 10_000)
})

test('/compact summarizes the conversation with the background model; a fault leaves it and says so', async () => {
  const faults = [new Error('No line')]
  const summarizing: ModelClient['stream'] = async function* () {
    const fault = faults.shift()
    if (fault) throw fault
    yield { kind: 'text-delta', text: 'It was short.' }
    yield { kind: 'finish', why: 'done' }
  }
  const { sessions, sent, send } = setup({ answering: answeringYes, summarizing })
  const { id: conversation } = sessions.current
  for (const text of ['One?', 'Two?']) {
    send({ kind: 'send', conversation, text })
    await settled()
  }
  send({ kind: 'send', conversation, text: '/compact' })
  await settled()
  assert.match(useIn(sent)?.trouble?.text ?? '', /^There is nothing to summarize yet/)
  send({ kind: 'send', conversation, text: 'Three?' })
  await settled()
  send({ kind: 'compact', conversation })
  assert.equal(useIn(sent)?.isCompacting, true)
  await settled()
  assert.equal(useIn(sent)?.isCompacting, false)
  assert.notEqual(useIn(sent)?.trouble, undefined)
  assert.equal(sessions.current.conversation.summaries.length, 0)
  send({ kind: 'compact', conversation })
  await settled()
  assert.equal(useIn(sent)?.trouble, undefined)
  const [summary] = sessions.current.conversation.summaries
  assert.equal(summary?.text, 'It was short.')
  send({ kind: 'change-summary', conversation, summary: summary?.id ?? '', text: 'It was long.' })
  await settled()
  assert.equal(sessions.current.conversation.summaries[0]?.text, 'It was long.')
})

test('a compaction that is stopped leaves the conversation as it was, without a word', async () => {
  const { sessions, sent, send } = setup({ answering: answeringYes })
  const { id: conversation } = sessions.current
  for (const text of ['One?', 'Two?', 'Three?']) {
    send({ kind: 'send', conversation, text })
    await settled()
  }
  const { n } = sessions.current.conversation
  send({ kind: 'compact', conversation })
  await settled()
  send({ kind: 'stop-compaction', conversation })
  await settled()
  assert.deepEqual([useIn(sent)?.isCompacting, useIn(sent)?.trouble], [false, undefined])
  assert.equal(sessions.current.conversation.n, n)
})

test('instruction files are chips of their own before they are sent; one that is removed is not sent in this chat', async () => {
  const { sessions, sources, sent, send, drafts, instructions, panel, clock } = setup({ answering: answeringYes })
  const { id: conversation } = sessions.current
  for (const name of ['AGENTS.md', 'CLAUDE.md']) {
    sources.texts.set(`file:///w/${name}`, name)
    instructions.push({ source: 'instructions', uri: `file:///w/${name}` })
  }
  panel.sendFacts()
  await clock.advance(1_000)
  assert.deepEqual(
    chipsIn(sent).chips.map(({ label, isAutomatic }) => [label, isAutomatic]),
    [
      ['AGENTS.md', true],
      ['CLAUDE.md', true],
    ],
  )
  send({ kind: 'remove-chip', conversation, chip: chipsIn(sent).chips[1]?.id ?? '' })
  assert.deepEqual(drafts.saved(conversation)?.declined, ['file:///w/CLAUDE.md'])
  send({ kind: 'send', conversation, text: 'Why?' })
  await clock.advance(1_000)
  const [turn] = pathOf(sessions.current.conversation)
  assert.deepEqual(
    turn?.prompt.map(part => (part.kind === 'text' ? part.text : part.name)),
    ['AGENTS.md', 'Why?'],
  )
})
