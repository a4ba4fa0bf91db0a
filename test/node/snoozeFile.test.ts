// The end of a snooze on a real disk: over a restart that comes at once, in other windows, and where the disk refuses.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { Snooze } from '../../src/core/complete/snooze.ts'
import { SnoozeFile } from '../../src/node/snoozeFile.ts'
import { FakeClock } from '../support/fakeClock.ts'
import { eventually } from '../support/wire.ts'

const root = mkdtempSync(join(tmpdir(), 'kourier-snooze-'))
after(() => rmSync(root, { recursive: true }))
let folders = 0

function place() {
  const file = join(root, String(folders++), 'snooze.json')
  const clock = new FakeClock()
  const open = () => {
    const memory = new SnoozeFile(file, clock)
    const snooze = new Snooze(memory, clock)
    const minutes = () => snooze.until && (snooze.until - clock.now()) / 60_000
    const close = () => {
      snooze.dispose()
      memory.dispose()
    }
    return { snooze, minutes, close }
  }
  return { file, clock, open }
}

test('it is on the disk as soon as it begins, whole, and is there for a window that starts then', async () => {
  const { file, clock, open } = place()
  const before = open()
  before.snooze.extend()
  await eventually('it is written', () => existsSync(file))
  assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), { until: clock.now() + 5 * 60_000 })
  assert.deepEqual(readdirSync(dirname(file)), ['snooze.json'])
  before.close()
  const reloaded = open()
  await eventually('it is recalled', () => reloaded.minutes() === 5)
  reloaded.close()
  assert.equal(clock.waiting, 0)
})

test('another window follows its beginning, each extension and its end', async () => {
  const { open } = place()
  const [one, other] = [open(), open()]
  const follows = (minutes: number | undefined) =>
    eventually(`the other window is snoozed for ${minutes} minutes`, () => other.minutes() === minutes)
  one.snooze.extend()
  await follows(5)
  one.snooze.extend()
  await follows(10)
  other.snooze.end()
  await eventually('the first window goes on', () => one.minutes() === undefined)
  one.close()
  other.close()
})

test('what cannot be read is no snooze, and what cannot be written lasts in its own window', async () => {
  for (const text of ['', '{"unt', 'null', '{"until":"soon"}', '\0\0']) {
    const { file, open } = place()
    mkdirSync(dirname(file))
    writeFileSync(file, text)
    const window = open()
    assert.equal(await new SnoozeFile(file, new FakeClock()).recall(), undefined, text)
    assert.equal(window.minutes(), undefined)
    window.close()
  }
  const { file, clock, open } = place()
  writeFileSync(dirname(file), 'a file where the folder should be')
  const window = open()
  window.snooze.extend()
  await clock.advance(2_000)
  assert.ok(window.minutes())
  window.close()
})
