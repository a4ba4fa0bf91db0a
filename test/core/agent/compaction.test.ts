// The compaction of a conversation: what the model is asked, what is kept, and that a fault changes nothing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CompactionNeeds, compact, mayCompact } from '../../../src/core/agent/compaction.ts'
import type { AgentOptions, Session } from '../../../src/core/agent/session.ts'
import { pathEvents } from '../../../src/core/conversation/pathEvents.ts'
import type { ModelClient, ModelEvent, ModelRequest } from '../../../src/core/model/modelClient.ts'
import { TokenCounter } from '../../../src/core/model/tokenCounter.ts'
import { AllowedActions } from '../../../src/core/tools/approvals.ts'
import type { PromptPart } from '../../../src/protocol/conversation.ts'
import { FakeClock } from '../../support/fakeClock.ts'
import { memorySession, messagesIn } from '../../support/memorySession.ts'
import { wordsOf } from '../../support/messages.ts'
import { echo } from '../../support/turnFixture.ts'

const { signal } = new AbortController()
const reply = (text: string, why: 'done' | 'length' | 'cut-off' = 'done'): ModelEvent[] => [
  { kind: 'text-delta', text },
  { kind: 'finish', why },
]

/** Answers in turn. */
function scripted(...replies: readonly (readonly ModelEvent[] | Error)[]) {
  const requests: ModelRequest[] = []
  const models: ModelClient = {
    async *stream(request) {
      requests.push(request)
      const events = replies[requests.length - 1] ?? []
      if (events instanceof Error) throw events
      yield* events
    },
  }
  return { requests, models }
}

async function conversation(count: number, attached: readonly PromptPart[] = []) {
  const { models, requests } = scripted(...Array.from({ length: count + 1 }, (_, at) => reply(`Answer ${at + 1}.`)))
  let ids = 0
  const session = memorySession({ models, model: async () => 'm', newId: () => `i${++ids}`, clock: new FakeClock() })
  for (let at = 1; at <= count; at++) await session.ask(`Question ${at}?`, at === 1 ? attached : [])
  return { session, requests }
}

function needs(models: ModelClient, input = 200_000): CompactionNeeds {
  return {
    models,
    model: async () => 'small',
    counter: new TokenCounter(),
    limitsOf: () => ({ input, total: input + 10_000 }),
    newId: () => 'summary',
  }
}

const texts = (request: ModelRequest | undefined) => (request?.messages ?? []).map(wordsOf)
const seen = (session: Session) => messagesIn(session).map(({ text }) => text)

test('[A18] all but the last two turns are summarized, in the background, and the original stays visible', async () => {
  const { session, requests } = await conversation(4)
  const before = seen(session)
  const { models, requests: asked } = scripted(reply('It was about questions.'))
  assert.equal(await compact(session, needs(models), signal), 'done')
  assert.deepEqual([asked[0]?.lane, asked[0]?.model], ['background', 'small'])
  const [summarized] = asked
  assert.deepEqual(texts(summarized).slice(0, -1), ['Question 1?', 'Answer 1.', 'Question 2?', 'Answer 2.'])
  assert.deepEqual(seen(session), before)
  await session.ask('Question 5?')
  const [head = '', ...rest] = texts(requests.at(-1))
  for (const part of ['Question 1?', 'Question 2?', 'It was about questions.']) assert.ok(head.includes(part), part)
  assert.ok(!head.includes('Answer'))
  assert.deepEqual(rest, ['Question 3?', 'Answer 3.', 'Question 4?', 'Answer 4.', 'Question 5?'])
})

test('the request begins as those of the chat do, so that a service finds its beginning again', async () => {
  const { session, requests } = await conversation(4)
  const { models, requests: asked } = scripted(reply('Short.'))
  await compact(session, needs(models), signal)
  assert.equal(asked[0]?.system, requests.at(-1)?.system)
  const count = (asked[0]?.messages.length ?? 0) - 1
  assert.deepEqual(asked[0]?.messages.slice(0, count), requests.at(-1)?.messages.slice(0, count))
})

test('[A18] a summary is changed, removed and put back; a branch has it as well', async () => {
  const { session, requests } = await conversation(3)
  await compact(session, needs(scripted(reply('First.')).models), signal)
  assert.equal(await session.changeSummary('summary', 'Changed by hand.'), true)
  assert.equal(await session.changeSummary('none', 'x'), false)
  await session.ask('Question 4?')
  assert.ok(texts(requests.at(-1))[0]?.includes('Changed by hand.'))
  const copied = pathEvents(session.conversation, session.conversation.tip)
  assert.ok(copied.some(event => event.kind === 'summary' && event.text === 'Changed by hand.'))
  const before = session.conversation.summaries
  assert.equal(await session.changeSummary('summary', undefined), true)
  assert.deepEqual(session.conversation.summaries, [])
  const [summary] = before
  assert.ok(summary)
  assert.equal(await session.restoreSummary(summary), true)
  assert.deepEqual(session.conversation.summaries, before)
  assert.equal(await session.restoreSummary({ ...summary, turn: 'none' }), false)
})

test('a second one summarizes the first with what came after it', async () => {
  const { session } = await conversation(3)
  await compact(session, needs(scripted(reply('Old summary.')).models), signal)
  assert.equal(mayCompact(session.conversation), false)
  await session.ask('Question 4?')
  const { models, requests } = scripted(reply('New summary.'))
  assert.equal(await compact(session, { ...needs(models), newId: () => 'second' }, signal), 'done')
  assert.ok(texts(requests[0])[0]?.includes('Old summary.'))
  assert.deepEqual(texts(requests[0]).slice(1, -1), ['Question 2?', 'Answer 2.'])
})

test('where nothing is old enough, the answer is incomplete or the request fails, all is as before', async () => {
  const { session: short } = await conversation(2)
  assert.equal(await compact(short, needs(scripted().models), signal), 'nothing')
  const { session } = await conversation(3)
  const { n } = session.conversation
  for (const events of [reply('Half', 'length'), reply('Half', 'cut-off'), reply(' \n')])
    assert.equal(await compact(session, needs(scripted(events).models), signal), 'incomplete')
  await assert.rejects(compact(session, needs(scripted(new Error('No line')).models), signal), /No line/)
  const stop = new AbortController()
  const stopping: ModelClient = {
    async *stream() {
      stop.abort()
      yield* reply('Late')
    },
  }
  await assert.rejects(compact(session, needs(stopping), stop.signal), { name: 'AbortError' })
  assert.equal(session.conversation.n, n)
})

test('while an answer is written nothing is summarized', async () => {
  const { session } = await conversation(3)
  const asking = session.ask('Question 4?')
  assert.equal(await compact(session, needs(scripted(reply('x')).models), signal), 'busy')
  await asking
})

test('what was attached is only named where the whole does not fit', async () => {
  const text = 'word '.repeat(2_000)
  const file: PromptPart = { kind: 'attachment', id: 'f', source: 'file', name: 'a.ts', text, sizeChars: text.length }
  const { session } = await conversation(3, [file])
  const { models, requests } = scripted(reply('x'), reply('y'))
  await compact(session, needs(models), signal)
  assert.ok(texts(requests[0])[0]?.includes('word word'))
  await session.changeSummary('summary', undefined)
  await compact(session, needs(models, 1_500), signal)
  assert.match(texts(requests[1])[0] ?? '', /^Attached file a\.ts:\n```\n\(left out/)
})

test('what the editor knows goes with a summary; it stays when the text is changed, and comes back with an undone removal', async () => {
  const { models, requests } = scripted(...Array.from({ length: 5 }, (_, at) => reply(`Answer ${at + 1}.`)))
  let ids = 0
  let rules = 'Tabs.'
  const instructions = async (): Promise<readonly PromptPart[]> => [
    {
      ...{ kind: 'attachment', id: 'a', source: 'instructions', name: 'AGENTS.md' },
      uri: 'a',
      text: rules,
      sizeChars: 5,
    },
  ]
  const agent: AgentOptions = {
    tools: async () => [echo('read')],
    ...{ allowed: new AllowedActions(), defaultMode: () => 'edit', maxRequests: () => 40 },
    growth: async () => ({
      ...{ counter: new TokenCounter(), limitsOf: () => ({ input: 200_000, total: 210_000 }), pathOf: uri => uri },
      ...{ running: () => [{ id: 2, command: 'npm run watch' }], instructions },
    }),
  }
  const clock = new FakeClock()
  const session = memorySession({ models, model: async () => 'm', agent, newId: () => `i${++ids}`, clock })
  await session.ask('Question 1?', await instructions())
  for (const at of [2, 3]) await session.ask(`Question ${at}?`)
  rules = 'Spaces.'
  assert.equal(await compact(session, needs(scripted(reply('Short.')).models), signal), 'done')
  await session.changeSummary('summary', 'Shorter.')
  const [summary] = session.conversation.summaries
  assert.ok(summary)
  await session.changeSummary('summary', undefined)
  await session.restoreSummary(summary)
  await session.ask('Question 4?')
  const [head = ''] = texts(requests.at(-1))
  const order = ['Spaces.', 'Question 1?', 'Shorter.', '2: npm run watch'].map(part => head.indexOf(part))
  assert.deepEqual(
    order,
    order.toSorted((a, b) => a - b),
  )
  assert.ok(!order.includes(-1) && !head.includes('Tabs.'))
})
