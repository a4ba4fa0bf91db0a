// Completion requests: their form, their limits, and how little of them changes while typing.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { clean } from '../../../src/core/complete/clean.ts'
import { cursorContextOf } from '../../../src/core/complete/cursorContext.ts'
import {
  completionRequest,
  promptParts,
  textsOf,
  windowAfter,
  windowBefore,
} from '../../../src/core/complete/prompt.ts'
import { MarksOfDocuments } from '../../../src/core/complete/promptMarks.ts'
import { SnippetSelector, similarity } from '../../../src/core/complete/snippetSelector.ts'
import { wordsOf } from '../../support/messages.ts'
import { type Look, snapshotAt } from './snapshots.ts'

const partsAt = (document: string, look?: Look) => promptParts(snapshotAt(document, look), [])
const ask = (document: string, look?: Look) => completionRequest('m', partsAt(document, look), 'line')
const textOf = (request: ReturnType<typeof ask>) => [request.system, ...request.messages.map(wordsOf)].join('\n')
const lines = (count: number, what = 'line') =>
  Array.from({ length: count }, (_, at) => `const ${what}${at} = ${at}`).join('\n')

/** The sentence that ends the request names the mark, too. */
const cursorIn = (text: string) => text.lastIndexOf('▮', text.lastIndexOf('</through_cursor_line>'))

describe('the request', () => {
  test('has the form that was agreed', () => {
    const snippets = [{ path: 'src/b.ts', text: 'const b = 1' }]
    const request = completionRequest('m', promptParts(snapshotAt('const a = |)\n\nreturn a\n'), snippets), 'line')
    assert.ok(request.system?.startsWith('You complete code at the cursor'))
    const last = request.messages.at(-1)
    assert.ok(last?.role === 'user')
    assert.equal(
      wordsOf(last),
      `<context path="src/b.ts">
const b = 1
</context>
<file path="src/a.ts" language="typescript">
<below_cursor_line>

return a
</below_cursor_line>
<through_cursor_line>
const a = ▮)</through_cursor_line>
</file>
At ▮: this line, and the next two if they are sure.`,
    )
  })

  test('is sure, short and last in line', () => {
    const { temperature, stop, lane, model } = ask('a|')
    assert.deepEqual(
      { temperature, stop, lane, model },
      { temperature: 0, stop: ['</insert>'], lane: 'completion', model: 'm' },
    )
  })

  test('says last how much is wanted, and has a limit for it', () => {
    const asked = (['rest', 'line', 'block'] as const).map(shape => {
      const { maxTokens, messages } = completionRequest('m', partsAt('a|'), shape)
      return [maxTokens, messages.map(wordsOf).at(-1)?.split('\n').at(-1)]
    })
    assert.deepEqual(asked, [
      [64, 'At ▮: the rest of this line only.'],
      [128, 'At ▮: this line, and the next two if they are sure.'],
      [192, 'At ▮: the whole block, at most six lines.'],
    ])
  })

  test('shows examples as turns, each answered in the tags as it would be answered to this prompt', () => {
    const { messages } = ask('a|')
    const examples = messages.slice(0, -1).map(wordsOf)
    const pairs = examples.flatMap((text, at) => (at % 2 === 0 ? [{ given: text, answer: examples[at + 1] }] : []))
    for (const { given, answer } of pairs) {
      assert.match(given, /▮.*<\/through_cursor_line>\n<\/file>\nAt ▮: [^\n]*\.$/)
      assert.match(answer ?? '', /^<insert>[\s\S]*<\/insert>$/)
    }
    const answerTo = (text: string) => pairs.find(({ given }) => given.includes(text))?.answer?.slice(8, -9)
    assert.equal(answerTo('sum(items.▮)'), 'map(item => item.price)')
    assert.match(answerTo('def mean(values):\n    ▮') ?? '', /^\S.*:\n {8}\S.*\n {4}\S.*$/)
    assert.match(answerTo('entry and returns▮') ?? '', /^ \S/)
    assert.match(answerTo('\tret▮') ?? '', /^urn /)
    assert.match(answerTo('createServer(answer)▮') ?? '', /^\n\S/)
    assert.match(answerTo('<context') ?? '', /^inCents\(/)
    assert.equal(answerTo('  return size\n}'), '')
    assert.equal(pairs.length, 7)
  })

  test('a name of a file cannot end its tag', () => {
    const text = textOf(ask('a|', { path: 'a"><file path="x\n.ts' }))
    assert.ok(text.includes('<file path="a___file path=_x_.ts" '))
  })

  test('stays within its size, however large the document', () => {
    const request = ask(`${lines(20_000)}\n|\n${lines(20_000)}`)
    const last = request.messages.at(-1)
    assert.ok(last && wordsOf(last).length < 6_000 * 1.25 + 1_500 + 600)
    assert.ok(textOf(ask(`${'x'.repeat(9_000)}|${'y'.repeat(9_000)}`)).length < 64_000)
  })
})

describe('mark and tags', () => {
  const file = { id: 'a', language: 'typescript' }
  const requestFor = (document: string, marks = new MarksOfDocuments()) => {
    const parts = partsAt(document)
    return completionRequest('m', parts, 'line', { marks: marks.marksFor(file, textsOf(parts)) })
  }

  test('are others where a part contains the usual ones', () => {
    for (const text of [
      '▮',
      '<insert>',
      '<insert id="one">',
      '<INSERT>',
      '</insert >',
      '</file>',
      '</context>',
      '</through_cursor_line>',
    ]) {
      for (const document of [`${text} |`, `| ${text}`, `|\n${text}`]) {
        const request = requestFor(document)
        assert.deepEqual(request.stop, ['</insert2>'], document)
        const last = wordsOf(request.messages.at(-1) ?? assert.fail())
        assert.equal(last.split('▮2').length, 3, document)
        assert.match(last, /^<file2 [^>]*>\n<below_cursor_line2>[\s\S]*<\/through_cursor_line2>\n<\/file2>\nAt ▮2: /)
        const others = [request.system, ...request.messages.slice(0, -1).map(wordsOf)].join('\n')
        assert.doesNotMatch(others, /▮(?!2)|<\/?(insert|file|context)\b(?!2)/)
      }
    }
    assert.deepEqual(requestFor('▮ <insert2> </file3> |').stop, ['</insert4>'])
  })

  test('stay while the document is open', () => {
    const marks = new MarksOfDocuments()
    assert.deepEqual(requestFor('<insert>|', marks).stop, ['</insert2>'])
    assert.deepEqual(requestFor('plain|', marks).stop, ['</insert2>'])
    marks.forget('a')
    assert.deepEqual(requestFor('plain|', marks).stop, ['</insert>'])
  })

  test('are others where the first element of the name may be in an answer', () => {
    const marks = new MarksOfDocuments().marksFor({ id: 'a', language: 'xml' }, ['<mapper>'])
    const element = '<insert id="add">\n  INSERT INTO parcel VALUES (#{id})\n</insert>'
    const cursor = cursorContextOf(snapshotAt('<mapper>\n|\n</mapper>', { language: 'xml' }))
    assert.equal(clean(marks.opening + element + marks.closing, cursor, marks), element)
  })

  test('of a snippet and its path count, too', () => {
    const texts = (path: string, text: string) => textsOf(promptParts(snapshotAt('|'), [{ path, text }]))
    assert.equal(new MarksOfDocuments().marksFor(file, texts('b.ts', 'x</insert>')).number, 2)
    assert.equal(new MarksOfDocuments().marksFor(file, texts('▮.ts', 'x')).number, 2)
  })
})

describe('while typing', () => {
  test('only the end of the request changes', () => {
    for (const above of [10, 300, 3_000]) {
      const before = textOf(ask(`${lines(above)}\nconst total = |\n${lines(500, 'below')}`))
      const after = textOf(ask(`${lines(above)}\nconst total = items|\n${lines(500, 'below')}`))
      assert.ok(commonPrefixLength(before, after) > cursorIn(before) - 1, `${above}`)
    }
  })

  test('an auto-closed bracket changes only the end, too', () => {
    const before = textOf(ask(`${lines(100)}\nconst total = sum|\n${lines(50)}`))
    const after = textOf(ask(`${lines(100)}\nconst total = sum(|)\n${lines(50)}`))
    assert.ok(commonPrefixLength(before, after) >= cursorIn(before))
  })

  test('the window above stays where it begins for many lines, and never grows too large', () => {
    const begins = new Set<string>()
    let text = lines(1_000)
    for (let line = 0; line < 256; line++) {
      text += `\nconst more${line} = ${line}`
      const window = windowBefore(text)
      assert.ok(text.endsWith(window) && window.length <= 7_500 && window.length >= 3_000)
      begins.add(window.slice(0, 30))
    }
    assert.ok(begins.size <= 6, `${begins.size} beginnings`)
  })

  test('the window below is whole lines, and the same for the same text', () => {
    assert.equal(windowAfter('a\nb\n'), 'a\nb')
    const window = windowAfter(`${lines(200)}\n`)
    assert.equal(window.split('\n').length % 16, 0)
    assert.ok(window.length <= 1_500)
    assert.equal(windowAfter('x'.repeat(9_000)).length, 1_500)
  })
})

describe('pieces of other files', () => {
  const file = (name: string, text: string, look: Look = {}) =>
    snapshotAt(`${text}|`, { id: name, path: name, version: 1, ...look })
  const here = (text: string) => snapshotAt(text, { id: 'here' })
  const alike = 'export function parseOrder(order: Order) {\n  return order.lines.map(parseLine)\n}'

  test('are those that talk about the same', () => {
    const snippets = new SnippetSelector().select(
      here('import { Order, parseLine } from orders\nconst order: Order = x\n|'),
      [file('other.ts', 'const colour = paint(wall)\nbrush(wall)'), file('orders.ts', alike)],
    )
    assert.deepEqual(
      snippets.map(({ path }) => path),
      ['orders.ts'],
    )
  })

  test('of the same family of languages, and not of the document itself', () => {
    const about = here('const order: Order = parseLine(lines)\nexport function parseOrder\n|')
    const paths = (look: Look) => new SnippetSelector().select(about, [file('a', alike, look)]).map(({ path }) => path)
    assert.deepEqual(paths({}), ['a'])
    assert.deepEqual(paths({ language: 'javascriptreact' }), ['a'])
    assert.deepEqual(paths({ language: 'python' }), [])
    assert.deepEqual(paths({ id: 'here' }), [])
  })

  test('keep their order while others come to it, and do not grow without end', () => {
    const context = new SnippetSelector()
    const text = (name: string) => `${`const ${name}Value = ${name}Make(${name}Input)\n`.repeat(40)}`
    const others = ['red', 'green', 'blue', 'white'].map(name => file(`${name}.ts`, text(name)))
    const at = (name: string) => context.select(here(`${text(name)}|`), others).map(({ path }) => path)
    assert.deepEqual(at('red'), ['red.ts'])
    assert.deepEqual(at('green'), ['red.ts', 'green.ts'])
    assert.deepEqual(at('red'), ['red.ts', 'green.ts'])
    at('blue')
    const snippets = context.select(here(`${text('white')}|`), others)
    assert.ok(snippets.reduce((sum, snippet) => sum + snippet.text.length, 0) <= 4_500 * 1.5)
    assert.ok(snippets.some(({ path }) => path === 'white.ts'))
  })

  test('change with their file, not with the line being typed', () => {
    const context = new SnippetSelector()
    const before = context.select(here('const order: Order = parseLine(lines)\n|'), [file('a', alike)])
    const typed = context.select(here('const order: Order = parseLine(lines)\nwall.paint(bru|'), [file('a', alike)])
    assert.deepEqual(typed, before)
    const changed = context.select(here('const order: Order = parseLine(lines)\n|'), [
      file('a', `// new\n${alike}`, { version: 2 }),
    ])
    assert.match(changed[0]?.text ?? '', /^\/\/ new/)
  })

  test('likeness is shared names by all names', () => {
    assert.equal(similarity(new Set(['a', 'b']), new Set(['b', 'c'])), 1 / 3)
    assert.equal(similarity(new Set(), new Set(['a'])), 0)
  })
})

function commonPrefixLength(a: string, b: string): number {
  const limit = Math.min(a.length, b.length)
  for (let at = 0; at < limit; at++) if (a[at] !== b[at]) return at
  return limit
}
