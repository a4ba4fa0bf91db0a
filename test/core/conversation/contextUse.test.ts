// What each part of a conversation takes of the model's window, and how the service's counts correct it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '../../../src/base/clock.ts'
import { contextUse, partsTokens } from '../../../src/core/conversation/contextUse.ts'
import { chatPrompt } from '../../../src/core/conversation/prompt.ts'
import { usedTokens } from '../../../src/core/conversation/usedTokens.ts'
import { TokenCounter } from '../../../src/core/model/tokenCounter.ts'
import { requestTokens } from '../../../src/core/model/tokenEstimate.ts'
import type { EventBody, PromptPart } from '../../../src/protocol/conversation.ts'
import { type ConversationState, emptyConversation, reduce } from '../../../src/protocol/conversationState.ts'
import { FakeClock } from '../../support/fakeClock.ts'

const { signal } = new AbortController()
const { system } = chatPrompt(emptyConversation('c'), [])
const needs = { system, tools: [], model: 'm', clock: new FakeClock() }
const words = (count: number) => 'word '.repeat(count)

function after(state: ConversationState, ...bodies: readonly EventBody[]): ConversationState {
  let { n } = state
  return bodies.reduce((now, body) => reduce(now, { ...body, conversation: 'c', n: ++n, time: n }), state)
}
const stateOf = (...bodies: readonly EventBody[]) => after(emptyConversation('c'), ...bodies)

const file = (name: string, text: string): PromptPart => ({
  kind: 'attachment',
  id: name,
  source: 'file',
  name,
  text,
  sizeChars: text.length,
})

function turn(id: string, parent: string, usage?: number, attached: readonly PromptPart[] = []): EventBody[] {
  const prompt = [...attached, { kind: 'text' as const, id: `${id}-text`, text: words(200) }]
  return [
    { kind: 'turn-started', turn: id, ...(parent && { parent }), origin: { is: 'new' }, prompt },
    { kind: 'step-started', turn: id, model: 'm' },
    { kind: 'part-started', turn: id, value: { kind: 'text', id: `${id}-answer`, text: words(100) } },
    {
      kind: 'step-ended',
      turn: id,
      why: 'done',
      ...(usage !== undefined && { usage: { input: usage, output: 100 } }),
    },
    { kind: 'turn-ended', turn: id, state: 'done' },
  ]
}

test('the parts together are what the request takes, with attachments by name', async () => {
  const state = stateOf(
    ...turn('a', '', undefined, [file('a.ts', words(1_000)), file('b.ts', words(50))]),
    ...turn('b', 'a', undefined, [file('a.ts', words(1_000))]),
  )
  const use = await contextUse(state, needs, signal)
  const { messages } = chatPrompt(state, [])
  assert.ok(Math.abs(use.total - requestTokens({ model: 'm', system, messages, lane: 'chat' })) < 1)
  assert.deepEqual([...use.attached.keys()], ['a.ts', 'b.ts'])
  assert.ok((use.attached.get('a.ts') ?? 0) > 1_900)
  assert.equal(use.counted, undefined)
})

test('a summary takes the place of the answers and attachments before it', async () => {
  const before = stateOf(...turn('a', '', undefined, [file('a.ts', words(5_000))]), ...turn('b', 'a'))
  const state = after(before, { kind: 'summary', turn: 'a', summary: 's', text: 'Short.' })
  const use = await contextUse(state, needs, signal)
  assert.equal(use.attached.size, 0)
  assert.ok(use.summary > 200 && use.summary < 260, 'the question is kept word for word')
  const { messages } = chatPrompt(state, [])
  assert.ok(Math.abs(use.total - requestTokens({ model: 'm', system, messages, lane: 'chat' })) < 6)
})

test('what the service counted in the last request corrects the estimate of all, also after a reload', async () => {
  const once = await contextUse(stateOf(...turn('a', '')), needs, signal)
  const counted = Math.round(1.5 * (once.total - 100))
  const state = stateOf(...turn('a', ''), ...turn('b', 'a', 2 * counted))
  const use = await contextUse(state, needs, signal)
  assert.equal(use.counted?.tokens, 2 * counted)
  const factor = (2 * counted) / (use.counted?.estimate ?? 1)
  const { tokens, least, most } = usedTokens(use, 'm', new TokenCounter())(1_000)
  assert.equal(tokens, Math.round(1_000 * factor))
  assert.ok(factor > 1.2 && most - least < 100, 'what was counted is nearly certain')
})

test('a count holds no longer when the beginning has changed, for another model, or where it cannot be right', async () => {
  const state = stateOf(...turn('a', '', 900), ...turn('b', 'a', 1_500))
  assert.equal((await contextUse(state, needs, signal)).counted?.tokens, 1_500)
  assert.equal((await contextUse(state, { ...needs, model: 'other' }, signal)).counted, undefined)
  const summarized = after(state, { kind: 'summary', turn: 'a', summary: 's', text: 'Short.' })
  assert.equal((await contextUse(summarized, needs, signal)).counted, undefined)
  const deleted = after(state, { kind: 'turn-deleted', turn: 'a', value: true })
  assert.equal((await contextUse(deleted, needs, signal)).counted, undefined)
  const asked = after(summarized, ...turn('c', 'b', 1_000))
  assert.equal((await contextUse(asked, needs, signal)).counted?.tokens, 1_000)
  const wrong = usedTokens({ counted: { estimate: 400, tokens: 9_000 } }, 'm', new TokenCounter())
  assert.equal(wrong(400).tokens, 400)
})

test('a history is counted once, and a long text does not block the window', async () => {
  // Each look at the clock is as late as a slice that is over.
  let now = 0
  let pauses = 0
  const slow = {
    now: () => 0,
    elapsed() {
      now += 10
      return now
    },
    later(_: number, run: () => void) {
      pauses++
      queueMicrotask(run)
      return () => {}
    },
  }
  const state = stateOf(...turn('a', '', undefined, [file('a.ts', words(200_000))]))
  await contextUse(state, { ...needs, clock: slow }, signal)
  assert.ok(pauses > 15, `${pauses}`)
  pauses = 0
  await contextUse(after(state, ...turn('b', 'a')), { ...needs, clock: slow }, signal)
  assert.ok(pauses < 5, 'only what is new is counted')
})

test('a count that nobody waits for ends', async () => {
  const stop = new AbortController()
  stop.abort()
  const long: PromptPart = { kind: 'text', id: 't', text: words(50_000) }
  await assert.rejects(partsTokens([long], systemClock, stop.signal), { name: 'AbortError' })
})
