// An event stream reads the same, however its bytes are cut.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { TooLargeError, TransportError } from '../../../src/core/http/errors.ts'
import { readEvents } from '../../../src/core/http/events.ts'
import { answerOf, type Scripted } from '../../support/scriptedHttp.ts'
import { faultOf } from '../../support/wire.ts'

async function events(...chunks: (string | Uint8Array)[]): Promise<string[]> {
  return (await whole(readEvents(answerOf({ body: chunks })))).flat()
}

async function whole<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

const line = fc.string({ unit: fc.constantFrom('a', '"', ':', ' ', '{', '🌍', 'é', '\u2028', 'data:', '\\n') })
const noise = fc.constantFrom(': keep-alive', ':', 'id: 5', 'retry: 5', 'event: message', 'junk', 'junk: x')

interface Written {
  readonly text: string
  readonly data: string[]
}

/** A stream as some server could write it, and the data that it carries. */
const stream: fc.Arbitrary<Written> = fc
  .tuple(
    fc.constantFrom('\n', '\r\n', '\r'),
    fc.array(
      fc.record({
        lines: fc.array(fc.tuple(fc.constantFrom('data:', 'data: '), line), { minLength: 1, maxLength: 3 }),
        before: fc.array(noise, { maxLength: 2 }),
      }),
      { maxLength: 5 },
    ),
  )
  .map(([ending, blocks]) => ({
    text: blocks
      .flatMap(({ lines, before }) => [...before, ...lines.map(parts => parts.join('')), ''])
      .map(written => written + ending)
      .join(''),
    // One space after the colon belongs to the field, not to the data.
    data: blocks.map(({ lines }) =>
      lines.map(([field, text]) => (field === 'data:' && text.startsWith(' ') ? text.slice(1) : text)).join('\n'),
    ),
  }))

test('[R25] the same events under every cut of the bytes', async () => {
  await fc.assert(
    fc.asyncProperty(stream, fc.array(fc.nat(), { maxLength: 8 }), fc.boolean(), async (written, cuts, isMarked) => {
      const bytes = new TextEncoder().encode((isMarked ? '\ufeff' : '') + written.text)
      const places = [0, ...cuts.map(cut => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
      const chunks = places.slice(1).map((place, index) => bytes.subarray(places[index], place))
      assert.deepEqual(await events(...chunks), written.data)
    }),
  )
})

test('one byte at a time, and cut once at every place', async () => {
  const text =
    ': hi\r\ndata: {"a":"🌍"}\r\n\r\n: keep-alive\ndata: 1\ndata:2\n\nevent: x\r\rdata: é\r\rdata: [DONE]\n\n'
  const bytes = new TextEncoder().encode(text)
  const expected = ['{"a":"🌍"}', '1\n2', 'é', '[DONE]']
  assert.deepEqual(await events(...Array.from(bytes, (_, at) => bytes.subarray(at, at + 1))), expected)
  for (let at = 0; at <= bytes.length; at++) {
    assert.deepEqual(await events(bytes.subarray(0, at), bytes.subarray(at)), expected, `cut at ${at}`)
  }
})

test('a CR at the end of a read may be half a CRLF', async () => {
  assert.deepEqual(await events('data: A\r', '\ndata: B\r\n\r\n'), ['A\nB'])
})

test('[T73] text that looks like an event inside an event is text', async () => {
  const data = JSON.stringify({ content: 'x\n\ndata: {"evil":1}\n\n' })
  assert.deepEqual(await events(`data: ${data}\n\n`), [data])
})

test('an event without data is none, and a comment ends nothing', async () => {
  assert.deepEqual(await events('event: ping\n\n: keep-alive\ndata: a\n\ndata: b\n', ': c\n\n'), ['a', 'b'])
})

test('what the end left unfinished is given', async () => {
  assert.deepEqual(await events('data: a\n\ndata: b'), ['a', 'b'])
  assert.deepEqual(await events('data: a\n\ndata: b\r'), ['a', 'b'])
})

test('bytes that are no UTF-8 are marked and break nothing', async () => {
  assert.deepEqual(
    await events(Uint8Array.of(0x64, 0x61, 0x74, 0x61, 0x3a, 0xff, 0x00, 0xf0, 0x9f), '\n\ndata: b\n\n'),
    ['\ufffd\u0000\ufffd', 'b'],
  )
})

test('a failure past the format is given, other stray lines are not', async () => {
  assert.deepEqual(await events('data: a\n\nerror: {"detail":"no"}\n\n'), ['a', '{"error":{"detail":"no"}}'])
  assert.deepEqual(await events('error: it broke\n'), ['{"error":"it broke"}'])
  assert.deepEqual(await events('{"error":{"message":"no"}}\n'), ['{"error":{"message":"no"}}'])
  assert.deepEqual(await events('data: a\n\n{"choices":[],"error":null}\n\n{"error"\n<html>\n'), ['a'])
})

test('[R28] [T70] a line without end is given up, before it fills the memory', async () => {
  const chunk = 'x'.repeat(1024 * 1024)
  let given = 0
  const endless = async function* () {
    yield new TextEncoder().encode('data: ')
    for (;;) {
      given++
      yield new TextEncoder().encode(chunk)
    }
  }
  const fault = await faultOf(whole(readEvents({ ...answerOf({}), body: endless() })))
  assert.ok(fault instanceof TooLargeError)
  assert.ok(given <= 10, `${given} MB were taken`)
})

test('[R28] [T70] a stream without end is given up, also when it says nothing', async () => {
  const endless = async function* () {
    for (;;) yield new TextEncoder().encode(': keep-alive\n\n')
  }
  const fault = await faultOf(whole(readEvents({ ...answerOf({}), body: endless() }, { limit: 10_000 })))
  assert.ok(fault instanceof TooLargeError && fault.limit === 10_000)
})

test('what came before the connection broke is given first', async () => {
  const broken: Scripted = { body: ['data: a\n\nda', 'ta: half'], brokenBy: new TransportError('h', 'during', 'reset') }
  const seen: string[] = []
  const fault = await faultOf(
    (async () => {
      for await (const batch of readEvents(answerOf(broken))) seen.push(...batch)
    })(),
  )
  assert.ok(fault instanceof TransportError)
  assert.deepEqual(seen, ['a'])
})
