// What is left out of a turn that grows, what is kept, and that nothing else of what was sent changes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { PauseReason } from '../../../src/core/agent/turnPorts.ts'
import { firstTokens, shortenedWords } from '../../../src/core/conversation/shortenedWords.ts'
import { TooLongError } from '../../../src/core/http/errors.ts'
import { surfaceIds } from '../../../src/core/model/surfaceIds.ts'
import { textTokens } from '../../../src/core/model/tokenEstimate.ts'
import { updatePlanTool } from '../../../src/core/tools/updatePlanTool.ts'
import { growHistory } from '../../support/grownHistory.ts'
import { longTurn } from '../../support/growthTurn.ts'
import { callOf, scriptedTool, TurnFixture, type TurnSetup, text } from '../../support/turnFixture.ts'

const sentence = 'I have looked at it, and go on. '
const read = (chars: number) =>
  scriptedTool('read_file', 'read', async ({ path }) => text(`${path}: ${'tide '.repeat(chars / 5)}`))

/** A turn that reads a file in each round and writes `answerChars` before. */
async function grown(setup: TurnSetup, rounds: number, answerChars: number, resultChars = 400): Promise<TurnFixture> {
  const turn = await TurnFixture.start({ tools: [read(resultChars), updatePlanTool], goOn: async () => true, ...setup })
  turn.service.replies.addAside({ match: 'Summarize this conversation', text: 'The goal is the tide.' })
  turn.service.replies.add(
    { toolCalls: [callOf('update_plan', { items: [{ text: 'Read all of it', state: 'doing' }] })] },
    ...Array.from({ length: rounds }, (_, at) => ({
      tokens: [`${at}: ${sentence.repeat(answerChars / sentence.length)}`],
      toolCalls: [callOf('read_file', { path: `src/a${at}.ts`, from: 1, lines: 200 })],
    })),
    { text: 'Done.' },
  )
  return turn
}

const readWithLines = {
  ...read(1_200),
  parameters: {
    properties: { path: { type: 'string' }, from: { type: 'integer' }, lines: { type: 'integer' } },
    required: ['path'],
  },
} as const
const tools = [readWithLines, updatePlanTool]

for (const surface of surfaceIds)
  test(`[A16] ${surface}: what was sent is sent again byte for byte, except at a trim that is shown`, async () => {
    const { changedChars, omissions, summaries, modes, queued } = await longTurn(surface)
    assert.equal(changedChars, 0)
    assert.ok(
      omissions > 0 && summaries > 0 && modes > 0 && queued > 2,
      JSON.stringify({ omissions, summaries, queued }),
    )
  })

test('above 70 % old results are left out in one step, each with a line that names its call', async () => {
  await using turn = await grown({ tools, limit: 9_000 }, 26, 60)
  assert.equal((await turn.ask('Read on.')).state, 'done')
  const trims = turn.events.filter(({ kind }) => kind === 'results-omitted')
  assert.equal(trims.length, 1)
  assert.match(turn.lastBody, /read_file src\/a0\.ts, lines 1 to 200: left out, read again if needed/)
  const omitted = turn.calls.filter(({ id }) => turn.log.state.omitted.has(id)).map(({ input }) => input)
  const kept = turn.calls.slice(-2)
  assert.ok(omitted.length > 2 && kept.every(({ id }) => !turn.log.state.omitted.has(id)))
  assert.ok(!turn.events.some(({ kind }) => kind === 'summary'))
})

test('[A17] above 88 % a summary is written in the middle of the turn, and the prompt has its order', async () => {
  const sources = {
    pathOf: () => 'src/changed.ts',
    running: () => [{ id: 3, command: 'npm run watch' }],
    instructions: async (uris: readonly string[]) =>
      uris.map(uri => ({
        ...({ kind: 'attachment', id: 'x', source: 'instructions', name: 'AGENTS.md', uri } as const),
        ...{ text: 'Tabs, as of now.', sizeChars: 16 },
      })),
  }
  await using turn = await grown({ surface: 'messages', tools, limit: 9_000, sources }, 20, 1_600)
  await turn.ask('Read on, and mind the tide.')
  const summaries = turn.events.flatMap(event => (event.kind === 'summary' ? [event] : []))
  const [summary] = summaries
  assert.ok(summary?.steps !== undefined && summary.steps > 0)
  const head = turn.blocks.at(-1)?.join('\n') ?? ''
  const order = [
    'Be brief.',
    'update_plan',
    'System: Linux.',
    'Read on, and mind the tide.',
    'The goal is the tide.',
    '[doing] Read all of it',
    '3: npm run watch',
    '19: I have looked',
  ]
  const places = order.map(part => head.indexOf(part))
  assert.deepEqual(
    places,
    places.toSorted((a, b) => a - b),
  )
  assert.ok(!places.includes(-1))
  assert.ok(!head.includes('src/a0.ts'))
  const asked = turn.bodies.map(body => JSON.stringify(body)).filter(body => body.includes('Summarize this'))
  assert.equal(asked.length, summaries.length)
  assert.ok(
    turn.lanes.every((lane, at) => (at === 0 ? lane === 'chat' : lane === 'agent')),
    'the lane of the turn',
  )
})

test('[A19] a prompt that is still large right after a summary pauses the turn; it ends if the user says so', async () => {
  const reasons: PauseReason[] = []
  const goOn = async (reason: PauseReason) => {
    reasons.push(reason)
    return false
  }
  // What is kept of the newest step alone takes more than half of the window.
  await using turn = await grown(
    { tools: [{ ...readWithLines, run: read(20_000).run }, updatePlanTool], limit: 6_000, goOn },
    3,
    5_000,
  )
  turn.service.replies.clear()
  turn.service.replies.add(
    { tokens: [sentence.repeat(300)], toolCalls: [callOf('update_plan', { items: [] })] },
    { toolCalls: [callOf('read_file')] },
    { text: 'Done.' },
  )
  assert.equal((await turn.ask('q')).state, 'stopped')
  assert.deepEqual(
    reasons.map(({ is }) => is),
    ['room'],
  )
})

test('a request that nothing makes fit is not sent, and the fault names what takes the room', async () => {
  await using turn = await grown(
    { tools: [{ ...readWithLines, run: read(60_000).run }, updatePlanTool], limit: 6_000 },
    2,
    60,
  )
  const { state, fault } = await turn.ask('q')
  assert.equal(state, 'failed')
  assert.ok(fault instanceof TooLongError)
  assert.deepEqual(fault.largest, ['read_file src/a0.ts, lines 1 to 200'])
  assert.equal(turn.bodies.length, 2)
})

test('without a whole summary the turn goes on, and the next one is not tried at once', async () => {
  const aside = { match: 'Summarize this conversation', text: 'Half', finishReason: 'length' }
  await using broken = await TurnFixture.start({ tools, limit: 9_000 })
  broken.service.replies.addAside(aside)
  broken.service.replies.add(
    ...Array.from({ length: 17 }, (_, at) => ({
      tokens: [`${at}: ${sentence.repeat(47)}`],
      toolCalls: [callOf('read_file', { path: `src/a${at}.ts` })],
    })),
    { text: 'Done.' },
  )
  await broken.ask('q')
  assert.ok(!broken.events.some(({ kind }) => kind === 'summary'))
  const isForSummary = broken.bodies.map(body => JSON.stringify(body).includes('Summarize this'))
  assert.ok(isForSummary.includes(true))
  assert.ok(!isForSummary.some((is, at) => is && isForSummary[at + 1]))
})

test('random histories: calls keep their results, the user’s words and what is known stay, and each trim shortens', async () => {
  const totals = { omissions: 0, summaries: 0 }
  await fc.assert(
    fc.asyncProperty(fc.nat(), fc.constantFrom(20_000, 30_000), async (seed, limit) => {
      const {
        errors: _,
        pauses: __,
        requests: ___,
        omissions,
        summaries,
        ...found
      } = await growHistory({
        ...{ seed, limit, turns: 3, steps: 40 },
      })
      totals.omissions += omissions
      totals.summaries += summaries
      const nothing = { refused: 0, ended: 0, unpaired: 0, tooSoon: 0, notShorter: 0, missing: [], changedChars: 0 }
      assert.deepEqual(found, nothing)
    }),
    // The first is known to need a summary, which not every five do.
    { numRuns: 5, endOnFailure: true, examples: [[4, 20_000]] },
  )
  assert.ok(totals.omissions > 0 && totals.summaries > 0, JSON.stringify(totals))
})

test('of the user’s words the oldest are shortened first, and only as far as is needed', () => {
  const old = 'harbour '.repeat(400).trim()
  const messages = [old, 'Mind the tide.', 'And the lantern.']
  assert.deepEqual(shortenedWords(messages, 10_000), messages)
  const [first = '', ...rest] = shortenedWords(messages, 200)
  assert.deepEqual(rest, messages.slice(1))
  assert.match(first, /^harbour harbour .* … \(shortened\)$/)
  assert.ok(textTokens([first, ...rest].join('')) <= 215)
  assert.equal(firstTokens('short', 10), 'short')
})
