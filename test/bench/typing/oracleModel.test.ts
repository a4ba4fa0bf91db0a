// The oracle finds the place in the file and streams the file from there, at its pace, up to a surprise.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ModelEvent, ModelRequest } from '../../../src/core/model/modelClient.ts'
import { FakeClock } from '../../support/fakeClock.ts'
import { OracleModel, type OracleOptions, placeInFile } from './oracleModel.ts'
import { PlanSlots } from './planSlots.ts'
import { readSources, type Source } from './source.ts'
import { surprisesIn } from './surprises.ts'

const [source] = readSources()
if (!source) throw new Error('no sources')

describe('the place', () => {
  const { text } = source

  test('is found behind every part of the file', () => {
    for (let offset = source.start; offset <= text.length; offset += 7) {
      assert.equal(placeInFile(text, text.slice(0, offset)), offset)
      assert.equal(placeInFile(text, text.slice(Math.max(0, offset - 300), offset)), offset)
    }
  })

  test('is the one before a mistake', () => {
    assert.equal(placeInFile(text, `${text.slice(0, 500)}qz`), 500)
  })

  test('is decided by what stands further before where lines are the same', () => {
    const twice = 'first\n  return the same line of text\nsecond\n  return the same line of text\n'
    assert.equal(placeInFile(twice, twice), twice.length)
    assert.equal(placeInFile(twice, twice.slice(0, 37)), 37)
  })

  test('is nowhere in another text', () => {
    assert.equal(placeInFile(text, 'nothing of this stands in the file at all'), undefined)
  })
})

interface Streamed {
  readonly text: string
  readonly times: readonly number[]
  readonly model: OracleModel
}

async function stream(
  at: Source,
  before: string,
  { abortAfterMs, plan = 3, ...changed }: Partial<OracleOptions> & { abortAfterMs?: number; plan?: number } = {},
): Promise<Streamed> {
  const clock = new FakeClock()
  const model = new OracleModel({
    source: at,
    seed: 1,
    clock,
    firstTokenMs: 300,
    firstTokenSigma: 0,
    tokensPerSecond: 100,
    surprise: 0,
    slots: new PlanSlots(plan, clock),
    releaseMs: 100,
    beforeCursor: () => before,
    keyOf: () => 'key',
    ...changed,
  })
  const events: ModelEvent[] = []
  const times: number[] = []
  const controller = new AbortController()
  const request: ModelRequest = { model: 'm', messages: [], maxTokens: 12, lane: 'completion' }
  const reading = (async () => {
    for await (const event of model.stream(request, controller.signal)) {
      events.push(event)
      times.push(clock.elapsed())
    }
  })().catch(() => {})
  if (abortAfterMs !== undefined) clock.later(abortAfterMs, () => controller.abort())
  await clock.advance(5_000)
  await reading
  return { text: events.map(event => (event.kind === 'text-delta' ? event.text : '')).join(''), times, model }
}

describe('the stream', () => {
  const { text, start } = source

  test('holds the file in its tag, four characters a token, up to the limit', async () => {
    const { text: streamed, times, model } = await stream(source, text.slice(0, start))
    assert.equal(streamed, `<insert>${text.slice(start, start + 40)}`)
    assert.deepEqual(times.slice(0, 3), [300, 310, 320])
    assert.equal(model.requests[0]?.tokens.length, 10)
    assert.deepEqual(model.requests[0]?.tokens[0], [start, start + 1, start + 2, start + 3])
    assert.equal(model.requests[0]?.tagTokens, 2)
  })

  test('is wrong from a surprise on, and right again for who asks inside it', async () => {
    const [surprise = 0] = surprisesIn(source, 0.9).filter(at => at > start + 10)
    const early = await stream(source, text.slice(0, surprise), { surprise: 0.9 })
    assert.notEqual(early.text['<insert>'.length], text[surprise])
    const late = await stream(source, text.slice(0, surprise + 1), { surprise: 0.9 })
    assert.equal(late.text['<insert>'.length], text[surprise + 1])
    assert.deepEqual(early.model.requests[0]?.tokens.flat(), [])
  })

  test('that is aborted holds its slot until the server has noticed', async () => {
    const { model, text: streamed } = await stream(source, text.slice(0, start), { abortAfterMs: 325 })
    assert.equal(streamed.length, 12)
    const [request] = model.requests
    assert.equal(request?.endedAt, 325)
    assert.equal(request?.releasedAt, 425)
    assert.equal(request?.isStopped, true)
    assert.equal(request?.text, text.slice(start, start + 4))
    // Those at 330 to 420 ms, of which there are twelve in all.
    assert.equal(request?.lateTokens, 9)
  })

  test('that is read to its end is not stopped, and nothing comes late', async () => {
    const { model } = await stream(source, text.slice(0, start))
    assert.equal(model.requests[0]?.isStopped, false)
    assert.equal(model.requests[0]?.lateTokens, 0)
  })

  test('is refused without a free slot', async () => {
    const { model, text: streamed } = await stream(source, text.slice(0, start), { plan: 0 })
    assert.equal(streamed, '')
    assert.equal(model.requests[0]?.isRefused, true)
    assert.equal(model.requests[0]?.promptTokens, 0)
  })

  test('is empty for a prompt that is nowhere in the file', async () => {
    const { text: streamed, model } = await stream(source, 'nothing of this stands in the file at all')
    assert.equal(streamed, '<insert>')
    assert.equal(model.requests[0]?.offset, undefined)
  })
})
