// What a prompt contains beside its document: the last edits, declarations, problems, cells and what was copied.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { CompletionContext } from '../../../src/core/complete/candidate.ts'
import { contextBudget } from '../../../src/core/complete/contextBudget.ts'
import { ContextCost } from '../../../src/core/complete/contextCost.ts'
import { cursorContextOf } from '../../../src/core/complete/cursorContext.ts'
import { type Definition, importedNames, outlineOf } from '../../../src/core/complete/declarations.ts'
import { fillInPrompt } from '../../../src/core/complete/fillInPrompt.ts'
import { completionRequest, promptParts, withHalfContext } from '../../../src/core/complete/prompt.ts'
import { type CellsAround, type GatheredParts, PromptSources } from '../../../src/core/complete/promptSources.ts'
import { PromptWriter } from '../../../src/core/complete/promptWriter.ts'
import { FakeClock, settled } from '../../support/fakeClock.ts'
import { wordsOf } from '../../support/messages.ts'
import { FollowedDocuments } from './followedDocuments.ts'
import { holeMode } from './holeMode.ts'
import { snapshotAt } from './snapshots.ts'

class Harness {
  readonly clock = new FakeClock()
  readonly followed = new FollowedDocuments()
  readonly asked: number[] = []
  readonly refused = new Set<string>()
  definition: Definition | undefined
  problems: string[] = []
  cells: CellsAround = { above: [], below: [] }
  clipboard = ''
  clipboardReads = 0
  readonly sources = new PromptSources({
    clock: this.clock,
    access: { refusalOf: ({ uri }) => (this.refused.has(uri) ? { reason: 'untrusted' } : undefined) },
    definitionOf: async (_, offset) => {
      this.asked.push(offset)
      return this.definition
    },
    problemsIn: (_, first, last) => (first <= 1 && last >= 1 ? this.problems : []),
    cellsAround: () => this.cells,
    clipboard: async () => {
      this.clipboardReads++
      return this.clipboard
    },
    log: { debug: text => assert.fail(text) },
  })

  /** The document is this, and the user pauses. */
  async at(marked: string, id = 'file:///work/src/a.ts'): Promise<GatheredParts> {
    const snapshot = this.followed.change(marked, { id, path: id.slice('file:///work/'.length) })
    this.sources.follow(snapshot)
    await this.clock.advance(200)
    await settled()
    return this.sources.for(snapshot)
  }
}

describe('the last edits', () => {
  const lines = Array.from({ length: 40 }, (_, at) => `line${at}()`)
  const text = (changed: Readonly<Record<number, string>>, cursor: number) =>
    lines.map((line, at) => (changed[at] ?? line) + (at === cursor ? '|' : '')).join('\n')

  test('are diffs, without the one that is going on', async () => {
    const harness = new Harness()
    await harness.at(text({}, 3))
    await harness.at(text({ 3: 'first' }, 3))
    assert.deepEqual((await harness.at(text({ 3: 'first(1)', 5: 'near()' }, 5))).edits, [])
    const { edits } = await harness.at(text({ 3: 'first(1)', 5: 'near()', 30: 'far()' }, 30))
    assert.deepEqual(edits, ['src/a.ts:4\n-line3()\n+first(1)\nsrc/a.ts:6\n-line5()\n+near()'])
  })

  test('are six, small, of every document, and leave out what came to nothing', async () => {
    const harness = new Harness()
    const edited: Record<number, string> = {}
    await harness.at(text({}, 0))
    for (let at = 0; at < 8; at++) {
      edited[at * 5] = `${'x'.repeat(at === 7 ? 2_000 : 10)}${at}`
      await harness.at(text(edited, at * 5))
    }
    await harness.at('|', 'file:///work/src/b.ts')
    const { edits } = await harness.at('b|', 'file:///work/src/b.ts')
    assert.equal(edits.length, 6)
    assert.ok(edits.every(diff => diff.length <= 500))
    assert.match(edits.at(-1) ?? '', /^src\/a\.ts:36\n-line35\(\)\n\+x{160}$/)
    harness.refused.add('file:///work/src/a.ts')
    assert.deepEqual((await harness.at('bb|', 'file:///work/src/b.ts')).edits, [])
    const undone = new Harness()
    await undone.at(text({}, 0))
    await undone.at(text({ 0: 'x' }, 0))
    await undone.at(text({}, 0))
    assert.deepEqual((await undone.at(text({ 30: 'y' }, 30))).edits, [])
  })
})

describe('declarations', () => {
  const cases: [string, string, string[]][] = [
    [
      'TypeScript',
      "import { total, type Price } from './price.ts'\nimport x from 'x'\n\nlet price: Price = total(|",
      ['total', 'Price'],
    ],
    ['several lines', "import {\n  total,\n  Price,\n} from './price.ts'\nconst rest = 1\n\ntotal(rest|", ['total']],
    ['Python', 'from shop.price import total, Price\n\nprint(total(Price(|', ['Price', 'total']],
    ['Rust', 'use crate::price::{total, Price};\n\nfn f(a: Price) {\n  total(|', ['total', 'Price']],
    ['require', "const { total } = require('./price')\ntotal(|", ['total']],
    ['what is used nowhere near', `import { total } from './price'\ntotal()\n${'x()\n'.repeat(40)}|`, []],
  ]
  for (const [name, marked, expected] of cases) {
    test(`of ${name} are those of imported names that are used`, () => {
      assert.deepEqual(
        importedNames(snapshotAt(marked)).map(({ text }) => text),
        expected,
      )
    })
  }

  const outlines: [string, string, string][] = [
    [
      'a function',
      'export function total(a: number): number {\n  return a\n}\n',
      'export function total(a: number): number {\n  return a\n}',
    ],
    [
      'a class',
      'class Price:\n    def net(self):\n        return 1\n\n    def gross(self):\n        return 2\n\nx = 1',
      'class Price:\n    def net(self):\n    def gross(self):',
    ],
    [
      'an interface',
      'interface Price {\n  net: number\n  gross: number\n}\n',
      'interface Price {\n  net: number\n  gross: number\n}',
    ],
    ['a constant', 'export const price = 12\nexport const other = 1\n', 'export const price = 12'],
  ]
  for (const [name, text, expected] of outlines) {
    test(`of ${name} are shown by their outline`, () => assert.equal(outlineOf(text, 0), expected))
  }

  test('are asked for while the user pauses, once in a minute, and stay in the order of their first use', async () => {
    const harness = new Harness()
    harness.definition = { path: 'src/price.ts', text: 'export const price = 12\n', line: 0 }
    const start = "import { price } from './price.ts'\n\n"
    const { declarations } = await harness.at(`${start}use(price|`)
    assert.deepEqual(declarations, [{ path: 'src/price.ts', text: 'export const price = 12' }])
    await harness.at(`${start}use(price)|`)
    assert.deepEqual(harness.asked, [start.indexOf('price')])
    await harness.clock.advance(60_000)
    await harness.at(`${start}use(price))|`)
    assert.equal(harness.asked.length, 2)
    const far = await harness.at(`${start}use(price)\n${'x()\n'.repeat(40)}|`)
    assert.equal(far.declarations.length, 1)
  })
})

describe('problems', () => {
  test('are those of the line to which the cursor has come, and stay while it is being typed', async () => {
    const harness = new Harness()
    await harness.at('a|\nb\nc\n')
    harness.problems = ['No such name:\n  b']
    harness.sources.follow(harness.followed.look('a\nb|\nc\n'))
    await harness.clock.advance(200)
    assert.deepEqual(harness.sources.for(harness.followed.look('a\nb|\nc\n')).problems, ['No such name: b'])
    harness.problems = ['Something else, because the line is half typed']
    assert.deepEqual((await harness.at('a\nb.|\nc\n')).problems, ['No such name: b'])
    assert.deepEqual((await harness.at('a\nb.\nc|\n')).problems, [], 'typed there at once')
  })

  test('that are solved go, and those that come late to a line come, once the user rests there', async () => {
    const harness = new Harness()
    const problemsAt = async (marked: string) => {
      await harness.at(marked)
      await harness.clock.advance(800)
      return harness.sources.for(harness.followed.look(marked)).problems
    }
    await harness.at('a|\nb\nc\n')
    harness.sources.follow(harness.followed.look('a\nb|\nc\n'))
    await harness.clock.advance(500)
    harness.problems = ['No such name: b', 'Unused']
    await harness.clock.advance(500)
    assert.deepEqual(harness.sources.for(harness.followed.look('a\nb|\nc\n')).problems, ['No such name: b', 'Unused'])
    harness.problems = ['Unused', 'A name is expected']
    assert.deepEqual(await problemsAt('a\nd.|\nc\n'), ['Unused'])
  })
})

test('the cells of a notebook come as far as there is room, the nearest first, and only those that may be read', async () => {
  const harness = new Harness()
  const read: string[] = []
  function* cells(...texts: readonly string[]) {
    for (const text of texts) {
      read.push(text)
      yield snapshotAt(`${text}|`, { id: text, path: 'book.ipynb' })
    }
  }
  const long = 'x'.repeat(1_790)
  harness.cells = { above: cells('b = 1\n', 'secret', 'import a', long, 'far'), below: cells('plot(b)', long, 'far') }
  harness.refused.add('secret')
  const found = (await harness.at('|')).cells
  assert.deepEqual(
    found.map(({ path, text }) => [path.replace('src/a.ts', ''), text]),
    [
      ['', 'import a'],
      ['', 'b = 1'],
      [', below', 'plot(b)'],
    ],
  )
  assert.ok(!read.includes('far'), 'no more than there is room for is read')
})

describe('what was copied', () => {
  const from = snapshotAt('const total = sum(prices)|', { id: 'file:///work/src/b.ts' })
  const text = 'const total = sum(prices)'

  test('is known for a minute where it was selected before, and is not in the document', async () => {
    const harness = new Harness()
    harness.clipboard = text
    assert.equal((await harness.at('a|')).copied, '')
    assert.equal(harness.clipboardReads, 0, 'the clipboard is not read where nothing was selected')
    harness.sources.select({ from, text })
    assert.equal((await harness.at('ab|')).copied, text)
    assert.equal((await harness.at(`${text}|`)).copied, '')
    harness.refused.add(from.id)
    assert.equal((await harness.at('abc|')).copied, '')
    harness.refused.clear()
    await harness.clock.advance(60_000)
    assert.equal((await harness.at('abcd|')).copied, '')
  })

  test('from elsewhere, and prose, are left out', async () => {
    const harness = new Harness()
    harness.sources.select({ from, text })
    harness.clipboard = 'a password of another program'
    assert.equal((await harness.at('a|')).copied, '')
    const prose = new Harness()
    prose.clipboard = text
    prose.sources.select({ from: { ...from, language: 'markdown' }, text })
    assert.equal((await prose.at('a|')).copied, '')
  })
})

describe('in the prompt', () => {
  const gathered: GatheredParts = {
    declarations: [{ path: 'src/price.ts', text: 'export const price = 12' }],
    cells: [{ path: 'book.ipynb', text: 'import a' }],
    edits: ['src/a.ts:4\n-a\n+b'],
    problems: ['No such name: b'],
    copied: 'const c = 3',
  }
  const parts = promptParts(snapshotAt('a\nb|\nc'), [{ path: 'src/d.ts', text: 'd' }], gathered)

  test('what changes seldom comes first, the rest before the text above the cursor', () => {
    const text = completionRequest('m', parts, 'line').messages.map(wordsOf).at(-1) ?? ''
    const order = [
      'src/price.ts',
      'import a',
      'src/d.ts',
      '<below_cursor_line>',
      '+b',
      'No such',
      'const c',
      '<through_',
    ]
    const places = order.map(one => text.indexOf(one))
    assert.ok(
      places.every((place, at) => place > (places[at - 1] ?? -1)),
      `${places}`,
    )
    assert.match(text, /<recent_edits>\nsrc\/a\.ts:4\n-a\n\+b\n<\/recent_edits>\n/)
    const empty =
      completionRequest('m', promptParts(snapshotAt('a|'), []), 'line')
        .messages.map(wordsOf)
        .at(-1) ?? ''
    assert.doesNotMatch(empty, /recent_edits|problems|copied/)
  })

  test('all of it stays within its budget, and what is worth most comes first', () => {
    const text = (name: string, chars: number) =>
      `const ${name}Value = ${name}Make(${name}Input)\n`.repeat(chars).slice(0, chars)
    const gathered: GatheredParts = {
      declarations: [{ path: 'src/price.ts', text: text('price', contextBudget.declarations) }],
      cells: [{ path: 'book.ipynb', text: text('cell', contextBudget.cells) }],
      edits: ['oldest', 'older', 'old', 'new', 'newer', 'newest'].map(name => name.padEnd(500, '.')),
      problems: ['first', 'second', 'third'].map(name => name.padEnd(160, '.')),
      copied: 'copied'.padEnd(800, '.'),
    }
    const names = ['red', 'green', 'blue']
    const others = names.map(name => snapshotAt(`${text(name, 2_000)}|`, { id: name, path: `${name}.ts` }))
    const nothing = { ...gathered, declarations: [], cells: [], edits: [], copied: '' }
    const writer = (parts: GatheredParts) =>
      new PromptWriter({
        neighbours: () => others,
        access: { refusalOf: () => undefined },
        thinking: { for: () => undefined },
        sources: { for: () => parts },
        modes: holeMode,
      })
    const written = (from: PromptWriter, name: string) => {
      const snapshot = snapshotAt(`${text(name, 500)}|`)
      const cursor = cursorContextOf(snapshot)
      const context = { snapshot, cursor, shape: 'line', model: 'm' } as CompletionContext // as: what is read of it
      const { request } = from.write(context, 0)
      return request.messages.map(wordsOf).at(-1) ?? ''
    }
    const whole = writer(gathered)
    const prompts = names.map(name => written(whole, name))
    const { lasting, surplus, recent } = contextBudget
    for (const prompt of prompts) assert.ok(prompt.length <= lasting + surplus + recent + 1_000, `${prompt.length}`)
    assert.match(prompts[0] ?? '', /newer\.+\nnewest\.+\n<\/recent_edits>\n<problems>\nfirst/)
    assert.doesNotMatch(prompts[0] ?? '', /oldest|copied/)
    assert.match(written(writer(nothing), 'red'), /path="red\.ts"[\s\S]*first[\s\S]*second[\s\S]*third/)
  })

  test('of tokens, only other files are shown', () => {
    assert.match(fillInPrompt(parts), /^<\|file_sep\|>src\/price\.ts\nexport const price = 12\n/)
    assert.doesNotMatch(fillInPrompt(parts), /No such name/)
  })

  test('the half of them keeps the first files and the last edits', () => {
    const half = withHalfContext({ ...parts, edits: ['1', '2', '3'] })
    assert.deepEqual([half.snippets.length, half.edits, half.copied], [1, ['2', '3'], ''])
  })
})

describe('the cost of the context', () => {
  const costOf = (msFor: (chars: number, at: number) => number) => {
    const cost = new ContextCost()
    for (let at = 0; at < 100; at++) {
      const chars = 100 + (at % 10) * 500
      cost.sent(`${at}`.padStart(4, '0') + 'x'.repeat(chars - 4))
      cost.received(msFor(chars, at))
    }
    return cost
  }

  test('is too high where new text costs time, and not where it does not', () => {
    const noise = (at: number) => ((at * 7_919) % 101) - 50
    assert.ok(costOf((chars, at) => 300 + chars / 20 + noise(at)).isTooHigh(4_500))
    assert.ok(!costOf((chars, at) => 300 + chars / 20 + noise(at)).isTooHigh(1_000))
    assert.ok(!costOf((_, at) => 300 + noise(at) * 4).isTooHigh(4_500))
  })
})
