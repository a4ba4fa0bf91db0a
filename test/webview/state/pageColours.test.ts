// What the page asks for of its code blocks' colours, and what it makes of the answers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BlockColours, FromPage } from '../../../src/protocol/panel.ts'
import { PageColours } from '../../../src/webview/state/pageColours.ts'
import { FakeClock } from '../../support/fakeClock.ts'

type Request = Extract<FromPage, { kind: 'colour' }>

function page() {
  const sent: Request[] = []
  const rules = new Map<number, string>()
  const clock = new FakeClock()
  const colours = new PageColours({
    clock,
    rules: { define: (index, color, font) => rules.set(index, `${color}/${font}`), clear: () => rules.clear() },
    send: message => message.kind === 'colour' && sent.push(message),
    theme: () => ({ id: 'Dark', kind: 'vs-dark' }),
  })
  const { block, dispose } = colours.open()
  const last = () => sent.at(-1) as Request
  const answer = (answered: BlockColours, request = last()) =>
    colours.receive({ kind: 'colours', block: request.block, request: request.request, name: 'T', colours: answered })
  /** One span of style 1 for each line. */
  const colour = (request = last()) => {
    const lines = request.text.split('\n').map(line => (line ? [line.length, 1] : []))
    answer({ is: 'coloured', from: request.from, lines, styles: [[1, '#112233', 0]] }, request)
  }
  const asked = () => sent.map(({ from, text, isOpen }) => [from, text, isOpen])
  const follow = (text: string, label = 'ts') => {
    block.follow(label, text)
    block.request()
  }
  return { colours, block, dispose, sent, rules, clock, answer, colour, asked, follow }
}

test('nothing is asked for without a label, or before the block is near the viewport', () => {
  const { block, asked, follow } = page()
  follow('a\nb')
  assert.deepEqual(asked(), [])
  block.setNear(true)
  assert.deepEqual(asked(), [[0, 'a\nb', true]])
  const other = page()
  other.block.setNear(true)
  other.follow('a', '')
  assert.deepEqual(other.asked(), [])
})

test('what colours need is loaded before there is any code', () => {
  const { colours, rules, asked, colour } = page()
  colours.prepare()
  assert.deepEqual(asked(), [[0, '{}', false]])
  colour()
  assert.equal(rules.size, 0, 'the answer is drawn nowhere')
})

test('while a request is open there is no other; then the lines that came meanwhile follow', () => {
  const { block, asked, follow, colour, rules } = page()
  block.setNear(true)
  follow('a\nb')
  follow('a\nbc\nd')
  follow('a\nbc\nde\n')
  assert.deepEqual(asked(), [[0, 'a\nb', true]])
  colour()
  assert.deepEqual(asked().slice(1), [[1, 'bc\nde\n', true]])
  colour()
  assert.deepEqual(
    block.drawn.value.chunks.map(({ text }) => text),
    ['a\n', 'bc\nde\n'],
  )
  assert.deepEqual([...rules], [[1, '#112233/0']])
  assert.equal(block.name.value, 'T')
})

test('a line that grows is asked for now and then, and once more when it has ended', async () => {
  const { block, asked, follow, colour, clock } = page()
  block.setNear(true)
  follow('a')
  colour()
  for (const text of ['ab', 'abc', 'abcd']) follow(text)
  assert.equal(asked().length, 1)
  await clock.advance(80)
  assert.deepEqual(asked().slice(1), [[0, 'abcd', true]])
  assert.deepEqual(block.drawn.value.open, { text: 'a', spans: [1, 1] })
  colour()
  await clock.advance(1_000)
  assert.equal(asked().length, 2, 'an unchanged line is not asked for again')
  follow('abcd\n')
  assert.deepEqual(asked().slice(2), [[0, 'abcd\n', true]])
})

test('chunks that have colours stay the same objects', () => {
  const { block, follow, colour } = page()
  block.setNear(true)
  follow('a\nb\n')
  colour()
  const [first] = block.drawn.value.chunks
  follow('a\nb\nc\n')
  colour()
  assert.equal(block.drawn.value.chunks[0], first)
  assert.equal(block.drawn.value.chars, 6)
})

test('another text or another label begins anew, and a late answer has no effect', () => {
  const { block, asked, follow, colour, sent } = page()
  block.setNear(true)
  follow('a\nb')
  const [late] = sent
  follow('x\ny', 'py')
  assert.deepEqual(asked().at(-1), [0, 'x\ny', true])
  colour(late)
  assert.equal(block.drawn.value.chars, 0)
  colour()
  assert.equal(block.drawn.value.chunks[0]?.text, 'x\n')
})

test('forgotten lines are asked for from the first; a plain block is left alone', () => {
  const { block, asked, follow, colour, answer } = page()
  block.setNear(true)
  follow('a\nb\n')
  colour()
  follow('a\nb\nc\n')
  answer({ is: 'forgotten' })
  assert.deepEqual(asked().at(-1), [0, 'a\nb\nc\n', true])
  answer({ is: 'forgotten' })
  const count = asked().length
  assert.equal(count, 3, 'no endless loop')
  follow('a\nb\nc\nd')
  answer({ is: 'plain' })
  follow('a\nb\nc\nde\n')
  assert.equal(asked().length, count + 1)
  assert.equal(block.drawn.value.chars, 0)
})

test('with another theme, styles are gone at once, and only near blocks ask', () => {
  const { colours, block, asked, follow, colour, rules } = page()
  block.setNear(true)
  follow('a\nb')
  colour()
  block.setNear(false)
  colours.receive({ kind: 'theme' })
  assert.deepEqual([...rules], [])
  assert.equal(asked().length, 1)
  block.setNear(true)
  assert.deepEqual(asked().at(-1), [0, 'a\nb', true])
  colour()
  assert.equal(rules.size, 1)
})

test('long text goes in requests of limited size, up to a limit; long lines are cut', async () => {
  const { block, follow, colour, sent } = page()
  block.setNear(true)
  const line = `${'x'.repeat(99)}\n`
  follow(line.repeat(3_000) + 'y'.repeat(100_000))
  let count = 0
  while (sent.length > count) {
    count = sent.length
    assert.ok((sent.at(-1)?.text.length ?? 0) < 65_536)
    colour()
  }
  assert.ok(block.drawn.value.chars > 200_000 && block.drawn.value.chars < 240_000)
  const other = page()
  other.block.setNear(true)
  other.follow(`${'z'.repeat(90_000)}\nend`)
  assert.equal(other.sent[0]?.text.length, 20_000)
  other.colour()
  await other.clock.advance(80)
  assert.deepEqual(other.asked().at(-1), [1, 'end', true])
})

test('a closed block neither asks nor takes answers', async () => {
  const { block, dispose, sent, follow, colour, clock } = page()
  block.setNear(true)
  follow('a')
  dispose()
  colour()
  await clock.advance(1_000)
  assert.equal(sent.length, 1)
  assert.equal(block.drawn.value.chars, 0)
})
