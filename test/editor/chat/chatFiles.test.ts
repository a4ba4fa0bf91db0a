// A chat is saved where the user wants it and read from a file, without keys and with a sentence for each bad file.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Session } from '../../../src/core/agent/session.ts'
import { Sessions } from '../../../src/core/agent/sessions.ts'
import { KeyText } from '../../../src/core/log/keyText.ts'
import { FakeClock } from '../../support/fakeClock.ts'
import { fakeEditor, withFakeVscode } from '../../support/fakeVscode.ts'
import { MemoryJournal } from '../../support/memoryJournal.ts'
import { messagesIn } from '../../support/memorySession.ts'

const { exportChat, fileName } = await withFakeVscode(() => import('../../../src/editor/chat/exportChat.ts'))
const { importChat } = await withFakeVscode(() => import('../../../src/editor/chat/importChat.ts'))

const keys = new KeyText(() => undefined)
const KEY = 'sk-bf-0123456789'

function setup() {
  fakeEditor.reset()
  let ids = 0
  const newId = () => `id${++ids}`
  const journals = new Map<string, MemoryJournal>()
  const journal = (id: string) => {
    const known = journals.get(id) ?? new MemoryJournal(id)
    journals.set(id, known)
    return known
  }
  const models = {
    async *stream() {
      yield { kind: 'text-delta', text: `Never write ${KEY} down.` } as const
      yield { kind: 'finish', why: 'done' } as const
    },
  }
  const sessions = new Sessions({
    models,
    model: async () => 'm',
    clock: new FakeClock(),
    newId,
    journal,
  })
  const shown: Session[] = []
  const show = async (session: Session) => void shown.push(session)
  const read = () => importChat({ sessions, workspace: 'file:///project', newId, show })
  return { sessions, shown, read }
}

const written = (uri: string) => new TextDecoder().decode(fakeEditor.files.get(uri))
const write = (uri: string, text: string) => void fakeEditor.files.set(uri, new TextEncoder().encode(text))

test('a chat is exported as Markdown under a name made of its title, without keys', async () => {
  const { sessions } = setup()
  await sessions.current.ask(`How do I keep ${KEY}?`)
  await sessions.current.rename('Où garder: une “clé”?')
  fakeEditor.picked = 'Markdown'
  fakeEditor.pickedFile = 'file:///out/chat.md'
  await exportChat(sessions.current.conversation, keys)
  assert.deepEqual(fakeEditor.proposedFiles, ['file:///work/où-garder-une-clé.md'])
  assert.match(
    written('file:///out/chat.md'),
    /^# Où garder: une “clé”\?\n\n## You\n\n> How do I keep sk-bf-…\?\n\n## Kourier/,
  )
  assert.doesNotMatch(written('file:///out/chat.md'), /0123456789/)
  assert.match(fakeEditor.messages[0]?.text ?? '', /exported to chat\.md/)
})

test('nothing is written where the user cancels', async () => {
  const { sessions } = setup()
  await sessions.current.ask('q')
  await exportChat(sessions.current.conversation, keys)
  fakeEditor.picked = 'JSON'
  await exportChat(sessions.current.conversation, keys)
  assert.equal(fakeEditor.files.size, 0)
})

test('what was exported as JSON is imported once, and opened when it is imported again', async () => {
  const { sessions, shown, read } = setup()
  await sessions.current.ask('How?')
  fakeEditor.picked = 'JSON'
  fakeEditor.pickedFile = 'file:///out/chat.json'
  await exportChat(sessions.current.conversation, keys)
  assert.doesNotMatch(written('file:///out/chat.json'), /0123456789/)
  await read()
  const [first] = shown
  assert.ok(first && first !== sessions.current)
  assert.deepEqual(
    messagesIn(first).map(({ text }) => text),
    ['How?', 'Never write sk-bf-… down.'],
  )
  assert.deepEqual([first.conversation.workspace, first.isBusy], ['file:///project', false])
  const { length } = first
  await first.setFlag('deleted', true)
  await read()
  assert.equal(shown[1]?.id, first.id)
  assert.equal(shown[1]?.conversation.isDeleted, false)
  assert.equal(shown[1]?.length, length + 2)
})

test('each bad file has its sentence, and nothing is shown', async () => {
  const { read, shown } = setup()
  fakeEditor.pickedFile = 'file:///in/odd.json'
  const bad: Readonly<Record<string, RegExp>> = {
    'not json': /odd\.json is not a chat that Kourier has exported/,
    '{"format":"kourier-chat","version":9,"events":[]}': /newer version of Kourier/,
    '{"format":"kourier-chat","version":1,"events":[{}]}': /damaged/,
    '{"format":"kourier-chat","version":1,"events":[]}': /odd\.json contains no messages/,
    [' '.repeat(64 * 1024 * 1024 + 1)]: /larger than 64 MB/,
  }
  for (const [text, sentence] of Object.entries(bad)) {
    write('file:///in/odd.json', text)
    await read()
    assert.match(fakeEditor.messages.at(-1)?.text ?? '', sentence)
  }
  assert.deepEqual(shown, [])
})

test('a title becomes a name that every file system takes', () => {
  const names: Readonly<Record<string, string>> = {
    'Parsing JSON': 'parsing-json',
    '../../etc/passwd': 'etc-passwd',
    'C:\\Windows': 'c-windows',
    con: 'chat-con',
    '???': '',
    [`${'word '.repeat(40)}`]: Array.from({ length: 12 }, () => 'word').join('-'),
    ['x'.repeat(200)]: 'x'.repeat(60),
  }
  for (const [title, name] of Object.entries(names)) assert.equal(fileName(title), name)
})
