// A panel between its page and its conversation: what the page may open, and where an unsent text goes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ModelClient } from '../../../src/core/model/modelClient.ts'
import type { PageBefore } from '../../../src/editor/chat/chatPanel.ts'
import type { PromptPart } from '../../../src/protocol/conversation.ts'
import { pathOf, promptText, titleText } from '../../../src/protocol/conversationPath.ts'
import type { ConversationState } from '../../../src/protocol/conversationState.ts'
import { type FromPage, fromPage, type ToPage } from '../../../src/protocol/panel.ts'
import { chatPanelFixture } from '../../support/chatPanelFixture.ts'
import { settled } from '../../support/fakeClock.ts'
import { pageIn } from '../../support/fakePage.ts'
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
  const panel = new ChatPanel(pageIn(page.view.webview), rest.sessions.front, options, () => {}, before)
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

test('what the page sends before its panel is there is not lost, and comes before what it sends later', async () => {
  const { options, sessions } = chatPanelFixture()
  const sent: ToPage[] = []
  const { view, send } = fakeWebviewView(message => sent.push(message))
  const page = pageIn(view.webview)
  send({ kind: 'ready' })
  send({ kind: 'draft', conversation: '', text: 'Why', at: 1, edits: {} })
  new ChatPanel(page, sessions.front, options, () => {})
  assert.equal(options.drafts.saved(sessions.front.current.id), undefined)
  await settled()
  send({ kind: 'draft', conversation: '', text: 'Why?', at: 2, edits: {} })
  assert.ok(
    sent.some(({ kind }) => kind === 'account'),
    'the page is answered',
  )
  assert.equal(options.drafts.saved(sessions.front.current.id)?.text, 'Why?')
})

test('a script that the page asks for is sent, and the page knows where it cannot be read', async () => {
  const { sent, send } = setup()
  send({ kind: 'script', name: 'math' })
  send({ kind: 'script', name: 'diagram' })
  await settled()
  assert.deepEqual(
    sent.filter(({ kind }) => kind === 'script'),
    [
      { kind: 'script', name: 'math', text: 'f()' },
      { kind: 'script', name: 'diagram' },
    ],
  )
})

test('a chip without a file opens the text that would be sent, and a picture is sent to the page that asks for it', async () => {
  const { panel, send, sent, texts, contexts } = setup()
  const conversation = panel.shown.current.id
  send({ kind: 'attach-text', conversation, name: 'notes.txt', text: 'line' })
  const image = { mediaType: 'image/png', base64: 'AAAA', width: 1, height: 1 } as const
  send({ kind: 'attach-image', conversation, name: 'shot.png', ...image })
  await settled()
  const [notes, shot] = contexts.of(conversation).chips.map(({ id }) => id)
  assert.ok(notes !== undefined && shot !== undefined)
  send({ kind: 'open-chip', conversation, chip: notes })
  send({ kind: 'show-picture', conversation, chip: notes })
  send({ kind: 'show-picture', conversation, chip: shot })
  await settled()
  assert.deepEqual(texts, [['notes.txt', 'line']])
  assert.deepEqual(
    sent.filter(({ kind }) => kind === 'chip-picture'),
    [{ kind: 'chip-picture', conversation, chip: shot, mediaType: 'image/png', base64: 'AAAA' }],
  )
})

test('a link that the page names is opened as it is', async () => {
  const { send } = setup()
  const opened: string[] = []
  fakeEditor.onOpenExternal = url => opened.push(url)
  send({ kind: 'open', url: 'https://example.com/a?q=AT%26T' })
  await settled()
  fakeEditor.reset()
  assert.deepEqual(opened, ['https://example.com/a?q=AT%26T'])
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

test('[T12] a key of another service is asked about, once where it may be sent, and never is in the title', async () => {
  const { sessions, send } = setup()
  const { id: conversation } = sessions.current
  const key = 'ghp_a8Kd03mZq71xWcR5tYpLb9NvE2hUsJ6gF4oG'
  const ask = async (text: string, pressed: string) => {
    fakeEditor.pressed = pressed
    send({ kind: 'send', conversation, text })
    await settled()
    return sessions.current.conversation
  }
  const questions = () => fakeEditor.messages.map(({ text }) => text)
  const written = (state: ConversationState) =>
    [...pathOf(state).map(({ prompt }) => prompt), ...state.queued.map(({ parts }) => parts)].map(promptText)

  assert.deepEqual(written(await ask(`Is ${key} valid?`, 'Cancel')), [])
  assert.deepEqual(questions(), ['This message seems to hold a key of GitHub.'])
  const asked = await ask(`Is ${key} valid?`, 'Send as It Is')
  assert.deepEqual(written(asked), [`Is ${key} valid?`])
  assert.equal(titleText(asked), 'Is ghp_… valid?')
  await ask(`And is ${key} mine?`, 'Cancel')
  assert.equal(questions().length, 2, 'it is asked about once')
  const other = 'AKIA2Z7QX4M9LP3TB6WC'
  assert.equal(written(await ask(`Is ${other}?`, 'Send Without the Key')).at(-1), 'Is AKIA…?')
  sessions.current.stop()
  fakeEditor.reset()
})

test('texts that are pasted one after the other have names of their own', async () => {
  const { sessions, contexts, send } = setup()
  const { id: conversation } = sessions.current
  for (const text of ['one', 'two']) {
    send({ kind: 'attach-text', conversation, name: 'Pasted text', text })
    await settled()
  }
  const names = contexts.of(conversation).chips.map(({ label }) => label)
  assert.deepEqual(names, ['Pasted text', 'Pasted text (2)'])
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

test('Continue says so where the answer ended within a code block, because the rest alone would be no code', async () => {
  const requests: string[] = []
  const halfAnswering: ModelClient['stream'] = async function* ({ messages }) {
    requests.push(JSON.stringify(messages))
    yield { kind: 'text-delta', text: '```ts\na()\n```\n\n- One:\n  ```ts\n  const a = [' }
    yield { kind: 'finish', why: 'length' }
  }
  const { sessions, send } = setup({ answering: halfAnswering })
  const { id: conversation } = sessions.current
  send({ kind: 'send', conversation, text: 'Why?' })
  await settled()
  send({ kind: 'continue', conversation })
  await settled()
  assert.match(requests[1] ?? '', /It ended within a code block, so begin with the line that opens the block/)
})

test('a message for a conversation that the panel has left stops nothing, and no text or review in it is lost', async () => {
  const { sessions, drafts, sent, send, reviews } = setup()
  const { current: first } = sessions
  send({ kind: 'send', conversation: first.id, text: 'Why?' })
  await settled()
  sessions.front.openNew()
  send({ kind: 'stop', conversation: first.id })
  assert.equal(first.isBusy, true)
  send({ kind: 'change', conversation: first.id, action: 'undo' })
  assert.deepEqual(reviews, [[first.id, 'undo']])
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
  const last = sent.findLast(message => message.kind === 'draft-context' && message.edited === undefined)
  return last?.kind === 'draft-context' ? last : assert.fail('no chips were sent')
}

/** The surroundings of a question are found only when the test lets them. */
function slowSetup() {
  const found: (() => void)[] = []
  const panel = setup({
    surroundings: async () => {
      await new Promise<void>(resolve => found.push(resolve))
      return []
    },
  })
  panel.sources.texts.set('file:///w/a.ts', 'one')
  panel.panel.attach({ source: 'file', uri: 'file:///w/a.ts' })
  return { ...panel, find: () => found.shift()?.() }
}

const textsOf = (parts: readonly PromptPart[] = []) => parts.map(part => ('text' in part ? part.text : part.kind))

test('of two messages that are sent at once, the first has what is attached, and the second is queued behind it', async () => {
  const { sessions, sent, send, find, contexts } = slowSetup()
  const { id: conversation } = sessions.current
  await settled()
  send({ kind: 'send', conversation, text: 'Why?', number: 1 })
  send({ kind: 'send', conversation, text: 'And how?', number: 2 })
  send({ kind: 'send', conversation, text: '', number: 3 })
  await settled()
  assert.deepEqual([chipsIn(sent).chips, sessions.current.length], [[], 0])
  assert.equal(contexts.of(conversation).kept.length, 1, 'it is kept until the conversation has it')
  find()
  await settled()
  const { current, queued } = sessions.current.conversation
  assert.deepEqual(textsOf(current?.prompt), ['one', 'Why?'])
  assert.deepEqual(
    queued.map(({ parts }) => textsOf(parts)),
    [['And how?']],
  )
  assert.equal(contexts.of(conversation).kept.length, 0)
  assert.deepEqual(draftsIn(sent), [{ kind: 'draft', conversation, text: '', number: 3 }], 'nothing was in the third')
  sessions.current.stop()
})

test('a message that is stopped before it is asked is in the composer again, with what was attached', async () => {
  const { sessions, sent, send } = slowSetup()
  const { id: conversation } = sessions.current
  await settled()
  send({ kind: 'send', conversation, text: 'Why?', number: 1 })
  await settled()
  send({ kind: 'stop', conversation })
  await settled()
  assert.deepEqual(draftsIn(sent), [{ kind: 'draft', conversation, text: 'Why?', number: 1 }])
  assert.deepEqual(
    chipsIn(sent).chips.map(({ label }) => label),
    ['a.ts'],
  )
  assert.equal(fakeEditor.messages.length, 0)
})

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

test('a file that is declined while its message is sent is removed, and the message waits for another Send', async () => {
  const { sessions, sources, sent, send, panel } = setup()
  const { id: conversation } = sessions.current
  const reference = { source: 'file', uri: 'file:///w/notes.txt' } as const
  sources.texts.set(reference.uri, 'text')
  panel.attach(reference)
  await settled()
  sources.secret.add(reference.uri)
  send({ kind: 'send', conversation, text: 'Why?' })
  await settled()
  assert.deepEqual(pathOf(sessions.current.conversation), [])
  assert.deepEqual(chipsIn(sent).chips, [])
  send({ kind: 'send', conversation, text: 'Why?' })
  await settled()
  assert.deepEqual(textsOf(pathOf(sessions.current.conversation)[0]?.prompt), ['Why?'])
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

test('what cannot be read any more is not sent without a word: the message waits in the composer, with the reason, which the chip has too', async () => {
  const { sessions, sources, sent, send, panel } = setup()
  const { id: conversation } = sessions.current
  for (const uri of ['file:///w/a.ts', 'file:///w/b.ts']) {
    sources.texts.set(uri, 'one')
    panel.attach({ source: 'file', uri })
  }
  await settled()
  sources.texts.clear()
  send({ kind: 'send', conversation, text: 'Why?' })
  await settled()
  assert.equal(sessions.current.isBusy, false)
  const draft = sent.findLast(message => message.kind === 'draft')
  const why = 'Your message was not sent. a.ts is missing. b.ts is missing. Remove these attachments, then send again.'
  assert.deepEqual([draft?.text, draft?.why], ['Why?', why])
  const { chips } = chipsIn(sent)
  assert.deepEqual(
    chips.map(({ state, problem }) => [state, problem]),
    [
      ['unavailable', 'a.ts is missing.'],
      ['unavailable', 'b.ts is missing.'],
    ],
  )
  for (const { id } of chips) send({ kind: 'remove-chip', conversation, chip: id })
  send({ kind: 'send', conversation, text: 'Why?' })
  await settled()
  assert.equal(sessions.current.isBusy, true)
  sessions.current.stop()
})

test('a picture whose file is gone is named, is not sent without a word, and stays until the user removes it', async () => {
  const { sessions, sent, send, drafts } = setup()
  const { id: first } = sessions.current
  const picture = { content: 'ab'.repeat(32), name: 'shot.png', mediaType: 'image/png' }
  const conversation = 'with-a-picture'
  drafts.saveAttached(conversation, [picture])
  await sessions.front.resume(conversation, new AbortController().signal, { hasDraft: true })
  await settled()
  const [chip] = chipsIn(sent).chips
  assert.notEqual(sessions.current.id, first)
  assert.partialDeepStrictEqual(chip, {
    label: 'shot.png',
    kind: 'image',
    state: 'unavailable',
    problem: 'shot.png is missing.',
  })
  send({ kind: 'send', conversation, text: 'What is this?' })
  await settled()
  assert.equal(sessions.current.isBusy, false)
  assert.deepEqual(drafts.saved(conversation)?.attached, [picture])
  send({ kind: 'remove-chip', conversation, chip: chip?.id ?? '' })
  assert.equal(drafts.saved(conversation)?.attached, undefined)
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
  const write = async (text: string, sentChars = 0) => {
    send({ kind: 'draft', conversation: sessions.current.id, text, at: clock.now(), sentChars })
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
  await write('/explain what does it do?', '/explain what does it do?'.length)
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
  assert.deepEqual([lastPrompt({ sessions }), labels()], [undefined, []])
})

test('a prompt file that is named is shown and goes along once, also where it was selected; another name is text', async () => {
  const panel = setup({ answering: answeringYes })
  const { sessions, prompts, send } = panel
  const { write, sendUnseen, sendShown, labels } = composer(panel)
  const { id: conversation } = sessions.current
  prompts.push({
    name: 'shout',
    description: '',
    body: 'Answer in capitals.',
    uri: 'file:///p/shout.prompt.md',
    withoutEffect: [],
  })
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
  const { sessions, sources, instructions, sent, send, panel, clock } = setup({ answering: answeringYes })
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
  send({ kind: 'attach-image', conversation, ...image })
  assert.deepEqual(
    chipsIn(sent)
      .chips.slice(-2)
      .map(({ label }) => label),
    ['shot.png', 'shot (2).png'],
  )
  send({ kind: 'send', conversation, text: '' })
  await settled()
  assert.deepEqual(lastPrompt({ sessions }), ['Be kind.', 'image', 'image'])
})

const answeringYes: ModelClient['stream'] = async function* () {
  yield { kind: 'text-delta', text: 'Yes.' }
  yield { kind: 'finish', why: 'done' }
}
const useIn = (sent: readonly ToPage[]) => sent.findLast(message => message.kind === 'context-use')?.use

test('a command for code without any says so in a new chat, and is sent where the chat or the message has some', async () => {
  const { sessions, sent, send } = setup({ answering: answeringYes })
  const { id: conversation } = sessions.current
  send({ kind: 'send', conversation, text: '/explain' })
  await settled()
  const draft = sent.findLast(message => message.kind === 'draft')
  assert.equal(draft?.text, '/explain')
  assert.match(draft?.why ?? '', /Open the file that \/explain is about, or attach it\./)
  assert.equal(lastPrompt({ sessions }), undefined)
  send({ kind: 'send', conversation, text: '/explain `1 + 1`' })
  await settled()
  send({ kind: 'send', conversation, text: '/tests' })
  await settled()
  assert.equal(pathOf(sessions.current.conversation).length, 2)
})

test('the meter counts what waits to be sent, and what went along of the workspace under its own name', async () => {
  const { sessions, sent, send, clock } = setup()
  const { id: conversation } = sessions.current
  const part = { kind: 'attachment', source: 'environment', name: 'situation', text: 'a.ts is open.' } as const
  void sessions.current.ask('Why?', [{ ...part, id: 'e', sizeChars: part.text.length }])
  await settled()
  send({ kind: 'send', conversation, text: 'And how?' })
  await clock.advance(1_000)
  const kinds = useIn(sent)?.parts.map(({ kind, label }) => [kind, label])
  assert.ok(kinds?.some(([kind]) => kind === 'queued'))
  assert.ok(kinds?.some(([kind]) => kind === 'surroundings'))
  assert.ok(!kinds?.some(([kind]) => kind === 'attached'))
  sessions.current.stop()
})

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
  const half = 'word '.repeat(7_000)
  for (const text of [half, 'Two?', 'Three?']) {
    send({ kind: 'send', conversation, text })
    await settled()
  }
  const [first, , third] = pathOf(sessions.current.conversation).map(({ id }) => id)
  const long = 'word '.repeat(20_000)
  const helps = []
  for (const [turn = '', text] of [
    [first, long],
    [third, long],
    [third, half],
  ] as const) {
    send({ kind: 'edit-turn', conversation, turn, text })
    await settled()
    const refused = sent.findLast(({ kind }) => kind === 'refused-edit')
    assert.deepEqual(refused, { kind: 'refused-edit', conversation, turn, text })
    assert.match(
      useIn(sent)?.trouble?.text ?? '',
      /^This message needs about [\d,]+ tokens, but m accepts only 10,000\. /,
    )
    helps.push(useIn(sent)?.trouble?.helps)
  }
  assert.deepEqual(helps, [[], [], ['compact', 'new-chat']], 'nothing helps a message that alone is too long')
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

test('what goes along of the workspace is a chip: opened it shows the text, removed it holds for the chat', async () => {
  const { sessions, sent, send, along, situation, texts, withoutSurroundings, drafts, panel, clock } = setup()
  const { id: conversation } = sessions.current
  const base = { kind: 'attachment', source: 'environment', id: 'e', sizeChars: 1 } as const
  along.push({ ...base, name: 'environment', text: 'System: Linux.' })
  panel.sendFacts()
  await clock.advance(1_000)
  const shown = () => chipsIn(sent).chips.map(({ id, label, detail }) => ({ id, label, detail }))
  const [{ id = '' } = {}] = shown()
  assert.deepEqual(shown(), [{ id, label: 'Workspace', detail: 'environment' }])
  assert.deepEqual(
    useIn(sent)?.parts.filter(({ kind }) => kind === 'chip'),
    [{ kind: 'chip', chip: id, label: 'Workspace', tokens: 1 }],
  )
  along.push({ ...base, name: 'situation', text: 'a.ts is open.' })
  situation.fire()
  await clock.advance(1_000)
  assert.deepEqual(shown(), [{ id, label: 'Workspace', detail: 'environment,situation' }])
  send({ kind: 'open-chip', conversation, chip: id })
  await settled()
  assert.deepEqual(texts, [['Workspace.txt', 'System: Linux.\n\na.ts is open.']])
  send({ kind: 'remove-chip', conversation, chip: id })
  await clock.advance(1_000)
  assert.deepEqual([shown(), [...withoutSurroundings]], [[], [conversation]])
  assert.deepEqual(drafts.saved(conversation)?.declined, ['surroundings'])
})

test('what changes in an attached repository has a chip and is counted soon after, and is not read at each change', async () => {
  const { sessions, sent, send, repository, fileChanges, panel, clock } = setup({ answering: answeringYes })
  const { id: conversation } = sessions.current
  const whole = { kind: 'attachment', source: 'repository', id: 'r', name: 'Whole repository', sizeChars: 1 } as const
  await sessions.current.ask('What is this?', [{ ...whole, text: '==> a.ts (1 lines)\na\n' }])
  panel.sendFacts()
  await clock.advance(1_000)
  const shown = () => chipsIn(sent).chips.map(({ label }) => label)
  const change = async (patch: string, passMs: number) => {
    repository.changes = patch
    fileChanges.fire()
    fileChanges.fire()
    await clock.advance(passMs)
  }
  assert.deepEqual(shown(), [])
  await change('-a\n+b\n', 1_000)
  assert.deepEqual(shown(), ['Repository changes'])
  assert.deepEqual(
    useIn(sent)?.parts.flatMap(part => (part.kind === 'chip' ? part.label : [])),
    ['Repository changes'],
  )
  await change('', 1_000)
  assert.deepEqual(shown(), ['Repository changes'])
  await clock.advance(10_000)
  assert.deepEqual(shown(), [])
  await change('-a\n+c\n', 11_000)
  const [{ id: chip = '' } = {}] = chipsIn(sent).chips
  send({ kind: 'remove-chip', conversation, chip })
  await change('-a\n+d\n', 11_000)
  assert.deepEqual(shown(), [])
})

test('[A76] an instruction file that is left out is named with the reason, and keeps nothing from being sent', async () => {
  const { sessions, sent, send, leftOut, panel, clock } = setup({ answering: answeringYes })
  const { id: conversation } = sessions.current
  leftOut.push({ uri: 'file:///w/AGENTS.md', path: 'AGENTS.md', why: 'too-large' })
  panel.sendFacts()
  await clock.advance(1_000)
  const [chip] = chipsIn(sent).chips
  assert.deepEqual([chip?.label, chip?.state, chip?.problem], ['AGENTS.md', 'unavailable', 'AGENTS.md is left out.'])
  send({ kind: 'send', conversation, text: 'Why?' })
  await clock.advance(1_000)
  assert.deepEqual(lastPrompt({ sessions }), ['Why?'])
  assert.deepEqual(chipsIn(sent).chips, [])
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
  const opened: string[] = []
  fakeEditor.onCommand = (id, uri) => void (id === 'vscode.open' && opened.push(`${uri}`))
  const open = (instructions?: string) =>
    send({ kind: 'open-part', conversation: current.id, turn: 't', part: 'c', ...(instructions && { instructions }) })
  open('file:///etc/passwd')
  open()
  open('file:///w/a/AGENTS.md')
  await settled()
  fakeEditor.reset()
  assert.deepEqual(opened, ['file:///w/a/AGENTS.md'])
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

test('what the page has kept opens nothing where its text was sent since, or while the chat before comes back', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { sessions, drafts, send } = setup({ whenRestored: promise, answering: answeringYes }, { resumes: true })
  const late = (conversation: string) => send({ kind: 'draft', conversation, text: 'half a thought', at: 7 })
  drafts.save('sent-since', { text: '', at: 8 })
  late('sent-since')
  late('older')
  await settled()
  await sessions.current.ask('Why?')
  const { id } = sessions.current
  resolve()
  await settled()
  assert.equal(sessions.current.id, id)
  assert.equal(drafts.saved('older')?.text, 'half a thought')

  const empty = setup({}, { resumes: true })
  const first = empty.sessions.current.id
  empty.drafts.save('sent-since', { text: '', at: 8 })
  empty.send({ kind: 'draft', conversation: 'sent-since', text: 'half a thought', at: 7 })
  await settled()
  assert.equal(empty.sessions.current.id, first)
})

/** A question that was answered, with these files attached. */
async function askedWith(given: ReturnType<typeof setup>, files: Readonly<Record<string, string>>) {
  const { sessions, sources, send, panel } = given
  const { id: conversation } = sessions.current
  for (const [name, text] of Object.entries(files)) {
    sources.texts.set(`file:///w/${name}`, text)
    panel.attach({ source: 'file', uri: `file:///w/${name}` })
  }
  await settled()
  send({ kind: 'send', conversation, text: 'Why?', chips: given.contexts.of(conversation).chips.map(({ id }) => id) })
  await settled()
  return { conversation, turn: sessions.current.conversation.tip }
}

const editedIn = (sent: readonly ToPage[], turn: string) => {
  const found = sent.findLast(message => message.kind === 'draft-context' && message.edited === turn)
  return found?.kind === 'draft-context' ? found : undefined
}

test('a question that is changed has its attachments, which can be removed and added to, and are sent as they are now', async () => {
  const given = setup({ answering: answeringYes })
  const { sessions, sources, sent, send } = given
  const { conversation, turn } = await askedWith(given, { 'a.ts': 'old', 'b.ts': 'beside' })
  sources.texts.set('file:///w/a.ts', 'new')
  sources.texts.set('file:///w/c.ts', 'added')
  send({ kind: 'begin-edit', conversation, edited: turn })
  await settled()
  const [a, b] = editedIn(sent, turn)?.chips ?? []
  assert.deepEqual([a?.label, a?.state, b?.label], ['a.ts', 'ready', 'b.ts'])
  assert.deepEqual(chipsIn(sent).chips, [], 'the composer has none of them')
  send({ kind: 'remove-chip', conversation, chip: b?.id ?? '' })
  send({ kind: 'attach-uris', conversation, edited: turn, uris: ['file:///w/c.ts'] })
  await settled()
  const chips = editedIn(sent, turn)?.chips.map(({ id }) => id) ?? []
  send({ kind: 'edit-turn', conversation, turn, text: 'And why?', chips })
  await settled()
  const [asked] = pathOf(sessions.current.conversation)
  assert.notEqual(asked?.id, turn)
  assert.deepEqual(textsOf(asked?.prompt), ['new', 'added', 'And why?'])
  assert.equal(given.drafts.saved(conversation)?.attachedToEdits, undefined)
})

test('a changed question whose file is gone opens again, and its chip says so', async () => {
  const given = setup({ answering: answeringYes })
  const { sources, sent, send, sessions } = given
  const { conversation, turn } = await askedWith(given, { 'a.ts': 'old' })
  send({ kind: 'begin-edit', conversation, edited: turn })
  await settled()
  sources.texts.delete('file:///w/a.ts')
  send({ kind: 'edit-turn', conversation, turn, text: 'And why?' })
  await settled()
  assert.deepEqual(
    sent.findLast(({ kind }) => kind === 'refused-edit'),
    {
      ...{ kind: 'refused-edit', conversation, turn, text: 'And why?' },
      why: 'Your message was not sent. a.ts is missing. Remove this attachment, then send again.',
    },
  )
  assert.equal(editedIn(sent, turn)?.chips[0]?.problem, 'a.ts is missing.')
  assert.equal(sessions.current.conversation.tip, turn)
})

test('a secret file of a changed question is asked about again, and is not sent without consent', async () => {
  const given = setup({ answering: answeringYes })
  const { sources, sessions, consents, send } = given
  sources.secret.add('file:///w/.env')
  consents.push(true)
  const { conversation, turn } = await askedWith(given, { '.env': 'PASSWORD=x', 'a.ts': 'a' })
  send({ kind: 'begin-edit', conversation, edited: turn })
  await settled()
  consents.push(false)
  const edit = async () => {
    send({ kind: 'edit-turn', conversation, turn, text: 'And why?' })
    await settled()
    return textsOf(pathOf(sessions.current.conversation)[0]?.prompt)
  }
  assert.deepEqual(await edit(), ['PASSWORD=x', 'a', 'Why?'])
  assert.deepEqual(consents, [])
  assert.deepEqual(await edit(), ['a', 'And why?'])
})

test('what is attached to a question that is being changed is kept with the draft until it is closed', async () => {
  const given = setup({ answering: answeringYes })
  const { drafts, contexts, send } = given
  const { conversation, turn } = await askedWith(given, { 'a.ts': 'a', 'b.ts': 'b' })
  send({ kind: 'begin-edit', conversation, edited: turn })
  await settled()
  const [a] = contexts
    .editsIn(given.sessions.current.conversation)
    .flatMap(one => contexts.ofEdit(conversation, one).chips)
  send({ kind: 'remove-chip', conversation, chip: a?.id ?? '' })
  await settled()
  const left = { [turn]: [{ reference: { source: 'file', uri: 'file:///w/b.ts' } }] }
  assert.deepEqual(drafts.saved(conversation)?.attachedToEdits, left)
  send({ kind: 'end-edit', conversation, edited: turn })
  assert.equal(drafts.saved(conversation)?.attachedToEdits, undefined)
  send({ kind: 'begin-edit', conversation, edited: turn })
  await settled()
  assert.equal(editedIn(given.sent, turn)?.chips.length, 2)
})

test('a changed question that is too long opens again, with the file that would have to go; its size has a meter', async () => {
  const given = setup({ answering: answeringYes })
  const { sources, sent, send, clock } = given
  const { conversation, turn } = await askedWith(given, { 'a.ts': 'a' })
  sources.texts.set('file:///w/large.ts', 'word '.repeat(20_000))
  send({ kind: 'begin-edit', conversation, edited: turn })
  send({ kind: 'attach-uris', conversation, edited: turn, uris: ['file:///w/large.ts'] })
  await clock.advance(1_000)
  const meter = sent.findLast(message => message.kind === 'context-use' && message.edited === turn)
  assert.ok(meter?.kind === 'context-use' && meter.use.parts.some(({ label }) => label === 'large.ts'))
  send({ kind: 'edit-turn', conversation, turn, text: 'And why?' })
  await settled()
  assert.equal(sent.at(-1)?.kind, 'refused-edit')
  assert.match(useIn(sent)?.trouble?.text ?? '', /^This message needs about [\d,]+ tokens/)
})

test('a command that is written into a question that is being changed attaches to that question alone', async () => {
  const given = setup({ answering: answeringYes })
  const { sources, sent, send } = given
  const { conversation, turn } = await askedWith(given, {})
  sources.texts.set('file:///w/a.ts', 'a')
  sources.offer({ activeFile: { source: 'file', uri: 'file:///w/a.ts' } })
  send({ kind: 'begin-edit', conversation, edited: turn })
  send({ kind: 'draft', conversation, text: '', at: 1, edits: { [turn]: '/explain it' } })
  await settled()
  assert.deepEqual(
    editedIn(sent, turn)?.chips.map(({ label }) => label),
    ['a.ts'],
  )
  assert.deepEqual(chipsIn(sent).chips, [])
})

test('a past message comes back with its attachments as they are now, beside those of the user, and they go with it', async () => {
  const given = setup({ answering: answeringYes })
  const { contexts, sources, send, panel } = given
  const { conversation, turn } = await askedWith(given, { 'a.ts': 'old' })
  const labels = () => contexts.of(conversation).chips.map(({ label, state }) => `${label} ${state}`)
  sources.texts.set('file:///w/own.ts', 'own')
  panel.attach({ source: 'file', uri: 'file:///w/own.ts' })
  sources.texts.delete('file:///w/a.ts')
  const recalled = { kind: 'recall', conversation, prompt: { text: 'Why?', conversation, turn } } as const
  send(recalled)
  await settled()
  assert.deepEqual(labels(), ['own.ts ready', 'a.ts unavailable'])
  send({ kind: 'recall', conversation })
  await settled()
  assert.deepEqual(labels(), ['own.ts ready'])
  sources.texts.set('file:///w/a.ts', 'new')
  send(recalled)
  send({ kind: 'keep-recalled', conversation })
  await settled()
  send({ kind: 'recall', conversation })
  await settled()
  assert.deepEqual(labels(), ['own.ts ready', 'a.ts ready'], 'the message was written on')
})

test('a prompt file attaches what is selected and the files that it names, and its chip has what the user has to know', async () => {
  const { prompts, sources, sent, send, sessions } = setup()
  const { id: conversation } = sessions.current
  const range = { startLine: 0, startCharacter: 0, endLine: 1, endCharacter: 0 }
  const selection = { source: 'selection', uri: 'file:///w/a.ts', range } as const
  for (const name of ['a.ts', 'style.md']) sources.texts.set(`file:///w/${name}`, name)
  sources.offer({ selection, activeFile: { source: 'file', uri: selection.uri } })
  prompts.push({
    ...{ name: 'form', description: '', withoutEffect: ['model', 'tools'] },
    ...{ uri: 'file:///w/.github/prompts/form.prompt.md', folder: 'file:///w' },
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the variables of prompt files look so
    body: 'Change ${selection} of ${fileBasename} by [style](../../style.md): ${input:name:of the form}.',
  })
  send({ kind: 'draft', conversation, text: '/form login', at: 1 })
  await settled()
  const { chips } = chipsIn(sent)
  assert.deepEqual(
    chips.map(({ label }) => label),
    ['/form', 'a.ts', 'style.md'],
  )
  assert.equal(
    chips[0]?.notice,
    'Write into your message: name (of the form). What the prompt file sets for model, tools has no effect here.',
  )
  send({ kind: 'send', conversation, text: '/form login', chips: chips.map(({ id }) => id) })
  await settled()
  const [text] = textsOf(pathOf(sessions.current.conversation).at(-1)?.prompt)
  assert.equal(text, 'Change /w/a.ts of a.ts by [style](../../style.md): "name" of the message.')
})

test('what a prompt file has attached goes with its word', async () => {
  const { prompts, sources, sent, send, sessions } = setup()
  const { id: conversation } = sessions.current
  sources.texts.set('file:///w/style.md', 'Short.')
  const place = { uri: 'file:///w/.github/prompts/form.prompt.md', folder: 'file:///w' }
  prompts.push({ ...place, name: 'form', description: '', withoutEffect: [], body: '#file:style.md' })
  send({ kind: 'draft', conversation, text: '/form login', at: 1 })
  await settled()
  assert.equal(chipsIn(sent).chips.length, 2)
  send({ kind: 'draft', conversation, text: 'login', at: 2 })
  await settled()
  assert.deepEqual(chipsIn(sent).chips, [])
})
