// The judge of completions: enough holes of each kind, each fault of form found in an answer that has it, and a whole run.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { systemClock } from '../../../src/base/clock.ts'
import { startService } from '../../localService/server.ts'
import { holeKinds, holes, type QualityHole } from './holes.ts'
import { judged } from './judge.ts'
import { modelOf } from './modelOf.ts'
import { runQuality } from './qualityRun.ts'

const all = holes()

test('at least 300 holes of every kind in at least 12 languages, and the truth closes each', () => {
  assert.ok(all.length >= 300, `${all.length}`)
  assert.ok(new Set(all.map(({ snapshot }) => snapshot.language)).size >= 12)
  for (const kind of holeKinds) assert.ok(all.filter(hole => hole.kind === kind).length >= 20, kind)
  assert.deepEqual(holes(), all)
  for (const { truth } of all) assert.ok(truth.length >= 3)
})

test('the truth in its tags is exact, without a fault', () => {
  const judgements = all.map(hole => ({ ...hole, ...judgedAs(hole, `<insert>${hole.truth}</insert>`) }))
  const namesOf = (some: readonly QualityHole[]) =>
    some.map(({ kind, snapshot, truth }) => [kind, snapshot.path, truth])
  assert.deepEqual(namesOf(judgements.filter(({ faults }) => faults.length > 0)), [])
  // A next line that leaves the block of the cursor is never shown, which is not the fault of the model.
  const isNext = (kind: string) => kind === 'next line'
  const hidden = judgements.filter(({ isExact, isPrefix }) => !isExact && !isPrefix)
  assert.deepEqual(namesOf(hidden.filter(({ kind }) => !isNext(kind))), [])
  assert.ok(hidden.length * 20 <= judgements.filter(({ kind }) => isNext(kind)).length, `${hidden.length} are hidden`)
})

test('what is not shown is not right: code that closes what it did not open, and text from behind the rest of the line', () => {
  const hole = all.find(({ kind }) => kind === 'inside closed pairs') ?? assert.fail()
  const { isExact, isPrefix } = judgedAs(hole, `<insert>${hole.truth}</insert>`)
  assert.ok(isExact && isPrefix)
  const closing = judgedAs(hole, '<insert>)))))</insert>')
  assert.deepEqual([closing.isExact, closing.isPrefix, closing.rightChars], [false, false, 0])
})

const judgedAs = (hole: QualityHole, text: string, reasoning = '') =>
  judged(hole, { text, reasoning, why: 'done' }, 'hole')

describe('each fault of form is found', () => {
  const hole =
    all.find(({ kind, snapshot }) => kind === 'end of line' && snapshot.language === 'python') ?? assert.fail()
  const behind = all.find(({ kind }) => kind === 'behind a word') ?? assert.fail()
  const { snapshot, truth } = hole
  const line = snapshot.text.slice(snapshot.text.lastIndexOf('\n', snapshot.offset - 1) + 1, snapshot.offset)
  const below =
    snapshot.text
      .slice(snapshot.offset)
      .split('\n')
      .slice(1)
      .find(one => one.trim().length >= 8) ?? ''
  const cases: readonly (readonly [fault: string, hole: QualityHole, text: string, reasoning?: string])[] = [
    ['fence', hole, `<insert>\n\`\`\`python\n${truth}\n\`\`\`</insert>`],
    ['talk', hole, `Here is the completion for you:\n<insert>${truth}</insert>`],
    ['repeat', hole, `<insert>${line.trim()}${truth}</insert>`],
    ['missing space', behind, `<insert>${behind.truth.trimStart()}</insert>`],
    ['text from below', hole, `<insert>${truth}\n${below}</insert>`],
    ['empty', hole, '<insert></insert>'],
    ['thought', hole, `<insert>${truth}</insert>`, 'I think.'],
    ['thought', hole, `<think>Hm.</think><insert>${truth}</insert>`],
  ]
  for (const [fault, where, text, reasoning] of cases)
    test(`${fault}: ${JSON.stringify(text.slice(0, 40))}`, () => {
      const { faults } = judgedAs(where, text, reasoning)
      assert.ok(
        faults.some(one => one === fault),
        faults.join(),
      )
    })

  test('how far a wrong answer is right is counted', () => {
    const half = truth.slice(0, 4)
    const { isExact, isPrefix, rightChars } = judgedAs(hole, `<insert>${half}§§§</insert>`)
    assert.deepEqual([isExact, isPrefix, rightChars], [false, false, 4])
  })
})

test('a run against the service adds up what was right; a way that the service refuses is named', async () => {
  await using service = await startService({ plan: 'pro', dialect: { prefill: 'refused' } })
  using models = modelOf(service)
  const few = all.filter(({ snapshot }) => snapshot.language === 'go').slice(0, 6)
  for (const { truth } of few) service.replies.add({ text: `<insert>${truth}</insert>` })
  const options = { models, model: service.model, clock: systemClock }
  const right = await runQuality({ mode: 'hole' }, few, options)
  assert.deepEqual([right.holes, right.exact, right.isRefused], [6, 6, false])
  assert.ok(right.firstTextMs >= 0 && right.tokens > 0)
  for (const _ of few) service.replies.add({ text: '<insert>§</insert>' })
  const wrong = await runQuality({ mode: 'hole', without: 'other files' }, few, options)
  assert.deepEqual([wrong.exact, wrong.rightChars], [0, 0])
  const refused = await runQuality({ mode: 'prefill' }, few, options)
  assert.deepEqual([refused.holes, refused.isRefused], [0, true])
})
