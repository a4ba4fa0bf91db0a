// The whole way of a keystroke, with a model that answers by hand and a clock that is moved.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { Completer, type CompletionRequest, type Suggestion } from '../../../src/core/complete/completer.ts'
import { CompletionFigures, noFigures, sumOf } from '../../../src/core/complete/completionFigures.ts'
import type { CompletionSettings } from '../../../src/core/complete/completionSettings.ts'
import { KindCounts } from '../../../src/core/complete/kindCounts.ts'
import type { Outcome } from '../../../src/core/complete/lastOutcome.ts'
import { ModelPace } from '../../../src/core/complete/modelPace.ts'
import { ThinkingSwitch } from '../../../src/core/complete/thinkingSwitch.ts'
import { ProblemError, TransportError } from '../../../src/core/http/errors.ts'
import type { QueuedRequest } from '../../../src/core/model/queuedClient.ts'
import { AccessPolicy } from '../../../src/core/workspace/accessPolicy.ts'
import type { DocumentSnapshot } from '../../../src/core/workspace/documentSnapshot.ts'
import { FakeClock, settled } from '../../support/fakeClock.ts'
import { FollowedDocuments } from './followedDocuments.ts'
import { HandModel } from './handModel.ts'
import { holeMode, noSources } from './holeMode.ts'
import { type Look, snapshotAt } from './snapshots.ts'

class Harness {
  readonly clock = new FakeClock()
  readonly models = new HandModel()
  readonly log: string[] = []
  readonly late: DocumentSnapshot[] = []
  readonly others: DocumentSnapshot[] = []
  readonly outcomes: Outcome[] = []
  counts = noFigures
  model: string | undefined = 'm'
  settings: CompletionSettings = { enabled: {}, delayMs: null, mode: 'eager', exclude: [] }
  neighbours: DocumentSnapshot[] = []
  look: Look = {}
  isTrusted = true
  readonly followed = new FollowedDocuments()
  #call = new AbortController()
  readonly thinking = new ThinkingSwitch({
    memory: new Map(),
    surface: () => 'chat-completions',
    address: () => 'https://api.example.com',
  })
  readonly memory = new Map<string, unknown>()
  hasFreeSlot = true
  hasExtraSlot = true
  readonly connection = { kept: 0, renewed: 0 }
  readonly completer = new Completer({
    models: this.models,
    model: () => this.model,
    clock: this.clock,
    neighbours: () => this.neighbours,
    settings: () => this.settings,
    access: new AccessPolicy({
      isTrusted: () => this.isTrusted,
      excludedGlobs: () => this.settings.exclude,
      ignoredOf: async () => new Set(),
    }),
    documents: this.followed.documents,
    thinking: this.thinking,
    modes: holeMode,
    kinds: new KindCounts({ memory: this.memory, address: () => 'https://api.example.com' }),
    modelPace: new ModelPace({ memory: this.memory, address: () => 'https://api.example.com' }),
    hasFreeSlot: () => this.hasFreeSlot,
    hasExtraSlot: () => this.hasExtraSlot,
    connection: { keep: () => this.connection.kept++, renew: () => this.connection.renewed++ },
    sources: noSources,
    onOutcome: outcome => this.outcomes.push(outcome),
    figures: new CompletionFigures({
      clock: this.clock,
      document: uri => this.followed.documents.get(uri),
      add: counts => {
        this.counts = sumOf([this.counts, { ...noFigures, ...counts }])
      },
    }),
    log: { debug: text => this.log.push(text) },
  })

  constructor() {
    this.completer.onDidArriveLate(snapshot => this.late.push(snapshot))
    this.completer.onDidFindOthers(snapshot => this.others.push(snapshot))
  }

  /** The document became this, and the editor asks: it cancels its previous call. */
  type(marked: string, request: Partial<CompletionRequest> = {}): Promise<string | undefined> {
    this.followed.change(marked, this.look)
    return this.ask(marked, request)
  }

  /** The editor asks again, without a change. */
  async ask(marked: string, request: Partial<CompletionRequest> = {}): Promise<string | undefined> {
    this.#call.abort(new DOMException('', 'AbortError'))
    this.#call = new AbortController()
    const snapshot = this.followed.look(marked, this.look)
    const [suggestion] = await this.#suggestions(snapshot, request)
    return suggestion && apply(snapshot, suggestion)
  }

  /** All that the editor can go through. */
  async askAll(marked: string, request: Partial<CompletionRequest> = {}): Promise<string[]> {
    const snapshot = this.followed.look(marked, this.look)
    return (await this.#suggestions(snapshot, request)).map(suggestion => apply(snapshot, suggestion))
  }

  #suggestions(snapshot: DocumentSnapshot, request: Partial<CompletionRequest>) {
    return this.completer.complete(snapshot, { isExplicit: false, ...request }, this.#call.signal)
  }

  cancel(): void {
    this.#call.abort(new DOMException('', 'AbortError'))
  }
}

const apply = ({ text }: DocumentSnapshot, { start, end, text: inserted }: Suggestion) =>
  text.slice(0, start) + inserted + text.slice(end)

const head = 'const items = [1, 2, 3]\n'

describe('what is known of an answer', () => {
  test('the log has one line of each, with its place, its time and what became of it, and none of its text', async () => {
    const harness = new Harness()
    const answerTo = async (marked: string, text: string) => {
      const answer = harness.type(marked)
      await settled()
      await harness.clock.advance(120)
      await harness.models.last.answer(text)
      await answer
    }
    await answerTo(`${head}const total = |`, 'items.length')
    await answerTo(`${head}const total = items.length\nf(|\n}`, 'secret)) {')
    await answerTo(`${head}const total = items.length\nf(a, |\n}`, '\n')
    assert.deepEqual(
      harness.log.map(line => line.replace(/\d+ tokens/, 'some tokens')),
      [
        'Completion at src/a.ts:2:15, shape line, mode hole, first text after 120 ms, some tokens, shown',
        'Completion at src/a.ts:3:3, shape block, mode hole, first text after 120 ms, some tokens, cut by a closer that closes nothing, shown',
        'Completion at src/a.ts:3:6, shape line, mode hole, first text after 120 ms, some tokens, cleaned of line break, cut by cleaning, nothing fitted',
      ],
    )
  })

  test('what came of the latest request is reported: shown, nothing that fits, a limit, a service out of reach', async () => {
    const harness = new Harness()
    let text = `${head}const total = `
    const request = async () => {
      text += '(a + '
      void harness.type(`${text}|`)
      await harness.clock.advance(1_000)
      return harness.models.last
    }
    await (await request()).answer('items.length')
    await (await request()).answer('')
    await (await request()).fail(new TransportError('a.test', 'before', 'refused'))
    await harness.clock.advance(60_000)
    await (await request()).fail(new Error('no'))
    await harness.clock.advance(60_000)
    const limit = new ProblemError('a.test', 429, {}, { retryAfterMs: 7_000 })
    await (await request()).fail(limit)
    assert.deepEqual(harness.outcomes, [
      { is: 'shown' },
      { is: 'nothing fitted' },
      { is: 'unreachable' },
      { is: 'failed' },
      { is: 'limit reached', until: harness.clock.now() + 7_000 },
    ])
  })
})

describe('what the user has refused', () => {
  const start = `${head}const total = `

  async function shown(harness: Harness, text = 'items.length'): Promise<void> {
    const answer = harness.type(`${start}|`)
    await settled()
    await harness.models.last.answer(text)
    assert.equal(await answer, start + text)
  }

  /** Goes back to the place by one Backspace after the other. */
  async function backFrom(harness: Harness, typed: string): Promise<string | undefined> {
    for (let length = typed.length - 1; length > 0; length--) void harness.type(`${start}${typed.slice(0, length)}|`)
    const answer = harness.type(`${start}|`)
    await harness.clock.advance(20_000)
    return answer
  }

  async function typeAgainst(harness: Harness, typed: string): Promise<void> {
    for (let length = 1; length <= typed.length; length++) {
      void harness.type(`${start}${typed.slice(0, length)}|`)
      await harness.clock.advance(750)
    }
  }

  test('what was typed against after it was visible does not come back there for ten minutes, but on request', async () => {
    const harness = new Harness()
    await shown(harness)
    await harness.clock.advance(400)
    await typeAgainst(harness, '[..[')
    assert.equal(await backFrom(harness, '[..['), undefined)
    assert.equal(await harness.ask(`${start}|`, { isExplicit: true }), `${start}items.length`)
    await harness.clock.advance(10 * 60_000)
    assert.equal(await harness.ask(`${start}|`), `${start}items.length`)
  })

  test('a mistake is no refusal, nor is what was typed before the suggestion could be read', async () => {
    for (const [visibleMs, typed] of [
      [400, '['],
      [400, '[.'],
      [399, '[..['],
    ] as const) {
      const harness = new Harness()
      await shown(harness)
      await harness.clock.advance(visibleMs)
      await typeAgainst(harness, typed)
      assert.equal(await backFrom(harness, typed), `${start}items.length`, typed)
    }
  })

  test('a mistake that is noticed after a pause is no refusal', async () => {
    const harness = new Harness()
    await shown(harness)
    await harness.clock.advance(400)
    for (let length = 1; length <= 4; length++) void harness.type(`${start}${'[..['.slice(0, length)}|`)
    await harness.clock.advance(3_000)
    assert.equal(await backFrom(harness, '[..['), `${start}items.length`)
  })

  test('what was hidden does not come back by typing on, and nothing is requested for its line for five seconds', async () => {
    const harness = new Harness()
    await shown(harness)
    harness.completer.dismiss()
    assert.equal(await harness.type(`${start}i|`), undefined)
    const asked = harness.models.calls.length
    void harness.type(`${start}i + (|`)
    await harness.clock.advance(4_000)
    assert.equal(harness.models.calls.length, asked)
    void harness.type(`${start}i + (1 + |`, { isExplicit: true })
    await settled()
    assert.equal(harness.models.calls.length, asked + 1, 'but on request')
    await harness.models.last.answer('')
    await harness.clock.advance(1_000)
    void harness.type(`${start}i + (1 + (|`)
    await harness.clock.advance(1_000)
    assert.equal(harness.models.calls.length, asked + 2)
  })

  test('other text is shown in that line, and the same in another', async () => {
    const harness = new Harness()
    await shown(harness)
    harness.completer.dismiss()
    await harness.clock.advance(5_000)
    const other = harness.type(`${start}i + |`)
    await settled()
    await harness.models.last.answer('items.length')
    assert.equal(await other, `${start}i + items.length`)
    const below = harness.type(`${start}i + 1\nconst total = |`)
    await harness.clock.advance(1_000)
    await harness.models.last.answer('items.length')
    assert.equal(await below, `${start}i + 1\nconst total = items.length`)
  })
})

describe('asking', () => {
  test('a file that contains the tags of the prompt is completed with them', async () => {
    const harness = new Harness()
    const head = "const tag = '<insert>'\nconst mark = '▮'\n"
    const answer = harness.type(`${head}const tags = [|]`)
    await settled()
    assert.deepEqual(harness.models.last.request.stop, ['</insert2>'])
    await harness.models.last.emit("<insert2>'<insert>', '</insert>', '▮'</insert2>, '▮2'")
    assert.equal(await answer, `${head}const tags = ['<insert>', '</insert>', '▮']`)
  })

  test('a line is completed from the stream as soon as it is whole, before the stream ends', async () => {
    const harness = new Harness()
    const answer = harness.type(`${head}const total = |`)
    await settled()
    await harness.models.last.emit('<insert>items.len')
    await harness.models.last.emit('gth\nconst')
    assert.equal(await answer, `${head}const total = items.length`)
    assert.ok(harness.models.last.isOpen)
  })

  test('the stream is stopped once the lines that are wanted are there', async () => {
    const harness = new Harness()
    const answer = harness.type(`${head}const total = |`)
    await settled()
    await harness.models.last.emit('<insert>items.length\nconst a = 1\nconst b = 2\nconst c')
    await answer
    assert.ok(harness.models.last.signal.aborted)
    assert.ok(!harness.models.last.isOpen)
  })

  test('the stream is stopped at the closing tag, and at the first closer that is not ours', async () => {
    const harness = new Harness()
    const first = harness.type(`${head}const total = |`)
    await settled()
    await harness.models.last.emit('<insert>items.length</insert>\nAnd')
    assert.equal(await first, `${head}const total = items.length`)
    assert.ok(harness.models.last.signal.aborted)
    harness.look = { id: 'other' }
    const second = harness.type(`function f() {\n  return |\n}\n`)
    await settled()
    await harness.models.last.emit('<insert>count\n}\nfunction')
    assert.equal(await second, 'function f() {\n  return count\n}\n')
    assert.ok(harness.models.last.signal.aborted)
  })

  test('a request that finished by itself is no cancel; one that broke off is let go of', async () => {
    const harness = new Harness()
    for (const [id, end, isCut] of [
      ['finished', () => harness.models.last.finish(), false],
      ['full', () => harness.models.last.finish('length'), false],
      ['broken', () => harness.models.last.fail(new Error('gone')), true],
    ] as const) {
      harness.look = { id }
      const answer = harness.type(`${head}const total = |`)
      await settled()
      await harness.models.last.emit('<insert>items.length')
      await end()
      await answer
      assert.ok(!harness.models.last.isOpen)
      harness.completer.forget(id)
      assert.equal(harness.models.last.signal.aborted, isCut, id)
    }
    assert.equal(harness.models.calls.length, 3)
    assert.equal(harness.clock.waiting, 0)
  })

  test('a block waits for its lines, but not for ever', async () => {
    const harness = new Harness()
    const answer = harness.type('function add(a: number, b: number) {\n  |\n}')
    await settled()
    await harness.models.last.emit('<insert>const sum = a + b\n')
    await harness.clock.advance(300)
    await harness.models.last.emit('  log(sum)\n')
    await harness.clock.advance(100)
    assert.equal(await answer, 'function add(a: number, b: number) {\n  const sum = a + b\n  log(sum)\n}')
    assert.ok(harness.models.last.isOpen)
  })

  test('signed out, switched off, excluded or not trusted asks nothing', async () => {
    const harness = new Harness()
    harness.model = undefined
    assert.equal(await harness.type(`${head}a|`), undefined)
    assert.deepEqual(harness.log, [])
    harness.model = 'm'
    harness.settings = { ...harness.settings, enabled: { typescript: false } }
    assert.equal(await harness.type(`${head}ab|`), undefined)
    harness.settings = { ...harness.settings, enabled: {}, exclude: ['src/**'] }
    assert.equal(await harness.type(`${head}abc|`), undefined)
    assert.equal(await harness.type(`${head}abc|`, { isExplicit: true }), undefined)
    harness.settings = { ...harness.settings, exclude: [] }
    harness.isTrusted = false
    assert.equal(await harness.type(`${head}abcd|`, { isExplicit: true }), undefined)
    assert.equal(harness.models.calls.length, 0)
  })

  test('no request contains what a secret file holds', async () => {
    const harness = new Harness()
    const canary = 'CANARY_items_total_const'
    const text = `${head}const total = '${canary}'`
    harness.neighbours = [
      snapshotAt(`${text}|`, { id: 'env', path: '.env.production' }),
      snapshotAt(`${text}|`, { id: 'sec', path: 'src/client_secret.ts' }),
      snapshotAt(`-----BEGIN PRIVATE KEY-----\n${text}|`, { id: 'key', path: 'notes.ts' }),
      snapshotAt(`${head}const total = items.reduce(sum)|`, { id: 'ok', path: 'src/other.ts' }),
    ]
    void harness.type(`${head}const total = |`)
    await settled()
    harness.look = { id: 'e2', path: '.env', language: 'properties' }
    await harness.type(`KEY=${canary}\nOTHER=|`, { isExplicit: true })
    assert.equal(harness.models.calls.length, 1)
    assert.ok(!JSON.stringify(harness.models.calls.map(({ request }) => request)).includes(canary))
    assert.match(harness.models.last.lastMessage, /<context path="src\/other.ts">/)
  })
})

describe('with the change', () => {
  test('a request leaves before the editor calls, and its call finds it', async () => {
    const harness = new Harness()
    harness.followed.change(`${head}const total = |`)
    const changed = harness.followed.change(`${head}const total = s|`)
    harness.completer.changed(changed)
    assert.equal(harness.models.calls.length, 1)
    await harness.models.last.answer('um(items)')
    assert.equal(await harness.ask(`${head}const total = s|`), `${head}const total = sum(items)`)
    assert.equal(harness.models.calls.length, 1)
  })

  test('an undo, and an edit away from the cursor, start nothing', async () => {
    const harness = new Harness()
    const answer = harness.type(`${head}const total = |`)
    await settled()
    await harness.models.last.answer('')
    await answer
    harness.completer.changed(harness.followed.change(`${head}const total = s|`, {}, 'undo'))
    harness.completer.changed(harness.followed.change(`// top\n${head}const total = s|`))
    await harness.clock.advance(1_000)
    assert.equal(harness.models.calls.length, 1)
    const other = { id: 'other' }
    harness.completer.enter(harness.followed.change(`${head}|`, other))
    harness.completer.changed(harness.followed.change(`${head}const total = |`, other, 'undo'))
    await harness.clock.advance(1_000)
    assert.equal(harness.models.calls.length, 1, 'nor as the first change of another document')
  })
})

describe('deleted text', () => {
  test('that was asked about as a mistake does not come back with its correction', async () => {
    const harness = new Harness()
    void harness.type(`${head}qux|`)
    await settled()
    void harness.type(`${head}qu|`)
    await harness.models.last.answer('uery()')
    await harness.clock.advance(399)
    assert.equal(harness.models.calls.length, 1)
    const answer = harness.ask(`${head}qu|`)
    await harness.clock.advance(1)
    await harness.models.last.answer('ery()')
    assert.equal(await answer, `${head}query()`)
  })

  test('that was accepted and deleted is not offered at that place for 30 seconds', async () => {
    const harness = new Harness()
    const answer = harness.type(`${head}const total = |`)
    await settled()
    await harness.models.last.answer('items.length')
    const whole = `${head}const total = items.length`
    assert.equal(await answer, whole)
    harness.completer.changed(harness.followed.change(`${whole}|`))
    const deleted = harness.followed.change(`${head}const total = |`)
    harness.completer.changed(deleted)
    const soon = harness.ask(`${head}const total = |`)
    await harness.clock.advance(29_000)
    assert.equal(await soon, undefined)
    await harness.clock.advance(2_000)
    assert.equal(await harness.ask(`${head}const total = |`), whole)
  })

  for (const [name, steps] of [
    ['replaced by typing over it', ['const total = c|', 'const total = |']],
    ['deleted with its line', ['log(|items)', '  |\nlog(items)']],
  ] as const) {
    test(`that was ${name} is not offered at that place`, async () => {
      const harness = new Harness()
      const below = '\nlog(items)'
      const answer = harness.type(`${head}const total = |${below}`)
      await settled()
      await harness.models.last.answer('items.length')
      assert.equal(await answer, `${head}const total = items.length${below}`)
      harness.completer.changed(harness.followed.change(`${head}const total = items.length|${below}`))
      const [first, last] = steps.map(step => head + step + (step.includes('log') ? '' : below))
      harness.completer.changed(harness.followed.change(first ?? ''))
      const again = harness.type(last ?? '')
      await harness.clock.advance(1_000)
      await harness.models.last.answer(name.includes('line') ? 'const total = items.length' : 'items.length')
      assert.equal(await again, undefined)
    })
  }

  test('that was deleted by the first change after another document was in front is not offered there', async () => {
    const harness = new Harness()
    void harness.type(`${head}const total = |`)
    await settled()
    await harness.models.last.answer('')
    harness.look = { id: 'other' }
    harness.completer.enter(harness.followed.change(`${head}const total = sum(items)|`, harness.look))
    const answer = harness.type(`${head}const total = |`)
    await harness.clock.advance(399)
    assert.equal(harness.models.calls.length, 1)
    await harness.clock.advance(1)
    await harness.models.last.answer('sum(items)')
    assert.equal(await answer, undefined)
  })

  for (const [name, before, after] of [
    ['below what was typed last', 'const a = 1|\nconst total = sum(items)', 'const a = 1\nconst total = |'],
    ['behind the cursor', 'const a = 1\nconst total = |sum(items)', 'const a = 1\nconst total = |'],
  ] as const) {
    test(`that was deleted ${name} is not offered there`, async () => {
      const harness = new Harness()
      harness.followed.change(`${head}const a =|\nconst total =`)
      void harness.type(`${head}${before}`)
      await settled()
      const asked = harness.models.calls.length
      if (asked > 0) await harness.models.last.answer('')
      const answer = harness.type(`${head}${after}`)
      await harness.clock.advance(400)
      assert.equal(harness.models.calls.length, asked + 1)
      await harness.models.last.answer('sum(items)')
      assert.equal(await answer, undefined)
    })
  }

  test('that was typed while it was visible comes back', async () => {
    const harness = new Harness()
    const answer = harness.type(`${head}const total = |`)
    await settled()
    await harness.models.last.answer('items.length')
    const whole = `${head}const total = items.length`
    assert.equal(await answer, whole)
    for (const typed of ['i', 'it', 'ite', 'it', 'i', '']) {
      assert.equal(await harness.type(`${head}const total = ${typed}|`), whole)
    }
  })

  test('that was typed while it was visible comes back with what the editor has closed behind it', async () => {
    const harness = new Harness()
    const answer = harness.type(`${head}items.|`)
    await settled()
    await harness.models.last.answer('run().then(1)')
    assert.equal(await answer, `${head}items.run().then(1)`)
    for (const typed of ['r|', 'ru|', 'run|', 'run(|)', 'run|'])
      assert.equal(await harness.type(`${head}items.${typed}`), `${head}items.run().then(1)`)
  })
})

describe('typing on', () => {
  test('typing through what is shown asks nothing more and shows the same', async () => {
    const harness = new Harness()
    const answer = harness.type(`${head}const total = |`)
    await settled()
    await harness.models.last.answer('items.length')
    const whole = `${head}const total = items.length`
    assert.equal(await answer, whole)
    for (const typed of ['i', 'it', 'items', 'items.', 'items.lengt']) {
      assert.equal(await harness.type(`${head}const total = ${typed}|`), whole)
    }
    assert.equal(harness.models.calls.length, 1)
  })

  test('typing through the first line of a block keeps its other lines', async () => {
    const harness = new Harness()
    const answer = harness.type('function add(a: number, b: number) {\n  |\n}')
    await settled()
    await harness.models.last.answer('const sum = a + b\n  return sum')
    const whole = 'function add(a: number, b: number) {\n  const sum = a + b\n  return sum\n}'
    assert.equal(await answer, whole)
    assert.equal(await harness.type('function add(a: number, b: number) {\n  const s|\n}'), whole)
  })

  test('an auto-closed bracket does not disturb', async () => {
    const harness = new Harness()
    const answer = harness.type(`${head}const total = |`)
    await settled()
    await harness.models.last.answer('sum(items)')
    await answer
    assert.equal(await harness.type(`${head}const total = sum(|)`), `${head}const total = sum(items)`)
    assert.equal(await harness.type(`${head}const total = sum(it|)`), `${head}const total = sum(items)`)
    assert.equal(harness.models.calls.length, 1)
  })

  test('typing that agrees keeps the request in flight, though the editor gives up each call', async () => {
    const harness = new Harness()
    void harness.type(`${head}const total = |`)
    await settled()
    void harness.type(`${head}const total = i|`)
    await settled()
    const answer = harness.type(`${head}const total = it|`)
    await settled()
    assert.equal(harness.models.calls.length, 1)
    assert.ok(!harness.models.last.signal.aborted)
    await harness.models.last.answer('items.length')
    assert.equal(await answer, `${head}const total = items.length`)
  })

  test('typing that differs stops the request and asks anew, never two at once', async () => {
    const harness = new Harness()
    void harness.type(`${head}const total = |`)
    await settled()
    await harness.models.last.emit('<insert>items.length\n')
    const answer = harness.type(`${head}const total = c|`)
    await settled()
    assert.equal(harness.models.calls.length, 2)
    assert.ok(harness.models.calls[0]?.signal.aborted)
    await harness.models.last.answer('ount')
    assert.equal(await answer, `${head}const total = count`)
    assert.equal(harness.models.peak, 1)
  })

  test('the first characters of a word that the document does not know are mostly a mistake: they wait', async () => {
    const harness = new Harness()
    const first = harness.type(`${head}const total = |`)
    await settled()
    await harness.models.last.answer('items.length')
    await first
    const asked = () => harness.models.calls.length
    void harness.type(`${head}const total = ix|`)
    await harness.clock.advance(249)
    assert.equal(asked(), 1)
    assert.equal(await harness.type(`${head}const total = i|`), `${head}const total = items.length`)
    void harness.type(`${head}const total = ix|`)
    await harness.clock.advance(250)
    assert.equal(asked(), 2, 'after a pause')
    harness.look = { id: 'other' }
    const second = harness.type(`${head}const total = |`)
    await settled()
    await harness.models.last.answer('items.length')
    await second
    for (const typed of ['y', 'yz']) void harness.type(`${head}const total = ${typed}|`)
    await settled()
    assert.equal(asked(), 3)
    void harness.type(`${head}const total = yza|`)
    await settled()
    assert.equal(asked(), 4, 'after two more characters')
  })

  test('an answer that disagrees is read no longer than half a second', async () => {
    const harness = new Harness()
    void harness.type(`${head}const total = |`)
    await settled()
    await harness.models.last.emit('<insert>items.length\nconst')
    void harness.type(`${head}const total = x;|`)
    void harness.type(`${head}const total = x; |`)
    await harness.clock.advance(499)
    assert.ok(!harness.models.calls[0]?.isOpen)
  })

  test('half a line that disagrees is enough to close a request, while further keys come', async () => {
    const harness = new Harness()
    void harness.type(`${head}const total = |`)
    await settled()
    await harness.models.last.emit('<insert>items.len')
    for (const typed of ['v', 'v;', 'v; ', 'v; ;', 'v; ;;']) {
      void harness.type(`${head}const total = ${typed}|`)
      await harness.clock.advance(99)
    }
    assert.ok(!harness.models.calls[0]?.isOpen)
  })

  test('half a line that disagrees makes room at once for the request that is due', async () => {
    const harness = new Harness()
    void harness.type(`${head}const total = |`)
    await settled()
    await harness.models.last.emit('<insert>items.len')
    const answer = harness.type(`${head}const total = c|`)
    await settled()
    assert.equal(harness.models.calls.length, 2)
    await harness.models.last.answer('ount')
    assert.equal(await answer, `${head}const total = count`)
  })

  test('a wrong key while half a line has come asks nothing, and its correction leads back to the answer', async () => {
    const harness = new Harness()
    void harness.type(`${head}const total = |`)
    await settled()
    await harness.models.last.emit('<insert>items.len')
    void harness.type(`${head}const total = x|`)
    await settled()
    const answer = harness.type(`${head}const total = |`)
    await harness.models.last.emit('gth')
    await harness.models.last.finish()
    assert.equal(harness.models.calls.length, 1)
    assert.equal(await answer, `${head}const total = items.length`)
  })

  test('where another request takes long, half a line outlives a mistake that looks like a word of the file', async () => {
    const harness = new Harness()
    harness.memory.set('pace https://api.example.com m', { firstTextMs: 1_000, agreement: 0.985 })
    void harness.type(`${head}const total = |`)
    await settled()
    await harness.models.last.emit('<insert>items.len')
    for (const typed of ['c', 'co', 'c', '']) {
      void harness.type(`${head}const total = ${typed}|`)
      await harness.clock.advance(120)
    }
    await harness.models.last.emit('gth\n')
    assert.equal(harness.models.calls.length, 1)
    assert.equal(await harness.ask(`${head}const total = |`), `${head}const total = items.length`)
  })

  test('so it does when the mistake was typed before anything had come', async () => {
    const harness = new Harness()
    harness.memory.set('pace https://api.example.com m', { firstTextMs: 1_000, agreement: 0.985 })
    void harness.type(`${head}const total = |`)
    await settled()
    void harness.type(`${head}const total = c|`)
    await harness.models.last.emit('<insert>items.len')
    await harness.clock.advance(120)
    assert.equal(harness.models.calls.length, 1)
    await harness.clock.advance(300)
    assert.equal(harness.models.calls.length, 2, 'but a pause shows that it is none')
  })

  const perhapsDropped: readonly [line: string, arriving: string][] = [
    ['const total = ', '<insert>const to'],
    ['const total = ', '<insert>```ty'],
    ['const total = ', '<ins'],
    ['const total = ', 'Sure, the'],
    ['const total = ', '<insert>\n  '],
    ['', '<insert>// src/'],
  ]
  for (const [line, arriving] of perhapsDropped) {
    test(`what may turn out to be no part of the answer closes nothing: ${JSON.stringify(arriving)}`, async () => {
      const harness = new Harness()
      void harness.type(`${head}${line}|`)
      await settled()
      await harness.models.last.emit(arriving)
      void harness.type(`${head}${line}v|`)
      await harness.clock.advance(450)
      assert.ok(harness.models.calls[0]?.isOpen)
    })
  }

  test('an answer that differs when it comes is replaced at once for the call that waits', async () => {
    const harness = new Harness()
    void harness.type(`${head}const total = |`)
    await settled()
    const answer = harness.type(`${head}const total = n|`)
    await settled()
    assert.equal(harness.models.calls.length, 1)
    await harness.models.last.emit('<insert>items.length\n')
    await settled()
    assert.equal(harness.models.calls.length, 2)
    await harness.models.last.answer('ull')
    assert.equal(await answer, `${head}const total = null`)
    assert.equal(harness.models.peak, 1)
  })

  test('a correction leads back to the answer', async () => {
    const harness = new Harness()
    const answer = harness.type(`${head}const total = it|`)
    await settled()
    await harness.models.last.answer('ems.length')
    const whole = `${head}const total = items.length`
    assert.equal(await answer, whole)
    await harness.type(`${head}const total = ite|`)
    assert.equal(await harness.type(`${head}const total = it|`), whole)
    assert.equal(harness.models.calls.length, 1)
  })

  test('after a wrong key and its correction the answer is still there', async () => {
    const harness = new Harness()
    const answer = harness.type(`${head}const total = |`)
    await settled()
    await harness.models.last.answer('items.length')
    await answer
    void harness.type(`${head}const total = x|`)
    await settled()
    assert.equal(await harness.type(`${head}const total = |`), `${head}const total = items.length`)
  })

  test('what comes after the accepted line is served from the same answer', async () => {
    const harness = new Harness()
    const answer = harness.type(`${head}const total = |`)
    await settled()
    await harness.models.last.answer('items.length\nconst half = total / 2')
    assert.equal(await answer, `${head}const total = items.length`)
    const accepted = `${head}const total = items.length`
    assert.equal(await harness.type(`${accepted}|`), `${accepted}\nconst half = total / 2`)
    assert.equal(harness.completer.counts.accepted, 1)
    assert.equal(harness.models.calls.length, 1)
  })

  test('a single character is no acceptance, nor is anything after the end', async () => {
    const harness = new Harness()
    const first = harness.type(`${head}const total = sum(items|`)
    await settled()
    await harness.models.last.answer(')')
    assert.equal(await first, `${head}const total = sum(items)`)
    void harness.type(`${head}const total = sum(items)|`)
    harness.look = { id: 'other' }
    const second = harness.type(`${head}const total = |`)
    await settled()
    await harness.models.last.answer('items')
    await second
    harness.completer.dispose()
    harness.followed.change(`${head}const total = items|`, harness.look)
    assert.equal(harness.completer.counts.accepted, 0)
  })

  test('the indentation that the editor puts in does not count', async () => {
    const harness = new Harness()
    const answer = harness.type('function f(a: number) {|')
    await settled()
    await harness.models.last.answer('\n  return a\n}')
    assert.equal(await answer, 'function f(a: number) {\n  return a\n}')
    assert.equal(await harness.type('function f(a: number) {\n    |'), 'function f(a: number) {\n    return a\n}')
    assert.equal(harness.models.calls.length, 1)
  })

  test('nor does that of a blank line, and what comes behind the block is not drawn into it', async () => {
    const above = 'def total(items):\n    '
    const look = { language: 'python', path: 'a.py', indent: '    ' }
    for (const [given, typed, shown] of [
      ['\n\n\nprint(total([]))', '\n    |', undefined],
      ['\n\n    print(items)', '\n    |', '\n    \n    print(items)'],
      ['\nprint(total([]))', '\n    |', undefined],
      ['\nprint(total([]))', '\n|', '\nprint(total([]))'],
    ] as const) {
      const harness = new Harness()
      harness.look = look
      const answer = harness.type(`${above}count = |`)
      await settled()
      await harness.models.last.answer(`len(items)${given}`)
      assert.equal(await answer, `${above}count = len(items)`)
      const next = harness.type(`${above}count = len(items)${typed}`)
      await harness.clock.advance(3_000)
      assert.equal(await next, shown && `${above}count = len(items)${shown}`, given)
    }
  })

  test('an edit further up moves the answer along', async () => {
    const harness = new Harness()
    const lines = Array.from({ length: 20 }, (_, at) => `const name${at} = ${at} // a line`).join('\n')
    const answer = harness.type(`${lines}\nconst total = |`)
    await settled()
    await harness.models.last.answer('name1 + name2')
    await answer
    const moved = `// a new first line\n${lines}\nconst total = `
    assert.equal(await harness.type(`${moved}|`), `${moved}name1 + name2`)
  })
})

describe('what follows a suggestion', () => {
  const line = `${head}const total = `
  /** A suggestion without anything behind it is visible. */
  const visible = async (harness: Harness) => {
    const answer = harness.type(`${line}|`)
    await settled()
    await harness.models.last.answer('items.length')
    await answer
  }
  const asked = ({ models }: Harness) => models.calls.length

  test('is requested as if that were accepted once it is visible for 300 ms, and is there when it is', async () => {
    const harness = new Harness()
    await visible(harness)
    await harness.clock.advance(299)
    assert.equal(asked(harness), 1)
    await harness.clock.advance(1)
    assert.equal(asked(harness), 2)
    assert.match(harness.models.last.lastMessage, /const total = items\.length▮/)
    await harness.models.last.answer('\nconst half = total / 2')
    assert.equal(await harness.type(`${line}items.length|`), `${line}items.length\nconst half = total / 2`)
    assert.equal(asked(harness), 2)
  })

  test('is not requested where the plan has no extra slot', async () => {
    const harness = new Harness()
    harness.hasExtraSlot = false
    await visible(harness)
    await harness.clock.advance(1_000)
    assert.equal(asked(harness), 1)
  })

  test('is given up when the service refuses it', async () => {
    const harness = new Harness()
    await visible(harness)
    await harness.clock.advance(300)
    await harness.models.last.fail(new ProblemError('limit', 429, {}, { retryAfterMs: 1_000 }))
    await harness.clock.advance(5_000)
    assert.equal(asked(harness), 2)
  })

  test('is given up with what Escape hides, unless its text is coming', async () => {
    const silent = new Harness()
    await visible(silent)
    await silent.clock.advance(300)
    silent.completer.dismiss()
    await settled()
    assert.ok(!silent.models.last.isOpen)
    const coming = new Harness()
    await visible(coming)
    await coming.clock.advance(300)
    await coming.models.last.emit('<insert>\nconst half')
    coming.completer.dismiss()
    await settled()
    assert.ok(coming.models.last.isOpen)
  })
})

describe('the time to the first text', () => {
  test('begins when the request is sent, and not while it waits for a slot', async () => {
    const harness = new Harness()
    void harness.type(`${head}const total = |`)
    await settled()
    await harness.clock.advance(2_000)
    const { request } = harness.models.last as { request: QueuedRequest }
    request.onSent?.()
    await harness.clock.advance(350)
    await harness.models.last.answer('items.length')
    assert.match(harness.log.join(), /first text after 350 ms/)
    assert.deepEqual(harness.memory.get('pace https://api.example.com m'), { firstTextMs: 350, agreement: 0.985 })
  })
})

describe('waiting', () => {
  test('a correction waits before it asks, and the next key calls it off', async () => {
    const harness = new Harness()
    harness.models.calls.length = 0
    void harness.type(`${head}const total = ab|`)
    await settled()
    await harness.models.last.answer('')
    void harness.type(`${head}const total = a|`)
    await harness.clock.advance(399)
    assert.equal(harness.models.calls.length, 1)
    void harness.type(`${head}const total = |`)
    await harness.clock.advance(399)
    assert.equal(harness.models.calls.length, 1)
    await harness.clock.advance(1)
    assert.equal(harness.models.calls.length, 2)
    assert.equal(harness.clock.waiting > 0, true)
  })

  test('a place that the user leaves meanwhile is not asked about, nor what would follow what was visible there', async () => {
    const harness = new Harness()
    void harness.type(`${head}const total = ab|`)
    await settled()
    await harness.models.last.answer('')
    const answer = harness.type(`${head}const total = a|`)
    await harness.clock.advance(100)
    harness.completer.leave()
    assert.equal(await answer, undefined)
    await harness.clock.advance(1_000)
    assert.equal(harness.models.calls.length, 1)
    const visible = harness.type(`${head}const total = a + |`)
    await settled()
    await harness.models.last.answer('sum(items)')
    assert.equal(await visible, `${head}const total = a + sum(items)`)
    harness.completer.leave()
    await harness.clock.advance(1_000)
    assert.equal(harness.models.calls.length, 2)
  })

  test('the delay of the settings is kept, and not for what the user asks for', async () => {
    const harness = new Harness()
    harness.settings = { ...harness.settings, delayMs: 1_000 }
    void harness.type(`${head}const total = |`)
    await harness.clock.advance(999)
    assert.equal(harness.models.calls.length, 0)
    void harness.ask(`${head}const total = |`, { isExplicit: true })
    await settled()
    assert.equal(harness.models.calls.length, 1)
  })

  test('a call given up ends without an answer and leaves no timer but that of the request', async () => {
    const harness = new Harness()
    const answer = harness.type(`${head}const total = |`)
    await settled()
    harness.cancel()
    assert.equal(await answer, undefined)
    assert.ok(!harness.models.last.signal.aborted)
    await harness.models.last.answer('items')
    assert.equal(harness.clock.waiting, 0)
  })

  test('at a word the editor is not kept waiting, and what comes late is announced once', async () => {
    const harness = new Harness()
    const answer = harness.type(`${head}const total = it|`)
    await harness.clock.advance(649)
    assert.equal(await Promise.race([answer, 'waiting']), 'waiting')
    await harness.clock.advance(1)
    assert.equal(await answer, undefined)
    await harness.models.last.answer('ems.length')
    assert.equal(harness.late.length, 1)
    assert.equal(
      await harness.ask(`${head}const total = it|`, { isExplicit: false }),
      `${head}const total = items.length`,
    )
    assert.equal(harness.late.length, 1)
  })

  test('what comes late for a text that went on is not announced', async () => {
    const harness = new Harness()
    void harness.type(`${head}const total = it|`)
    await harness.clock.advance(700)
    void harness.type(`${head}const total = itx|`)
    await settled()
    await harness.models.last.answer('ems.length')
    assert.equal(harness.late.length, 0)
  })

  test('a model that never begins is given up', async () => {
    const harness = new Harness()
    void harness.type(`${head}const total = |`)
    await harness.clock.advance(10_000)
    assert.ok(harness.models.last.signal.aborted)
    assert.equal(harness.clock.waiting, 0)
  })

  test('the same place is not asked about twice when nothing fitted', async () => {
    const harness = new Harness()
    const answer = harness.type(`${head}const total = |`)
    await settled()
    await harness.models.last.answer('')
    assert.equal(await answer, undefined)
    assert.equal(await harness.ask(`${head}const total = |`), undefined)
    assert.equal(harness.models.calls.length, 1)
    void harness.ask(`${head}const total = |`, { isExplicit: true })
    await settled()
    assert.equal(harness.models.calls.length, 2)
  })
})

describe('faults', () => {
  test('a refusal keeps quiet for as long as the service asks, even if the user asks', async () => {
    const harness = new Harness()
    const answer = harness.type(`${head}const total = |`)
    await settled()
    await harness.models.last.fail(new ProblemError('h', 429, {}, { retryAfterMs: 7_000 }))
    assert.equal(await answer, undefined)
    assert.equal(await harness.type(`${head}const total = i|`), undefined)
    assert.equal(await harness.type(`${head}const total = i|`, { isExplicit: true }), undefined)
    await harness.clock.advance(6_999)
    assert.equal(await harness.type(`${head}const total = it|`), undefined)
    assert.equal(harness.models.calls.length, 1)
    await harness.clock.advance(1)
    void harness.type(`${head}const total = ite|`)
    await harness.clock.advance(250)
    assert.equal(harness.models.calls.length, 2)
  })

  test('other faults keep quiet for 2, 4, 8 … 30 seconds, until one answer comes', async () => {
    const harness = new Harness()
    let text = `${head}const total = `
    for (const quietMs of [2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) {
      text += '(a + '
      void harness.type(`${text}|`)
      await settled()
      const asked = harness.models.calls.length
      await harness.models.last.fail(new Error('no'))
      await harness.clock.advance(quietMs - 1)
      await harness.type(`${text}(|`)
      assert.equal(harness.models.calls.length, asked, `${quietMs}`)
      await harness.clock.advance(1)
    }
    assert.ok(harness.log.every(line => line.startsWith('Quiet for')))
  })

  test('a stop from elsewhere is no fault', async () => {
    const harness = new Harness()
    const answer = harness.type(`${head}const total = |`)
    await settled()
    await harness.models.last.fail(new DOMException('a chat needs the slot', 'AbortError'))
    assert.equal(await answer, undefined)
    assert.deepEqual(harness.log, [])
    void harness.type(`${head}const total = (|`)
    await settled()
    assert.equal(harness.models.calls.length, 2)
  })

  test('what came before a break is used up to its last whole line', async () => {
    const harness = new Harness()
    const answer = harness.type('function add(a: number, b: number) {\n  |\n}')
    await settled()
    await harness.models.last.emit('<insert>const sum = a + b\n  retu')
    await harness.models.last.fail(new Error('reset'))
    assert.equal(await answer, 'function add(a: number, b: number) {\n  const sum = a + b\n}')
  })
})

describe('a model that thinks whatever it is told', () => {
  test('is asked by hand only, until it no longer thinks', async () => {
    const harness = new Harness()
    for (let at = 0; at < 12; at++)
      harness.thinking.record(withSwitch(harness), { hasThought: true, hasText: false, end: 'length' })
    const none = harness.type(`${head}const total = |`)
    assert.equal(await none, undefined)
    assert.equal(harness.models.calls.length, 0)
    for (const name of ['a', 'b', 'c']) {
      const asked = harness.type(`${head}const ${name} = |`, { isExplicit: true })
      await settled()
      await harness.models.last.answer('items.length')
      assert.equal(await asked, `${head}const ${name} = items.length`)
    }
    void harness.type(`${head}const d = i|`)
    await settled()
    assert.match(harness.models.last.lastMessage, /const d = i/)
  })

  const withSwitch = ({ thinking }: Harness) => {
    const thinkingOff = thinking.for('m')
    return { model: 'm', ...(thinkingOff && { thinkingOff }) }
  }
})

describe('asked for', () => {
  test('subtle hides what came by itself before, as a snooze does, until it is asked for', async () => {
    const harness = new Harness()
    const answer = harness.type(`${head}const total = |`)
    await settled()
    await harness.models.last.answer('items.length')
    assert.equal(await answer, `${head}const total = items.length`)
    harness.settings = { ...harness.settings, mode: 'subtle' }
    assert.equal(await harness.type(`${head}const total = i|`), undefined)
    const again = await harness.type(`${head}const total = it|`, { isExplicit: true })
    assert.equal(again, `${head}const total = items.length`)
    assert.equal(await harness.type(`${head}const total = ite|`), `${head}const total = items.length`)
  })

  test('subtle answers what is asked for and keeps it while it is typed through', async () => {
    const harness = new Harness()
    harness.settings = { ...harness.settings, mode: 'subtle' }
    assert.equal(await harness.type(`${head}const total = |`), undefined)
    assert.equal(harness.models.calls.length, 0)
    const answer = harness.ask(`${head}const total = |`, { isExplicit: true })
    await settled()
    await harness.models.last.answer('items.length')
    const whole = `${head}const total = items.length`
    assert.equal(await answer, whole)
    assert.equal(await harness.type(`${head}const total = i|`), whole)
    assert.equal(await harness.type(`${head}const total = x|`), undefined)
    assert.ok(harness.models.calls.every(({ lastMessage }) => lastMessage.includes('total = ▮')))
  })

  test('asking by hand works where it is quiet otherwise', async () => {
    const harness = new Harness()
    assert.equal(await harness.type(`${head}const a = 1;|`), undefined)
    const answer = harness.ask(`${head}const a = 1;|`, { isExplicit: true })
    await settled()
    await harness.models.last.answer('\nconst b = 2;')
    assert.equal(await answer, `${head}const a = 1;\nconst b = 2;`)
  })

  test('beside the suggestion list only what goes on from its item is offered', async () => {
    const harness = new Harness()
    const answer = harness.type(`${head}const total = it|`)
    await settled()
    await harness.models.last.answer('ems.length')
    await answer
    const start = head.length + 'const total = '.length
    const item = (text: string) => ({ selected: { start, end: start + 2, text } })
    assert.equal(await harness.ask(`${head}const total = it|`, item('items')), `${head}const total = items.length`)
    void harness.ask(`${head}const total = it|`, item('iterate'))
    await harness.clock.advance(700)
    assert.equal(await harness.ask(`${head}const total = it|`), `${head}const total = items.length`)
  })

  test('a document that is opened again is completed at the place where it was before', async () => {
    const harness = new Harness()
    for (const calls of [1, 2]) {
      const answer = harness.type(`${head}const total = |`)
      await settled()
      assert.equal(harness.models.calls.length, calls)
      await harness.models.last.answer('items')
      assert.equal(await answer, `${head}const total = items`)
      harness.completer.forget('file:///work/src/a.ts')
      harness.followed.change(`${head}|`)
    }
  })

  test('switching documents stops the request, closing one forgets its answers', async () => {
    const harness = new Harness()
    const answer = harness.type(`${head}const total = |`)
    await settled()
    await harness.models.last.answer('items')
    await answer
    const id = 'file:///work/src/a.ts'
    harness.completer.forget(id)
    void harness.ask(`${head}const total = |`, { isExplicit: true })
    await settled()
    assert.equal(harness.models.calls.length, 2)
    assert.equal(harness.models.last.request.temperature, 0, 'it is the first answer, and no other one')
    harness.look = { id: 'other' }
    void harness.type(`${head}const other = |`)
    await settled()
    assert.ok(harness.models.calls[1]?.signal.aborted)
    assert.equal(harness.models.peak, 1)
    harness.completer.dispose()
    await settled()
    assert.equal(harness.models.calls.filter(({ isOpen }) => isOpen).length, 0)
  })
})

describe('any typing against any model', () => {
  const key = fc.constantFrom('a', 'b', '(', ')', ' ', '\n', ';', 'BACK', 'ACCEPT', 'ASK')
  const fragment = fc.constantFrom(
    'a',
    'b',
    'ab',
    '(',
    ')',
    '\n',
    '\n  a',
    ' b',
    '</insert>',
    '```',
    'DONE',
    'FAIL',
    'PAUSE',
  )
  const step = fc.oneof(
    { weight: 2, arbitrary: key },
    fragment.map(text => ({ text })),
  )

  test('[R49] at most one request is open, what was typed stays, and nothing hangs', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async steps => {
        const harness = new Harness()
        let text = `${head}const total = `
        let offered: string | undefined
        for (const step of steps) {
          if (typeof step === 'object') {
            await speak(harness, step.text)
            continue
          }
          if (step === 'BACK') text = text.slice(0, -1)
          else if (step === 'ACCEPT') text = offered ?? text
          else if (step !== 'ASK') text += step
          offered = undefined
          const before = text
          void harness.type(`${text}|`, { isExplicit: step === 'ASK' }).then(suggestion => {
            assert.ok(suggestion === undefined || suggestion.startsWith(before), suggestion)
            if (before === text) offered = suggestion
          })
          await settled()
        }
        // What was taken is looked at for five minutes.
        await harness.clock.advance(400_000)
        assert.ok(harness.models.peak <= 1)
        assert.equal(harness.models.calls.filter(({ isOpen }) => isOpen).length, 0)
        assert.equal(harness.clock.waiting, 0)
        assert.ok(
          harness.log.every(line => /^(Quiet for|Completion at) /.test(line)),
          harness.log.join(),
        )
      }),
      { numRuns: 300 },
    )
  })

  async function speak({ models, clock }: Harness, word: string): Promise<void> {
    const call = models.calls.at(-1)
    if (word === 'PAUSE') await clock.advance(700)
    else if (!call?.isOpen) return
    else if (word === 'DONE') await call.finish()
    else if (word === 'FAIL') await call.fail(new Error('broken'))
    else await call.emit(word)
  }
})

describe('several suggestions for one place', () => {
  const start = `${head}const total = `
  const marked = `${start}|`

  /** Answers the requests that come one after the other. */
  async function answerNext(harness: Harness, ...texts: string[]): Promise<void> {
    for (const text of texts) {
      await settled()
      await harness.models.last.answer(text)
      await settled()
    }
  }

  test('are requested one after the other when the user asks while one is visible', async () => {
    const harness = new Harness()
    const shown = harness.type(marked)
    await answerNext(harness, 'items.length')
    await shown
    const all = harness.askAll(marked, { isExplicit: true })
    await answerNext(harness, 'sum(items)', 'Math.max(...items)')
    assert.deepEqual(await all, [`${start}items.length`, `${start}sum(items)`, `${start}Math.max(...items)`])
    assert.deepEqual(
      harness.models.calls.map(({ request }) => request.temperature),
      [0, 0.5, 0.9],
    )
    assert.equal(harness.models.peak, 1)
    assert.equal((await harness.askAll(marked)).length, 3, 'they are known now')
    assert.equal(harness.models.calls.length, 3)
  })

  test('come after the first where nothing is visible, and those that are the same do not', async () => {
    const harness = new Harness()
    harness.followed.change(marked)
    const first = harness.askAll(marked, { isExplicit: true })
    await answerNext(harness, 'items.length')
    assert.deepEqual(await first, [`${start}items.length`])
    await answerNext(harness, 'items.length', 'sum(items)')
    assert.equal(harness.others.length, 1)
    assert.deepEqual(await harness.askAll(marked), [`${start}items.length`, `${start}sum(items)`])
    const other = new Harness()
    const shown = other.type(marked)
    await answerNext(other, 'items.length')
    await shown
    const all = other.askAll(marked, { isExplicit: true })
    await answerNext(other, 'sum(items)', 'sum(items)')
    assert.deepEqual(await all, [`${start}items.length`, `${start}sum(items)`])
  })

  test('are not waited for any more once the user types, and each of them is followed when it is taken', async () => {
    const harness = new Harness()
    harness.followed.change(marked)
    const first = harness.askAll(marked, { isExplicit: true })
    await answerNext(harness, 'items.length')
    await first
    void harness.type(`${start}x|`)
    await harness.clock.advance(500)
    await answerNext(harness, 'sum(items)')
    await harness.clock.advance(500)
    assert.equal(harness.others.length, 0)
    assert.ok(harness.models.calls.every(({ request }) => request.temperature !== 0.9))
    const taken = new Harness()
    const shown = taken.type(marked)
    await answerNext(taken, 'items.length')
    await shown
    const all = taken.askAll(marked, { isExplicit: true })
    await answerNext(taken, 'sum(items)', '')
    assert.equal((await all).length, 2)
    taken.followed.change(`${start}sum(items)|`)
    assert.equal(taken.completer.counts.accepted, 1)
  })
})

describe('figures', () => {
  const shown = async (harness: Harness, marked: string, text: string) => {
    const answer = harness.type(marked)
    await settled()
    await harness.clock.advance(120)
    await harness.models.last.answer(text)
    await answer
  }
  const typed = (harness: Harness, marked: string) => {
    void harness.type(marked)
    return settled()
  }
  const counted = ({ counts }: Harness) => Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))

  test('what was shown, when, and taken whole, with what is left of it later', async () => {
    const harness = new Harness()
    await shown(harness, `${head}const total = |`, 'items.length')
    const { tokens, shownTokens, ...rest } = counted(harness)
    assert.deepEqual(rest, { requests: 1, shown: 1, within200: 1 })
    assert.ok((tokens ?? 0) > 0 && tokens === shownTokens)
    harness.followed.change(`${head}const total = items.length|`)
    assert.equal(harness.counts.taken, 1)
    assert.equal(harness.counts.takenChars, 12)
    harness.followed.change(`// a line above\n|${head}const total = items.length`)
    harness.followed.change(`// a line above\n${head}const total = items.size|`)
    await harness.clock.advance(30_000)
    assert.deepEqual([harness.counts.soonChars, harness.counts.soonKeptChars], [12, 6])
    harness.followed.change(`// a line above\n${head}const total = item|`)
    await harness.clock.advance(300_000)
    assert.deepEqual([harness.counts.laterChars, harness.counts.laterKeptChars], [12, 4])
  })

  test('what is taken is what was not typed before and did not stand there', async () => {
    const harness = new Harness()
    await shown(harness, `${head}const total = |`, 'items.length')
    await typed(harness, `${head}const total = i|`)
    await typed(harness, `${head}const total = it|`)
    harness.followed.change(`${head}const total = items.length|`)
    assert.equal(harness.counts.takenChars, 10)
    const closed = new Harness()
    await shown(closed, `${head}f(|)`, 'a, b)')
    closed.followed.change(`${head}f(a, b)|`)
    assert.deepEqual([closed.counts.taken, closed.counts.takenChars], [1, 4])
  })

  test('words and lines that were taken, and what was typed', async () => {
    const harness = new Harness()
    await shown(harness, `${head}const total = |`, 'items.length + 1')
    await typed(harness, `${head}const total = i|`)
    assert.equal(harness.counts.words, 0)
    await typed(harness, `${head}const total = items|`)
    assert.deepEqual([harness.counts.words, harness.counts.lines], [1, 0])
    await typed(harness, `${head}const total = items.length + 1|`)
    assert.deepEqual([harness.counts.words, harness.counts.lines, harness.counts.taken], [1, 0, 1])
    const other = new Harness()
    await shown(other, `${head}function total() {\n  |\n}`, 'const a = 1 + 2\n  return a')
    await typed(other, `${head}function total() {\n  const a = 1 + 2|\n}`)
    assert.deepEqual([other.counts.words, other.counts.lines, other.counts.taken], [0, 1, 0])
  })

  test('what was hidden is refused, and an answer that was never shown has received tokens alone', async () => {
    const harness = new Harness()
    await shown(harness, `${head}const total = |`, 'items.length')
    harness.completer.dismiss()
    assert.equal(harness.counts.refused, 1)
    const before = harness.counts
    await shown(harness, `${head}const total = 0\nf(a, |\n}`, '\n')
    assert.ok(harness.counts.tokens > before.tokens)
    assert.equal(harness.counts.shownTokens, before.shownTokens)
  })
})

describe('what was learnt of the model', () => {
  const key = 'pace https://api.example.com m'
  const start = `${head}const total = `
  const typing = async (kept: object, { gapMs = 120, hasFreeSlot = true } = {}) => {
    const harness = new Harness()
    harness.memory.set(key, kept)
    harness.hasFreeSlot = hasFreeSlot
    void harness.type(`${start}|`)
    for (const typed of ['a', 'ab', 'abc', 'abcd']) {
      await harness.clock.advance(gapMs)
      void harness.type(`${start}${typed}|`)
      await settled()
    }
    return harness
  }
  const cursors = ({ models }: Harness) =>
    models.calls.map(({ lastMessage }) => /const total = (\w*)▮/.exec(lastMessage)?.[1])

  test('replaces a request that is slow and hardly ever right, once in the time that an answer takes', async () => {
    const harness = await typing({ firstTextMs: 1_000, agreement: 0.6 })
    assert.deepEqual(cursors(harness), ['', 'a'])
    assert.deepEqual(
      harness.models.calls.map(({ isOpen }) => isOpen),
      [false, true],
    )
    assert.equal(harness.models.peak, 1)
    await harness.clock.advance(1_000)
    void harness.type(`${start}abcde|`)
    await settled()
    assert.deepEqual(cursors(harness), ['', 'a'], 'by now it is sooner to wait for the answer')
    await harness.models.last.answer('bcdefg()')
    assert.equal(await harness.ask(`${start}abcde|`), `${start}abcdefg()`)
  })

  test('keeps the request of a model that is mostly right, or fast, or whose plan has no other slot', async () => {
    const kept = [
      await typing({ firstTextMs: 1_000, agreement: 0.985 }),
      await typing({ firstTextMs: 250, agreement: 0.6 }),
      await typing({ firstTextMs: 1_000, agreement: 0.6 }, { hasFreeSlot: false }),
    ]
    for (const harness of kept) assert.deepEqual(cursors(harness), [''])
  })

  test('keeps a request whose answer has begun, however often it was wrong before', async () => {
    const harness = new Harness()
    harness.memory.set(key, { firstTextMs: 1_000, agreement: 0.3 })
    void harness.type(`${start}|`)
    await settled()
    await harness.models.last.emit('<insert>a')
    await harness.clock.advance(50)
    void harness.type(`${start}a|`)
    await settled()
    assert.deepEqual(cursors(harness), [''])
  })

  test('is learnt from the keys while it is known what might come next, and from no others', async () => {
    const harness = new Harness()
    const agreement = () => (harness.memory.get(key) as { agreement: number }).agreement
    const answer = harness.type(`${start}|`)
    await settled()
    await harness.models.last.answer('items.length')
    await answer
    await harness.clock.advance(60_000)
    await harness.type(`${start}i|`)
    const right = agreement()
    await harness.clock.advance(60_000)
    void harness.type(`${start}ix|`)
    await settled()
    const wrong = agreement()
    assert.ok(right > 0.985 && wrong < 0.98)
    await harness.clock.advance(60_000)
    void harness.type(`${start}ixy|`)
    await settled()
    assert.equal(agreement(), wrong)
  })

  test('holds the editor at a word only where the answer can be expected soon', async () => {
    const heldMs = async (firstTextMs: number, beforeMs: number) => {
      const harness = new Harness()
      harness.memory.set(key, { firstTextMs, agreement: 0.985 })
      harness.completer.changed(harness.followed.change(`${start}it|`))
      harness.completer.changed(harness.followed.change(`${start}ite|`))
      await harness.clock.advance(beforeMs)
      let isHeld = true
      void harness.ask(`${start}ite|`).then(() => (isHeld = false))
      await settled()
      const isHeldAtFirst = isHeld
      await harness.clock.advance(650)
      assert.ok(!isHeld)
      return isHeldAtFirst
    }
    assert.equal(await heldMs(350, 50), true)
    assert.equal(await heldMs(1_000, 50), false)
    assert.equal(await heldMs(1_000, 700), true, 'most of its time has passed')
    assert.equal(await heldMs(350, 450), true, 'it is due')
    assert.equal(await heldMs(350, 800), false, 'it is late')
  })
})

describe('the connection', () => {
  const start = `${head}const total = `

  test('is kept while the user types and no request is open, and renewed for one that was stopped', async () => {
    const harness = new Harness()
    void harness.type(`${start}|`)
    await settled()
    assert.deepEqual(harness.connection, { kept: 0, renewed: 0 }, 'the request opens one')
    await harness.models.last.answer('')
    assert.deepEqual(harness.connection, { kept: 0, renewed: 0 }, 'it is still there')
    void harness.type(`${head}const total |`)
    await settled()
    assert.deepEqual(harness.connection, { kept: 1, renewed: 0 })
    await harness.clock.advance(400)
    await harness.models.last.emit('<insert>= 1\nconst a = 2\nconst b = 3\nconst c = 4\n')
    assert.deepEqual(harness.connection, { kept: 1, renewed: 1 })
  })

  test('is left alone while nobody is signed in, on request only, and while the service is not asked', async () => {
    const signedOut = new Harness()
    signedOut.model = undefined
    const subtle = new Harness()
    subtle.settings = { ...subtle.settings, mode: 'subtle' }
    const excluded = new Harness()
    excluded.isTrusted = false
    const refused = new Harness()
    void refused.type(`${start}|`)
    await settled()
    await refused.models.last.fail(new TransportError('api.example.com', 'before', 'proxy'))
    for (const harness of [signedOut, subtle, excluded, refused]) {
      void harness.type(`${start}a|`)
      void harness.type(`${start}ab|`)
      await harness.clock.advance(500)
      assert.deepEqual(harness.connection, { kept: 0, renewed: 0 })
    }
  })
})

describe('text of a kind that is hardly ever taken', () => {
  const key = 'kinds https://api.example.com m'
  const kinds = (harness: Harness) => (harness.memory.get(key) ?? {}) as Record<string, [shown: number, taken: number]>
  const kind = 'typescript code short'
  const at = (number: number) => `const total${number} = `
  /** The editor's call in a document of its own, and the answer to it. */
  const show = async (harness: Harness, number: number, request: Partial<CompletionRequest> = {}, text = 'items') => {
    const before = harness.models.calls.length
    harness.look = { id: String(number) }
    const answer = harness.type(`${head}${at(number)}|`, request)
    await settled()
    if (harness.models.calls.length > before) await harness.models.last.answer(text)
    if (request.isExplicit) harness.cancel()
    return answer
  }
  const kept = (shown: number, taken: number) => {
    const harness = new Harness()
    harness.memory.set(key, { [kind]: [shown, taken] })
    return harness
  }

  test('is counted as not taken where it was seen and something else was typed, and else not', async () => {
    const harness = new Harness()
    await show(harness, 1)
    await harness.clock.advance(399)
    void harness.type(`${head}${at(1)}x|`)
    await settled()
    await show(harness, 2)
    assert.deepEqual(kinds(harness), {}, 'it was hardly noticed')
    await harness.clock.advance(400)
    void harness.type(`${head}${at(2)}x|`)
    await settled()
    await show(harness, 3)
    assert.deepEqual(kinds(harness), { [kind]: [1, 0] })
  })

  test('is counted as taken where it is accepted, in whole or in part, or typed to the end of its first line', async () => {
    const harness = new Harness()
    await show(harness, 1)
    harness.followed.change(`${head}${at(1)}items|`, harness.look)
    assert.deepEqual(kinds(harness), { [kind]: [1, 1] })
    await show(harness, 2, {}, 'items.map')
    await harness.type(`${head}${at(2)}items|`)
    assert.deepEqual(kinds(harness), { [kind]: [2, 2] })
    await show(harness, 3, {}, 'items\nconst more = 1')
    for (const typed of ['i', 'it', 'ite', 'item']) await harness.type(`${head}${at(3)}${typed}|`)
    assert.deepEqual(kinds(harness), { [kind]: [2, 2] })
    await harness.type(`${head}${at(3)}items|`)
    assert.deepEqual(kinds(harness), { [kind]: [3, 3] })
  })

  test('a mistake that is deleted at once counts for nothing, and Escape does at once', async () => {
    const harness = new Harness()
    await show(harness, 1)
    await harness.clock.advance(500)
    void harness.type(`${head}${at(1)}x|`)
    await settled()
    await harness.type(`${head}${at(1)}|`)
    harness.followed.change(`${head}${at(1)}items|`, harness.look)
    assert.deepEqual(kinds(harness), { [kind]: [1, 1] })
    await show(harness, 2)
    harness.completer.dismiss()
    assert.deepEqual(kinds(harness), { [kind]: [2, 1] })
  })

  test('is held back, is not requested again, and the log and the status have the reason', async () => {
    const harness = kept(100, 11)
    assert.equal(await show(harness, 1), undefined)
    assert.match(harness.log.at(-1) ?? '', /, held back$/)
    assert.deepEqual(harness.outcomes, [{ is: 'held back' }])
    assert.equal(await harness.ask(`${head}${at(1)}|`), undefined)
    assert.equal(harness.models.calls.length, 1)
    assert.equal(harness.late.length, 0)
    assert.equal(harness.completer.counts.shown, 0)
  })

  test('is shown where it is taken often enough, where too few were shown, and where another kind is meant', async () => {
    for (const harness of [kept(100, 13), kept(49, 0)]) assert.equal(await show(harness, 1), `${head}${at(1)}items`)
    const long = 'items.filter(item => item > 1).length'
    assert.equal(await show(kept(100, 0), 1, {}, long), `${head}${at(1)}${long}`)
  })

  test('is held back below a quarter after three in a row that were not taken', async () => {
    const harness = kept(100, 24)
    for (const number of [1, 2, 3]) {
      assert.equal(await show(harness, number), `${head}${at(number)}items`)
      harness.completer.dismiss()
      await harness.clock.advance(6_000)
    }
    assert.equal(await show(harness, 4), undefined)
    const long = 'items.filter(item => item > 1).length'
    await show(harness, 5, {}, long)
    harness.followed.change(`${head}${at(5)}${long}|`, harness.look)
    assert.equal(await show(harness, 6), `${head}${at(6)}items`)
  })

  test('is always shown to who asks, and taking it raises its chance while refusing it lowers nothing', async () => {
    const harness = kept(100, 11)
    assert.equal(await show(harness, 1, { isExplicit: true }), `${head}${at(1)}items`)
    assert.equal(await harness.type(`${head}${at(1)}i|`), `${head}${at(1)}items`, 'it stays while it is typed')
    harness.completer.dismiss()
    assert.deepEqual(kinds(harness)[kind], [100, 11])
    assert.equal(await show(harness, 2, { isExplicit: true }), `${head}${at(2)}items`)
    harness.followed.change(`${head}${at(2)}items|`, harness.look)
    assert.deepEqual(kinds(harness)[kind], [101, 12])
  })

  test('is shown one time in ten, so that it can be found useful again', async () => {
    const harness = kept(100, 0)
    const shown: number[] = []
    for (let number = 1; number <= 20; number++) {
      if ((await show(harness, number)) !== undefined) shown.push(number)
      assert.equal((await harness.ask(`${head}${at(number)}|`)) !== undefined, shown.includes(number))
    }
    assert.deepEqual(shown, [10, 20])
  })
})
