// What version 0.1.0 stored becomes conversations, once, and nothing of it is lost.
import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Log } from '../../../src/core/log/log.ts'
import { JournalFolder } from '../../../src/node/history/journalFolder.ts'
import { takeOverChats } from '../../../src/node/history/takeOverChats.ts'
import { answerText, attemptsOf, pathOf, promptText } from '../../../src/protocol/conversationPath.ts'
import { type ConversationState, emptyConversation, replay } from '../../../src/protocol/conversationState.ts'
import { FakeClock } from '../../support/fakeClock.ts'

const root = mkdtempSync(join(tmpdir(), 'kourier-take-over-'))
after(() => rmSync(root, { recursive: true, force: true }))
let folders = 0

const ID = '0b7a0a52-4c1e-4d37-9f6b-1f1f3c6a2d11'
/** As 0.1.0 wrote it. */
const chat = {
  version: 1,
  id: ID,
  messages: [
    { id: 'q1', role: 'user', text: 'What is a journal?', state: 'whole' },
    { id: 'a1', role: 'assistant', text: 'A file that grows.', state: 'whole', earlier: ['A fi', 'A file'] },
    { id: 'q2', role: 'user', text: 'And an index?', state: 'whole' },
    { id: 'a2', role: 'assistant', text: 'A table', state: 'streaming' },
  ],
}

function workspace() {
  const folder = join(root, String(folders++))
  const chats = join(folder, 'chats')
  mkdirSync(chats, { recursive: true })
  const log = new Log()
  const lines: string[] = []
  log.open({ write: (_, line) => lines.push(line) })
  const journals = new JournalFolder({
    folder: join(folder, 'conversations'),
    clock: new FakeClock(),
    log,
    isAlive: () => true,
  })
  const takeOver = () => takeOverChats({ chats, journals, workspace: 'file:///project', log })
  const store = (name: string, content: unknown) =>
    writeFileSync(join(chats, `${name}.json`), typeof content === 'string' ? content : JSON.stringify(content))
  return { chats, journals, takeOver, store, lines }
}

async function stateIn(journals: JournalFolder, conversation: string): Promise<ConversationState> {
  let state = emptyConversation(conversation)
  const { signal } = new AbortController()
  for await (const events of journals.open(conversation).read(1, signal)) state = replay(events, state)
  return state
}

const shown = (state: ConversationState) =>
  pathOf(state).map(turn => [promptText(turn.prompt), answerText(turn), turn.state])

test('a stored chat becomes a conversation with its questions, answers, attempts and states', async () => {
  const { chats, journals, takeOver, store } = workspace()
  store(ID, chat)
  utimesSync(join(chats, `${ID}.json`), 1_700_000_000, 1_700_000_000)
  assert.deepEqual(await takeOver(), [ID])
  const state = await stateIn(journals, ID)
  assert.deepEqual(shown(state), [
    ['What is a journal?', 'A file that grows.', 'done'],
    ['And an index?', 'A table', 'interrupted'],
  ])
  const [first] = pathOf(state)
  assert.deepEqual(first && attemptsOf(state, first).map(answerText), ['A fi', 'A file', 'A file that grows.'])
  assert.deepEqual([state.workspace, state.createdAt], ['file:///project', 1_700_000_000_000])
  assert.deepEqual(readdirSync(chats), [])
})

test('each way in which an answer had ended is kept; a question without an answer was interrupted', async () => {
  const { journals, takeOver, store } = workspace()
  const states = ['whole', 'stopped', 'cut-off', 'streaming'] as const
  const messages = states.flatMap((state, at) => [
    { id: `q${at}`, role: 'user', text: `Question ${at}`, state: 'whole' },
    { id: `a${at}`, role: 'assistant', text: `Answer ${at}`, state },
  ])
  const unanswered = { id: 'q', role: 'user', text: 'Anybody there?', state: 'whole' }
  store(ID, { ...chat, messages: [...messages, unanswered] })
  await takeOver()
  assert.deepEqual(
    shown(await stateIn(journals, ID)).map(([, , state]) => state),
    ['done', 'stopped', 'interrupted', 'interrupted', 'interrupted'],
  )
})

test('messages in an order that no window wrote, and ids that come twice, are all there', async () => {
  const { journals, takeOver, store } = workspace()
  const same = { id: 'x', state: 'whole' }
  store(ID, {
    ...chat,
    messages: [
      { ...same, role: 'assistant', text: 'Hello' },
      { ...same, role: 'user', text: 'One' },
      { ...same, role: 'user', text: 'Two' },
      { ...same, role: 'assistant', text: 'A' },
      { ...same, role: 'assistant', text: 'B' },
    ],
  })
  await takeOver()
  assert.deepEqual(
    shown(await stateIn(journals, ID)).map(([asked, answered]) => [asked, answered]),
    [
      ['', 'Hello'],
      ['One', ''],
      ['Two', 'A'],
      ['', 'B'],
    ],
  )
})

test('what a later version stored, and what is no chat, stays as it is', async () => {
  const { chats, takeOver, store } = workspace()
  store('later', { ...chat, version: 2, more: true })
  store('torn', '{"version":1,"id":"x","mess')
  store('other', { shopping: ['milk'] })
  const before = readdirSync(chats).map(name => readFileSync(join(chats, name), 'utf8'))
  assert.deepEqual(await takeOver(), [])
  assert.deepEqual(
    readdirSync(chats).map(name => readFileSync(join(chats, name), 'utf8')),
    before,
  )
})

test('ended between the journal and the removal, or run by two windows, it takes nothing over twice', async () => {
  const { chats, journals, takeOver, store } = workspace()
  store(ID, chat)
  const both = await Promise.all([takeOver(), takeOver()])
  assert.deepEqual(both.flat(), [ID])
  // The file is there still, as if the window had ended before it could go.
  store(ID, chat)
  assert.deepEqual(await takeOver(), [])
  assert.deepEqual(readdirSync(chats), [])
  assert.equal((await journals.entries()).length, 1)
  assert.equal(shown(await stateIn(journals, ID)).length, 2)
})

test('what a window of 0.1.0 still writes after the take-over is a conversation of its own', async () => {
  const { chats, journals, takeOver, store } = workspace()
  store(ID, chat)
  await takeOver()
  const more = [...chat.messages, { id: 'q3', role: 'user', text: 'One more', state: 'whole' }]
  store(ID, { ...chat, messages: more })
  const [second] = await takeOver()
  assert.ok(second && second !== ID)
  assert.equal(shown(await stateIn(journals, second)).length, 3)
  assert.equal(shown(await stateIn(journals, ID)).length, 2)
  assert.deepEqual(readdirSync(chats), [])
})

test('where the journal cannot be written the stored chat stays', async () => {
  const { chats, journals, takeOver, store, lines } = workspace()
  store(ID, chat)
  writeFileSync(journals.folder, 'a file, where the folder should be')
  assert.deepEqual(await takeOver(), [])
  assert.ok(existsSync(join(chats, `${ID}.json`)))
  assert.match(lines.join('\n'), /could not be taken over/)
})
