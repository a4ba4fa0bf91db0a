// The figures of completions on a real disk: two windows, several days, what is too old and what cannot be read.
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { noFigures, sumOf } from '../../../src/core/complete/completionFigures.ts'
import { dayOf, UsageRecorder } from '../../../src/core/complete/usageRecorder.ts'
import { UsageFolder } from '../../../src/node/usage/usageFolder.ts'
import { FakeClock } from '../../support/fakeClock.ts'

const DAY_MS = 24 * 60 * 60_000

test('each window adds to its days, all are read together, and counts alone are written', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'usage-'))
  try {
    const clock = new FakeClock()
    const [one, other] = [1, 2].map(() => new UsageRecorder(new UsageFolder(folder, clock), clock))
    assert.ok(one && other)
    const first = dayOf(clock.now())
    one.add({ requests: 2, shown: 1 })
    one.add({ requests: 1 })
    other.add({ requests: 4 })
    await other.kept()
    assert.deepEqual(sumOf((await one.read()).map(({ counts }) => counts)), { ...noFigures, requests: 7, shown: 1 })
    await clock.advance(DAY_MS)
    one.add({ requests: 1 })
    const days = await one.read()
    assert.deepEqual(days.map(({ day, counts }) => [day, counts.requests]).sort(), [
      [first, 3],
      [first, 4],
      [dayOf(clock.now()), 1],
    ])
    for (const name of readdirSync(folder))
      assert.match(readFileSync(join(folder, name), 'utf8'), /^\{("\w+":\d+,?)+\}$/)
    writeFileSync(join(folder, `${first}.abcd.json`), 'no JSON')
    writeFileSync(join(folder, 'notes.txt'), 'not ours')
    assert.equal(sumOf((await one.read()).map(({ counts }) => counts)).requests, 8)
    await clock.advance(91 * DAY_MS)
    assert.deepEqual(await other.read(), [])
    assert.deepEqual(readdirSync(folder), ['notes.txt'])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
