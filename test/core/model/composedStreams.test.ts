// Every stream we know of reads the same under every split of its bytes; one that is cut is never a success.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Log } from '../../../src/core/log/log.ts'
import type { ModelEvent, Usage } from '../../../src/core/model/modelClient.ts'
import { readResponse } from '../../../src/core/model/responseReader.ts'
import { surfaces } from '../../../src/core/model/surfaces.ts'
import {
  type ComposedStream,
  composedStreams,
  type ExpectedAnswer,
  type ExpectedFault,
  type PlacedReasoning,
} from '../../fixtures/composedStreams.ts'
import { FakeClock } from '../../support/fakeClock.ts'
import { answerOf } from '../../support/scriptedHttp.ts'

async function read({ surface }: ComposedStream, chunks: readonly Uint8Array[]): Promise<ExpectedAnswer> {
  const answer = answerOf({ headers: { 'content-type': 'text/event-stream' }, body: chunks })
  const options = { clock: new FakeClock(), log: new Log(), mayBeEmpty: false }
  const events: ModelEvent[] = []
  const { stackTraceLimit } = Error
  // Most of a hundred thousand readings end in a fault, and finding out where took as long as all the rest.
  Error.stackTraceLimit = 0
  try {
    for await (const event of readResponse(answer, surfaces[surface].reader, options)) events.push(event)
  } catch (fault) {
    return answerIn(events, failedBy(fault))
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
  return answerIn(events, undefined)
}

function answerIn(events: readonly ModelEvent[], fault: ExpectedFault | undefined): ExpectedAnswer {
  const calls: [string, unknown][] = []
  const blocks: PlacedReasoning[] = []
  let begunCalls = 0
  let [text, reasoning] = ['', '']
  let usage: Usage | undefined
  let ends: ExpectedAnswer['ends'] | undefined = fault
  for (const event of events) {
    if (event.kind === 'text-delta') text += event.text
    else if (event.kind === 'reasoning-delta') reasoning += event.text
    else if (event.kind === 'tool-call') calls.push([event.name, event.input])
    else if (event.kind === 'tool-input-start') begunCalls++
    else if (event.kind === 'reasoning-block')
      blocks.push({ ...event.sealed, afterText: text.length, afterCalls: begunCalls })
    else if (event.kind === 'finish') ({ why: ends, usage } = { usage: undefined, ...event })
  }
  const ids = events.flatMap(event => (event.kind === 'tool-call' ? [event.id] : []))
  assert.equal(new Set(ids).size, ids.length, 'two calls under one id')
  assert.ok(ends, 'the answer ends')
  return { text, reasoning, calls, blocks, usage, ends }
}

function failedBy(thrown: unknown): ExpectedFault {
  const { name, status, problem } = thrown as {
    name: ExpectedFault['fault']
    status?: number
    problem?: { text?: string }
  }
  return { fault: name, ...(status && { status }), ...(problem?.text && { message: problem.text }) }
}

/** A fault takes the usage with it. */
const rightAnswer = ({ expected }: ComposedStream): ExpectedAnswer =>
  typeof expected.ends === 'string' ? expected : { ...expected, usage: undefined }

const bytesOf = (body: string) => new TextEncoder().encode(body)
const inPieces = (bytes: Uint8Array, size: number) =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size))

function splitAt(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const places = [0, ...cuts.map(cut => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  return places.slice(1).map((place, index) => bytes.subarray(places[index], place))
}

for (const stream of composedStreams) {
  test(`${stream.surface}: ${stream.name}`, async () => {
    const right = rightAnswer(stream)
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
        assert.deepEqual(await read(stream, splitAt(bytes, cuts)), rightAnswer(stream), stream.name)
      },
    ),
    { numRuns: 500 },
  )
})

/** The frame in which a surface reports that the answer has its end. */
const endFrames = {
  'chat-completions': /"finish_reason":"[^"]+/,
  responses: /"type":"response\.(completed|incomplete)"/,
  messages: /"stop_reason":"|"type":"message_stop"/,
}

/** After how many bytes the end was reported. */
function endOf({ body, surface }: ComposedStream): number {
  const at = body.search(endFrames[surface])
  if (at < 0) return Number.POSITIVE_INFINITY
  const lineLength = body.slice(at).search(/[\r\n]|$/)
  return bytesOf(body.slice(0, at + lineLength)).length
}

for (const stream of composedStreams.filter(({ expected }) => typeof expected.ends === 'string')) {
  test(`[R23] [R24] ${stream.surface}, cut anywhere: ${stream.name}`, async () => {
    const bytes = bytesOf(stream.body)
    const whole = rightAnswer(stream)
    const end = endOf(stream)
    for (let cut = 0; cut < bytes.length; cut++) {
      const answer = await read(stream, [bytes.subarray(0, cut)])
      // A clean end of the stream may stand in for the answer's own: what came is kept and marked.
      const isOver = cut >= end || answer.ends === 'cut-off'
      if (!isOver) assert.equal(typeof answer.ends, 'object', `a success, cut at ${cut}`)
      if (cut < end) assert.deepEqual(answer.calls, [], `a call runs, cut at ${cut}`)
      else assert.deepEqual(answer.calls, whole.calls, `a call is lost, cut at ${cut}`)
      assert.ok(whole.text.startsWith(answer.text), `text was made up, cut at ${cut}`)
      if (cut >= end) assert.equal(answer.text, whole.text, `text is lost, cut at ${cut}`)
    }
  })
}

test('each surface has its streams', () => {
  for (const surface of Object.keys(surfaces)) {
    assert.ok(composedStreams.filter(stream => stream.surface === surface).length >= 20, surface)
  }
})
