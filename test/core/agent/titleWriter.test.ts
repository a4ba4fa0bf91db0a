// A title after the first answer: asked for in the background, clean, and never in the way of the user.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Sessions } from '../../../src/core/agent/sessions.ts'
import { TitleWriter } from '../../../src/core/agent/titleWriter.ts'
import { Log } from '../../../src/core/log/log.ts'
import type { ModelEvent, ModelRequest } from '../../../src/core/model/modelClient.ts'
import { FakeClock, settled } from '../../support/fakeClock.ts'
import { MemoryJournal } from '../../support/memoryJournal.ts'

type Answer = (request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelEvent>

async function* answered(text: string, why: 'done' | 'length' = 'done'): AsyncIterable<ModelEvent> {
  yield { kind: 'text-delta', text }
  yield { kind: 'finish', why }
}

const whole: Answer = () => answered('Call `JSON.parse`.')

function setup(title: Answer, backgroundModel = '', reply = whole) {
  const clock = new FakeClock()
  const requests: ModelRequest[] = []
  const models = {
    stream(request: ModelRequest, signal: AbortSignal) {
      if (request.lane !== 'background') return reply(request, signal)
      requests.push(request)
      return title(request, signal)
    },
  }
  let ids = 0
  const journal = (id: string) => new MemoryJournal(id)
  const options = { models, model: async () => 'model-1', clock, newId: () => `id${++ids}`, journal }
  const sessions = new Sessions(options)
  const writer = new TitleWriter({ sessions, models, backgroundModel: () => backgroundModel, clock, log: new Log() })
  sessions.onDidChangeState(session => writer.consider(session))
  return { clock, requests, sessions, session: sessions.current, writer }
}

const titleOf = ({ session }: ReturnType<typeof setup>) => session.conversation.title

test('the first answer gets a title from the model that has answered, some time after it', async () => {
  const chat = setup(() => answered('**Parsing JSON**\n'))
  await chat.session.ask('How do I parse JSON?')
  assert.equal(chat.requests.length, 0, 'the next question comes first')
  await chat.clock.advance(2_000)
  assert.deepEqual(titleOf(chat), { text: 'Parsing JSON', by: 'model' })
  const [request] = chat.requests
  assert.deepEqual([request?.model, request?.lane, request?.tools], ['model-1', 'background', undefined])
  assert.match(JSON.stringify(request?.messages), /How do I parse JSON\?.*JSON\.parse/)
  await chat.session.ask('And YAML?')
  await chat.clock.advance(2_000)
  assert.equal(chat.requests.length, 1)
})

test('the model of the setting writes it, and reads no more than the beginning', async () => {
  const chat = setup(() => answered('Zebras'), 'small-1')
  await chat.session.ask('zebra '.repeat(100_000))
  await chat.clock.advance(2_000)
  assert.equal(chat.requests[0]?.model, 'small-1')
  assert.ok(JSON.stringify(chat.requests[0]).length < 6_000)
})

test('a command is read with its meaning and the names of what it is about', async () => {
  const chat = setup(() => answered('Rounding in postage.ts'))
  const attached = { kind: 'attachment', id: 'a', source: 'selection', name: 'src/postage.ts', sizeChars: 9 } as const
  await chat.session.ask('/fix', [{ ...attached, text: 'const rate = 1' }])
  await chat.clock.advance(2_000)
  const [message] = chat.requests[0]?.messages ?? []
  const text = JSON.stringify(message)
  assert.match(text, /\/fix.*Find what is wrong.*src\/postage\.ts.*JSON\.parse/)
  assert.ok(!text.includes('const rate'))
})

test('a first answer that was cut off and continued is titled by its own question', async () => {
  const ends = ['length', 'done'] as const
  let asked = 0
  const chat = setup(
    () => answered('Parsing JSON'),
    '',
    () => answered('Call `JSON.parse`.', ends[asked++]),
  )
  await chat.session.ask('How do I parse JSON?')
  await chat.session.ask('Continue exactly where your last answer ended.')
  await chat.clock.advance(2_000)
  assert.deepEqual(titleOf(chat), { text: 'Parsing JSON', by: 'model' })
  const text = JSON.stringify(chat.requests[0]?.messages)
  assert.match(text, /How do I parse JSON\?.*JSON\.parse/)
  assert.doesNotMatch(text, /Continue exactly/)
})

test('what the user has written is never replaced', async () => {
  const gate = Promise.withResolvers<void>()
  const chat = setup(async function* () {
    await gate.promise
    yield* answered('The model’s')
  })
  await chat.session.ask('q')
  await chat.clock.advance(2_000)
  await chat.session.rename('Mine')
  gate.resolve()
  await settled()
  assert.deepEqual(titleOf(chat), { text: 'Mine', by: 'user' })
  assert.equal(chat.clock.waiting, 0)
})

const failures: Readonly<Record<string, Answer>> = {
  // biome-ignore lint/correctness/useYield: it fails before its first event
  'a fault': async function* () {
    throw new Error('refused')
  },
  'an answer that was cut': () => answered('Half a tit', 'length'),
  'nothing in it': () => answered('```\n""\n```'),
  'no end': async function* (_, signal) {
    yield { kind: 'text-delta', text: 'Slow' }
    await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  },
}
for (const [name, failure] of Object.entries(failures))
  test(`a title that does not come costs nothing: ${name}`, async () => {
    const chat = setup(failure)
    await chat.session.ask('q')
    await chat.clock.advance(120_000)
    assert.equal(chat.requests.length, 1)
    assert.equal(titleOf(chat), undefined)
    assert.deepEqual(chat.session.state, { is: 'idle' })
    assert.equal(chat.clock.waiting, 0)
  })

test('the title is written also when another conversation is in front', async () => {
  const chat = setup(() => answered('Parsing'))
  const other = chat.sessions.show()
  await chat.session.ask('q')
  await other.open(chat.session.id, new AbortController().signal)
  chat.sessions.front.openNew()
  await chat.clock.advance(2_000)
  assert.deepEqual(titleOf(chat), { text: 'Parsing', by: 'model' })
})
