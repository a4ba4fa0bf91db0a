// One at a time, even where a process crashed, hangs, or set the clock.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { FileLock } from '../../../src/node/files/fileLock.ts'
import { FakeClock } from '../../support/fakeClock.ts'
import { eventually } from '../../support/wire.ts'

const root = mkdtempSync(join(tmpdir(), 'kourier-lock-'))
after(() => rmSync(root, { recursive: true }))
const longestMs = 1_000
let folders = 0

function place() {
  const folder = join(root, String(folders++))
  const path = join(folder, 'lock')
  const clock = new FakeClock()
  mkdirSync(folder)
  return { folder, path, clock, lock: new FileLock({ path, clock, longestMs }) }
}

/** Resolves with whether it is over after so much time. */
async function isOverAfter(work: Promise<unknown>, clock: FakeClock, ms: number): Promise<boolean> {
  let isOver = false
  void work.then(() => {
    isOver = true
  })
  for (let left = ms; left > 0 && !isOver; left -= 50) {
    await eventually('it has looked', () => isOver || clock.waiting > 0)
    await clock.advance(50)
  }
  await eventually('it has looked once more', () => isOver || clock.waiting > 0)
  return isOver
}

test('the lock of a process that is gone is broken at once', async () => {
  const { folder, path, clock, lock } = place()
  const { pid } = spawnSync(process.execPath, ['--version'])
  writeFileSync(path, `${pid} ${hostname()} word`)
  const release = await lock.take()
  assert.match(readFileSync(path, 'utf8'), new RegExp(`^${process.pid} `))
  await release()
  assert.deepEqual([readdirSync(folder), clock.waiting], [[], 0])
})

for (const [owner, text] of Object.entries({
  'of a process that lives': `${process.pid} ${hostname()} word`,
  'of another machine': '1 elsewhere.example word',
  'that says nothing': '',
})) {
  test(`the lock ${owner} is waited for, and broken when it was held too long; no clock on a wall matters`, async () => {
    for (const hours of [-1, 0, 1]) {
      const { path, clock, lock } = place()
      writeFileSync(path, text)
      const time = new Date(clock.now() + hours * 3_600_000)
      utimesSync(path, time, time)
      const taking = lock.take()
      assert.equal(await isOverAfter(taking, clock, longestMs - 200), false)
      clock.jump(hours * 3_600_000)
      assert.equal(await isOverAfter(taking, clock, 400), true)
      await (await taking)()
    }
  })
}

test('who was too slow does not give back the lock of the next', async () => {
  const { path, clock, lock } = place()
  const slow = await lock.take()
  const taking = new FileLock({ path, clock, longestMs }).take()
  assert.equal(await isOverAfter(taking, clock, longestMs + 200), true)
  await slow()
  assert.match(readFileSync(path, 'utf8'), new RegExp(`^${process.pid} `))
  await (await taking)()
  assert.throws(() => readFileSync(path))
})

test('a lock that changes hands is not taken for one that hangs', async () => {
  const { path, clock, lock } = place()
  writeFileSync(path, `${process.pid} ${hostname()} first`)
  const taking = lock.take()
  assert.equal(await isOverAfter(taking, clock, 700), false)
  writeFileSync(path, `${process.pid} ${hostname()} second`)
  assert.equal(await isOverAfter(taking, clock, 700), false)
  assert.equal(await isOverAfter(taking, clock, 500), true)
})

test('a lock that cannot be made or taken away keeps nobody for ever', async () => {
  const { path, clock, lock } = place()
  mkdirSync(path)
  assert.equal(await isOverAfter(lock.take(), clock, 2 * longestMs + 200), true)
  writeFileSync(join(root, 'file'), '')
  const nowhere = new FileLock({ path: join(root, 'file', 'lock'), clock, longestMs })
  await (await nowhere.take())()
})
