// The chat view between its page and the sessions: what the page may open, and where an unanswered question goes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Uri } from 'vscode'
import { Sessions } from '../../../src/core/agent/sessions.ts'
import { KeyText } from '../../../src/core/log/keyText.ts'
import { Log } from '../../../src/core/log/log.ts'
import { type FromPage, fromPage, type ToPage } from '../../../src/protocol/panel.ts'
import { FakeClock, settled } from '../../support/fakeClock.ts'
import { FakeMemento } from '../../support/fakeMemento.ts'
import { Uri as FakeUri, fakeEditor, withFakeVscode } from '../../support/fakeVscode.ts'
import { fakeWebviewView } from '../../support/fakeWebviewView.ts'
import { MemoryJournal } from '../../support/memoryJournal.ts'

const { ChatView } = await withFakeVscode(() => import('../../../src/editor/chat/chatView.ts'))
const { DraftMemory } = await withFakeVscode(() => import('../../../src/editor/chat/draftMemory.ts'))

function setup() {
  const clock = new FakeClock()
  const log = new Log()
  const keys = new KeyText(() => undefined)
  let ids = 0
  const sessions = new Sessions({
    // Answers never.
    models: {
      async *stream(_, signal) {
        await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      },
    },
    model: async () => 'm',
    tools: undefined,
    journal: id => new MemoryJournal(id),
    newId: () => `id${++ids}`,
    clock,
  })
  const drafts = new DraftMemory(new FakeMemento(), keys)
  const view = new ChatView({
    viewId: 'chat',
    extensionUri: FakeUri.parse('/extension') as unknown as Uri,
    sessions,
    log,
    account: () => ({ is: 'unknown' }),
    model: () => undefined,
    onReady() {},
    onDidChangeVisibility() {},
    names: () => ({ service: 'Example' }),
    sendOnEnter: () => true,
    limits: () => undefined,
    clock,
    keys,
    drafts,
    signIn: { cancel() {}, copyCode: async () => {}, openBrowser: async () => {}, renew() {}, dropNotice() {} },
  })
  const sent: ToPage[] = []
  const page = fakeWebviewView(message => sent.push(message))
  view.resolve(page.view)
  const send = (message: FromPage) => page.send(fromPage.parse(message))
  return { view, sessions, drafts, sent, send }
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

test('New Chat puts a question that has no answer back into the composer, before what was written since', async () => {
  const { view, sessions, drafts, sent, send } = setup()
  const conversation = sessions.current.id
  send({ kind: 'send', conversation, text: 'Why?' })
  await settled()
  assert.equal(sessions.current.unanswered, 'Why?')
  send({ kind: 'draft', conversation, text: 'And how?', at: 5 })
  await view.showNew()
  assert.notEqual(sessions.current.id, conversation)
  const back = sent.filter(({ kind }) => kind === 'draft')
  assert.deepEqual(back, [{ kind: 'draft', conversation: sessions.current.id, text: 'Why?' }])
  assert.equal(drafts.saved?.text, 'Why?\nAnd how?')
  assert.ok(drafts.saved.at > 5)
})

test('New Chat leaves the composer as it is where nothing was asked', async () => {
  const { view, drafts, sent } = setup()
  await view.showNew()
  assert.deepEqual(
    sent.filter(({ kind }) => kind === 'draft'),
    [],
  )
  assert.equal(drafts.saved, undefined)
})
