// Models that think first: how completions learn it, what they send against it on each surface, and when they send nothing any more.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { systemClock } from '../../../src/base/clock.ts'
import { Completer } from '../../../src/core/complete/completer.ts'
import { KindCounts } from '../../../src/core/complete/kindCounts.ts'
import { ModelPace } from '../../../src/core/complete/modelPace.ts'
import { type Reception, ThinkingSwitch } from '../../../src/core/complete/thinkingSwitch.ts'
import { ProblemError } from '../../../src/core/http/errors.ts'
import type { Http } from '../../../src/core/http/http.ts'
import { type SurfaceId, surfaceIds } from '../../../src/core/model/surfaceIds.ts'
import { type ThinkingOff, thinkingOffMembers } from '../../../src/core/model/thinkingOff.ts'
import { AccessPolicy } from '../../../src/core/workspace/accessPolicy.ts'
import { UndiciHttp } from '../../../src/node/http/undiciHttp.ts'
import type { Dialect } from '../../localService/dialect.ts'
import { startService } from '../../localService/server.ts'
import { surfaceClient } from '../../support/surfaceClient.ts'
import { direct } from '../../support/wire.ts'
import { FollowedDocuments } from './followedDocuments.ts'
import { holeMode, noConnection, noSources } from './holeMode.ts'

const thought: Reception = { hasThought: true, hasText: false, end: 'length' }
const hidden: Reception = { hasThought: false, hasText: false, end: 'length' }
const plain: Reception = { hasThought: false, hasText: true, end: 'stopped' }
const empty: Reception = { hasThought: false, hasText: false, end: 'done' }
const untold: Reception = { hasThought: false, hasText: false, end: 'stopped' }

function switchOf(
  memory = new Map<string, unknown>(),
  where = { surface: 'chat-completions' as SurfaceId, address: 'a' },
) {
  const thinking = new ThinkingSwitch({ memory, surface: () => where.surface, address: () => where.address })
  const unstoppable: string[] = []
  thinking.onDidBecomeUnstoppable(model => unstoppable.push(model))
  const answer = (...receptions: Reception[]) => {
    for (const reception of receptions) {
      const thinkingOff = thinking.for('m')
      thinking.record({ model: 'm', ...(thinkingOff && { thinkingOff }) }, reception)
    }
    return thinking.for('m')
  }
  const refuse = (text: string, status = 400) => {
    const thinkingOff = thinking.for('m')
    const fault = new ProblemError('a', status, { text })
    return thinking.recordFault({ model: 'm', ...(thinkingOff && { thinkingOff }) }, fault)
  }
  return { thinking, memory, unstoppable, where, answer, refuse }
}

describe('the last answers', () => {
  const cases: [string, Reception[], boolean][] = [
    ['three with thoughts', [thought, thought, thought], true],
    ['three that are empty at their limit', [hidden, hidden, hidden], true],
    ['three of five', [plain, thought, plain, hidden, thought], true],
    ['two of five', [thought, plain, hidden, plain, plain], false],
    ['three of the last five', [plain, plain, plain, plain, plain, thought, thought, thought], true],
    ['empty ones that ended by themselves', [empty, empty, empty, empty, empty], false],
    ['those that were stopped tell nothing', [thought, untold, untold, untold, thought], false],
  ]
  for (const [name, receptions, expected] of cases) {
    test(name, () => assert.equal(switchOf().answer(...receptions), expected ? 'effort' : undefined))
  }
})

describe('the switches', () => {
  test('are tried in turn, and the one that helps is kept over a restart', () => {
    const { answer, memory } = switchOf()
    assert.equal(answer(thought, thought, thought), 'effort')
    assert.equal(answer(thought, thought, hidden), 'type')
    assert.equal(answer(plain, plain, plain), 'type')
    assert.equal(switchOf(memory).thinking.for('m'), 'type')
    assert.equal(switchOf(memory).answer(thought, thought, thought), 'template', 'what no longer helps is dropped')
  })

  test('belong to a model, an address and a surface', () => {
    const { answer, memory, thinking, where } = switchOf()
    answer(thought, thought, thought)
    assert.equal(thinking.for('other'), undefined)
    where.address = 'b'
    assert.equal(thinking.for('m'), undefined)
    where.address = 'a'
    where.surface = 'messages'
    assert.equal(thinking.for('m'), undefined)
    assert.equal(switchOf(memory).thinking.for('m'), 'effort')
  })

  test('are never sent again where the service refused them', () => {
    const { answer, refuse, memory, thinking } = switchOf()
    answer(thought, thought, thought)
    assert.ok(refuse("Unknown parameter: 'reasoning_effort'."))
    assert.equal(thinking.for('m'), 'type')
    assert.ok(!refuse('Overloaded', 503))
    assert.ok(refuse('Bad request'), 'a refusal without a reason is that of the switch that is tried')
    assert.equal(thinking.for('m'), 'template')
    answer(plain, plain, plain)
    assert.ok(!refuse('The prompt is too long.'), 'what has helped is not refused for another reason')
    assert.equal(switchOf(memory).thinking.for('m'), 'template')
    assert.ok(refuse("'chat_template_kwargs' is not supported", 422))
    assert.ok(thinking.isUnstoppable('m'))
  })

  test('where none helps the model is given up, once, until it is asked by hand and no longer thinks', () => {
    const { answer, unstoppable, memory, thinking } = switchOf()
    for (let round = 0; round < 4; round++) answer(thought, thought, thought)
    assert.deepEqual(unstoppable, ['m'])
    assert.equal(thinking.for('m'), undefined)
    const later = switchOf(memory)
    assert.ok(later.thinking.isUnstoppable('m'))
    later.answer(thought, thought, thought)
    assert.deepEqual(later.unstoppable, [])
    switchOf(memory).answer(plain, plain, plain)
    assert.ok(!later.thinking.isUnstoppable('m'))
  })
})

/** Opens one document after the other; returns how each request would switch thinking off. */
async function complete(surface: SurfaceId, dialect: Partial<Dialect>, memory = new Map<string, unknown>()) {
  await using service = await startService({ plan: 'pro', dialect })
  const key = service.state.issueKey('ada@example.com', 'test')
  const http = new UndiciHttp(() => direct, systemClock)
  const sent: (ThinkingOff | 'none')[] = []
  const thinking = new ThinkingSwitch({ memory, surface: () => surface, address: () => 'a' })
  const send: Http = request =>
    http.send({ ...request, headers: { ...request.headers, authorization: `Bearer ${key}` } })
  const client = surfaceClient(send, service.baseUrl, systemClock, surface)
  const followed = new FollowedDocuments()
  const learnt = { memory: new Map(), address: () => '' }
  const completer = new Completer({
    models: {
      stream: (request, signal) => {
        sent.push(request.thinkingOff ?? 'none')
        return client.stream(request, signal)
      },
    },
    model: () => 'kourier-1-0815',
    clock: systemClock,
    neighbours: () => [],
    settings: () => ({ enabled: {}, delayMs: null, mode: 'eager', exclude: [] }),
    access: new AccessPolicy({ isTrusted: () => true, excludedGlobs: () => [], ignoredOf: async () => new Set() }),
    documents: followed.documents,
    thinking,
    modes: holeMode,
    kinds: new KindCounts(learnt),
    modelPace: new ModelPace(learnt),
    hasFreeSlot: () => true,
    hasExtraSlot: () => true,
    connection: noConnection,
    sources: noSources,
    log: { debug: () => {} },
  })
  const shown: string[] = []
  const open = async (name: string) => {
    const marked = `const first = paint(wall)\nconst ${name} = paint(|`
    const snapshot = followed.change(marked, { id: name })
    const [suggestion] = await completer.complete(snapshot, { isExplicit: false }, new AbortController().signal)
    if (suggestion) shown.push(suggestion.text)
  }
  try {
    for (let at = 0; at < 16; at++) await open(`second${at}`)
    return { sent, shown, isUnstoppable: thinking.isUnstoppable('kourier-1-0815'), memory }
  } finally {
    completer.dispose()
    http.dispose()
  }
}

for (const surface of surfaceIds) {
  describe(`on the surface ${surface}`, () => {
    const ways = Object.keys(thinkingOffMembers[surface]) as ThinkingOff[]
    for (const [at, way] of ways.entries()) {
      test(`a model that stops thinking by ${way} is completed from then on, also after a restart`, async () => {
        const { sent, shown, memory, isUnstoppable } = await complete(surface, { thinking: `unless-${way}` })
        assert.equal(sent.at(-1), way)
        assert.deepEqual([...new Set(sent)], ['none', ...ways.slice(0, at + 1)])
        assert.ok(shown.length >= 1 && !isUnstoppable)
        const again = await complete(surface, { thinking: `unless-${way}` }, memory)
        assert.deepEqual([...new Set(again.sent)], [way])
      })
    }

    test('what the service refuses costs one request, once', async () => {
      const last = ways.at(-1) ?? assert.fail()
      const { sent, memory } = await complete(surface, { thinking: `unless-${last}`, unknownMembers: 'refused' })
      const counts = ways.slice(0, -1).map(way => sent.filter(one => one === way).length)
      assert.deepEqual(counts, [1, 1])
      assert.equal(sent.at(-1), last)
      const again = await complete(surface, { thinking: `unless-${last}`, unknownMembers: 'refused' }, memory)
      assert.deepEqual([...new Set(again.sent)], [last])
    })

    test('a model that thinks whatever it is told is no longer asked', async () => {
      const { sent, shown, isUnstoppable, memory } = await complete(surface, { thinking: 'always' })
      assert.ok(isUnstoppable)
      assert.deepEqual(shown, [])
      assert.deepEqual([...new Set(sent)], ['none', ...ways])
      assert.deepEqual((await complete(surface, { thinking: 'always' }, memory)).sent, [])
    })
  })
}
