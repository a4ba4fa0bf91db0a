// A panel between its page and its conversation: what the page may open, and where an unsent text goes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ModelClient } from '../../../src/core/model/modelClient.ts'
import type { PageBefore } from '../../../src/editor/chat/chatPanel.ts'
import { pathOf } from '../../../src/protocol/conversationPath.ts'
import { type FromPage, fromPage, type ToPage } from '../../../src/protocol/panel.ts'
import { chatPanelFixture } from '../../support/chatPanelFixture.ts'
import { settled } from '../../support/fakeClock.ts'
import { fakeEditor, withFakeVscode } from '../../support/fakeVscode.ts'
import { fakeWebviewView } from '../../support/fakeWebviewView.ts'

const { ChatPanel } = await withFakeVscode(() => import('../../../src/editor/chat/chatPanel.ts'))

// biome-ignore lint/correctness/useYield: it fails before anything has come.
const failing: ModelClient['stream'] = async function* () {
  throw new Error('Not today')
}

function setup(given: Parameters<typeof chatPanelFixture>[0] = {}, before: PageBefore = {}) {
  const { options, ...rest } = chatPanelFixture(given)
  const sent: ToPage[] = []
  const page = fakeWebviewView(message => sent.push(message))
  const panel = new ChatPanel(page.view.webview, rest.sessions.front, options, () => {}, before)
  const send = (message: FromPage) => page.send(fromPage.parse(message))
  return { ...rest, panel, sent, send }
}

test('a page that is loaded receives the mode after the conversation, whose page would ignore it before', () => {
  const { sent, send } = setup()
  sent.length = 0
  send({ kind: 'ready' })
  const kinds = sent.map(({ kind }) => kind)
  assert.ok(kinds.includes('replay'))
  assert.ok(kinds.lastIndexOf('agent') > kinds.lastIndexOf('replay'), kinds.join())
})

test('the page may read the folder of its own files, and nothing else of the extension', () => {
  const { options, sessions } = chatPanelFixture()
  const { webview } = fakeWebviewView(() => {}).view
  new ChatPanel(webview, sessions.front, options, () => {})
  const { localResourceRoots = [], ...others } = webview.options
  assert.deepEqual(localResourceRoots.map(String), ['/extension/dist/page'])
  assert.deepEqual(others, { enableScripts: true, enableCommandUris: false, enableForms: false })
  for (const [, address = ''] of webview.html.matchAll(/(?:src|href)="([^"]*)"/g))
    assert.match(address, /\/dist\/page\//)
})

test('a link of an answer is opened only if a browser or a mail program opens it', async () => {
  const { send } = setup()
  const opened: string[] = []
  fakeEditor.onOpenExternal = url => opened.push(url)
  fakeEditor.pressed = 'Open'
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
  await settled()
  const asked = fakeEditor.messages.map(({ text }) => text)
  fakeEditor.reset()
  assert.deepEqual(opened, fine)
  assert.deepEqual(asked, ['Open mailto:ada@example.com?'], 'the editor asks about the others itself')
})

test('a mail link asks each time, and shows the whole target with what cannot be seen in it', async () => {
  const { send } = setup()
  const opened: string[] = []
  fakeEditor.onOpenExternal = url => opened.push(url)
  const long = 'x'.repeat(400)
  const open = async (pressed: string) => {
    fakeEditor.pressed = pressed
    send({ kind: 'open', url: `mailto:ada@example.com\u202e?subject=a\u0007b\u200b%0Acc&[body]=${long}` })
    await settled()
  }
  const shown = `mailto:ada@example.com%E2%80%AE?subject=a%07b%E2%80%8B%0Acc&[body]=${long}`
  await open('Cancel')
  assert.deepEqual(opened, [])
  await open('Open')
  await open('Cancel')
  const questions = fakeEditor.messages.map(({ text }) => text)
  fakeEditor.reset()
  assert.deepEqual(questions, Array(3).fill(`Open ${shown}?`))
  assert.equal(opened.length, 1)
})

test('a link to this machine is opened once the user has agreed, and the next of the same host at once', async () => {
  const { send } = setup()
  const opened: string[] = []
  fakeEditor.onOpenExternal = url => opened.push(url)
  fakeEditor.pressed = 'Cancel'
  const open = async (url: string) => {
    send({ kind: 'open', url })
    await settled()
  }
  await open('http://localhost:9/steal?x=1')
  assert.deepEqual(opened, [])
  assert.equal(fakeEditor.messages.at(-1)?.text, 'Open http://localhost:9/steal?x=1?')
  fakeEditor.pressed = 'Open'
  await open('http://localhost:9/a')
  await open('http://localhost:9/b')
  assert.deepEqual(opened, ['http://localhost:9/a', 'http://localhost:9/b'])
  assert.equal(fakeEditor.messages.length, 2)
  fakeEditor.reset()
})

test('a command that acts is no unsent text, and what is written behind it is not lost', async () => {
  const { sessions, drafts, sent, send } = setup()
  const { id: conversation } = sessions.current
  const ask = async (text: string) => {
    const { id } = sessions.current
    send({ kind: 'draft', conversation: id, text, at: 1 })
    send({ kind: 'send', conversation: id, text })
    await settled()
  }
  const restored = () => sent.findLast(({ kind }) => kind === 'draft')
  await ask('/compact keep the names')
  assert.deepEqual(restored(), { kind: 'draft', conversation, text: 'keep the names' })
  assert.equal(drafts.saved(conversation)?.text, 'keep the names')
  await ask('/clear And now?')
  const { id } = sessions.current
  assert.notEqual(id, conversation)
  assert.equal(drafts.saved(conversation)?.text, '')
  assert.deepEqual(restored(), { kind: 'draft', conversation: id, text: 'And now?' })
})

test('[T12] a key in a summary is asked about, and without consent the text waits in the composer', async () => {
  const { sessions, sent, send } = setup()
  const { id: conversation } = sessions.current
  fakeEditor.pressed = 'Cancel'
  send({ kind: 'change-summary', conversation, summary: 's', text: 'The key is sk-bf-ABCDEFGHIJKLMNOP1234' })
  await settled()
  assert.equal(fakeEditor.messages.at(-1)?.text, 'This message holds an API key.')
  assert.equal(sent.findLast(({ kind }) => kind === 'draft')?.kind, 'draft')
  fakeEditor.reset()
})

test('a secret file that the page has read is attached only with consent', async () => {
  const { sessions, contexts, consents, send } = setup()
  const { id: conversation } = sessions.current
  const names = () => contexts.of(conversation).chips.map(({ label }) => label)
  const drop = async (name: string, text: string) => {
    send({ kind: 'attach-text', conversation, name, text })
    await settled()
  }
  consents.push(false)
  await drop('.env', 'DB_PASSWORD=x')
  assert.deepEqual(names(), [])
  consents.push(true)
  await drop('.env', 'DB_PASSWORD=x')
  await drop('notes.txt', 'x')
  assert.deepEqual(names(), ['.env', 'notes.txt'])
  assert.deepEqual(consents, [])
})

test('the message that the page names is read, and whether the page has the keyboard is reported, also at its end', () => {
  const { panel, sessions, sent, send, read, focus } = setup()
  const message = { turn: 't', role: 'user' } as const
  panel.readFocused()
  assert.deepEqual(sent.at(-1), { kind: 'read-focused' })
  send({ kind: 'read', conversation: sessions.current.id, message })
  send({ kind: 'read', conversation: 'another', message })
  send({ kind: 'read', conversation: sessions.current.id })
  assert.deepEqual(read, [message, undefined])
  send({ kind: 'focused', value: true })
  panel.dispose()
  assert.deepEqual(focus, [true, false])
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

test('[A11] what is sent while an answer comes is queued, and goes back into the composer when the answer is stopped', async () => {
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

test('a queued message comes back into the composer with its chips, and one that was removed into the queue', async () => {
  const { sessions, sources, sent, send, panel, drafts } = setup()
  const { id: conversation } = sessions.current
  sources.texts.set('file:///w/a.ts', 'one')
  const queued = () => sessions.current.conversation.queued
  const partsOf = (at: number) => queued()[at]?.parts.map(part => ('text' in part ? part.text : part.kind))
  const does = async (message: FromPage) => {
    send(message)
    await settled()
  }
  await does({ kind: 'send', conversation, text: 'Why?' })
  panel.attach({ source: 'file', uri: 'file:///w/a.ts' })
  await settled()
  await does({ kind: 'send', conversation, text: 'And how?' })
  await does({ kind: 'send', conversation, text: 'And when?' })
  assert.deepEqual([partsOf(0), partsOf(1)], [['one', 'And how?'], ['And when?']])
  const removed = queued()[0]?.id ?? ''
  await does({ kind: 'withdraw', conversation, message: removed, toComposer: false })
  assert.deepEqual([queued().length, draftsIn(sent)], [1, []])
  await does({ kind: 'queue-again', conversation, messages: [removed, 'unknown'] })
  assert.deepEqual([partsOf(0), partsOf(1)], [['And when?'], ['one', 'And how?']])
  await does({ kind: 'withdraw', conversation, message: queued()[1]?.id ?? '', toComposer: true })
  assert.equal(queued().length, 1)
  assert.deepEqual(draftsIn(sent), [{ kind: 'draft', conversation, text: 'And how?' }])
  assert.deepEqual(
    [chipsIn(sent).chips.map(({ label }) => label), drafts.saved(conversation)?.text],
    [['a.ts'], 'And how?'],
  )
})

test('a removed message whose answer has ended meanwhile comes back into the composer; one that was sent does not', async () => {
  const { sessions, sent, send } = setup()
  const { id: conversation } = sessions.current
  const does = async (message: FromPage) => {
    send(message)
    await settled()
  }
  await does({ kind: 'send', conversation, text: 'Why?' })
  await does({ kind: 'send', conversation, text: 'And how?' })
  const message = sessions.current.conversation.queued[0]?.id ?? ''
  await does({ kind: 'withdraw', conversation, message, toComposer: false })
  await does({ kind: 'withdraw', conversation, message, toComposer: true })
  assert.deepEqual(draftsIn(sent), [])
  await does({ kind: 'stop', conversation })
  await does({ kind: 'queue-again', conversation, messages: [message] })
  assert.deepEqual(draftsIn(sent), [{ kind: 'draft', conversation, text: 'And how?' }])
})

test('Continue asks for the rest, and leaves what was being written and attached where it is', async () => {
  const requests: string[] = []
  const halfAnswering: ModelClient['stream'] = async function* ({ messages }) {
    requests.push(JSON.stringify(messages))
    yield { kind: 'text-delta', text: 'Half' }
    yield { kind: 'finish', why: 'length' }
  }
  const { sessions, sources, sent, send, drafts, panel } = setup({ answering: halfAnswering })
  const { id: conversation } = sessions.current
  send({ kind: 'send', conversation, text: 'Why?' })
  await settled()
  sources.texts.set('file:///w/a.ts', 'one')
  panel.attach({ source: 'file', uri: 'file:///w/a.ts' })
  send({ kind: 'draft', conversation, text: 'And how?', at: 5 })
  await settled()
  send({ kind: 'continue', conversation })
  await settled()
  assert.match(requests[1] ?? '', /Why\?.*Half.*Continue exactly where your last answer ended\./)
  assert.equal(chipsIn(sent).chips.length, 1)
  assert.equal(drafts.saved(conversation)?.text, 'And how?')
  const [, rest] = pathOf(sessions.current.conversation)
  assert.deepEqual(
    rest?.prompt.map(({ kind }) => kind),
    ['text'],
  )
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

test('[T12] an API key in what is attached is kept nowhere, and the chip says so', async () => {
  const key = 'sk-bf-0123456789abcdef'
  const { sessions, sources, instructions, drafts, sent, send, panel } = setup()
  const { id: conversation } = sessions.current
  sources.texts.set('file:///w/a.ts', `const key = '${key}'`)
  sources.texts.set('file:///w/AGENTS.md', `Use ${key}.`)
  instructions.push({ source: 'instructions', uri: 'file:///w/AGENTS.md' })
  panel.attach({ source: 'file', uri: 'file:///w/a.ts' })
  panel.attach({ source: 'terminal', text: `echo ${key}` })
  send({ kind: 'attach-text', conversation, name: 'notes.txt', text: `The key is ${key}.` })
  await settled()
  assert.deepEqual(
    chipsIn(sent).chips.map(({ label, warning }) => [label, warning]),
    [
      ['a.ts', 'Without its key.'],
      ['terminal', undefined],
      ['notes.txt', 'Without its key.'],
    ],
  )
  assert.ok(!JSON.stringify(drafts.saved(conversation)).includes(key))
  const terminal = chipsIn(sent).chips.find(({ label }) => label === 'terminal')?.id ?? ''
  send({ kind: 'remove-chip', conversation, chip: terminal }) // it is none of the sources in memory
  send({ kind: 'send', conversation, text: 'Why?' })
  await settled()
  const prompt = sessions.current.conversation.current?.prompt ?? []
  const texts = prompt.map(part => part.kind === 'attachment' && [part.text, part.sizeChars])
  assert.deepEqual(texts, [['Use sk-bf-….', 12], ["const key = 'sk-bf-…'", 21], ['The key is sk-bf-….', 19], false])
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
  send({ kind: 'suggest', conversation, request: 2, trigger: '/', text: 'cle' })
  await settled()
  const [clear] = sent.findLast(message => message.kind === 'suggestions')?.items ?? []
  assert.deepEqual([clear?.insert, clear?.acts], ['/clear', true])
  send({ kind: 'take-suggestion', conversation, request: 2, item: 0 })
  await settled()
  assert.equal(sessions.current.id, conversation, 'it is only completed')
  send({ kind: 'send', conversation, text: '/clear' })
  await settled()
  assert.notEqual(sessions.current.id, conversation)
  assert.equal(sessions.current.length, 0)
})

const lastPrompt = ({ sessions }: Pick<ReturnType<typeof setup>, 'sessions'>) =>
  pathOf(sessions.current.conversation)
    .at(-1)
    ?.prompt.map(part => ('text' in part ? part.text : part.kind))

const draftsIn = (sent: readonly ToPage[]) => sent.filter(message => message.kind === 'draft')

/** Writes and sends as the page does, with the chips that it shows. */
function composer({ sessions, sent, send, clock }: ReturnType<typeof setup>) {
  const write = async (text: string) => {
    send({ kind: 'draft', conversation: sessions.current.id, text, at: clock.now() })
    await settled()
  }
  const sendUnseen = async (text: string) => {
    send({ kind: 'send', conversation: sessions.current.id, text })
    await settled()
  }
  const sendShown = async (text: string) => {
    const chips = chipsIn(sent).chips.map(({ id }) => id)
    send({ kind: 'send', conversation: sessions.current.id, text, chips })
    await settled()
  }
  const labels = () => chipsIn(sent).chips.map(({ label }) => label)
  return { write, sendUnseen, sendShown, labels }
}

test('a slash command shows what it attaches as soon as its word is written, and that goes along', async () => {
  const panel = setup({ answering: answeringYes })
  const { sessions, sources } = panel
  const { write, sendShown, labels } = composer(panel)
  for (const name of ['a.ts', 'b.ts']) sources.texts.set(`file:///w/${name}`, name)
  sources.offer({ activeFile: { source: 'file', uri: 'file:///w/a.ts' } })
  await write('/explain')
  assert.deepEqual(labels(), [])
  await write('/explain ')
  assert.deepEqual(labels(), ['a.ts'])
  await write('/explain what does it do?')
  await sendShown('/explain what does it do?')
  assert.deepEqual(lastPrompt({ sessions }), ['a.ts', '/explain what does it do?'])
  assert.deepEqual(labels(), [])
  // The page has not seen yet that it was taken.
  await write('/explain what does it do?')
  assert.deepEqual(labels(), [])
  await write('')
  panel.send({ kind: 'take-offer', conversation: sessions.current.id, offer: 'active-file' })
  sources.offer({ activeFile: { source: 'file', uri: 'file:///w/b.ts' } })
  await write('/fix ')
  assert.deepEqual(labels(), ['a.ts'], 'something is attached already')
  await sendShown('/fix')
  assert.deepEqual(lastPrompt({ sessions }), ['a.ts', '/fix'])
})

test('what a slash command attaches goes with its word, and what the user has removed stays removed', async () => {
  const panel = setup({ answering: answeringYes })
  const { sessions, sources, sent, send } = panel
  const { write, sendShown, labels } = composer(panel)
  sources.texts.set('file:///w/a.ts', 'one')
  sources.offer({ activeFile: { source: 'file', uri: 'file:///w/a.ts' } })
  await write('/explain x')
  await write('/usr x')
  assert.deepEqual(labels(), [])
  await write('/explain x')
  const [chip] = chipsIn(sent).chips
  send({ kind: 'remove-chip', conversation: sessions.current.id, chip: chip?.id ?? '' })
  await write('/explain xy')
  assert.deepEqual(labels(), [])
  await sendShown('/explain xy')
  assert.deepEqual(lastPrompt({ sessions }), ['/explain xy'])
})

test('a message whose command attaches what was not shown waits, says so, and is sent with it the next time', async () => {
  const panel = setup({ answering: answeringYes })
  const { sessions, sources, sent } = panel
  const { sendUnseen, sendShown, labels } = composer(panel)
  sources.texts.set('file:///w/a.ts', 'one')
  sources.offer({ activeFile: { source: 'file', uri: 'file:///w/a.ts' } })
  for (const _ of [1, 2]) {
    await sendUnseen('/explain in two words')
    assert.equal(lastPrompt({ sessions }), undefined)
    assert.deepEqual(labels(), ['a.ts'])
  }
  const restored = draftsIn(sent).at(-1)
  assert.equal(restored?.text, '/explain in two words')
  assert.match(restored?.why ?? '', /^Your message was not sent yet: its command has just attached/)
  await sendShown('/explain in two words')
  assert.deepEqual(lastPrompt({ sessions }), ['one', '/explain in two words'])
  assert.deepEqual(draftsIn(sent).length, 2)
})

test('[T45] a secret file that a written command is about is asked about when it is sent, not while one types', async () => {
  const panel = setup({ answering: answeringYes })
  const { sessions, sources, consents } = panel
  const { write, sendShown, labels } = composer(panel)
  sources.texts.set('file:///w/.env', 'DB_PASSWORD=x')
  sources.secret.add('file:///w/.env')
  sources.offer({ activeFile: { source: 'file', uri: 'file:///w/.env' } })
  consents.push(false)
  await write('/explain it')
  assert.deepEqual([labels(), consents.length], [['.env'], 1])
  await sendShown('/explain it')
  assert.equal(consents.length, 0)
  assert.deepEqual(lastPrompt({ sessions }), ['/explain it'])
})

test('a prompt file that is named is shown and goes along once, also where it was selected; another name is text', async () => {
  const panel = setup({ answering: answeringYes })
  const { sessions, prompts, send } = panel
  const { write, sendUnseen, sendShown, labels } = composer(panel)
  const { id: conversation } = sessions.current
  prompts.push({ name: 'shout', description: '', body: 'Answer in capitals.', uri: 'file:///p/shout.prompt.md' })
  for (const text of ['/shout hello', '/Shout', '/usr is full', '/shout/x']) {
    const isNamed = /^\/shout\b(?!\/)/i.test(text)
    await sendUnseen(text)
    if (isNamed) {
      assert.deepEqual(labels(), ['/shout'])
      await sendShown(text)
    }
    assert.deepEqual(lastPrompt({ sessions }), isNamed ? ['Answer in capitals.', text] : [text], text)
  }
  send({ kind: 'suggest', conversation, request: 1, trigger: '/', text: 'shout' })
  await settled()
  send({ kind: 'take-suggestion', conversation, request: 1, item: 0 })
  await settled()
  assert.deepEqual(labels(), ['/shout'])
  await write('/shout again')
  await sendShown('/shout again')
  assert.deepEqual(lastPrompt({ sessions }), ['Answer in capitals.', '/shout again'])
})

test('an image that was attached as a file is sent as an image', async () => {
  const { sessions, sources, sent, send, panel } = setup({ answering: answeringYes })
  sources.texts.set('file:///w/pic.png', 'AAAA')
  panel.attach({ source: 'file', uri: 'file:///w/pic.png' })
  await settled()
  const [chip] = chipsIn(sent).chips
  assert.deepEqual([chip?.kind, chip?.label, chip?.state, chip?.tokens], ['image', 'pic.png', 'ready', 1])
  send({ kind: 'send', conversation: sessions.current.id, text: '' })
  await settled()
  assert.deepEqual(lastPrompt({ sessions }), ['image'])
})

test('an image is sent without a text; what goes along by itself is no message', async () => {
  const { sessions, sources, instructions, send, panel, clock } = setup({ answering: answeringYes })
  const { id: conversation } = sessions.current
  sources.texts.set('file:///w/AGENTS.md', 'Be kind.')
  instructions.push({ source: 'instructions', uri: 'file:///w/AGENTS.md' })
  panel.sendFacts()
  await clock.advance(1_000)
  send({ kind: 'send', conversation, text: ' ' })
  await settled()
  assert.equal(lastPrompt({ sessions }), undefined)
  const image = { name: 'shot.png', mediaType: 'image/png', base64: 'AAAA', width: 1, height: 1 } as const
  send({ kind: 'attach-image', conversation, ...image })
  send({ kind: 'send', conversation, text: '' })
  await settled()
  assert.deepEqual(lastPrompt({ sessions }), ['Be kind.', 'image'])
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
  assert.match(trouble?.text ?? '', /^This message needs about [\d,]+ tokens, but m accepts only 10,000\. /)
  const [, large] = chipsIn(sent).chips
  send({ kind: 'remove-chip', conversation, chip: large?.id ?? '' })
  await clock.advance(1_000)
  assert.equal(useIn(sent)?.trouble, undefined, 'because it fits now')
  send({ kind: 'send', conversation, text: 'Why?' })
  await settled()
  assert.equal(sessions.current.isBusy, true)
  sessions.current.stop()
})

test('a question that is asked again and does not fit is not sent either; a changed one opens again as it was written', async () => {
  const { sessions, sent, send } = setup({ answering: answeringYes })
  const { id: conversation } = sessions.current
  for (const text of ['One?', 'Two?', 'Three?']) {
    send({ kind: 'send', conversation, text })
    await settled()
  }
  const [first, , third] = pathOf(sessions.current.conversation).map(({ id }) => id)
  const long = 'word '.repeat(20_000)
  const helps = []
  for (const turn of [first ?? '', third ?? '']) {
    send({ kind: 'edit-turn', conversation, turn, text: long })
    await settled()
    assert.deepEqual(sent.at(-1), { kind: 'refused-edit', conversation, turn, text: long })
    assert.match(
      useIn(sent)?.trouble?.text ?? '',
      /^This message needs about [\d,]+ tokens, but m accepts only 10,000\. /,
    )
    helps.push(useIn(sent)?.trouble?.helps)
  }
  assert.deepEqual(helps, [['new-chat'], ['compact', 'new-chat']], 'a summary is of no use before its turns')
  send({ kind: 'edit-turn', conversation, turn: third ?? '', text: 'Four?' })
  await settled()
  assert.equal(useIn(sent)?.trouble, undefined)
  await sessions.current.ask(long)
  const { n, tip } = sessions.current.conversation
  send({ kind: 'retry-turn', conversation, turn: tip })
  await settled()
  assert.match(useIn(sent)?.trouble?.text ?? '', /^This message needs/)
  send({ kind: 'act', conversation, action: 'retry' })
  await settled()
  assert.match(useIn(sent)?.trouble?.text ?? '', /^This message needs/)
  assert.equal(sessions.current.conversation.n, n)
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

test('[A76] instruction files are chips of their own before they are sent; one that is removed is not sent in this chat', async () => {
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

test('[A76] an instruction file that came with a result is opened, and no other file that the page names', async () => {
  const { sessions, send } = setup()
  const { current } = sessions
  const details = { instructions: [{ uri: 'file:///w/a/AGENTS.md', path: 'a/AGENTS.md', sizeBytes: 3, hash: 'h' }] }
  const call = { kind: 'tool-call', id: 'c', call: 'c', name: 'read_file', inputText: '', isWritten: true } as const
  await current.record(
    { kind: 'turn-started', turn: 't', origin: { is: 'new' }, prompt: [] },
    { kind: 'step-started', turn: 't', model: 'm' },
    { kind: 'part-started', turn: 't', value: call },
    { kind: 'tool-result', turn: 't', part: 'c', result: { outcome: 'ok', content: [], details } },
  )
  fakeEditor.shownFiles.length = 0
  const open = (instructions?: string) =>
    send({ kind: 'open-part', conversation: current.id, turn: 't', part: 'c', ...(instructions && { instructions }) })
  open('file:///etc/passwd')
  open()
  open('file:///w/a/AGENTS.md')
  await settled()
  assert.deepEqual(fakeEditor.shownFiles, ['file:///w/a/AGENTS.md'])
})

test('the conversation whose text the page has kept from before a restart is opened, unless another is written in', async () => {
  const late = (send: (message: FromPage) => void, conversation: string, text: string) =>
    send({ kind: 'draft', conversation, text, at: 7 })
  const kept = setup({}, { resumes: true })
  const first = kept.sessions.current.id
  late(kept.send, 'of-before', 'half a thought')
  await settled()
  assert.equal(kept.sessions.current.id, 'of-before')
  assert.deepEqual(
    kept.sent.flatMap(message => (message.kind === 'kept-draft' ? [[message.conversation, message.text]] : [])),
    [
      [first, ''],
      ['of-before', 'half a thought'],
    ],
  )
  late(kept.send, first, 'left behind')
  await settled()
  assert.equal(kept.sessions.current.id, 'of-before', 'what the page has left is not opened again')

  const written = setup({}, { resumes: true })
  const { id } = written.sessions.current
  written.send({ kind: 'draft', conversation: id, text: 'new', at: 6 })
  late(written.send, 'of-before', 'half a thought')
  await settled()
  assert.equal(written.sessions.current.id, id)
  assert.equal(written.drafts.saved('of-before')?.text, 'half a thought')
})
