// The modes in which a model is asked for completions: how they are found at the service, kept, and found anew.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { systemClock } from '../../../src/base/clock.ts'
import { Completer } from '../../../src/core/complete/completer.ts'
import { KindCounts } from '../../../src/core/complete/kindCounts.ts'
import { ModelPace } from '../../../src/core/complete/modelPace.ts'
import { PromptModes } from '../../../src/core/complete/promptModes.ts'
import { ThinkingSwitch } from '../../../src/core/complete/thinkingSwitch.ts'
import { ProblemError, TransportError } from '../../../src/core/http/errors.ts'
import type { Http } from '../../../src/core/http/http.ts'
import type { ModelClient, ModelRequest } from '../../../src/core/model/modelClient.ts'
import { type SurfaceId, surfaceIds } from '../../../src/core/model/surfaceIds.ts'
import { AccessPolicy } from '../../../src/core/workspace/accessPolicy.ts'
import { UndiciHttp } from '../../../src/node/http/undiciHttp.ts'
import type { Dialect } from '../../localService/dialect.ts'
import { startService } from '../../localService/server.ts'
import { FakeClock, settled } from '../../support/fakeClock.ts'
import { surfaceClient } from '../../support/surfaceClient.ts'
import { direct } from '../../support/wire.ts'
import { FollowedDocuments } from './followedDocuments.ts'
import { noConnection, noSources } from './holeMode.ts'

type Answers = (request: ModelRequest) => string | Error

class Window {
  readonly clock = new FakeClock()
  readonly asked: string[] = []
  readonly log: string[] = []
  address = 'a'
  surface: SurfaceId = 'chat-completions'
  answers: Answers = () => 'No.'
  readonly #models: ModelClient
  readonly modes: PromptModes

  constructor(memory = new Map<string, unknown>()) {
    const ask = (request: ModelRequest) => {
      this.asked.push(modeOf(request))
      return this.answers(request)
    }
    this.#models = {
      async *stream(request) {
        const answer = ask(request)
        if (typeof answer !== 'string') throw answer
        yield { kind: 'text-delta', text: answer }
        yield { kind: 'finish', why: 'done' }
      },
    }
    this.modes = new PromptModes({
      models: this.#models,
      memory,
      thinking: { for: () => 'effort' },
      surface: () => this.surface,
      address: () => this.address,
      clock: this.clock,
      log: { debug: text => this.log.push(text) },
    })
  }

  async record(isRough = false, times = 1): Promise<void> {
    for (let at = 0; at < times; at++) this.modes.record('m', isRough)
    for (let at = 0; at < 4; at++) await this.clock.advance(1_000)
    await settled()
  }
}

function modeOf({ messages, continuesAnswer }: ModelRequest): string {
  if (continuesAnswer) return 'prefill'
  return JSON.stringify(messages).includes('<|fim_middle|>') ? 'tokens' : 'hole'
}

/** As a model answers that knows these modes. */
const knowing =
  (...modes: string[]): Answers =>
  request => {
    const isSecond = JSON.stringify(request.messages.slice(-2)).includes('  const ▮') || isSecondOfTokens(request)
    const text = isSecond ? 'size = width * height * depth' : 'size'
    return modes.includes(modeOf(request)) ? text : `<insert>${text}`
  }

const isSecondOfTokens = ({ messages }: ModelRequest) => JSON.stringify(messages).includes('  const <|fim_suffix|>')

describe('the mode of a model', () => {
  const cases: [string, Answers, string, string[]][] = [
    ['one that knows the tokens', knowing('tokens', 'prefill'), 'tokens', ['tokens', 'tokens']],
    ['one that goes on from a tag', knowing('prefill'), 'prefill', ['tokens', 'prefill', 'prefill']],
    ['one that knows neither', knowing(), 'hole', ['tokens', 'prefill']],
    ['one that explains', () => 'Sure! Here is the code:\n```\nsize\n```', 'hole', ['tokens', 'prefill']],
    ['one that goes on once and not twice', () => 'size', 'hole', ['tokens', 'tokens']],
    ['a service that refuses', () => new ProblemError('a', 400, { text: 'no' }), 'hole', ['tokens', 'prefill']],
  ]
  for (const [name, answers, mode, asked] of cases) {
    test(`${name} is asked in mode ${mode} after ${asked.length} requests, also after a restart`, async () => {
      const memory = new Map<string, unknown>()
      const window = new Window(memory)
      window.answers = answers
      assert.equal(window.modes.for('m'), 'hole')
      await window.record(false, 5)
      assert.deepEqual(window.asked, asked)
      assert.equal(window.modes.for('m'), mode)
      const later = new Window(memory)
      await later.record(false, 5)
      assert.deepEqual([later.asked, later.modes.for('m')], [[], mode])
    })
  }

  test('belongs to a model, an address and a surface', async () => {
    const window = new Window()
    window.answers = knowing('prefill')
    await window.record()
    assert.equal(window.modes.for('other'), 'hole')
    window.address = 'b'
    assert.equal(window.modes.for('m'), 'hole')
    window.address = 'a'
    window.surface = 'messages'
    assert.equal(window.modes.for('m'), 'hole')
  })

  test('is looked for in the background, with what switches thinking off, and not while a fault says nothing', async () => {
    const window = new Window()
    const sent: Partial<ModelRequest>[] = []
    window.answers = ({ lane, thinkingOff }) => {
      sent.push({ lane, ...(thinkingOff && { thinkingOff }) })
      return new TransportError('a', 'before', 'refused')
    }
    await window.record(false, 3)
    assert.deepEqual(sent, [{ lane: 'background', thinkingOff: 'effort' }])
    await window.record()
    assert.equal(sent.length, 1)
    window.answers = knowing('tokens')
    await window.clock.advance(10 * 60_000)
    await window.record()
    assert.equal(window.modes.for('m'), 'tokens')
  })

  test('is looked for anew, once, where too many answers need cleaning', async () => {
    const window = new Window()
    window.answers = knowing('tokens')
    await window.record()
    window.answers = knowing()
    await window.record(false, 35)
    await window.record(true, 15)
    assert.equal(window.asked.length, 2, '30 of 100 are not too many')
    await window.record(true)
    assert.deepEqual(window.asked.slice(2), ['tokens', 'prefill'])
    assert.equal(window.modes.for('m'), 'hole')
    await window.record(true, 200)
    assert.equal(window.asked.length, 4)
  })

  test('is a hole at once where the service no longer lets the caller begin the answer', async () => {
    const window = new Window()
    window.answers = knowing('prefill')
    await window.record()
    const request = { model: 'm', continuesAnswer: true } as const
    assert.ok(!window.modes.recordFault(request, new ProblemError('a', 503, {})))
    assert.ok(!window.modes.recordFault({ model: 'm' }, new ProblemError('a', 400, {})))
    assert.equal(window.modes.for('m'), 'prefill')
    assert.ok(window.modes.recordFault(request, new ProblemError('a', 400, {})))
    assert.equal(window.modes.for('m'), 'hole')
  })

  test('is not looked for after the end', async () => {
    const window = new Window()
    window.modes.record('m', false)
    window.modes.dispose()
    await window.record()
    assert.deepEqual([window.asked, window.log], [[], []])
  })
})

/** Opens one document after the other at the service, as a clock goes on that waits for nothing. */
async function complete(surface: SurfaceId, dialect: Partial<Dialect>, text = '') {
  await using service = await startService({ plan: 'pro', dialect })
  const key = service.state.issueKey('ada@example.com', 'test')
  const http = new UndiciHttp(() => direct, systemClock)
  const send: Http = request =>
    http.send({ ...request, headers: { ...request.headers, authorization: `Bearer ${key}` } })
  const client = surfaceClient(send, service.baseUrl, systemClock, surface)
  const clock = { ...systemClock, later: (_: number, run: () => void) => systemClock.later(0, run) }
  const sent: string[] = []
  const models: ModelClient = {
    stream: (request, signal) => {
      sent.push(`${request.lane} ${modeOf(request)}`)
      return client.stream(request, signal)
    },
  }
  const memory = new Map<string, unknown>()
  const known = Promise.withResolvers<void>()
  const shared = { memory, surface: () => surface, address: () => 'a' }
  const thinking = new ThinkingSwitch(shared)
  const log = { debug: (text: string) => text.includes('are requested in mode') && known.resolve() }
  const modes = new PromptModes({ models, thinking, clock, log, ...shared })
  const followed = new FollowedDocuments()
  const learnt = { memory: new Map(), address: () => '' }
  const completer = new Completer({
    models,
    model: () => 'kourier-1-0815',
    clock: systemClock,
    neighbours: () => [],
    settings: () => ({ enabled: {}, delayMs: null, mode: 'eager', exclude: [] }),
    access: new AccessPolicy({ isTrusted: () => true, excludedGlobs: () => [], ignoredOf: async () => new Set() }),
    documents: followed.documents,
    thinking,
    modes,
    kinds: new KindCounts(learnt),
    modelPace: new ModelPace(learnt),
    hasFreeSlot: () => true,
    hasExtraSlot: () => true,
    connection: noConnection,
    sources: noSources,
    log: { debug: () => {} },
  })
  const open = async (name: string) => {
    const snapshot = followed.change(`${text}const first = paint(wall)\nconst ${name} = paint(|`, { id: name })
    return (await completer.complete(snapshot, { isExplicit: false }, new AbortController().signal))[0]?.text
  }
  try {
    const shown = [await open('second')]
    await known.promise
    shown.push(await open('third'))
    return { sent, shown, bodies: service.log.calls.map(({ body }) => JSON.stringify(body)) }
  } finally {
    completer.dispose()
    modes.dispose()
    http.dispose()
  }
}

const shown = ['wall)', 'wall)']

for (const surface of surfaceIds) {
  describe(`on the surface ${surface}`, () => {
    const cases: [string, Partial<Dialect>, string[]][] = [
      ['that knows neither', {}, ['background tokens', 'background prefill', 'completion hole']],
      [
        'that refuses a beginning',
        { prefill: 'refused' },
        ['background tokens', 'background prefill', 'completion hole'],
      ],
      [
        'that goes on from a tag',
        { prefill: 'continued' },
        ['background tokens', 'background prefill', 'background prefill', 'completion prefill'],
      ],
      [
        'that knows the tokens',
        { fillInTokens: 'known' },
        ['background tokens', 'background tokens', 'completion tokens'],
      ],
    ]
    for (const [name, dialect, expected] of cases) {
      test(`a model ${name} completes the same in its mode`, async () => {
        const { sent, ...seen } = await complete(surface, dialect)
        assert.deepEqual(sent, ['completion hole', ...expected])
        assert.deepEqual(seen.shown, shown)
      })
    }

    test('a document that contains such tokens is a hole', async () => {
      const { sent, ...seen } = await complete(surface, { fillInTokens: 'known' }, '// <｜fim▁begin｜>\n')
      assert.equal(sent.at(-1), 'completion hole')
      assert.deepEqual(seen.shown, shown)
    })
  })
}

test('on the messages surface no beginning of an answer ends in white space', async () => {
  const { bodies } = await complete('messages', { prefill: 'continued' })
  const begun = bodies.map(body => JSON.parse(body).messages.at(-1)).filter(({ role }) => role === 'assistant')
  assert.equal(begun.length, 3)
  for (const { content } of begun) assert.doesNotMatch(content.at(-1).text, /\s$/)
})
