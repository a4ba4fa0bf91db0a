// The replay of one file with the completer: the same figures each time, and what holds for any pipeline.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { replay } from './replay.ts'
import { scoreOf } from './score.ts'
import { fewSettings } from './settings.ts'
import { readSources } from './source.ts'

const setting = fewSettings.find(({ conditions }) => conditions.closesPairs && conditions.surprise > 0)
const whole = readSources().find(({ path }) => path === 'panel.css')
if (!setting || !whole) throw new Error('nothing to replay')
const { conditions } = setting
const end = whole.text.indexOf('.panel-footer {') - 2
const source = { ...whole, text: whole.text.slice(0, end), end }

test('a replay types the file, and the same seed gives the same figures', async () => {
  const first = await replay(source, 1, conditions)
  assert.equal(first.typedText, source.text)
  assert.deepEqual(scoreOf(await replay(source, 1, conditions)), scoreOf(first))
  assert.notDeepEqual(scoreOf(await replay(source, 2, conditions)), scoreOf(first))
})

test('two replays at the same time do not disturb each other', async () => {
  const [first, second] = await Promise.all([replay(source, 1, conditions), replay(source, 2, conditions)])
  assert.deepEqual(scoreOf(first), scoreOf(await replay(source, 1, conditions)))
  assert.deepEqual(scoreOf(second), scoreOf(await replay(source, 2, conditions)))
})

test('text is visible, no more of it than is possible, and a model that takes longer shows less', async () => {
  const fast = scoreOf(await replay(source, 1, { ...conditions, firstTokenMs: 100, firstTokenSigma: 0 }))
  const slow = scoreOf(await replay(source, 1, { ...conditions, firstTokenMs: 3_000, firstTokenSigma: 0 }))
  assert.ok(fast.visible > 0.3 && fast.visible <= fast.possible)
  assert.ok(slow.visible < fast.visible)
})

test('a reader accepts what is true and ends with the file’s text', async () => {
  const observation = await replay(source, 1, { ...conditions, surprise: 0, accepts: true })
  assert.equal(observation.typedText, source.text)
  const { accepted, nextTexts } = scoreOf(observation)
  assert.ok(accepted > 0.5)
  assert.ok(nextTexts.length > 0)
})

test('a prompt shares most of its tokens with those before, and the first one none', async () => {
  const { requests } = await replay(source, 1, conditions)
  const [first] = requests
  assert.equal(first?.uncachedTokens, first?.promptTokens)
  const { promptTokens, uncachedTokens } = scoreOf({ ...(await replay(source, 1, conditions)), requests })
  assert.ok(uncachedTokens < promptTokens / 2)
})

test('without a slot every request is refused and nothing is visible', async () => {
  const score = scoreOf(await replay(source, 1, { ...conditions, slots: 0 }))
  assert.ok(score.requests > 0)
  assert.equal(score.refused, score.requests)
  assert.equal(score.visible, 0)
})

test('with the suggestion list open the file is typed as well', async () => {
  const observation = await replay(source, 1, { ...conditions, opensList: true })
  assert.equal(observation.typedText, source.text)
})
