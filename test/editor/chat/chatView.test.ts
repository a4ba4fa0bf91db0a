// The chat view between its page and the sessions: what the page may open, and where an unanswered question goes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Memento, Uri, WebviewView } from 'vscode'
import { Emitter } from '../../../src/base/event.ts'
import { Sessions } from '../../../src/core/agent/sessions.ts'
import { KeyText } from '../../../src/core/log/keyText.ts'
import { Log } from '../../../src/core/log/log.ts'
import { fromPage, type ToPage } from '../../../src/protocol/panel.ts'
import { FakeClock, settled } from '../../support/fakeClock.ts'
import { Uri as FakeUri, fakeEditor, withFakeVscode } from '../../support/fakeVscode.ts'
import { MemoryJournal } from '../../support/memoryJournal.ts'

const { ChatView } = await withFakeVscode(() => import('../../../src/editor/chat/chatView.ts'))
const { DraftMemory } = await withFakeVscode(() => import('../../../src/editor/chat/draftMemory.ts'))

function setup() {
  const clock = new FakeClock()
  const log = new Log()
  const keys = new KeyText(() => undefined)
  const values = new Map<string, unknown>()
  const state = {
    get: (name: string) => values.get(name),
    update: async (name: string, value: unknown) => void values.set(name, value),
  }
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
  const drafts = new DraftMemory(state as unknown as Memento, keys) // The other members have no part in it.
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
  const page = new Emitter<unknown>()
  const sent: ToPage[] = []
  const webview = {
    options: {},
    html: '',
    cspSource: 'own',
    asWebviewUri: (uri: unknown) => uri,
    onDidReceiveMessage: page.event,
    postMessage: async (message: ToPage) => sent.push(message),
  }
  const silent = new Emitter<void>().event
  // The other members of a view have no part in it.
  view.resolve({
    webview,
    visible: true,
    onDidChangeVisibility: silent,
    onDidDispose: silent,
  } as unknown as WebviewView)
  const send = (message: Parameters<typeof fromPage.parse>[0]) => page.fire(fromPage.parse(message))
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
