// The page of figures: sums of days, shares, and a plot.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noFigures } from '../../../src/core/complete/completionFigures.ts'
import { dayOf } from '../../../src/core/complete/usageRecorder.ts'
import { withFakeVscode } from '../../support/fakeVscode.ts'

const { usageText } = await withFakeVscode(() => import('../../../src/editor/complete/usageText.ts'))

const now = new Date(2026, 2, 20, 12).getTime()
const dayBefore = (days: number) => dayOf(new Date(2026, 2, 20 - days, 12).getTime())

test('days are added up, with their shares and times', () => {
  const text = usageText(
    [
      {
        day: dayBefore(0),
        counts: {
          ...noFigures,
          shown: 40,
          taken: 10,
          words: 2,
          tokens: 500,
          shownTokens: 400,
          within100: 38,
          slower: 2,
        },
      },
      { day: dayBefore(0), counts: { ...noFigures, shown: 10, soonChars: 100, soonKeptChars: 90 } },
      { day: dayBefore(6), counts: { ...noFigures, shown: 100, taken: 24 } },
      { day: dayBefore(29), counts: { ...noFigures, shown: 1_000 } },
      { day: dayBefore(30), counts: { ...noFigures, shown: 5_000 } },
    ],
    now,
  )
  for (const line of [
    '| Shown | 50 | 150 | 1,150 |',
    '| Accepted as a whole | 10 (20%) | 34 (23%) | 34 (3%) |',
    '| Unchanged after 30 seconds, of the accepted characters | 90% | 90% | 90% |',
    '| Unchanged after 5 minutes, of the accepted characters | – | – | – |',
    '| Half of them shown within | 100 ms | 100 ms | 100 ms |',
    '| Tokens of answers that were never shown | 100 (20%) | 100 (20%) | 100 (20%) |',
    `${dayBefore(6)}  ${'█'.repeat(30)} 24`,
    `${dayBefore(0)}  ${'█'.repeat(15)} 12`,
  ])
    assert.ok(text.split('\n').includes(line), `${line}\n${text}`)
})

test('without any figures there are zeros and no shares', () => {
  const text = usageText([], now)
  assert.match(text, /\| Shown \| 0 \| 0 \| 0 \|/)
  assert.match(text, /\| Half of them shown within \| – \| – \| – \|/)
})
