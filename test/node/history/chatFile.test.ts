// The open conversation outlives its window, whenever that goes away.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { raceAbort } from '../../../src/base/abort.ts'
import { Sessions } from '../../../src/core/conversation/sessions.ts'
import { Log } from '../../../src/core/log/log.ts'
import type { ModelClient, ModelEvent, ModelRequest } from '../../../src/core/model/modelClient.ts'
import { repairHistory } from '../../../src/core/model/repair.ts'
import { ChatFile } from '../../../src/node/history/chatFile.ts'
import { FakeClock, settled } from '../../support/fakeClock.ts'
import { wordsOf } from '../../support/messages.ts'
import { randomFrom } from '../../support/random.ts'
import { eventually } from '../../support/wire.ts'

const root = mkdtempSync(join(tmpdir(), 'kourier-chats-'))
after(() => rmSync(root, { recursive: true }))
const words = ['Once', ' upon', ' a', ' time', '.']
const seed = Number(process.env['KOURIER_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
let folders = 0
let ids = 0

/** An answer that comes word by word, as a test says. */
class Talk implements ModelClient {
  asked: ModelRequest | undefined
  #next = Promise.withResolvers<void>()

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
    this.asked = request
    for (const text of words) {
      await raceAbort(this.#next.promise, signal)
      this.#next = Promise.withResolvers<void>()
      yield { kind: 'text-delta', text }
    }
    yield { kind: 'finish', why: 'done' }
  }

  async say(): Promise<void> {
    this.#next.resolve()
    await settled()
  }
}

async function open(folder: string) {
  const clock = new FakeClock()
  const log = new Log()
  const lines: string[] = []
  log.open({ write: (_, line) => lines.push(line) })
  const talk = new Talk()
  const history = new ChatFile(folder, clock, log)
  const newId = () => `id-${++ids}`
  const sessions = new Sessions({ models: talk, model: async () => 'm', history, newId, clock })
  const { id } = sessions.current
  history.open(id)
  sessions.onDidOpen(session => history.open(session.id))
  sessions.goOnWith(id, await history.takeUp(id))
  const shown = () => sessions.current.messages.map(({ role, text, state }) => [role, text, state])
  return { clock, talk, history, sessions, shown, lines }
}

const freshFolder = () => join(root, String(folders++))

test('[R37] [R58] reloaded at any moment of an answer, as an update does it, the question and what came of it stand there, marked', async () => {
  for (let said = 0; said <= words.length; said++) {
    const folder = freshFolder()
    const window = await open(folder)
    const asking = window.sessions.current.ask('Tell me')
    await settled()
    for (let word = 0; word < said; word++) await window.talk.say()
    // The window is gone: nothing of it runs any more.
    await window.clock.advance(500)
    const isWhole = said === words.length
    if (isWhole) await asking
    await window.history.flush()
    const next = await open(folder)
    assert.deepEqual(next.shown(), [
      ['user', 'Tell me', 'whole'],
      ['assistant', words.slice(0, said).join(''), isWhole ? 'whole' : 'cut-off'],
    ])
    assert.equal(next.sessions.current.state.is, 'idle')
    assert.deepEqual((await open(folder)).shown(), next.shown(), 'and after the next reload as well')
    assert.equal(readdirSync(folder).length, 1)
  }
})

/** A window that ends at a random moment of an answer, by force or not, and the next one. */
async function endAtRandom(random: () => number, question: string): Promise<void> {
  const folder = freshFolder()
  const window = await open(folder)
  if (random() < 0.5) await haveAnotherChat(window)
  const file = join(folder, `${window.sessions.current.id}.json`)
  const wordsUpTo = (count: number) => words.slice(0, count).join('')
  let [said, kept, dueMs] = [0, 0, Number.POSITIVE_INFINITY]
  const whenKept = async () => {
    kept = said
    dueMs = Number.POSITIVE_INFINITY
    const texts = [question, ...(kept > 0 ? [wordsUpTo(kept)] : [])]
    await eventually(`${question} is written`, () => isDeepStrictEqual(textsIn(file), texts))
  }
  void window.sessions.current.ask(question)
  await whenKept()
  for (let moments = Math.floor(random() * 10); moments > 0; moments--) {
    if (random() < 0.5 && said < words.length - 1) {
      await window.talk.say()
      said++
      dueMs = Math.min(dueMs, window.clock.elapsed() + 500)
    } else {
      await window.clock.advance(Math.ceil(random() * 400))
      if (dueMs <= window.clock.elapsed()) await whenKept()
    }
  }
  const end = random()
  if (end < 0.5) {
    kept = said
    const closed = window.history.close()
    // The editor does so in the same turn, and the process may live on a while.
    window.sessions.dispose()
    await closed
    await window.clock.advance(1_000)
    await window.history.flush()
  }
  // By force, in the middle of a write.
  if (end > 0.75) writeFileSync(`${file}.half`, '{"version":1,"id":"')

  const next = await open(folder)
  assert.deepEqual(
    next.shown(),
    [
      ['user', question, 'whole'],
      ['assistant', wordsUpTo(kept), 'cut-off'],
    ],
    question,
  )
  assert.equal(readdirSync(folder).length, 1, question)
  void next.sessions.current.ask('And then?')
  await settled()
  const sent = repairHistory(next.talk.asked?.messages ?? []).map(message => [message.role, wordsOf(message)])
  const goneOn = [
    ['user', question],
    ['assistant', wordsUpTo(kept)],
    ['user', 'And then?'],
  ]
  assert.deepEqual(sent, kept > 0 ? goneOn : [['user', `${question}\n\nAnd then?`]], question)
}

/** It is closed when this returns. */
async function haveAnotherChat({ sessions, talk, history }: Awaited<ReturnType<typeof open>>): Promise<void> {
  void sessions.current.ask('Something else')
  await settled()
  await talk.say()
  sessions.openNew()
  await history.flush()
}

function textsIn(file: string): readonly string[] {
  try {
    const { messages } = JSON.parse(readFileSync(file, 'utf8')) as { messages: readonly { text: string }[] }
    return messages.map(({ text }) => text)
  } catch {
    return []
  }
}

test('[R37] ended at fifty random moments: all but the last half second is there, marked, and can be gone on with', async () => {
  const ends = Array.from({ length: 50 }, (_, at) =>
    endAtRandom(randomFrom(seed + at), `KOURIER_SEED=${seed}, window ${at}`),
  )
  await Promise.all(ends)
})

test('a question is written at once, its answer while it comes, at most twice a second', async () => {
  const folder = freshFolder()
  const { clock, talk, sessions } = await open(folder)
  void sessions.current.ask('Tell me')
  await settled()
  const file = join(folder, `${sessions.current.id}.json`)
  await eventually('the question is written', () => textsIn(file).length === 1)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  await talk.say()
  await clock.advance(499)
  assert.deepEqual(textsIn(file), ['Tell me'])
  await clock.advance(1)
  await eventually('the first word is', () => textsIn(file)[1] === 'Once')
  await talk.say()
  await clock.advance(499)
  assert.equal(textsIn(file)[1], 'Once')
  await clock.advance(1)
  await eventually('the next word is', () => textsIn(file)[1] === 'Once upon')
})

test('a new chat leaves nothing of the old one behind', async () => {
  const folder = freshFolder()
  const { talk, history, sessions } = await open(folder)
  void sessions.current.ask('Forget me')
  await settled()
  await talk.say()
  await history.flush()
  assert.equal(readdirSync(folder).length, 1)
  sessions.openNew()
  await history.flush()
  assert.deepEqual(readdirSync(folder), [])
  assert.deepEqual((await open(folder)).shown(), [])
})

test('a question that comes before the chat of the last window is taken up is kept, and so is that chat', async () => {
  const folder = freshFolder()
  const last = await open(folder)
  void last.sessions.current.ask('Where was I?')
  await settled()
  await last.history.close()
  const history = new ChatFile(folder, last.clock, new Log())
  history.open('next')
  const taken = history.takeUp('next')
  await history.save({ id: 'next', messages: [{ id: 'q', role: 'user', text: 'Something new', state: 'whole' }] })
  assert.deepEqual(await taken, [])
  await history.flush()
  const kept = readdirSync(folder).map(name => textsIn(join(folder, name))[0])
  assert.deepEqual(kept.sort(), ['Something new', 'Where was I?'])
})

test('what cannot be read is no chat, and a folder that cannot be written is said once', async () => {
  const folder = freshFolder()
  mkdirSync(folder)
  for (const [name, text] of Object.entries({ a: '', b: '{"version":1,"id', c: '{"version":9}', d: '\0\0\0' }))
    writeFileSync(join(folder, `${name}.json`), text)
  assert.deepEqual((await open(folder)).shown(), [])

  const blocked = freshFolder()
  writeFileSync(blocked, 'a file where the folder should be')
  const { talk, history, sessions, lines, shown } = await open(blocked)
  const asking = sessions.current.ask('Still there?')
  await settled()
  for (const _ of words) {
    await talk.say()
    await history.flush()
  }
  await asking
  assert.equal(shown().at(-1)?.[1], words.join(''))
  assert.equal(lines.filter(line => line.includes('could not be kept')).length, 1)
})

test('[R58] chats of a later version are not taken up, and stay where they are, however many', async () => {
  const folder = freshFolder()
  mkdirSync(folder)
  const later = JSON.stringify({ version: 2, id: 'x', messages: [{ parts: ['Hello'] }] })
  const names = Array.from({ length: 12 }, (_, at) => `later-${at}.json`)
  for (const name of names) writeFileSync(join(folder, name), later)
  const window = await open(folder)
  assert.deepEqual(window.shown(), [])
  await window.history.flush()
  assert.deepEqual(readdirSync(folder).sort(), names.sort())
  for (const name of names) assert.equal(readFileSync(join(folder, name), 'utf8'), later)
})
