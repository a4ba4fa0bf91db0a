// Every stream we know of reads the same under every split of its bytes; one that is cut is never a success.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Log } from '../../../src/core/log/log.ts'
import type { ModelEvent, ReasoningBlock } from '../../../src/core/model/modelClient.ts'
import { readResponse } from '../../../src/core/model/responseReader.ts'
import { surfaces } from '../../../src/core/model/surfaces.ts'
import { FakeClock } from '../../support/fakeClock.ts'
import { answerOf } from '../../support/scriptedHttp.ts'
import { type Composed, composedStreams, type Failed } from './composedStreams.ts'

interface Said {
  readonly text: string
  readonly reasoning: string
  readonly calls: readonly (readonly [string, unknown])[]
  readonly thoughts: readonly ReasoningBlock[]
  readonly usage: unknown
  readonly ends: unknown
}

async function read({ surface }: Composed, pieces: readonly Uint8Array[]): Promise<Said> {
  const answer = answerOf({ headers: { 'content-type': 'text/event-stream' }, body: pieces })
  const options = { clock: new FakeClock(), log: new Log(), mayBeEmpty: false }
  const events: ModelEvent[] = []
  const { stackTraceLimit } = Error
  // Most of a hundred thousand readings end in a fault, and finding out where took as long as all the rest.
  Error.stackTraceLimit = 0
  try {
    for await (const event of readResponse(answer, surfaces[surface].reader, options)) events.push(event)
  } catch (fault) {
    return saidIn(events, failedBy(fault))
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
  return saidIn(events, undefined)
}

function saidIn(events: readonly ModelEvent[], failed: Failed | undefined): Said {
  const said = { text: '', reasoning: '', calls: [] as [string, unknown][], thoughts: [] as ReasoningBlock[] }
  let usage: unknown
  let ends: unknown = failed
  for (const event of events) {
    if (event.kind === 'text-delta') said.text += event.text
    else if (event.kind === 'reasoning-delta') said.reasoning += event.text
    else if (event.kind === 'tool-call') said.calls.push([event.name, event.input])
    else if (event.kind === 'thought') said.thoughts.push(event.thought)
    else if (event.kind === 'finish') ({ why: ends, usage } = { usage: undefined, ...event })
  }
  const ids = events.flatMap(event => (event.kind === 'tool-call' ? [event.id] : []))
  assert.equal(new Set(ids).size, ids.length, 'two calls under one id')
  return { ...said, usage, ends }
}

function failedBy(fault: unknown): Failed {
  const { name, status, problem } = fault as { name: Failed['fault']; status?: number; problem?: { text?: string } }
  return { fault: name, ...(status && { status }), ...(problem?.text && { words: problem.text }) }
}

const expected = ({ text = '', reasoning = '', calls = [], thoughts = [], usage, ends }: Composed): Said => ({
  text,
  reasoning,
  calls,
  thoughts,
  usage: typeof ends === 'string' ? usage : undefined,
  ends,
})

const bytesOf = (body: string) => new TextEncoder().encode(body)
const inPieces = (bytes: Uint8Array, size: number) =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size))

function splitAt(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const places = [0, ...cuts.map(cut => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  return places.slice(1).map((place, index) => bytes.subarray(places[index], place))
}

for (const stream of composedStreams) {
  test(`${stream.surface}: ${stream.what}`, async () => {
    const right = expected(stream)
    const bytes = bytesOf(stream.body)
    assert.deepEqual(await read(stream, [bytes]), right, 'whole')
    assert.deepEqual(await read(stream, inPieces(bytes, 1)), right, 'one byte at a time')
    for (let at = 1; at < bytes.length; at++) {
      assert.deepEqual(await read(stream, [bytes.subarray(0, at), bytes.subarray(at)]), right, `split at ${at}`)
    }
    for (const ending of ['\r\n', '\r']) {
      const other = bytesOf(stream.body.replaceAll('\n', ending))
      for (const size of [7, other.length])
        assert.deepEqual(await read(stream, inPieces(other, size)), right, `${JSON.stringify(ending)} by ${size}`)
    }
  })
}

test('[R25] any split of any of them, under any line end', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...composedStreams),
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.array(fc.nat(), { maxLength: 12 }),
      async (stream, ending, cuts) => {
        const bytes = bytesOf(stream.body.replaceAll('\n', ending))
        assert.deepEqual(await read(stream, splitAt(bytes, cuts)), expected(stream), stream.what)
      },
    ),
    { numRuns: 500 },
  )
})

/** The frame in which a surface says that the answer has its end. */
const endFrames = {
  'chat-completions': /"finish_reason":"[^"]+/,
  responses: /"type":"response\.(completed|incomplete)"/,
  messages: /"stop_reason":"|"type":"message_stop"/,
}

/** From so many bytes on the end was said. */
function endOf({ body, surface }: Composed): number {
  const at = body.search(endFrames[surface])
  if (at < 0) return Number.POSITIVE_INFINITY
  const lineLength = body.slice(at).search(/[\r\n]|$/)
  return bytesOf(body.slice(0, at + lineLength)).length
}

for (const stream of composedStreams.filter(({ ends }) => typeof ends === 'string')) {
  test(`[R23] [R24] ${stream.surface}, cut anywhere: ${stream.what}`, async () => {
    const bytes = bytesOf(stream.body)
    const whole = expected(stream)
    const end = endOf(stream)
    for (let cut = 0; cut < bytes.length; cut++) {
      const said = await read(stream, [bytes.subarray(0, cut)])
      // A clean end of the stream may stand in for the answer's own: what came is kept and marked.
      const isOver = cut >= end || said.ends === 'cut-off'
      if (!isOver) assert.equal(typeof said.ends, 'object', `a success, cut at ${cut}`)
      if (cut < end) assert.deepEqual(said.calls, [], `a call runs, cut at ${cut}`)
      else assert.deepEqual(said.calls, whole.calls, `a call is lost, cut at ${cut}`)
      assert.ok(whole.text.startsWith(said.text), `text was made up, cut at ${cut}`)
      if (cut >= end) assert.equal(said.text, whole.text, `text is lost, cut at ${cut}`)
    }
  })
}

test('each surface has its streams', () => {
  for (const surface of Object.keys(surfaces)) {
    assert.ok(composedStreams.filter(stream => stream.surface === surface).length >= 20, surface)
  }
})
