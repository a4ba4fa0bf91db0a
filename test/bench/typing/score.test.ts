// Figures of small scenarios, computed by hand.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { bootstrap } from './bootstrap.ts'
import { sourceOf } from './fixtures.ts'
import type { Key, Observation, Request, View } from './observation.ts'
import { scoreOf } from './score.ts'

const key = (at: number, offset: number, more: Partial<Key> = {}): Key => ({
  at,
  offset,
  isMistaken: false,
  isChange: true,
  ...more,
})

const nothing: Omit<View, 'at' | 'key'> = {
  ghost: '',
  isCorrect: false,
  trueLength: 0,
  isTrue: false,
  request: undefined,
}

const view = (at: number, key: number, ghost = '', trueLength = 0): View => ({
  ...nothing,
  at,
  key,
  ghost,
  trueLength,
  isCorrect: ghost !== '' && trueLength === ghost.length,
  isTrue: ghost !== '' && trueLength === ghost.length,
  request: ghost === '' ? undefined : 'a',
})

const request = (more: Partial<Request>): Request => ({
  key: 'a',
  startedAt: 50,
  endedAt: 400,
  releasedAt: 500,
  offset: 1,
  firstTokenMs: 100,
  isRefused: false,
  tokens: [],
  tagTokens: 2,
  text: '',
  isStopped: false,
  lateTokens: 0,
  promptTokens: 400,
  uncachedTokens: 100,
  ...more,
})

/** Eight characters typed, a key each second; nothing visible and no request. */
const plain: Observation = {
  source: sourceOf('abcdefgh'),
  tokensPerSecond: 100,
  firstTokenMs: 100,
  surprises: [],
  keys: [1, 2, 3, 4, 5, 6, 7, 8].map(n => key(n * 1_000, n)),
  views: [1, 2, 3, 4, 5, 6, 7, 8].map(n => view(n * 1_000, n - 1)),
  requests: [],
  acceptances: [],
  endedAt: 9_000,
  typedText: 'abcdefgh',
}

describe('visible text', () => {
  test('counts after keys that leave two characters of the line or more', () => {
    const views = [
      view(1_000, 0),
      view(2_000, 1),
      view(2_200, 1, 'cdefgh', 6),
      view(3_000, 2, 'defgh', 5),
      ...plain.views.slice(3),
    ]
    const score = scoreOf({ ...plain, views })
    // Needed are the keys 1 to 6, of which 2 and 3 have text: for 800 and 1,000 of 6,000 ms.
    assert.equal(score.visible, 2 / 6)
    assert.equal(score.visibleTime, 1_800 / 6_000)
    assert.equal(score.possible, 1)
    assert.equal(score.visibleRatio, 2 / 6)
    assert.equal(score.wrong, 0)
  })

  test('is counted by itself for 200 ms or more, and where it is only the beginning of the line', () => {
    const views = [
      view(1_000, 0, 'bcd', 3),
      view(2_000, 1, 'cde', 3),
      view(3_000, 2),
      view(3_850, 2, 'defg', 4),
      view(4_000, 3, 'ef', 2),
      view(5_000, 4, 'fxx', 1),
      view(6_000, 5, 'gh', 2),
      ...plain.views.slice(6),
    ].map(one => ({ ...one, isCorrect: one.ghost === 'gh' || one.ghost === 'defg' }))
    const score = scoreOf({ ...plain, views })
    assert.deepEqual([score.visible, score.visible200], [2 / 6, 1 / 6])
    // Four characters of the line or more, or all of it: `defg` for 150 ms, `gh` for a second.
    assert.deepEqual([score.helpful, score.helpful200, score.helpfulTime], [2 / 6, 1 / 6, 1_150 / 6_000])
  })

  test('was not possible before a surprise in the line, nor sooner than a model answers', () => {
    assert.equal(scoreOf({ ...plain, surprises: [3] }).possible, 3 / 6)
    // The request at the first key takes 2,500 ms and two tokens: there at 3,520, for the keys 3 to 6.
    assert.equal(scoreOf({ ...plain, firstTokenMs: 2_500 }).possible, 4 / 6)
  })

  test('is wrong if it differs for more than 60 ms, and mistakes do not count', () => {
    const views = [view(1_000, 0), view(1_100, 0, 'xy'), view(1_160, 0), view(2_000, 1, 'xy'), ...plain.views.slice(2)]
    assert.equal(scoreOf({ ...plain, views }).wrong, 1 / 6)
    const keys = plain.keys.map((one, at) => (at === 1 ? { ...one, isMistaken: true } : one))
    assert.equal(scoreOf({ ...plain, views, keys }).wrong, 0)
  })
})

describe('requests', () => {
  test('are counted per 100 keys and by the least that serve the text', () => {
    const keys = [...plain.keys, key(8_500, 8, { isChange: false })]
    const score = scoreOf({ ...plain, keys, surprises: [2, 5], requests: [request({}), request({ key: 'b' })] })
    assert.equal(score.keys, 8)
    assert.equal(score.requests, 25)
    // One to the first surprise, one behind it, one behind the second.
    assert.equal(score.requestRatio, 2 / 3)
  })

  test('are discarded if no character of theirs was visible and true', () => {
    const views = [...plain.views.slice(0, 3), view(3_500, 2, 'dxxxx', 1), ...plain.views.slice(3)]
    assert.equal(scoreOf({ ...plain, views, requests: [request({}), request({ key: 'b' })] }).discarded, 0.5)
    assert.equal(scoreOf({ ...plain, requests: [request({})] }).discarded, 1)
  })

  test('are stopped as planned if what came holds what was typed and a whole line', () => {
    const planned = (more: Partial<Request>, keys = plain.keys) =>
      (scoreOf({ ...plain, keys, requests: [request({ isStopped: true, endedAt: 3_500, ...more })] }).plannedStops *
        8) /
      100
    // Typed are `bc` since the request.
    assert.equal(planned({ text: 'bcdefgh' }), 1)
    assert.equal(planned({ text: 'bcx()\ny' }), 1)
    assert.equal(planned({ text: 'bcde' }), 0)
    assert.equal(planned({ text: 'bxdefgh\n' }), 0)
    assert.equal(planned({ text: 'bcdefgh', isStopped: false }), 0)
    assert.equal(
      planned(
        { text: 'bcdefgh' },
        plain.keys.map(one => ({ ...one, isMistaken: true })),
      ),
      0,
    )
  })

  test('have the tokens of their prompts, but for those that were refused', () => {
    const requests = [
      request({}),
      request({ promptTokens: 600, uncachedTokens: 20 }),
      request({ isRefused: true, promptTokens: 0, uncachedTokens: 0 }),
    ]
    const { promptTokens, uncachedTokens } = scoreOf({ ...plain, requests })
    assert.deepEqual([promptTokens, uncachedTokens], [500, 60])
  })

  test('have the tokens counted that came after their end', () => {
    assert.equal(scoreOf({ ...plain, requests: [request({ lateTokens: 5 })] }).lateTokenRatio, 5 / 2)
  })

  test('have their tokens counted, each visible character once', () => {
    const views = [...plain.views.slice(0, 3), view(3_500, 2, 'defgh', 2), ...plain.views.slice(3)]
    const tokens = [[1, 2], [3, 4], [5]]
    const score = scoreOf({ ...plain, views, requests: [request({ tokens }), request({ tokens: [[4]] })] })
    // Characters 3 and 4 were seen: one of four tokens; with the tags eight, by two that the text comes to.
    assert.equal(score.wastedTokens, 3 / 4)
    assert.equal(score.tokenRatio, 8 / 2)
  })

  test('that are open together make the peak, at the server until they are released', () => {
    const requests = [request({}), request({ startedAt: 400, endedAt: 600, releasedAt: 600 })]
    const score = scoreOf({ ...plain, requests })
    assert.equal(score.peak, 1)
    assert.equal(score.serverPeak, 2)
  })

  test('that are refused are counted', () => {
    assert.equal(scoreOf({ ...plain, requests: [request({ isRefused: true })] }).refused, 12.5)
  })

  test('have the time beyond the model’s as their latency, if they began at the key or later', () => {
    const views = [view(1_000, 0), view(1_232, 0, 'bcdefgh', 7), ...plain.views.slice(1)]
    // 232 ms after the key, of which the model took 100 and two tokens of 10.
    assert.deepEqual(scoreOf({ ...plain, views, requests: [request({ startedAt: 1_050 })] }).latencies, [112])
    const early = scoreOf({ ...plain, views, requests: [request({ startedAt: 950 })] })
    assert.deepEqual(early.latencies, [])
    // The floor has 50 ms more.
    assert.deepEqual(early.floorLatencies, [62])
  })
})

describe('flicker', () => {
  const flickersPer8 = (views: readonly View[]) => (scoreOf({ ...plain, views }).flicker * 8) / 100
  const [first = view(1_000, 0)] = plain.views

  test('is correct text that vanishes or is replaced without a key', () => {
    const gone = [first, view(1_100, 0, 'bcdefgh', 7), view(1_200, 0)]
    assert.equal(flickersPer8(gone), 1)
    const replaced = [first, view(1_100, 0, 'bcd', 3), view(1_200, 0, 'bxy', 1)]
    assert.equal(flickersPer8(replaced), 1)
  })

  test('is not text that grows, that was wrong, or that nobody could see in 25 ms', () => {
    assert.equal(flickersPer8([first, view(1_100, 0, 'bcd', 3), view(1_200, 0, 'bcdefgh', 7)]), 0)
    assert.equal(flickersPer8([first, view(1_100, 0, 'xyz'), view(1_200, 0)]), 0)
    assert.equal(flickersPer8([first, view(1_100, 0, 'bcd', 3), view(1_120, 0)]), 0)
  })

  test('is text that a right key hides and that is back within a second, but not text that was typed to its end', () => {
    const hidden = [first, view(1_100, 0, 'bcdefgh', 7), view(2_000, 1), view(2_100, 1, 'cdefgh', 6)]
    assert.equal(flickersPer8(hidden), 1)
    const late = [first, view(1_100, 0, 'bcdefgh', 7), view(2_000, 1), view(3_000, 2), view(3_100, 2, 'defgh', 5)]
    assert.equal(flickersPer8(late), 0)
    const typed = [first, view(1_100, 0, 'b', 1), view(2_000, 1), view(2_100, 1, 'cdefgh', 6)]
    assert.equal(flickersPer8(typed), 0)
  })
})

test('accepted characters are a part of the typed ones, and the next true text is waited for', () => {
  const views = [view(1_000, 0, 'bcd', 3), view(1_400, 0), view(1_462, 0, 'efgh', 4)]
  const score = scoreOf({ ...plain, views, acceptances: [{ at: 1_400, characters: 3 }] })
  assert.equal(score.accepted, 3 / 8)
  assert.deepEqual(score.nextTexts, [62])
})

test('an estimate over files has the mean between its limits, and equal files leave no doubt', () => {
  const { mean, p10, p90 } = bootstrap([1, 2, 3, 4, 5])
  assert.equal(mean, 3)
  assert.ok(p10 > 1 && p10 < 3 && p90 > 3 && p90 < 5)
  assert.deepEqual(bootstrap([2, 2, 2]), { mean: 2, p10: 2, p90: 2 })
})
